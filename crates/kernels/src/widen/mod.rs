//! Numbers of the blocks that ggml stores tensors in, as 32-bit floats. `formats::blocks` has the formulas and where they come from.
//!
//! Each function writes the numbers of whole blocks one after the other; bytes after the last whole block, and blocks or places for numbers
//! that are too many, are passed over.

mod half;
mod of_256;
mod of_32;

use crate::simd::{F32x4, LANES, U8x16};
pub use half::half;

/// 32-bit floats, the lowest byte first.
pub fn f32(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |block: &[u8; 4], out| {
        *out = [f32::from_le_bytes(*block)];
    });
}

/// 16-bit floats.
pub fn f16(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |block: &[u8; 2], out| {
        *out = [half_at(block, 0)];
    });
}

/// The upper halves of 32-bit floats.
pub fn bf16(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, |&[low, high]: &[u8; 2], out| {
        *out = [f32::from_le_bytes([0, 0, low, high])];
    });
}

/// Blocks of 34 bytes and 32 numbers, type Q8_0.
pub fn q8_0(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_32::q8_0);
}

/// Blocks of 18 bytes and 32 numbers, type Q4_0.
pub fn q4_0(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_32::q4_0);
}

/// Blocks of 20 bytes and 32 numbers, type Q4_1.
pub fn q4_1(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_32::q4_1);
}

/// Blocks of 22 bytes and 32 numbers, type Q5_0.
pub fn q5_0(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_32::q5_0);
}

/// Blocks of 24 bytes and 32 numbers, type Q5_1.
pub fn q5_1(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_32::q5_1);
}

/// Blocks of 18 bytes and 32 numbers, type IQ4_NL.
pub fn iq4_nl(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_32::iq4_nl);
}

/// Blocks of 84 bytes and 256 numbers, type Q2_K.
pub fn q2_k(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_256::q2);
}

/// Blocks of 110 bytes and 256 numbers, type Q3_K.
pub fn q3_k(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_256::q3);
}

/// Blocks of 144 bytes and 256 numbers, type Q4_K.
pub fn q4_k(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_256::q4);
}

/// Blocks of 176 bytes and 256 numbers, type Q5_K.
pub fn q5_k(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_256::q5);
}

/// Blocks of 210 bytes and 256 numbers, type Q6_K.
pub fn q6_k(bytes: &[u8], out: &mut [f32]) {
    each(bytes, out, of_256::q6);
}

/// Widens one block of `B` bytes after the other, each to `N` numbers.
#[inline(always)]
fn each<const B: usize, const N: usize>(
    bytes: &[u8],
    out: &mut [f32],
    widen: impl Fn(&[u8; B], &mut [f32; N]),
) {
    let (blocks, _) = bytes.as_chunks::<B>();
    let (rows, _) = out.as_chunks_mut::<N>();
    for (block, row) in blocks.iter().zip(rows) {
        widen(block, row);
    }
}

/// The 16-bit float at place `at` of a block.
#[inline(always)]
fn half_at<const B: usize>(block: &[u8; B], at: usize) -> f32 {
    half(u16::from_le_bytes([block[at], block[at + 1]]))
}

/// Sixteen bytes of a block.
#[inline(always)]
fn bytes_at(block: &[u8], at: usize) -> U8x16 {
    match block[at..].first_chunk() {
        Some(bytes) => U8x16::new(bytes),
        None => U8x16::new(&[0; 16]),
    }
}

#[inline(always)]
fn write(q: [F32x4; 4], out: &mut [f32; 16], number: impl Fn(F32x4) -> F32x4) {
    for (q, out) in q.into_iter().zip(out.as_chunks_mut::<LANES>().0) {
        *out = number(q).to_array();
    }
}
