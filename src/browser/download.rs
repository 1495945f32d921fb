//! Downloads a file that is made in pieces.

wasm_chunks::chunk!("more": Download);

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag, Element, HtmlAnchorElement, Url, Window};

use crate::browser::dom;
use crate::browser::timer::{Deadline, yield_now};
use formats::{Kind, Tensor, pieces};

/// How long a file is made before other work may run: half a frame.
const SLICE_MS: f64 = 8.0;

/// Bytes passed to the browser at a time: it copies them, which blocks the page.
const BLOCK: usize = 2 << 20;

/// A file as the browser keeps it, outside our own memory.
struct File {
    /// Blobs, and the parts not in one yet.
    parts: Array,
    /// Bytes of all of them.
    size: u64,
}

impl File {
    /// Builds a file of tensors in slices; `None` as soon as `is_wanted` returns `false`.
    async fn of_tensors(
        window: Option<Window>,
        kind: Kind,
        tensors: &[Tensor],
        is_wanted: impl Fn() -> bool,
    ) -> Option<Self> {
        let (parts, mut block, mut size) = (Array::new(), Vec::new(), 0);
        let slice = || Some(Deadline::new(window.as_ref()?, Some(SLICE_MS)));
        let mut end = slice();
        for piece in pieces(kind, tensors) {
            size += piece.len() as u64;
            block.extend(piece);
            if block.len() >= BLOCK {
                parts.push(&part(&block));
                block.clear();
            }
            if end.as_ref().is_none_or(Deadline::is_over) {
                yield_now().await;
                end = slice();
                if !is_wanted() {
                    return None;
                }
            }
        }
        parts.push(&part(&block));
        Some(Self { parts, size })
    }

    /// A file of these bytes.
    fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            parts: Array::of1(&Uint8Array::from(bytes)),
            size: bytes.len() as u64,
        }
    }
}

/// Bytes held by the browser; if it lacks memory, building the file fails.
fn part(bytes: &[u8]) -> JsValue {
    let bytes = Uint8Array::from(bytes);
    let blob = Blob::new_with_u8_array_sequence(&Array::of1(&bytes));
    blob.map_or_else(|_| bytes.into(), JsValue::from)
}

/// An address of bytes in memory; dropping it gives them back.
pub(super) struct Link(String);

impl Link {
    /// `None` only where the browser has no room for the bytes.
    pub(super) fn new(bytes: &[u8], kind: &str) -> Option<Self> {
        Self::of_file(&File::from_bytes(bytes), kind)
    }

    fn of_file(file: &File, kind: &str) -> Option<Self> {
        let about = BlobPropertyBag::new();
        about.set_type(kind);
        let blob = Blob::new_with_blob_sequence_and_options(&file.parts, &about).ok()?;
        Url::create_object_url_with_blob(&blob).ok().map(Self)
    }

    pub(super) fn address(&self) -> &str {
        &self.0
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Fails for no address.
        let _ = Url::revoke_object_url(&self.0);
    }
}

/// Saves files one after the other.
pub(super) struct Download {
    beside: Element,
    /// The bytes have to stay until the browser has read them: until the next file, or the end of the page.
    given: RefCell<Option<Link>>,
}

impl Download {
    /// Files are given in the document of `beside`.
    pub(super) fn new(beside: &Element) -> Self {
        Self {
            beside: beside.clone(),
            given: RefCell::new(None),
        }
    }

    /// Gives a file; `false` where the browser has no room for it.
    pub(super) fn save_file(&self, name: &str, kind: &str, bytes: &[u8]) -> bool {
        self.give_file(name, kind, &File::from_bytes(bytes))
    }

    /// Gives a file of tensors, which is made in slices: its bytes, `None` where the browser has no room for them. Gives nothing as
    /// soon as `is_wanted` returns `false`.
    pub(super) async fn save_tensors(
        &self,
        name: &str,
        kind: Kind,
        tensors: &[Tensor],
        is_wanted: impl Fn() -> bool,
    ) -> Option<Option<u64>> {
        let page = self.beside.owner_document();
        let window = page.and_then(|page| page.default_view());
        let file = File::of_tensors(window, kind, tensors, &is_wanted).await;
        let file = file.filter(|_| is_wanted())?;
        let is_saved = self.give_file(name, kind.media_type(), &file);
        Some(is_saved.then_some(file.size))
    }

    /// Gives a file that was made; `false` where the browser has no room for it.
    fn give_file(&self, name: &str, kind: &str, file: &File) -> bool {
        let Some(link) = Link::of_file(file, kind) else {
            return false;
        };
        let Some(anchor) = dom::create::<HtmlAnchorElement>(&self.beside, "a") else {
            return false;
        };
        anchor.set_href(link.address());
        anchor.set_download(name);
        anchor.click();
        self.given.replace(Some(link));
        true
    }
}
