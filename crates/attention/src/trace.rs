//! The named results of one attention.

use ndarray::{Array3, Array4};

use crate::{Code, Error};

/// Which results a caller wants. Leaving out what is quadratic (`scores`, `weights`) lets long sequences run in linear memory.
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
    /// What either wants.
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

/// What an attention computed. A field is `None` where it was not wanted.
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
    let refuse = || {
        Error::new(
            Code::TooLarge,
            field,
            format!("{shape:?}"),
            "the result does not fit into memory",
        )
    };
    let elements = shape
        .iter()
        .try_fold(1usize, |product, axis| product.checked_mul(*axis))
        .ok_or_else(refuse)?;
    let mut data = Vec::new();
    data.try_reserve_exact(elements).map_err(|_| refuse())?;
    data.resize(elements, 0.0);
    Array4::from_shape_vec(shape, data).map_err(|_| refuse())
}
