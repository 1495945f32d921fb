//! The page in the window's own document, and the ways to the page around a frame.

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;

use super::iframe_bridge::IframeBridge;
use super::page_api::PageApi;
use super::{MissingPart, MountContext, MountError, mount, timer};
use crate::bindings::{fail, load_chunk, receive_opening, shared_client};

/// Pause before a frame retries loading the code that communicates with its host.
const BRIDGE_REST_MS: i32 = 5_000;

/// Opens the page in the window's own document, for as long as the document lives; `js/start.js` calls it.
///
/// # Panics
/// Where the document is not `index.html`: a mistake of ours, which the page then shows as any other.
#[wasm_bindgen(js_name = openPage)]
pub fn open_page() {
    receive_opening();
    let window = web_sys::window().ok_or(MountError::NoWindow);
    let mounted = window.and_then(|window| {
        let document = window.document();
        let root = document.and_then(|document| document.document_element());
        mount(
            root.ok_or(MountError::NoWindow)?,
            shared_client(),
            MountContext::for_window(&window),
        )
    });
    match mounted {
        Ok(mounted) => {
            spawn_local(open_bridge(mounted.port()));
            std::mem::forget(mounted);
        }
        Err(MountError::MissingPart(MissingPart::Canvas)) => {
            fail(&MissingPart::Canvas.to_string());
        }
        Err(error) => panic!("{error}"),
    }
}

/// Opens the channels to the host page, once their code has loaded.
async fn open_bridge(port: PageApi) {
    let Some(window) = web_sys::window() else {
        return;
    };
    let parent = window.parent().ok().flatten();
    if parent.is_none_or(|parent| parent == window) {
        return;
    }
    while !load_chunk("host").await {
        timer::sleep(&window, BRIDGE_REST_MS).await;
    }
    std::mem::forget(IframeBridge::open(&window, port));
}
