//! The functions that are known, and what their arguments mean.

use super::Function;
use super::meaning::Usage;
use crate::dialect::EmptyRows;
use crate::rule::Align;

/// Names of the arguments that are no masks, for all functions.
pub(super) const WITHOUT_MEANING: [&str; 45] = [
    "",
    "*",
    "query",
    "key",
    "value",
    "q",
    "k",
    "v",
    "qkv",
    "kv",
    "Q",
    "K",
    "V",
    "inputs",
    "outputs",
    "name",
    "scale",
    "dropout",
    "dropout_p",
    "softmax_scale",
    "enable_gqa",
    "deterministic",
    "return_attn_probs",
    "alibi_slopes",
    "need_weights",
    "average_attn_weights",
    "return_attention_scores",
    "training",
    "implementation",
    "input_ids",
    "output_attentions",
    "use_cache",
    "block_size",
    "q_num_heads",
    "kv_num_heads",
    "softcap",
    "p",
    "op",
    "num_heads",
    "key_dim",
    "B",
    "H",
    "device",
    "return_lse",
    "flash_attention",
];

/// A mask argument: its name, its place among those without a name, and how its numbers are used.
pub(super) type MaskArgument = (&'static str, usize, Usage);

/// How a function is called.
pub(super) struct Signature {
    pub(super) function: Function,
    /// The causal flag and its place, with the alignment.
    pub(super) flag: Option<(&'static str, usize, Align)>,
    pub(super) masks: &'static [MaskArgument],
    /// Further arguments that [`Call`](super::Call) reads by themselves.
    pub(super) others: &'static [&'static str],
    pub(super) empty: EmptyRows,
}

pub(super) const NOWHERE: usize = usize::MAX;

pub(super) const SIGNATURES: [Signature; 10] = [
    Signature {
        function: Function::TorchSdpa,
        flag: Some(("is_causal", 5, Align::Start)),
        masks: &[("attn_mask", 3, Usage::TORCH)],
        others: &[],
        empty: EmptyRows::Zero,
    },
    Signature {
        function: Function::TorchMultihead,
        // Beside a mask alone, and then a hint.
        flag: None,
        masks: &[
            ("attn_mask", 5, Usage::MULTIHEAD),
            ("key_padding_mask", 3, Usage::MULTIHEAD),
            ("mask", NOWHERE, Usage::MULTIHEAD),
            ("src_mask", NOWHERE, Usage::MULTIHEAD),
            ("tgt_mask", NOWHERE, Usage::MULTIHEAD),
            ("memory_mask", NOWHERE, Usage::MULTIHEAD),
            ("src_key_padding_mask", NOWHERE, Usage::MULTIHEAD),
            ("tgt_key_padding_mask", NOWHERE, Usage::MULTIHEAD),
            ("memory_key_padding_mask", NOWHERE, Usage::MULTIHEAD),
        ],
        others: &["is_causal"],
        empty: EmptyRows::NotANumber,
    },
    Signature {
        function: Function::FlexAttention,
        flag: None,
        masks: &[("block_mask", 4, Usage::BOOLEAN_ALONE)],
        others: &[],
        empty: EmptyRows::Zero,
    },
    Signature {
        function: Function::FlashAttention,
        flag: Some(("causal", NOWHERE, Align::End)),
        masks: &[],
        others: &["window_size"],
        empty: EmptyRows::Zero,
    },
    Signature {
        function: Function::Xformers,
        flag: None,
        masks: &[("attn_bias", 3, Usage::ADDED)],
        others: &[],
        empty: EmptyRows::NotANumber,
    },
    Signature {
        function: Function::Jax,
        flag: Some(("is_causal", NOWHERE, Align::Start)),
        masks: &[("mask", 4, Usage::BOOLEAN_ALONE), ("bias", 3, Usage::ADDED)],
        others: &["local_window_size"],
        empty: EmptyRows::Mean,
    },
    Signature {
        function: Function::KerasOps,
        flag: Some(("is_causal", 6, Align::Start)),
        masks: &[("mask", 4, Usage::NON_ZERO), ("bias", 3, Usage::ADDED)],
        others: &[],
        empty: EmptyRows::Mean,
    },
    Signature {
        function: Function::KerasLayer,
        flag: Some(("use_causal_mask", NOWHERE, Align::Start)),
        masks: &[("attention_mask", NOWHERE, Usage::NON_ZERO)],
        others: &[],
        empty: EmptyRows::Mean,
    },
    Signature {
        function: Function::Onnx,
        flag: Some(("is_causal", NOWHERE, Align::Start)),
        masks: &[("attn_mask", NOWHERE, Usage::ADDED)],
        others: &["left_window_size", "right_window_size"],
        empty: EmptyRows::Zero,
    },
    Signature {
        function: Function::Mlx,
        flag: None,
        masks: &[("mask", NOWHERE, Usage::ADDED)],
        others: &[],
        empty: EmptyRows::Mean,
    },
];
