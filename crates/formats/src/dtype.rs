//! Number types in files, and their conversion to 32-bit floats.

use crate::error::{FormatError, FormatRule};
use kernels::widen::half;

/// A type of numbers in a binary file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    F16,
    BF16,
    F32,
    F64,
    /// So many bytes.
    Signed(usize),
    Unsigned(usize),
    Bool,
}

impl Type {
    /// Bytes of one number.
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::F16 | Self::BF16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
            Self::Signed(size) | Self::Unsigned(size) => size,
        }
    }

    /// One number, its lowest byte first. Wider than 32 bit it is rounded once.
    pub(crate) fn value(self, bytes: [u8; 8]) -> f64 {
        let bits = u64::from_le_bytes(bytes);
        match self {
            Self::F16 => f64::from(half(bits as u16)),
            Self::BF16 => f64::from(f32::from_bits((bits as u32) << 16)),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
            Self::Signed(size) => signed(bits, size) as f64,
            Self::Unsigned(_) => bits as f64,
            Self::Bool => f64::from(u8::from(bits != 0)),
        }
    }

    /// One whole number, its lowest byte first; `None` for other types.
    pub(crate) fn whole(self, bytes: [u8; 8]) -> Option<i128> {
        let bits = u64::from_le_bytes(bytes);
        match self {
            Self::Signed(size) => Some(signed(bits, size).into()),
            Self::Unsigned(_) => Some(bits.into()),
            Self::F16 | Self::BF16 | Self::F32 | Self::F64 | Self::Bool => None,
        }
    }
}

/// The number in two's complement of `size` bytes.
fn signed(bits: u64, size: usize) -> i64 {
    let unused = 64 - 8 * size as u32;
    (bits << unused) as i64 >> unused
}

/// The numbers in `bytes`, whose length is a whole number of them.
///
/// # Errors
/// [`FormatRule::NotFinite`] for infinities and [`FormatRule::BeyondRange`], by the number's place in a tensor of `shape`.
pub(crate) fn decode(
    name: &str,
    shape: &[usize],
    bytes: &[u8],
    kind: Type,
) -> Result<Vec<f32>, FormatError> {
    let one = |(at, bytes): (usize, &[u8])| {
        let value = kind.value(low_first(bytes));
        narrow(value).map_err(|rule| FormatError::of_element(name, shape, at, value, rule))
    };
    bytes
        .chunks_exact(kind.size())
        .enumerate()
        .map(one)
        .collect()
}

/// The numbers in `bytes` as they are, infinities among them.
pub(crate) fn stored(bytes: &[u8], kind: Type) -> Vec<f64> {
    bytes
        .chunks_exact(kind.size())
        .map(|bytes| kind.value(low_first(bytes)))
        .collect()
}

/// The bytes of a number, filled up to eight.
fn low_first(bytes: &[u8]) -> [u8; 8] {
    let mut filled = [0; 8];
    filled[..bytes.len()].copy_from_slice(bytes);
    filled
}

/// Numbers of 32 bit, each with its lowest byte first.
pub(crate) fn encode(values: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0; 4 * values.len()];
    for (bytes, value) in bytes.chunks_exact_mut(4).zip(values) {
        bytes.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// A number as 32 bit. NaN is left to [`crate::nan_rows`].
pub(crate) fn narrow(value: f64) -> Result<f32, FormatRule> {
    let narrow = value as f32;
    match (!value.is_infinite(), !narrow.is_infinite()) {
        (false, _) => Err(FormatRule::NotFinite),
        (true, false) => Err(FormatRule::BeyondRange),
        (true, true) => Ok(narrow),
    }
}

/// Parses decimal digits, rounded once. Words for NaN and infinity are handled elsewhere.
pub(crate) fn parse(digits: &str) -> Result<f32, FormatRule> {
    let value: f32 = digits.parse().map_err(|_| FormatRule::NotNumber)?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(FormatRule::BeyondRange)
    }
}
