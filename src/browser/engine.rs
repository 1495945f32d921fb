//! Asks for the numbers of states, newest first, and passes on the results.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use wasm_bindgen_futures::spawn_local;

use crate::bindings::{Client, Comparison, Refusal};
use crate::browser::activity::Activity;
use crate::engine::schedule::{Schedule, is_known, is_overtaken};
use crate::engine::{Lane, PageRun};
use crate::state::State;

/// Where replies go, with the state that they belong to.
type Taken = Box<dyn Fn(State, Result<PageRun, Refusal>)>;

/// Where comparisons go.
type Compared = Box<dyn Fn(State, Result<Comparison, String>)>;

/// Where replies of what stands beside the map go; `None` says nothing of one that was overtaken.
type TakenBeside = Box<dyn Fn(State, Result<PageRun, Option<String>>)>;

/// The way to the worker. At most one computation is under way and one waits.
pub(super) struct Engine {
    inner: Rc<Inner>,
}

struct Inner {
    client: Client,
    activity: Activity,
    schedule: RefCell<Schedule<State>>,
    taken: Taken,
    taken_beside: TakenBeside,
    compared: Compared,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.client.leave();
    }
}

impl Engine {
    /// `taken` is called with every reply, or with the reason why there is none, `taken_beside` with those
    /// for beside the map, and `compared` with every comparison. Nothing comes any more once the engine is dropped.
    pub(super) fn new(
        client: Client,
        activity: Activity,
        taken: impl Fn(State, Result<PageRun, Refusal>) + 'static,
        taken_beside: impl Fn(State, Result<PageRun, Option<String>>) + 'static,
        compared: impl Fn(State, Result<Comparison, String>) + 'static,
    ) -> Self {
        Self {
            inner: Rc::new(Inner {
                client,
                activity,
                schedule: RefCell::default(),
                taken: Box::new(taken),
                taken_beside: Box::new(taken_beside),
                compared: Box::new(compared),
            }),
        }
    }

    /// The way to the worker, for what is no picture.
    pub(super) fn client(&self) -> &Client {
        &self.inner.client
    }

    /// Asks for the numbers of `state`, in place of any state that waits.
    pub(super) fn ask(&self, state: State) {
        let job = self.inner.schedule.borrow_mut().ask(state);
        if let Some(state) = job {
            start(&self.inner, state);
        }
    }

    /// Whether no picture is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.inner.schedule.borrow().is_idle()
    }

    /// Asks for the numbers of `state` to stand beside those of the map, in place of any that were asked for before.
    pub(super) fn ask_beside(&self, state: State) {
        let weak = Rc::downgrade(&self.inner);
        let client = &self.inner.client;
        let reply = client.page_run(&state, Lane::Side);
        let pending = self.inner.activity.begin();
        spawn_local(async move {
            let reply = reply
                .await
                .map_err(|refusal| (!is_overtaken(&refusal.code)).then_some(refusal.message));
            if let Some(inner) = weak.upgrade() {
                (inner.taken_beside)(state, reply);
            }
            drop(pending);
        });
    }

    /// Asks for a comparison of both backends on the numbers of `state`.
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
                (inner.compared)(state, reply.map_err(|refusal| refusal.message));
            }
            drop(pending);
        });
    }
}

fn start(inner: &Rc<Inner>, state: State) {
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
fn ended(weak: &Weak<Inner>, state: State, reply: Result<PageRun, Refusal>) {
    let Some(inner) = weak.upgrade() else { return };
    let next = inner.schedule.borrow_mut().ended();
    if let Some(next) = next {
        start(&inner, next);
    }
    match reply {
        Ok(run) => (inner.taken)(state, Ok(run)),
        Err(refusal) if is_known(&refusal.code) && !refusal.is_unloaded() => {}
        Err(refusal) => (inner.taken)(state, Err(refusal)),
    }
}
