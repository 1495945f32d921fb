//! A table of words per language: reading, comparing, and writing as Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What one language says: kebab-case key to text.
pub(crate) struct Table {
    /// Folder name of the language, such as `en`.
    pub language: String,
    /// Every key with its text.
    pub texts: BTreeMap<String, String>,
}

impl Table {
    /// Reads a flat TOML table of strings.
    ///
    /// # Errors
    /// A sentence, when the text is not TOML, a value is not a string or is empty, or a key is not kebab-case.
    pub(crate) fn parse(language: &str, source: &str) -> Result<Self, String> {
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
            texts.insert(key, text.to_owned());
        }
        Ok(Self {
            language: language.to_owned(),
            texts,
        })
    }
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
pub(crate) fn variant(key: &str) -> String {
    let capital = |part: &str| {
        let (first, rest) = part.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    key.split('-').map(capital).collect()
}

/// The `{names}` that a text leaves open.
pub(crate) fn placeholders(text: &str) -> BTreeSet<&str> {
    let after_brace = text.split('{').skip(1);
    after_brace
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}

/// Where the languages do not say the same things.
pub(crate) fn disagreements(languages: &[Table]) -> Vec<String> {
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
        .filter_map(|table| Some(placeholders(table.texts.get(key)?)));
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

/// The tables as Rust source: `enum Key`, its names, and a list of texts per language, all in key order.
///
/// The tables must agree (see [`disagreements`]).
pub(crate) fn rust(languages: &[Table]) -> String {
    let Some(first) = languages.first() else {
        return String::new();
    };
    let mut out = String::from("/// One thing that the page can say.\n");
    out.push_str(
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Key {\n",
    );
    for (key, text) in &first.texts {
        let _ = writeln!(out, "    #[doc = {text:?}]\n    {},", variant(key));
    }
    out.push_str("}\n");
    let keys: Vec<String> = first
        .texts
        .keys()
        .map(|key| format!("Key::{}", variant(key)))
        .collect();
    let _ = writeln!(
        out,
        "const KEYS: [Key; {}] = [{}];",
        keys.len(),
        keys.join(", ")
    );
    let _ = writeln!(
        out,
        "const NAMES: [&str; {}] = {:?};",
        first.texts.len(),
        first.texts.keys().collect::<Vec<_>>()
    );
    for table in languages {
        let texts: Vec<_> = table.texts.values().collect();
        let _ = writeln!(
            out,
            "const {}: [&str; {}] = {texts:?};",
            table.language.to_uppercase(),
            texts.len()
        );
    }
    out
}
