//! The named results of one attention.

use ndarray::{Array3, Array4};

use crate::{Code, Error};

/// Requested results. Leaving out the quadratic ones (`scores`, `weights`) lets long sequences run
/// in linear memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    /// Queries.
    pub q: bool,
    /// Keys.
    pub k: bool,
    /// Values.
    pub v: bool,
    /// Scores before mask and temperature.
    pub scores: bool,
    /// Attention weights.
    pub weights: bool,
    /// Weighted sums of values, per head.
    pub context: bool,
    /// The output.
    pub output: bool,
    /// Measures of each head's weights.
    pub stats: bool,
}

impl Outputs {
    /// Everything.
    pub const ALL: Self = Self {
        q: true,
        k: true,
        v: true,
        scores: true,
        weights: true,
        context: true,
        output: true,
        stats: true,
    };
    /// Returns the union of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self {
            q: self.q || other.q,
            k: self.k || other.k,
            v: self.v || other.v,
            scores: self.scores || other.scores,
            weights: self.weights || other.weights,
            context: self.context || other.context,
            output: self.output || other.output,
            stats: self.stats || other.stats,
        }
    }

    /// Nothing.
    pub const NOTHING: Self = Self {
        q: false,
        k: false,
        v: false,
        scores: false,
        weights: false,
        context: false,
        output: false,
        stats: false,
    };
}

/// Results of an attention run. A field is `None` if it was not requested.
///
/// Numbers are `f32` from the backends and `f64` from the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace<T> {
    /// Queries as they enter the scores, `[batch, heads, n, d_k]`: rotated with rotary positions.
    pub q: Option<Array4<T>>,
    /// Keys, `[batch, kv_heads, m, d_k]`, rotated with rotary positions, before any projection along the sequence.
    pub k: Option<Array4<T>>,
    /// Values, `[batch, kv_heads, m, d_v]`, before any projection along the sequence.
    pub v: Option<Array4<T>>,
    /// Scores, `[batch, heads, n, keys]`, scaled and less ALiBi's penalty, before mask and temperature.
    pub scores: Option<Array4<T>>,
    /// Attention weights, `[batch, heads, n, keys]`; a row sums to 1, or is zero where nothing is visible. With a
    /// mask after the softmax it sums to the share that was visible.
    pub weights: Option<Array4<T>>,
    /// Weighted sums of values, `[batch, heads, n, d_v]`.
    pub context: Option<Array4<T>>,
    /// Output, `[batch, n, d_out]`.
    pub output: Option<Array3<T>>,
    /// Rows of the mask in which nothing is visible ([`Mask::empty_rows`](crate::Mask::empty_rows)); 0 where hidden
    /// scores are overwritten by a number instead.
    pub empty_rows: usize,
}

/// Zeros of a shape.
///
/// # Errors
/// [`Code::TooLarge`], naming `field`, where the machine does not have the memory.
pub fn zeros4(field: &str, shape: [usize; 4]) -> Result<Array4<f32>, Error> {
    // Only to report a lack of memory: `Array4::zeros` would abort.
    Rows::reserve(field, shape).map(drop)?;
    Ok(Array4::zeros(shape))
}

/// An array `[batch, heads, n, columns]` that is written row after row, and not with zeros first.
pub(crate) struct Rows {
    shape: [usize; 4],
    numbers: Vec<f32>,
}

impl Rows {
    /// Takes the memory.
    pub(crate) fn reserve(field: &str, shape: [usize; 4]) -> Result<Self, Error> {
        let refuse = || {
            let rule = "the result does not fit into memory";
            Error::new(Code::TooLarge, field, format!("{shape:?}"), rule)
        };
        // Arrays count the axes of an empty one too.
        let axes = shape.iter().map(|axis| *axis.max(&1));
        axes.clone()
            .try_fold(1isize, |product, axis| {
                product.checked_mul(axis.try_into().ok()?)
            })
            .ok_or_else(refuse)?;
        let length = shape.iter().product();
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(length).map_err(|_| refuse())?;
        Ok(Self { shape, numbers })
    }

    /// Writes the next numbers.
    pub(crate) fn extend(&mut self, numbers: impl IntoIterator<Item = f32>) {
        self.numbers.extend(numbers);
    }

    /// [`extend`](Self::extend) with numbers that lie one after the other.
    pub(crate) fn extend_from_slice(&mut self, numbers: &[f32]) {
        self.numbers.extend_from_slice(numbers);
    }

    /// Returns the array, with zeros for unwritten entries.
    pub(crate) fn into_array(mut self) -> Array4<f32> {
        self.numbers.resize(self.shape.iter().product(), 0.0);
        Array4::from_shape_vec(self.shape, self.numbers).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_where_they_were_written_and_zeros_after_them() {
        let mut rows = Rows::reserve("scores", [1, 2, 1, 3]).expect("six numbers");
        rows.extend_from_slice(&[1.0, 2.0]);
        rows.extend([3.0, 4.0]);
        let array = rows.into_array();
        let wanted = ndarray::arr3(&[[[1.0, 2.0, 3.0]], [[4.0, 0.0, 0.0]]]);
        assert_eq!(array, wanted.insert_axis(ndarray::Axis(0)));
    }

    #[test]
    fn shapes_beyond_memory_are_refused_also_where_they_are_empty() {
        let half = usize::MAX / 2;
        for shape in [[1, 1, half, half], [half, 3, 1, 1], [0, 1, half, 3]] {
            let error = zeros4("weights", shape).expect_err("too large");
            assert_eq!(
                (error.code, error.field.as_str()),
                (Code::TooLarge, "weights")
            );
        }
        let empty = zeros4("weights", [2, 0, 5, 1]).expect("nothing");
        assert_eq!(empty.shape(), [2, 0, 5, 1]);
    }
}
