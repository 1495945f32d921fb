//! The sentence as a picture: each word is tinted by its weight in the selected row.
//!
//! The tint is a transparent copy of the text in the same place, letter for letter. It also sets the height of the field, which
//! shares its grid cell.

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{Attribute, MissingPart, Property, Root};
use crate::browser::view::View;
use app::present::token_tints::Tints;
use app::scene::arc::{Arc, Place, arc};
use app::views::token_spans::{tint, token_spans};

/// Characters from which a text is set smaller.
const LONG: usize = 240;

/// Class of a text that is set smaller, and scrolls: no arc lies below it.
const IS_LONG: &str = "is-long";

/// The shade of one text field.
pub(crate) struct TokenTint {
    element: Element,
    content: View,
    text: Option<String>,
    /// Those that stand in it; `None` where the opening picture has put them there.
    tokens: Option<Vec<String>>,
    words: Vec<Word>,
}

struct Word {
    span: HtmlElement,
    /// Where it stands in the field, once that was asked.
    place: Option<Place>,
    weight: Property,
    class: Attribute,
}

impl TokenTint {
    pub(crate) fn new(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        let element: Element = root.find(selector)?;
        let content = View::new(element.clone());
        let spans = content.all("span");
        // The opening picture has copied its text already: its tints stay until there are others.
        let text = element.text_content().filter(|_| !spans.is_empty());
        Ok(Self {
            text: text.map(|text| text.trim_end_matches('\u{200b}').to_owned()),
            tokens: None,
            words: spans.into_iter().map(Word::new).collect(),
            content,
            element,
        })
    }

    /// Copies `text`; its tokens stand in it in this order, as the text is spelled.
    pub(crate) fn copy(&mut self, text: &str, tokens: &[String]) {
        let is_same = self.tokens.as_ref().is_none_or(|own| own == tokens);
        self.tokens = Some(tokens.to_vec());
        if self.text.as_deref() == Some(text) && is_same {
            return;
        }
        self.text = Some(text.to_owned());
        if let Some(paper) = self.element.parent_element() {
            let _ = paper
                .class_list()
                .toggle_with_force(IS_LONG, text.chars().count() > LONG);
        }
        self.content.update(token_spans(text, tokens));
        let spans = self.content.all("span");
        self.words = spans.into_iter().map(Word::new).collect();
    }

    /// The word at a place in the window. One that is broken over two lines is found anywhere between both.
    pub(crate) fn word_at(&self, x: f64, y: f64) -> Option<usize> {
        self.words.iter().position(|word| {
            let place = word.span.get_bounding_client_rect();
            (place.left()..place.right()).contains(&x) && (place.top()..place.bottom()).contains(&y)
        })
    }

    /// The arc from a word to another; `None` where one of them is not there, or the text scrolls.
    pub(crate) fn arc(&mut self, from: usize, to: usize) -> Option<Arc> {
        let paper = self.element.parent_element()?;
        if paper.class_list().contains(IS_LONG) {
            return None;
        }
        let [from, to] = [from, to].map(|at| self.words.get_mut(at).map(Word::place));
        let bottom = self.words.last_mut().map(Word::place)?;
        Some(arc(from?, to?, bottom.top + bottom.height))
    }

    /// The room of the field has changed.
    pub(crate) fn forget_places(&mut self) {
        self.words.iter_mut().for_each(|word| word.place = None);
    }

    /// Tints the words of the copied text.
    pub(crate) fn tint(&mut self, tints: Tints<'_>) {
        for (at, word) in self.words.iter_mut().enumerate() {
            let weight = tints.weights.get(at).copied().unwrap_or(0.0);
            word.weight.set(&tint(weight));
            word.class.set(if tints.query == Some(at) {
                "is-query"
            } else {
                ""
            });
        }
    }
}

impl Word {
    fn new(span: HtmlElement) -> Self {
        Self {
            weight: Property::new(span.clone(), "--weight"),
            class: Attribute::new(span.clone(), "class"),
            place: None,
            span,
        }
    }

    fn place(&mut self) -> Place {
        *self.place.get_or_insert_with(|| Place {
            left: self.span.offset_left().into(),
            top: self.span.offset_top().into(),
            width: self.span.offset_width().into(),
            height: self.span.offset_height().into(),
        })
    }
}
