//! Names of encoders: BERT, RoBERTa, DistilBERT.

use crate::table::How::{AsItIs, Transposed};
use crate::table::{Row, row};

pub(super) const BERT: &[Row] = &[
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

/// The head for masked words; files may have its bias a second time, as the decoder's.
pub(super) const BERT_HEAD: &[Row] = &[
    row(
        "masked_head.w",
        "/cls.predictions.transform.dense.weight",
        Transposed,
    ),
    row(
        "masked_head.b",
        "/cls.predictions.transform.dense.bias",
        AsItIs,
    ),
    row(
        "masked_head.norm.scale",
        "/cls.predictions.transform.LayerNorm.weight",
        AsItIs,
    ),
    row(
        "masked_head.norm.shift",
        "/cls.predictions.transform.LayerNorm.bias",
        AsItIs,
    ),
    row("masked_head.bias", "/cls.predictions.bias", AsItIs),
    row("unembedding", "/cls.predictions.decoder.weight", Transposed),
];

pub(super) const ROBERTA_HEAD: &[Row] = &[
    row("masked_head.w", "/lm_head.dense.weight", Transposed),
    row("masked_head.b", "/lm_head.dense.bias", AsItIs),
    row(
        "masked_head.norm.scale",
        "/lm_head.layer_norm.weight",
        AsItIs,
    ),
    row("masked_head.norm.shift", "/lm_head.layer_norm.bias", AsItIs),
    row("masked_head.bias", "/lm_head.bias", AsItIs),
    row("unembedding", "/lm_head.decoder.weight", Transposed),
];

pub(super) const DISTILBERT_HEAD: &[Row] = &[
    row("masked_head.w", "/vocab_transform.weight", Transposed),
    row("masked_head.b", "/vocab_transform.bias", AsItIs),
    row("masked_head.norm.scale", "/vocab_layer_norm.weight", AsItIs),
    row("masked_head.norm.shift", "/vocab_layer_norm.bias", AsItIs),
    row("masked_head.bias", "/vocab_projector.bias", AsItIs),
    row("unembedding", "/vocab_projector.weight", Transposed),
];

/// Positions in order, and heads for other tasks than the rows themselves.
pub(super) const BERT_PASSED_OVER: &[&str] = &[
    "embeddings.position_ids",
    "embeddings.token_type_ids",
    "pooler.*",
    "/cls.*",
    "/lm_head.*",
    "/classifier.*",
    "/qa_outputs.*",
];

pub(super) const DISTILBERT: &[Row] = &[
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

pub(super) const DISTILBERT_PASSED_OVER: &[&str] = &[
    "embeddings.position_ids",
    "/vocab_transform.*",
    "/vocab_layer_norm.*",
    "/vocab_projector.*",
    "/pre_classifier.*",
    "/classifier.*",
    "/qa_outputs.*",
];
