//! Linear projections: `y = x·w + b`.

use ndarray::{Array1, Array2};

use crate::error::{Error, check_all_finite};

/// A linear map `y = x·w + b` with `w` of shape `[in, out]` and an optional bias `[out]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// The matrix, `[in, out]`.
    pub w: Array2<f32>,
    /// The bias, `[out]`; `None` adds nothing.
    pub b: Option<Array1<f32>>,
}

impl Linear {
    /// A map without bias.
    pub fn without_bias(w: Array2<f32>) -> Self {
        Self { w, b: None }
    }

    /// Refuses values that are not finite and a bias that is not as long as the matrix is wide.
    /// `suffix` is the letter of the public name: `q` for `w_q` and `b_q`.
    pub(crate) fn check(&self, suffix: &str) -> Result<(), Error> {
        check_all_finite(&format!("w_{suffix}"), &self.w)?;
        let Some(bias) = &self.b else { return Ok(()) };
        let field = format!("b_{suffix}");
        if bias.len() != self.w.ncols() {
            let axes = format!("the columns of w_{suffix}");
            return Err(Error::shape(field, bias.shape(), &[self.w.ncols()], &axes));
        }
        check_all_finite(&field, bias)
    }

    /// One entry of `x·w + b` in 64 bit: `Σ_i x[i]·w[i, column] + b[column]`.
    pub(crate) fn entry(&self, x: impl Fn(usize) -> f64, column: usize) -> f64 {
        let bias = self.b.as_ref().map_or(0.0, |b| f64::from(b[column]));
        (0..self.w.nrows())
            .map(|i| x(i) * f64::from(self.w[[i, column]]))
            .sum::<f64>()
            + bias
    }
}
