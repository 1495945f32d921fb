//! The matrix on the map as text, with a preview.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement};

use super::set_message;
use crate::browser::clipboard;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use app::export::matrix_text::{Extent, Form, Refusal, beginning};
use app::i18n::Key;

/// Actions of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copying {
    /// Another part of the matrix was chosen, or another form.
    Changed,
    /// The text is to be copied.
    Copy,
}

/// The group.
pub(crate) struct TextGroup {
    root: Root,
    extents: Vec<HtmlInputElement>,
    forms: Vec<HtmlInputElement>,
    written: HtmlTextAreaElement,
    note: RefCell<Text>,
    said: Rc<RefCell<Text>>,
    copy: Element,
    shown: RefCell<String>,
    _listeners: Vec<Listener>,
}

impl TextGroup {
    /// `act` is called with each action of the group.
    pub(crate) fn new(root: &Root, act: impl Fn(Copying) + 'static) -> Result<Self, MissingPart> {
        let (group, copy): (Element, Element) =
            (root.find("#save-text")?, root.find("#text-copy")?);
        let act = Rc::new(act);
        let changed = Rc::clone(&act);
        let listeners = vec![
            Listener::new(&group, "change", move |_| changed(Copying::Changed)),
            Listener::new(&copy, "click", move |_| act(Copying::Copy)),
        ];
        Ok(Self {
            root: root.clone(),
            extents: root.all("input[name=text-extent]"),
            forms: root.all("input[name=text-form]"),
            written: root.find("#text-written")?,
            note: RefCell::new(Text::find(root, "#text-note")?),
            said: Rc::new(RefCell::new(Text::find(root, "#text-said")?)),
            copy,
            shown: RefCell::default(),
            _listeners: listeners,
        })
    }

    /// Shows the text that is chosen.
    pub(crate) fn update(&self, context: &ViewContext<'_>) {
        let language = context.language;
        let (text, note) = match self.text(context) {
            Ok(text) => {
                let note = context.matrix().note(&text, self.form());
                (text, note)
            }
            Err(refusal) => (String::new(), context.matrix().refusal(refusal)),
        };
        dom::set_flag(&self.copy, "disabled", text.is_empty());
        dom::set_flag(&self.written, "hidden", text.is_empty());
        set_message(&self.note, &note);
        if self.shown.borrow().as_str() != text {
            self.written.set_value(beginning(&text));
            self.shown.replace(text);
            set_message(&self.said, "");
        }
        dom::set(&self.written, "lang", language.tag());
    }

    /// Copies it.
    pub(crate) fn copy(&self, context: &ViewContext<'_>) {
        let Ok(text) = self.text(context) else { return };
        let (said, field, language) = (
            Rc::clone(&self.said),
            self.written.clone(),
            context.language,
        );
        let all = text.clone();
        clipboard::copy(&self.root, &text, move |is_copied| {
            if !is_copied {
                field.set_value(&all);
                field.select();
            }
            let key = if is_copied {
                Key::TextCopied
            } else {
                Key::TextNotCopied
            };
            set_message(&said, key.text(language));
        });
    }

    fn text(&self, context: &ViewContext<'_>) -> Result<String, Refusal> {
        let extent = chosen(&self.extents).and_then(|name| Extent::from_name(&name));
        context
            .matrix()
            .written(extent.unwrap_or_default(), self.form())
    }

    fn form(&self) -> Form {
        let form = chosen(&self.forms).and_then(|name| Form::from_name(&name));
        form.unwrap_or_default()
    }
}

fn chosen(radios: &[HtmlInputElement]) -> Option<String> {
    radios
        .iter()
        .find(|radio| radio.checked())
        .map(HtmlInputElement::value)
}
