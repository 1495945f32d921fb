//! Blocks of 32 numbers. Number i of the first 16 is in the low half of a byte, number i + 16 in its high half.

use super::half_at;

/// What q stands for in IQ4_NL.
const TABLE: [i8; 16] = [
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
];

/// d, then a byte each.
pub(super) fn q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (out, q) in out.iter_mut().zip(&block[2..]) {
        *out = d * f32::from(*q as i8);
    }
}

/// d, then 16 bytes.
pub(super) fn q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * (f32::from(four_bits(&block[2..], at)) - 8.0);
    }
}

/// d, then 16 bytes.
pub(super) fn iq4_nl(block: &[u8; 18], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * f32::from(TABLE[usize::from(four_bits(&block[2..], at))]);
    }
}

/// d, m, then 16 bytes.
pub(super) fn q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * f32::from(four_bits(&block[4..], at)) + m;
    }
}

/// d, the fifth bits, then 16 bytes.
pub(super) fn q5_0(block: &[u8; 22], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * (f32::from(five_bits(&block[2..], at)) - 16.0);
    }
}

/// d, m, the fifth bits, then 16 bytes.
pub(super) fn q5_1(block: &[u8; 24], out: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (at, out) in out.iter_mut().enumerate() {
        *out = d * f32::from(five_bits(&block[4..], at)) + m;
    }
}

fn four_bits(bytes: &[u8], at: usize) -> u8 {
    bytes[at % 16] >> (at / 16 * 4) & 15
}

/// The fifth bit of number i is bit i of the first four bytes.
fn five_bits(bytes: &[u8], at: usize) -> u8 {
    let fifth = bytes[at / 8] >> (at % 8) & 1;
    four_bits(&bytes[4..], at) | fifth << 4
}
