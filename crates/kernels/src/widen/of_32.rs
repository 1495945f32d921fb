//! Blocks of 32 numbers. Number i of the first 16 is in the low half of a byte, number i + 16 in its high half.

use super::{bytes_at, half_at, write};
use crate::simd::{F32x4, U8x16};

/// What q stands for in IQ4_NL.
const TABLE: [i8; 16] = [
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
];

/// d, then a byte each.
#[inline(always)]
pub(super) fn q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let d = F32x4::splat(half_at(block, 0));
    for (half, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let q = bytes_at(block, 2 + 16 * half).signed();
        write(q, out, |q| d.mul(q));
    }
}

/// d, then 16 bytes.
#[inline(always)]
pub(super) fn q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let (d, zero) = (F32x4::splat(half_at(block, 0)), F32x4::splat(8.0));
    nibbles(bytes_at(block, 2), out, |q| d.mul(q.sub(zero)));
}

/// d, then 16 bytes.
#[inline(always)]
pub(super) fn iq4_nl(block: &[u8; 18], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * f32::from(TABLE[usize::from(four_bits(&block[2..], at))]);
    }
}

/// d, m, then 16 bytes.
#[inline(always)]
pub(super) fn q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let [d, m] = [0, 2].map(|at| F32x4::splat(half_at(block, at)));
    nibbles(bytes_at(block, 4), out, |q| d.mul(q).add(m));
}

/// d, the fifth bits, then 16 bytes.
#[inline(always)]
pub(super) fn q5_0(block: &[u8; 22], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * (f32::from(five_bits(&block[2..], at)) - 16.0);
    }
}

/// d, m, the fifth bits, then 16 bytes.
#[inline(always)]
pub(super) fn q5_1(block: &[u8; 24], out: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * f32::from(five_bits(&block[4..], at)) + m;
    }
}

#[inline(always)]
fn nibbles(bytes: U8x16, out: &mut [f32; 32], number: impl Fn(F32x4) -> F32x4) {
    let halves = [bytes.and(15), bytes.shr(4)];
    for (half, out) in halves.into_iter().zip(out.as_chunks_mut::<16>().0) {
        write(half.unsigned(), out, &number);
    }
}

#[inline(always)]
fn four_bits(bytes: &[u8], at: usize) -> u8 {
    bytes[at % 16] >> (at / 16 * 4) & 15
}

/// The fifth bit of number i is bit i of the first four bytes.
#[inline(always)]
fn five_bits(bytes: &[u8], at: usize) -> u8 {
    let fifth = bytes[at / 8] >> (at % 8) & 1;
    four_bits(&bytes[4..], at) | fifth << 4
}
