//! A window's calls to its worker: who waits for an answer, and what follows when the worker starts, dies or never comes up.
//!
//! [`Calls`] touches no worker: it receives events and returns [effects](Effect), so that every sequence of events can be tested. Each call
//! is settled once.

use std::collections::{HashMap, HashSet};

use crate::{Lane, PageLane};

/// Workers that may die before the GPU is suspected.
const MOST_DEATHS: u32 = 2;

/// The calls of a window, each with `W`, to whom it is answered; `S` is what a page's run is requested with.
#[derive(Debug)]
pub struct Calls<W, S> {
    worker: Worker,
    pending: HashMap<u32, Call<W, S>>,
    last_id: u32,
    last_page: u32,
    /// Layers and models that the worker has.
    layers: HashSet<u32>,
    /// Workers that have died.
    deaths: u32,
    /// Whether a run of a page was posted.
    has_posted: bool,
}

#[derive(Debug)]
enum Worker {
    Starting,
    Running,
    /// There is none, and will be none.
    Broken(String),
}

/// A call that was posted.
#[derive(Debug)]
pub struct Call<W, S> {
    /// Who waits for the answer.
    pub waiter: W,
    /// What the answer is.
    pub purpose: Purpose<S>,
    /// The page that made the call; `None` for a caller of the API.
    pub page: Option<u32>,
}

/// What the answer of a call is.
#[derive(Debug)]
pub enum Purpose<S> {
    /// An object that goes to the caller as it comes.
    Result,
    /// A layer or model, known by the number of the call.
    Layer,
    /// A run of a page. If the worker dies it is requested once more: it may not have been the cause.
    Page(PageCall<S>),
}

/// A run that a page requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageCall<S> {
    /// What it is requested with.
    pub state: S,
    /// Its page and lane.
    pub track: PageLane,
    is_second_try: bool,
}

/// Why a call has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// Its caller has ended it.
    Aborted,
    /// Its worker has stopped.
    Stopped,
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect<W, S> {
    /// Start a worker.
    Spawn,
    /// Tell the worker to use the GPU only where it is asked for.
    DisableAutoGpu,
    /// Tell the worker to drop a call.
    Abort(u32),
    /// Tell the worker to free a layer or model.
    Free(u32),
    /// Request a page's run of this number once more.
    Resend(u32, W, PageCall<S>),
    /// Settle a call.
    Reject(W, Rejection),
    /// Say on the page that computing has stopped.
    Fail,
    /// Settle those who wait for the first worker.
    NeverReady,
    /// Nothing is known of the GPU any more.
    ForgetGpu,
}

impl<W, S> Default for Calls<W, S> {
    fn default() -> Self {
        Self {
            worker: Worker::Starting,
            pending: HashMap::new(),
            last_id: 0,
            last_page: 0,
            layers: HashSet::new(),
            deaths: 0,
            has_posted: false,
        }
    }
}

impl<W, S> Calls<W, S> {
    /// A number for a call.
    pub fn new_id(&mut self) -> u32 {
        self.last_id = self.last_id.wrapping_add(1);
        self.last_id
    }

    /// A number for a page.
    pub fn new_page(&mut self) -> u32 {
        self.last_page = self.last_page.wrapping_add(1);
        self.last_page
    }

    /// Why there is no worker, and will be none.
    pub fn broken(&self) -> Option<&str> {
        match &self.worker {
            Worker::Broken(cause) => Some(cause),
            _ => None,
        }
    }

    /// Whether a run of a page would be the first and come before the first worker, so that a short one is computed in the window.
    pub fn is_first_run(&self, lane: Lane) -> bool {
        let is_starting = matches!(self.worker, Worker::Starting);
        is_starting && lane == Lane::Main && !self.has_posted && self.deaths == 0
    }

    /// A run of a page that is to be posted.
    pub fn page_call(&mut self, state: S, track: PageLane) -> PageCall<S> {
        self.has_posted = true;
        PageCall {
            state,
            track,
            is_second_try: false,
        }
    }

    /// A call was posted.
    pub fn posted(&mut self, id: u32, call: Call<W, S>) {
        self.pending.insert(id, call);
    }

    /// The worker has answered a call: who waits for it, if somebody still does.
    pub fn answered(&mut self, id: u32, is_refused: bool) -> Option<W> {
        let call = self.pending.remove(&id)?;
        if matches!(call.purpose, Purpose::Layer) && !is_refused {
            self.layers.insert(id);
        }
        Some(call.waiter)
    }

    /// The caller ends a call.
    pub fn abort(&mut self, id: u32) -> Vec<Effect<W, S>> {
        let Some(call) = self.pending.remove(&id) else {
            return Vec::new();
        };
        let mut effects = vec![Effect::Abort(id)];
        if matches!(call.purpose, Purpose::Layer) {
            effects.push(Effect::Free(id));
        }
        effects.push(Effect::Reject(call.waiter, Rejection::Aborted));
        effects
    }

    /// A page ends all its calls.
    pub fn leave(&mut self, page: u32) -> Vec<Effect<W, S>> {
        let calls = self.pending.iter();
        let own = calls.filter(|(_, call)| call.page == Some(page));
        let own: Vec<u32> = own.map(|(id, _)| *id).collect();
        own.into_iter().flat_map(|id| self.abort(id)).collect()
    }

    /// Whether the worker has a layer or model.
    pub fn has_layer(&self, layer: u32) -> bool {
        self.layers.contains(&layer)
    }

    /// A layer or model is freed. Its running calls continue.
    pub fn free(&mut self, layer: u32) -> Vec<Effect<W, S>> {
        let is_there = self.layers.remove(&layer);
        is_there
            .then_some(Effect::Free(layer))
            .into_iter()
            .collect()
    }

    /// The worker can compute; `false` where there is none.
    pub fn started(&mut self) -> bool {
        if self.broken().is_some() {
            return false;
        }
        self.worker = Worker::Running;
        true
    }

    /// A worker could not be started.
    pub fn not_started(&mut self, cause: &str) -> Vec<Effect<W, S>> {
        self.worker = Worker::Broken(cause.to_owned());
        vec![Effect::Fail, Effect::NeverReady]
    }

    /// Whether there is a worker that has come up. Of one that has not, its end is noticed otherwise.
    pub fn is_running(&self) -> bool {
        matches!(self.worker, Worker::Running)
    }

    /// The worker has stopped because of `cause`: `is_unloaded` where its code has not come, of which the page says so itself, and goes on.
    /// A worker that has run is replaced; one that never came up will not come up the next time either.
    pub fn stopped(&mut self, cause: &str, is_unloaded: bool) -> Vec<Effect<W, S>> {
        let has_run = self.is_running();
        self.layers.clear();
        let mut effects = if has_run {
            self.replace(is_unloaded)
        } else {
            self.not_started(cause)
        };
        let pending = std::mem::take(&mut self.pending);
        let has_main = pending.values().any(Call::is_main);
        for (id, call) in pending {
            effects.extend(call.lost(id, has_main, is_unloaded));
        }
        if has_run {
            // Last: whoever hears of it may ask for something new.
            effects.push(Effect::ForgetGpu);
        }
        effects
    }

    /// The GPU may be the cause of the deaths: after the second one it is used only where it is asked for.
    fn replace(&mut self, is_unloaded: bool) -> Vec<Effect<W, S>> {
        self.worker = Worker::Starting;
        self.deaths += u32::from(!is_unloaded);
        let mut effects = vec![Effect::Spawn];
        if !is_unloaded && self.deaths >= MOST_DEATHS {
            effects.push(Effect::DisableAutoGpu);
        }
        effects
    }
}

impl<W, S> Call<W, S> {
    /// Whether it is what a map waits for.
    fn is_main(&self) -> bool {
        matches!(&self.purpose, Purpose::Page(page) if page.track.lane == Lane::Main)
    }

    /// Its worker has died.
    fn lost(self, id: u32, has_main: bool, is_unloaded: bool) -> Vec<Effect<W, S>> {
        let is_seen = self.is_main() && !is_unloaded;
        match self.purpose {
            Purpose::Page(page) if page.is_worth_another_try(has_main) => {
                let page = PageCall {
                    is_second_try: true,
                    ..page
                };
                vec![Effect::Resend(id, self.waiter, page)]
            }
            _ => {
                let shown = is_seen.then_some(Effect::Fail).into_iter();
                let rejected = Effect::Reject(self.waiter, Rejection::Stopped);
                shown.chain([rejected]).collect()
            }
        }
    }
}

impl<S> PageCall<S> {
    /// A run at the side is given up beside one in the main lane, which it may have killed.
    fn is_worth_another_try(&self, has_main: bool) -> bool {
        !self.is_second_try && (self.track.lane == Lane::Main || !has_main)
    }
}

#[cfg(test)]
mod tests;
