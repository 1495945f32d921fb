//! Small tensors, as NumPy, PyTorch and JAX compute them.

use std::ops::Range;

use super::error::{CallProblem, Expectation, MOST_NUMBERS, Result, expected, refused};
use super::expression::Index;
use crate::imported::{Element, ImportedTensor};
use crate::rule::Comparison;

/// Numbers with a shape; a shape without axes is a single number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tensor {
    pub(super) shape: Vec<usize>,
    pub(super) data: Vec<f64>,
    pub(super) element: Element,
}

const MOST_AXES: usize = 4;

impl Tensor {
    pub(super) fn number(value: f64, element: Element) -> Self {
        Self {
            shape: Vec::new(),
            data: vec![value],
            element,
        }
    }

    pub(super) fn full(
        shape: Vec<usize>,
        value: f64,
        element: Element,
        at: &Range<usize>,
    ) -> Result<Self> {
        let count = shape.iter().copied().fold(1, usize::saturating_mul);
        if count > MOST_NUMBERS || shape.len() > MOST_AXES {
            return refused(at, CallProblem::TooManyNumbers);
        }
        let data = vec![value; count];
        Ok(Self {
            shape,
            data,
            element,
        })
    }

    /// As what it may be read in a call.
    pub(super) fn imported(self) -> ImportedTensor {
        ImportedTensor {
            shape: self.shape,
            data: self.data,
            element: self.element,
        }
    }

    /// The number, if it is one.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self.data[..] {
            [only] if self.shape.is_empty() => Some(only),
            _ => None,
        }
    }

    pub(super) fn cast(mut self, element: Element) -> Self {
        let cast = |value: f64| match element {
            Element::Bool => f64::from(u8::from(value != 0.0)),
            Element::Integer => value.trunc(),
            Element::Float => value,
        };
        self.data.iter_mut().for_each(|value| *value = cast(*value));
        self.element = element;
        self
    }

    pub(super) fn map(mut self, of: impl Fn(f64) -> f64) -> Self {
        self.data.iter_mut().for_each(|value| *value = of(*value));
        self
    }

    /// What lies on or below the diagonal of the last two axes, moved by `diagonal`; or what lies on or above it.
    pub(super) fn triangle(
        mut self,
        diagonal: i64,
        is_lower: bool,
        at: &Range<usize>,
    ) -> Result<Self> {
        let [.., rows, columns] = self.shape[..] else {
            return expected(at, Expectation::Tensor);
        };
        if rows == 0 || columns == 0 {
            return Ok(self);
        }
        for (index, value) in self.data.iter_mut().enumerate() {
            let (row, column) = ((index / columns) % rows, index % columns);
            let ahead = column as i64 - row as i64;
            let is_kept = if is_lower {
                ahead <= diagonal
            } else {
                ahead >= diagonal
            };
            if !is_kept {
                *value = 0.0;
            }
        }
        Ok(self)
    }

    /// New axes of length 1 where the subscript says `None`.
    pub(super) fn with_axes(mut self, indices: &[Index], at: &Range<usize>) -> Result<Self> {
        let mut rest = self.shape.into_iter();
        let mut shape = Vec::new();
        for index in indices {
            match index {
                Index::New => shape.push(1),
                Index::All => match rest.next() {
                    Some(length) => shape.push(length),
                    None => return expected(at, Expectation::Operator),
                },
            }
        }
        shape.extend(rest);
        if shape.len() > MOST_AXES {
            return refused(at, CallProblem::TooManyNumbers);
        }
        self.shape = shape;
        Ok(self)
    }

    /// The number in a cell of a larger shape, with axes of length 1 stretched.
    fn at(&self, cell: &[usize]) -> f64 {
        let skipped = cell.len().saturating_sub(self.shape.len());
        let own = cell.iter().skip(skipped).zip(&self.shape);
        let index = own.fold(0, |index, (at, length)| {
            index * length + at.min(&length.saturating_sub(1))
        });
        self.data.get(index).copied().unwrap_or_default()
    }

    /// `of` the numbers of each cell, with axes of length 1 stretched.
    pub(super) fn zip(
        &self,
        other: &Self,
        element: Element,
        at: &Range<usize>,
        of: impl Fn(f64, f64) -> f64,
    ) -> Result<Self> {
        let shape = common_shape(&self.shape, &other.shape, at)?;
        let mut made = Self::full(shape, 0.0, element, at)?;
        let mut cell = vec![0; made.shape.len()];
        for value in &mut made.data {
            *value = of(self.at(&cell), other.at(&cell));
            advance(&mut cell, &made.shape);
        }
        Ok(made)
    }

    /// The numbers of one where this is not 0, of the other elsewhere.
    pub(super) fn choose(&self, yes: &Self, no: &Self, at: &Range<usize>) -> Result<Self> {
        let element = common_element(yes.element, no.element);
        let stretched = self.zip(yes, element, at, |condition, _| condition)?;
        let mut made = stretched.zip(no, element, at, |condition, _| condition)?;
        let mut cell = vec![0; made.shape.len()];
        for value in &mut made.data {
            let chosen = if *value != 0.0 { yes } else { no };
            *value = chosen.at(&cell);
            advance(&mut cell, &made.shape);
        }
        Ok(made)
    }

    pub(super) fn binary(&self, operator: &str, other: &Self, at: &Range<usize>) -> Result<Self> {
        if let Some(comparison) = Comparison::of_symbol(operator) {
            let of = |a, b| f64::from(u8::from(comparison.holds(a, b)));
            return self.zip(other, Element::Bool, at, of);
        }
        let common = common_element(self.element, other.element);
        match operator {
            "+" => self.zip(other, common, at, |a, b| a + b),
            "-" => self.zip(other, common, at, |a, b| a - b),
            "*" => self.zip(other, common, at, |a, b| a * b),
            "/" => self.zip(other, Element::Float, at, |a, b| a / b),
            "//" => self.zip(other, common, at, |a, b| (a / b).floor()),
            "%" => self.zip(other, common, at, |a, b| a - b * (a / b).floor()),
            "&" => self.zip(other, common, at, f64::min),
            "|" => self.zip(other, common, at, f64::max),
            _ => expected(at, Expectation::Operator),
        }
    }
}

/// The element of what two are computed to; booleans count as whole numbers.
fn common_element(a: Element, b: Element) -> Element {
    match (a, b) {
        (Element::Bool, Element::Bool) => Element::Bool,
        (Element::Float, _) | (_, Element::Float) => Element::Float,
        _ => Element::Integer,
    }
}

fn common_shape(a: &[usize], b: &[usize], at: &Range<usize>) -> Result<Vec<usize>> {
    let axes = a.len().max(b.len());
    let length = |shape: &[usize], axis: usize| {
        let skipped = axes - shape.len();
        axis.checked_sub(skipped).map_or(1, |axis| shape[axis])
    };
    let lengths = (0..axes).map(|axis| match (length(a, axis), length(b, axis)) {
        (1, other) | (other, 1) => Ok(other),
        (one, other) if one == other => Ok(one),
        _ => refused(
            at,
            CallProblem::ShapesDiffer {
                left: a.to_vec(),
                right: b.to_vec(),
            },
        ),
    });
    lengths.collect()
}

/// The next cell, row by row.
fn advance(cell: &mut [usize], shape: &[usize]) {
    for (at, length) in cell.iter_mut().zip(shape).rev() {
        *at += 1;
        if *at < *length {
            return;
        }
        *at = 0;
    }
}
