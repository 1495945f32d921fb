//! Tensors: `{ shape, data }` or nested lists, row-major.

use ndarray::{Array, Array1, Array2, Array3, Axis, Dimension, IntoDimension};

use super::fields::Fields;
use super::limits::check_shape;
use app::js_tree::JsTree;
use attention::{Code, Error};

/// More axes than any field has.
const MOST_AXES: usize = 4;

/// A tensor whose data fills its shape. Its numbers may still be infinite.
pub(super) struct Tensor {
    field: &'static str,
    pub(super) shape: Vec<usize>,
    pub(super) data: Vec<f32>,
}

/// Whether `true` and `false` stand for 1 and 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flags {
    Taken,
    Refused,
}

impl Tensor {
    /// Reads the tensor `field`.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] for anything that is no tensor, ragged lists, and data that does not fill its shape;
    /// [`Code::NotFinite`] for a value that is no number; [`Code::TooLarge`]; [`Code::MissingField`] for a part.
    pub(super) fn read(field: &'static str, raw: JsTree, flags: Flags) -> Result<Self, Error> {
        let mut values = Values {
            field,
            flags,
            data: Vec::new(),
        };
        let shape = match raw {
            JsTree::Record(_) => values.with_shape(raw)?,
            JsTree::List(_) | JsTree::Singles(_) | JsTree::Doubles(_) => values.nested(raw)?,
            other => {
                let rule = "must be a tensor: { shape, data } or nested lists of numbers";
                return Err(Error::new(
                    Code::ShapeMismatch,
                    field,
                    other.describe(),
                    rule,
                ));
            }
        };
        Ok(Self {
            field,
            shape,
            data: values.data,
        })
    }

    /// The tensor with as many axes as `D` has; `axes` names them for the refusal.
    pub(super) fn into_array<const N: usize, D>(self, axes: &str) -> Result<Array<f32, D>, Error>
    where
        [usize; N]: IntoDimension<Dim = D>,
        D: Dimension,
    {
        let refuse = |shape: &[usize]| {
            let rule = format!("must have {N} axes: [{axes}]");
            Error::new(Code::ShapeMismatch, self.field, format!("{shape:?}"), rule)
        };
        let shape: [usize; N] = self
            .shape
            .as_slice()
            .try_into()
            .map_err(|_| refuse(&self.shape))?;
        Array::from_shape_vec(shape, self.data).map_err(|_| refuse(&shape))
    }

    /// `[rows, width]`, or the same with a batch axis before it; whether there was one.
    pub(super) fn into_rows(mut self) -> Result<(Array3<f32>, bool), Error> {
        let has_batch = self.shape.len() == 3;
        if self.shape.len() == 2 {
            self.shape.insert(0, 1);
        }
        self.into_array::<3, _>("batch, rows, d_model; the batch may be left out")
            .map(|rows| (rows, has_batch))
    }

    /// `[length]`, or `[length, 1]`.
    pub(super) fn into_column(self) -> Result<Array1<f32>, Error> {
        match self.shape.as_slice() {
            [_, 1] => self
                .into_array::<2, _>("d_k, 1")
                .map(|column| column.remove_axis(Axis(1))),
            _ => self.into_array::<1, _>("d_k"),
        }
    }
}

/// The matrix `field`, if present.
pub(super) fn matrix(
    fields: &mut Fields,
    name: &str,
    field: &'static str,
) -> Result<Option<Array2<f32>>, Error> {
    let read = |raw| Tensor::read(field, raw, Flags::Refused)?.into_array::<2, _>("rows, columns");
    fields.take(name).map(read).transpose()
}

/// Collects the numbers of a raw value in row-major order.
struct Values {
    field: &'static str,
    flags: Flags,
    data: Vec<f32>,
}

impl Values {
    /// `{ shape, data }`.
    fn with_shape(&mut self, raw: JsTree) -> Result<Vec<usize>, Error> {
        let mut parts = Fields::parse(self.field, raw, &["shape", "data"])?;
        let missing = |part| {
            Error::missing(
                format!("{}.{part}", self.field),
                "a tensor has a shape and data",
            )
        };
        let shape = parts.take("shape").ok_or_else(|| missing("shape"))?;
        let data = parts.take("data").ok_or_else(|| missing("data"))?;
        let shape = self.axes(&shape)?;
        let wanted = shape.iter().product::<usize>();
        let length = length_of(&data)
            .ok_or_else(|| self.refuse(data.describe(), "data must be a flat list of numbers"))?;
        if length != wanted {
            let rule = format!(
                "data must hold {wanted} numbers, as many as the shape {shape:?} has places"
            );
            return Err(self.refuse(length, &rule));
        }
        self.gather(data, &[wanted])?;
        Ok(shape)
    }

    fn axes(&self, shape: &JsTree) -> Result<Vec<usize>, Error> {
        let whole =
            |axis: &f64| axis.fract() == 0.0 && *axis >= 0.0 && *axis <= f64::from(u32::MAX);
        let axes: Vec<f64> = match shape {
            JsTree::Doubles(axes) if axes.len() <= MOST_AXES => axes.clone(),
            JsTree::Singles(axes) if axes.len() <= MOST_AXES => {
                axes.iter().map(|axis| f64::from(*axis)).collect()
            }
            _ => Vec::new(),
        };
        if axes.is_empty() || !axes.iter().all(whole) {
            let rule =
                format!("shape must be a list of 1 to {MOST_AXES} whole numbers, none below 0");
            let shown = if axes.is_empty() {
                shape.describe()
            } else {
                format!("{axes:?}")
            };
            return Err(self.refuse(shown, &rule));
        }
        check_shape(
            self.field,
            &axes.iter().map(|axis| *axis as u64).collect::<Vec<_>>(),
        )?;
        Ok(axes.iter().map(|axis| *axis as usize).collect())
    }

    fn nested(&mut self, raw: JsTree) -> Result<Vec<usize>, Error> {
        let shape = shape_of(&raw);
        if shape.len() > MOST_AXES {
            return Err(self.refuse(
                format!("{} levels", shape.len()),
                "lists may be nested 4 deep",
            ));
        }
        check_shape(
            self.field,
            &shape.iter().map(|axis| *axis as u64).collect::<Vec<_>>(),
        )?;
        self.gather(raw, &shape)?;
        Ok(shape)
    }

    /// Appends everything below `raw`, which has to have `shape`.
    fn gather(&mut self, raw: JsTree, shape: &[usize]) -> Result<(), Error> {
        match (raw, shape) {
            (JsTree::Singles(numbers), [length]) if numbers.len() == *length => {
                self.data.extend(numbers)
            }
            (JsTree::Doubles(numbers), [length]) if numbers.len() == *length => {
                self.data
                    .extend(numbers.iter().map(|number| *number as f32));
            }
            (JsTree::List(items), [length, rest @ ..]) if items.len() == *length => {
                items
                    .into_iter()
                    .try_for_each(|item| self.gather(item, rest))?;
            }
            (JsTree::Number(number), []) => self.data.push(number as f32),
            (JsTree::Flag(flag), []) if self.flags == Flags::Taken => {
                self.data.push(f32::from(u8::from(flag)))
            }
            (JsTree::List(_) | JsTree::Singles(_) | JsTree::Doubles(_), _) | (_, [_, ..]) => {
                return Err(self.refuse(
                    "lists of different lengths or depths",
                    "nested lists must form a full grid",
                ));
            }
            (other, []) => {
                let rule = format!(
                    "every value must be a number, but the one at index {} is not",
                    self.data.len()
                );
                return Err(Error::new(
                    Code::NotFinite,
                    self.field,
                    other.describe(),
                    rule,
                ));
            }
        }
        Ok(())
    }

    fn refuse(&self, found: impl std::fmt::Display, rule: &str) -> Error {
        Error::new(Code::ShapeMismatch, self.field, found, rule)
    }
}

fn length_of(raw: &JsTree) -> Option<usize> {
    match raw {
        JsTree::Singles(numbers) => Some(numbers.len()),
        JsTree::Doubles(numbers) => Some(numbers.len()),
        JsTree::List(items) => Some(items.len()),
        _ => None,
    }
}

/// Lengths found by descending into the first items.
fn shape_of(raw: &JsTree) -> Vec<usize> {
    let mut shape = Vec::new();
    let mut level = Some(raw);
    while let Some(length) = level.and_then(length_of) {
        shape.push(length);
        level = match level {
            Some(JsTree::List(items)) => items.first(),
            _ => None,
        };
    }
    shape
}
