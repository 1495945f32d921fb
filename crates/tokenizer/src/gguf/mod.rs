//! The vocabulary of a GGUF file.
//!
//! The keys are those of llama.cpp (`tokenizer.ggml.…`); what they mean, and what is taken where one is absent, is what llama.cpp does with them, except
//! that BERT's texts are normalized as BERT does it.

mod byte_pair;
mod sentence_piece;
mod special;
mod split;
mod word_piece;

use crate::alphabet::Alphabet;
use crate::error::OpenError;
use crate::model::Pieces;
use crate::tokenizer::Parts;

pub use split::names as split_names;

/// What a GGUF file says about its tokenizer, each field with its key without `tokenizer.ggml.`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GgufVocabulary {
    /// `model`: `gpt2`, `llama` or `bert`.
    pub model: String,
    /// `pre`: how `gpt2` splits text; has no meaning for the others.
    pub pre: Option<String>,
    /// `tokens`, by id; not empty.
    pub tokens: Vec<String>,
    /// `scores`, by id: of `llama` alone.
    pub scores: Option<Vec<f32>>,
    /// `token_type`, by id: 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte. Without it all are normal.
    pub token_types: Option<Vec<i32>>,
    /// `merges`, each of two tokens with a space between them: of `gpt2` alone.
    pub merges: Option<Vec<String>>,
    /// `bos_token_id`.
    pub bos: Option<u32>,
    /// `eos_token_id`.
    pub eos: Option<u32>,
    /// `unknown_token_id`.
    pub unknown: Option<u32>,
    /// `seperator_token_id`, as the key is spelt.
    pub separator: Option<u32>,
    /// `cls_token_id`.
    pub class: Option<u32>,
    /// `add_bos_token`.
    pub add_bos: Option<bool>,
    /// `add_eos_token`.
    pub add_eos: Option<bool>,
    /// `add_space_prefix`.
    pub add_space_prefix: Option<bool>,
    /// `normalizer.lowercase` of `bert`.
    pub lowercase: Option<bool>,
    /// `normalizer.strip_accents` of `bert`.
    pub strip_accents: Option<bool>,
}

impl GgufVocabulary {
    /// Takes the tokens.
    fn pieces(&mut self) -> Result<Pieces, OpenError> {
        let tokens = std::mem::take(&mut self.tokens);
        Pieces::new("tokenizer.ggml.tokens", tokens.iter().map(String::as_str))
    }
}

/// The tokenizer of a vocabulary, and what its strings stand for.
pub(crate) fn open(vocabulary: GgufVocabulary) -> Result<(Parts, Alphabet), OpenError> {
    let count = vocabulary.tokens.len();
    if count == 0 {
        return Err(OpenError::Missing("tokenizer.ggml.tokens"));
    }
    if u32::try_from(count).is_err() {
        let rule = "are too many";
        return Err(OpenError::field("tokenizer.ggml.tokens", count, rule));
    }
    let types = vocabulary.token_types.as_ref().map_or(count, Vec::len);
    if types != count {
        let rule = "is not the number of tokens";
        return Err(OpenError::field("tokenizer.ggml.token_type", types, rule));
    }
    match vocabulary.model.as_str() {
        "gpt2" => byte_pair::open(vocabulary),
        "llama" => sentence_piece::open(vocabulary),
        "bert" => word_piece::open(vocabulary),
        other => Err(OpenError::UnknownModel(other.to_owned())),
    }
}
