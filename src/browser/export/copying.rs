//! The matrix on the map as text, with a preview of what is copied.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement};

use crate::browser::clipboard;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::export::figures;
use crate::export::matrix_text::{Extent, Form, Refusal, Selection, TextMatrix, formula};
use crate::i18n::{Key, Language, text};
use crate::present::names;

/// What is done with the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copying {
    /// Another part of the matrix was chosen, or another form.
    Changed,
    /// The text is to be copied.
    Copy,
}

/// The most characters that are shown of a text.
const MOST_SHOWN: usize = 20_000;

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
    /// `act` hears what is done with the group.
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
    pub(crate) fn update(&self, sight: &ViewContext<'_>) {
        let language = sight.language;
        let (text, note) = match self.text(sight) {
            Ok(text) => {
                let note = note(&text, self.form(), sight);
                (text, note)
            }
            Err(refusal) => (String::new(), self.refusal(refusal, sight)),
        };
        dom::set_flag(&self.copy, "disabled", text.is_empty());
        dom::set_flag(&self.written, "hidden", text.is_empty());
        tell(&self.note, &note);
        if self.shown.borrow().as_str() != text {
            self.written.set_value(beginning(&text));
            self.shown.replace(text);
            tell(&self.said, "");
        }
        dom::set(&self.written, "lang", language.tag());
    }

    /// Copies it.
    pub(crate) fn copy(&self, sight: &ViewContext<'_>) {
        let Ok(text) = self.text(sight) else { return };
        let (said, field, language) = (Rc::clone(&self.said), self.written.clone(), sight.language);
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
            tell(&said, key.text(language));
        });
    }

    fn text(&self, sight: &ViewContext<'_>) -> Result<String, Refusal> {
        let extent = chosen(&self.extents).and_then(|name| Extent::from_name(&name));
        written(sight, extent.unwrap_or_default(), self.form())
    }

    fn form(&self) -> Form {
        let form = chosen(&self.forms).and_then(|name| Form::from_name(&name));
        form.unwrap_or_default()
    }

    fn refusal(&self, refusal: Refusal, sight: &ViewContext<'_>) -> String {
        let is_empty = sight.exhibit.matrix.values.is_empty();
        match refusal {
            Refusal::Nothing if is_empty => Key::TextEmpty.text(sight.language).to_owned(),
            Refusal::Nothing => Key::TextNothing.text(sight.language).to_owned(),
            Refusal::TooLarge { most } => text::text_too_large(sight.language, &most),
        }
    }
}

fn tell(text: &RefCell<Text>, sentence: &str) {
    if let Ok(mut text) = text.try_borrow_mut() {
        text.set_text(sentence);
    }
}

fn chosen(radios: &[HtmlInputElement]) -> Option<String> {
    radios
        .iter()
        .find(|radio| radio.checked())
        .map(HtmlInputElement::value)
}

/// What is shown of a text, cut where a line ends.
fn beginning(text: &str) -> &str {
    if text.len() <= MOST_SHOWN {
        return text;
    }
    let end = (0..=MOST_SHOWN).rfind(|at| text.is_char_boundary(*at));
    let shown = &text[..end.unwrap_or(0)];
    &shown[..shown.rfind('\n').unwrap_or(shown.len())]
}

fn note(text: &str, form: Form, sight: &ViewContext<'_>) -> String {
    if text.len() > MOST_SHOWN {
        return text::text_beginning(sight.language, &text.chars().count());
    }
    match (sight.exhibit.hidden.count(), form.hidden()) {
        (0, _) => String::new(),
        (_, "") => Key::TextHidden.text(sight.language).to_owned(),
        (_, sign) => text::text_hidden_as(sight.language, &sign),
    }
}

/// The matrix on the map, the row that is pointed out, or the cell, as text.
pub(crate) fn written(
    sight: &ViewContext<'_>,
    extent: Extent,
    form: Form,
) -> Result<String, Refusal> {
    let (exhibit, pointed, language) = (sight.exhibit, sight.pointed, sight.language);
    let titles = exhibit
        .titles(language)
        .map(|title| title.trim_end_matches([' ', '→', '↓']));
    let name = names::map(&sight.run.state, exhibit.step, sight.head, language);
    let mechanism = figures::mechanism(language, &sight.run.state);
    let caption = text::text_caption(language, &name, &mechanism);
    let sheet = TextMatrix {
        titles,
        rows: &exhibit.rows,
        columns: &exhibit.columns,
        values: &exhibit.matrix.values,
        is_hidden: &|row, column| exhibit.hidden.is_hidden(row, column),
        caption: &caption,
        formula: &formula(exhibit.step, &sight.run.config),
    };
    let taken = match (extent, pointed.query, pointed.key) {
        (Extent::Matrix, ..) => Selection {
            row: None,
            column: None,
        },
        (Extent::Row, Some(row), _) => Selection {
            row: Some(row),
            column: None,
        },
        (Extent::Cell, Some(row), Some(column)) => Selection {
            row: Some(row),
            column: Some(column),
        },
        _ => return Err(Refusal::Nothing),
    };
    sheet.written(taken, form)
}

/// The name of the row that is pointed out.
pub(crate) fn row_name(sight: &ViewContext<'_>, language: Language) -> String {
    let row = sight.pointed.query.unwrap_or(0);
    sight.exhibit.row_name(row, language)
}
