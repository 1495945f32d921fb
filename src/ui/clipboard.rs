//! Copying text.

use js_sys::{Promise, Reflect};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Clipboard, Event, HtmlDocument, HtmlElement, HtmlTextAreaElement, KeyboardEvent};

use super::dom::{self, Root};

/// Copies `text` and says whether it could be: through the browser's clipboard, which pages over http and frames without
/// permission lack, or else the old way, through a field inside `root`. Called where something was clicked or pressed.
pub fn copy(root: &Root, text: &str, done: impl FnOnce(bool) + 'static) {
    let Some(promise) = asked(root, text) else {
        return done(by_field(root, text));
    };
    let (root, text) = (root.clone(), text.to_owned());
    spawn_local(async move {
        let is_copied = JsFuture::from(promise).await.is_ok();
        done(is_copied || by_field(&root, &text));
    });
}

/// Whether a key asks for a copy of what has the focus: Ctrl+C or ⌘C, while no text is selected that it would mean.
pub fn is_asked(event: &Event) -> bool {
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
    let navigator = root.document()?.default_view()?.navigator();
    // Absent over http, whatever the bindings say.
    let clipboard = Reflect::get(&navigator, &"clipboard".into()).ok()?;
    let clipboard: Clipboard = clipboard.dyn_into().ok()?;
    Some(clipboard.write_text(text))
}

fn by_field(root: &Root, text: &str) -> bool {
    let document = root
        .document()
        .and_then(|document| document.dyn_into::<HtmlDocument>().ok());
    let field: Option<HtmlTextAreaElement> = dom::append(root.element(), "textarea", "unseen");
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

/// What has the focus, also inside an element of its own.
fn focused(root: &Root) -> Option<HtmlElement> {
    let tree = root.element().get_root_node();
    Reflect::get(&tree, &"activeElement".into())
        .ok()?
        .dyn_into()
        .ok()
}
