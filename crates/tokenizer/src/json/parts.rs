//! The parts that the library reads and runs.

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokenizers::{NormalizerWrapper, PostProcessorWrapper, PreTokenizerWrapper};

use crate::error::OpenError;

/// # Errors
/// What the library says against it; `Precompiled`, SentencePiece's tables of characters, which the library reads without checks.
pub(crate) fn normalizer(value: Value) -> Result<Option<NormalizerWrapper>, OpenError> {
    const FIELD: &str = "normalizer";
    visit(&value, &mut |part| match kind(part) {
        Some("Precompiled") => Err(OpenError::field(FIELD, "Precompiled", "is not read")),
        _ => Ok(()),
    })?;
    read(FIELD, value)
}

/// # Errors
/// What the library says against it; pieces of no characters.
pub(crate) fn pre_tokenizer(value: Value) -> Result<Option<PreTokenizerWrapper>, OpenError> {
    const FIELD: &str = "pre_tokenizer";
    visit(
        &value,
        &mut |part| match (kind(part), part["length"].as_u64()) {
            (Some("FixedLength"), Some(0)) => {
                Err(OpenError::field(FIELD, "FixedLength", "has length 0"))
            }
            _ => Ok(()),
        },
    )?;
    read(FIELD, value)
}

/// # Errors
/// What the library says against it; a template for one text that takes a second, or a special token with more ids than names.
pub(crate) fn post_processor(value: Value) -> Result<Option<PostProcessorWrapper>, OpenError> {
    visit(&value, &mut |part| {
        if part["single"]
            .as_array()
            .is_some_and(|pieces| pieces.iter().any(takes_second))
        {
            return Err(OpenError::field(
                "post_processor.single",
                "B",
                "is a second text",
            ));
        }
        let length = |list: &Value| list.as_array().map(Vec::len);
        match (length(&part["ids"]), length(&part["tokens"])) {
            (Some(ids), Some(tokens)) if ids != tokens => {
                let rule = "is not the number of its tokens";
                Err(OpenError::field(
                    "post_processor.special_tokens.ids",
                    ids,
                    rule,
                ))
            }
            _ => Ok(()),
        }
    })?;
    read("post_processor", value)
}

fn takes_second(piece: &Value) -> bool {
    piece["Sequence"]["id"] == "B"
}

fn kind(part: &Value) -> Option<&str> {
    part["type"].as_str()
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
