# Pinned programs, taken from their release archives or built by cargo, and npm's packages. They live in $TOOLS and
# tests/browser/node_modules/ only: nothing global is touched.
# shellcheck shell=bash

TRUNK_VERSION=0.21.14
CARGO_DENY_VERSION=0.20.2

# wasm-bindgen and its command line must be the same version, so Cargo.lock is the one place that names it.
locked_version() { awk -v name="$1" -F'"' '$1 == "name = " { found = $2 == name } found && $1 == "version = " { print $2; exit }' Cargo.lock; }

has_version() { have "$1" && [[ "$("$1" --version 2>/dev/null) " == *" $2 "* ]]; }

# cargo_tool PROGRAM CRATE VERSION DURATION [OPTION…]: leaves a program of the right version on PATH as it is.
cargo_tool() {
  local program=$1 crate=$2 version=$3
  if has_version "$program" "$version"; then return; fi
  unpack_tool "$program" "$crate" "$version" || binstall_tool "$crate" "$version" || compile_tool "${@:2}"
}

# tools.sha256 has a line for each archive: check sum, crate, version, the host as rustc calls it, address. A program without a line is compiled.
unpack_tool() {
  local program=$1 crate=$2 version=$3 sum url host
  host=$(rustc -vV | sed -n 's/^host: //p')
  read -r sum url < <(awk -v tool="$crate $version $host" '$2 " " $3 " " $4 == tool { print $1, $5 }' scripts/tools.sha256) || return 1
  have curl && reachable "$url" || return 1
  (step "$crate $version into $TOOLS/ (seconds)" "$url could not be had as it was pinned: $crate is built instead." \
    unpack_archive "$program" "$sum" "$url")
}

has_sum() {
  node -e 'const [, path, sum] = process.argv;
    process.exitCode = Number(require("crypto").createHash("sha256").update(require("fs").readFileSync(path)).digest("hex") !== sum);' "$1" "$2"
}

unpack_archive() (
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  curl --fail --location --connect-timeout 5 --max-time 60 --output "$work/archive" "$3" &&
    has_sum "$work/archive" "$2" &&
    tar -xzf "$work/archive" -C "$work" &&
    mkdir -p "$TOOLS/bin" &&
    find "$work" -type f -name "$1" -exec install -m 755 {} "$TOOLS/bin/" ';' &&
    [ -x "$TOOLS/bin/$1" ]
)

binstall_tool() {
  have cargo-binstall && reachable https://github.com || return 1
  (step "$1 $2 into $TOOLS/ with cargo binstall" "cargo binstall could not install it: it is built instead." \
    cargo binstall --no-confirm --disable-strategies compile --root "$TOOLS" "$1@$2")
}

# The tools' own release profiles are made for small, fast programs and take five times as long to build. Each runs for seconds, so it is
# not optimised, and what they share is compiled once.
compile_tool() {
  local crate=$1 version=$2 duration=$3
  shift 3
  step "$crate $version into $TOOLS/ ($duration)" \
    "$crate could not be built: check the network, run 'rustup update stable', then ./dev setup again (finished parts are kept)." \
    env -u RUSTFLAGS CARGO_TARGET_DIR="$TOOLS/build" CARGO_BUILD_BUILD_DIR="$TOOLS/build" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=true \
    cargo install "$crate" --version "$version" --root "$TOOLS" --force "$@"
}

ensure_build_tools() {
  # What it would download is here already, so it needs no TLS.
  cargo_tool trunk trunk "$TRUNK_VERSION" "2 to 5 minutes" --locked --no-default-features
  cargo_tool wasm-bindgen wasm-bindgen-cli "$(locked_version wasm-bindgen)" "1 to 3 minutes"
}

ensure_audit_tools() {
  cargo_tool cargo-deny cargo-deny "$CARGO_DENY_VERSION" "2 to 5 minutes" --locked --no-default-features
}

# npm_packages FOLDER TITLE: what FOLDER/package-lock.json names.
npm_packages() {
  local folder=$1 title=$2 stamp=$1/node_modules/.installed-lock
  if cmp -s "$folder/package-lock.json" "$stamp"; then return; fi
  step "$title" "npm could not install them: check the network, then run the same command again." \
    env PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 PUPPETEER_SKIP_DOWNLOAD=1 npm ci --prefix "$folder" --no-audit --no-fund
  cp "$folder/package-lock.json" "$stamp"
}

# Debian's own browsers are used, so none is downloaded.
ensure_node_packages() { npm_packages "$BROWSER_TESTS" "Node packages: wasm-opt, esbuild, Playwright, axe, puppeteer (half a minute)"; }

ensure_peers() { npm_packages "$BROWSER_TESTS/bench/peers" "Node packages to compare with: onnxruntime-web, TensorFlow.js, jax-js (240 MB, half a minute)"; }

PACKAGES=${CARGO_TARGET_DIR:-$ROOT/target}/package

# The site in dist/ and the npm package's files. A backtrace into trunk or wasm-bindgen buries the message that says what is wrong.
release_build() {
  rm -rf "$PACKAGES"
  RUST_BACKTRACE=0 PLAYGROUND_COMPRESS=1 PLAYGROUND_PACKAGE=$PACKAGES/files trunk build --release --dist dist
}

# A single suite runs against the last build, whatever has changed since.
ensure_built() { if [ ! -f dist/index.html ] || [ ! -d "$PACKAGES/files" ]; then release_build; fi; }

# The npm package, from the files of the last release build.
make_package() { (cd "$PACKAGES" && npm pack --silent ./files); }

# The element as the Python package has it, of the last release build.
pack_element() {
  local packed=python/attention_playground/element.tar.xz
  [ "$packed" -nt "$PACKAGES/files/engine.js" ] || python3 python/pack.py "$PACKAGES"
}

# The wheel: pure Python, the same bytes each time. pip fetches hatchling, which builds it.
make_wheel() {
  pack_element
  python3 -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$PACKAGES" ./python
}
