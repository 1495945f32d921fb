//! What an imported matrix can mean: a mask, with ones that show or that hide, or numbers that are added to the scores.
//!
//! Libraries disagree: `True` shows in PyTorch's `scaled_dot_product_attention`, JAX, Keras, ONNX and MLX, and hides in
//! `torch.nn.MultiheadAttention`; zeros and ones are a mask in Keras and are added to the scores in PyTorch and MLX. The numbers alone do
//! not tell. So [`readings`] lists all that fit, and marks one only where the others would be odd:
//!
//! | numbers | readings |
//! |---|---|
//! | booleans | `True` shows, `True` hides; none is likely, unless one looks inverted and the other does not |
//! | integers 0 and 1 | 1 shows, 1 hides; the first is likely unless it looks inverted |
//! | floats 0 and 1 | 1 shows, added to the scores (also 1 hides where 1 shows looks inverted); none is likely |
//! | zeros alone, not booleans | added without effect, which is likely; 1 shows, which hides all |
//! | zeros and numbers that [hide](HIDES_FROM) | these hide |
//! | others beside numbers that hide | these hide, the others are added |
//! | others | added to the scores |
//! | integers `[batch]` | how many keys of each batch entry are real |
//!
//! Shapes are `[n, m]`, `[1, m]`, `[m]`, `[heads, n, m]`, `[batch, n, m]`, `[batch·heads, n, m]`, `[batch, heads, n, m]` with 1 in place of any but `m`, and
//! `[batch, m]`, `[batch]`. Where two of them fit, each reading is given for both, and none is likely. Nothing is transposed.

wasm_chunks::chunk!("code");

mod error;
mod placement;
mod values;

use ndarray::Array4;

pub use error::ImportError;
pub use placement::Differs;
pub use values::{HIDES_FROM, Hidden, Kind, Why};

use crate::rule::MOST_CELLS;
use crate::{Axes, Inverted, looks_inverted};
use placement::{Placement, placements};

/// Of what kind the numbers are where they come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// Booleans, as 0 and 1; another number counts as 1.
    Bool,
    /// Whole numbers.
    Integer,
    /// Floating-point numbers, −∞ among them.
    Float,
}

/// A tensor from outside, such as a pasted matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTensor {
    /// Lengths of its axes.
    pub shape: Vec<usize>,
    /// Its numbers, row-major.
    pub data: Vec<f64>,
    /// Of what kind they are.
    pub element: Element,
}

/// One thing that a tensor can mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What its numbers mean.
    pub kind: Kind,
    /// Which axes it has of its own.
    pub differs: Differs,
    /// The mask, the numbers to add, or both.
    pub content: Content,
    /// Whether it may be taken without asking; true for one reading at most.
    pub likely: bool,
    /// Why its numbers can mean this.
    pub why: Why,
    /// Whether its mask shows what a mask should hide.
    pub inverted: Option<Inverted>,
}

/// What a reading gives, `[batch or 1, heads or 1, n, m]`.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// `true` = visible.
    Mask(Array4<bool>),
    /// Added to the scores.
    Bias(Array4<f32>),
    /// Added to the scores that are visible; 0 where they are not.
    Both {
        /// `true` = visible.
        mask: Array4<bool>,
        /// Added to the scores.
        bias: Array4<f32>,
    },
}

impl Content {
    /// The mask, if there is one.
    pub fn mask(&self) -> Option<&Array4<bool>> {
        match self {
            Self::Mask(mask) | Self::Both { mask, .. } => Some(mask),
            Self::Bias(_) => None,
        }
    }

    /// What is added to the scores, if there is anything.
    pub fn bias(&self) -> Option<&Array4<f32>> {
        match self {
            Self::Bias(bias) | Self::Both { bias, .. } => Some(bias),
            Self::Mask(_) => None,
        }
    }
}

/// All that `imported` can mean for scores of these lengths, by the [table](self); never empty.
///
/// # Errors
/// [`ImportError`]: a shape that fits no reading, with the axis; numbers that are no number, +∞ or beyond 32 bits, with the index.
pub fn readings(imported: &ImportedTensor, axes: &Axes) -> Result<Vec<Reading>, ImportError> {
    imported.check()?;
    let placements = placements(&imported.shape, axes, imported.can_be_lengths(axes.m))?;
    let is_asked = placements.len() > 1;
    let mut readings = Vec::new();
    for placement in placements {
        let cells = placement.full_cells(axes);
        if cells > MOST_CELLS {
            return Err(ImportError::TooManyCells { cells });
        }
        readings.extend(imported.read_as(&placement, axes));
    }
    let likely = readings.iter().filter(|reading| reading.likely).count();
    if is_asked || likely > 1 {
        readings
            .iter_mut()
            .for_each(|reading| reading.likely = false);
    }
    Ok(readings)
}

impl ImportedTensor {
    fn check(&self) -> Result<(), ImportError> {
        let wanted = self.shape.iter().copied().fold(1, usize::saturating_mul);
        if wanted != self.data.len() {
            let numbers = self.data.len();
            return Err(ImportError::NumbersDoNotFill { wanted, numbers });
        }
        let refused = self.data.iter().position(|value| !can_be_read(*value));
        match refused {
            None => Ok(()),
            Some(index) => Err(ImportError::NotReadable {
                index,
                value: self.data[index],
            }),
        }
    }

    /// Whether the numbers can be lengths of at most `most`.
    fn can_be_lengths(&self, most: usize) -> bool {
        self.element == Element::Integer
            && self
                .data
                .iter()
                .all(|value| (0.0..=most as f64).contains(value))
    }

    /// The readings of the numbers in one place.
    fn read_as(&self, placement: &Placement, axes: &Axes) -> Vec<Reading> {
        if let Placement::Lengths = placement {
            return vec![self.lengths(axes)];
        }
        let kinds = values::kinds(&self.data, self.element);
        let mut readings: Vec<_> = kinds
            .into_iter()
            .map(|(kind, why, likely)| self.reading(kind, why, likely, placement, axes))
            .collect();
        values::weigh_inverted(&mut readings, self.element);
        readings
    }

    fn lengths(&self, axes: &Axes) -> Reading {
        let shape = (self.data.len(), 1, axes.n, axes.m);
        let mask = Array4::from_shape_fn(shape, |(batch, _, _, key)| {
            (key as f64) < self.data.get(batch).copied().unwrap_or_default()
        });
        Reading {
            kind: Kind::Lengths,
            differs: Differs::of(mask.dim(), 1),
            inverted: None,
            content: Content::Mask(mask),
            likely: true,
            why: Why::Lengths,
        }
    }

    fn reading(
        &self,
        kind: Kind,
        why: Why,
        likely: bool,
        placement: &Placement,
        axes: &Axes,
    ) -> Reading {
        let mask = || placement.spread(axes, |index| kind.shows(self.value(index)));
        let bias = || placement.spread(axes, |index| kind.adds(self.value(index)));
        let content = match kind {
            Kind::Mask { .. } | Kind::Additive(_) | Kind::Lengths => Content::Mask(mask()),
            Kind::Bias => Content::Bias(bias()),
            Kind::BiasAndMask(_) => Content::Both {
                mask: mask(),
                bias: bias(),
            },
        };
        Reading {
            kind,
            differs: placement.differs(),
            inverted: content.mask().and_then(looks_inverted),
            content,
            likely,
            why,
        }
    }

    fn value(&self, index: usize) -> f64 {
        self.data.get(index).copied().unwrap_or_default()
    }
}

/// Whether a number can be part of a mask or be added in 32 bits: what hides may be −∞ or beyond 32 bits.
fn can_be_read(value: f64) -> bool {
    value <= f64::from(f32::MAX)
}

#[cfg(test)]
mod tests;
