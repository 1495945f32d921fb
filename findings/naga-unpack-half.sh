#!/usr/bin/env bash
# Guess:  naga's validator takes every built-in function of WGSL that needs no extension where it is given no optional capabilities.
# Seen:   naga 30.0.1, 2026-11-29: it takes pack2x16unorm, and refuses pack2x16float and unpack2x16float, which WGSL has without `enable f16`:
#         they want Capabilities::SHADER_FLOAT16_IN_FLOAT32.
# So:     shaders that are checked natively as any WebGPU device has to take them make 32 bits of 16 by their bits (crates/gpu/shaders/widen.wgsl).
# Needs:  Rust with cargo.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
cd "$work"
cat >Cargo.toml <<'TOML'
[package]
name = "halves"
version = "0.0.0"
edition = "2021"
[dependencies]
naga = { version = "=30.0.1", features = ["wgsl-in"] }
TOML
cat >src/main.rs <<'RS'
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn is_taken(call: &str, capabilities: Capabilities) -> bool {
    let source = format!("fn f(x: u32, v: vec2<f32>) {{ let made = {call}; }}");
    let module = naga::front::wgsl::parse_str(&source).expect("valid WGSL");
    let mut validator = Validator::new(ValidationFlags::all(), capabilities);
    validator.validate(&module).is_ok()
}

fn main() {
    for call in ["pack2x16unorm(v)", "unpack2x16float(x)", "pack2x16float(v)"] {
        let [without, with] = [Capabilities::empty(), Capabilities::SHADER_FLOAT16_IN_FLOAT32];
        println!("{call} {} {}", is_taken(call, without), is_taken(call, with));
    }
}
RS
seen=$(cargo run --quiet)
echo "$seen"
wanted="pack2x16unorm(v) true true
unpack2x16float(x) false true
pack2x16float(v) false true"
[[ $seen == "$wanted" ]] || { echo "This differs from what was seen on 2026-11-29." >&2 && exit 1; }
