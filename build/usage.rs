//! Which keys the page and the Rust code use, and what is wrong with that.

use std::collections::BTreeSet;

use super::html::Element;
use super::tables::{Table, variant};

/// Attributes of an element that name a key, with the place its text stands in (`""`: between the tags).
pub(crate) const PLACES: [(&str, &str); 5] = [
    ("data-t", ""),
    ("data-t-label", "aria-label"),
    ("data-t-title", "title"),
    ("data-t-placeholder", "placeholder"),
    ("data-t-content", "content"),
];

/// Elements whose text is notation, the same in every language.
const NOTATION: [&str; 4] = ["var", "sub", "/sub", "kbd"];

/// Keys named by `index.html`, in kebab-case.
pub(crate) fn keys_of_page(elements: &[Element]) -> impl Iterator<Item = String> {
    elements.iter().flat_map(|e| {
        PLACES
            .iter()
            .filter_map(|(name, _)| e.attributes.get(*name).cloned())
    })
}

/// Variants named by Rust code as `Key::CamelCase`, in the case they are written in.
pub(crate) fn keys_of_rust(source: &str) -> impl Iterator<Item = String> {
    let names = source
        .match_indices("Key::")
        .filter(|(at, _)| !continues_a_name(&source[..*at]));
    let word = |at: usize| {
        source[at + 5..]
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect::<String>()
    };
    let words = names.map(move |(at, _)| word(at));
    words.filter(|name| name.starts_with(|c: char| c.is_uppercase()))
}

fn continues_a_name(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Keys that are used without being there, or there without being used. The compiler finds unknown variants in
/// Rust code by itself, so only unused keys and unknown keys of the page are looked for.
pub(crate) fn problems(used: &BTreeSet<String>, languages: &[Table]) -> Vec<String> {
    let Some(first) = languages.first() else {
        return Vec::new();
    };
    let unused = first
        .texts
        .keys()
        .filter(|key| !used.contains(*key) && !used.contains(&variant(key)));
    unused
        .map(|key| {
            format!(
                "{key} is used neither in index.html nor as Key::{} in src/",
                variant(key)
            )
        })
        .collect()
}

/// What is wrong in `index.html`: unknown keys, text that is not the text of its key, and words without a key.
pub(crate) fn page_problems(elements: &[Element], languages: &[Table]) -> Vec<String> {
    elements
        .iter()
        .flat_map(|element| element_problems(element, languages))
        .collect()
}

fn element_problems(element: &Element, languages: &[Table]) -> Vec<String> {
    let places = PLACES.iter();
    places
        .filter_map(|(key_attribute, place)| {
            place_problem(element, key_attribute, place, languages)
        })
        .collect()
}

fn place_problem(
    element: &Element,
    key_attribute: &str,
    place: &str,
    languages: &[Table],
) -> Option<String> {
    let stands = match place {
        "" => element.text.as_str(),
        _ => element.attributes.get(place).map_or("", String::as_str),
    };
    let Some(key) = element.attributes.get(key_attribute) else {
        return wordless_problem(element, place, stands);
    };
    let language = element
        .attributes
        .get("lang")
        .map_or("en", |tag| tag.split('-').next().unwrap_or("en"));
    let table = languages.iter().find(|table| table.language == language)?;
    match table.texts.get(key) {
        None => Some(format!(
            "index.html: {key} is not a key of content/{language}/ui.toml"
        )),
        Some(text) if text != stands => Some(format!(
            "index.html: {key_attribute}=\"{key}\" has the text {stands:?}, but ui.toml says {text:?}"
        )),
        Some(_) => None,
    }
}

/// Letters that a person reads but no translator would find.
fn wordless_problem(element: &Element, place: &str, stands: &str) -> Option<String> {
    let is_notation =
        NOTATION.contains(&element.tag.as_str()) || element.attributes.contains_key("translate");
    let is_meta = place == "content";
    if is_notation || is_meta || !stands.contains(char::is_alphabetic) {
        return None;
    }
    Some(format!(
        "index.html: <{}> says {stands:?} without a key",
        element.tag
    ))
}
