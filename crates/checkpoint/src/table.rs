//! Tables from the tensors of a model to those of a file, one for each way in which a family is stored.

pub(crate) mod gguf;
pub(crate) mod hugging_face;

use crate::Outputs;

/// One line: `{}` stands for the layer in both names.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// The model's tensor.
    pub(crate) ours: &'static str,
    /// The file's. Names that begin with `/` stand outside of the file's common prefix.
    pub(crate) theirs: &'static str,
    pub(crate) how: How,
}

/// What is done to a file's tensor.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum How {
    /// Nothing.
    AsItIs,
    /// Rows become columns.
    Transposed,
    /// 1 is added.
    PlusOne,
    /// A third of the columns.
    Columns(usize),
    /// A third of the rows.
    Rows(usize),
    /// A third of the rows of every head.
    RowsOfHeads(usize),
    /// Rows whose rotary pairs are neighbours.
    Neighbours,
}

impl How {
    /// Whether the file has `[out, in]`, and which of its features are taken. A vector has no rows to turn.
    pub(crate) const fn places(self, d_k: usize) -> (bool, Outputs) {
        match self {
            Self::AsItIs | Self::PlusOne => (false, Outputs::All),
            Self::Transposed => (true, Outputs::All),
            Self::Columns(part) => (false, Outputs::Part(part)),
            Self::Rows(part) => (true, Outputs::Part(part)),
            Self::RowsOfHeads(part) => (true, Outputs::PartOfHeads { part, d_k }),
            Self::Neighbours => (true, Outputs::Neighbours { d_k }),
        }
    }
}

/// A whole table.
pub(crate) struct Table {
    /// Beginnings that the file's names may have, the longest first.
    pub(crate) prefixes: &'static [&'static str],
    /// The lines. Where two have the same tensor of the model, the first counts whose tensor the file has.
    pub(crate) rows: &'static [&'static [Row]],
    /// What else such files hold and a model does without.
    pub(crate) passed_over: &'static [&'static str],
}

pub(crate) const fn row(ours: &'static str, theirs: &'static str, how: How) -> Row {
    Row { ours, theirs, how }
}
