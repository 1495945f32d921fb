# ./dev test [native | build | chromium | firefox]: every suite, or one. Stops at the first that fails.
# shellcheck shell=bash
source scripts/setup.sh

# The kernels have a body in plain Rust beside the SIMD one; the feature `portable` chooses it everywhere.
test_native() {
  cargo test --locked
  if grep -q '^portable *=' Cargo.toml; then cargo test --locked --features portable; fi
}

test_chromium() (cd "$BROWSER_TESTS" && playwright test "$@")

test_firefox() {
  node --test --test-reporter=spec --test-concurrency=1 "$BROWSER_TESTS"/firefox/*.test.mjs
}

part=${1:-all}
shift || true
case $part in
  native) setup && test_native ;;
  build) setup build && release_build ;;
  chromium) setup build browsers && test_chromium "$@" ;;
  firefox) setup build browsers && test_firefox ;;
  all)
    setup build browsers
    say "▸ native" && test_native
    say "▸ release build" && release_build
    say "▸ Chromium" && test_chromium
    say "▸ Firefox" && test_firefox
    ;;
  *) die "There is no test part '$part': native, build, chromium or firefox." ;;
esac
