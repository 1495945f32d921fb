//! The lexicon and the presets: reading, checking, and writing as Rust.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The classes a section of the lexicon may name, with their Rust variants.
const CLASSES: [(&str, &str); 6] = [
    ("function", "Function"),
    ("living", "Living"),
    ("modifier", "Modifier"),
    ("noun", "Noun"),
    ("pronoun", "Pronoun"),
    ("verb", "Verb"),
];

/// The line of words that each have a meaning of their own.
const EACH_ITS_OWN: &str = "*";

/// Every word of the lexicon with its class and concept, as a Rust table sorted by word.
///
/// # Errors
/// A sentence per problem: not TOML, an unknown class, a word that stands in two places or is not in lower case.
pub fn lexicon(source: &str) -> Result<String, Vec<String>> {
    let sections: toml::Table = source
        .parse()
        .map_err(|e: toml::de::Error| vec![e.to_string()])?;
    let mut words = BTreeMap::new();
    let mut problems = Vec::new();
    for (section, concepts) in &sections {
        let class = CLASSES.iter().find(|(name, _)| name == section);
        let (Some((_, class)), Some(concepts)) = (class, concepts.as_table()) else {
            problems.push(format!(
                "[{section}]: not a class; the classes are {:?}",
                CLASSES.map(|(name, _)| name)
            ));
            continue;
        };
        for (concept, line) in concepts {
            problems.extend(enter(&mut words, class, concept, line));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut out = String::from("static LEXICON: &[(&str, Class, &str)] = &[\n");
    for (word, (class, concept)) in &words {
        let _ = writeln!(out, "    ({word:?}, Class::{class}, {concept:?}),");
    }
    Ok(out + "];\n")
}

fn enter<'a>(
    words: &mut BTreeMap<&'a str, (&'a str, &'a str)>,
    class: &'a str,
    concept: &'a str,
    line: &'a toml::Value,
) -> Vec<String> {
    let Some(line) = line.as_str() else {
        return vec![format!("{concept}: not a string")];
    };
    let mut problems = Vec::new();
    for word in line.split_whitespace() {
        if word.to_lowercase() != word || word.contains('\u{2019}') {
            problems.push(format!(
                "{word}: write it in lower case and with a straight apostrophe"
            ));
        }
        if let Some((_, before)) = words.insert(
            word,
            (
                class,
                if concept == EACH_ITS_OWN {
                    word
                } else {
                    concept
                },
            ),
        ) {
            problems.push(format!(
                "{word}: stands under {before:?} and under {concept:?}"
            ));
        }
    }
    problems
}

/// The presets as a Rust table, in the order of the file.
///
/// # Errors
/// A sentence per problem: not TOML, a missing or unknown key, a name missing in one of `languages`, a repeated id.
pub fn presets(source: &str, languages: &[&str]) -> Result<String, Vec<String>> {
    let file: toml::Table = source
        .parse()
        .map_err(|e: toml::de::Error| vec![e.to_string()])?;
    let list = file
        .get("preset")
        .and_then(toml::Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let mut out = String::from("static PRESETS: &[Preset] = &[\n");
    let mut problems = Vec::new();
    let mut ids = Vec::new();
    for entry in list.iter().filter_map(toml::Value::as_table) {
        let id = entry
            .get("id")
            .and_then(toml::Value::as_str)
            .unwrap_or_default();
        match preset(entry, languages) {
            Ok(_) if ids.contains(&id) => {
                problems.push(format!("preset {id:?}: the id stands twice"))
            }
            Ok(text) => out.push_str(&text),
            Err(problem) => problems.push(format!("preset {id:?}: {problem}")),
        }
        ids.push(id);
    }
    if ids.is_empty() {
        problems.push("no [[preset]]".to_owned());
    }
    if problems.is_empty() {
        Ok(out + "];\n")
    } else {
        Err(problems)
    }
}

fn preset(entry: &toml::Table, languages: &[&str]) -> Result<String, String> {
    const KEYS: [&str; 5] = ["id", "name", "text", "source", "settings"];
    if let Some(key) = entry.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("{key}: unknown; a preset has {KEYS:?}"));
    }
    let optional = |key: &str| entry.get(key).and_then(toml::Value::as_str);
    let wanted = |key: &str| optional(key).ok_or_else(|| format!("{key}: missing"));
    let mut names = Vec::new();
    for language in languages {
        let name = entry
            .get("name")
            .and_then(|all| all.get(language))
            .and_then(toml::Value::as_str);
        names.push((
            *language,
            name.ok_or_else(|| format!("name.{language}: missing"))?,
        ));
    }
    Ok(format!(
        "    Preset {{ id: {:?}, names: &{names:?}, text: {:?}, source: {:?}, settings: {:?} }},\n",
        wanted("id")?,
        wanted("text")?,
        optional("source"),
        optional("settings").unwrap_or_default(),
    ))
}
