# ./dev bench: native kernels, then the page in a real browser. Arguments go to the browser benchmark.
# shellcheck shell=bash
source scripts/setup.sh

setup build browsers
cargo bench --locked --bench '*'
release_build
node "$BROWSER_TESTS/bench/run.mjs" "$@"
