//! Names of tensors in Hugging Face's files, as the models of transformers 5.24 save them. Linear maps are `[out, in]`, except in GPT-2, whose
//! `Conv1D` is `[in, out]`.

use super::How::{AsItIs, Columns, PlusOne, RowsOfHeads, Transposed};
use super::{Row, Table, row};
use crate::Family;

/// The table of a family.
pub(crate) const fn table(family: Family) -> Table {
    match family {
        Family::Bert => Table {
            prefixes: &["bert.", ""],
            rows: &[BERT],
            passed_over: BERT_PASSED_OVER,
        },
        Family::Roberta => Table {
            prefixes: &["roberta.", ""],
            rows: &[BERT],
            passed_over: BERT_PASSED_OVER,
        },
        Family::DistilBert => Table {
            prefixes: &["distilbert.", ""],
            rows: &[DISTILBERT],
            passed_over: DISTILBERT_PASSED_OVER,
        },
        Family::Gpt2 => Table {
            prefixes: &["transformer.", ""],
            rows: &[GPT2],
            passed_over: &["h.{}.attn.bias", "h.{}.attn.masked_bias", "/score.weight"],
        },
        Family::GptNeoX => Table {
            prefixes: &["gpt_neox.", ""],
            rows: &[GPT_NEOX],
            passed_over: &[
                "layers.{}.attention.bias",
                "layers.{}.attention.masked_bias",
                "layers.{}.attention.rotary_emb.inv_freq",
                "rotary_emb.inv_freq",
            ],
        },
        Family::Llama | Family::Mistral | Family::Qwen2 | Family::Qwen3 => Table {
            prefixes: &["model.", ""],
            rows: &[DECODER, DECODER_NORMS],
            passed_over: DECODER_PASSED_OVER,
        },
        Family::Gemma2 | Family::Gemma3 => Table {
            prefixes: &["model.", ""],
            rows: &[DECODER, GEMMA_NORMS],
            passed_over: DECODER_PASSED_OVER,
        },
    }
}

const BERT: &[Row] = &[
    row("tokens", "embeddings.word_embeddings.weight", AsItIs),
    row("positions", "embeddings.position_embeddings.weight", AsItIs),
    row(
        "token_types",
        "embeddings.token_type_embeddings.weight",
        AsItIs,
    ),
    row(
        "embedding_norm.scale",
        "embeddings.LayerNorm.weight",
        AsItIs,
    ),
    row("embedding_norm.shift", "embeddings.LayerNorm.bias", AsItIs),
    row(
        "layers.{}.w_q",
        "encoder.layer.{}.attention.self.query.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_q",
        "encoder.layer.{}.attention.self.query.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_k",
        "encoder.layer.{}.attention.self.key.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_k",
        "encoder.layer.{}.attention.self.key.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_v",
        "encoder.layer.{}.attention.self.value.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_v",
        "encoder.layer.{}.attention.self.value.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_o",
        "encoder.layer.{}.attention.output.dense.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_o",
        "encoder.layer.{}.attention.output.dense.bias",
        AsItIs,
    ),
    row(
        "layers.{}.norm_1.scale",
        "encoder.layer.{}.attention.output.LayerNorm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_1.shift",
        "encoder.layer.{}.attention.output.LayerNorm.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_up",
        "encoder.layer.{}.intermediate.dense.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_up",
        "encoder.layer.{}.intermediate.dense.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_down",
        "encoder.layer.{}.output.dense.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_down",
        "encoder.layer.{}.output.dense.bias",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.scale",
        "encoder.layer.{}.output.LayerNorm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.shift",
        "encoder.layer.{}.output.LayerNorm.bias",
        AsItIs,
    ),
];

/// Positions in order, and heads for other tasks than the rows themselves.
const BERT_PASSED_OVER: &[&str] = &[
    "embeddings.position_ids",
    "embeddings.token_type_ids",
    "pooler.*",
    "/cls.*",
    "/lm_head.*",
    "/classifier.*",
    "/qa_outputs.*",
];

const DISTILBERT: &[Row] = &[
    row("tokens", "embeddings.word_embeddings.weight", AsItIs),
    row("positions", "embeddings.position_embeddings.weight", AsItIs),
    row(
        "embedding_norm.scale",
        "embeddings.LayerNorm.weight",
        AsItIs,
    ),
    row("embedding_norm.shift", "embeddings.LayerNorm.bias", AsItIs),
    row(
        "layers.{}.w_q",
        "transformer.layer.{}.attention.q_lin.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_q",
        "transformer.layer.{}.attention.q_lin.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_k",
        "transformer.layer.{}.attention.k_lin.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_k",
        "transformer.layer.{}.attention.k_lin.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_v",
        "transformer.layer.{}.attention.v_lin.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_v",
        "transformer.layer.{}.attention.v_lin.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_o",
        "transformer.layer.{}.attention.out_lin.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_o",
        "transformer.layer.{}.attention.out_lin.bias",
        AsItIs,
    ),
    row(
        "layers.{}.norm_1.scale",
        "transformer.layer.{}.sa_layer_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_1.shift",
        "transformer.layer.{}.sa_layer_norm.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_up",
        "transformer.layer.{}.ffn.lin1.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_up",
        "transformer.layer.{}.ffn.lin1.bias",
        AsItIs,
    ),
    row(
        "layers.{}.w_down",
        "transformer.layer.{}.ffn.lin2.weight",
        Transposed,
    ),
    row(
        "layers.{}.b_down",
        "transformer.layer.{}.ffn.lin2.bias",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.scale",
        "transformer.layer.{}.output_layer_norm.weight",
        AsItIs,
    ),
    row(
        "layers.{}.norm_2.shift",
        "transformer.layer.{}.output_layer_norm.bias",
        AsItIs,
    ),
];

const DISTILBERT_PASSED_OVER: &[&str] = &[
    "embeddings.position_ids",
    "/vocab_transform.*",
    "/vocab_layer_norm.*",
    "/vocab_projector.*",
    "/pre_classifier.*",
    "/classifier.*",
    "/qa_outputs.*",
];

const GPT2: &[Row] = &[
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

const GPT_NEOX: &[Row] = &[
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

/// What Llama, Mistral, Qwen and Gemma have in common.
const DECODER: &[Row] = &[
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

const DECODER_NORMS: &[Row] = &[
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
const GEMMA_NORMS: &[Row] = &[
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

const DECODER_PASSED_OVER: &[&str] = &[
    "layers.{}.self_attn.rotary_emb.inv_freq",
    "rotary_emb.inv_freq",
    "/score.weight",
];
