//! Carries out calls to the opened model: reads its files, or those that the site offers, and asks it in the worker.

wasm_chunks::chunk!("model");
wasm_chunks::chunk!("engine": Models::new);

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, File, Response, Url, Window};

use super::activity::Activity;
use super::import::Source;
use super::sender::Sender;
use crate::bindings::js_object::{get, number, text};
use crate::bindings::{Client, OpenedModel, Refusal};
use app::Message;
use app::present::model_panel::{
    AboutModel, ModelCall, ModelEvent, ModelRefusal, ModelSource, Offer,
};
use app::present::panel::PanelEvent;
use app::state::Panel;

/// What a site offers stands in this file beside the page.
const OFFERS: &str = "models.json";

/// A file of a model by its name.
type NamedBlob = (String, Blob);

/// The opened model.
pub(super) struct Models {
    inner: Rc<Inner>,
}

struct Inner {
    client: Client,
    sender: Sender,
    activity: Activity,
    window: Window,
    /// Address of the page's files.
    base: String,
    /// Files that were chosen or dropped last.
    files: RefCell<Vec<NamedBlob>>,
    offers: RefCell<Vec<OfferedModel>>,
    open: Cell<Option<OpenedModel>>,
    /// Number of the call whose outcome is waited for: an older one is given up.
    now: Cell<u32>,
}

/// A model that the site offers.
#[derive(Clone)]
struct OfferedModel {
    name: String,
    licence: String,
    /// Names and addresses of its files.
    files: Vec<(String, String)>,
    bytes: f64,
}

impl Models {
    pub(super) fn new(
        (window, base): (&Window, String),
        client: &Client,
        activity: &Activity,
        sender: &Sender,
    ) -> Self {
        Self {
            inner: Rc::new(Inner {
                client: client.clone(),
                sender: sender.clone(),
                activity: activity.clone(),
                window: window.clone(),
                base,
                files: RefCell::default(),
                offers: RefCell::default(),
                open: Cell::default(),
                now: Cell::default(),
            }),
        }
    }

    /// Keeps files for the model that is opened next.
    pub(super) fn keep(&self, source: Option<Source>) {
        if let Some(Source::Files(files)) = source {
            let named = |file: File| (file.name(), file.into());
            self.inner
                .files
                .replace(files.into_iter().map(named).collect());
        }
    }

    /// Carries out a call, and sends what comes back with its number.
    pub(super) fn carry_out(&self, number: u32, call: ModelCall) {
        let (inner, pending) = (Rc::clone(&self.inner), self.inner.activity.begin());
        inner.now.set(number);
        spawn_local(async move {
            if let Some(event) = inner.outcome(number, call).await {
                inner.send(number, event);
            }
            drop(pending);
        });
    }
}

impl Inner {
    fn send(&self, number: u32, event: ModelEvent) {
        let event = PanelEvent::Model(number, event);
        self.sender.send(Message::Panel(Panel::Model, event));
    }

    /// `None` where nobody waits for it.
    async fn outcome(&self, number: u32, call: ModelCall) -> Option<ModelEvent> {
        let found = match call {
            ModelCall::Offers => Ok(self.offers().await),
            ModelCall::Open(source) => self.open(number, source).await,
            ModelCall::Ask(question) => match self.open.get() {
                Some(model) => {
                    let answer = self.client.ask_model(model, &question).await;
                    let answer = answer.map_err(ModelRefusal::from);
                    answer.map(|answer| ModelEvent::Answered(Box::new(answer)))
                }
                None => return None,
            },
            ModelCall::Close => {
                self.free();
                return None;
            }
        };
        Some(found.unwrap_or_else(ModelEvent::Refused))
    }

    fn free(&self) {
        if let Some(model) = self.open.take() {
            self.client.free_model(model);
        }
    }

    /// What the site offers; nothing where it does not say.
    async fn offers(&self) -> ModelEvent {
        let listed = self.listed().await.unwrap_or(JsValue::UNDEFINED);
        let models = get(&listed, "models");
        let models = models.dyn_ref::<js_sys::Array>().map(js_sys::Array::to_vec);
        let offers: Vec<OfferedModel> = models.unwrap_or_default().iter().map(offered).collect();
        let offer = |own: &OfferedModel| Offer {
            name: own.name.clone(),
            bytes: own.bytes,
            licence: own.licence.clone(),
        };
        let offered = offers.iter().map(offer).collect();
        self.offers.replace(offers);
        ModelEvent::Offers {
            offered,
            recent: Vec::new(),
        }
    }

    async fn listed(&self) -> Result<JsValue, JsValue> {
        let response = self.fetch(OFFERS).await?;
        JsFuture::from(response.json()?).await
    }

    async fn fetch(&self, path: &str) -> Result<Response, JsValue> {
        let address = Url::new_with_base(path, &self.base)?.href();
        let response = JsFuture::from(self.window.fetch_with_str(&address)).await?;
        let response: Response = response.dyn_into()?;
        if response.ok() {
            Ok(response)
        } else {
            Err(JsValue::from(response.status()))
        }
    }

    async fn open(&self, number: u32, source: ModelSource) -> Result<ModelEvent, ModelRefusal> {
        let (name, files) = match source {
            ModelSource::Files | ModelSource::Recent(_) => {
                let files = self.files.borrow().clone();
                (name_of(&files), files)
            }
            ModelSource::Offer(at) => {
                let offers = self.offers.borrow();
                let Some(offer) = offers.get(at).cloned() else {
                    return Err(not_loaded(OFFERS));
                };
                drop(offers);
                (offer.name.clone(), self.download(&offer).await?)
            }
        };
        self.free();
        let bytes = files.iter().map(|(_, file)| file.size()).sum();
        let model = self.client.begin_model(&files).await?;
        loop {
            let read = self.client.open_on(model).await;
            if self.now.get() != number {
                // Something else is opened by now, and nobody waits for this.
                self.client.free_model(model);
                return Err(ModelRefusal::default());
            }
            let (read, about) = read?;
            let Some(about) = about else {
                self.send(number, ModelEvent::Read(read[0], read[1]));
                continue;
            };
            self.open.set(Some(model));
            return Ok(ModelEvent::Opened(Box::new(AboutModel {
                name,
                family: about.family,
                bytes,
                layers: about.layers,
                heads: about.heads,
                length: about.length,
                is_causal: about.is_causal,
                has_logits: about.has_logits,
            })));
        }
    }

    /// The files of an offer.
    async fn download(&self, offer: &OfferedModel) -> Result<Vec<NamedBlob>, ModelRefusal> {
        let mut files = Vec::new();
        for (name, path) in &offer.files {
            let blob = async {
                let response = self.fetch(path).await?;
                JsFuture::from(response.blob()?).await
            };
            let blob = blob.await.ok().and_then(|blob| blob.dyn_into().ok());
            files.push((name.clone(), blob.ok_or_else(|| not_loaded(name))?));
        }
        Ok(files)
    }
}

/// An entry of the list of offers.
fn offered(entry: &JsValue) -> OfferedModel {
    let files = get(entry, "files");
    let files = files.dyn_ref::<js_sys::Array>().map(js_sys::Array::to_vec);
    let files = files.unwrap_or_default();
    OfferedModel {
        name: text(entry, "name"),
        licence: text(entry, "licence"),
        bytes: files.iter().map(|file| number(file, "bytes")).sum(),
        files: files
            .iter()
            .map(|file| (text(file, "name"), text(file, "path")))
            .collect(),
    }
}

/// The name of a GGUF file, or of the folder that files stand in.
fn name_of(files: &[NamedBlob]) -> String {
    let gguf = files
        .iter()
        .find(|(name, _)| name.to_lowercase().ends_with(".gguf"));
    if let Some((name, _)) = gguf {
        return name[..name.len() - ".gguf".len()].to_owned();
    }
    let folder = files.iter().find_map(|(_, file)| {
        let path = text(file, "webkitRelativePath");
        path.split_once('/').map(|(folder, _)| folder.to_owned())
    });
    folder.unwrap_or_else(|| "model".to_owned())
}

fn not_loaded(file: &str) -> ModelRefusal {
    ModelRefusal {
        code: ModelRefusal::NOT_LOADED.to_owned(),
        field: file.to_owned(),
        ..ModelRefusal::default()
    }
}

impl From<Refusal> for ModelRefusal {
    fn from(refusal: Refusal) -> Self {
        Self {
            code: refusal.code,
            field: refusal.field,
            value: refusal.value,
            message: refusal.message,
        }
    }
}
