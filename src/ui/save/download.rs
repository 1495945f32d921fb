//! Giving a file to the reader.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use web_sys::{Blob, BlobPropertyBag, Element, HtmlAnchorElement, Url};

use crate::ui::dom;

/// Kinds of files.
pub const SVG: &str = "image/svg+xml";
pub const PNG: &str = "image/png";

/// An address of bytes in memory; dropping it gives them back.
pub struct Link(String);

impl Link {
    /// `None` only where the browser has no room for the bytes.
    pub fn new(bytes: &[u8], kind: &str) -> Option<Self> {
        let about = BlobPropertyBag::new();
        about.set_type(kind);
        let parts = Array::of1(&Uint8Array::from(bytes));
        let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &about).ok()?;
        Url::create_object_url_with_blob(&blob).ok().map(Self)
    }

    pub fn address(&self) -> &str {
        &self.0
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Fails for no address.
        let _ = Url::revoke_object_url(&self.0);
    }
}

/// Gives files to the reader one after the other.
pub struct Download {
    beside: Element,
    /// The bytes have to stay until the browser has read them: until the next file, or the end of the page.
    given: RefCell<Option<Link>>,
}

impl Download {
    /// Files are given in the document of `beside`.
    pub fn new(beside: &Element) -> Self {
        Self {
            beside: beside.clone(),
            given: RefCell::new(None),
        }
    }

    /// Gives a file; `false` where the browser has no room for it.
    pub fn give(&self, name: &str, kind: &str, bytes: &[u8]) -> bool {
        let Some(link) = Link::new(bytes, kind) else {
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
