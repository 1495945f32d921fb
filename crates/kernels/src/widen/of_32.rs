//! Blocks of 32 numbers. Number i of the first 16 is in the low half of a byte, number i + 16 in its high half.

use super::half_at;

/// What q stands for in IQ4_NL.
const TABLE: [i8; 16] = [
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
];

/// d, then a byte each.
#[inline(always)]
pub(super) fn q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (out, q) in out.iter_mut().zip(&block[2..]) {
        *out = d * f32::from(*q as i8);
    }
}

/// d, then 16 bytes.
#[inline(always)]
pub(super) fn q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    nibbles(&block[2..], out, |_, q| d * (f32::from(q) - 8.0));
}

/// d, then 16 bytes.
#[inline(always)]
pub(super) fn iq4_nl(block: &[u8; 18], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    nibbles(&block[2..], out, |_, q| {
        d * f32::from(TABLE[usize::from(q)])
    });
}

/// d, m, then 16 bytes.
#[inline(always)]
pub(super) fn q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    nibbles(&block[4..], out, |_, q| d * f32::from(q) + m);
}

/// d, the fifth bits, then 16 bytes.
#[inline(always)]
pub(super) fn q5_0(block: &[u8; 22], out: &mut [f32; 32]) {
    let (d, fifths) = (half_at(block, 0), fifths(&block[2..]));
    nibbles(&block[6..], out, |at, q| {
        d * (f32::from(q | fifth(fifths, at)) - 16.0)
    });
}

/// d, m, the fifth bits, then 16 bytes.
#[inline(always)]
pub(super) fn q5_1(block: &[u8; 24], out: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    let fifths = fifths(&block[4..]);
    nibbles(&block[8..], out, |at, q| {
        d * f32::from(q | fifth(fifths, at)) + m
    });
}

/// The halves of 16 bytes, each with its place. Two plain loops, which compilers vectorise.
#[inline(always)]
fn nibbles(bytes: &[u8], out: &mut [f32; 32], number: impl Fn(usize, u8) -> f32) {
    let (low, high) = out.split_at_mut(16);
    for (at, (out, byte)) in low.iter_mut().zip(bytes).enumerate() {
        *out = number(at, byte & 15);
    }
    for (at, (out, byte)) in high.iter_mut().zip(bytes).enumerate() {
        *out = number(16 + at, byte >> 4);
    }
}

/// The fifth bit of number i is bit i of the first four bytes.
#[inline(always)]
fn fifths(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

#[inline(always)]
fn fifth(fifths: u32, at: usize) -> u8 {
    ((fifths >> at & 1) as u8) << 4
}
