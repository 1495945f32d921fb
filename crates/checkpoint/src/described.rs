//! What a file's settings say, before its tensors are matched.

use attention::{Code, Error};
use model::{ModelConfig, TensorSpec};

use crate::Family;
use crate::divisors::Divisors;

/// A model as its settings describe it.
pub(crate) struct Described {
    pub(crate) family: Family,
    pub(crate) config: ModelConfig,
    /// Whether the attention has biases, where the config gives all linear maps of a layer one.
    pub(crate) attention_biases: bool,
    /// Whether the MLP has.
    pub(crate) mlp_biases: bool,
    /// What the rotary angles are divided by, where the settings say it.
    pub(crate) divisors: Option<Divisors>,
}

impl Described {
    pub(crate) fn new(family: Family, config: ModelConfig) -> Self {
        Self {
            family,
            config,
            attention_biases: config.biases,
            mlp_biases: config.biases,
            divisors: None,
        }
    }

    /// Gives the attention biases, the MLP, or both; where one of them has none, the config has 0 there.
    pub(crate) fn with_biases(mut self, attention: bool, mlp: bool) -> Self {
        self.config.biases = attention || mlp;
        (self.attention_biases, self.mlp_biases) = (attention, mlp);
        self
    }

    pub(crate) fn with_divisors(mut self, divisors: Option<Divisors>) -> Self {
        self.config.rotary_divisors = divisors.is_some();
        self.divisors = divisors;
        self
    }

    /// Whether a tensor is made of the settings.
    pub(crate) fn makes(&self, spec: &TensorSpec) -> bool {
        spec.name == "rotary_divisors" && self.divisors.is_some()
    }

    /// Its numbers. Only for a model whose other tensors are in the file: their count is one that the settings state.
    pub(crate) fn made(&self) -> Result<Vec<f32>, Error> {
        let columns = self.config.rotary_columns.unwrap_or(self.config.d_k);
        let made = self.divisors.map(|divisors| divisors.numbers(columns));
        made.unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Whether it is a bias that the file's model does without.
    pub(crate) fn is_zero(&self, spec: &TensorSpec) -> bool {
        let has = match spec.name.rsplit('.').next() {
            Some("b_q" | "b_k" | "b_v") => self.attention_biases || self.config.qkv_biases,
            Some("b_o") => self.attention_biases,
            Some("b_up" | "b_gate" | "b_down") => self.mlp_biases,
            _ => true,
        };
        !has
    }
}

/// Refuses heads that do not divide what they must.
pub(crate) fn head_width(field: String, d_model: usize, heads: usize) -> Result<usize, Error> {
    if d_model.is_multiple_of(heads) {
        return Ok(d_model / heads);
    }
    let rule = format!("must divide {d_model}, the width of the model");
    Err(Error::new(Code::HeadsDoNotDivide, field, heads, rule))
}
