//! Architecture of a model: sizes and switches, without weights.

use attention::{Code, Error, HeadSharing, Position};

/// The most numbers that a model may have.
pub const MOST_NUMBERS: usize = 1 << 26;

/// Where the order of the words enters a model.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ModelPositions {
    /// Nowhere.
    None,
    /// A learned vector for each place is added to the word's (Gehring et al. 2017).
    #[default]
    Learned,
    /// [`sinusoidal_encoding`](attention::sinusoidal_encoding) is added to the word's vector.
    Sinusoidal,
    /// Queries and keys of every layer are rotated, pairs `i` and `i + d_k/2` ([`Position::RotaryHalves`]).
    Rotary {
        /// Base of the geometric series of wavelengths.
        base: f32,
    },
    /// Distance is subtracted from every layer's scores ([`Position::AlibiGeometric`]).
    Alibi,
}

impl ModelPositions {
    /// Returns how a layer's attention treats positions.
    pub const fn in_layer(self) -> Position {
        match self {
            Self::None | Self::Learned | Self::Sinusoidal => Position::None,
            Self::Rotary { base } => Position::RotaryHalves { base },
            Self::Alibi => Position::AlibiGeometric,
        }
    }
}

/// How rows are normalized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Norm {
    /// Not at all.
    #[default]
    None,
    /// To mean 0 and variance 1 (Ba et al. 2016, eq. 4).
    Layer,
    /// To a mean square of 1 (Zhang and Sennrich 2019, eq. 4).
    Rms,
}

/// Where a layer's norms stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NormPlace {
    /// `x + f(norm(x))` (Xiong et al. 2020).
    #[default]
    Before,
    /// `norm(x + f(x))` (Vaswani et al. 2017, §3.1).
    After,
}

/// Activation function between the two products of an MLP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Activation {
    /// `max(0, x)`.
    Relu,
    /// `x·Φ(x)` with the normal distribution's `Φ` (Hendrycks and Gimpel 2016).
    #[default]
    Gelu,
    /// `x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))`.
    GeluTanh,
    /// `x/(1 + e^(−x))`.
    Silu,
}

/// Sizes and switches of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelConfig {
    /// Number of words.
    pub vocabulary: usize,
    /// Longest sequence.
    pub length: usize,
    /// Width of the residual path.
    pub d_model: usize,
    /// Layers, each of attention and, where `mlp` is not 0, an MLP.
    pub layers: usize,
    /// Query heads.
    pub heads: usize,
    /// Key/value heads.
    pub kv_heads: usize,
    /// Width of a head's queries, keys and values.
    pub d_k: usize,
    /// Whether a word sees no later ones.
    pub causal: bool,
    /// Where the order of the words enters.
    pub positions: ModelPositions,
    /// How rows are normalized.
    pub norm: Norm,
    /// Where the norms stand.
    pub norm_place: NormPlace,
    /// Whether there is a norm before the unembedding.
    pub final_norm: bool,
    /// Added to the variance under the norm's root.
    pub epsilon: f32,
    /// Width of the MLP's hidden rows; 0 is none.
    pub mlp: usize,
    /// The MLP's activation.
    pub activation: Activation,
    /// Whether the activation multiplies a second projection (Shazeer 2020, eq. 5).
    pub gated: bool,
    /// Whether linear maps of the layers have biases.
    pub biases: bool,
    /// Whether the unembedding is the embedding transposed (Press and Wolf 2017).
    pub tied: bool,
    /// Whether a layer's parts add to their input instead of taking its place (He et al. 2016).
    pub residual: bool,
    /// Whether scores are divided by `√d_k`.
    pub scaled: bool,
}

impl ModelConfig {
    /// A stack without norms and MLP, with learned positions and scaled scores; every head has keys of its own.
    pub const fn new(
        vocabulary: usize,
        length: usize,
        d_model: usize,
        layers: usize,
        heads: usize,
    ) -> Self {
        Self {
            vocabulary,
            length,
            d_model,
            layers,
            heads,
            kv_heads: heads,
            d_k: match d_model.checked_div(heads) {
                Some(d_k) => d_k,
                None => 0,
            },
            causal: false,
            positions: ModelPositions::Learned,
            norm: Norm::None,
            norm_place: NormPlace::Before,
            final_norm: false,
            epsilon: 1e-5,
            mlp: 0,
            activation: Activation::Gelu,
            gated: false,
            biases: false,
            tied: false,
            residual: true,
            scaled: true,
        }
    }

    /// Refuses sizes of 0, heads that do not divide, and numbers that are not positive where they must be.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`], [`Code::KvHeadsDoNotDivide`], [`Code::NotFinite`], [`Code::UnknownOption`].
    pub fn check(&self) -> Result<(), Error> {
        let sizes = [
            ("vocabulary", self.vocabulary),
            ("length", self.length),
            ("d_model", self.d_model),
            ("layers", self.layers),
            ("heads", self.heads),
            ("d_k", self.d_k),
        ];
        if let Some((field, size)) = sizes.into_iter().find(|(_, size)| *size == 0) {
            let rule = "must be a whole number of at least 1";
            return Err(Error::new(Code::ShapeMismatch, field, size, rule));
        }
        HeadSharing::new(self.heads, self.kv_heads)?;
        positive("epsilon", self.epsilon)?;
        match self.positions {
            ModelPositions::Rotary { base } => positive("rotary_base", base),
            _ => Ok(()),
        }
    }
}

fn positive(field: &str, value: f32) -> Result<(), Error> {
    let code = if !value.is_finite() {
        Code::NotFinite
    } else if value <= 0.0 {
        Code::UnknownOption
    } else {
        return Ok(());
    };
    Err(Error::new(
        code,
        field,
        value,
        "must be a finite number above 0",
    ))
}
