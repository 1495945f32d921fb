//! Requests runs of states, newest first, and passes on the results.

wasm_chunks::chunk!("more": Engine::ask_beside, Engine::compare);

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use wasm_bindgen_futures::spawn_local;

use super::sender::{Input, Sender};
use crate::bindings::{Client, is_unloaded};
use crate::browser::activity::Activity;
use app::message::RunError;
use app::state::State;
use app::{Message, Refusal};
use engine::schedule::{Schedule, is_known, is_overtaken};
use engine::{Lane, PageRun};

/// Connection to the worker. At most one run is pending and one waits.
pub(super) struct Engine {
    inner: Rc<EngineState>,
}

struct EngineState {
    client: Client,
    activity: Activity,
    schedule: RefCell<Schedule<State>>,
    sender: Sender,
}

impl Drop for EngineState {
    fn drop(&mut self) {
        self.client.leave();
    }
}

impl Engine {
    /// `sender` is sent every reply, or the reason why there is none. Nothing is sent any more once the engine is dropped.
    pub(super) fn new(client: Client, activity: Activity, sender: Sender) -> Self {
        Self {
            inner: Rc::new(EngineState {
                client,
                activity,
                schedule: RefCell::default(),
                sender,
            }),
        }
    }

    /// Client of the worker, for requests other than pictures.
    pub(super) fn client(&self) -> &Client {
        &self.inner.client
    }

    /// Requests a run of `state`, in place of any state of its lane that waits.
    pub(super) fn ask(&self, lane: Lane, state: State) {
        if lane == Lane::Side {
            return self.ask_beside(state);
        }
        let job = self.inner.schedule.borrow_mut().ask(state);
        if let Some(state) = job {
            start(&self.inner, state);
        }
    }

    /// Whether no run for the map is pending.
    pub(super) fn is_idle(&self) -> bool {
        self.inner.schedule.borrow().is_idle()
    }

    /// Requests a run of setting B, in place of any requested before.
    fn ask_beside(&self, state: State) {
        let weak = Rc::downgrade(&self.inner);
        let client = &self.inner.client;
        let reply = client.page_run(&state, Lane::Side);
        let pending = self.inner.activity.begin();
        spawn_local(async move {
            let reply = reply.await.map(Box::new).map_err(|refusal| {
                if is_overtaken(&refusal.code) {
                    RunError::Replaced
                } else {
                    error(refusal)
                }
            });
            if let Some(inner) = weak.upgrade() {
                let message = Message::Ran(Lane::Side, Box::new(state), reply);
                inner.sender.send(message);
            }
            drop(pending);
        });
    }

    /// Requests a comparison of both backends on `state`.
    pub(super) fn compare(&self, state: &State) {
        let (weak, client, state) = (
            Rc::downgrade(&self.inner),
            self.inner.client.clone(),
            state.clone(),
        );
        let pending = self.inner.activity.begin();
        spawn_local(async move {
            let reply = client.compare(&state).await;
            if let Some(inner) = weak.upgrade() {
                let reply = reply.map_err(|refusal| refusal.message);
                let input = Input::BackendsCompared(Box::new(state), reply);
                inner.sender.send(input);
            }
            drop(pending);
        });
    }
}

fn start(inner: &Rc<EngineState>, state: State) {
    let weak = Rc::downgrade(inner);
    let client = &inner.client;
    let reply = client.page_run(&state, Lane::Main);
    let pending = inner.activity.begin();
    spawn_local(async move {
        ended(&weak, state, reply.await);
        drop(pending);
    });
}

/// The next one is started first: the worker computes while the page paints.
fn ended(weak: &Weak<EngineState>, state: State, reply: Result<PageRun, Refusal>) {
    let Some(inner) = weak.upgrade() else { return };
    let next = inner.schedule.borrow_mut().ended();
    if let Some(next) = next {
        start(&inner, next);
    }
    let reply = match reply {
        Ok(run) => Ok(Box::new(run)),
        Err(refusal) if is_known(&refusal.code) && !is_unloaded(&refusal.value) => return,
        Err(refusal) => Err(error(refusal)),
    };
    let message = Message::Ran(Lane::Main, Box::new(state), reply);
    inner.sender.send(message);
}

fn error(refusal: Refusal) -> RunError {
    if is_unloaded(&refusal.value) {
        RunError::Unloaded
    } else {
        RunError::Refused(refusal.message)
    }
}
