//! The numbers of a model: all in 32 bits, or where they are stored, widened line by line when they are needed.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use attention::{Code, Error};

use crate::layout::Slot;

/// Numbers that stay as they are stored, for [`Model::stored`](crate::Model::stored).
///
/// A tensor is named by its place among those of [`ModelConfig::tensors`](crate::ModelConfig::tensors), and given in lines. A line of a
/// linear map `[in, out]`, the unembedding among them, is one of its columns, `[in]`: what one of its outputs is made with. A line of the
/// tables `tokens`, `positions` and `token_types` is a row, `[d_model]`. A vector is one line.
pub trait StoredNumbers: Debug + Send + Sync {
    /// Writes some lines of a tensor one after the other, `[which, line]`. All numbers are finite.
    fn lines(&self, tensor: usize, which: Range<usize>, out: &mut [f32]);

    /// The blocks that lines of a tensor consist of, each of whole ones, where they can be had as they are stored.
    fn blocks(&self, tensor: usize) -> Option<Blocks> {
        let _ = tensor;
        None
    }

    /// Adds the bytes of some lines of such a tensor.
    fn line_bytes(&self, tensor: usize, which: Range<usize>, out: &mut Vec<u8>) {
        let _ = (tensor, which, out);
    }
}

/// Blocks of ggml, which an executor may widen itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// The number of their type in GGUF (`ggml_type`).
    pub id: u32,
    /// Numbers of a block.
    pub length: usize,
    /// Bytes of a block.
    pub bytes: usize,
}

/// Numbers that several models may share.
#[derive(Debug, Clone)]
pub(crate) enum Numbers {
    /// Tensor by tensor, in the order of the layout.
    Widened(Arc<Vec<f32>>),
    Stored(Arc<dyn StoredNumbers>),
}

impl Numbers {
    pub(crate) fn widened(numbers: Vec<f32>) -> Self {
        Self::Widened(Arc::new(numbers))
    }

    /// All of them.
    pub(crate) fn all(&self) -> Result<&[f32], Error> {
        match self {
            Self::Widened(numbers) => Ok(numbers),
            Self::Stored(_) => {
                let rule = "this needs all numbers in 32 bits; a model of stored ones only infers";
                Err(Error::new(Code::NotApplicable, "model", "stored", rule))
            }
        }
    }

    /// Rows of a table.
    pub(crate) fn rows(&self, table: Slot, which: Range<usize>, out: &mut [f32]) {
        match self {
            Self::Widened(numbers) => {
                let (all, width) = (table.of(numbers), table.columns);
                out.copy_from_slice(&all[which.start * width..which.end * width]);
            }
            Self::Stored(numbers) => numbers.lines(table.tensor, which, out),
        }
    }

    /// Columns of a linear map, one after the other: `[which, in]`.
    pub(crate) fn outputs(&self, map: Slot, which: Range<usize>, out: &mut [f32]) {
        match self {
            Self::Widened(numbers) => {
                let rows = map.of(numbers).chunks_exact(map.columns);
                for (input, row) in rows.enumerate() {
                    for (at, number) in row[which.clone()].iter().enumerate() {
                        out[at * map.rows + input] = *number;
                    }
                }
            }
            Self::Stored(numbers) => numbers.lines(map.tensor, which, out),
        }
    }

    /// A vector.
    pub(crate) fn vector(&self, slot: Slot) -> Vec<f32> {
        let mut line = vec![0.0; slot.columns];
        self.rows(slot, 0..1, &mut line);
        line
    }
}
