//! Carries out calls to the opened model: reads its files, or those that the site offers, and asks it in the worker.

wasm_chunks::chunk!("model");
wasm_chunks::chunk!("engine": Models::new);

mod remembered;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, ReadableStreamDefaultReader, Response, Url, Window};

use super::activity::Activity;
use super::import::{PickedFiles, Source};
use super::sender::Sender;
use crate::bindings::js_object::{get, number, text};
use crate::bindings::{Client, OpenedModel, is_left_out};
use app::present::model_panel::{AboutModel, ModelCall, ModelEvent, ModelSource, Offer};
use app::present::panel::PanelEvent;
use app::state::Panel;
use app::{Message, Refusal};
use remembered::Remembered;

/// The chunk with the code that opens them.
const WITH_CHECKPOINTS: &str = "checkpoints";

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
    /// Whether what is opened may be remembered for the next visit.
    has_memory: bool,
    /// Files that were chosen or dropped last.
    picked: RefCell<PickedFiles>,
    offers: RefCell<Option<Vec<OfferedModel>>>,
    remembered: RefCell<Vec<Remembered>>,
    open: Cell<Option<OpenedModel>>,
    /// Number of the call whose outcome is waited for: an older one is given up.
    now: Cell<u32>,
}

/// A model that the site offers.
#[derive(Clone)]
struct OfferedModel {
    name: String,
    licence: String,
    files: Vec<OfferedFile>,
    bytes: f64,
}

/// A file of it.
#[derive(Clone)]
struct OfferedFile {
    name: String,
    path: String,
    sha256: String,
}

impl Models {
    pub(super) fn new(
        (window, base, has_memory): (&Window, String, bool),
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
                has_memory,
                picked: RefCell::default(),
                offers: RefCell::default(),
                remembered: RefCell::default(),
                open: Cell::default(),
                now: Cell::default(),
            }),
        }
    }

    /// Keeps files for the model that is opened next.
    pub(super) fn keep(&self, source: Option<Source>) {
        if let Some(Source::Files(picked)) = source {
            self.inner.picked.replace(picked);
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

impl Drop for Inner {
    fn drop(&mut self) {
        self.free();
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
            ModelCall::Offers | ModelCall::Open(_) if is_left_out(WITH_CHECKPOINTS) => {
                Err(Refusal::of_file(Refusal::LEFT_OUT, ""))
            }
            ModelCall::Offers => Ok(self.offers().await),
            ModelCall::Open(source) => self.open(number, source).await,
            ModelCall::Ask(question) => match self.open.get() {
                Some(model) => {
                    let answer = self.client.ask_model(model, &question).await;
                    answer.map(|answer| ModelEvent::Answered(Box::new(answer)))
                }
                None => return None,
            },
            // What is being read ends when it finds that its number is no longer the last.
            ModelCall::Cancel => return None,
            ModelCall::Close => {
                self.free();
                return None;
            }
            ModelCall::Forget => {
                remembered::forget(&self.window).await;
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

    /// What the site offers, which is asked for once, and what is remembered.
    async fn offers(&self) -> ModelEvent {
        let known = self.offers.borrow().clone();
        let offers = match known {
            Some(offers) => offers,
            None => self.listed_offers().await,
        };
        let offer = |own: &OfferedModel| Offer {
            name: own.name.clone(),
            bytes: own.bytes,
            licence: own.licence.clone(),
        };
        let offered = offers.iter().map(offer).collect();
        self.offers.replace(Some(offers));
        let all = match self.has_memory {
            true => remembered::all(&self.window).await,
            false => Vec::new(),
        };
        let names = all.iter().map(|own| own.name.clone()).collect();
        self.remembered.replace(all);
        ModelEvent::Offers(offered, names)
    }

    /// Nothing where the site does not say.
    async fn listed_offers(&self) -> Vec<OfferedModel> {
        let listed = self.listed().await.unwrap_or(JsValue::UNDEFINED);
        let models = get(&listed, "models");
        let models = models.dyn_ref::<Array>().map(Array::to_vec);
        models.unwrap_or_default().iter().map(offered).collect()
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

    async fn open(&self, number: u32, source: ModelSource) -> Result<ModelEvent, Refusal> {
        let picked = match source {
            ModelSource::Files => self.picked.take(),
            ModelSource::Remembered(at) => self.picked_before(at).await?,
            ModelSource::Offer(_) => PickedFiles::default(),
        };
        let (name, files) = match source {
            ModelSource::Offer(at) => self.offered(number, at).await?,
            ModelSource::Files | ModelSource::Remembered(_) => named(&picked),
        };
        let bytes = files.iter().map(|(_, file)| file.size()).sum();
        let model = self.client.begin_model(&files).await?;
        let read = self.read(number, model).await;
        if read.is_ok() && self.has_memory && !picked.handles.is_empty() {
            remembered::add(&self.window, &name, &picked.handles).await;
        }
        match read {
            // Given up while it was being remembered, it would take the place of one that the panel has.
            Ok(about) if self.now.get() == number => {
                self.free();
                self.open.set(Some(model));
                Ok(ModelEvent::Opened(Box::new(AboutModel {
                    name,
                    bytes,
                    ..about
                })))
            }
            read => {
                self.client.free_model(model);
                Err(read.err().unwrap_or_default())
            }
        }
    }

    /// Reads a model piece by piece, as long as nothing else is called.
    async fn read(&self, number: u32, model: OpenedModel) -> Result<AboutModel, Refusal> {
        loop {
            let (read, about) = self.client.open_on(model).await?;
            if self.now.get() != number {
                // Nobody waits for this refusal.
                return Err(Refusal::default());
            }
            if let Some(about) = about {
                return Ok(about);
            }
            self.send(number, ModelEvent::Read(read[0], read[1]));
        }
    }

    /// The files of what was opened before.
    async fn picked_before(&self, at: usize) -> Result<PickedFiles, Refusal> {
        let own = self.remembered.borrow().get(at).cloned();
        let own = own.ok_or_else(Refusal::default)?;
        let picked = own.files().await;
        picked.map_err(|_| Refusal::of_file(Refusal::NOT_THERE, &own.name))
    }

    /// The name and the files of an offer.
    async fn offered(&self, number: u32, at: usize) -> Result<(String, Vec<NamedBlob>), Refusal> {
        let offers = self.offers.borrow().clone().unwrap_or_default();
        let offer = offers.get(at);
        let offer = offer.ok_or_else(|| Refusal::of_file(Refusal::NOT_LOADED, OFFERS))?;
        Ok((offer.name.clone(), self.download(number, offer).await?))
    }

    /// The files of an offer; tells how much of them has come.
    async fn download(&self, number: u32, offer: &OfferedModel) -> Result<Vec<NamedBlob>, Refusal> {
        let mut files = Vec::new();
        let mut before = 0.0;
        for file in &offer.files {
            let told = |read: f64| {
                self.send(number, ModelEvent::Read(before + read, offer.bytes));
                self.now.get() == number
            };
            let blob = self.downloaded(file, told).await;
            let blob = blob.map_err(|_| Refusal::of_file(Refusal::NOT_LOADED, &file.name))?;
            if !is_as_listed(&self.window, &blob, &file.sha256).await {
                return Err(Refusal::of_file(Refusal::NOT_AS_LISTED, &file.name));
            }
            before += blob.size();
            files.push((file.name.clone(), blob));
        }
        Ok(files)
    }

    /// A file, chunk by chunk while `goes_on` of the bytes so far is true.
    async fn downloaded(
        &self,
        file: &OfferedFile,
        goes_on: impl Fn(f64) -> bool,
    ) -> Result<Blob, JsValue> {
        let response = self.fetch(&file.path).await?;
        let Some(stream) = response.body() else {
            return JsFuture::from(response.blob()?).await?.dyn_into();
        };
        let reader: ReadableStreamDefaultReader = stream.get_reader().dyn_into()?;
        let (parts, mut read) = (Array::new(), 0.0);
        loop {
            let chunk = JsFuture::from(reader.read()).await?;
            if get(&chunk, "done").is_truthy() {
                return Blob::new_with_u8_array_sequence(&parts);
            }
            let bytes = get(&chunk, "value");
            read += number(&bytes, "byteLength");
            parts.push(&bytes);
            if !goes_on(read) {
                let _ = reader.cancel();
                return Err(JsValue::UNDEFINED);
            }
        }
    }
}

/// Whether a file is the one that its list means, by its SHA-256 where that says one and the browser can tell: only on secure pages.
async fn is_as_listed(window: &Window, file: &Blob, sha256: &str) -> bool {
    let subtle = window.crypto().ok().map(|crypto| crypto.subtle());
    let Some(subtle) = subtle.filter(|own| !own.is_undefined() && !sha256.is_empty()) else {
        return true;
    };
    let digest = async {
        let bytes: ArrayBuffer = JsFuture::from(file.array_buffer()).await?.dyn_into()?;
        let digest = subtle.digest_with_str_and_buffer_source("SHA-256", &bytes)?;
        JsFuture::from(digest).await
    };
    let Ok(digest) = digest.await else {
        return false;
    };
    let hex = |byte: u8| format!("{byte:02x}");
    let bytes = Uint8Array::new(&digest).to_vec();
    bytes.into_iter().map(hex).collect::<String>() == sha256
}

/// An entry of the list of offers.
fn offered(entry: &JsValue) -> OfferedModel {
    let files = get(entry, "files");
    let files = files.dyn_ref::<Array>().map(Array::to_vec);
    let files = files.unwrap_or_default();
    OfferedModel {
        name: text(entry, "name"),
        licence: text(entry, "licence"),
        bytes: files.iter().map(|file| number(file, "bytes")).sum(),
        files: files
            .iter()
            .map(|file| OfferedFile {
                name: text(file, "name"),
                path: text(file, "path"),
                sha256: text(file, "sha256"),
            })
            .collect(),
    }
}

/// Files with the name of a GGUF file, or of the folder that they stand in.
fn named(picked: &PickedFiles) -> (String, Vec<NamedBlob>) {
    let files = picked.files.iter();
    let files: Vec<NamedBlob> = files
        .map(|file| (file.name(), file.clone().into()))
        .collect();
    let is_gguf = |(name, _): &&NamedBlob| name.to_lowercase().ends_with(".gguf");
    let gguf = files.iter().find(is_gguf);
    let name = gguf.map(|(name, _)| name[..name.len() - ".gguf".len()].to_owned());
    let name = name.or_else(|| picked.folder.clone());
    (name.unwrap_or_else(|| "model".to_owned()), files)
}
