//! Projections and their biases, in every order of axes in which libraries save them.

use ndarray::{Array1, Array2, Array3, s};

use super::axis_transforms::{Found, rows_second};
use super::{AxisTransform, tensor_names};
use crate::state::imported::Refusal;

type Read<T> = Result<(T, Vec<AxisTransform>), Refusal>;

/// Layout of several matrices in one.
#[derive(Clone, Copy)]
pub(super) struct Fusion {
    /// The length of inputs, where it is known.
    pub(super) width: Option<usize>,
    /// Columns of the queries, if the output projection determines them.
    pub(super) merged: Option<usize>,
    /// Heads, which matter where each head's matrices stand together.
    pub(super) heads: usize,
}

impl Fusion {
    /// Columns of queries, keys and values out of `all`: alike, or what the output projection leaves to keys and values.
    fn widths(&self, all: usize) -> Option<[usize; 3]> {
        let fewer = |merged: usize| {
            let rest = all.checked_sub(merged)?;
            let is_grouped = rest > 0 && rest < 2 * merged && rest.is_multiple_of(2);
            is_grouped.then_some([merged, rest / 2, rest / 2])
        };
        let alike = all.is_multiple_of(3).then_some([all / 3; 3]);
        self.merged.and_then(fewer).or(alike)
    }
}

/// Along which axis of a tensor for each head the heads stand.
pub(super) fn heads_axis(name: &str, shape: &[usize], rows: Option<usize>) -> usize {
    let is_first_input = rows.is_some_and(|rows| shape[0] == rows && shape[1] != rows);
    let is_second_input = rows.is_some_and(|rows| shape[1] == rows && shape[0] != rows);
    usize::from(is_first_input || tensor_names::is_kernel(name) && !is_second_input)
}

impl Found<'_> {
    /// A vector, whatever axes of length 1 it has besides; one for each head is put side by side.
    pub(super) fn one(&self) -> Result<Array1<f32>, Refusal> {
        let long = self.tensor.shape.iter().filter(|length| **length != 1);
        if long.count() > 2 {
            Err(self.axes("d"))
        } else {
            Ok(Array1::from_vec(self.tensor.data.clone()))
        }
    }

    /// The biases of several matrices in one.
    pub(super) fn biases(&self, fusion: Fusion) -> Result<[Array1<f32>; 3], Refusal> {
        let all = self.one()?;
        let row = all.insert_axis(ndarray::Axis(0));
        let by_head = tensor_names::is_fused_by_head(&self.tensor.name);
        let parts = split(row, fusion, by_head).ok_or_else(|| self.axes("3·d"))?;
        Ok(parts.map(Array1::from_iter))
    }

    /// The biases of keys and values in one.
    pub(super) fn pair_of_biases(&self) -> Result<[Array1<f32>; 2], Refusal> {
        let all = self.one()?;
        let half = all.len() / 2;
        if half * 2 != all.len() {
            return Err(self.axes("2·d"));
        }
        Ok([
            all.slice(s![..half]).to_owned(),
            all.slice(s![half..]).to_owned(),
        ])
    }

    /// A weight matrix `[rows, columns]`; one for each head is put side by side, or above each other where it is W_O.
    pub(super) fn matrix(
        &self,
        rows: Option<usize>,
        is_output: bool,
        is_turned: Option<bool>,
    ) -> Read<Array2<f32>> {
        let axes = "d_model, heads·d_k";
        if self.tensor.shape.len() == 3 && (self.tensor.shape[0] > 1 || self.is_by_head) {
            return self.joined(rows, is_output);
        }
        let (w, mut how) = self.two(axes)?;
        let is_module = tensor_names::is_of_module(&self.tensor.name);
        let is_turned = match rows {
            Some(rows) if w.nrows() != w.ncols() => w.nrows() != rows && w.ncols() == rows,
            _ => is_turned.unwrap_or(is_module),
        };
        if !is_turned {
            return Ok((w, how));
        }
        how.push(AxisTransform::Turned);
        Ok((turned(&w), how))
    }

    fn joined(&self, rows: Option<usize>, is_output: bool) -> Read<Array2<f32>> {
        let axes = "d_model, heads·d_k";
        let name = &self.tensor.name;
        let (mut all, mut how) = self.three(axes)?;
        if self.is_by_head && tensor_names::is_of_module(name) {
            how.push(AxisTransform::Turned);
            all.swap_axes(1, 2);
        }
        let shape = all.shape().to_vec();
        let is_by_input = !is_output && !self.is_by_head && heads_axis(name, &shape, rows) == 1;
        let (count, first, second) = all.dim();
        let joined: Array3<f32> = if is_output || is_by_input {
            all.as_standard_layout().into_owned()
        } else {
            rows_second(all)
        };
        how.push(AxisTransform::Joined(if is_by_input {
            first
        } else {
            count
        }));
        let lengths = match (is_output, is_by_input) {
            (true, _) => (count * first, second),
            (false, true) => (count, first * second),
            (false, false) => (first, count * second),
        };
        let joined = joined.into_shape_with_order(lengths);
        joined
            .map(|joined| (joined, how))
            .map_err(|_| self.axes(axes))
    }

    /// W_Q, W_K and W_V out of one matrix: `[d_model, 3·d]`, or `[3·d, d_model]` as PyTorch has it.
    pub(super) fn fused(&self, fusion: Fusion) -> Read<[Array2<f32>; 3]> {
        let axes = "d_model, 3·d";
        let (w, mut how) = self.flat(axes, fusion.width)?;
        let by_head = tensor_names::is_fused_by_head(&self.tensor.name) && fusion.heads > 1;
        how.push(if by_head {
            AxisTransform::ThirdsByHead(fusion.heads)
        } else {
            AxisTransform::Thirds
        });
        let parts = split(w, fusion, by_head).ok_or_else(|| self.axes(axes))?;
        Ok((parts, how))
    }

    /// W_K and W_V out of one matrix.
    pub(super) fn pair(&self, width: usize) -> Read<[Array2<f32>; 2]> {
        let axes = "d_model, 2·d";
        let (w, mut how) = self.flat(axes, Some(width))?;
        let half = w.ncols() / 2;
        if half * 2 != w.ncols() {
            return Err(self.axes(axes));
        }
        how.push(AxisTransform::Halves);
        let part = |at: usize| w.slice(s![.., at * half..(at + 1) * half]).to_owned();
        Ok(([part(0), part(1)], how))
    }

    /// Several matrices side by side.
    fn flat(&self, axes: &'static str, width: Option<usize>) -> Read<Array2<f32>> {
        let (w, mut how) = self.two(axes)?;
        let is_turned = match width {
            Some(width) if w.nrows() != w.ncols() => w.nrows() != width && w.ncols() == width,
            Some(_) => tensor_names::is_of_module(&self.tensor.name),
            None => w.nrows() > w.ncols(),
        };
        if !is_turned {
            return Ok((w, how));
        }
        how.push(AxisTransform::Turned);
        Ok((turned(&w), how))
    }
}

fn turned(w: &Array2<f32>) -> Array2<f32> {
    w.t().as_standard_layout().into_owned()
}

/// Columns of queries, keys and values, one after another or head by head.
fn split(all: Array2<f32>, fusion: Fusion, by_head: bool) -> Option<[Array2<f32>; 3]> {
    let (rows, columns) = all.dim();
    let heads = fusion.heads;
    if by_head && heads > 1 {
        let d = columns / (3 * heads);
        let apart = all.into_shape_with_order((rows, heads, 3, d)).ok()?;
        return [0, 1, 2]
            .map(|at| {
                let part = apart
                    .slice(s![.., .., at, ..])
                    .as_standard_layout()
                    .into_owned();
                part.into_shape_with_order((rows, heads * d)).ok()
            })
            .into_iter()
            .collect::<Option<Vec<_>>>()?
            .try_into()
            .ok();
    }
    let [q, k, v] = fusion.widths(columns)?;
    let part = |from: usize, width: usize| all.slice(s![.., from..from + width]).to_owned();
    Some([part(0, q), part(q, k), part(q + k, v)])
}
