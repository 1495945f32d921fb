//! A page inside the custom element: the functions that `js/element.js` calls.

wasm_chunks::chunk!("host");

use std::cell::OnceCell;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use wasm_bindgen_futures::future_to_promise;
use web_sys::{Element, File};

use super::handover;
use super::page_api::{Event, Subscription};
use super::{MountContext, Mounted, mount};
use crate::bindings::{Client, Engine, js_tree};
use app::Message;
use app::js_tree::JsTree;
use app::protocol::{self, settings};
use app::state::{Cell, LinkWarning, url};

/// A page in an element; refused settings are reported as in messages.
#[wasm_bindgen]
pub struct Playground {
    mounted: Mounted,
    root: Element,
    client: Client,
    subscription: OnceCell<Subscription>,
}

#[wasm_bindgen]
impl Playground {
    /// Mounts a page into `root`, which holds the markup of `index.html`; `page` is the address of
    /// the whole page, if that is known. It is opened by a call of its own, so that neither keeps
    /// the page around waiting for long.
    ///
    /// # Errors
    /// A sentence, where the markup is not ours.
    #[wasm_bindgen(constructor)]
    pub fn new(root: Element, engine: &Engine, page: Option<String>) -> Result<Self, JsError> {
        let place = MountContext::Element { page };
        let client = engine.client().clone();
        let mounted = mount(root.clone(), client.clone(), place)?;
        Ok(Self {
            mounted,
            root,
            client,
            subscription: OnceCell::new(),
        })
    }

    /// Opens a fragment, once. `on_event` is called with the name of an event, its source, and a
    /// snapshot of the screen.
    pub fn open(&self, fragment: String, on_event: Function) {
        let port = self.mounted.port();
        port.send(Message::Open(fragment));
        self.subscription
            .get_or_init(|| port.subscribe(move |event| notify(&on_event, event)));
    }

    /// Warnings about a fragment, as if it were opened.
    pub fn refused(fragment: &str) -> JsValue {
        refused(&url::parse(fragment).1)
    }

    /// The state as a link.
    pub fn fragment(&self) -> String {
        self.mounted.port().fragment()
    }

    /// Every setting by its key in links.
    pub fn settings(&self) -> JsValue {
        let settings = self.mounted.port().of_state(settings).unwrap_or_default();
        let settings = settings.into_iter();
        js_tree::to_js(&JsTree::Record(
            settings.map(|(key, data)| (key.into(), data)).collect(),
        ))
    }

    /// Returns a snapshot of the state on screen.
    pub fn snapshot(&self) -> JsValue {
        js_tree::to_js(&self.mounted.port().snapshot().data())
    }

    /// Applies settings by their keys; the others stay. Shows and returns the rejected ones.
    pub fn apply_settings(&self, given: &JsValue) -> JsValue {
        match protocol::given(&js_tree::message(given)) {
            Ok(given) => refused(&self.said(self.mounted.port().apply_settings(given))),
            Err(refusal) => js_tree::to_js(&JsTree::List(vec![JsTree::record([
                ("code", JsTree::text(refusal.code)),
                ("field", JsTree::text(&refusal.field)),
                ("value", JsTree::Absent),
                ("message", JsTree::text(&refusal.message)),
            ])])),
        }
    }

    /// Sets a whole state, written as a link.
    pub fn restore(&self, fragment: &str) -> JsValue {
        refused(&self.said(self.mounted.port().restore(fragment)))
    }

    /// Chooses a cell, a row where there is no `key`, or nothing where there is no `query`; both count from 0.
    pub fn select(&self, query: Option<u32>, key: Option<u32>) -> JsValue {
        let cell = query.map(|query| Cell {
            query: query as usize,
            key: key.map(|key| key as usize),
        });
        refused(&self.said(self.mounted.port().select(cell)))
    }

    /// Shows the numbers of files; fails with a sentence where they cannot be. Needs the chunk `more`, as the next two do.
    pub fn load(&self, files: Vec<File>) -> Promise {
        let (port, client) = (self.mounted.port(), self.client.clone());
        future_to_promise(async move {
            let loaded = handover::load(&port, &client, files).await;
            loaded.map(|()| JsValue::UNDEFINED).map_err(thrown)
        })
    }

    /// A tensor of the setting on screen by its name, `{ shape, data }`, or `undefined`.
    pub fn tensor(&self, name: String) -> Promise {
        let (port, client) = (self.mounted.port(), self.client.clone());
        future_to_promise(async move {
            let tensor = handover::tensor(&port, &client, &name).await;
            tensor.map_err(thrown)
        })
    }

    /// The large map as bytes of a file, in a format by its name, so many millimetres wide.
    pub fn figure(&self, format: String, width: f64) -> Promise {
        let (port, root) = (self.mounted.port(), self.root.clone());
        future_to_promise(async move {
            let figure = handover::figure(&port, &root, &format, width).await;
            figure.map(JsValue::from).map_err(thrown)
        })
    }

    /// The text around is in another language, or another theme.
    pub fn look_around(&self) {
        self.mounted.port().refresh_environment();
    }

    fn said(&self, notes: Vec<LinkWarning>) -> Vec<LinkWarning> {
        self.mounted.port().show_rejected(&notes);
        notes
    }
}

fn thrown(sentence: String) -> JsValue {
    JsError::new(&sentence).into()
}

fn notify(on_event: &Function, event: &Event) {
    let (name, by, snapshot) = match event {
        Event::Ready(snapshot) => ("ready", None, snapshot),
        Event::Change(by, snapshot) => ("change", Some(by), snapshot),
        Event::Select(by, snapshot) => ("select", Some(by), snapshot),
        Event::Resize(_) => return,
    };
    let by = by.map_or(JsValue::NULL, |by| by.name().into());
    // What a listener throws is reported by the browser, not by us.
    let _ = on_event.call3(
        &JsValue::NULL,
        &name.into(),
        &by,
        &js_tree::to_js(&snapshot.data()),
    );
}

fn refused(notes: &[LinkWarning]) -> JsValue {
    js_tree::to_js(&protocol::refused_settings(notes))
}
