//! Reads and checks the lexicon and writes it as Rust.

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
pub(crate) fn lexicon(source: &str) -> Result<String, Vec<String>> {
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
