//! What a file's settings say, before its tensors are matched.

use attention::{Code, Error};
use model::{ModelConfig, TensorSpec};

use crate::{Family, Origin};

/// A model as its settings describe it.
pub(crate) struct Described {
    pub(crate) family: Family,
    pub(crate) config: ModelConfig,
    /// Whether the attention has biases, where the config gives all linear maps of a layer one.
    pub(crate) attention_biases: bool,
    /// Whether the MLP has.
    pub(crate) mlp_biases: bool,
    /// What the rotary angles are divided by, where the settings say it.
    pub(crate) divisors: Option<Vec<f32>>,
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

    pub(crate) fn with_divisors(mut self, divisors: Option<Vec<f32>>) -> Self {
        self.config.rotary_divisors = divisors.is_some();
        self.divisors = divisors;
        self
    }

    /// Numbers that do not come from the file's tensors.
    pub(crate) fn given(&self, spec: &TensorSpec) -> Option<Origin> {
        if let Some(divisors) = self
            .divisors
            .as_ref()
            .filter(|_| spec.name == "rotary_divisors")
        {
            return Some(Origin::Given(divisors.clone()));
        }
        let has = match spec.name.rsplit('.').next() {
            Some("b_q" | "b_k" | "b_v") => self.attention_biases || self.config.qkv_biases,
            Some("b_o") => self.attention_biases,
            Some("b_up" | "b_gate" | "b_down") => self.mlp_biases,
            _ => true,
        };
        (!has).then_some(Origin::Zeros)
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
