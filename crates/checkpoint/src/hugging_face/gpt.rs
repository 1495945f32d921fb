//! GPT-2 and GPT-NeoX.

use attention::Error;
use model::{Activation, ModelConfig, ModelPositions, Norm};

use super::{activation, ending};
use crate::Family;
use crate::described::{Described, head_width};
use crate::matching::Index;
use crate::rope::{self, Rope, RopeDefaults};
use crate::settings::Settings;

pub(super) fn gpt2(top: &Settings, index: &Index) -> Result<Described, Error> {
    let rule =
        "must be false: scores that are divided by the number of the layer are not known here";
    top.refuse_true("scale_attn_by_inverse_layer_idx", rule)?;
    top.refuse_true(
        "add_cross_attention",
        "must be false: a decoder without an encoder",
    )?;
    let (d_model, heads) = (top.size("n_embd")?, top.size("n_head")?);
    let d_k = head_width(top.name("n_head"), d_model, heads)?;
    let ending = ending(top, true, index, &["lm_head.weight"])?;
    let start = ModelConfig::new(
        top.size("vocab_size")?,
        top.size("n_positions")?,
        d_model,
        top.size("n_layer")?,
        heads,
    );
    let config = ModelConfig {
        d_k,
        causal: true,
        positions: ModelPositions::Learned,
        norm: Norm::Layer,
        final_norm: true,
        epsilon: top.positive("layer_norm_epsilon")?.unwrap_or(1e-5) as f32,
        mlp: top
            .whole("n_inner", 1)?
            .unwrap_or(d_model.saturating_mul(4)),
        activation: activation(top, "activation_function")?.unwrap_or(Activation::GeluTanh),
        biases: true,
        tied: ending.tied,
        logits: ending.logits,
        scaled: top.flag("scale_attn_weights", true)?,
        ..start
    };
    Ok(Described::new(Family::Gpt2, config))
}

pub(super) fn gpt_neox(top: &Settings, index: &Index) -> Result<Described, Error> {
    let (d_model, heads) = (top.size("hidden_size")?, top.size("num_attention_heads")?);
    let d_k = head_width(top.name("num_attention_heads"), d_model, heads)?;
    let heads_of_words = ["embed_out.weight", "lm_head.weight"];
    let ending = ending(top, false, index, &heads_of_words)?;
    let rope = Rope::read(
        &rope::table(top)?,
        top,
        RopeDefaults {
            base_name: "rotary_emb_base",
            partial: Some(("rotary_pct", 0.25)),
            ..RopeDefaults::USUAL
        },
    )?;
    let start = ModelConfig::new(
        top.size("vocab_size")?,
        top.size("max_position_embeddings")?,
        d_model,
        top.size("num_hidden_layers")?,
        heads,
    );
    let columns = rope.columns(d_k);
    let config = ModelConfig {
        d_k,
        causal: true,
        positions: ModelPositions::Rotary {
            base: rope.base as f32,
        },
        rotary_columns: (columns != d_k).then_some(columns),
        norm: Norm::Layer,
        final_norm: true,
        epsilon: top.positive("layer_norm_eps")?.unwrap_or(1e-5) as f32,
        mlp: top.size("intermediate_size")?,
        activation: activation(top, "hidden_act")?.unwrap_or_default(),
        parallel: top.flag("use_parallel_residual", true)?,
        tied: ending.tied,
        logits: ending.logits,
        ..start
    };
    Ok(Described::new(Family::GptNeoX, config)
        .with_biases(top.flag("attention_bias", true)?, true)
        .with_divisors(rope.divisors))
}
