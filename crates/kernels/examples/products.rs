//! Products as functions of a bare WebAssembly module, which JavaScript times: the standard library has no clock there.

#![allow(
    unsafe_code,
    reason = "names of exported functions must not be changed"
)]

use std::hint::black_box;

use kernels::{Packed, multiply};

#[path = "../../../benches/shapes/mod.rs"]
mod shapes;
use shapes::SHAPES;

/// How many shapes there are.
#[unsafe(no_mangle)]
extern "C" fn shapes() -> usize {
    SHAPES.len()
}

/// Rows, inner length and columns of a shape, by axis 0, 1 and 2.
#[unsafe(no_mangle)]
extern "C" fn length(shape: usize, axis: usize) -> usize {
    SHAPES[shape][axis]
}

/// The product of a shape, so many times; packs the right-hand matrix once, as a layer does.
#[unsafe(no_mangle)]
extern "C" fn product(shape: usize, times: usize) {
    let [rows, inner, columns] = SHAPES[shape];
    let left = vec![0.5; rows * inner];
    let right = Packed::from_rows(&vec![0.25; inner * columns], columns, 0, columns);
    let mut out = vec![0.0; rows * columns];
    for _ in 0..times {
        multiply(black_box(&left), &right, &mut out);
        black_box(&out);
    }
}
