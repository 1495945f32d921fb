# Installs what is missing; silent and quick where all is there. Sourced by ./dev.
# shellcheck shell=bash
source scripts/gpu.sh
source scripts/python.sh
source scripts/rust.sh
source scripts/system.sh
source scripts/tools.sh

# setup GROUP…: native (only what is always needed), build (trunk, wasm-bindgen), browsers (Chromium, Firefox, fonts),
# gpu (a software Vulkan driver), python (NumPy, JAX, PyTorch), pip (a Python that downloads packages), peers (what benchmarks compare with), audit (linters).
setup() {
  local groups=" $* "
  hold_setup_lock
  ensure_cargo
  ensure_node
  ensure_packages "$@"
  [[ $groups != *' browsers '* ]] || ensure_headless_shell
  # pip mostly waits for its downloads.
  if [[ $groups == *' python '* ]]; then beside "Python's packages" ensure_python; fi
  ensure_rust_parts
  ensure_node_packages
  [[ $groups != *' build '* ]] || ensure_build_tools
  [[ $groups != *' peers '* ]] || ensure_peers
  [[ $groups != *' audit '* ]] || ensure_audit_tools
  rm -rf "$TOOLS/build"
  if [[ $groups == *' python '* ]]; then joined; fi
  release_setup_lock
}

# Two commands started side by side in one checkout must not install into the same folders at once.
hold_setup_lock() {
  mkdir -p "$TOOLS"
  have flock || return 0
  exec 9>"$TOOLS/lock"
  flock -n 9 || { say "Waiting for another ./dev that is installing …" && flock 9; }
}

release_setup_lock() { { exec 9>&-; } 2>/dev/null; }
