//! Kinds of layers over the sequence length n: closed formulas.
//!
//! Attention layers are self-attention with dot scores, `heads` query heads, W_O and no positions, as
//! [`Plan::full`](crate::plan::Plan::full) counts them; where a mask hides cells, as a kernel that skips them would compute
//! it. Linear, recurrent and convolutional layers keep the width d_model (Vaswani et al. 2017, §3.3 and table 1).

use super::BYTES_PER_NUMBER;

/// The sizes that the formulas need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dims {
    /// Width of the inputs, d.
    pub d_model: f64,
    /// Query heads, h.
    pub heads: f64,
    /// Width of one head's queries, keys and values.
    pub d_k: f64,
    /// Width of the output.
    pub d_out: f64,
    /// Reach of the local layer to either side, w.
    pub window: f64,
    /// Distance of visible keys in the strided layer, s.
    pub stride: f64,
    /// Rows that Linformer projects keys and values to, k.
    pub projected: f64,
    /// Width of the convolution's kernel.
    pub kernel: f64,
}

/// A kind of layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Every query with every key (Vaswani et al. 2017).
    Full,
    /// Keys up to the query.
    Causal,
    /// Keys no further than w from the query (Beltagy et al. 2020; table 1's "restricted").
    Local,
    /// Every s-th key (Child et al. 2019).
    Strided,
    /// Keys and values projected to k rows (Wang et al. 2020).
    Linformer,
    /// One head of keys and values for all query heads (Shazeer 2019).
    MultiQuery,
    /// One product `x_t·W` for each position, with the same `d × d` parameters at all of them.
    Linear,
    /// `h_t = tanh(W_x·x_t + W_h·h_{t−1})`, one position after the other (Elman 1990).
    Recurrent,
    /// A convolution along the sequence, separate for no channel.
    Convolutional,
}

/// Measure of a layer's cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Measure {
    /// FLOPs of the whole layer, projections and all.
    #[default]
    Flops,
    /// The leading term, as table 1 counts it: no projections, no constant factor.
    Leading,
    /// Bytes held at once, the whole score matrix among them.
    Memory,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Flops, Self::Leading, Self::Memory];
}

impl Layer {
    /// All of them, attention first.
    pub const ALL: [Self; 9] = [
        Self::Full,
        Self::Causal,
        Self::Local,
        Self::Strided,
        Self::Linformer,
        Self::MultiQuery,
        Self::Linear,
        Self::Recurrent,
        Self::Convolutional,
    ];

    /// Whether it is an attention.
    pub const fn is_attention(self) -> bool {
        !matches!(self, Self::Linear | Self::Recurrent | Self::Convolutional)
    }

    /// The amount at `n`, which need not be whole.
    pub fn amount(self, measure: Measure, n: f64, dims: &Dims) -> f64 {
        match measure {
            Measure::Flops => self.flops(n, dims),
            Measure::Leading => self.leading(n, dims),
            Measure::Memory => self.memory(n, dims),
        }
    }

    /// FLOPs of the whole layer: 2 for a multiply-add; a visible cell takes 1 for the scale and 5 for the softmax.
    pub fn flops(self, n: f64, dims: &Dims) -> f64 {
        let d = dims.d_model;
        match self {
            Self::Linear => 2.0 * n * d * d,
            Self::Recurrent => 4.0 * n * d * d + n * d,
            Self::Convolutional => 2.0 * dims.kernel * n * d * d,
            _ => {
                let shortened = match self {
                    Self::Linformer => 2.0 * dims.projected * n * dims.heads * dims.d_k,
                    _ => 0.0,
                };
                let each = 4.0 * dims.d_k + 6.0;
                let scores = dims.heads * self.cells(n, dims);
                2.0 * (n * self.weights(dims) + shortened) + scores * each
            }
        }
    }

    /// Table 1's term: n²·d for attention, where d is the width of all heads together; n·d² for linear layers and recurrence.
    pub fn leading(self, n: f64, dims: &Dims) -> f64 {
        let (d, wide) = (dims.d_model, dims.heads * dims.d_k);
        match self {
            Self::Full | Self::Causal | Self::MultiQuery => n * n * wide,
            Self::Local => n * n.min(2.0 * dims.window + 1.0) * wide,
            Self::Strided => n * n * wide / dims.stride,
            Self::Linformer => n * dims.projected * wide,
            Self::Linear | Self::Recurrent => n * d * d,
            Self::Convolutional => dims.kernel * n * d * d,
        }
    }

    /// Bytes held at once: weights, inputs and their copy, activations, and the score matrix of visible cells.
    pub fn memory(self, n: f64, dims: &Dims) -> f64 {
        let d = dims.d_model;
        let numbers = match self {
            Self::Linear => d * d + 3.0 * n * d,
            Self::Recurrent => 2.0 * d * d + 3.0 * n * d,
            Self::Convolutional => dims.kernel * d * d + 3.0 * n * d,
            _ => {
                let row = dims.heads * dims.d_k;
                let kept = n * (2.0 * d + 3.0 * row + 2.0 * self.shared(dims) + dims.d_out);
                let shortened = match self {
                    Self::Linformer => 2.0 * dims.projected * (n + row),
                    _ => 0.0,
                };
                self.weights(dims) + kept + shortened + dims.heads * self.cells(n, dims)
            }
        };
        numbers * BYTES_PER_NUMBER as f64
    }

    /// Width of the keys (and of the values) of all their heads.
    fn shared(self, dims: &Dims) -> f64 {
        match self {
            Self::MultiQuery => dims.d_k,
            _ => dims.heads * dims.d_k,
        }
    }

    /// Numbers of W_Q, W_K, W_V and W_O: multiply-adds of a row of the projections.
    fn weights(self, dims: &Dims) -> f64 {
        let row = dims.heads * dims.d_k;
        dims.d_model * (row + 2.0 * self.shared(dims)) + row * dims.d_out
    }

    /// Visible cells of one head's score matrix; a smooth number of n between whole ones.
    fn cells(self, n: f64, dims: &Dims) -> f64 {
        match self {
            Self::Causal => n * (n + 1.0) / 2.0,
            Self::Local => {
                let window = dims.window.min(n - 1.0);
                n * (2.0 * window + 1.0) - window * (window + 1.0)
            }
            Self::Strided => {
                let whole = (n / dims.stride).floor();
                let rest = n - whole * dims.stride;
                rest * (whole + 1.0) * (whole + 1.0) + (dims.stride - rest) * whole * whole
            }
            Self::Linformer => n * dims.projected,
            _ => n * n,
        }
    }
}
