//! Sinusoidal positions.

use ndarray::Array2;

/// Whether positions are added to the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Position {
    /// The inputs are used as they are.
    #[default]
    None,
    /// [`sinusoidal_encoding`] is added to queries' and keys' inputs.
    Sinusoidal,
}

/// One entry of the encoding, in 64 bit.
///
/// `PE[pos, 2i] = sin(pos / 10000^(2i/d_model))`, `PE[pos, 2i+1] = cos(pos / 10000^(2i/d_model))`
/// (Vaswani et al. 2017, §3.5). An odd `d_model` ends on a sine.
pub fn sinusoid(pos: usize, column: usize, d_model: usize) -> f64 {
    let pair = (column / 2 * 2) as f64;
    let angle = pos as f64 / libm::pow(10_000.0, pair / d_model as f64);
    if column.is_multiple_of(2) {
        libm::sin(angle)
    } else {
        libm::cos(angle)
    }
}

/// The encoding of positions `0..n`, shape `[n, d_model]`, rounded once to 32 bit.
///
/// Computed without the platform's own mathematics library, so that every machine gets the same bits.
pub fn sinusoidal_encoding(n: usize, d_model: usize) -> Array2<f32> {
    Array2::from_shape_fn((n, d_model), |(pos, column)| {
        sinusoid(pos, column, d_model) as f32
    })
}
