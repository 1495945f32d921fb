//! The axis orders in which libraries save tensors, and the transforms to ours.

use std::borrow::Cow;

use ndarray::{Array1, Array2, Array3, s};

use super::{Role, tensor_names};
use crate::state::imported::{Kind, Refusal, warnings};
use formats::Tensor;

/// How a tensor was transformed for its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisTransform {
    /// A batch with one entry was opened.
    Batch,
    /// One of several layers, or entries of a batch, was taken.
    Entry {
        /// Which one, from 0.
        at: usize,
        /// Of how many.
        of: usize,
    },
    /// Its last two axes changed places.
    Turned,
    /// Rows stood before heads.
    RowsFirst,
    /// Concatenated heads were split.
    Split(usize),
    /// Heads that stood apart were put side by side.
    Joined(usize),
    /// One matrix was split into three.
    Thirds,
}

/// Heads that shapes say, or the number that is likeliest.
pub(super) fn heads<'a>(
    kind: Kind,
    shape: &impl Fn(Role) -> Option<&'a [usize]>,
    now: usize,
) -> usize {
    let of = |role| shape(role).map(|shape| (shape.len(), shape));
    let fits = |width: usize| {
        let mut likely = [now, 12, 8, 4, 2].into_iter();
        likely.find(|heads| *heads > 0 && width.is_multiple_of(*heads) && width > *heads)
    };
    match (kind, of(Role::WQ), of(Role::Fused), of(Role::Q)) {
        (Kind::Layer, Some((3, shape)), ..) => shape[0],
        (Kind::Layer, Some((_, shape)), ..) => {
            shape.last().and_then(|width| fits(*width)).unwrap_or(1)
        }
        (Kind::Layer, _, Some((_, shape)), _) => shape
            .iter()
            .min()
            .and_then(|width| fits(*width))
            .unwrap_or(1),
        _ => 1,
    }
}

/// Whether queries are saved as `[n, heads, d_k]`: where lengths differ between queries and keys it is the first axis
/// that does.
pub(super) fn is_rows_first<'a>(shape: &impl Fn(Role) -> Option<&'a [usize]>) -> bool {
    let three = |role| shape(role)?.last_chunk::<3>().copied();
    match (three(Role::Q), three(Role::K)) {
        (Some(q), Some(k)) => {
            q[0] != k[0] && q[1] == k[1] && q[2] == k[2] && !q[0].is_multiple_of(k[0])
        }
        _ => false,
    }
}

/// Whether the numbers of a tensor look like finished weights.
pub(super) fn sums_to_one(tensor: &Tensor) -> bool {
    let columns = tensor.shape.last().copied().unwrap_or(0);
    tensor.shape.len() > 1 && columns > 0 && tensor.data.chunks_exact(columns).all(is_one)
}

fn is_one(row: &[f32]) -> bool {
    let sum: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
    (sum - 1.0).abs() < 10.0 * warnings::ROW_TOLERANCE && row.iter().all(|weight| *weight >= 0.0)
}

/// Keys whose rows are columns, made to fit queries of `d_k` numbers.
pub(super) fn turned_to(
    keys: Array3<f32>,
    d_k: usize,
    mut how: Vec<AxisTransform>,
) -> (Array3<f32>, Vec<AxisTransform>) {
    let (_, rows, columns) = keys.dim();
    if columns == d_k || rows != d_k {
        return (keys, how);
    }
    how.push(AxisTransform::Turned);
    (turned(keys), how)
}

fn turned(tensor: Array3<f32>) -> Array3<f32> {
    tensor
        .permuted_axes([0, 2, 1])
        .as_standard_layout()
        .into_owned()
}

/// How many tensors of so many axes there are in one of `shape`: layers of a stack, entries of a batch.
pub(super) fn entries(shape: &[usize], axes: usize) -> usize {
    let before = &shape[..shape.len().saturating_sub(axes)];
    before.iter().fold(1, |all, own| all.saturating_mul(*own))
}

/// A tensor that is to be read.
pub(super) struct Found<'a> {
    tensor: Cow<'a, Tensor>,
    /// What was done to it before.
    how: Vec<AxisTransform>,
}

impl<'a> Found<'a> {
    pub(super) const fn new(tensor: &'a Tensor) -> Self {
        Self {
            tensor: Cow::Borrowed(tensor),
            how: Vec::new(),
        }
    }

    /// Of several layers, or entries of a batch, the one at `at`, or the last.
    pub(super) fn entry(tensor: &'a Tensor, axes: usize, at: usize) -> Self {
        let of = entries(&tensor.shape, axes);
        let at = at.min(of.saturating_sub(1));
        let shape = &tensor.shape[tensor.shape.len().saturating_sub(axes)..];
        let count: usize = shape.iter().product();
        match tensor.data.get(at * count..(at + 1) * count) {
            Some(own) if of > 1 => Self {
                tensor: Cow::Owned(Tensor::new(&tensor.name, shape.to_vec(), own.to_vec())),
                how: vec![AxisTransform::Entry { at, of }],
            },
            _ => Self::new(tensor),
        }
    }

    fn axes(&self, axes: &'static str) -> Refusal {
        Refusal::Axes {
            tensor: self.tensor.name.clone(),
            found: self.tensor.shape.clone(),
            axes,
        }
    }

    /// The axes without those of a batch of one, down to `most`.
    fn shape(
        &self,
        most: usize,
        axes: &'static str,
    ) -> Result<(&[usize], Vec<AxisTransform>), Refusal> {
        let mut shape = &self.tensor.shape[..];
        let mut how = self.how.clone();
        while shape.len() > most {
            match shape {
                [1, rest @ ..] => {
                    shape = rest;
                    if !how.contains(&AxisTransform::Batch) {
                        how.push(AxisTransform::Batch);
                    }
                }
                [entries, rest @ ..] if rest.len() >= 2 => {
                    return Err(Refusal::Batch {
                        tensor: self.tensor.name.clone(),
                        found: self.tensor.shape.clone(),
                        entries: *entries,
                    });
                }
                _ => return Err(self.axes(axes)),
            }
        }
        Ok((shape, how))
    }

    fn two(&self, axes: &'static str) -> Result<(Array2<f32>, Vec<AxisTransform>), Refusal> {
        let (shape, how) = self.shape(2, axes)?;
        let [rows, columns] = *shape else {
            return Err(self.axes(axes));
        };
        let array = Array2::from_shape_vec((rows, columns), self.tensor.data.clone());
        array.map(|array| (array, how)).map_err(|_| self.axes(axes))
    }

    /// A matrix alone is that of one head.
    fn three(&self, axes: &'static str) -> Result<(Array3<f32>, Vec<AxisTransform>), Refusal> {
        let (shape, how) = self.shape(3, axes)?;
        let lengths = match *shape {
            [rows, columns] => (1, rows, columns),
            [heads, rows, columns] => (heads, rows, columns),
            _ => return Err(self.axes(axes)),
        };
        let array = Array3::from_shape_vec(lengths, self.tensor.data.clone());
        array.map(|array| (array, how)).map_err(|_| self.axes(axes))
    }

    /// A vector, whatever axes of length 1 it has besides.
    pub(super) fn one(&self) -> Result<Array1<f32>, Refusal> {
        let long = self.tensor.shape.iter().filter(|length| **length != 1);
        if long.count() > 1 {
            Err(self.axes("d"))
        } else {
            Ok(Array1::from_vec(self.tensor.data.clone()))
        }
    }

    /// Three biases in one.
    pub(super) fn thirds(&self) -> Result<[Array1<f32>; 3], Refusal> {
        let all = self.one()?;
        let third = all.len() / 3;
        if third * 3 != all.len() {
            return Err(self.axes("3·d"));
        }
        Ok([0, 1, 2].map(|at| all.slice(s![at * third..(at + 1) * third]).to_owned()))
    }

    /// Finished weights. Where columns sum to 1 and rows do not, queries are the columns.
    pub(super) fn weights(&self) -> Result<(Array3<f32>, Vec<AxisTransform>), Refusal> {
        let (weights, mut how) = self.three("heads, n, m")?;
        let is_one = |weights: &Array3<f32>| {
            let mut rows = weights.rows().into_iter();
            rows.all(|row| row.as_slice().is_some_and(is_one))
        };
        if is_one(&weights) {
            return Ok((weights, how));
        }
        let other = turned(weights.clone());
        if !is_one(&other) {
            return Ok((weights, how));
        }
        how.push(AxisTransform::Turned);
        Ok((other, how))
    }

    /// How many key/value heads keys of `d_k` numbers have that stand side by side.
    pub(super) fn kv_heads(&self, d_k: usize) -> usize {
        match self.tensor.shape.last() {
            Some(width) if d_k > 0 && width.is_multiple_of(d_k) => (width / d_k).max(1),
            _ => 1,
        }
    }

    /// `[heads, rows, d]`; in a matrix `heads` stand side by side.
    pub(super) fn heads(
        &self,
        heads: usize,
        is_rows_first: bool,
    ) -> Result<(Array3<f32>, Vec<AxisTransform>), Refusal> {
        let axes = "heads, n, d_k";
        let is_flat = match self.shape(3, axes)?.0 {
            [1, _, _] => heads > 1,
            shape => shape.len() == 2,
        };
        let (tensor, mut how) = self.three(axes)?;
        if is_flat {
            let (_, rows, width) = tensor.dim();
            if heads == 0 || !width.is_multiple_of(heads) {
                let tensor = self.tensor.name.clone();
                return Err(Refusal::Heads {
                    tensor,
                    heads,
                    width,
                });
            }
            if heads > 1 {
                how.push(AxisTransform::Split(heads));
            }
            let split = tensor.into_shape_with_order((rows, heads, width / heads));
            let split = split.map_err(|_| self.axes(axes))?;
            return Ok((rows_second(split), how));
        }
        if is_rows_first {
            how.push(AxisTransform::RowsFirst);
            return Ok((rows_second(tensor), how));
        }
        Ok((tensor, how))
    }

    /// The last axis, where there are at least two.
    pub(super) fn width(&self) -> Option<usize> {
        self.tensor
            .shape
            .last()
            .copied()
            .filter(|_| self.tensor.shape.len() > 1)
    }

    /// Rows of inputs, of `width` numbers each where that is known.
    pub(super) fn rows(
        &self,
        width: Option<usize>,
    ) -> Result<(Array2<f32>, Vec<AxisTransform>), Refusal> {
        let (rows, mut how) = self.two("n, d_model")?;
        let is_turned = width.is_some_and(|width| rows.ncols() != width && rows.nrows() == width);
        if !is_turned {
            return Ok((rows, how));
        }
        how.push(AxisTransform::Turned);
        Ok((rows.t().as_standard_layout().into_owned(), how))
    }

    /// A weight matrix `[rows, columns]`; one for each head is put side by side, or above each other where it is W_O.
    pub(super) fn matrix(
        &self,
        rows: Option<usize>,
        is_output: bool,
    ) -> Result<(Array2<f32>, Vec<AxisTransform>), Refusal> {
        let axes = "d_model, heads·d_k";
        if self.tensor.shape.len() == 3 && self.tensor.shape[0] > 1 {
            let (heads, mut how) = self.three(axes)?;
            how.push(AxisTransform::Joined(heads.dim().0));
            let (count, first, second) = heads.dim();
            let joined = if is_output {
                heads.into_shape_with_order((count * first, second))
            } else {
                rows_second(heads).into_shape_with_order((first, count * second))
            };
            return joined
                .map(|joined| (joined, how))
                .map_err(|_| self.axes(axes));
        }
        let (w, mut how) = self.two(axes)?;
        let is_module = tensor_names::is_of_module(&self.tensor.name);
        let is_turned = match rows {
            Some(rows) if w.nrows() != w.ncols() => w.nrows() != rows && w.ncols() == rows,
            _ => is_module,
        };
        if !is_turned {
            return Ok((w, how));
        }
        how.push(AxisTransform::Turned);
        Ok((w.t().as_standard_layout().into_owned(), how))
    }

    /// W_Q, W_K and W_V out of one matrix: `[d_model, 3·d]`, or `[3·d, d_model]` as PyTorch has it.
    pub(super) fn fused(
        &self,
        width: Option<usize>,
    ) -> Result<([Array2<f32>; 3], Vec<AxisTransform>), Refusal> {
        let axes = "d_model, 3·d";
        let (w, mut how) = self.two(axes)?;
        let is_turned = match width {
            Some(width) => w.nrows() != width && w.ncols() == width,
            None => w.nrows() > w.ncols(),
        };
        let w = if is_turned {
            w.t().as_standard_layout().into_owned()
        } else {
            w
        };
        let third = w.ncols() / 3;
        if third * 3 != w.ncols() {
            return Err(self.axes(axes));
        }
        if is_turned {
            how.push(AxisTransform::Turned);
        }
        how.push(AxisTransform::Thirds);
        let part = |at: usize| w.slice(s![.., at * third..(at + 1) * third]).to_owned();
        Ok(([part(0), part(1), part(2)], how))
    }
}

/// `[a, b, c]` as `[b, a, c]`.
fn rows_second(mut tensor: Array3<f32>) -> Array3<f32> {
    tensor.swap_axes(0, 1);
    tensor.as_standard_layout().into_owned()
}
