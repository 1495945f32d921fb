//! Tokens that are matched in a text before everything else, and those that are added to every text.

use tokenizers::AddedToken;
use tokenizers::processors::template::{SpecialToken, TemplateProcessing};

use super::GgufVocabulary;
use crate::error::OpenError;
use crate::model::Pieces;
use crate::tokenizer::Parts;

const UNKNOWN: i32 = 2;
pub(crate) const CONTROL: i32 = 3;
const USER_DEFINED: i32 = 4;

/// Tokens that end a text and are control tokens by their name, whatever their type: files say it wrongly.
const ENDS: [&str; 14] = [
    "</s>",
    "<EOT>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<eos>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<｜end▁of▁sentence｜>",
    "[EOS]",
    "[EOT]",
];

/// The tokens that are matched in the text itself: control, unknown and user defined ones.
pub(crate) fn matched(vocabulary: &GgufVocabulary) -> Vec<AddedToken> {
    let kind = |id: usize| vocabulary.token_types.as_ref().map_or(1, |types| types[id]);
    let token = |(id, token): (usize, &String)| {
        let special = match kind(id) {
            UNKNOWN | CONTROL => true,
            USER_DEFINED => ENDS.contains(&token.as_str()),
            _ if ENDS.contains(&token.as_str()) => true,
            _ => return None,
        };
        let added = AddedToken::from(token.as_str(), special);
        Some(added.normalized(false))
    };
    let tokens = vocabulary.tokens.iter().enumerate();
    tokens.filter_map(token).collect()
}

/// Adds the token `first` to the front of every text and `last` to its end.
///
/// # Errors
/// What the library says against them.
pub(crate) fn surround(
    parts: &mut Parts,
    [first, last]: [Option<u32>; 2],
) -> Result<(), OpenError> {
    if first.is_none() && last.is_none() {
        return Ok(());
    }
    let pieces = parts.get_model().pieces();
    let mut template = vec!["$A"];
    let mut tokens = Vec::new();
    if let Some(id) = first {
        template.insert(0, "first");
        tokens.push(special("first", pieces, id)?);
    }
    if let Some(id) = last {
        template.push("last");
        tokens.push(special("last", pieces, id)?);
    }
    let mut builder = TemplateProcessing::builder();
    let template = builder.try_single(template).map_err(OpenError::parts)?;
    let template = template.special_tokens(tokens).build();
    parts.with_post_processor(Some(template.map_err(OpenError::parts)?));
    Ok(())
}

fn special(name: &str, pieces: &Pieces, id: u32) -> Result<SpecialToken, OpenError> {
    let token = pieces.get(id).unwrap_or_default().to_owned();
    SpecialToken::new(name.to_owned(), vec![id], vec![token]).map_err(OpenError::parts)
}

/// An id, or none if `wanted` is not set.
///
/// # Errors
/// `field` if it is wanted and absent, or not in the vocabulary.
pub(crate) fn wanted(
    field: &'static str,
    wanted: bool,
    id: Option<u32>,
    count: usize,
) -> Result<Option<u32>, OpenError> {
    match id {
        _ if !wanted => Ok(None),
        None => Err(OpenError::Missing(field)),
        Some(id) if (id as usize) < count => Ok(Some(id)),
        Some(id) => Err(OpenError::field(field, id, "is not in the vocabulary")),
    }
}
