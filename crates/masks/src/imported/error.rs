//! Why a tensor is neither a mask nor a bias.

use crate::Axis;
use crate::rule::MOST_CELLS;

/// Why a tensor is neither a mask nor a bias.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum ImportError {
    /// The shape has no axes, or more than four.
    #[error("shape: 1 to 4 axes can be read; this has {axes}")]
    WrongRank {
        /// How many axes it has.
        axes: usize,
    },
    /// The shape holds another count of numbers.
    #[error("shape: it holds {wanted} numbers, but there are {numbers}")]
    NumbersDoNotFill {
        /// How many the shape holds.
        wanted: usize,
        /// How many there are.
        numbers: usize,
    },
    /// An axis is longer or shorter than that of the scores.
    #[error("{axis}: {found}, but the map has {wanted}")]
    WrongLength {
        /// Which axis.
        axis: Axis,
        /// Its length in what is imported.
        found: usize,
        /// Its length in the scores.
        wanted: usize,
    },
    /// A number is not a number, +∞, or larger than 32 bits hold.
    #[error("number {index}: {value} can neither be added nor hide")]
    NotReadable {
        /// Its place, row-major.
        index: usize,
        /// The number.
        value: f64,
    },
    /// The mask would have more than [`MOST_CELLS`].
    #[error("{cells} cells are more than {MOST_CELLS}")]
    TooManyCells {
        /// How many.
        cells: usize,
    },
}
