//! Blocks: how ggml stores the numbers of a tensor.
//!
//! A row is a whole number of blocks; each holds as many numbers as its [type](BlockType::length) says, as a few scales and small whole
//! numbers q. With the scales d and m of the block (16-bit floats), and the whole-numbered scales s and n of a group in it:
//!
//! | type | numbers, bytes | number |
//! |---|---|---|
//! | F32, F16, BF16 | 1, 4 or 2 | as stored |
//! | Q4_0, Q5_0 | 32, 18 or 22 | d · (q − 8), d · (q − 16) |
//! | Q4_1, Q5_1 | 32, 20 or 24 | d · q + m |
//! | Q8_0 | 32, 34 | d · q |
//! | IQ4_NL | 32, 18 | d · t(q), t a table of 16 |
//! | Q2_K | 256, 84 | (d · s) · q − (m · n), groups of 16 |
//! | Q3_K | 256, 110 | (d · (s − 32)) · (q − 4), groups of 16 |
//! | Q4_K, Q5_K | 256, 144 or 176 | (d · s) · q − (m · n), groups of 32 |
//! | Q6_K | 256, 210 | (d · s) · (q − 32), groups of 16 |
//!
//! Every product is exact in 32 bits: d has 11 significant bits, s at most 7 and q at most 5, 23 together. So only the sums are rounded, once,
//! and neither the order of the products nor a fused multiply-add changes a number.
//!
//! Source: the definitions of ggml, as `gguf.quants` of the package `gguf` 0.19.0 has them; results are equal to its `dequantize` bit for bit,
//! but for the bits of NaN.

use kernels::widen;

use BlockType::{
    BF16, F16, F32, IQ4_NL, Q2_K, Q3_K, Q4_0, Q4_1, Q4_K, Q5_0, Q5_1, Q5_K, Q6_K, Q8_0,
};

/// A type of blocks that [`dequantize`] reads, by its name in ggml.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(non_camel_case_types, reason = "the names are ggml's")]
#[expect(missing_docs, reason = "the table above describes all of them")]
pub enum BlockType {
    F32,
    F16,
    BF16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ4_NL,
}

impl BlockType {
    /// Every type.
    pub const ALL: [Self; 14] = [
        F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_NL,
    ];

    /// The number of the type in GGUF (`ggml_type`), its name, and how many numbers and bytes a block has.
    const fn row(self) -> (u32, &'static str, usize, usize) {
        match self {
            F32 => (0, "F32", 1, 4),
            F16 => (1, "F16", 1, 2),
            Q4_0 => (2, "Q4_0", 32, 18),
            Q4_1 => (3, "Q4_1", 32, 20),
            Q5_0 => (6, "Q5_0", 32, 22),
            Q5_1 => (7, "Q5_1", 32, 24),
            Q8_0 => (8, "Q8_0", 32, 34),
            Q2_K => (10, "Q2_K", 256, 84),
            Q3_K => (11, "Q3_K", 256, 110),
            Q4_K => (12, "Q4_K", 256, 144),
            Q5_K => (13, "Q5_K", 256, 176),
            Q6_K => (14, "Q6_K", 256, 210),
            IQ4_NL => (20, "IQ4_NL", 32, 18),
            BF16 => (30, "BF16", 1, 2),
        }
    }

    /// Its number in GGUF.
    pub const fn id(self) -> u32 {
        self.row().0
    }

    /// Its name, such as `Q4_0`.
    pub const fn name(self) -> &'static str {
        self.row().1
    }

    /// Numbers of a block, at least 1.
    pub const fn length(self) -> usize {
        self.row().2
    }

    /// Bytes of a block, at least 2.
    pub const fn bytes(self) -> usize {
        self.row().3
    }

    /// The type with this number in GGUF; `None` for a number that is unknown or whose blocks are not read.
    pub fn from_id(id: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

/// The blocks do not hold as many numbers as there is room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} of {bytes} bytes: {} bytes hold {} numbers; got room for {numbers}", kind.name(), kind.bytes(), kind.length())]
pub struct BlockError {
    /// The type of the blocks.
    pub kind: BlockType,
    /// Their bytes.
    pub bytes: usize,
    /// The room there is for numbers.
    pub numbers: usize,
}

/// Writes the numbers of whole blocks into `out`: `bytes` has n · [`BlockType::bytes`] bytes, `out` n · [`BlockType::length`] numbers. n may
/// be 0. A scale that is infinite or NaN gives numbers that are.
///
/// # Errors
/// [`BlockError`] where the two lengths differ from that; `out` is then as it was.
pub fn dequantize(kind: BlockType, bytes: &[u8], out: &mut [f32]) -> Result<(), BlockError> {
    let blocks = bytes.len() / kind.bytes();
    if !bytes.len().is_multiple_of(kind.bytes())
        || blocks.checked_mul(kind.length()) != Some(out.len())
    {
        return Err(BlockError {
            kind,
            bytes: bytes.len(),
            numbers: out.len(),
        });
    }
    let widen = match kind {
        F32 => widen::f32,
        F16 => widen::f16,
        BF16 => widen::bf16,
        Q8_0 => widen::q8_0,
        Q4_0 => widen::q4_0,
        Q4_1 => widen::q4_1,
        Q5_0 => widen::q5_0,
        Q5_1 => widen::q5_1,
        IQ4_NL => widen::iq4_nl,
        Q2_K => widen::q2_k,
        Q3_K => widen::q3_k,
        Q4_K => widen::q4_k,
        Q5_K => widen::q5_k,
        Q6_K => widen::q6_k,
    };
    widen(bytes, out);
    Ok(())
}
