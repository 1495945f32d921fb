//! `llama`: SentencePiece.

use tokenizers::NormalizerWrapper;
use tokenizers::normalizers::{Prepend, Replace, Sequence};

use super::GgufVocabulary;
use super::special::{matched, surround, wanted};
use crate::alphabet::{Alphabet, LOWER_BLOCK};
use crate::error::OpenError;
use crate::model::{Model, SentencePiece};
use crate::tokenizer::Parts;

pub(crate) fn open(mut vocabulary: GgufVocabulary) -> Result<(Parts, Alphabet), OpenError> {
    let added = matched(&vocabulary);
    let pieces = vocabulary.pieces()?;
    let count = pieces.len();
    let bos = vocabulary.add_bos.unwrap_or(true);
    let eos = vocabulary.add_eos.unwrap_or(false);
    let [first, last] = [vocabulary.bos.or(Some(1)), vocabulary.eos.or(Some(2))];
    let ends = [
        wanted("tokenizer.ggml.bos_token_id", bos, first, count)?,
        wanted("tokenizer.ggml.eos_token_id", eos, last, count)?,
    ];
    let unknown = vocabulary.unknown.or(Some(0));
    let unknown = wanted("tokenizer.ggml.unknown_token_id", true, unknown, count)?;
    let scores = vocabulary.scores;
    let scores = scores.ok_or(OpenError::Missing("tokenizer.ggml.scores"))?;
    let model = SentencePiece::new(pieces, &scores, unknown)?;
    let mut parts = Parts::new(Model::SentencePiece(model));
    let spaces = normalizer(vocabulary.add_space_prefix.unwrap_or(true))?;
    parts
        .with_normalizer(Some(spaces))
        .map_err(OpenError::parts)?;
    parts.add_tokens(added).map_err(OpenError::parts)?;
    surround(&mut parts, ends)?;
    Ok((parts, Alphabet::SentencePiece))
}

/// Spaces as `▁`, one more in front of the text and after each control token if there is a prefix.
fn normalizer(prefix: bool) -> Result<Sequence, OpenError> {
    let block = LOWER_BLOCK.to_string();
    let mut steps: Vec<NormalizerWrapper> = Vec::new();
    if prefix {
        steps.push(Prepend::new(block.clone()).into());
    }
    steps.push(Replace::new(" ", block).map_err(OpenError::parts)?.into());
    Ok(Sequence::new(steps))
}
