# ./dev test [native | python | swiftshader | wasm | build | chromium | firefox | package]: every suite, or one. Stops at the first that
# fails. `./dev soak` is the long run of what the suites hold short ones of.
# shellcheck shell=bash
source scripts/setup.sh

# Every case on the processor and on the GPU, whose part the fast software driver plays. Exported code is run by a Python where there is one.
# Sixteen threads, as a large machine takes: what tests share shows where they run side by side.
test_native() {
  ensure_gpu_possible
  local driver
  driver=$(gpu_driver)
  RUST_TEST_THREADS=16 with_driver "$driver" cargo test --locked --workspace
}

# From here on exported code is run with NumPy, JAX and PyTorch; the last where the system has it.
require_python() {
  local torch
  torch=$(torch_python) || say "  PyTorch is not here, so what is exported for it is written and not run: install it, and PYTORCH_PYTHON=… names its Python."
  export REQUIRE_PYTHON=1 PYTHON=$PYTHON_HOME/bin/python PYTORCH_PYTHON=${torch:-}
}

test_python() {
  require_python
  cargo test --locked -p attention-playground -p masks --test python -- --nocapture
  test_notebook_package
  test_conventions
}

# The Python package, without a page; `chromium` opens JupyterLab.
test_notebook_package() { (cd python && PYTHONPATH=. "$PYTHON" -m pytest -q); }

# How conventions of libraries are measured, and that their pages are made of what was; no library is asked.
test_conventions() { PYTHONPATH=scripts/conventions "$PYTHON" -B -m pytest -q -p no:cacheprovider tests/python; }

test_native_and_python() {
  require_python
  test_native
  test_notebook_package
  test_conventions
}

# Some of the same on another driver, the one that Chromium uses: what one of them forgives, the other may not.
test_swiftshader() {
  ensure_gpu_possible
  local driver
  if driver=$(swiftshader); then
    with_driver "$driver" cargo test --locked --test attention -- golden:: laws::
    # Twice the precision rests on a compiler that does not reorder sums, and each driver has its own.
    with_driver "$driver" cargo test --locked --test attention -- differ_by_one nearly_agree no_block
  else
    say "  left out: this Chromium brings no SwiftShader as a driver of its own"
  fi
}

# Kernels and a training run in WebAssembly, under Node: the SIMD body, then the plain one for which the feature is switched off.
test_wasm() {
  cargo test --locked -p attention -p model --target "$WASM" --test simd --test training
  RUSTFLAGS="-C target-feature=-simd128" cargo test --locked -p attention -p model --target "$WASM" --test simd --test training
}

# What is made of trunk's output and of benchmarks' results, and scripts of the page that need no browser; then the real thing.
test_build() {
  node --test --test-reporter=spec tests/dist/*.test.mjs tools/wasm-chunks/tests/*.test.mjs tests/js/*.test.mjs tests/bench/*.test.mjs
  release_build
}

in_chromium() { (cd "$BROWSER_TESTS" && PYTHON="${PYTHON:-$PYTHON_HOME/bin/python}" playwright test "$@"); }

# Arguments go to Playwright, such as `-g "part of a name"`.
test_chromium() {
  ensure_built
  pack_element
  in_chromium "$@"
}

test_firefox() {
  ensure_built
  # Firefox asks the system for a driver.
  local driver run=()
  if is_linux; then driver=$(gpu_driver) && run=(with_driver "$driver"); fi
  "${run[@]}" node --test --test-reporter=spec --test-concurrency=2 "$BROWSER_TESTS"/firefox/*.test.mjs
}

# The archive in a fresh project of somebody else's, whose packages npm installs.
test_package() {
  ensure_built
  make_package
  make_wheel
  PLAYGROUND_PACKAGES=$PACKAGES node --test --test-reporter=spec tests/package/*.test.mjs
}

firefox_and_package() {
  run_part firefox
  run_part package
}

# suite TITLE NEEDS FUNCTION [ARGUMENT…]: NEEDS are groups of setup, separated by spaces; a run of all suites has set them up already.
suite() {
  local title=$1 needs
  read -ra needs <<<"$2"
  shift 2
  [ -n "${IS_WHOLE:-}" ] || setup "${needs[@]}"
  say "▸ $title"
  "$@"
}

# run_part PART [ARGUMENT…]
run_part() {
  case $1 in
    native) suite "native" "gpu" test_native ;;
    python) suite "exports in Python" "python" test_python ;;
    swiftshader) suite "native on SwiftShader" "gpu browsers" test_swiftshader ;;
    wasm) suite "kernels in WebAssembly" "build" test_wasm ;;
    build) suite "release build" "build" test_build ;;
    chromium) suite "Chromium" "build browsers gpu python" test_chromium "${@:2}" ;;
    firefox) suite "Firefox" "build browsers gpu" test_firefox ;;
    package) suite "npm package and wheel" "build browsers pip" test_package ;;
    *) die "There is no test part '$1': native, python, swiftshader, wasm, build, chromium, firefox or package." ;;
  esac
}

if [ $# -gt 0 ]; then
  run_part "$@"
else
  setup gpu python pip build browsers
  IS_WHOLE=1
  # The last step of the release build links on one core.
  beside "release build" run_part build
  # One run of the native tests is both parts.
  suite "native, exports in Python" "gpu python" test_native_and_python
  run_part swiftshader
  run_part wasm
  joined
  # Firefox leaves more than half of two cores idle.
  beside "Firefox and the npm package" firefox_and_package
  run_part chromium
  joined
fi
