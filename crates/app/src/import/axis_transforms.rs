//! The axis orders in which libraries save tensors, and the transforms to ours.

use std::borrow::Cow;

use ndarray::{Array2, Array3};

use super::series::ChosenTensors;
use super::{Role, finished_weights};
use crate::state::imported::Refusal;
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
    /// Rows of NaN were taken for rows that see no key.
    Emptied(usize),
    /// Rows stood before heads.
    RowsFirst,
    /// Concatenated heads were split.
    Split(usize),
    /// Heads that stood apart were put side by side.
    Joined(usize),
    /// One matrix was split into three.
    Thirds,
    /// The same, head by head.
    ThirdsByHead(usize),
    /// One matrix was split into two.
    Halves,
}

impl AxisTransform {
    /// Which of how many layers or entries was taken, from 1.
    pub(super) fn entry(&self) -> Option<(usize, usize)> {
        match self {
            Self::Entry { at, of } => Some((at + 1, *of)),
            _ => None,
        }
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

/// Transposes keys, if necessary, to match queries of `d_k` numbers.
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
    pub(super) tensor: Cow<'a, Tensor>,
    /// Transforms already applied to it.
    how: Vec<AxisTransform>,
    /// Whether each head is a tensor by itself in the file.
    pub(super) is_by_head: bool,
}

impl<'a> Found<'a> {
    pub(super) const fn new(tensor: &'a Tensor) -> Self {
        Self {
            tensor: Cow::Borrowed(tensor),
            how: Vec::new(),
            is_by_head: false,
        }
    }

    /// Finds the tensor for a role with the given number of axes in a layer: one entry of it, or
    /// the tensors of several heads stacked.
    pub(super) fn new_chosen(
        tensors: &'a [Tensor],
        chosen: &ChosenTensors,
        axes: Option<usize>,
    ) -> Option<Self> {
        let mut own = chosen.tensors.iter().filter_map(|at| tensors.get(*at));
        let first = own.next()?;
        let [at, of, inner] = chosen.entry;
        let rest: Vec<&Tensor> = own.collect();
        let mut found = Self::new(first);
        if !rest.is_empty() && rest.iter().all(|other| other.shape == first.shape) {
            let long = first.shape.iter().position(|length| *length != 1);
            let own = &first.shape[long.unwrap_or(0).min(first.shape.len().saturating_sub(2))..];
            let shape = [&[rest.len() + 1], own].concat();
            let all = [first].into_iter().chain(rest);
            let data = all.flat_map(|own| own.data.iter().copied());
            found.tensor = Cow::Owned(Tensor::new(&first.name, shape, data.collect()));
            found.is_by_head = true;
        } else if let (Some(axes), true) = (axes, inner > 1) {
            let shape = &first.shape[first.shape.len().saturating_sub(axes)..];
            let count: usize = shape.iter().product();
            let from = at % inner * count;
            if let Some(own) = first.data.get(from..from + count) {
                found.tensor = Cow::Owned(Tensor::new(&first.name, shape.to_vec(), own.to_vec()));
            }
        }
        if of > 1 {
            found.how.push(AxisTransform::Entry { at, of });
        }
        Some(found)
    }

    pub(super) fn axes(&self, axes: &'static str) -> Refusal {
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

    pub(super) fn two(
        &self,
        axes: &'static str,
    ) -> Result<(Array2<f32>, Vec<AxisTransform>), Refusal> {
        let (shape, how) = self.shape(2, axes)?;
        let [rows, columns] = *shape else {
            return Err(self.axes(axes));
        };
        let array = Array2::from_shape_vec((rows, columns), self.tensor.data.clone());
        array.map(|array| (array, how)).map_err(|_| self.axes(axes))
    }

    /// A matrix alone is that of one head.
    pub(super) fn three(
        &self,
        axes: &'static str,
    ) -> Result<(Array3<f32>, Vec<AxisTransform>), Refusal> {
        let (shape, how) = self.shape(3, axes)?;
        let lengths = match *shape {
            [rows, columns] => (1, rows, columns),
            [heads, rows, columns] => (heads, rows, columns),
            _ => return Err(self.axes(axes)),
        };
        let array = Array3::from_shape_vec(lengths, self.tensor.data.clone());
        array.map(|array| (array, how)).map_err(|_| self.axes(axes))
    }

    /// Finished weights, whose rows of NaN are rows without a visible key. Where queries are the columns, they change places.
    pub(super) fn weights(
        &self,
        is_transposed: bool,
    ) -> Result<(Array3<f32>, Vec<AxisTransform>), Refusal> {
        let (mut weights, mut how) = self.three("heads, n, m")?;
        if is_transposed {
            how.push(AxisTransform::Turned);
            weights = turned(weights);
        }
        let emptied = finished_weights::empty_nan_rows(&mut weights);
        if emptied > 0 {
            how.push(AxisTransform::Emptied(emptied));
        }
        Ok((weights, how))
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
}

/// `[a, b, c]` as `[b, a, c]`.
pub(super) fn rows_second(mut tensor: Array3<f32>) -> Array3<f32> {
    tensor.swap_axes(0, 1);
    tensor.as_standard_layout().into_owned()
}
