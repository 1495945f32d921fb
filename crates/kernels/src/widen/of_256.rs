//! Blocks of 256 numbers, in groups of 16 or 32 that have scales of their own.
//!
//! Low bits of a number lie in runs of bytes that several groups share: the first group of a run has the lowest bits of its bytes, the next
//! one those above. Sixteen numbers are read at a time: all of a group of 16, or half of one of 32.

use super::{bytes_at, half_at, write};
use crate::simd::{F32x4, U8x16};

/// 16 scales of 4 bits with 16 of 4 bits above them, 64 bytes, d, m.
#[inline(always)]
pub(super) fn q2(block: &[u8; 84], out: &mut [f32; 256]) {
    let (d, m) = (half_at(block, 80), half_at(block, 82));
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let scale = block[group];
        let step = F32x4::splat(d * f32::from(scale & 15));
        let base = F32x4::splat(m * f32::from(scale >> 4));
        let q = two_bits(block, 16, 16 * group);
        write(q.unsigned(), out, |q| step.mul(q).sub(base));
    }
}

/// The third bits, 64 bytes, 16 scales of 6 bits, d.
#[inline(always)]
pub(super) fn q3(block: &[u8; 110], out: &mut [f32; 256]) {
    let (d, zero) = (half_at(block, 108), F32x4::splat(4.0));
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let scale = f32::from(scale_of_q3(&block[96..], group));
        let step = F32x4::splat(d * (scale - 32.0));
        let third = one_bit(block, 0, 16 * group).shl(2);
        let q = two_bits(block, 32, 16 * group).or(third);
        write(q.unsigned(), out, |q| step.mul(q.sub(zero)));
    }
}

/// d, m, 8 scales of 6 bits twice, 128 bytes.
#[inline(always)]
pub(super) fn q4(block: &[u8; 144], out: &mut [f32; 256]) {
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let [step, base] = scales_of_q4(block, group / 2);
        let q = four_bits(block, 16, 32, 16 * group);
        write(q.unsigned(), out, |q| step.mul(q).sub(base));
    }
}

/// d, m, 8 scales of 6 bits twice, the fifth bits, 128 bytes.
#[inline(always)]
pub(super) fn q5(block: &[u8; 176], out: &mut [f32; 256]) {
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let [step, base] = scales_of_q4(block, group / 2);
        let fifth = one_bit(block, 16, 16 * group).shl(4);
        let q = four_bits(block, 48, 32, 16 * group).or(fifth);
        write(q.unsigned(), out, |q| step.mul(q).sub(base));
    }
}

/// 128 bytes, 64 bytes of fifth and sixth bits, 16 scales of 8 bits, d.
#[inline(always)]
pub(super) fn q6(block: &[u8; 210], out: &mut [f32; 256]) {
    let (d, zero) = (half_at(block, 208), F32x4::splat(32.0));
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let step = F32x4::splat(d * f32::from(block[192 + group] as i8));
        let high = two_bits(block, 128, 16 * group).shl(4);
        let q = four_bits(block, 0, 64, 16 * group).or(high);
        write(q.unsigned(), out, |q| step.mul(q.sub(zero)));
    }
}

/// Those of the numbers from `at` on, eight in a byte, in one run of 32 bytes from `first` on.
#[inline(always)]
fn one_bit(block: &[u8], first: usize, at: usize) -> U8x16 {
    bytes_at(block, first + at % 32)
        .shr((at / 32) as u32)
        .and(1)
}

/// Four in a byte, in runs of 32 bytes.
#[inline(always)]
fn two_bits(block: &[u8], first: usize, at: usize) -> U8x16 {
    let bytes = bytes_at(block, first + at / 128 * 32 + at % 32);
    bytes.shr((at / 32 % 4 * 2) as u32).and(3)
}

/// Two in a byte, in runs of `run` bytes.
#[inline(always)]
fn four_bits(block: &[u8], first: usize, run: usize, at: usize) -> U8x16 {
    let bytes = bytes_at(block, first + at / (2 * run) * run + at % run);
    bytes.shr((at / run % 2 * 4) as u32).and(15)
}

/// Eight bytes with the low four bits of two scales each, then four with the high two bits of four.
#[inline(always)]
fn scale_of_q3(bytes: &[u8], group: usize) -> u8 {
    let low = bytes[group % 8] >> (group / 8 * 4) & 15;
    let high = bytes[8 + group % 4] >> (group / 4 * 2) & 3;
    low | high << 4
}

/// d · s and m · n of a group. The first four of s and n each have the low six bits of a byte; the last four have the halves of the last four
/// bytes, below the two bits that those leave.
#[inline(always)]
fn scales_of_q4<const B: usize>(block: &[u8; B], group: usize) -> [F32x4; 2] {
    let bytes = &block[4..16];
    let (first, second) = (bytes[group % 4], bytes[4 + group % 4]);
    let scales = if group < 4 {
        [first & 63, second & 63]
    } else {
        let both = bytes[4 + group];
        [both & 15 | first >> 6 << 4, both >> 4 | second >> 6 << 4]
    };
    let [s, n] = scales.map(f32::from);
    [half_at(block, 0) * s, half_at(block, 2) * n].map(F32x4::splat)
}
