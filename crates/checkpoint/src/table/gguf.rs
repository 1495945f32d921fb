//! Names of tensors in GGUF files (`gguf` 0.19.0 on PyPI, `constants.py`). Linear maps are `[out, in]` throughout, those of GPT-2 too; the 1 of
//! Gemma's norms is added already.

use super::How::{AsItIs, Neighbours, Rows, Transposed};
use super::{Row, Table, row};
use crate::Family;

/// The table of a family.
pub(crate) const fn table(family: Family) -> Table {
    let rows: &'static [&'static [Row]] = match family {
        Family::Bert | Family::DistilBert | Family::Roberta => &[COMMON, BERT, PLAIN_HEADS],
        Family::Gpt2 | Family::GptNeoX => &[COMMON, FUSED_HEADS, PLAIN_NORMS],
        Family::Llama | Family::Mistral => &[COMMON, NEIGHBOUR_HEADS, PLAIN_NORMS],
        Family::Qwen2 | Family::Qwen3 => &[COMMON, PLAIN_HEADS, PLAIN_NORMS],
        Family::Gemma2 | Family::Gemma3 => &[COMMON, PLAIN_HEADS, GEMMA_NORMS],
    };
    Table {
        prefixes: &[""],
        rows,
        passed_over: &["blk.{}.attn_rot_embd.weight", "cls.*"],
    }
}

const COMMON: &[Row] = &[
    row("tokens", "token_embd.weight", AsItIs),
    row("positions", "position_embd.weight", AsItIs),
    row("rotary_divisors", "rope_freqs.weight", AsItIs),
    row("layers.{}.w_o", "blk.{}.attn_output.weight", Transposed),
    row("layers.{}.b_o", "blk.{}.attn_output.bias", AsItIs),
    row("layers.{}.w_gate", "blk.{}.ffn_gate.weight", Transposed),
    row("layers.{}.b_gate", "blk.{}.ffn_gate.bias", AsItIs),
    row("layers.{}.w_up", "blk.{}.ffn_up.weight", Transposed),
    row("layers.{}.b_up", "blk.{}.ffn_up.bias", AsItIs),
    row("layers.{}.w_down", "blk.{}.ffn_down.weight", Transposed),
    row("layers.{}.b_down", "blk.{}.ffn_down.bias", AsItIs),
    row("norm.scale", "output_norm.weight", AsItIs),
    row("norm.shift", "output_norm.bias", AsItIs),
    row("unembedding", "output.weight", Transposed),
];

const PLAIN_HEADS: &[Row] = &[
    row("layers.{}.w_q", "blk.{}.attn_q.weight", Transposed),
    row("layers.{}.b_q", "blk.{}.attn_q.bias", AsItIs),
    row("layers.{}.w_k", "blk.{}.attn_k.weight", Transposed),
    row("layers.{}.b_k", "blk.{}.attn_k.bias", AsItIs),
    row("layers.{}.w_v", "blk.{}.attn_v.weight", Transposed),
    row("layers.{}.b_v", "blk.{}.attn_v.bias", AsItIs),
];

const NEIGHBOUR_HEADS: &[Row] = &[
    row("layers.{}.w_q", "blk.{}.attn_q.weight", Neighbours),
    row("layers.{}.b_q", "blk.{}.attn_q.bias", Neighbours),
    row("layers.{}.w_k", "blk.{}.attn_k.weight", Neighbours),
    row("layers.{}.b_k", "blk.{}.attn_k.bias", Neighbours),
    row("layers.{}.w_v", "blk.{}.attn_v.weight", Transposed),
    row("layers.{}.b_v", "blk.{}.attn_v.bias", AsItIs),
];

const FUSED_HEADS: &[Row] = &[
    row("layers.{}.w_q", "blk.{}.attn_qkv.weight", Rows(0)),
    row("layers.{}.w_k", "blk.{}.attn_qkv.weight", Rows(1)),
    row("layers.{}.w_v", "blk.{}.attn_qkv.weight", Rows(2)),
    row("layers.{}.b_q", "blk.{}.attn_qkv.bias", Rows(0)),
    row("layers.{}.b_k", "blk.{}.attn_qkv.bias", Rows(1)),
    row("layers.{}.b_v", "blk.{}.attn_qkv.bias", Rows(2)),
];

const PLAIN_NORMS: &[Row] = &[
    row("layers.{}.norm_1.scale", "blk.{}.attn_norm.weight", AsItIs),
    row("layers.{}.norm_1.shift", "blk.{}.attn_norm.bias", AsItIs),
    row(
        "layers.{}.q_norm.scale",
        "blk.{}.attn_q_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.k_norm.scale",
        "blk.{}.attn_k_norm.weight",
        AsItIs,
    ),
    row("layers.{}.norm_2.scale", "blk.{}.ffn_norm.weight", AsItIs),
    row("layers.{}.norm_2.shift", "blk.{}.ffn_norm.bias", AsItIs),
];

const GEMMA_NORMS: &[Row] = &[
    row("layers.{}.norm_1.scale", "blk.{}.attn_norm.weight", AsItIs),
    row(
        "layers.{}.norm_1_after.scale",
        "blk.{}.post_attention_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.q_norm.scale",
        "blk.{}.attn_q_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.k_norm.scale",
        "blk.{}.attn_k_norm.weight",
        AsItIs,
    ),
    row("layers.{}.norm_2.scale", "blk.{}.ffn_norm.weight", AsItIs),
    row(
        "layers.{}.norm_2_after.scale",
        "blk.{}.post_ffw_norm.weight",
        AsItIs,
    ),
];

const BERT: &[Row] = &[
    row("token_types", "token_types.weight", AsItIs),
    row("embedding_norm.scale", "token_embd_norm.weight", AsItIs),
    row("embedding_norm.shift", "token_embd_norm.bias", AsItIs),
    row(
        "layers.{}.norm_1.scale",
        "blk.{}.attn_output_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_1.shift",
        "blk.{}.attn_output_norm.bias",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.scale",
        "blk.{}.layer_output_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.shift",
        "blk.{}.layer_output_norm.bias",
        AsItIs,
    ),
];
