//! Blocks of 256 numbers, in groups of 16 or 32 that have scales of their own.
//!
//! Low bits of a number lie in runs of bytes that several groups share: the first group of a run has the lowest bits of its bytes, the next
//! one those above.

use super::half_at;

/// 16 scales of 4 bits with 16 of 4 bits above them, 64 bytes, d, m.
#[inline(always)]
pub(super) fn q2(block: &[u8; 84], out: &mut [f32; 256]) {
    let (d, m) = (half_at(block, 80), half_at(block, 82));
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let scale = block[group];
        let (step, base) = (d * f32::from(scale & 15), m * f32::from(scale >> 4));
        for (at, out) in out.iter_mut().enumerate() {
            *out = step * f32::from(two_bits(&block[16..], 16 * group + at)) - base;
        }
    }
}

/// The third bits, 64 bytes, 16 scales of 6 bits, d.
#[inline(always)]
pub(super) fn q3(block: &[u8; 110], out: &mut [f32; 256]) {
    let d = half_at(block, 108);
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let step = d * (f32::from(scale_of_q3(&block[96..], group)) - 32.0);
        for (at, out) in out.iter_mut().enumerate() {
            let at = 16 * group + at;
            let q = two_bits(&block[32..], at) | one_bit(block, at) << 2;
            *out = step * (f32::from(q) - 4.0);
        }
    }
}

/// d, m, 8 scales of 6 bits twice, 128 bytes.
#[inline(always)]
pub(super) fn q4(block: &[u8; 144], out: &mut [f32; 256]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (group, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (scale, least) = scales_of_q4(&block[4..], group);
        let (step, base) = (d * f32::from(scale), m * f32::from(least));
        for (at, out) in out.iter_mut().enumerate() {
            *out = step * f32::from(four_bits(&block[16..], 32, 32 * group + at)) - base;
        }
    }
}

/// d, m, 8 scales of 6 bits twice, the fifth bits, 128 bytes.
#[inline(always)]
pub(super) fn q5(block: &[u8; 176], out: &mut [f32; 256]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (group, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (scale, least) = scales_of_q4(&block[4..], group);
        let (step, base) = (d * f32::from(scale), m * f32::from(least));
        for (at, out) in out.iter_mut().enumerate() {
            let at = 32 * group + at;
            let q = four_bits(&block[48..], 32, at) | one_bit(&block[16..], at) << 4;
            *out = step * f32::from(q) - base;
        }
    }
}

/// 128 bytes, 64 bytes of fifth and sixth bits, 16 scales of 8 bits, d.
#[inline(always)]
pub(super) fn q6(block: &[u8; 210], out: &mut [f32; 256]) {
    let d = half_at(block, 208);
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let step = d * f32::from(block[192 + group] as i8);
        for (at, out) in out.iter_mut().enumerate() {
            let at = 16 * group + at;
            let q = four_bits(block, 64, at) | two_bits(&block[128..], at) << 4;
            *out = step * (f32::from(q) - 32.0);
        }
    }
}

/// Eight in a byte, in one run of 32 bytes.
#[inline(always)]
fn one_bit(bytes: &[u8], at: usize) -> u8 {
    bytes[at % 32] >> (at / 32) & 1
}

/// Four in a byte, in runs of 32 bytes.
#[inline(always)]
fn two_bits(bytes: &[u8], at: usize) -> u8 {
    bytes[at / 128 * 32 + at % 32] >> (at / 32 % 4 * 2) & 3
}

/// Two in a byte, in runs of `run` bytes.
#[inline(always)]
fn four_bits(bytes: &[u8], run: usize, at: usize) -> u8 {
    bytes[at / (2 * run) * run + at % run] >> (at / run % 2 * 4) & 15
}

/// Eight bytes with the low four bits of two scales each, then four with the high two bits of four.
#[inline(always)]
fn scale_of_q3(bytes: &[u8], group: usize) -> u8 {
    let low = bytes[group % 8] >> (group / 8 * 4) & 15;
    let high = bytes[8 + group % 4] >> (group / 4 * 2) & 3;
    low | high << 4
}

/// The scale and the offset's scale of a group. The first four of each have the low six bits of a byte; the last four have the halves of the
/// last four bytes, below the two bits that those leave.
#[inline(always)]
fn scales_of_q4(bytes: &[u8], group: usize) -> (u8, u8) {
    let (first, second) = (bytes[group % 4], bytes[4 + group % 4]);
    if group < 4 {
        return (first & 63, second & 63);
    }
    let both = bytes[4 + group];
    (both & 15 | first >> 6 << 4, both >> 4 | second >> 6 << 4)
}
