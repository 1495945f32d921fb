//! The sentence as a picture: each word is tinted by its weight in the selected row.
//!
//! The tint is a transparent copy of the text in the same place, letter for letter. It also sets the height of the field, which
//! shares its grid cell.

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{self, Attribute, MissingPart, Property, Root};

/// Characters from which a text is set smaller.
const LONG: usize = 240;

/// The shade of one text field.
pub(crate) struct TokenTint {
    element: Element,
    text: Option<String>,
    words: Vec<Word>,
}

struct Word {
    weight: Property,
    class: Attribute,
}

/// What lies behind the words.
pub(crate) struct Tints<'a> {
    /// Weight of each token, 0…1; empty where this text gives no keys.
    pub weights: &'a [f32],
    /// The token that asks, where this text gives the queries.
    pub query: Option<usize>,
}

impl TokenTint {
    pub(crate) fn new(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        Ok(Self {
            element: root.find::<HtmlElement>(selector)?.into(),
            text: None,
            words: Vec::new(),
        })
    }

    /// Copies `text`; its tokens stand in it in this order, as the text is spelled.
    pub(crate) fn copy(&mut self, text: &str, tokens: &[String]) {
        if self.text.as_deref() == Some(text) {
            return;
        }
        self.text = Some(text.to_owned());
        if let Some(paper) = self.element.parent_element() {
            let _ = paper
                .class_list()
                .toggle_with_force("is-long", text.chars().count() > LONG);
        }
        self.element.set_text_content(None);
        self.words.clear();
        let mut rest = text;
        for token in tokens {
            let Some(at) = rest.find(token.as_str()) else {
                break;
            };
            self.plain(&rest[..at]);
            self.words.extend(self.word(token));
            rest = &rest[at + token.len()..];
        }
        // A line break at the end opens a line in the field; here it takes a character to do so.
        self.plain(&format!("{rest}\u{200b}"));
    }

    /// Tints the words of the copied text.
    pub(crate) fn tint(&mut self, tints: &Tints<'_>) {
        for (at, word) in self.words.iter_mut().enumerate() {
            let weight = tints.weights.get(at).copied().unwrap_or(0.0);
            // Half strength at most, so that the words stay readable.
            word.weight
                .set(&format!("{:.0}%", 50.0 * weight.clamp(0.0, 1.0)));
            word.class.set(if tints.query == Some(at) {
                "is-query"
            } else {
                ""
            });
        }
    }

    fn plain(&self, text: &str) {
        if let Some(document) = self.element.owner_document() {
            // Fails only for a parent that cannot hold text.
            let _ = self.element.append_child(&document.create_text_node(text));
        }
    }

    fn word(&self, token: &str) -> Option<Word> {
        let span: Element = dom::append(&self.element, "span", "")?;
        span.set_text_content(Some(token));
        Some(Word {
            weight: Property::new(span.clone(), "--weight"),
            class: Attribute::new(span, "class"),
        })
    }
}
