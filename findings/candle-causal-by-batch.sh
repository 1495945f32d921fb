#!/usr/bin/env bash
# Guess:  the causal mask of candle's CPU flash attention is the same for one sequence and for a batch of two.
# Seen:   candle-nn 0.11.1, 2026-11-27, two queries over five keys: alone, the first query sees key 0 (aligned at the first key); in a
#         batch of two it sees keys 0 to 3 (aligned at the last key). Only the first way knows `kv_offset`; batches are packed for
#         another kernel, which always aligns at the end.
# So:     weights compared with this library need n = m, or an alignment that is said for each batch size.
# Needs:  Rust with cargo, about two minutes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
cd "$work"
cat >Cargo.toml <<'TOML'
[package]
name = "alignment"
version = "0.0.0"
edition = "2021"
[dependencies]
candle-core = "=0.11.1"
candle-nn = "=0.11.1"
TOML
cat >src/main.rs <<'RS'
use candle_core::{DType, Device, Result, Tensor};
use candle_nn::attention::{flash_attn, AttnMask};

// Equal scores and values of the identity: an output row holds the weights.
fn rows(batch: usize) -> Result<Vec<Vec<f32>>> {
    let zeros = |rows| Tensor::zeros((batch, rows, 1, 5), DType::F32, &Device::Cpu);
    let v = Tensor::eye(5, DType::F32, &Device::Cpu)?.reshape((1, 5, 1, 5))?.repeat((batch, 1, 1, 1))?;
    let out = flash_attn::<f32>(&zeros(2)?, &zeros(5)?, &v, 1.0, AttnMask::causal(), None, None)?;
    out.get(0)?.get(0)?.to_vec2()
}

fn main() -> Result<()> {
    for batch in [1, 2] {
        println!("batch of {batch}: {:.2?}", rows(batch)?);
    }
    Ok(())
}
RS
seen=$(cargo run --quiet)
echo "$seen"
[ "$seen" = "batch of 1: [[1.00, 0.00, 0.00, 0.00, 0.00], [0.50, 0.50, 0.00, 0.00, 0.00]]
batch of 2: [[0.25, 0.25, 0.25, 0.25, 0.00], [0.20, 0.20, 0.20, 0.20, 0.20]]" ] || { echo "This differs from what was seen on 2026-11-27." >&2 && exit 1; }
