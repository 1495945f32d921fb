//! A model that the page has opened in the worker.

wasm_chunks::chunk!("model");
// Its closure has the same code as others, which the engine calls.
wasm_chunks::chunk!("engine": said);

use js_sys::{Array, Object};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::super::error::from_message;
use super::super::js_object::{get, number, object, set, text};
use super::super::message::{Command, InMessage as _};
use super::super::pending_calls::Deferred;
use super::Client;
use app::Refusal;
use app::present::model_panel::AboutModel;
use engine::calls::{Call, Purpose};
use interpret::{Answer, Question};

/// A model in the worker, until it is freed.
#[derive(Clone, Copy)]
pub struct OpenedModel {
    id: u32,
}

impl Client {
    /// Begins to open the model of some files.
    ///
    /// # Errors
    /// Files that are none of a model's.
    pub async fn begin_model(&self, files: &[(String, Blob)]) -> Result<OpenedModel, Refusal> {
        let file =
            |(name, blob): &(String, Blob)| object([("name", name.into()), ("blob", blob.into())]);
        let files: Array = files.iter().map(|own| JsValue::from(file(own))).collect();
        let id = self.inner.new_id();
        let message = Command::Model.message(id);
        set(&message, "request", &object([("files", files.into())]));
        self.model_call((id, &message), Purpose::Layer).await?;
        Ok(OpenedModel { id })
    }

    /// Reads one more piece: bytes of weights so far and of all, and what is said of the model once it is open.
    ///
    /// # Errors
    /// Whatever is wrong with the files.
    pub async fn open_on(
        &self,
        model: OpenedModel,
    ) -> Result<([f64; 2], Option<AboutModel>), Refusal> {
        let request = object([("name", "open_on".into())]);
        let answer = self.ask_of(model, &request).await?;
        let progress = get(&answer, "progress");
        let about = get(&answer, "about");
        let read = [number(&progress, "read"), number(&progress, "total")];
        Ok((read, about.is_object().then(|| said(&about))))
    }

    /// Asks a model.
    ///
    /// # Errors
    /// Those of the [`interpret::Interpreter`]; `freed` where the worker has stopped meanwhile.
    pub async fn ask_model(
        &self,
        model: OpenedModel,
        question: &Question,
    ) -> Result<Answer, Refusal> {
        let request = object([
            ("name", "interpret".into()),
            ("question", question.to_js(&Array::new())),
        ]);
        let answer = self.ask_of(model, &request).await?;
        Answer::from_js(&answer).ok_or_else(|| Refusal::stopped("an answer was not understood"))
    }

    /// Frees a model, or what is being opened.
    pub fn free_model(&self, model: OpenedModel) {
        self.free(model.id);
    }

    async fn ask_of(&self, model: OpenedModel, request: &Object) -> Result<JsValue, Refusal> {
        let id = self.inner.new_id();
        let message = Command::ModelCall.message(id);
        set(&message, "layer", &model.id.into());
        set(&message, "request", request);
        self.model_call((id, &message), Purpose::Result).await
    }

    async fn model_call(
        &self,
        (id, message): (u32, &Object),
        purpose: Purpose<Box<app::state::State>>,
    ) -> Result<JsValue, Refusal> {
        let deferred = Deferred::new();
        let call = Call {
            waiter: deferred.clone().into(),
            purpose,
            page: Some(self.page),
        };
        self.inner.ask(id, (message, None), call);
        JsFuture::from(deferred.promise).await.map_err(from_message)
    }
}

/// A model without the name and the size of its files, which the worker does not know.
fn said(about: &JsValue) -> AboutModel {
    let config = get(about, "config");
    let size = |field: &str| number(&config, field) as usize;
    AboutModel {
        name: String::new(),
        family: text(about, "family"),
        bytes: 0.0,
        layers: size("layers"),
        heads: size("heads"),
        is_causal: text(&config, "mask") == "causal",
        has_logits: get(&config, "logits").is_truthy(),
    }
}
