//! Notices about settings that were changed or ignored, until they are dismissed.

use std::rc::Rc;

use web_sys::{Element, HtmlButtonElement};

use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::panels::UndoAction;
use crate::i18n::{Key, Language};

/// More than this many at a time would push the map away.
const MOST: usize = 4;

/// The list of notices.
pub(crate) struct Notices {
    list: Element,
    shown: Vec<Shown>,
    /// One that stays until it is read or replaced, whatever else is done.
    kept: Option<Shown>,
    dismiss: Rc<dyn Fn(String)>,
    undo: Rc<dyn Fn(UndoAction)>,
}

struct Shown {
    sentence: String,
    element: Element,
    listeners: Vec<Listener>,
}

impl Notices {
    /// `dismiss` is called with the sentence whose button was pressed, `undo` where one offers to undo what it tells of.
    pub(crate) fn new(
        root: &Root,
        dismiss: impl Fn(String) + 'static,
        undo: Rc<dyn Fn(UndoAction)>,
    ) -> Result<Self, MissingPart> {
        Ok(Self {
            list: root.find("#notices")?,
            shown: Vec::new(),
            kept: None,
            dismiss: Rc::new(dismiss),
            undo,
        })
    }

    /// Adds a sentence, unless it stands there already; the oldest makes room.
    pub(crate) fn add(&mut self, sentence: &str, language: Language) {
        if self.shown.iter().any(|shown| shown.sentence == sentence) {
            return;
        }
        if self.shown.len() == MOST {
            self.shown.remove(0).element.remove();
        }
        self.shown.extend(self.make(sentence, "", language));
    }

    /// Adds a sentence about the last step with a button that undoes it.
    pub(crate) fn offer_undo(&mut self, sentence: &str, language: Language) {
        let Some(mut shown) = self.make(sentence, "", language) else {
            return;
        };
        if let Some(button) = button(&shown.element, Key::Undo, language) {
            let undo = Rc::clone(&self.undo);
            let press = move |_| undo(UndoAction::Undo);
            shown.listeners.push(Listener::new(&button, "click", press));
            // What it offers is read before how to do without.
            let dismiss = button.previous_element_sibling();
            let _ = dismiss.map(|dismiss| dismiss.before_with_node_1(&button));
        }
        self.shown.push(shown);
    }

    /// Puts a sentence in place of the one that is kept.
    pub(crate) fn keep(&mut self, sentence: &str, language: Language) {
        if let Some(before) = self.kept.take() {
            before.element.remove();
        }
        self.kept = self.make(sentence, "kept", language);
    }

    /// Takes one sentence away.
    pub(crate) fn remove(&mut self, sentence: &str) {
        self.shown
            .iter()
            .filter(|shown| shown.sentence == sentence)
            .for_each(|shown| shown.element.remove());
        self.shown.retain(|shown| shown.sentence != sentence);
        if let Some(kept) = self.kept.take_if(|kept| kept.sentence == sentence) {
            kept.element.remove();
        }
    }

    /// Takes every sentence away but the one that is kept.
    pub(crate) fn clear(&mut self) {
        self.shown
            .drain(..)
            .for_each(|shown| shown.element.remove());
    }

    fn make(&self, sentence: &str, class: &str, language: Language) -> Option<Shown> {
        let element: Element = dom::append(&self.list, "li", class)?;
        let text: Element = dom::append(&element, "span", "")?;
        text.set_text_content(Some(sentence));
        let button = button(&element, Key::NoticeDismiss, language)?;
        let (dismiss, own) = (Rc::clone(&self.dismiss), sentence.to_owned());
        let listener = Listener::new(&button, "click", move |_| dismiss(own.clone()));
        Some(Shown {
            sentence: sentence.to_owned(),
            element,
            listeners: vec![listener],
        })
    }
}

fn button(notice: &Element, word: Key, language: Language) -> Option<HtmlButtonElement> {
    let button: HtmlButtonElement = dom::append(notice, "button", "bare")?;
    button.set_type("button");
    dom::set(&button, "data-t", word.name());
    button.set_text_content(Some(word.text(language)));
    Some(button)
}
