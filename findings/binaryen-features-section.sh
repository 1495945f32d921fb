#!/usr/bin/env bash
# Guess:  `wasm-opt --disable-relaxed-simd` refuses a module that uses a relaxed SIMD instruction.
# Seen:   binaryen 132.0.0 (npm), 2026-11-27: it accepts the module and keeps the instruction, without a warning, where the module's own
#         `target_features` section lists relaxed-simd, as every compiler's output does. Only a module without that section, such as
#         one assembled from the text that wasm-dis prints, is refused.
# So:     a build that must not contain such instructions has to validate the text form, or search the binary.
# Needs:  Node with npm.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund binaryen@132.0.0 >/dev/null
export PATH="$work/node_modules/.bin:$PATH"
cat >module.wat <<'WAT'
(module
  (func (export "f") (param v128 v128 v128) (result v128)
    (f32x4.relaxed_madd (local.get 0) (local.get 1) (local.get 2))))
WAT
wasm-as --enable-simd --enable-relaxed-simd --emit-target-features module.wat -o module.wasm 2>/dev/null ||
  wasm-opt --enable-simd --enable-relaxed-simd --emit-target-features module.wat -o module.wasm

outcome() { if "$@" >/dev/null 2>&1; then echo accepted; else echo refused; fi; }
wasm-dis --enable-simd module.wasm -o text.wat
seen="with a features section: $(outcome wasm-opt --enable-simd --disable-relaxed-simd module.wasm -O1 -o out.wasm)
its text: $(outcome wasm-opt --enable-simd --disable-relaxed-simd text.wat -O1 -o other.wasm)
relaxed instructions kept: $(wasm-dis out.wasm | grep -c relaxed_madd)"
echo "$seen"
[ "$seen" = "with a features section: accepted
its text: refused
relaxed instructions kept: 1" ] || { echo "This differs from what was seen on 2026-11-27." >&2 && exit 1; }
