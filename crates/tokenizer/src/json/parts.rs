//! The parts that the library reads and runs.

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokenizers::utils::SysRegex;
use tokenizers::{
    AddedToken, NormalizedString, Normalizer as _, NormalizerWrapper, PostProcessorWrapper,
    PreTokenizerWrapper,
};

use crate::error::OpenError;

/// # Errors
/// What the library says against it; `Precompiled`, SentencePiece's tables of characters, which the library reads without checks; a prefix or a pattern of no characters.
pub(crate) fn normalizer(value: Value) -> Result<Option<NormalizerWrapper>, OpenError> {
    const FIELD: &str = "normalizer";
    visit(&value, &mut |part| {
        // Not by type: old files have none.
        let (name, rule) = match part {
            _ if !part["precompiled_charsmap"].is_null() => ("Precompiled", "is not read"),
            _ if part["prepend"] == "" => ("Prepend", "is empty"),
            _ if matches_nothing(&part["pattern"]) => ("Replace", "replaces what is empty"),
            _ => return Ok(()),
        };
        Err(OpenError::field(FIELD, name, rule))
    })?;
    read(FIELD, value)
}

/// Whether a pattern matches the empty text somewhere in a text that has a bit of everything.
fn matches_nothing(pattern: &Value) -> bool {
    let regex = pattern["Regex"].as_str().map(SysRegex::new);
    let regex = regex.and_then(Result::ok);
    let empty = |regex: &SysRegex| {
        let texts = ["", "Aa b\n\n1.é"];
        let mut matches = texts.into_iter().flat_map(|text| regex.find_iter(text));
        matches.any(|(start, end)| start == end)
    };
    pattern["String"] == "" || regex.as_ref().is_some_and(empty)
}

/// # Errors
/// A token that is matched in normalized text and of which the normalizer leaves nothing.
pub(crate) fn check_added(
    tokens: &[AddedToken],
    normalizer: Option<&NormalizerWrapper>,
) -> Result<(), OpenError> {
    let Some(normalizer) = normalizer else {
        return Ok(());
    };
    for token in tokens.iter().filter(|token| token.normalized) {
        let mut text = NormalizedString::from(token.content.as_str());
        normalizer.normalize(&mut text).map_err(OpenError::parts)?;
        if text.is_empty() && !token.content.is_empty() {
            let value = format!("{:?}", token.content);
            let rule = "is empty once it is normalized";
            return Err(OpenError::field("added_tokens", value, rule));
        }
    }
    Ok(())
}

/// # Errors
/// What the library says against it; pieces of no characters.
pub(crate) fn pre_tokenizer(value: Value) -> Result<Option<PreTokenizerWrapper>, OpenError> {
    const FIELD: &str = "pre_tokenizer";
    visit(&value, &mut |part| match part["length"].as_u64() {
        Some(0) => Err(OpenError::field(FIELD, "FixedLength", "has length 0")),
        _ => Ok(()),
    })?;
    read(FIELD, value)
}

/// # Errors
/// What the library says against it; a template for one text that takes a second, or a special token with more ids than names or another name than its own.
pub(crate) fn post_processor(value: Value) -> Result<Option<PostProcessorWrapper>, OpenError> {
    visit(&value, &mut |part| {
        let tokens = &part["special_tokens"];
        let single = part["single"].as_array().into_iter().flatten();
        single
            .into_iter()
            .try_for_each(|piece| template_piece(piece, tokens))?;
        let tokens = tokens.as_object().into_iter().flatten();
        tokens.into_iter().try_for_each(special_token)
    })?;
    read("post_processor", value)
}

fn special_token((name, token): (&String, &Value)) -> Result<(), OpenError> {
    const FIELD: &str = "post_processor.special_tokens";
    if token["id"] != **name {
        return Err(OpenError::field(FIELD, name, "has another id"));
    }
    let length = |list: &Value| list.as_array().map(Vec::len);
    match length(&token["ids"]) == length(&token["tokens"]) {
        true => Ok(()),
        false => Err(OpenError::field(
            FIELD,
            name,
            "has more ids than tokens or fewer",
        )),
    }
}

fn template_piece(piece: &Value, tokens: &Value) -> Result<(), OpenError> {
    const FIELD: &str = "post_processor.single";
    if piece["Sequence"]["id"] == "B" {
        return Err(OpenError::field(FIELD, "B", "is a second text"));
    }
    match piece["SpecialToken"]["id"].as_str() {
        Some(name) if tokens[name].is_null() => {
            let rule = "is not among the special tokens";
            Err(OpenError::field(FIELD, name, rule))
        }
        _ => Ok(()),
    }
}

/// Every object, the outer one first.
fn visit(
    value: &Value,
    check: &mut impl FnMut(&Value) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    match value {
        Value::Array(values) => values.iter().try_for_each(|value| visit(value, check)),
        Value::Object(fields) => {
            check(value)?;
            fields.values().try_for_each(|value| visit(value, check))
        }
        _ => Ok(()),
    }
}

fn read<T: DeserializeOwned>(field: &'static str, value: Value) -> Result<Option<T>, OpenError> {
    let part = serde_json::from_value(value);
    part.map_err(|error| OpenError::Json(format!("{field}: {error}")))
}
