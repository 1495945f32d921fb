//! Which texts the page and the Rust code use, and what is wrong with that.

use std::collections::BTreeSet;

use super::functions::function;
use super::html::Element;
use super::tables::{Table, placeholders, variant};

/// Attributes of an element that name a key, with the place its text stands in (`""`: between the tags).
pub const PLACES: [(&str, &str); 5] = [
    ("data-t", ""),
    ("data-t-label", "aria-label"),
    ("data-t-title", "title"),
    ("data-t-placeholder", "placeholder"),
    ("data-t-content", "content"),
];

/// Elements whose text is notation, the same in every language.
const NOTATION: [&str; 4] = ["var", "sub", "/sub", "kbd"];

/// Keys named by `index.html`, in kebab-case.
pub fn keys_of_page(elements: &[Element]) -> impl Iterator<Item = String> {
    elements.iter().flat_map(|e| {
        PLACES
            .iter()
            .filter_map(|(name, _)| e.attributes.get(*name).cloned())
    })
}

/// Texts named by Rust code as they are there: `Key::CamelCase` and `text::snake_case`.
pub fn texts_of_rust(source: &str) -> impl Iterator<Item = String> {
    ["Key::", "text::"]
        .into_iter()
        .flat_map(|path| names_behind(path, source))
}

fn names_behind(path: &str, source: &str) -> impl Iterator<Item = String> {
    let places = source
        .match_indices(path)
        .filter(|(at, _)| !source[..*at].ends_with(is_of_name));
    places.map(move |(at, _)| {
        let rest = source[at..].chars();
        let name = rest.skip(path.len()).take_while(|c| is_of_name(*c));
        path.chars().chain(name).collect()
    })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Texts that are there without being used. The compiler finds what Rust code names and `content/` lacks.
pub fn problems(
    of_page: &BTreeSet<String>,
    of_rust: &BTreeSet<String>,
    languages: &[Table],
) -> Vec<String> {
    let Some(first) = languages.first() else {
        return Vec::new();
    };
    let constant = first.constant().filter_map(|(key, _)| {
        let name = format!("Key::{}", variant(key));
        let is_used = of_page.contains(key) || of_rust.contains(&name);
        (!is_used).then(|| format!("{key} is used neither in index.html nor as {name} in src/"))
    });
    let templates = first.templates().filter_map(|(key, _)| {
        let name = format!("text::{}", function(key));
        (!of_rust.contains(&name)).then(|| format!("{key} is not used as {name} in src/"))
    });
    constant.chain(templates).collect()
}

/// Problems in `index.html`: unknown keys, keys of texts with placeholders, text that differs from
/// its key's, and words without a key.
pub fn page_problems(elements: &[Element], languages: &[Table]) -> Vec<String> {
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
        Some(text) if !placeholders(text).is_empty() => Some(format!(
            "index.html: {key_attribute}=\"{key}\" names a text with placeholders: {text:?}"
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
