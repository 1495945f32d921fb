//! Architecture of a model: sizes and switches, without weights.

use attention::{Code, Error, HeadSharing, Pairs, Position, Rotation, Slopes, default_scale};

use super::TensorSpec;
use super::layout::Layout;
use super::local::Local;

/// The most numbers that a model of random ones may have.
pub const MOST_NUMBERS: usize = 1 << 26;
/// The most numbers that a model of given ones may have: 2 GiB.
pub const MOST_GIVEN: usize = 1 << 29;

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
    /// Queries and keys of every layer are rotated ([`Position::Rotary`]).
    Rotary {
        /// Base of the geometric series of wavelengths.
        base: f32,
    },
    /// Distance is subtracted from every layer's scores ([`Position::Alibi`]).
    Alibi,
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
    /// `x + norm(f(norm(x)))`, with numbers of their own (Gemma Team 2024, §2).
    Both,
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
    /// Factor on the scores in place of `1/√d_k`; leaves `scaled` without effect.
    pub score_scale: Option<f32>,
    /// Soft cap of the scores: `cap·tanh(s/cap)` (Gemma Team 2024, §2).
    pub score_cap: Option<f32>,
    /// Soft cap of the logits, likewise.
    pub logit_cap: Option<f32>,
    /// Whether every head's queries and keys have an RMS norm, before they are rotated (Henry et al. 2020).
    pub qk_norm: bool,
    /// The columns that rotary positions rotate together.
    pub rotary_pairs: Pairs,
    /// Slopes of ALiBi.
    pub alibi_slopes: Slopes,
    /// Leading columns of a head that rotary positions rotate, an even number; all without (Black et al. 2022, §2.1.1).
    pub rotary_columns: Option<usize>,
    /// Whether the model has numbers that the rotary angles are divided by, one for each pair; in layers that are not local.
    pub rotary_divisors: bool,
    /// Layers that see only near words.
    pub local: Option<Local>,
    /// Whether attention and MLP read the same rows and are added together: `x + attention(norm(x)) + mlp(norm(x))`, each with a norm
    /// of its own (Wang and Komatsuzaki 2021; Black et al. 2022, §2.1.2). With norms before, and a residual path.
    pub parallel: bool,
    /// Whether the linear maps that make queries, keys and values have biases, also where `biases` is off.
    pub qkv_biases: bool,
    /// Factor on the words' vectors.
    pub embedding_scale: f32,
    /// Whether there is a norm after the embedding (Devlin et al. 2019).
    pub embedding_norm: bool,
    /// Kinds of words, each with a vector that is added (segments of Devlin et al. 2019, §3.2); 0 is none. All words here are of the
    /// first kind.
    pub token_types: usize,
    /// Place of the first word among the learned positions.
    pub first_position: usize,
    /// Whether rows go through `norm(f(x·W + b))` with the MLP's activation `f` before the unembedding, and every word's logit has a bias: the
    /// head for masked words (Devlin et al. 2019, §3.1).
    pub masked_head: bool,
    /// Whether the model ends in logits; without, in the rows after its last layer.
    pub logits: bool,
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
            score_scale: None,
            score_cap: None,
            logit_cap: None,
            qk_norm: false,
            rotary_pairs: Pairs::Halves,
            alibi_slopes: Slopes::Paper,
            rotary_columns: None,
            rotary_divisors: false,
            local: None,
            parallel: false,
            qkv_biases: false,
            embedding_scale: 1.0,
            embedding_norm: false,
            token_types: 0,
            first_position: 0,
            masked_head: false,
            logits: true,
        }
    }

    /// Factor on the scores.
    pub fn scale(&self) -> f32 {
        match (self.score_scale, self.scaled) {
            (Some(scale), _) => scale,
            (None, true) => default_scale(self.d_k),
            (None, false) => 1.0,
        }
    }

    /// Whether a layer sees only near words.
    pub fn is_local(&self, layer: usize) -> bool {
        self.local.is_some_and(|local| local.layers.have(layer))
    }

    /// How a layer's attention treats positions.
    pub fn position_in(&self, layer: usize) -> Position {
        let own_base = self.local.filter(|_| self.is_local(layer));
        match self.positions {
            ModelPositions::None | ModelPositions::Learned | ModelPositions::Sinusoidal => {
                Position::None
            }
            ModelPositions::Rotary { base } => Position::Rotary(Rotation {
                pairs: self.rotary_pairs,
                base: own_base.and_then(|local| local.rotary_base).unwrap_or(base),
                columns: self.rotary_columns,
            }),
            ModelPositions::Alibi => Position::Alibi {
                strength: 1.0,
                slopes: self.alibi_slopes,
            },
        }
    }

    /// Whether a layer divides its rotary angles.
    pub fn divides_angles(&self, layer: usize) -> bool {
        self.rotary_divisors && !self.is_local(layer)
    }

    /// The tensors of such a model, in the order of its numbers.
    ///
    /// # Errors
    /// As [`check`](Self::check); [`Code::TooLarge`] beyond [`MOST_GIVEN`].
    pub fn tensors(&self) -> Result<Vec<TensorSpec>, Error> {
        Layout::new(self, MOST_GIVEN).map(|layout| layout.specs)
    }

    /// Rotated pairs of a head.
    pub(crate) fn rotary_pair_count(&self) -> usize {
        self.rotary_columns.unwrap_or(self.d_k) / 2
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
        if let ModelPositions::Rotary { base } = self.positions {
            positive("rotary_base", base)?;
        }
        super::refined_config::check(self)
    }
}

pub(crate) fn positive(field: &str, value: f32) -> Result<(), Error> {
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
