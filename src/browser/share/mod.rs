//! The Share dialog: opens and closes it, copies its text, saves the page as one file, and shows the page that is shared in a frame.

wasm_chunks::chunk!("more");

mod preview;

use std::rc::Rc;

use js_sys::JsString;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Element, HtmlDialogElement, HtmlTextAreaElement, Response, Url, Window};

use super::clipboard;
use super::dom::{MissingPart, Root};
use super::download::Download;
use super::event_listener::Listener;
use super::panels::listen;
use super::sender::Sender;
use super::view::View;
use app::message::ShareEvent;
use app::present::panel::PanelEvent;
use app::share::{FILE_NAME, OneFile};
use app::{App, Message};
use preview::Preview;

/// The dialog.
pub(super) struct Share {
    /// Holds both dialogs once they were shown.
    root: Root,
    view: View,
    preview: Preview,
    /// Which of both were open when they were shown last. What is closed with Escape is not opened again before the app has heard of it.
    shown: [bool; 2],
    sender: Sender,
    download: Rc<Download>,
    _opener: Listener,
    /// Set when it is first shown: its code has come then.
    listeners: Vec<Listener>,
}

impl Share {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let (place, opener): (Element, Element) =
            (root.find("#share-dialogs")?, root.find("#share-open")?);
        let own = Root::mounted(place.clone(), root.activity().clone());
        let opens = sender.clone();
        Ok(Self {
            _opener: Listener::new(&opener, "click", move |_| {
                opens.send(Message::Share(ShareEvent::Open));
            }),
            listeners: Vec::new(),
            view: View::new(place),
            preview: Preview::new(&own, sender),
            shown: [false; 2],
            sender: sender.clone(),
            download: Rc::new(Download::new(root.element())),
            root: own,
        })
    }

    /// Shows the dialog as it is now.
    #[inline(never)]
    pub(super) fn show(&mut self, app: &App) {
        let (Some(dialog), Some(markup)) = (app.share(), app.share_view()) else {
            return;
        };
        if self.listeners.is_empty() {
            self.listeners = listeners(self.root.element(), &self.sender);
        }
        self.view.update(markup);
        let open = [dialog.is_open, dialog.is_large];
        let before = std::mem::replace(&mut self.shown, open);
        for (at, selector) in ["#share", "#share-large"].into_iter().enumerate() {
            if before[at] != open[at] {
                self.open(selector, open[at]);
            }
        }
        self.preview.show(dialog.frame.as_ref(), app.language);
    }

    fn open(&self, selector: &str, is_open: bool) {
        let dialog = self.root.find::<HtmlDialogElement>(selector).ok();
        match dialog.filter(|dialog| dialog.open() != is_open) {
            // Refused only where it is not in a document.
            Some(dialog) if is_open => drop(dialog.show_modal()),
            Some(dialog) => dialog.close(),
            None => {}
        }
    }

    /// Copies the text, and tells the app whether it was.
    pub(super) fn copy(&self, text: &str) {
        let sender = self.sender.clone();
        clipboard::copy(&self.root, text, move |is_copied| {
            let copied = ShareEvent::View(PanelEvent::Copied(is_copied));
            sender.send(Message::Share(copied));
        });
    }

    /// Saves the page as a file, made from that of its site, and tells the app whether it was.
    #[inline(never)]
    pub(super) fn save(&self, file: OneFile, window: &Window) {
        let pending = self.root.activity().begin();
        let (sender, download) = (self.sender.clone(), Rc::clone(&self.download));
        let window = window.clone();
        spawn_local(async move {
            let site = text_of(&window, &file.page).await.ok();
            let written = site.and_then(|site| file.written(&site));
            let is_saved = written.is_some_and(|written| {
                download.save_file(FILE_NAME, "text/html", written.as_bytes())
            });
            sender.send(Message::Share(ShareEvent::Saved(is_saved)));
            drop(pending);
        });
    }

    /// Selects the text, for the user to copy.
    pub(super) fn select(&self) {
        if let Ok(text) = self.root.find::<HtmlTextAreaElement>("#share-text") {
            // Fails only for elements that cannot have the focus.
            let _ = text.focus();
            text.select();
        }
    }
}

/// The site's file, beside the page at `address`.
async fn text_of(window: &Window, address: &str) -> Result<String, JsValue> {
    let address = Url::new_with_base("one-file.html", address)?.href();
    let response: Response = JsFuture::from(window.fetch_with_str(&address))
        .await?
        .dyn_into()?;
    if !response.ok() {
        return Err(response.status().into());
    }
    let text: JsString = JsFuture::from(response.text()?).await?.dyn_into()?;
    Ok(text.into())
}

fn listeners(place: &Element, sender: &Sender) -> Vec<Listener> {
    let [does, closes] = [(); 2].map(|()| sender.clone());
    let mut listeners = listen(place, move |event| {
        does.send(Message::Share(ShareEvent::View(event)));
    });
    listeners.push(Listener::capturing(place, "close", move |event| {
        let dialog = event.target().and_then(|target| target.dyn_into().ok());
        // It may be open again.
        if let Some(dialog) = dialog.filter(|dialog: &HtmlDialogElement| !dialog.open()) {
            let is_large = dialog.id() == "share-large";
            closes.send(Message::Share(ShareEvent::Closed(is_large)));
        }
    }));
    listeners
}
