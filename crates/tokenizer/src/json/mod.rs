//! `tokenizer.json`, Hugging Face's format.
//!
//! Splitters, normalizers and special tokens are read by the library, once what it would panic at is ruled out. The model's lists are read as they come: the
//! library builds a tree of JSON values of them first. Truncation and padding are passed over: they are of one use of a model, not of the model.

mod model;
mod parts;
mod strings;

use serde::Deserialize;
use serde_json::Value;
use tokenizers::AddedToken;

use crate::alphabet::Alphabet;
use crate::error::OpenError;
use crate::tokenizer::Parts;
use model::ModelFile;

#[derive(Deserialize)]
struct File {
    version: Option<String>,
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    post_processor: Value,
    #[serde(default)]
    decoder: Value,
    model: ModelFile,
}

/// The tokenizer of a file, and what its strings stand for.
pub(crate) fn open(bytes: &[u8]) -> Result<(Parts, Alphabet), OpenError> {
    let file = serde_json::from_slice::<File>(bytes);
    let file = file.map_err(|error| OpenError::Json(error.to_string()))?;
    if let Some(version) = file.version.filter(|version| version != "1.0") {
        return Err(OpenError::field("version", version, "is not 1.0"));
    }
    let alphabet = Alphabet::of_json(&file.decoder, &file.pre_tokenizer);
    let mut parts = Parts::new(file.model.open()?);
    let normalizer = parts::normalizer(file.normalizer)?;
    parts::check_added(&file.added_tokens, normalizer.as_ref())?;
    parts
        .with_normalizer(normalizer)
        .map_err(OpenError::parts)?;
    parts.with_pre_tokenizer(parts::pre_tokenizer(file.pre_tokenizer)?);
    parts.with_post_processor(parts::post_processor(file.post_processor)?);
    let added = parts.add_tokens(file.added_tokens);
    added.map_err(OpenError::parts)?;
    Ok((parts, alphabet))
}
