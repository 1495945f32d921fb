//! The panel with the generated program: read, copy, save.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use web_sys::{Element, HtmlElement};

use crate::browser::clipboard;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::download::Download;
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::export::codegen::{FILE, Mark, Program, marked, notebook, program};
use crate::i18n::{Key, Language, text};
use crate::state::{Field, State};

/// The panel.
pub(crate) struct Code {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

struct Inner {
    root: Root,
    about: Text,
    said: Text,
    text: HtmlElement,
    deeds: Element,
    numbers: Element,
    download: Download,
    /// What the program was written from.
    of: Option<(State, Language)>,
    program: Option<Program>,
    language: Language,
}

/// What is done with the program.
#[derive(Clone, Copy)]
enum CodeAction {
    Copy,
    Save,
    Notebook,
    Numbers,
}

/// What can be done, by the identifiers of the buttons.
const DEEDS: [(&str, CodeAction); 4] = [
    ("#code-copy", CodeAction::Copy),
    ("#code-save", CodeAction::Save),
    ("#code-notebook", CodeAction::Notebook),
    ("#code-numbers", CodeAction::Numbers),
];

impl Code {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        let deeds: Element = root.find("#code-deeds")?;
        let inner = Rc::new(RefCell::new(Inner {
            root: root.clone(),
            about: Text::find(root, "#code-about")?,
            said: Text::find(root, "#code-said")?,
            text: root.find("#code-text")?,
            numbers: root.find("#code-numbers")?,
            download: Download::new(&deeds),
            deeds,
            of: None,
            program: None,
            language: Language::En,
        }));
        let mut listeners = Vec::new();
        for (selector, deed) in DEEDS {
            let back = Rc::downgrade(&inner);
            let button: Element = root.find(selector)?;
            listeners.push(Listener::new(&button, "click", move |_| act(&back, deed)));
        }
        Ok(Self {
            inner,
            _listeners: listeners,
        })
    }
}

impl PanelView for Code {
    fn update(&mut self, sight: &ViewContext<'_>) {
        // Busy only where the panel itself has been asked for something, which changes nothing here.
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.update(sight);
        }
    }
}

fn act(back: &Weak<RefCell<Inner>>, deed: CodeAction) {
    let Some(inner) = back.upgrade() else { return };
    let Ok(mut inner) = inner.try_borrow_mut() else {
        return;
    };
    match deed {
        CodeAction::Copy => {
            let Some(text) = inner.program.as_ref().map(Program::text) else {
                return;
            };
            let (root, back) = (inner.root.clone(), back.clone());
            // The answer may come at once.
            drop(inner);
            clipboard::copy(&root, &text, move |is_copied| copied(&back, is_copied));
        }
        CodeAction::Save => inner.save("attention.py", "text/x-python", |program| {
            Some(program.text().into_bytes())
        }),
        CodeAction::Notebook => {
            inner.save("attention.ipynb", "application/x-ipynb+json", |program| {
                Some(notebook(program).into_bytes())
            })
        }
        CodeAction::Numbers => inner.save(FILE, "application/zip", Program::npz),
    }
}

fn copied(back: &Weak<RefCell<Inner>>, is_copied: bool) {
    let Some(inner) = back.upgrade() else { return };
    if let Ok(mut inner) = inner.try_borrow_mut() {
        inner.copied(is_copied);
    }
}

impl Inner {
    fn update(&mut self, sight: &ViewContext<'_>) {
        let (language, run) = (sight.language, sight.run);
        let state = run.state.shown_as(sight.state);
        let is_same = |(of, in_language): &(State, Language)| {
            *in_language == language && writes_alike(of, &state)
        };
        if self.of.as_ref().is_some_and(is_same) {
            return;
        }
        let request = run.request();
        self.program =
            request.and_then(|request| program(&state, request, state.library, language));
        self.of = Some((state, language));
        self.language = language;
        self.said.set_text("");
        self.write();
    }

    fn write(&mut self) {
        let beside = self
            .program
            .as_ref()
            .map_or(&[][..], |program| &program.beside);
        let count: usize = beside.iter().map(|given| given.values.len()).sum();
        let about = match &self.program {
            None => Key::CodeNone.text(self.language).to_owned(),
            Some(_) if beside.is_empty() => Key::CodeAbout.text(self.language).to_owned(),
            Some(_) => text::code_about_beside(self.language, &count, &FILE),
        };
        self.about.set_text(&about);
        dom::set_flag(&self.numbers, "hidden", beside.is_empty());
        dom::set_flag(&self.deeds, "hidden", self.program.is_none());
        dom::set_flag(&self.text, "hidden", self.program.is_none());
        self.text.set_text_content(None);
        if let Some(program) = &self.program {
            for stretch in marked(&program.text()) {
                if let Some(span) = dom::append::<Element>(&self.text, "span", class(stretch.mark))
                {
                    span.set_text_content(Some(stretch.text));
                }
            }
        }
    }

    fn copied(&mut self, is_copied: bool) {
        if !is_copied {
            self.select();
        }
        let key = if is_copied {
            Key::CodeCopied
        } else {
            Key::CodeNotCopied
        };
        self.said.set_text(key.text(self.language));
    }

    /// Selects the program, to be copied by hand.
    fn select(&self) {
        let window = self
            .root
            .document()
            .and_then(|document| document.default_view());
        if let Some(selection) = window.and_then(|window| window.get_selection().ok().flatten()) {
            // Refused only for nodes that are gone.
            let _ = selection.select_all_children(&self.text);
        }
    }

    fn save(&mut self, name: &str, kind: &str, bytes: impl Fn(&Program) -> Option<Vec<u8>>) {
        let Some(bytes) = self.program.as_ref().and_then(bytes) else {
            return;
        };
        let said = if self.download.save_file(name, kind, &bytes) {
            text::code_saved(self.language, &name)
        } else {
            Key::CodeNotSaved.text(self.language).to_owned()
        };
        self.said.set_text(&said);
    }
}

/// Whether both states give the same program.
fn writes_alike(one: &State, other: &State) -> bool {
    let is_written =
        |field: &Field| !field.is_shown_only() || matches!(field, Field::Head | Field::Library);
    Field::ALL
        .iter()
        .filter(|field| is_written(field))
        .all(|field| one.get(*field) == other.get(*field))
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "",
        Mark::Keyword => "is-keyword",
        Mark::Query => "is-query-text",
        Mark::Key => "is-key-text",
        Mark::Text => "is-text",
        Mark::Data => "is-data",
        Mark::Remark => "is-remark",
    }
}
