//! Tensors of a checkpoint as they are stored: where each lies in its file, and what its bytes are.

use std::ops::Range;

use crate::blocks::BlockType;

/// A tensor in a file, without its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTensor {
    /// Its name, as the file has it; [sanitize](crate::sanitize()) it before it is shown.
    pub name: String,
    /// How its numbers are stored.
    pub stored: StoredType,
    /// Lengths of its axes, the last one fastest (row-major). A single number has none.
    pub shape: Vec<usize>,
    /// Its bytes, counted from the beginning of the file. They lie in the file, and in no other tensor's.
    pub span: Range<u64>,
}

/// How the numbers of a tensor are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredType {
    /// Blocks that [`dequantize`](crate::blocks::dequantize()) widens.
    Blocks(BlockType),
    /// Numbers of another type, by the name that the format has for it: whole numbers, 64-bit floats, truth values.
    Other(&'static str),
}

impl StoredType {
    /// The name that the format has for it, such as `Q4_1` or `I64`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blocks(kind) => kind.name(),
            Self::Other(name) => name,
        }
    }
}

/// What the beginning of a file gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed<T> {
    /// All that was looked for.
    Whole(T),
    /// Not enough: at least so many bytes from the beginning of the file are needed, no more than it has. It can take several tries, since
    /// lengths follow each other; a caller that doubles what it reads each time parses no byte more than twice on average.
    More(u64),
}
