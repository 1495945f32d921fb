//! Models of the public API: each call is computed at once, or on the GPU, for which later calls of the model wait; a training run in calls
//! of a few milliseconds.

wasm_chunks::chunk!("models");

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Blob;

use super::super::chunks::load_chunk;
use super::super::file_reader;
use super::super::js_object::{get, number, object, text};
use super::super::js_tree::{self, model_request};
use super::super::message::{Command, InMessage as _};
use super::gpu::WaitingForGpu;
use super::platform::now;
use super::with_service;
use crate::api::{Devices, FileInfo, ModelAnswer, Opening, StoredModel};
use app::i18n::Language;
use app::i18n::file_messages::refusal_of;
use app::js_tree::JsTree;
use attention::{Code, Error};
use engine::{
    Backend, BackendChoice, Failure, Reason, Requester, Route, Sample, VerifiedGpu, Workload,
};
use formats::FormatError;
use interpret::Question;

thread_local! {
    static MODELS: RefCell<HashMap<u32, ModelEntry>> = RefCell::default();
    static OPENINGS: RefCell<HashMap<u32, Option<OpeningFiles>>> = RefCell::default();
}

/// Bytes of weights that there is room for: WebAssembly's memory holds 4 GiB.
const MOST_WEIGHTS: u64 = 2 << 30;

/// The name of the call that goes on with a checkpoint that is being opened.
const OPEN_ON: &str = "open_on";

/// The name of the call with a question of the page.
const INTERPRET: &str = "interpret";

/// A checkpoint that is being opened, with its files.
struct OpeningFiles {
    opening: Opening,
    files: Vec<Blob>,
}

/// A model, or while it computes a call, the calls that came after it.
enum ModelEntry {
    Idle(Box<StoredModel>),
    Busy(Vec<(u32, JsValue)>),
}

/// Creates a model, or answers a call of one, in a task of its own, whose code is loaded on first
/// use.
pub(super) fn answer(id: u32, message: JsValue) {
    spawn_local(async move {
        if requires_webgpu(&message) {
            gpu_settled(id).await;
        }
        let answered = match Command::of(&message) {
            Some(Command::Model) => make(id, &message),
            _ if text(&get(&message, "request"), "name") == OPEN_ON => open_on(&message).await,
            _ if is_queued(id, &message) => return,
            _ => call(&message).await,
        };
        with_service(|service| match answered {
            Ok(Answer { value, transfer }) => {
                let message = object([("id", id.into()), ("result", value)]);
                service.post(&message, Some(&transfer));
            }
            Err(error) => service.refuse(id, &error.into()),
        });
    });
}

/// Whether a message asks for WebGPU itself, or the model that it is for does.
fn requires_webgpu(message: &JsValue) -> bool {
    let is_new = matches!(Command::of(message), Some(Command::Model));
    let asked = get(message, "request");
    let request = if is_new {
        asked
    } else {
        get(&asked, "request")
    };
    let own = text(&request, "backend");
    let of_model = || {
        let id = number(message, "layer") as u32;
        MODELS.with_borrow(|models| match models.get(&id) {
            Some(ModelEntry::Idle(model)) => model.backend() == BackendChoice::WebGpu,
            _ => false,
        })
    };
    own == BackendChoice::WebGpu.name() || own.is_empty() && !is_new && of_model()
}

/// Waits until it is decided whether there is a GPU.
async fn gpu_settled(id: u32) {
    let mut settled = None;
    let promise = Promise::new(&mut |resolve, _| settled = Some(resolve));
    let waits = settled.and_then(|settled| {
        with_service(|service| {
            let route = service.runs.device.route(
                BackendChoice::WebGpu,
                Requester::Caller,
                Workload::default(),
            );
            let waits = matches!(route, Ok(Route::Wait));
            if waits {
                service.act(|runs| runs.ask(id, WaitingForGpu::Model(settled)));
            }
            waits
        })
    });
    if waits == Some(true) {
        // It is never refused.
        let _ = JsFuture::from(promise).await;
    }
}

/// Queues a call of a model that is busy with another one; returns whether it is.
fn is_queued(id: u32, message: &JsValue) -> bool {
    let model = number(message, "layer") as u32;
    MODELS.with_borrow_mut(|models| match models.get_mut(&model) {
        Some(ModelEntry::Busy(calls)) => {
            calls.push((id, message.clone()));
            true
        }
        _ => false,
    })
}

/// Takes a model for one call; others are queued until it is returned.
///
/// # Errors
/// [`Code::Freed`].
fn take_model(id: u32) -> Result<Box<StoredModel>, Error> {
    let kept = MODELS.with_borrow_mut(|models| {
        let kept = models.get_mut(&id)?;
        Some(std::mem::replace(kept, ModelEntry::Busy(Vec::new())))
    });
    match kept {
        Some(ModelEntry::Idle(model)) => Ok(model),
        _ => Err(freed(id)),
    }
}

/// Returns a model after a call, unless it was freed meanwhile, and starts the calls that were queued.
fn return_model(id: u32, model: Box<StoredModel>) {
    let waited = MODELS.with_borrow_mut(|models| {
        let kept = models.get_mut(&id)?;
        Some(std::mem::replace(kept, ModelEntry::Idle(model)))
    });
    resume_calls(waited);
}

fn resume_calls(waited: Option<ModelEntry>) {
    if let Some(ModelEntry::Busy(calls)) = waited {
        calls
            .into_iter()
            .for_each(|(id, message)| answer(id, message));
    }
}

/// The worker's GPU, and its clock.
struct WorkerDevices;

impl Devices for WorkerDevices {
    fn device(&self, choice: BackendChoice, load: Workload) -> Result<Option<VerifiedGpu>, Error> {
        let routed = with_service(|service| {
            let device = &service.runs.device;
            let route = device.route(choice, Requester::Caller, load);
            let found = route.map(|route| (route, device.ready().cloned()));
            (found, device.absence().cloned())
        });
        let (routed, absence) = routed.unzip();
        let absence = absence.flatten();
        match routed {
            Some(Ok((Route::WebGpu, found))) => Ok(found),
            // An attempt has failed, and another may follow.
            Some(Ok((Route::Wait, _))) => Err(absence.unwrap_or(Reason::Checking).refusal()),
            Some(Ok((Route::Cpu(_), _))) | None => Ok(None),
            Some(Err(reason)) => Err(reason.refusal()),
        }
    }

    fn learn(&self, backend: Backend, pass: Sample) {
        with_service(|service| service.runs.device.learn(backend, pass));
    }

    fn failed(&self, failure: &Failure, load: Workload) {
        // A loss is handled where the device is watched; there may be another device by now.
        if matches!(failure, Failure::Device(Reason::Lost { .. })) {
            return;
        }
        with_service(|service| {
            let attempt = service.runs.device.present();
            service.act(|runs| runs.failed_on_gpu(attempt, failure, load));
        });
    }

    fn now_ms(&self) -> f64 {
        now()
    }
}

/// Forgets a model, if there is one, or its opening.
pub(super) fn free(id: u32) {
    resume_calls(MODELS.with_borrow_mut(|models| models.remove(&id)));
    OPENINGS.with_borrow_mut(|openings| openings.remove(&id));
}

/// A value for the caller, with the buffers that move.
struct Answer {
    value: JsValue,
    transfer: Array,
}

fn make(id: u32, message: &JsValue) -> Result<Answer, Error> {
    let request = get(message, "request");
    let files = get(&request, "files");
    if files.is_undefined() {
        let model = StoredModel::new(model_request(&request)?, said)?;
        if model.backend() == BackendChoice::WebGpu {
            WorkerDevices.device(BackendChoice::WebGpu, Workload::default())?;
        }
        keep(id, model);
    } else {
        let opening = begin_opening(&files)?;
        OPENINGS.with_borrow_mut(|openings| openings.insert(id, Some(opening)));
    }
    Ok(Answer {
        value: id.into(),
        transfer: Array::new(),
    })
}

fn keep(id: u32, model: StoredModel) {
    MODELS.with_borrow_mut(|models| models.insert(id, ModelEntry::Idle(Box::new(model))));
}

/// Begins with a list of `{ name, blob }`, as `calls.js` makes it.
fn begin_opening(files: &JsValue) -> Result<OpeningFiles, Error> {
    let (mut blobs, mut infos) = (Vec::new(), Vec::new());
    for file in Array::from(files) {
        let name = text(&file, "name");
        let Ok(blob) = get(&file, "blob").dyn_into::<Blob>() else {
            let rule = "must be a Blob or a File";
            return Err(Error::new(
                Code::UnknownOption,
                name,
                "something else",
                rule,
            ));
        };
        infos.push(FileInfo {
            name,
            bytes: blob.size() as u64,
        });
        blobs.push(blob);
    }
    let opening = Opening::new(infos, MOST_WEIGHTS, said)?;
    Ok(OpeningFiles {
        opening,
        files: blobs,
    })
}

/// Reads one more piece: `{ read, total }`, with `done` and what is said of the model once it is open.
async fn open_on(message: &JsValue) -> Result<Answer, Error> {
    let id = number(message, "layer") as u32;
    let taken = OPENINGS.with_borrow_mut(|openings| openings.get_mut(&id)?.take());
    let mut own = taken.ok_or_else(|| freed(id))?;
    if let Some(piece) = own.opening.wants() {
        let file = &own.files[piece.file];
        let [start, end] = [piece.span.start, piece.span.end].map(|at| at as f64);
        let part = file.slice_with_f64_and_f64(start, end);
        let bytes = match part {
            Ok(part) => file_reader::bytes(&part).await,
            Err(error) => Err(error),
        };
        // The browser does not give the bytes of a file that was moved or changed.
        own.opening.take(&bytes.unwrap_or_default())?;
    }
    if own.opening.wants().is_none() {
        // What makes plain values of its answers: later there may be no network to load it from.
        load_chunk("host").await;
    }
    let progress = own.opening.progress();
    // Freed while bytes or code were awaited.
    if OPENINGS.with_borrow(|openings| !openings.contains_key(&id)) {
        return Err(freed(id));
    }
    let about = if own.opening.wants().is_none() {
        let (model, about) = own.opening.opened()?;
        OPENINGS.with_borrow_mut(|openings| openings.remove(&id));
        keep(id, model);
        about
    } else {
        OPENINGS.with_borrow_mut(|openings| openings.insert(id, Some(own)));
        JsTree::Absent
    };
    let value = JsTree::record([("progress", progress), ("about", about)]);
    Ok(Answer {
        value: js_tree::to_js(&value),
        transfer: Array::new(),
    })
}

/// Text of an error about a rejected file.
fn said(error: &FormatError) -> String {
    refusal_of(Language::En, None, error)
}

async fn call(message: &JsValue) -> Result<Answer, Error> {
    let id = number(message, "layer") as u32;
    let asked = get(message, "request");
    if text(&asked, "name") == INTERPRET {
        return interpret(id, &get(&asked, "question"));
    }
    let request = model_request(&get(&asked, "request"))?;
    let mut model = take_model(id)?;
    let answer = model
        .call(&text(&asked, "name"), request, &WorkerDevices)
        .await;
    return_model(id, model);
    let transfer = Array::new();
    let value = match answer? {
        ModelAnswer::Tree(tree) => js_tree::with_arrays(tree, &transfer),
        ModelAnswer::Bytes(bytes) => {
            let bytes = Uint8Array::from(bytes.as_slice());
            transfer.push(&bytes.buffer());
            bytes.into()
        }
    };
    Ok(Answer { value, transfer })
}

/// Answers a question of the page.
fn interpret(id: u32, question: &JsValue) -> Result<Answer, Error> {
    let question = Question::from_js(question).ok_or_else(|| {
        let rule = "must be one that this version knows";
        Error::new(Code::UnknownOption, "question", "another", rule)
    })?;
    let answer = MODELS.with_borrow_mut(|models| match models.get_mut(&id) {
        Some(ModelEntry::Idle(model)) => model.interpret(&question),
        _ => Err(freed(id)),
    })?;
    let transfer = Array::new();
    let value = answer.to_js(&transfer);
    Ok(Answer { value, transfer })
}

fn freed(model: u32) -> Error {
    let rule = "this model was freed; make a new one";
    Error::new(Code::Freed, "model", model, rule)
}
