//! Import: dropped or chosen files, pasted text, and the dialog that shows tensors before they are used.
//!
//! Files are read here and nowhere else.

wasm_chunks::chunk!("more");

mod banner;
mod files;
mod picked;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    DragEvent, Element, Event, HtmlDialogElement, HtmlElement, HtmlInputElement,
    HtmlTextAreaElement,
};

use super::activity::Activity;
use super::dom::{self, MissingPart, Root};
use super::event_listener::Listener;
use super::panels::listen;
use super::sender::{Input, Sender};
use super::view::View;
use crate::bindings::Client;
use app::message::ImportAction;
use app::{App, Message};
pub(super) use banner::ImportBanner;
pub(super) use files::Source;
use picked::Dropped;
pub(super) use picked::{PickedFiles, awaited, call};

/// The dialog, and where files come in.
pub(super) struct ImportDialog {
    root: Root,
    dialog: HtmlDialogElement,
    view: View,
    /// Which layer the numbers are of, in the strip.
    entry: View,
    client: Client,
    sender: Sender,
    activity: Activity,
    /// Source of the next read.
    source: Option<Source>,
    _listeners: Vec<Listener>,
}

impl ImportDialog {
    pub(super) fn new(root: &Root, client: &Client, sender: &Sender) -> Result<Self, MissingPart> {
        let dialog: HtmlDialogElement = root.find("#import-dialog")?;
        let mut listeners = drops(root, &root.find("#playground")?, sender);
        listeners.extend(self::listeners(root, &dialog, sender)?);
        Ok(Self {
            view: View::new(dialog.clone().into()),
            entry: View::find(root, "#imported-entry")?,
            dialog,
            client: client.clone(),
            sender: sender.clone(),
            activity: root.activity().clone(),
            source: None,
            _listeners: listeners,
            root: root.clone(),
        })
    }

    /// Shows what is in the dialog, or closes it.
    pub(super) fn show(&mut self, app: &App) {
        match app.import_view() {
            Some(markup) => self.view.update(markup),
            None => self.dialog.close(),
        }
        self.entry.update(app.imported_entry());
    }

    pub(super) fn open(&self) {
        if !self.dialog.open() {
            // Refused only where it is open already, or in no document.
            let _ = self.dialog.show_modal();
        }
    }

    /// Moves the focus to the button that shows the numbers.
    pub(super) fn focus(&self) {
        if let Ok(take) = self.root.find::<HtmlElement>("#import-dialog-take") {
            // Fails only for an element that cannot be focused, as while it is hidden.
            let _ = take.focus();
        }
    }

    /// Keeps what is to be read; returns the message that it is there.
    pub(super) fn keep(&mut self, source: Source) -> Message {
        let announced = source.announced();
        self.source = Some(source);
        Message::Import(announced)
    }

    /// Hands over what was kept.
    pub(super) fn take(&mut self) -> Option<Source> {
        self.source.take()
    }

    /// Reads what was kept, and sends what is in it with a number.
    pub(super) fn read(&mut self, number: u32, app: &App) {
        let Some(source) = self.source.take() else {
            return;
        };
        let (client, sender, language) = (self.client.clone(), self.sender.clone(), app.language);
        let pending = self.activity.begin();
        spawn_local(async move {
            let contents = source.read(&client, language).await;
            sender.send(Message::Import(ImportAction::Read(number, contents)));
            drop(pending);
        });
    }
}

/// Accepts files dropped anywhere on the page, which shows where they go.
fn drops(root: &Root, page: &Element, sender: &Sender) -> Vec<Listener> {
    let on = |event, act: fn(&Element, &Sender, &Activity, &DragEvent)| {
        let (page, sender, activity) = (page.clone(), sender.clone(), root.activity().clone());
        Listener::new(root.element(), event, move |event: Event| {
            if event.default_prevented() {
                // A part of the page has taken it.
                return mark(&page, false);
            }
            let takes_files = || sender.read(|page| page.app.takes_files()) == Some(true);
            if let Some(event) = event.dyn_ref().filter(|event| holds_files(event))
                && takes_files()
            {
                event.prevent_default();
                act(&page, &sender, &activity, event);
            }
        })
    };
    let away = page.clone();
    vec![
        on("dragover", |page, _, _, _| mark(page, true)),
        on("drop", |page, sender, activity, event| {
            mark(page, false);
            let (dropped, sender) = (Dropped::new(event.data_transfer()), sender.clone());
            let pending = activity.begin();
            spawn_local(async move {
                import(&sender, dropped.picked().await);
                drop(pending);
            });
        }),
        Listener::new(root.element(), "dragleave", move |event: Event| {
            let to = event
                .dyn_ref::<DragEvent>()
                .map(|event| event.related_target());
            // Towards another part of the page it has not left.
            if to.flatten().is_none() {
                mark(&away, false);
            }
        }),
    ]
}

/// Shows, or no longer, where a file that is held over the page would go.
fn mark(page: &Element, is_over: bool) {
    dom::set_flag(page, "data-dropping", is_over);
}

fn holds_files(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|data| data.types());
    types.is_some_and(|types| types.includes(&"Files".into(), 0))
}

fn import(sender: &Sender, picked: PickedFiles) {
    if !picked.files.is_empty() {
        sender.send(Input::Import(Source::Files(picked)));
    }
}

/// The field for files that an event comes from.
fn file_field(event: &Event) -> Option<HtmlInputElement> {
    let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
    (field.type_() == "file").then_some(field)
}

/// Listens to the button for files, the field for text, the dialog, and the bar about imported numbers.
fn listeners(
    root: &Root,
    dialog: &HtmlDialogElement,
    sender: &Sender,
) -> Result<Vec<Listener>, MissingPart> {
    let file: HtmlInputElement = root.find("#import-file")?;
    let of_model: Element = root.find("#model-body")?;
    let text: HtmlTextAreaElement = root.find("#import-text")?;
    let [read, bar]: [Element; 2] = [root.find("#import-read")?, root.find("#imported")?];
    let [of_files, of_models, of_picked, of_text, of_end] = [(); 5].map(|()| sender.clone());
    let (chosen, closed) = (file.clone(), dialog.clone());
    let send = sender.on(|event| Message::Import(ImportAction::Event(event)));
    let mut listeners = vec![
        Listener::new(&file, "change", move |_| {
            import(&of_files, PickedFiles::of_list(chosen.files()));
            // The same file chosen again is a choice as well.
            chosen.set_value("");
        }),
        Listener::new(&of_model, "change", move |event: Event| {
            if let Some(field) = file_field(&event) {
                import(&of_models, PickedFiles::of_list(field.files()));
                field.set_value("");
            }
        }),
        Listener::new(&of_model, "click", move |event: Event| {
            let window = web_sys::window().filter(picked::can_pick);
            let (Some(field), Some(window)) = (file_field(&event), window) else {
                return;
            };
            event.prevent_default();
            let of_folder = field.has_attribute("webkitdirectory");
            let sender = of_picked.clone();
            spawn_local(async move {
                import(&sender, picked::pick(&window, of_folder).await);
            });
        }),
        Listener::new(&read, "click", move |_| {
            of_text.send(Input::Import(Source::Text(text.value())));
        }),
        Listener::new(dialog, "close", move |_| {
            // It may have been opened again for other files.
            if !closed.open() {
                of_end.send(Message::Import(ImportAction::Close));
            }
        }),
    ];
    let views: [&Element; 2] = [dialog, &bar];
    for view in views {
        listeners.extend(listen(view, send.clone()));
    }
    Ok(listeners)
}
