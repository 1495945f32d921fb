//! The custom element knows every setting of links, in its script and in its types.

use std::collections::BTreeSet;

use app::i18n::Language;
use app::state::{Field, StepKind};

/// Who may set is said by links alone: whoever has the element has it anyway.
const NOT_THERE: &str = "origins";

fn keys() -> BTreeSet<&'static str> {
    let keys = Field::ALL.into_iter().map(Field::key);
    keys.filter(|key| *key != NOT_THERE).collect()
}

/// Part of `text` between `start` and `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect(start);
    rest.split_once(end).expect(end).0
}

#[test]
fn the_script_lists_every_setting() {
    let script = include_str!("../../src/bindings/js/element.js");
    let list = between(script, "export const KEYS = [", "]");
    let named = list.split(',').map(|name| name.trim().trim_matches('\''));
    let named: BTreeSet<&str> = named.filter(|name| !name.is_empty()).collect();
    assert_eq!(named, keys());
}

#[test]
fn the_script_knows_every_language_and_each_but_english_has_a_chunk() {
    let script = include_str!("../../src/bindings/js/element.js");
    let spoken = between(script, "const isSpoken = (tag) => /^(", ")\\b/");
    let languages = Language::ALL.map(Language::code);
    assert_eq!(spoken.split('|').collect::<Vec<_>>(), languages);
    let chunks = include_str!("../../scripts/dist/chunks.mjs");
    for language in languages.into_iter().filter(|language| *language != "en") {
        let chunk = format!("\n  {language}: {{ isForInput: true }},");
        assert!(chunks.contains(&chunk), "{language} has no chunk");
    }
}

#[test]
fn the_types_list_every_setting() {
    let types = include_str!("../../package/element.d.ts");
    let list = between(types, "export interface Settings {", "\n}");
    let lines = list.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("/**"));
    let lines = lines.filter_map(|line| line.split_once(": "));
    let mut named: BTreeSet<&str> = lines.map(|(name, _)| name).collect();
    // A property of every element, which has it as `language`.
    named.insert("lang");
    assert_eq!(named, keys());
}

#[test]
fn the_documentation_names_every_setting() {
    let page = include_str!("../../docs/element.md");
    let missing: Vec<&str> = keys()
        .into_iter()
        .filter(|key| !page.contains(&format!("`{key}`")))
        .collect();
    assert!(missing.is_empty(), "docs/element.md lacks {missing:?}");
}

#[test]
fn the_documentation_names_every_matrix() {
    let page = include_str!("../../docs/element.md");
    let list = between(page, "### Matrices", "\nWith `theme");
    let named: BTreeSet<&str> = list.split('`').skip(1).step_by(2).collect();
    let names = StepKind::ALL.map(StepKind::name);
    assert_eq!(named, ["step"].into_iter().chain(names).collect());
}
