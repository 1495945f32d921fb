//! Copies text to the clipboard, with a fallback for pages that may not use it.

wasm_chunks::chunk!("more");

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Clipboard, Document, Event, HtmlDocument, HtmlElement, HtmlTextAreaElement, KeyboardEvent,
};

use super::dom::{self, Root};

/// Copies `text` and reports whether that succeeded: through the Clipboard API, which pages over
/// http and frames without permission lack, or else through a field inside `root`. Must be called
/// in a handler of user input.
pub(super) fn copy(root: &Root, text: &str, done: impl FnOnce(bool) + 'static) {
    let Some(promise) = asked(root, text) else {
        return done(by_field(root, text));
    };
    let (root, text) = (root.clone(), text.to_owned());
    let pending = root.activity().begin();
    spawn_local(async move {
        let is_copied = JsFuture::from(promise).await.is_ok();
        done(is_copied || by_field(&root, &text));
        drop(pending);
    });
}

/// Whether a key copies the focused element: Ctrl+C or ⌘C without a text selection.
pub(super) fn is_asked(event: &Event) -> bool {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
        return false;
    };
    let is_alone = !event.alt_key() && !event.shift_key() && (event.ctrl_key() != event.meta_key());
    is_alone && event.key().eq_ignore_ascii_case("c") && !is_selected()
}

fn is_selected() -> bool {
    let selection = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
    selection.is_some_and(|selection| !selection.is_collapsed())
}

fn asked(root: &Root, text: &str) -> Option<Promise> {
    let document = root.document()?;
    if is_forbidden(&document) {
        return None;
    }
    let navigator = document.default_view()?.navigator();
    // Absent over http, whatever the bindings say.
    let clipboard = Reflect::get(&navigator, &"clipboard".into()).ok()?;
    let clipboard: Clipboard = clipboard.dyn_into().ok()?;
    Some(clipboard.write_text(text))
}

/// Whether this is a frame that may not write to the clipboard. Only Chromium can be queried, and
/// only Chromium logs an error for the attempt.
fn is_forbidden(document: &Document) -> bool {
    let policy = Reflect::get(document, &"featurePolicy".into()).unwrap_or_default();
    let allows = Reflect::get(&policy, &"allowsFeature".into()).unwrap_or_default();
    let allows = allows.dyn_into::<Function>().ok();
    let is_allowed =
        allows.and_then(|allows| allows.call1(&policy, &"clipboard-write".into()).ok());
    is_allowed.is_some_and(|is_allowed| is_allowed.is_falsy())
}

fn by_field(root: &Root, text: &str) -> bool {
    let document = root
        .document()
        .and_then(|document| document.dyn_into::<HtmlDocument>().ok());
    // Nothing outside a modal dialog can be selected while it is open.
    let place = root.find("dialog[open]");
    let place = place.as_ref().unwrap_or(root.element());
    let field: Option<HtmlTextAreaElement> = dom::append(place, "textarea", "unseen");
    let (Some(document), Some(field)) = (document, field) else {
        return false;
    };
    let focused = focused(root);
    field.set_read_only(true);
    // What is copied is the text as it is laid out.
    let _ = field.style().set_property("white-space", "pre");
    field.set_value(text);
    field.select();
    let is_copied = document.exec_command("copy").unwrap_or(false);
    field.remove();
    if let Some(focused) = focused {
        // Refused only for elements that are gone.
        let _ = focused.focus();
    }
    is_copied
}

/// The focused element, also inside a shadow root.
fn focused(root: &Root) -> Option<HtmlElement> {
    let tree = root.element().get_root_node();
    Reflect::get(&tree, &"activeElement".into())
        .ok()?
        .dyn_into()
        .ok()
}
