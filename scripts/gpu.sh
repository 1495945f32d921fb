# Drivers for the GPU tests: two software implementations of Vulkan, so that every machine runs the same shaders.
# lavapipe comes with Mesa and is the fast one; SwiftShader comes with Chromium, which uses it for its own WebGPU.
# shellcheck shell=bash

GPU_ADVICE="A Vulkan driver of your own is used where VK_DRIVER_FILES names its JSON file."

# A driver that somebody has chosen beats ours.
chosen_driver() {
  local chosen=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}
  [ -n "$chosen" ] && echo "$chosen"
}

# first_file PATTERN…: the first file that one of the patterns matches.
first_file() {
  local pattern
  for pattern; do compgen -G "$pattern" | head -n 1 | grep . && return; done
  return 1
}

lavapipe() { first_file /usr/share/vulkan/icd.d/lvp_icd*.json /usr/local/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json; }

swiftshader() { first_file /usr/lib/chromium*/vk_swiftshader_icd.json /usr/lib64/chromium*/vk_swiftshader_icd.json /opt/google/chrome/vk_swiftshader_icd.json; }

# ldconfig is not on everybody's PATH.
has_vulkan_loader() { PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | grep -q 'libvulkan\.so\.1'; }

is_linux() { [ "$(uname -s)" = Linux ]; }

# Names, as Debian calls them, of what the GPU tests lack. Other systems have no driver of this kind to install.
missing_gpu_packages() {
  is_linux || return 0
  has_vulkan_loader || echo libvulkan1
  chosen_driver >/dev/null || lavapipe >/dev/null || echo mesa-vulkan-drivers
}

say_where_gpu_tests_run() {
  is_linux || say "The native GPU tests need Vulkan and run on Linux only; './dev test' says so again. Everything else works here."
}

# A suite that leaves its GPU half out in silence would not be the suite.
ensure_gpu_possible() {
  is_linux || die "The native GPU tests need Vulkan, so they run on Linux only. 'cargo test' runs the others, and './dev test wasm', 'build', 'chromium' and 'firefox' run here."
}

# The driver of the GPU tests where nobody has chosen another.
gpu_driver() { chosen_driver || lavapipe || die "No software Vulkan driver is there: run './dev setup'. $GPU_ADVICE"; }

# with_driver FILE COMMAND…: the GPU tests of COMMAND run on this driver, and fail where it gives no adapter.
with_driver() {
  local file=$1 runtime
  shift
  # Drivers complain where no session has made this folder.
  runtime=${XDG_RUNTIME_DIR:-$TOOLS/runtime}
  mkdir -p "$runtime"
  env REQUIRE_GPU=1 VK_DRIVER_FILES="$file" VK_ICD_FILENAMES="$file" XDG_RUNTIME_DIR="$runtime" "$@"
}
