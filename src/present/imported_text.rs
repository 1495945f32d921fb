//! Texts about imported numbers.

use crate::i18n::{Key, Language, fill, say};
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
    say(language, key)
}

/// What was brought, and from where.
pub fn what(language: Language, brought: &ImportedData) -> String {
    let shape: Vec<String> = brought
        .contents()
        .shape()
        .iter()
        .map(usize::to_string)
        .collect();
    let shape = shape.join(" × ");
    let values = [
        ("what", kind(language, brought.kind())),
        ("shape", shape.as_str()),
        ("file", brought.file()),
    ];
    if brought.file().is_empty() {
        fill(language, Key::BroughtStrip, &values[..2])
    } else {
        fill(language, Key::BroughtStripFile, &values)
    }
}

/// Which numbers a link names and does not hold, and what to do about it.
pub fn missing(language: Language, missing: &MissingData) -> String {
    let name = Kind::ALL
        .into_iter()
        .find(|kind| kind.name() == missing.kind);
    let what = name.map_or("", |name| kind(language, name));
    let values = [
        ("what", what),
        ("shape", missing.shape.as_str()),
        ("file", &missing.file),
    ];
    if missing.file.is_empty() {
        fill(language, Key::DataMissing, &values[..2])
    } else {
        fill(language, Key::DataMissingFile, &values)
    }
}
