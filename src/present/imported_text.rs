//! Texts about imported numbers.

use crate::i18n::{Key, Language, text};
use crate::state::imported::url::MissingData;
use crate::state::imported::{ImportedData, Kind};

/// What a kind of numbers is called.
pub fn kind(language: Language, kind: Kind) -> &'static str {
    let key = match kind {
        Kind::Heads => Key::BroughtHeads,
        Kind::Embeddings => Key::BroughtEmbeddings,
        Kind::Layer => Key::BroughtLayer,
        Kind::Matrix => Key::BroughtMatrix,
    };
    key.text(language)
}

/// What was brought, and from where.
pub fn what(language: Language, brought: &ImportedData) -> String {
    let shape: Vec<String> = brought
        .contents()
        .shape()
        .iter()
        .map(usize::to_string)
        .collect();
    let (what, shape) = (kind(language, brought.kind()), shape.join(" × "));
    match brought.file() {
        "" => text::brought_strip(language, &what, &shape),
        file => text::brought_strip_file(language, &what, &shape, &file),
    }
}

/// Which numbers a link names and does not hold, and what to do about it.
pub fn missing(language: Language, missing: &MissingData) -> String {
    let name = Kind::ALL
        .into_iter()
        .find(|kind| kind.name() == missing.kind);
    let what = name.map_or("", |name| kind(language, name));
    if missing.file.is_empty() {
        text::data_missing(language, &what, &missing.shape)
    } else {
        text::data_missing_file(language, &what, &missing.shape, &missing.file)
    }
}
