//! The panel with the generated program: read, copy, save.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("more": Code::new);

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use web_sys::{Element, HtmlElement};

use crate::browser::clipboard;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::download::Download;
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::browser::view::View;
use app::export::codegen::{FILE, Program, about, notebook, program, writes_alike};
use app::i18n::{Key, Language, text};
use app::state::State;
use app::views;

/// The panel.
pub(crate) struct Code {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

struct Inner {
    root: Root,
    about: Text,
    said: Text,
    element: HtmlElement,
    text: View,
    actions: Element,
    numbers: Element,
    download: Download,
    /// State and language of the program.
    of: Option<(State, Language)>,
    program: Option<Program>,
    language: Language,
}

/// Actions of the buttons.
#[derive(Clone, Copy)]
enum CodeAction {
    Copy,
    Save,
    Notebook,
    Numbers,
}

/// Buttons' identifiers, with their actions.
const BUTTONS: [(&str, CodeAction); 4] = [
    ("#code-copy", CodeAction::Copy),
    ("#code-save", CodeAction::Save),
    ("#code-notebook", CodeAction::Notebook),
    ("#code-numbers", CodeAction::Numbers),
];

impl Code {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        let actions: Element = root.find("#code-deeds")?;
        let inner = Rc::new(RefCell::new(Inner {
            root: root.clone(),
            about: Text::find(root, "#code-about")?,
            said: Text::find(root, "#code-said")?,
            element: root.find("#code-text")?,
            text: View::find(root, "#code-text")?,
            numbers: root.find("#code-numbers")?,
            download: Download::new(&actions),
            actions,
            of: None,
            program: None,
            language: Language::En,
        }));
        let mut listeners = Vec::new();
        for (selector, action) in BUTTONS {
            let back = Rc::downgrade(&inner);
            let button: Element = root.find(selector)?;
            listeners.push(Listener::new(&button, "click", move |_| act(&back, action)));
        }
        Ok(Self {
            inner,
            _listeners: listeners,
        })
    }
}

impl PanelView for Code {
    fn update(&mut self, context: &ViewContext<'_>) {
        // Busy only where the panel itself has been asked for something, which changes nothing here.
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.update(context);
        }
    }
}

fn act(back: &Weak<RefCell<Inner>>, action: CodeAction) {
    let Some(inner) = back.upgrade() else { return };
    let Ok(mut inner) = inner.try_borrow_mut() else {
        return;
    };
    match action {
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
    fn update(&mut self, context: &ViewContext<'_>) {
        let (language, run) = (context.language, context.run);
        let state = run.state.shown_as(context.state);
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
        let program = self.program.as_ref();
        self.about.set_text(&about(program, self.language));
        let has_file = program.is_some_and(|program| !program.beside.is_empty());
        dom::set_flag(&self.numbers, "hidden", !has_file);
        dom::set_flag(&self.actions, "hidden", program.is_none());
        dom::set_flag(&self.element, "hidden", program.is_none());
        self.text
            .update(program.map(views::program::program).unwrap_or_default());
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

    /// Selects the program, so that the user can copy it.
    fn select(&self) {
        let window = self
            .root
            .document()
            .and_then(|document| document.default_view());
        if let Some(selection) = window.and_then(|window| window.get_selection().ok().flatten()) {
            // Refused only for nodes that are gone.
            let _ = selection.select_all_children(&self.element);
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
