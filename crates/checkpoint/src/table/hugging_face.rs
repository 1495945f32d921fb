//! Names of tensors in Hugging Face's files, as the models of transformers 5.24 save them. Linear maps are `[out, in]`, except in GPT-2, whose
//! `Conv1D` is `[in, out]`.

mod decoder;
mod encoder;
mod gpt;

use super::Table;
use crate::Family;
use decoder::{DECODER, DECODER_NORMS, DECODER_PASSED_OVER, GEMMA_NORMS};
use encoder::{
    BERT, BERT_HEAD, BERT_PASSED_OVER, DISTILBERT, DISTILBERT_HEAD, DISTILBERT_PASSED_OVER,
    ROBERTA_HEAD,
};
use gpt::{GPT_NEOX, GPT2};

/// The table of a family.
pub(crate) const fn table(family: Family) -> Table {
    match family {
        Family::Bert => Table {
            prefixes: &["bert.", ""],
            rows: &[BERT, BERT_HEAD],
            passed_over: BERT_PASSED_OVER,
        },
        Family::Roberta => Table {
            prefixes: &["roberta.", ""],
            rows: &[BERT, ROBERTA_HEAD],
            passed_over: BERT_PASSED_OVER,
        },
        Family::DistilBert => Table {
            prefixes: &["distilbert.", ""],
            rows: &[DISTILBERT, DISTILBERT_HEAD],
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
