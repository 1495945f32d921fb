//! A rule as a mask of a request.

use std::num::NonZeroUsize;

use attention::{CellIndex, Documents, ExplicitMask, Mask};
use ndarray::Array4;

use super::{Rule, Variable};
use crate::{Axes, Axis};

/// The most cells that are painted one by one.
pub const MOST_CELLS: usize = 1 << 22;
/// The most steps that painting takes: cells times [`Rule::parts`].
pub const MOST_STEPS: usize = 1 << 27;

/// Why a rule is no mask for given lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// Lengths of documents sum to something else than the length of an axis.
    #[error("documents: the lengths sum to {sum}, but {axis} has {length}")]
    LengthsDoNotSum {
        /// Sum of the lengths.
        sum: u64,
        /// The axis that they do not fit.
        axis: Axis,
        /// Its length.
        length: usize,
    },
    /// A picture has another number of tokens than an axis.
    #[error("image: {width}×{height} are {} tokens, but {axis} has {length}", u64::from(*.width) * u64::from(*.height))]
    PictureDoesNotFit {
        /// Columns of the picture.
        width: u32,
        /// Rows of the picture.
        height: u32,
        /// The axis that it does not fit.
        axis: Axis,
        /// Its length.
        length: usize,
    },
    /// The mask would have more than [`MOST_CELLS`].
    #[error("{cells} cells are more than {MOST_CELLS}")]
    TooManyCells {
        /// How many.
        cells: usize,
    },
    /// Painting would take more than [`MOST_STEPS`].
    #[error("{parts} parts of a rule for each of {cells} cells are too many")]
    TooManySteps {
        /// Parts of the rule.
        parts: usize,
        /// Cells.
        cells: usize,
    },
}

impl Rule {
    /// The rule as a mask. Where `attention` has a structured mask that shows the same cells it is that, also for parts that `and` joins;
    /// else cells are painted: `[1, 1, n, m]`, or with as many batch entries and heads as there are if the rule names these.
    ///
    /// # Errors
    /// [`MaskError`]: lengths of documents or a picture that do not fit, or too much to paint.
    pub fn mask(&self, axes: &Axes) -> Result<Mask, MaskError> {
        self.check(axes)?;
        if let Some(mask) = self.structured(axes) {
            return Ok(mask);
        }
        let Self::And(rules) = self else {
            return Ok(known(self.cells_unchecked(axes)?));
        };
        let (mut masks, mut others) = (Vec::new(), Vec::new());
        for rule in rules {
            match rule.structured(axes) {
                Some(mask) => masks.push(mask),
                None => others.push(rule.clone()),
            }
        }
        masks.push(known(Self::And(others).cells_unchecked(axes)?));
        Ok(match masks.pop() {
            Some(only) if masks.is_empty() => only,
            last => Mask::All(masks.into_iter().chain(last).collect()),
        })
    }

    /// The cells that are visible: `[batch or 1, heads or 1, n, m]`, the first two 1 unless the rule names a batch entry or a head.
    ///
    /// # Errors
    /// As of [`mask`](Self::mask).
    pub fn cells(&self, axes: &Axes) -> Result<Array4<bool>, MaskError> {
        self.check(axes)?;
        self.cells_unchecked(axes)
    }

    fn cells_unchecked(&self, axes: &Axes) -> Result<Array4<bool>, MaskError> {
        let own = |variable, length| if self.names(variable) { length } else { 1 };
        let shape = [
            own(Variable::Batch, axes.batch),
            own(Variable::Head, axes.heads),
            axes.n,
            axes.m,
        ];
        let cells = shape.into_iter().fold(1, usize::saturating_mul);
        if cells > MOST_CELLS {
            return Err(MaskError::TooManyCells { cells });
        }
        let parts = self.parts();
        if cells.saturating_mul(parts) > MOST_STEPS {
            return Err(MaskError::TooManySteps { parts, cells });
        }
        Ok(Array4::from_shape_fn(shape, |(batch, head, query, key)| {
            let cell = CellIndex {
                batch,
                head,
                query,
                key,
            };
            self.visible(cell, axes)
        }))
    }

    /// Refuses documents and pictures of other lengths than those of the axes.
    fn check(&self, axes: &Axes) -> Result<(), MaskError> {
        let lengths = [(Axis::Queries, axes.n), (Axis::Keys, axes.m)];
        let other = |tokens: u64| {
            let mut lengths = lengths.into_iter();
            lengths.find(|(_, length)| u64::try_from(*length) != Ok(tokens))
        };
        match self {
            Self::Documents { lengths } => {
                let sum = lengths.iter().map(|length| u64::from(*length)).sum();
                other(sum).map_or(Ok(()), |(axis, length)| {
                    Err(MaskError::LengthsDoNotSum { sum, axis, length })
                })
            }
            Self::Image { width, height, .. } => {
                let (width, height) = (*width, *height);
                let tokens = u64::from(width) * u64::from(height);
                other(tokens).map_or(Ok(()), |(axis, length)| {
                    Err(MaskError::PictureDoesNotFit {
                        width,
                        height,
                        axis,
                        length,
                    })
                })
            }
            Self::And(rules) | Self::Or(rules) => {
                rules.iter().try_for_each(|rule| rule.check(axes))
            }
            Self::Not(rule) => rule.check(axes),
            _ => Ok(()),
        }
    }

    /// A mask that shows the same cells without painting them.
    fn structured(&self, axes: &Axes) -> Option<Mask> {
        let first = |keys: u32| Mask::Padding {
            valid: length(keys).min(axes.m),
        };
        Some(match self {
            Self::All => Mask::Full,
            Self::None => Mask::Any(Vec::new()),
            Self::Causal(align) => Mask::Causal.from_place(axes.start(*align)),
            Self::Window {
                before,
                after,
                align,
            } => window(length(*before), length(*after))?.from_place(axes.start(*align)),
            Self::Prefix { keys } => Mask::Prefix {
                length: length(*keys).min(axes.m),
            },
            Self::Documents { lengths } => {
                let lengths = lengths.iter().copied().map(length);
                Mask::Documents(Documents::new(lengths))
            }
            Self::Dilated { stride } => Mask::Strided {
                stride: NonZeroUsize::new(length(*stride))?,
            },
            Self::First { keys: valid } | Self::Padding { valid } => first(*valid),
            Self::PaddingLeft { padded } => Mask::LeftPadding {
                padded: length(*padded).min(axes.m),
            },
            Self::And(rules) => Mask::All(all_structured(rules, axes)?),
            Self::Or(rules) => Mask::Any(all_structured(rules, axes)?),
            _ => return None,
        })
    }
}

fn length(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn all_structured(rules: &[Rule], axes: &Axes) -> Option<Vec<Mask>> {
    rules.iter().map(|rule| rule.structured(axes)).collect()
}

fn window(before: usize, after: usize) -> Option<Mask> {
    let local = Mask::Local { window: before };
    match (before, after) {
        (before, after) if before == after => Some(local),
        (_, 0) => Some(Mask::All(vec![Mask::Causal, local])),
        _ => None,
    }
}

/// Painted cells, or the structured mask that shows the same, on which more can be built.
fn known(cells: Array4<bool>) -> Mask {
    let is = |shows: fn(usize, usize) -> bool| {
        let mut cells = cells.indexed_iter();
        cells.all(|((_, _, query, key), seen)| *seen == shows(query, key))
    };
    if is(|_, _| true) {
        Mask::Full
    } else if is(|query, key| key <= query) {
        Mask::Causal
    } else {
        Mask::Painted(ExplicitMask::new(cells))
    }
}
