#!/usr/bin/env bash
# Guess:  `-C target-feature=+relaxed-simd` for wasm32 makes the relaxed intrinsics available and leaves other code as it is.
# Seen:   rustc 1.95.0 (LLVM 22), 2026-11-27: `f32x4_pmin`, whose result for NaN and signed zeros is defined, and a vectorised loop of
#         `if y < x { y } else { x }` become `f32x4.relaxed_min`, whose result for them is up to the machine. No relaxed intrinsic
#         is in the source.
# So:     the flag changes the whole crate; results that have to be alike everywhere need it off for every function.
# Needs:  rustc 1.95.0 with the target wasm32-unknown-unknown; Node with npm.
set -euo pipefail
[[ $(rustc --version) == "rustc 1.95.0 "* ]] || { echo "This was seen with rustc 1.95.0, not with $(rustc --version)." >&2 && exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund binaryen@132.0.0 >/dev/null
cat >lib.rs <<'RS'
#![no_std]
use core::arch::wasm32::{f32x4_pmin, v128};
#[panic_handler]
fn stop(_: &core::panic::PanicInfo) -> ! { loop {} }
#[no_mangle]
pub unsafe extern "C" fn intrinsic(a: *mut v128, b: *const v128) { *a = f32x4_pmin(*a, *b); }
#[no_mangle]
pub unsafe extern "C" fn comparison(a: *mut f32, b: *const f32, n: usize) {
    for i in 0..n {
        let (x, y) = (*a.add(i), *b.add(i));
        *a.add(i) = if y < x { y } else { x };
    }
}
RS
instructions() {
  rustc --edition 2021 --target wasm32-unknown-unknown -C opt-level=3 --crate-type cdylib -C "target-feature=$1" lib.rs -o out.wasm
  node_modules/.bin/wasm-dis out.wasm | grep -oE 'f32x4\.(pmin|relaxed_min)' | sort -u | paste -sd' '
}
seen="+simd128: $(instructions +simd128)
+simd128,+relaxed-simd: $(instructions +simd128,+relaxed-simd)"
echo "$seen"
[ "$seen" = "+simd128: f32x4.pmin
+simd128,+relaxed-simd: f32x4.relaxed_min" ] || { echo "This differs from what was seen on 2026-11-27." >&2 && exit 1; }
