# ./dev release [TAG]: what a release hands out, in release/: the site as .tar.gz and .zip, the npm package, the wheel for Python, check sums.
# shellcheck shell=bash
source scripts/setup.sh

setup build pip
have python3 || die "A release is packed by Python: install python3."
version=$(cargo metadata --no-deps --format-version 1 --offline | node -p 'JSON.parse(require("fs").readFileSync(0)).packages.find(({ name }) => name === "attention-playground").version')
# A tag that says something else would hand out files under a wrong name.
[ "${1:-v$version}" = "v$version" ] || die "The tag is $1, but Cargo.toml says $version."
release_build
make_package
make_wheel
python3 scripts/release.py "$version" "$(git log -1 --format=%ct)" "$PACKAGES/attention-playground-$version.tgz" "$PACKAGES/attention_playground-$version-py3-none-any.whl"
