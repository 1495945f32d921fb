//! A table of texts per language: reading, comparing, and writing the keys of those without placeholders as Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The texts of one language by their kebab-case keys.
pub struct Table {
    /// Folder name of the language, such as `en`.
    pub language: String,
    /// Every key with its text.
    pub texts: BTreeMap<String, String>,
}

impl Table {
    /// Reads a flat TOML table of strings.
    ///
    /// # Errors
    /// A sentence, when the text is not TOML, a value is not a string, is empty, has a control character such as a line break or a brace that
    /// belongs to no `{name}`, or a key is not kebab-case.
    pub fn parse(language: &str, source: &str) -> Result<Self, String> {
        let values: toml::Table = source.parse().map_err(|e: toml::de::Error| e.to_string())?;
        let mut texts = BTreeMap::new();
        for (key, value) in values {
            let text = value
                .as_str()
                .ok_or_else(|| format!("{key}: not a string"))?;
            if !is_kebab(&key) {
                return Err(format!(
                    "{key}: a key is made of a-z, 0-9 and single hyphens, and begins with a letter"
                ));
            }
            if text.trim().is_empty() {
                return Err(format!("{key}: empty"));
            }
            if text.contains(char::is_control) {
                return Err(format!("{key}: a text has no line breaks or tabs"));
            }
            if !is_template(text) {
                return Err(format!(
                    "{key}: a brace is part of a {{name}}, which is made of a-z, 0-9 and _, and begins with a letter"
                ));
            }
            texts.insert(key, text.to_owned());
        }
        Ok(Self {
            language: language.to_owned(),
            texts,
        })
    }

    /// Every key whose text is always the same, with its text.
    pub fn constant(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter(|(_, text)| placeholders(text).is_empty())
    }

    /// Every key whose text has placeholders, with its text.
    pub fn templates(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all()
            .filter(|(_, text)| !placeholders(text).is_empty())
    }

    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.texts.iter();
        texts.map(|(key, text)| (key.as_str(), text.as_str()))
    }
}

/// Whether text and names in braces take turns.
fn is_template(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    let mut pieces = text.split('{');
    let has_no_end = |piece: &str| !piece.contains('}');
    pieces.next().is_none_or(has_no_end)
        && pieces.all(|piece| {
            piece
                .split_once('}')
                .is_some_and(|(name, rest)| is_name(name) && has_no_end(rest))
        })
}

fn is_kebab(key: &str) -> bool {
    key.split('-').all(|part| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    }) && key.starts_with(|c: char| c.is_ascii_lowercase())
}

/// `mask-none` → `MaskNone`: the name of a key as a Rust variant.
pub fn variant(key: &str) -> String {
    let capital = |part: &str| {
        let (first, rest) = part.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    key.split('-').map(capital).collect()
}

/// The `{names}` of a text, each once, in the order of the text.
pub fn placeholders(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (name, _) in text.split('{').filter_map(|piece| piece.split_once('}')) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Where the languages do not say the same things.
pub fn disagreements(languages: &[Table]) -> Vec<String> {
    let all: BTreeSet<&String> = languages
        .iter()
        .flat_map(|table| table.texts.keys())
        .collect();
    let mut problems: Vec<String> = all.iter().flat_map(|key| missing(key, languages)).collect();
    problems.extend(
        all.iter()
            .filter_map(|key| other_placeholders(key, languages)),
    );
    problems.extend(same_variant(&all));
    problems
}

fn missing(key: &str, languages: &[Table]) -> Vec<String> {
    let lacking = languages
        .iter()
        .filter(|table| !table.texts.contains_key(key));
    lacking
        .map(|table| format!("content/{}/ui.toml: {key} is missing", table.language))
        .collect()
}

fn other_placeholders(key: &str, languages: &[Table]) -> Option<String> {
    let mut sets = languages
        .iter()
        .filter_map(|table| Some(BTreeSet::from_iter(placeholders(table.texts.get(key)?))));
    let first = sets.next()?;
    let other = sets.find(|set| *set != first)?;
    Some(format!(
        "{key}: the languages have other placeholders: {first:?} and {other:?}"
    ))
}

fn same_variant(keys: &BTreeSet<&String>) -> Vec<String> {
    let mut seen = BTreeMap::new();
    let clashes = keys.iter().filter_map(|key| {
        let earlier = seen.insert(variant(key), (*key).clone())?;
        Some(format!("{earlier} and {key} become the same Rust name"))
    });
    clashes.collect()
}

/// The keys of the texts without placeholders as Rust source: `enum Key` and its names, in key order.
///
/// The tables must agree (see [`disagreements`]).
pub fn rust(languages: &[Table]) -> String {
    let Some(first) = languages.first() else {
        return String::new();
    };
    let mut out = String::from("/// A text that is always the same.\n");
    out.push_str(
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Key {\n",
    );
    for (key, text) in first.constant() {
        let _ = writeln!(out, "    #[doc = {text:?}]\n    {},", variant(key));
    }
    out.push_str("}\n");
    let names: Vec<_> = first.constant().map(|(key, _)| key).collect();
    let keys: Vec<_> = (names.iter())
        .map(|name| format!("Key::{}", variant(name)))
        .collect();
    let count = names.len();
    let _ = writeln!(out, "const KEYS: [Key; {count}] = [{}];", keys.join(", "));
    let _ = writeln!(out, "static NAMES: [&str; {count}] = {names:?};");
    out
}
