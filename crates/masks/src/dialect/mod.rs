//! Programs that compute attention with a mask, each in one library's own way and as short as is right.
//!
//! What is right was measured, not read: libraries align `causal` at the start (PyTorch, JAX, Keras, ONNX) or at the end (flash-attention, MLX),
//! count windows with or without the query's own key, let `True` show or hide, and give rows without a visible key zeros, the mean of what is
//! hidden, or NaN. So a flag is written only where it shows the same cells, never beside another mask; other masks are written out,
//! as booleans wherever the library takes these; and rows without a key are set to 0 where the library would not.
//!
//! A program takes `q`, `k` and `v` in the layout that its first comment names and leaves `out` and, unless [`Note::NoWeights`] says otherwise,
//! `weights`, `[batch, heads, n, m]`. `keras.layers.MultiHeadAttention` is given as `layer`, `torch.nn.MultiheadAttention` as `attention`, a model
//! of transformers as `model`.

wasm_chunks::chunk!("code");

mod arrays;
pub(crate) mod cells;
mod jax;
mod numpy;
mod torch;
mod writer;

use std::fmt;

use ndarray::Array4;

use crate::rule::{Align, MaskError, Rule};
use crate::{Axes, Axis};
use cells::Cells;
pub use cells::MOST_RUNS;

/// A library, or a part of one that has a mask of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Library {
    /// NumPy, with the softmax written out.
    NumPy,
    /// `torch.nn.functional.scaled_dot_product_attention`.
    TorchSdpa,
    /// `torch.nn.MultiheadAttention`.
    TorchMultihead,
    /// `torch.nn.attention.flex_attention`.
    FlexAttention,
    /// A model of Hugging Face transformers with a mask of four axes.
    Transformers,
    /// `flash_attn`.
    FlashAttention,
    /// `keras.layers.MultiHeadAttention`.
    Keras,
    /// `jax.nn.dot_product_attention`.
    Jax,
    /// ONNX's operator `Attention`, by its reference evaluator.
    Onnx,
    /// `mlx.core.fast.scaled_dot_product_attention`.
    Mlx,
}

impl Library {
    /// Every library, in the order of [`programs`].
    pub const ALL: [Self; 10] = [
        Self::NumPy,
        Self::TorchSdpa,
        Self::TorchMultihead,
        Self::FlexAttention,
        Self::Transformers,
        Self::FlashAttention,
        Self::Keras,
        Self::Jax,
        Self::Onnx,
        Self::Mlx,
    ];

    /// The version whose behaviour the program relies on.
    pub const fn version(self) -> &'static str {
        match self {
            Self::NumPy => "2.4.6",
            Self::TorchSdpa | Self::TorchMultihead | Self::FlexAttention => "2.15.0",
            Self::Transformers => "5.24.0",
            Self::FlashAttention => "2.8.3",
            Self::Keras => "3.15.1",
            Self::Jax => "0.10.2",
            Self::Onnx => "1.23.1",
            Self::Mlx => "0.32.4",
        }
    }

    /// What its causal flag compares, if it has one that can be used beside nothing else.
    const fn flag(self) -> Option<Align> {
        match self {
            Self::TorchSdpa | Self::Keras | Self::Jax | Self::Onnx => Some(Align::Start),
            Self::FlashAttention | Self::Mlx => Some(Align::End),
            Self::NumPy | Self::TorchMultihead | Self::FlexAttention | Self::Transformers => None,
        }
    }

    /// What it gives a row without a visible key, if nothing is done about it.
    const fn empty_rows(self) -> EmptyRows {
        match self {
            Self::NumPy | Self::TorchMultihead => EmptyRows::NotANumber,
            Self::TorchSdpa | Self::FlexAttention | Self::FlashAttention => EmptyRows::Zero,
            Self::Keras | Self::Onnx => EmptyRows::Zero,
            Self::Transformers | Self::Jax | Self::Mlx => EmptyRows::Mean,
        }
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NumPy => "NumPy",
            Self::TorchSdpa => "PyTorch, scaled_dot_product_attention",
            Self::TorchMultihead => "PyTorch, nn.MultiheadAttention",
            Self::FlexAttention => "PyTorch, FlexAttention",
            Self::Transformers => "Hugging Face transformers",
            Self::FlashAttention => "flash-attention",
            Self::Keras => "Keras",
            Self::Jax => "JAX",
            Self::Onnx => "ONNX",
            Self::Mlx => "MLX",
        })
    }
}

/// What a library computes in a row without a visible key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmptyRows {
    /// Zeros.
    Zero,
    /// The mean over all keys, hidden ones too.
    Mean,
    /// NaN.
    NotANumber,
}

/// What a reader of a program should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Note {
    /// The library has no call for this mask; there is no code.
    NoCall,
    /// The call returns no weights and cannot be made to.
    NoWeights,
    /// This many rows of the mask show no key; the program leaves zeros there whatever the library would.
    EmptyRows {
        /// How many rows, those of each head and batch entry that has its own counted.
        rows: usize,
        /// What the library would give.
        library: EmptyRows,
    },
    /// The library's causal flag is aligned elsewhere and means another mask here.
    FlagAlignedAt(Align),
    /// `True` hides in this library, so the mask is inverted.
    TrueHides,
    /// The mask is added as 0 and the least number: one of booleans would be added as 0 and 1 by a model loaded as the program needs it.
    AddedNumbers,
    /// The model has to be loaded with `attn_implementation="eager"`; the default returns no weights.
    LoadEager,
    /// The visible cells are listed, since there is no rule or the library's whole numbers do not do what the rule asks for.
    CellsListed,
    /// Output with weights and output alone are computed in two ways; this is the one with weights.
    TwoPaths,
}

/// A program in Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What computes it.
    pub library: Library,
    /// The code, lines that end in a line feed; `None` with [`Note::NoCall`].
    pub code: Option<String>,
    /// What a reader should know.
    pub notes: Vec<Note>,
}

/// What programs are written for.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// A rule, which is written as a condition over positions.
    Rule(&'a Rule),
    /// Cells, `[batch or 1, heads or 1, n, m]` with `true` = visible, which are listed.
    Cells(&'a Array4<bool>),
}

/// Why no program is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// The rule is no mask for these lengths.
    #[error(transparent)]
    Mask(#[from] MaskError),
    /// An axis of the cells has another length.
    #[error("{axis}: {found}, but the map has {wanted}")]
    WrongLength {
        /// Which axis.
        axis: Axis,
        /// Its length in the cells.
        found: usize,
        /// Its length in the scores.
        wanted: usize,
    },
    /// Listing the cells takes more than [`MOST_RUNS`].
    #[error("{runs} stretches of visible cells are more than {MOST_RUNS}")]
    TooManyRuns {
        /// How many stretches.
        runs: usize,
    },
}

/// A program for each of [`Library::ALL`].
///
/// # Errors
/// [`ProgramError`]: a rule or cells that do not fit the lengths, or more than can be listed.
pub fn programs(source: Source<'_>, axes: &Axes) -> Result<Vec<Program>, ProgramError> {
    let task = Task::new(source, axes)?;
    let libraries = Library::ALL.into_iter();
    libraries.map(|library| task.program(library)).collect()
}

/// The program for one library.
///
/// # Errors
/// As of [`programs`].
pub fn program(source: Source<'_>, axes: &Axes, library: Library) -> Result<Program, ProgramError> {
    Task::new(source, axes)?.program(library)
}

/// A mask that programs are written for.
struct Task<'a> {
    rule: Option<&'a Rule>,
    cells: Cells,
    axes: Axes,
}

/// Lines of code, or none where there is no call; and what is to be said of them.
struct Draft {
    lines: Option<Vec<String>>,
    notes: Vec<Note>,
}

impl Draft {
    fn new(lines: Vec<String>) -> Self {
        Self {
            lines: Some(lines),
            notes: Vec::new(),
        }
    }

    fn without_call() -> Self {
        Self {
            lines: None,
            notes: vec![Note::NoCall],
        }
    }

    fn with_all(mut self, notes: Option<Note>) -> Self {
        self.notes.extend(notes);
        self
    }

    fn with(mut self, note: Note) -> Self {
        self.notes.push(note);
        self
    }
}

impl<'a> Task<'a> {
    fn new(source: Source<'a>, axes: &Axes) -> Result<Self, ProgramError> {
        let (rule, cells) = match source {
            Source::Rule(rule) => (Some(rule), rule.cells(axes)?),
            Source::Cells(cells) => (None, cells.clone()),
        };
        Ok(Self {
            rule: rule.filter(|rule| writer::can_write(rule, axes)),
            cells: Cells::new(cells, axes)?,
            axes: *axes,
        })
    }

    fn program(&self, library: Library) -> Result<Program, ProgramError> {
        let draft = match library {
            Library::NumPy => self.numpy(),
            Library::TorchSdpa => self.torch_sdpa(),
            Library::TorchMultihead => self.torch_multihead(),
            Library::FlexAttention => self.flex_attention(),
            Library::Transformers => self.transformers(),
            Library::FlashAttention => self.flash_attention(),
            Library::Keras => self.keras(),
            Library::Jax => self.jax(),
            Library::Onnx => self.onnx(),
            Library::Mlx => self.mlx(),
        }?;
        let mut notes = draft.notes;
        notes.extend(self.note_of_flag(library));
        notes.extend(self.note_of_rows(library).filter(|_| draft.lines.is_some()));
        let end = |lines: Vec<String>| lines.join("\n") + "\n";
        Ok(Program {
            library,
            code: draft.lines.map(end),
            notes,
        })
    }

    fn note_of_rows(&self, library: Library) -> Option<Note> {
        let rows = self.cells.empty_rows();
        (rows > 0).then(|| Note::EmptyRows {
            rows,
            library: library.empty_rows(),
        })
    }

    /// What one would expect of the library's flag and not get.
    fn note_of_flag(&self, library: Library) -> Option<Note> {
        let flag = library.flag()?;
        let other = match flag {
            Align::Start => Align::End,
            Align::End => Align::Start,
        };
        let is_elsewhere = self.axes.n != self.axes.m && self.cells.is_causal(other);
        is_elsewhere.then_some(Note::FlagAlignedAt(flag))
    }

    /// Whether the library's causal flag, alone, gives this mask and no row without a key.
    fn is_flag(&self, library: Library) -> bool {
        let is_causal = library
            .flag()
            .is_some_and(|align| self.cells.is_causal(align));
        is_causal && self.cells.empty_rows() == 0
    }
}

/// How weights are had from calls that return none.
const IDENTITY: &str =
    "# The call returns no weights: they are its output where the values are the identity.";

fn line(text: &str) -> String {
    text.to_owned()
}

fn lines<const N: usize>(all: [&str; N]) -> Vec<String> {
    all.map(line).into()
}

#[cfg(test)]
mod tests;
