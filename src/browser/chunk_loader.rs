//! Chunks of the engine that parts of the page need before they are shown. A call into a chunk that cannot be loaded would stop the page.

wasm_chunks::chunk!("input": ChunkLoader::load, LoaderState);

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::activity::Activity;
use crate::bindings::{has_chunk, load_chunk};
use app::{ChunkState, Chunks};

/// Loads chunks on first use; clones share their state.
#[derive(Clone)]
pub(super) struct ChunkLoader(Rc<LoaderState>);

struct LoaderState {
    activity: Activity,
    on_end: Box<dyn Fn()>,
    others: RefCell<Vec<(&'static str, ChunkState)>>,
}

impl ChunkLoader {
    /// Calls `on_end` when a chunk has loaded, or has failed to.
    pub(super) fn new(activity: Activity, on_end: Box<dyn Fn()>) -> Self {
        let others = RefCell::default();
        Self(Rc::new(LoaderState {
            activity,
            on_end,
            others,
        }))
    }

    /// Forgets failed loads, so that they are requested again when needed; returns whether there
    /// were any.
    pub(super) fn forget_missing(&self) -> bool {
        let mut others = self.0.others.borrow_mut();
        let count = others.len();
        others.retain(|(_, state)| *state != ChunkState::Missing);
        others.len() < count
    }

    fn load(&self, name: &'static str) {
        let (inner, pending) = (Rc::clone(&self.0), self.0.activity.begin());
        spawn_local(async move {
            let has_come = load_chunk(name).await;
            let mut others = inner.others.borrow_mut();
            others.retain(|(other, _)| *other != name);
            if !has_come {
                others.push((name, ChunkState::Missing));
            }
            drop(others);
            (inner.on_end)();
            drop(pending);
        });
    }
}

impl Chunks for ChunkLoader {
    fn state(&self, name: &'static str) -> ChunkState {
        if has_chunk(name) {
            return ChunkState::Loaded;
        }
        let mut others = self.0.others.borrow_mut();
        if let Some((_, state)) = others.iter().find(|(other, _)| *other == name) {
            return *state;
        }
        others.push((name, ChunkState::Coming));
        self.load(name);
        ChunkState::Coming
    }
}
