//! The Share dialog: link, iframe, element, Markdown, QR code and preview.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl ShareAction);

mod form;
mod preview;
mod qr;

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlTextAreaElement};

use super::activity::Activity;
use super::clipboard;
use super::dom::{self, MissingPart, Root, Text};
use super::event_listener::Listener;
use super::language;
use app::i18n::{Key, Language};
use app::share::{Form, note};
use app::state::{LESSON_LIST, State};
use form::ShareForm;
use preview::Preview;
use qr::Code;

/// Actions of the dialog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ShareAction {
    /// Opens it.
    Open,
    /// Closes it, or the large QR code above it.
    Close,
    /// It was closed, by whatever means.
    Closed,
    /// Something in it was changed.
    Wish,
    /// Copies the text.
    Copy,
    /// Result of copying: whether it succeeded.
    Copied(bool),
    /// Shows the code as large as the screen.
    Enlarge,
    /// The page in the preview has reported its height.
    Height(u32),
}

/// The state to share, and its page.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// The state on screen.
    pub state: &'a State,
    /// The page's own address.
    pub address: &'a str,
    /// The language on screen.
    pub language: Language,
}

/// The dialog.
pub(super) struct Share {
    dialog: HtmlDialogElement,
    text: HtmlTextAreaElement,
    note: HtmlElement,
    said: Text,
    /// Leads to the writing of a lesson.
    writes: HtmlElement,
    wishing: ShareForm,
    preview: Preview,
    /// The text is copied once the height in it is known.
    copies_later: bool,
    code: Code,
    activity: Activity,
    on_action: Rc<dyn Fn(ShareAction)>,
    _listeners: Vec<Listener>,
}

impl Share {
    /// `on_action` is called with every action.
    pub(super) fn new(
        root: &Root,
        on_action: impl Fn(ShareAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let on_action: Rc<dyn Fn(ShareAction)> = Rc::new(on_action);
        let dialog: HtmlDialogElement = root.find("#share")?;
        Ok(Self {
            text: root.find("#share-text")?,
            note: root.find("#share-note")?,
            said: Text::find(root, "#share-said")?,
            writes: root.find("#share-write")?,
            wishing: ShareForm::new(root)?,
            preview: Preview::new(root, &on_action)?,
            copies_later: false,
            code: Code::new(root)?,
            _listeners: listeners(root, &dialog, &on_action)?,
            dialog,
            activity: root.activity().clone(),
            on_action,
        })
    }

    /// Does what was done.
    pub(super) fn act(&mut self, action: ShareAction, of: Subject<'_>) {
        match action {
            ShareAction::Open => self.open(of),
            ShareAction::Close if self.code.is_large() => self.code.shrink(),
            ShareAction::Close => self.dialog.close(),
            ShareAction::Closed => {
                self.copies_later = false;
                self.preview.close();
            }
            ShareAction::Wish => {
                self.said.set_text("");
                self.write(of);
            }
            // Not before the height that stands in it is known.
            ShareAction::Copy if self.preview.is_measuring() => self.copies_later = true,
            ShareAction::Copy => self.copy(),
            ShareAction::Copied(is_done) => self.copied(is_done, of.language),
            ShareAction::Enlarge => self.code.enlarge(),
            ShareAction::Height(height) => {
                self.preview.grow(height);
                self.write(of);
                if std::mem::take(&mut self.copies_later) {
                    self.copy();
                }
            }
        }
    }

    fn open(&mut self, of: Subject<'_>) {
        self.wishing.reset(of.state, of.language);
        self.said.set_text("");
        let key = write_key(of.state);
        dom::set_flag(&self.writes, "hidden", of.state.embed);
        language::bind(&self.writes, key, of.language);
        // Refused only where it is open already, or not in a document.
        let _ = self.dialog.show_modal();
        self.write(of);
    }

    /// Updates the dialog to the options.
    fn write(&mut self, of: Subject<'_>) {
        if !self.dialog.open() {
            return;
        }
        let options = self.wishing.read(of.language);
        let height = self.preview.height();
        let written = options.written(of.state, of.address, height, of.language);
        if self.text.value() != written.text {
            self.text.set_value(&written.text);
        }
        language::bind(&self.note, note(options.form, of.state), of.language);
        let measures = options.form == Form::Frame;
        self.preview.update(&written.link, measures, of.language);
        self.code.update(&written.code, of.language);
    }

    fn copy(&self) {
        let on_action = Rc::clone(&self.on_action);
        // Later than this call, which has the page in its hands.
        let done =
            move |is_done| spawn_local(async move { on_action(ShareAction::Copied(is_done)) });
        // Nothing outside an open dialog can be selected.
        let root = Root::mounted(self.dialog.clone().into(), self.activity.clone());
        clipboard::copy(&root, &self.text.value(), done);
    }

    fn copied(&mut self, is_done: bool, language: Language) {
        if is_done {
            self.said.set_text(Key::ShareCopied.text(language));
        } else {
            // Fails only for elements that cannot have the focus.
            let _ = self.text.focus();
            self.text.select();
            self.said.set_text(Key::ShareByHand.text(language));
        }
    }
}

/// Label of the button for writing: the current lesson, or a new one.
fn write_key(state: &State) -> Key {
    match state.lesson.as_str() {
        "" | LESSON_LIST => Key::LessonWriteOwn,
        _ => Key::LessonWrite,
    }
}

fn listeners(
    root: &Root,
    dialog: &HtmlDialogElement,
    on_action: &Rc<dyn Fn(ShareAction)>,
) -> Result<Vec<Listener>, MissingPart> {
    let on = |selector: &str, event, action| {
        let (element, on_action) = (root.find::<Element>(selector)?, Rc::clone(on_action));
        Ok(Listener::new(&element, event, move |_| on_action(action)))
    };
    let mut listeners = vec![
        on("#share-open", "click", ShareAction::Open)?,
        on("#share-close", "click", ShareAction::Close)?,
        on("#share-large-close", "click", ShareAction::Close)?,
        on("#share-copy", "click", ShareAction::Copy)?,
        on("#share-enlarge", "click", ShareAction::Enlarge)?,
        on("#share-preview", "toggle", ShareAction::Wish)?,
    ];
    let wished = Rc::clone(on_action);
    listeners.push(Listener::new(dialog, "input", move |_| {
        wished(ShareAction::Wish)
    }));
    let closed = Rc::clone(on_action);
    listeners.push(Listener::new(dialog, "close", move |_| {
        closed(ShareAction::Closed);
    }));
    Ok(listeners)
}
