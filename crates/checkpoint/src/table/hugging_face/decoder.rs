//! Names of Llama, Mistral, Qwen and Gemma.

use crate::table::How::{AsItIs, PlusOne, Transposed};
use crate::table::{Row, row};

/// What Llama, Mistral, Qwen and Gemma have in common.
pub(super) const DECODER: &[Row] = &[
    row("tokens", "embed_tokens.weight", AsItIs),
    row(
        "layers.{}.w_q",
        "layers.{}.self_attn.q_proj.weight",
        Transposed,
    ),
    row("layers.{}.b_q", "layers.{}.self_attn.q_proj.bias", AsItIs),
    row(
        "layers.{}.w_k",
        "layers.{}.self_attn.k_proj.weight",
        Transposed,
    ),
    row("layers.{}.b_k", "layers.{}.self_attn.k_proj.bias", AsItIs),
    row(
        "layers.{}.w_v",
        "layers.{}.self_attn.v_proj.weight",
        Transposed,
    ),
    row("layers.{}.b_v", "layers.{}.self_attn.v_proj.bias", AsItIs),
    row(
        "layers.{}.w_o",
        "layers.{}.self_attn.o_proj.weight",
        Transposed,
    ),
    row("layers.{}.b_o", "layers.{}.self_attn.o_proj.bias", AsItIs),
    row(
        "layers.{}.w_gate",
        "layers.{}.mlp.gate_proj.weight",
        Transposed,
    ),
    row("layers.{}.b_gate", "layers.{}.mlp.gate_proj.bias", AsItIs),
    row("layers.{}.w_up", "layers.{}.mlp.up_proj.weight", Transposed),
    row("layers.{}.b_up", "layers.{}.mlp.up_proj.bias", AsItIs),
    row(
        "layers.{}.w_down",
        "layers.{}.mlp.down_proj.weight",
        Transposed,
    ),
    row("layers.{}.b_down", "layers.{}.mlp.down_proj.bias", AsItIs),
    row("unembedding", "/lm_head.weight", Transposed),
];

pub(super) const DECODER_NORMS: &[Row] = &[
    row(
        "layers.{}.norm_1.scale",
        "layers.{}.input_layernorm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.q_norm.scale",
        "layers.{}.self_attn.q_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.k_norm.scale",
        "layers.{}.self_attn.k_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.scale",
        "layers.{}.post_attention_layernorm.weight",
        AsItIs,
    ),
    row("norm.scale", "norm.weight", AsItIs),
];

/// Gemma's norms multiply by `1 + weight`; the one with Llama's name for the second stands after the attention.
pub(super) const GEMMA_NORMS: &[Row] = &[
    row(
        "layers.{}.norm_1.scale",
        "layers.{}.input_layernorm.weight",
        PlusOne,
    ),
    row(
        "layers.{}.norm_1_after.scale",
        "layers.{}.post_attention_layernorm.weight",
        PlusOne,
    ),
    row(
        "layers.{}.q_norm.scale",
        "layers.{}.self_attn.q_norm.weight",
        PlusOne,
    ),
    row(
        "layers.{}.k_norm.scale",
        "layers.{}.self_attn.k_norm.weight",
        PlusOne,
    ),
    row(
        "layers.{}.norm_2.scale",
        "layers.{}.pre_feedforward_layernorm.weight",
        PlusOne,
    ),
    row(
        "layers.{}.norm_2_after.scale",
        "layers.{}.post_feedforward_layernorm.weight",
        PlusOne,
    ),
    row("norm.scale", "norm.weight", PlusOne),
];

pub(super) const DECODER_PASSED_OVER: &[&str] = &[
    "layers.{}.self_attn.rotary_emb.inv_freq",
    "rotary_emb.inv_freq",
    "/score.weight",
];
