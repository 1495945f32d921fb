//! What the arguments of a call mean.

use std::ops::Range;

use ndarray::Array4;

use super::error::{CallProblem, Raised, Result, refused};
use super::tensor::Tensor;
use super::value::Value;
use super::{Call, Expectation};
use crate::dialect::EmptyRows;
use crate::dialect::cells::Cells;
use crate::imported::{Element, HIDES_FROM};
use crate::rule::{Align, Rule};
use crate::{Axes, Inverted, looks_inverted};

/// What one argument of a call means.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// A rule: of a flag, a window, a function, or of a tensor that shows just these cells.
    Rule(Rule),
    /// Cells of a tensor that is written out, `[batch or 1, heads or 1, n or 1, m]`, `true` = visible, whatever the library's own polarity.
    Cells(Array4<bool>),
    /// Numbers of such a tensor that are added to the scores; −∞ where they hide.
    Added(Array4<f32>),
    /// A tensor of which the text has only the name.
    Tensor {
        /// The variable.
        name: String,
        /// What its numbers would mean.
        usage: Usage,
    },
}

/// How a library uses a tensor that is given as a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Usage {
    /// What booleans do.
    pub booleans: Booleans,
    /// What whole numbers do.
    pub integers: Numbers,
    /// What floats do.
    pub floats: Numbers,
}

/// What `True` does in a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Booleans {
    /// It shows.
    Show,
    /// It hides.
    Hide,
}

/// What numbers do in a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// They are added to the scores.
    Added,
    /// All but 0 show, −∞ too.
    NonZeroShow,
    /// The library raises an error.
    Refused,
}

/// What a reader of a call should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Remark {
    /// The flag or window is aligned here, which makes a difference where there are more keys than queries or fewer.
    AlignedAt(Align),
    /// It is aligned at the start, or at the end with a cache of keys.
    EndWithCache,
    /// `True` hides here.
    TrueHides,
    /// Zeros and ones are added to the scores: nothing is hidden, scores of ones grow by 1.
    OnesAreAdded,
    /// Numbers of 0 and −∞ are taken as `False` and `True`, which shows what they should hide.
    HidingNumbersShow,
    /// The mask shows what a mask should hide.
    LooksInverted(Inverted),
    /// This many rows of the tensor show no key, and what the library computes there.
    EmptyRows {
        /// How many rows.
        rows: usize,
        /// What the library computes.
        library: EmptyRows,
    },
    /// The flag is a hint beside a mask, and takes its place where the layer can compute without it.
    FlagIsHint,
    /// The window is that of a causal model, with the query's own key counted; a model that looks to both sides reaches this far to each.
    CausalCount,
}

impl Usage {
    pub(super) const TORCH: Self = Self {
        booleans: Booleans::Show,
        integers: Numbers::Refused,
        floats: Numbers::Added,
    };
    pub(super) const MULTIHEAD: Self = Self {
        booleans: Booleans::Hide,
        integers: Numbers::Refused,
        floats: Numbers::Added,
    };
    pub(super) const ADDED: Self = Self {
        booleans: Booleans::Show,
        integers: Numbers::Added,
        floats: Numbers::Added,
    };
    pub(super) const BOOLEAN_ALONE: Self = Self {
        booleans: Booleans::Show,
        integers: Numbers::Refused,
        floats: Numbers::Refused,
    };
    pub(super) const NON_ZERO: Self = Self {
        booleans: Booleans::Show,
        integers: Numbers::NonZeroShow,
        floats: Numbers::NonZeroShow,
    };
}

impl Call {
    /// Takes over what is given as a mask.
    pub(super) fn use_as_mask(
        &mut self,
        value: Value,
        usage: Usage,
        empty: EmptyRows,
        at: &Range<usize>,
    ) -> Result<()> {
        match value {
            Value::None => Ok(()),
            Value::Mask(..) => {
                self.mask(value);
                Ok(())
            }
            Value::Unknown(name) => {
                self.mean(Meaning::Tensor { name, usage });
                Ok(())
            }
            Value::Tensor(tensor) if !tensor.shape.is_empty() => {
                self.use_tensor(&tensor, usage, empty, at)
            }
            _ => super::expected(at, Expectation::Tensor),
        }
    }

    fn use_tensor(
        &mut self,
        tensor: &Tensor,
        usage: Usage,
        empty: EmptyRows,
        at: &Range<usize>,
    ) -> Result<()> {
        let numbers = match tensor.element {
            Element::Bool => None,
            Element::Integer => Some((usage.integers, Raised::IntegersAsMask)),
            Element::Float => Some((usage.floats, Raised::NumbersAsMask)),
        };
        match numbers {
            None => {
                let is_shown = usage.booleans == Booleans::Show;
                if !is_shown {
                    self.remark(Remark::TrueHides);
                }
                self.show(tensor, empty, |value| (value != 0.0) == is_shown);
            }
            Some((Numbers::NonZeroShow, _)) => {
                if tensor.data.iter().any(|value| *value <= HIDES_FROM) {
                    self.remark(Remark::HidingNumbersShow);
                }
                self.show(tensor, empty, |value| value != 0.0);
            }
            Some((Numbers::Added, _)) => self.add(tensor, empty),
            Some((Numbers::Refused, raised)) => {
                let raised = match usage.floats {
                    Numbers::Refused => Raised::NumbersAsMask,
                    _ => raised,
                };
                return refused(at, CallProblem::Raises(raised));
            }
        }
        Ok(())
    }

    /// Numbers that are added: such that only hide are a mask.
    fn add(&mut self, tensor: &Tensor, empty: EmptyRows) {
        let of = |is: fn(f64) -> bool| tensor.data.iter().all(|value| is(*value));
        if of(|value| value == 0.0 || value <= HIDES_FROM) {
            return self.show(tensor, empty, |value| value > HIDES_FROM);
        }
        if of(|value| value == 0.0 || value == 1.0) {
            self.remark(Remark::OnesAreAdded);
        }
        self.note_lengths(tensor);
        self.mean(Meaning::Added(spread(tensor, |value| value as f32)));
    }

    /// Cells that a tensor shows, as a rule if there is one.
    fn show(&mut self, tensor: &Tensor, empty: EmptyRows, shows: impl Fn(f64) -> bool) {
        self.note_lengths(tensor);
        let cells = spread(tensor, shows);
        if let Some(inverted) = looks_inverted(&cells) {
            self.remark(Remark::LooksInverted(inverted));
        }
        let (batch, heads, n, m) = cells.dim();
        let axes = Axes { batch, heads, n, m };
        let Ok(known) = Cells::new(cells.clone(), &axes) else {
            return self.mean(Meaning::Cells(cells));
        };
        let rows = known.empty_rows();
        if rows > 0 {
            let library = empty;
            self.remark(Remark::EmptyRows { rows, library });
        }
        self.mean(rule_of(&known).map_or(Meaning::Cells(cells), Meaning::Rule));
    }

    fn note_lengths(&mut self, tensor: &Tensor) {
        if let [.., n, m] = tensor.shape[..]
            && n > 1
        {
            self.lengths = self.lengths.or(Some((n, m)));
        }
    }
}

/// The rule that shows these cells, if it is one of the common ones.
fn rule_of(cells: &Cells) -> Option<Rule> {
    let [_, _, n, _] = cells.shape();
    if cells.are_all_visible() {
        return Some(Rule::All);
    }
    // One row serves all queries, whatever their place.
    if n < 2 {
        return None;
    }
    if cells.is_causal(Align::Start) {
        return Some(Rule::Causal(Align::Start));
    }
    cells
        .is_causal(Align::End)
        .then_some(Rule::Causal(Align::End))
}

/// A tensor of up to four axes as one of four.
fn spread<T>(tensor: &Tensor, of: impl Fn(f64) -> T) -> Array4<T> {
    let mut shape = [1; 4];
    for (own, length) in shape.iter_mut().rev().zip(tensor.shape.iter().rev()) {
        *own = *length;
    }
    let [_, heads, n, m] = shape;
    Array4::from_shape_fn(shape, |(batch, head, query, key)| {
        let index = ((batch * heads + head) * n + query) * m + key;
        of(tensor.data.get(index).copied().unwrap_or_default())
    })
}
