//! The worker's side: takes messages, lets runs take turns, answers.
//!
//! A message is `{ kind, id, … }`; an answer is `{ id, result }` or `{ id, error }`. Between slices the worker goes back
//! to its messages, so that an abort or a small run of the page never waits for the end of a long one.

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::Object;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessagePort};

use super::convert::raw;
use super::error::Refusal;
use super::object::{get, number, object, text};
use super::outcome::{self, Answer};
use super::page;
use super::status::Ran;
use crate::api::{self, Checked, CheckedLayer};
use crate::attention::{Code, Error};
use crate::engine::{BackendChoice, Entry, Job, Reason, Turns};

/// How long runs may go on before messages are looked at again: well below a frame.
const SLICE_MS: f64 = 6.0;

thread_local! {
    static SERVICE: RefCell<Option<Service>> = const { RefCell::new(None) };
}

/// Takes a message; `worker.js` hands over every one after the first.
#[wasm_bindgen]
pub fn receive(message: &JsValue) {
    with_service(|service| service.receive(message));
}

fn with_service(act: impl FnOnce(&mut Service)) {
    SERVICE.with_borrow_mut(|service| {
        if service.is_none() {
            *service = Service::new();
        }
        // Elsewhere than in a worker there is nobody to answer.
        if let Some(service) = service {
            act(service);
        }
    });
}

/// What a run was asked for.
enum Purpose {
    Call { has_batch: bool },
    Page { flops: f64 },
}

struct Running {
    job: Job,
    purpose: Purpose,
    elapsed_ms: f64,
}

struct Service {
    scope: DedicatedWorkerGlobalScope,
    layers: HashMap<u32, CheckedLayer>,
    turns: Turns<Running>,
    /// A message to ourselves that comes after those already waiting; timers would be held back by 4 ms.
    bell: MessagePort,
    is_rung: bool,
}

impl Service {
    fn new() -> Option<Self> {
        let scope = js_sys::global()
            .dyn_into::<DedicatedWorkerGlobalScope>()
            .ok()?;
        let channel = MessageChannel::new().ok()?;
        let on_bell = Closure::<dyn Fn()>::new(|| {
            with_service(|service| {
                service.is_rung = false;
                service.slice();
            });
        });
        channel
            .port1()
            .set_onmessage(Some(on_bell.into_js_value().unchecked_ref()));
        Some(Self {
            scope,
            layers: HashMap::new(),
            turns: Turns::default(),
            bell: channel.port2(),
            is_rung: false,
        })
    }

    fn receive(&mut self, message: &JsValue) {
        let id = number(message, "id") as u32;
        let taken = match text(message, "kind").as_str() {
            "compute" => self.compute(id, message),
            "layer_compute" => self.layer_compute(id, message),
            "layer" => self.layer(id, message),
            "page" => self.page(id, message),
            "compare" => Err(Reason::Checking.refusal()),
            "abort" => {
                self.turns.cancel(id);
                Ok(())
            }
            _ => {
                self.layers.remove(&id);
                Ok(())
            }
        };
        if let Err(error) = taken {
            self.refuse(id, &error.into());
        }
        if !self.is_rung {
            self.slice();
        }
    }

    fn compute(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let checked = api::compute(raw(&get(message, "request"))?)?;
        self.start_call(id, checked)
    }

    fn layer_compute(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let layer = number(message, "layer") as u32;
        let layer = self.layers.get(&layer).ok_or_else(|| freed(layer))?;
        let checked = api::layer_compute(layer, raw(&get(message, "request"))?)?;
        self.start_call(id, checked)
    }

    fn layer(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let layer = api::layer(raw(&get(message, "request"))?)?;
        self.layers.insert(id, layer);
        self.post(&object([("id", id.into()), ("result", id.into())]), None);
        Ok(())
    }

    fn page(&mut self, id: u32, message: &JsValue) -> Result<(), Error> {
        let request = page::request(&text(message, "fragment"))?;
        let flops = page::flops(&request);
        let job = Job::new(request, BackendChoice::Auto)?;
        self.start(
            id,
            true,
            Running {
                job,
                purpose: Purpose::Page { flops },
                elapsed_ms: 0.0,
            },
        );
        Ok(())
    }

    fn start_call(&mut self, id: u32, checked: Checked) -> Result<(), Error> {
        let job = Job::new(checked.request, checked.backend)?;
        let purpose = Purpose::Call {
            has_batch: checked.has_batch,
        };
        self.start(
            id,
            false,
            Running {
                job,
                purpose,
                elapsed_ms: 0.0,
            },
        );
        Ok(())
    }

    fn start(&mut self, id: u32, is_urgent: bool, run: Running) {
        if let Some(older) = self.turns.add(Entry { id, is_urgent, run }) {
            self.refuse(older.id, &Refusal::replaced());
        }
    }

    /// Lets runs go on until the slice is over, and rings for the next one where some are left.
    fn slice(&mut self) {
        let end = self.now() + SLICE_MS;
        while self.now() < end {
            let Some(entry) = self.turns.take() else {
                return;
            };
            self.turn(entry, end);
        }
        if !self.turns.is_empty() {
            self.is_rung = self.bell.post_message(&JsValue::NULL).is_ok();
        }
    }

    fn turn(&mut self, mut entry: Entry<Running>, end: f64) {
        let start = self.now();
        let mut goes_on = entry.run.job.advance();
        while goes_on && self.now() < end {
            goes_on = entry.run.job.advance();
        }
        entry.run.elapsed_ms += self.now() - start;
        match goes_on {
            true => drop(self.turns.add(entry)),
            false => self.finish(entry.id, entry.run),
        }
    }

    fn finish(&self, id: u32, run: Running) {
        let outcome = match run.job.finish() {
            Ok(outcome) => outcome,
            Err(error) => return self.refuse(id, &error.into()),
        };
        let Answer { result, transfer } = match run.purpose {
            Purpose::Call { has_batch } => outcome::answer(&outcome, has_batch, run.elapsed_ms),
            Purpose::Page { flops } => {
                let ran = Ran {
                    backend: outcome.backend,
                    adapter: None,
                    reason: Some(Reason::Checking),
                };
                page::answer(&outcome, &ran, flops, run.elapsed_ms)
            }
        };
        self.post(
            &object([("id", id.into()), ("result", result.into())]),
            Some(&transfer),
        );
    }

    fn refuse(&self, id: u32, refusal: &Refusal) {
        self.post(
            &object([("id", id.into()), ("error", refusal.to_message())]),
            None,
        );
    }

    /// Our own messages can always be cloned.
    fn post(&self, message: &Object, transfer: Option<&js_sys::Array>) {
        let _ = match transfer {
            None => self.scope.post_message(message),
            Some(transfer) => self.scope.post_message_with_transfer(message, transfer),
        };
    }

    fn now(&self) -> f64 {
        self.scope
            .performance()
            .map_or(0.0, |performance| performance.now())
    }
}

fn freed(layer: u32) -> Error {
    Error::new(
        Code::Freed,
        "layer",
        layer,
        "this layer was freed; make a new one",
    )
}
