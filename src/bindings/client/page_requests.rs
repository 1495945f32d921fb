//! Requests of the page itself, as opposed to callers of the API.

use std::future::Future;
use std::rc::Rc;

use js_sys::{Object, Promise};
use wasm_bindgen_futures::JsFuture;

use super::super::Comparison;
use super::super::benchmark::{self, BenchmarkRequest};
use super::super::error::from_message;
use super::super::full_trace::{self, FullTrace};
use super::super::listeners::StatusSubscription;
use super::super::local_run::LocalRun;
use super::super::message::{Command, InMessage as _};
use super::super::pending_calls::{Deferred, question};
use super::super::{learned_layer, page_result};
use super::Client;
use app::Refusal;
use app::state::{Origin, State};
use engine::calls::{Call, Purpose};
use engine::{GpuStatus, Lane, PageLane, PageRun};

/// Where a run of a page is done.
enum RunPlace {
    Window(Box<LocalRun>),
    Worker(Promise),
}

impl Client {
    /// Computes the page's results for `state`: in the window if that is short and the worker is
    /// still starting, else in the worker, which receives the request at once, not when the future
    /// is first polled. There a newer run replaces an unfinished older one in its lane, which then
    /// fails as `aborted`.
    ///
    /// # Errors
    /// `aborted`, and `backend_unavailable` if no worker can compute it; the page has then already
    /// been notified.
    pub fn page_run(
        &self,
        state: &State,
        lane: Lane,
    ) -> impl Future<Output = Result<PageRun, Refusal>> + use<> {
        let place = match self.local_run(state, lane) {
            Some(run) => RunPlace::Window(Box::new(run)),
            None => RunPlace::Worker(self.post_run(state, lane)),
        };
        let learned = (state.origin == Origin::Learned).then(|| state.clone());
        async move {
            match place {
                RunPlace::Window(run) => run.compute().map_err(Refusal::from),
                RunPlace::Worker(answer) => JsFuture::from(answer)
                    .await
                    .map(|run| {
                        if let Some(state) = &learned {
                            learned_layer::receive(state, &run);
                        }
                        page_result::from_message(&run)
                    })
                    .map_err(from_message),
            }
        }
    }

    /// Runs locally only before anything was posted to the worker: a worker that knows a choice
    /// must be sent the next one too, and a run that has ended a worker would end the page.
    fn local_run(&self, state: &State, lane: Lane) -> Option<LocalRun> {
        let inner = &self.inner;
        let is_first = inner.calls.borrow().is_first_run(lane);
        is_first
            .then(|| LocalRun::new(state, &inner.local_limit.borrow()))
            .flatten()
    }

    fn post_run(&self, state: &State, lane: Lane) -> Promise {
        let (deferred, id) = (Deferred::new(), self.inner.new_id());
        let track = PageLane {
            page: self.page,
            lane,
        };
        let state = Box::new(state.clone());
        let page = self.inner.calls.borrow_mut().page_call(state, track);
        self.inner.post_page(id, page, deferred.clone().into());
        deferred.promise
    }

    /// The same worker for another page: runs of one never replace those of another.
    #[must_use]
    pub fn for_page(&self) -> Self {
        Self {
            inner: Rc::clone(&self.inner),
            page: self.inner.calls.borrow_mut().new_page(),
        }
    }

    /// Aborts all requests of this page.
    pub fn leave(&self) {
        let effects = self.inner.calls.borrow_mut().leave(self.page);
        self.inner.carry_out(effects, "");
        self.inner.notify(Command::Leave, self.page);
    }

    /// Calls `callback` with the status of WebGPU, at once and at every change, until the returned subscription is dropped.
    #[must_use]
    pub fn on_status(&self, callback: impl Fn(GpuStatus) + 'static) -> StatusSubscription {
        self.inner.listeners.add(callback)
    }

    /// Returns the current WebGPU status.
    pub fn status(&self) -> GpuStatus {
        self.inner.listeners.status()
    }

    /// Computes a state on both backends and returns the difference of the weights.
    ///
    /// # Errors
    /// `backend_unavailable` where WebGPU is not there, with the reason.
    pub async fn compare(&self, state: &State) -> Result<Comparison, Refusal> {
        let deferred = Deferred::new();
        let id = self.inner.new_id();
        let message = question(Command::Compare, id, state);
        self.ask(id, (&message, Some(state)), &deferred);
        let answer = JsFuture::from(deferred.promise).await;
        let answer = answer.map_err(from_message)?;
        Comparison::from_js(&answer)
            .ok_or_else(|| Refusal::stopped("a comparison was not understood"))
    }

    /// Trains the model of a state in the worker, a few steps at a time between the page's own
    /// runs, so that later requests need not wait for it. Ends early if that fails: the model is
    /// then trained when it is needed.
    pub fn train(&self, state: &State) -> impl Future<Output = ()> + use<> {
        let (client, state) = (self.clone(), state.clone());
        async move {
            let mut is_behind = true;
            while is_behind {
                let (id, deferred) = (client.inner.new_id(), Deferred::new());
                let message = question(Command::Train, id, &state);
                client.ask(id, (&message, Some(&state)), &deferred);
                let answer = JsFuture::from(deferred.promise).await;
                is_behind = answer.is_ok_and(|answer| answer.is_truthy());
            }
        }
    }

    /// Runs the setting of `request` on random inputs in its own turn, never before the page's own runs. Gives the number
    /// of the run, by which it can be [stopped](Self::stop), and the milliseconds that come.
    ///
    /// # Errors
    /// Errors of the backend, `backend_unavailable` without one, and `aborted`.
    pub fn measure(
        &self,
        request: &BenchmarkRequest<'_>,
    ) -> (u32, impl Future<Output = Result<f64, Refusal>> + use<>) {
        let (id, deferred) = (self.inner.new_id(), Deferred::new());
        self.ask(id, (&request.message(id), Some(request.state)), &deferred);
        (id, benchmark::taken(deferred.promise))
    }

    /// Computes results of a setting once more, as a call of its own. Returns the number of the
    /// run, by which it can be [stopped](Self::stop), and the results in the order of the names.
    ///
    /// # Errors
    /// Errors of the backend, `backend_unavailable` without one, and `aborted`.
    pub fn trace(
        &self,
        traced: &FullTrace<'_>,
    ) -> (
        u32,
        impl Future<Output = Result<Vec<Vec<f32>>, Refusal>> + use<>,
    ) {
        let (id, deferred) = (self.inner.new_id(), Deferred::new());
        self.ask(id, (&traced.message(id), Some(traced.state)), &deferred);
        (
            id,
            full_trace::taken(deferred.promise, traced.names.to_vec()),
        )
    }

    /// Posts a question of this page.
    pub(super) fn ask(&self, id: u32, question: (&Object, Option<&State>), deferred: &Deferred) {
        let call = Call {
            waiter: deferred.clone().into(),
            purpose: Purpose::Result,
            page: Some(self.page),
        };
        self.inner.ask(id, question, call);
    }

    /// Stops a run between two of its tiles; nothing where it has ended.
    pub fn stop(&self, id: u32) {
        self.inner.abort(id);
    }
}
