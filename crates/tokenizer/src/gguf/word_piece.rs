//! `bert`: WordPiece.

use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

use super::GgufVocabulary;
use super::special::{CONTROL, matched, surround, wanted};
use crate::alphabet::{Alphabet, LOWER_BLOCK};
use crate::error::OpenError;
use crate::model::{Model, WordPiece};
use crate::tokenizer::Parts;

const PREFIX: &str = "##";
/// The longest word, in code points, of BERT's own tokenizer.
const LONGEST: usize = 100;

pub(crate) fn open(mut vocabulary: GgufVocabulary) -> Result<(Parts, Alphabet), OpenError> {
    let types = vocabulary
        .token_types
        .iter()
        .flatten()
        .map(|&kind| Some(kind));
    let types = types.chain(std::iter::repeat(None));
    for (token, kind) in vocabulary.tokens.iter_mut().zip(types) {
        if kind != Some(CONTROL) {
            *token = spelling(token);
        }
    }
    let added = matched(&vocabulary);
    let pieces = vocabulary.pieces()?;
    let id = |field, id: Option<u32>, usual| {
        let id = wanted(field, true, id.or(Some(usual)), pieces.len())?;
        Ok::<u32, OpenError>(id.unwrap_or(usual))
    };
    let first = vocabulary.bos.or(vocabulary.class);
    let first = id("tokenizer.ggml.cls_token_id", first, 101)?;
    let last = vocabulary.separator.or(vocabulary.eos);
    let last = id("tokenizer.ggml.seperator_token_id", last, 102)?;
    let unknown = id("tokenizer.ggml.unknown_token_id", vocabulary.unknown, 100)?;
    let mut parts = Parts::new(Model::WordPiece(WordPiece {
        pieces,
        unknown,
        prefix: PREFIX.to_owned(),
        longest: LONGEST,
    }));
    let lowercase = vocabulary.lowercase.unwrap_or(true);
    let normalizer = BertNormalizer::new(true, true, vocabulary.strip_accents, lowercase);
    parts
        .with_normalizer(Some(normalizer))
        .map_err(OpenError::parts)?;
    parts.with_pre_tokenizer(Some(BertPreTokenizer));
    parts.add_tokens(added).map_err(OpenError::parts)?;
    surround(&mut parts, [Some(first), Some(last)])?;
    Ok((parts, Alphabet::WordPiece(PREFIX.to_owned())))
}

/// BERT's spelling of a token: files write `the` as `▁the` and `##ing` as `ing`. Older ones leave everything in square brackets as it is, newer ones control
/// tokens alone.
fn spelling(token: &str) -> String {
    match token.strip_prefix(LOWER_BLOCK) {
        Some(word) if !word.is_empty() => word.to_owned(),
        _ if token.starts_with('[') && token.ends_with(']') => token.to_owned(),
        _ if token.is_empty() => String::new(),
        _ => format!("{PREFIX}{token}"),
    }
}
