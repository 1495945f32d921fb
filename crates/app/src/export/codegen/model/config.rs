//! A model's config as JavaScript writes it.

use attention::Slopes;
use model::{Activation, ModelConfig, ModelPositions, Norm, NormPlace};

/// The config for `attentionPlayground.model`, with every field that is not as it would be without it.
pub fn javascript(config: &ModelConfig) -> String {
    let c = config;
    let usual = ModelConfig::new(c.vocabulary, c.length, c.d_model, c.layers, c.heads);
    let mut fields: Vec<(&str, String)> = vec![
        ("vocabulary", c.vocabulary.to_string()),
        ("length", c.length.to_string()),
        ("d_model", c.d_model.to_string()),
        ("layers", c.layers.to_string()),
        ("heads", c.heads.to_string()),
    ];
    let mut add = |is_other: bool, name: &'static str, value: String| {
        if is_other {
            fields.push((name, value));
        }
    };
    add(
        c.kv_heads != usual.kv_heads,
        "kv_heads",
        c.kv_heads.to_string(),
    );
    add(c.d_k != usual.d_k, "d_k", c.d_k.to_string());
    add(c.causal, "mask", quoted("causal"));
    add(
        c.positions != usual.positions,
        "positions",
        quoted(positions(c.positions)),
    );
    if let ModelPositions::Rotary { base } = c.positions {
        add(true, "rotary_base", base.to_string());
        let is_usual = c.rotary_pairs == usual.rotary_pairs;
        add(!is_usual, "pairs", quoted("neighbours"));
    }
    let is_power = c.alibi_slopes == Slopes::Power;
    add(is_power, "slopes", quoted("power"));
    add(c.norm != usual.norm, "norm", quoted(norm(c.norm)));
    add(
        c.norm_place == NormPlace::After,
        "norm_place",
        quoted("after"),
    );
    add(c.final_norm, "final_norm", true.to_string());
    add(c.epsilon != usual.epsilon, "epsilon", c.epsilon.to_string());
    add(c.mlp > 0, "mlp", c.mlp.to_string());
    add(
        c.activation != usual.activation,
        "activation",
        quoted(activation(c.activation)),
    );
    add(c.gated, "gated", true.to_string());
    add(c.biases, "biases", true.to_string());
    add(c.tied, "tied", true.to_string());
    add(!c.residual, "residual", false.to_string());
    add(!c.scaled, "scaled", false.to_string());
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\": {value}"))
        .collect();
    format!("{{ {} }}", fields.join(", "))
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn positions(positions: ModelPositions) -> &'static str {
    match positions {
        ModelPositions::None => "none",
        ModelPositions::Learned => "learned",
        ModelPositions::Sinusoidal => "sinusoidal",
        ModelPositions::Rotary { .. } => "rotary",
        ModelPositions::Alibi => "alibi",
    }
}

fn norm(norm: Norm) -> &'static str {
    match norm {
        Norm::None => "none",
        Norm::Layer => "layer",
        Norm::Rms => "rms",
    }
}

fn activation(activation: Activation) -> &'static str {
    match activation {
        Activation::Relu => "relu",
        Activation::Gelu => "gelu",
        Activation::GeluTanh => "gelu_tanh",
        Activation::Silu => "silu",
    }
}
