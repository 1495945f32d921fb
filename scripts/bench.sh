# ./dev bench: native kernels, then the page in a real browser; arguments go to the browser benchmark.
# ./dev bench peers: the same attention by this project and by other libraries, in one browser. With --dist it measures builds that exist.
# shellcheck shell=bash
source scripts/setup.sh

bench_all() {
  setup build browsers
  cargo bench --locked --bench '*'
  release_build
  node "$BROWSER_TESTS/bench/run.mjs" "$@"
}

bench_peers() {
  setup build browsers peers
  [[ " $* " == *' --dist '* ]] || release_build
  node "$BROWSER_TESTS/bench/peers/run.mjs" "$@"
}

case ${1:-} in
  peers)
    shift
    bench_peers "$@"
    ;;
  *) bench_all "$@" ;;
esac
