//! Writes the texts of a language into the elements that name a key.

use web_sys::{Element, HtmlElement, Window};

use super::dom::{self, Root};
use app::i18n::{Key, Language};

/// Attributes that name a key, with the attribute for its text; `None`: between the tags.
const PLACES: [(&str, Option<&str>); 5] = [
    ("data-t", None),
    ("data-t-label", Some("aria-label")),
    ("data-t-title", Some("title")),
    ("data-t-placeholder", Some("placeholder")),
    ("data-t-content", Some("content")),
];

/// The first of the browser's languages that the page speaks; English where there is none.
pub(super) fn of_browser(window: &Window) -> Language {
    let tags = window.navigator().languages();
    tags.iter()
        .filter_map(|tag| Language::from_tag(&tag.as_string()?))
        .next()
        .unwrap_or_default()
}

/// Whether the texts under `root` are in `language` already: as in index.html, or as an earlier
/// page in the element has left them.
pub(super) fn is_applied(root: &Root, language: Language) -> bool {
    root.element().get_attribute("lang").as_deref() == Some(language.tag())
}

/// Writes every keyed text under `root` in `language`. Elements with a `lang` of their own keep it: they stand in
/// the page in several languages at once.
pub(super) fn apply(root: &Root, language: Language) {
    dom::set(root.element(), "lang", language.tag());
    for (attribute, place) in PLACES {
        let selector = format!("[{attribute}]:not([lang])");
        for element in root.all::<Element>(&selector) {
            write(&element, attribute, place, language);
        }
    }
}

fn write(element: &Element, attribute: &str, place: Option<&str>, language: Language) {
    let Some(key) = element
        .get_attribute(attribute)
        .and_then(|name| Key::named(&name))
    else {
        return;
    };
    match place {
        Some(place) => dom::set(element, place, key.text(language)),
        None => element.set_text_content(Some(key.text(language))),
    }
}

/// Shows the text of `key` in `element`, now and after every change of language.
pub(super) fn bind(element: &HtmlElement, key: Key, language: Language) {
    if element.get_attribute("data-t").as_deref() != Some(key.name()) {
        dom::set(element, "data-t", key.name());
        element.set_text_content(Some(key.text(language)));
    }
}
