//! Reads and checks the lexicon and writes it as Rust.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The classes a section of the lexicon may name, with the letter that stands for them in the table.
const CLASSES: [(&str, char); 6] = [
    ("function", 'f'),
    ("living", 'l'),
    ("modifier", 'm'),
    ("noun", 'n'),
    ("pronoun", 'p'),
    ("verb", 'v'),
];

/// English, French, Chinese and Japanese.
const LANGUAGES: usize = 3;

/// A text for each language, as Rust: a line is the letter of a class, the name of a meaning and its words. This is far smaller than a
/// table of words would be in a program.
///
/// # Errors
/// A sentence per problem: not TOML, an unknown class, too many languages, a word that stands in two places or is not in lower case.
pub(crate) fn lexicon(source: &str) -> Result<String, Vec<String>> {
    let sections: toml::Table = source
        .parse()
        .map_err(|e: toml::de::Error| vec![e.to_string()])?;
    let mut texts: [String; LANGUAGES] = Default::default();
    let mut known: [BTreeMap<&str, &str>; LANGUAGES] = Default::default();
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
            match by_language(concept, line) {
                Ok(words) => {
                    for (language, words) in words.iter().enumerate() {
                        problems.extend(enter(&mut known[language], concept, words));
                        write_line(&mut texts[language], *class, concept, words);
                    }
                }
                Err(problem) => problems.push(problem),
            }
        }
    }
    if problems.is_empty() {
        Ok(format!(
            "static LEXICON: [&str; {LANGUAGES}] = {texts:?};\n"
        ))
    } else {
        Err(problems)
    }
}

/// The words of a line, one list for each language that it has.
fn by_language<'a>(concept: &str, line: &'a toml::Value) -> Result<Vec<Vec<&'a str>>, String> {
    let line = line
        .as_str()
        .ok_or_else(|| format!("{concept}: not a string"))?;
    let words: Vec<Vec<&str>> = line
        .split('|')
        .map(|words| words.split_whitespace().collect())
        .collect();
    if words.len() > LANGUAGES {
        return Err(format!("{concept}: more than {LANGUAGES} languages"));
    }
    Ok(words)
}

fn write_line(text: &mut String, class: char, concept: &str, words: &[&str]) {
    if !words.is_empty() {
        let _ = writeln!(text, "{class} {concept} {}", words.join(" "));
    }
}

fn enter<'a>(
    known: &mut BTreeMap<&'a str, &'a str>,
    concept: &'a str,
    words: &[&'a str],
) -> Vec<String> {
    let mut problems = Vec::new();
    for word in words {
        if word.to_lowercase() != *word || word.contains('\u{2019}') {
            problems.push(format!(
                "{word}: write it in lower case and with a straight apostrophe"
            ));
        }
        if let Some(before) = known.insert(word, concept) {
            problems.push(format!(
                "{word}: stands under {before:?} and under {concept:?}"
            ));
        }
    }
    problems
}
