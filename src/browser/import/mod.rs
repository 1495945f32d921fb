//! Import: dropped or chosen files, pasted text, and the dialog that shows tensors before they are used.
//!
//! Files are read here and nowhere else. Names of files and tensors are written as text, never as markup.

wasm_chunks::chunk!("more");

mod banner;
mod dialog;
mod files;
mod form;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DragEvent, Element, Event, FileList, HtmlInputElement, HtmlTextAreaElement};

use super::activity::Activity;
use super::controls::Control;
use super::dom::{self, MissingPart, Root};
use super::download::Download;
use super::event_listener::Listener;
use crate::bindings::Client;
use app::i18n::Language;
use app::import::write_setting;
use app::message::ImportAction;
use app::state::{Part, State, url};
use banner::ImportBanner;
use dialog::ContentsDialog;
use files::Read;
use formats::Kind;

/// Where numbers come in.
pub(super) struct ImportDialog {
    inner: Rc<Inner>,
    banner: ImportBanner,
    _listeners: Vec<Listener>,
}

struct Inner {
    root: Element,
    client: Client,
    dialog: RefCell<ContentsDialog>,
    take: Box<dyn Fn(ImportAction)>,
    /// Number of reads requested: only the last one is completed.
    asked: Cell<u32>,
    /// Whether import is allowed at all.
    is_open: Cell<bool>,
    language: Cell<Language>,
    /// State to save.
    state: RefCell<Option<State>>,
    download: Download,
    activity: Activity,
}

impl ImportDialog {
    /// `take` is called with the data to show.
    pub(super) fn new(
        root: &Root,
        client: &Client,
        take: impl Fn(ImportAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let dialog = ContentsDialog::new(root)?;
        let inner = Rc::new(Inner {
            root: root.find("#playground")?,
            client: client.clone(),
            dialog: RefCell::new(dialog),
            take: Box::new(take),
            asked: Cell::new(0),
            is_open: Cell::new(true),
            language: Cell::default(),
            state: RefCell::default(),
            download: Download::new(root.element()),
            activity: root.activity().clone(),
        });
        let mut listeners = drops(&inner, root);
        listeners.extend(choices(&inner, root)?);
        listeners.extend(answers(&inner, root)?);
        listeners.extend(actions(&inner, root)?);
        Ok(Self {
            banner: ImportBanner::new(root)?,
            inner,
            _listeners: listeners,
        })
    }

    /// Sets the language of all texts.
    pub(super) fn name(&mut self, language: Language) {
        self.inner.language.set(language);
        self.banner.name(language);
    }
}

impl Control for ImportDialog {
    fn update(&mut self, state: &State) {
        let inner = &self.inner;
        inner
            .state
            .replace(state.imported.is_some().then(|| state.clone()));
        inner
            .is_open
            .set(state.is_shown(Part::Data) && !state.is_locked(Part::Data));
        self.banner.update(state);
    }
}

/// Listens to the buttons of the bar about imported data.
fn actions(inner: &Rc<Inner>, root: &Root) -> Result<[Listener; 2], MissingPart> {
    let [clear, save]: [Element; 2] = [root.find("#imported-clear")?, root.find("#imported-save")?];
    let own = Rc::downgrade(inner);
    let cleared = Listener::new(&clear, "click", move |_| {
        with(&own, |inner| (inner.take)(ImportAction::Sentence));
    });
    let own = Rc::downgrade(inner);
    let saved = Listener::new(&save, "click", move |_| with(&own, |inner| inner.save()));
    Ok([cleared, saved])
}

fn with(inner: &Weak<Inner>, act: impl FnOnce(&Rc<Inner>)) {
    if let Some(inner) = inner.upgrade() {
        act(&inner);
    }
}

/// Accepts files dropped anywhere on the page, which shows where they go.
fn drops(inner: &Rc<Inner>, root: &Root) -> Vec<Listener> {
    let on = |event, act: fn(&Rc<Inner>, &DragEvent)| {
        let own = Rc::downgrade(inner);
        Listener::new(root.element(), event, move |event: Event| {
            let Ok(event) = event.dyn_into::<DragEvent>() else {
                return;
            };
            with(&own, |inner| {
                if inner.is_open.get() && holds_files(&event) {
                    act(inner, &event);
                }
            });
        })
    };
    let away = Rc::downgrade(inner);
    vec![
        on("dragover", |inner, event| {
            event.prevent_default();
            inner.mark(true);
        }),
        on("drop", |inner, event| {
            event.prevent_default();
            inner.mark(false);
            let files = event.data_transfer().and_then(|data| data.files());
            inner.begin(files);
        }),
        Listener::new(root.element(), "dragleave", move |event: Event| {
            let to = event
                .dyn_ref::<DragEvent>()
                .map(|event| event.related_target());
            // Towards another part of the page it has not left.
            if to.flatten().is_none() {
                with(&away, |inner| inner.mark(false));
            }
        }),
    ]
}

fn holds_files(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|data| data.types());
    types.is_some_and(|types| types.includes(&"Files".into(), 0))
}

/// The button for files and the field for text.
fn choices(inner: &Rc<Inner>, root: &Root) -> Result<[Listener; 2], MissingPart> {
    let file: HtmlInputElement = root.find("#import-file")?;
    let text: HtmlTextAreaElement = root.find("#import-text")?;
    let read: Element = root.find("#import-read")?;
    let (own, chosen) = (Rc::downgrade(inner), file.clone());
    let on_file = Listener::new(&file, "change", move |_| {
        with(&own, |inner| inner.begin(chosen.files()));
        // The same file chosen again is a choice as well.
        chosen.set_value("");
    });
    let own = Rc::downgrade(inner);
    let on_read = Listener::new(&read, "click", move |_| {
        with(&own, |inner| inner.paste(text.value()));
    });
    Ok([on_file, on_read])
}

/// Listens to the controls of the dialog.
fn answers(inner: &Rc<Inner>, root: &Root) -> Result<Vec<Listener>, MissingPart> {
    let own = Rc::downgrade(inner);
    let form: Element = root.find("#import-dialog")?;
    let changed = Listener::new(&form, "change", move |_| {
        with(&own, |inner| {
            inner.dialog.borrow_mut().read_form(inner.language.get())
        });
    });
    let own = Rc::downgrade(inner);
    let take: Element = root.find("#import-dialog-take")?;
    let taken = Listener::new(&take, "click", move |_| {
        with(&own, |inner| {
            let imported = inner.dialog.borrow_mut().take_data();
            if let Some((imported, settings)) = imported {
                (inner.take)(ImportAction::Numbers(imported, settings));
            }
        });
    });
    let own = Rc::downgrade(inner);
    let leave: Element = root.find("#import-dialog-leave")?;
    let left = Listener::new(&leave, "click", move |_| {
        with(&own, |inner| inner.dialog.borrow_mut().close());
    });
    Ok(vec![changed, taken, left])
}

impl Inner {
    /// Shows, or no longer, where a file that is held over the page would go.
    fn mark(&self, is_over: bool) {
        dom::set_flag(&self.root, "data-dropping", is_over);
    }

    /// Saves the setting with its data as a file.
    fn save(&self) {
        let state = self.state.borrow();
        let Some((state, imported)) = state
            .as_ref()
            .and_then(|own| Some((own, own.imported.as_ref()?)))
        else {
            return;
        };
        let bytes = write_setting(&url::to_fragment(state), imported);
        let kind = Kind::Json.media_type();
        self.download
            .save_file("attention-setting.json", kind, &bytes);
    }

    fn begin(self: &Rc<Self>, files: Option<FileList>) {
        let files = files.map(|files| files::listed(&files)).unwrap_or_default();
        if files.is_empty() {
            return;
        }
        let file = files::named(&files);
        let (client, language) = (self.client.clone(), self.language.get());
        self.wait_for(
            file,
            async move { files::read(&client, &files, language).await },
        );
    }

    fn paste(self: &Rc<Self>, text: String) {
        let (client, language) = (self.client.clone(), self.language.get());
        self.wait_for(String::new(), async move {
            files::read_text(&client, text, language).await
        });
    }

    /// Shows the content of `file` once it is read, unless the dialog was closed or another file
    /// requested before.
    fn wait_for(
        self: &Rc<Self>,
        file: String,
        reading: impl Future<Output = Result<Read, String>> + 'static,
    ) {
        self.asked.set(self.asked.get().wrapping_add(1));
        let (own, asked) = (Rc::downgrade(self), self.asked.get());
        self.dialog.borrow_mut().wait(&file, self.language.get());
        let pending = self.activity.begin();
        spawn_local(async move {
            let read = reading.await;
            with(&own, |inner| {
                if inner.asked.get() == asked && inner.dialog.borrow().is_open() {
                    inner.opened(&file, read);
                }
            });
            drop(pending);
        });
    }

    fn opened(&self, file: &str, read: Result<Read, String>) {
        let language = self.language.get();
        match read {
            Ok(Read::Setting(setting)) => {
                self.dialog.borrow_mut().close();
                (self.take)(ImportAction::Setting(setting));
            }
            Ok(Read::Tensors(tensors)) => {
                self.dialog.borrow_mut().open(file, tensors, language);
            }
            Err(sentence) => self.dialog.borrow_mut().refuse(file, &sentence, language),
        }
    }
}
