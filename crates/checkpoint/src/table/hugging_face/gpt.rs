//! Names of GPT-2 and GPT-NeoX.

use crate::table::How::{AsItIs, Columns, RowsOfHeads, Transposed};
use crate::table::{Row, row};

pub(super) const GPT2: &[Row] = &[
    row("tokens", "wte.weight", AsItIs),
    row("positions", "wpe.weight", AsItIs),
    row("layers.{}.norm_1.scale", "h.{}.ln_1.weight", AsItIs),
    row("layers.{}.norm_1.shift", "h.{}.ln_1.bias", AsItIs),
    row("layers.{}.w_q", "h.{}.attn.c_attn.weight", Columns(0)),
    row("layers.{}.w_k", "h.{}.attn.c_attn.weight", Columns(1)),
    row("layers.{}.w_v", "h.{}.attn.c_attn.weight", Columns(2)),
    row("layers.{}.b_q", "h.{}.attn.c_attn.bias", Columns(0)),
    row("layers.{}.b_k", "h.{}.attn.c_attn.bias", Columns(1)),
    row("layers.{}.b_v", "h.{}.attn.c_attn.bias", Columns(2)),
    row("layers.{}.w_o", "h.{}.attn.c_proj.weight", AsItIs),
    row("layers.{}.b_o", "h.{}.attn.c_proj.bias", AsItIs),
    row("layers.{}.norm_2.scale", "h.{}.ln_2.weight", AsItIs),
    row("layers.{}.norm_2.shift", "h.{}.ln_2.bias", AsItIs),
    row("layers.{}.w_up", "h.{}.mlp.c_fc.weight", AsItIs),
    row("layers.{}.b_up", "h.{}.mlp.c_fc.bias", AsItIs),
    row("layers.{}.w_down", "h.{}.mlp.c_proj.weight", AsItIs),
    row("layers.{}.b_down", "h.{}.mlp.c_proj.bias", AsItIs),
    row("norm.scale", "ln_f.weight", AsItIs),
    row("norm.shift", "ln_f.bias", AsItIs),
    row("unembedding", "/lm_head.weight", Transposed),
];

pub(super) const GPT_NEOX: &[Row] = &[
    row("tokens", "embed_in.weight", AsItIs),
    row(
        "layers.{}.norm_1.scale",
        "layers.{}.input_layernorm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_1.shift",
        "layers.{}.input_layernorm.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_q",
        "layers.{}.attention.query_key_value.weight",
        RowsOfHeads(0),
    ),
    row(
        "layers.{}.w_k",
        "layers.{}.attention.query_key_value.weight",
        RowsOfHeads(1),
    ),
    row(
        "layers.{}.w_v",
        "layers.{}.attention.query_key_value.weight",
        RowsOfHeads(2),
    ),
    row(
        "layers.{}.b_q",
        "layers.{}.attention.query_key_value.bias",
        RowsOfHeads(0),
    ),
    row(
        "layers.{}.b_k",
        "layers.{}.attention.query_key_value.bias",
        RowsOfHeads(1),
    ),
    row(
        "layers.{}.b_v",
        "layers.{}.attention.query_key_value.bias",
        RowsOfHeads(2),
    ),
    row(
        "layers.{}.w_o",
        "layers.{}.attention.dense.weight",
        Transposed,
    ),
    row("layers.{}.b_o", "layers.{}.attention.dense.bias", AsItIs),
    row(
        "layers.{}.norm_2.scale",
        "layers.{}.post_attention_layernorm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.shift",
        "layers.{}.post_attention_layernorm.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_up",
        "layers.{}.mlp.dense_h_to_4h.weight",
        Transposed,
    ),
    row("layers.{}.b_up", "layers.{}.mlp.dense_h_to_4h.bias", AsItIs),
    row(
        "layers.{}.w_down",
        "layers.{}.mlp.dense_4h_to_h.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_down",
        "layers.{}.mlp.dense_4h_to_h.bias",
        AsItIs,
    ),
    row("norm.scale", "final_layer_norm.weight", AsItIs),
    row("norm.shift", "final_layer_norm.bias", AsItIs),
    row("unembedding", "/embed_out.weight", Transposed),
    row("unembedding", "/lm_head.weight", Transposed),
];
