# ./dev soak [ARGUMENT…]: what takes long: the monkeys' long runs, a hundred faults, memory over many runs, every look of every lesson,
# figures in librsvg and Inkscape where they are installed; real checkpoints, which it fetches (190 MB): `./dev soak checkpoints` for them alone.
# `./dev test` runs a short piece of each, from the same seeds. Every part is run, whatever becomes of the others. Arguments go to Playwright, such as `gpu-monkey`.
# `./dev soak conventions [--write] [ID…]` measures rows of content/conventions.toml anew, and with --write keeps what it finds. It needs no build, and
# is no part of the rest: its packages are 8 GB.
# shellcheck shell=bash
if [ "${1:-}" = conventions ]; then
  source scripts/conventions.sh
  measure_conventions "${@:2}"
  return
fi

source scripts/setup.sh

setup build browsers gpu
ensure_built
export SOAK=1
failed=()

soak() {
  local title=$1
  shift
  say "▸ $title"
  "$@" || failed+=("$title")
}

in_chromium() { (cd "$BROWSER_TESTS" && playwright test --reporter=line "$@"); }

ten_seeds() { cargo test --locked "$@" -- --ignored --nocapture ten_seeds; }

real_checkpoints() {
  local folder=$ROOT/target/checkpoints
  ./dev models --into "$folder" minilm smollm2 &&
    REAL_CHECKPOINTS=$folder cargo test --locked -p checkpoint real -- --ignored --nocapture &&
    TOKENIZER_MINILM=$folder/models/minilm/tokenizer.json TOKENIZER_SMOLLM2=$folder/models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf \
      cargo test --locked -p tokenizer -- --include-ignored &&
    REAL_CHECKPOINTS=$folder in_chromium checkpoint-real --workers=1
}

if [ "$*" = checkpoints ]; then
  soak "Real checkpoints" real_checkpoints
elif [ $# -gt 0 ]; then
  soak "Chromium: $*" in_chromium "$@"
else
  soak "Tasks of the lab, from ten seeds each" ten_seeds --test page
  soak "Drawn attention, from ten seeds" ten_seeds -p attention --test fit
  soak "Random messages" cargo test --locked --lib app::tests::random
  soak "Figures in other programs" cargo test --locked --lib -- --ignored --nocapture other_programs
  soak "Chromium" in_chromium monkey faults-hundred memory tour languages lessons-room api-accuracy notebook-hosts
  soak "Real checkpoints" real_checkpoints
  # Without WebGPU, and so without a driver.
  soak "Firefox" node --test --test-reporter=spec "$BROWSER_TESTS/firefox/monkey.test.mjs"
fi
[ ${#failed[@]} -eq 0 ] || die "The soak failed in: ${failed[*]}."
