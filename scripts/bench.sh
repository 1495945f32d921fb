# ./dev bench [--quick] [--write]: native kernels, the page in a real browser, other libraries beside it; --write fills in benches/RESULTS.md and the README.
# ./dev bench native, page [PART…], peers or training: one of the four. With --dist they measure builds that exist; see tests/browser/bench.
# ./dev bench card: shaders natively, other libraries and the page in Chromium on this machine's graphics card. Not part of the others.
# ./dev bench call: where the milliseconds of a long call go, in the window and both workers. Not part of the others.
# ./dev bench checkpoints [--rounds N]: real models, which it fetches, here and in wllama. Not part of the others.
# ./dev bench notebooks [--rounds N]: one's own attention in JupyterLab, here and in bertviz and attnview, which it installs. Not part of the others.
# ./dev bench write: documents of what was measured last.
# shellcheck shell=bash
source scripts/setup.sh

BENCH=$BROWSER_TESTS/bench

bench_native() {
  mkdir -p target/bench
  cargo bench --locked --bench attention | tee target/bench/native.md
  cargo bench --locked --bench gpu | tee target/bench/native-gpu.md
}

# The clock before and after says whether the card was awake, where its driver tells.
bench_card() {
  mkdir -p target/bench
  { card_clock; ceilings; cargo bench --locked --bench gpu -- --card --ceiling target/bench/ceiling; card_clock; } | tee target/bench/native-card.md
  bench_browser peers/run.mjs --backend card "$@"
  node "$BENCH/run.mjs" card "$@"
}

card_clock() {
  ! command -v nvidia-smi >/dev/null || nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader | sed 's/^/Clock: /; s/$/.\n/'
}

# What the card does at best, in target/bench/ceiling, where a PyTorch reaches it.
ceilings() {
  local torch
  rm -f target/bench/ceiling
  torch=$(torch_python || true)
  if [ -n "$torch" ] && "$torch" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())'; then
    "$torch" benches/ceilings.py target/bench/ceiling
  else
    printf 'Ceilings: not measured, no PyTorch here reaches the card.\n\n'
  fi
}

# Whether builds that exist are to be measured.
names_builds() {
  [[ " $* " == *' --dist'[\ =]* ]]
}

# bench_browser PROGRAM [ARGUMENT…]
bench_browser() {
  local program=$1
  shift
  names_builds "$@" || release_build
  node "$BENCH/$program" "$@"
}

bench_all() {
  local arguments=() writes=
  for argument; do
    if [ "$argument" = --write ]; then writes=1; else arguments+=("$argument"); fi
  done
  if [ -n "$writes" ] && names_builds "${arguments[@]}"; then
    die "--write needs measurements of this build, and --dist measures others. Choose one of the two."
  fi
  setup build browsers peers
  bench_native
  bench_browser run.mjs "${arguments[@]}"
  node "$BENCH/peers/run.mjs" "${arguments[@]}"
  node "$BENCH/peers/training.mjs" "${arguments[@]}"
  [ -z "$writes" ] || node "$BENCH/write.mjs"
}

case ${1:-} in
  native)
    setup native
    bench_native
    ;;
  page)
    shift
    setup build browsers
    bench_browser run.mjs "$@"
    ;;
  peers)
    shift
    setup build browsers peers
    bench_browser peers/run.mjs "$@"
    ;;
  training)
    shift
    setup build browsers peers
    bench_browser peers/training.mjs "$@"
    ;;
  call)
    shift
    setup build browsers
    bench_browser run.mjs call "$@"
    ;;
  card)
    shift
    setup native build browsers peers
    bench_card "$@"
    ;;
  checkpoints)
    shift
    setup build browsers
    ./dev models --into target/checkpoints minilm smollm2
    bench_browser checkpoints.mjs --models target/checkpoints "$@"
    ;;
  notebooks)
    shift
    setup build browsers python
    ensure_built
    pack_element
    PYTHON="$PYTHON_HOME/bin/python" PYTORCH_PYTHON="$(torch_python)" node "$BENCH/notebooks.mjs" "$@"
    ;;
  write) node "$BENCH/write.mjs" ;;
  *) bench_all "$@" ;;
esac
