//! Reproducible random numbers: one seed, many independent streams.
//!
//! ChaCha with eight rounds gives the same words on every platform. Each vector has its own stream, so a longer vector begins
//! with the shorter one and a new head leaves the others unchanged. Only exactly rounded operations turn words into numbers.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// Purpose of a family of streams; streams of different kinds are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StreamKind {
    /// Embeddings of words.
    Embedding = 1,
    /// Codes of words in hand-built heads.
    Code = 2,
    /// Columns of W_Q.
    Query = 3,
    /// Columns of W_K.
    Key = 4,
    /// Columns of W_V.
    Value = 5,
    /// Columns of W_O.
    Output = 6,
    /// Vectors of additive scores.
    Additive = 7,
    /// Linformer's projection of keys.
    ShortKeys = 8,
    /// Linformer's projection of values.
    ShortValues = 9,
    /// First weights of a model.
    Model = 10,
    /// Examples of a task.
    Examples = 11,
    /// First codes of words in a fit.
    FitWord = 12,
    /// First codes of positions in a fit.
    FitPosition = 13,
    /// First projections of a fit.
    FitProjection = 14,
    /// Tokens that a model draws.
    Sampling = 15,
}

/// Endless numbers, uniform in `-1 ≤ x < 1` in steps of 2⁻²³.
pub struct Uniform(ChaCha8Rng);

impl Uniform {
    /// Stream `stream` of a seed.
    pub fn new(seed: u32, kind: StreamKind, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&seed.to_le_bytes());
        key[4] = kind as u8;
        let mut source = ChaCha8Rng::from_seed(key);
        source.set_stream(stream);
        Self(source)
    }
}

impl Iterator for Uniform {
    type Item = f32;

    /// 24 random bits, read as a signed number, fit a 32-bit float without rounding.
    fn next(&mut self) -> Option<f32> {
        let bits = (self.0.next_u32() >> 8) as f32;
        Some(bits / 8_388_608.0 - 1.0)
    }
}

/// Endless choices.
pub struct Choice(ChaCha8Rng);

impl Choice {
    /// Stream `stream` of a seed.
    pub fn new(seed: u32, kind: StreamKind, stream: u64) -> Self {
        Self(Uniform::new(seed, kind, stream).0)
    }

    /// A whole number below `count`, which is above 0: 32 random bits are scaled, so all are equally likely but for `count/2³²`.
    pub fn below(&mut self, count: usize) -> usize {
        ((u64::from(self.0.next_u32()) * count as u64) >> 32) as usize
    }

    /// One of several.
    pub fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts items in a random order (Fisher and Yates 1938).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A number for a word that is the same in every program and version.
///
/// FNV-1a with 64 bits over the UTF-8 bytes (Fowler, Noll, Vo; RFC 9923).
pub fn stable_hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published test vectors of FNV-1a, 64 bits.
    #[test]
    fn hash_matches_the_published_vectors() {
        assert_eq!(stable_hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(stable_hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(stable_hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn numbers_fill_the_interval_evenly() {
        let numbers: Vec<f32> = Uniform::new(7, StreamKind::Query, 3).take(20_000).collect();
        assert!(numbers.iter().all(|x| (-1.0..1.0).contains(x)));
        let mean = numbers.iter().sum::<f32>() / 20_000.0;
        let square = numbers.iter().map(|x| x * x).sum::<f32>() / 20_000.0;
        assert!(mean.abs() < 0.02, "mean {mean}");
        assert!((square - 1.0 / 3.0).abs() < 0.01, "mean square {square}");
    }

    #[test]
    fn seeds_kinds_and_streams_differ() {
        let first = |seed, kind, stream| Uniform::new(seed, kind, stream).next();
        let base = first(1, StreamKind::Key, 2);
        assert_eq!(base, first(1, StreamKind::Key, 2));
        assert_ne!(base, first(2, StreamKind::Key, 2));
        assert_ne!(base, first(1, StreamKind::Value, 2));
        assert_ne!(base, first(1, StreamKind::Key, 3));
    }
}
