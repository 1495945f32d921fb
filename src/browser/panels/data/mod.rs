//! The data panel: every tensor of the setting, to save as a file.
//!
//! Its own controls affect only this panel. Results that are not in the window are computed once more for the file.

wasm_chunks::chunk!("more");

mod saving;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use web_sys::{HtmlButtonElement, HtmlSelectElement};

use crate::bindings::Client;
use crate::browser::activity::Activity;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::download::Download;
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::browser::view::View;
use app::export::tensors::{Entry, FileStatus, fits, for_state, sum};
use app::i18n::Language;
use app::state::State;
use app::views::tensor_table::tensor_table;
use engine::Backend;
use formats::Kind;

/// The panel.
pub(crate) struct Data {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

/// A way back to the panel for its own listeners.
type Back = Weak<RefCell<Inner>>;

struct Inner {
    client: Client,
    download: Download,
    tensors: View,
    one_kind: HtmlSelectElement,
    all_kind: HtmlSelectElement,
    all: HtmlButtonElement,
    all_size: Text,
    said: Text,
    stop: HtmlButtonElement,
    shown: Option<Shown>,
    /// Status of the last file.
    news: Option<FileStatus>,
    activity: Activity,
    /// The run that is waited for.
    run: Option<u32>,
    /// Whether a file is being made.
    is_at_work: bool,
    /// Number of requested files: only the last one is completed.
    asked: u32,
}

/// Contents of the list.
struct Shown {
    state: State,
    backend: Backend,
    entries: Vec<Entry>,
    language: Language,
}

impl Data {
    pub(crate) fn new(root: &Root, client: Client) -> Result<Self, MissingPart> {
        let inner = Rc::new(RefCell::new(Inner {
            client,
            download: Download::new(root.element()),
            activity: root.activity().clone(),
            tensors: View::find(root, "#data-tensors")?,
            one_kind: root.find("#data-one-kind")?,
            all_kind: root.find("#data-all-kind")?,
            all: root.find("#data-all")?,
            all_size: Text::find(root, "#data-all-size")?,
            said: Text::find(root, "#data-said")?,
            stop: root.find("#data-stop")?,
            shown: None,
            news: None,
            run: None,
            is_at_work: false,
            asked: 0,
        }));
        let listeners = saving::listen(&inner);
        Ok(Self {
            inner,
            _listeners: listeners,
        })
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.end();
        }
    }
}

impl PanelView for Data {
    fn update(&mut self, context: &ViewContext<'_>) {
        let run = context.run;
        // Busy only where a listener of the panel itself leads here, which then shows everything anew.
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let (entries, language) = (for_state(&run.state, &run.config), context.language);
            let is_same = |shown: &Shown| shown.entries == entries && shown.language == language;
            let is_listed = inner.shown.as_ref().is_some_and(is_same);
            inner.shown = Some(Shown {
                state: run.state.clone(),
                backend: run.reply.ran.backend,
                entries,
                language,
            });
            if !is_listed {
                inner.update();
            }
        }
    }
}

impl Inner {
    /// The format that is chosen in a menu.
    fn kind(menu: &HtmlSelectElement) -> Kind {
        Kind::from_extension(&menu.value()).unwrap_or(Kind::Npy)
    }

    fn update(&mut self) {
        let Some(shown) = &self.shown else { return };
        let (one, all) = (Self::kind(&self.one_kind), Self::kind(&self.all_kind));
        let (entries, language) = (&shown.entries, shown.language);
        self.tensors.update(tensor_table(entries, one, language));
        self.all_size.set_text(&sum(entries, all, language));
        dom::set_flag(&self.all, "disabled", !fits(all, entries));
        let news = self.news.as_ref().map(|news| news.sentence(language));
        self.said.set_text(&news.unwrap_or_default());
        self.switch();
    }

    /// Shows the stop button while a file is being made, and moves the focus when it disappears.
    fn switch(&self) {
        let is_idle = !self.is_at_work;
        if is_idle && self.stop.matches(":focus").unwrap_or(false) {
            // Fails only for an element that cannot be focused.
            let _ = self.all.focus();
        }
        dom::set_flag(&self.stop, "hidden", is_idle);
    }

    /// Waits for no file any more.
    fn end(&mut self) {
        self.is_at_work = false;
        self.asked = self.asked.wrapping_add(1);
        if let Some(run) = self.run.take() {
            self.client.stop(run);
        }
    }
}
