//! The data panel: every tensor of the setting, to save as a file.
//!
//! Its own controls affect only this panel. Results that are not in the window are computed once more for the file.

mod saving;
mod tensors;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use web_sys::{Element, HtmlButtonElement, HtmlSelectElement};

use crate::bindings::Client;
use crate::browser::activity::Activity;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::download::Download;
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::engine::Backend;
use crate::export::tensors as app;
use crate::export::tensors::Entry;
use crate::i18n::{Language, text};
use crate::import::file_messages;
use crate::state::State;
use formats::Kind;
use saving::Said;
use tensors::Tensors;

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
    tensors: Tensors,
    one_kind: HtmlSelectElement,
    all_kind: HtmlSelectElement,
    all: HtmlButtonElement,
    all_size: Text,
    said: Text,
    stop: HtmlButtonElement,
    shown: Option<Shown>,
    /// What is told of the last file.
    news: Said,
    activity: Activity,
    /// The run that is waited for.
    run: Option<u32>,
    /// Whether a file is being made.
    is_at_work: bool,
    /// How many files were asked for: only the last one is waited for.
    asked: u32,
}

/// What the panel lists.
struct Shown {
    state: State,
    backend: Backend,
    entries: Vec<Entry>,
    language: Language,
}

impl Data {
    pub(crate) fn new(root: &Root, client: Client) -> Result<Self, MissingPart> {
        let list: Element = root.find("#data-tensors")?;
        let inner = Rc::new(RefCell::new(Inner {
            client,
            download: Download::new(root.element()),
            activity: root.activity().clone(),
            tensors: Tensors::new(list.clone()),
            one_kind: root.find("#data-one-kind")?,
            all_kind: root.find("#data-all-kind")?,
            all: root.find("#data-all")?,
            all_size: Text::find(root, "#data-all-size")?,
            said: Text::find(root, "#data-said")?,
            stop: root.find("#data-stop")?,
            shown: None,
            news: Said::Nothing,
            run: None,
            is_at_work: false,
            asked: 0,
        }));
        let listeners = saving::listen(&inner, &list);
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
    fn update(&mut self, sight: &ViewContext<'_>) {
        let run = sight.run;
        // Busy only where a listener of the panel itself leads here, which then shows everything anew.
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let (entries, language) = (app::for_state(&run.state, &run.config), sight.language);
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
        let chosen = menu.value();
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| kind.extension() == chosen);
        kind.unwrap_or(Kind::Npy)
    }

    fn update(&mut self) {
        let Some(shown) = &self.shown else { return };
        let (one, all) = (Self::kind(&self.one_kind), Self::kind(&self.all_kind));
        self.tensors.update(&shown.entries, one, shown.language);
        let fits = app::fits(all, &shown.entries);
        self.all_size.set_text(&sum(shown, all, fits));
        dom::set_flag(&self.all, "disabled", !fits);
        self.said.set_text(&self.news.text(shown.language));
        self.switch();
    }

    /// The button to stop is there while there is something to stop, and hands its focus on.
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

/// What all tensors come to.
fn sum(shown: &Shown, kind: Kind, fits: bool) -> String {
    let numbers: u64 = shown.entries.iter().map(Entry::elements).sum();
    let size = file_messages::size(app::bytes(kind, &shown.entries));
    let most = file_messages::size(app::MOST_BYTES);
    let (kind, language) = (file_messages::kind(kind), shown.language);
    match shown.entries.len() {
        _ if !fits => text::data_all_large(language, &size, &kind, &most),
        1 => text::data_all_one(language, &numbers, &size, &kind),
        count => text::data_all(language, &count, &numbers, &size, &kind),
    }
}
