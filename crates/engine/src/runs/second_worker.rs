//! Half of the heads of long runs in a second worker, where that was measured to take less time.
//!
//! The second worker is started after the first long run and gets the message that a run came with. Its half is joined to the first
//! worker's once both have ended. Whatever goes wrong with it, the first worker computes the whole run.

wasm_chunks::chunk!("more");

use std::collections::HashSet;

use super::{CpuRun, Effect, Requested, RunTypes, Runs};
use crate::{Entry, PageLane, WorkerChoice, Workers};
use attention::cpu::Share;

/// The second worker, and the measured time that it saves.
pub struct SecondWorker<P: RunTypes> {
    state: WorkerState,
    choice: WorkerChoice,
    /// Layers that it has.
    layers: HashSet<u32>,
    shared: Option<SharedRun<P>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WorkerState {
    Starting,
    Ready,
    /// It has failed, while it started or later; there is no second attempt.
    Broken,
}

/// A run of which both workers compute one half of the heads.
struct SharedRun<P: RunTypes> {
    id: u32,
    track: Option<PageLane>,
    /// The first worker's half, once it has ended.
    first: Option<P::Ended>,
    second: SecondHalf<P>,
    /// Whether weights of the second half have still to come.
    awaits_weights: bool,
}

enum SecondHalf<P: RunTypes> {
    Running,
    Answered(P::Half),
    Failed,
}

impl<P: RunTypes> Default for SecondWorker<P> {
    fn default() -> Self {
        Self {
            state: WorkerState::Starting,
            choice: WorkerChoice::default(),
            layers: HashSet::new(),
            shared: None,
        }
    }
}

impl<P: RunTypes> SecondWorker<P> {
    /// Whether a run is shared with it at present.
    pub(super) fn is_busy(&self) -> bool {
        self.shared.is_some()
    }

    /// The shared run of a lane of which the first half has ended; before, the run is in its queue.
    pub(super) fn waiting_in(&self, track: PageLane) -> Option<u32> {
        let shared = self.shared.as_ref()?;
        (shared.first.is_some() && shared.track == Some(track)).then_some(shared.id)
    }

    /// Whether it has a layer.
    pub fn has_layer(&self, layer: u32) -> bool {
        self.layers.contains(&layer)
    }

    /// It was sent a layer.
    pub fn add_layer(&mut self, layer: u32) {
        self.layers.insert(layer);
    }

    /// A layer is freed; whether the second worker has it.
    pub fn free_layer(&mut self, layer: u32) -> bool {
        self.layers.remove(&layer)
    }

    /// A run of so many operations has taken `ms` with so many workers.
    pub fn ran(&mut self, flops: u64, workers: Workers, ms: f64) {
        self.choice.learn(flops, workers, ms);
    }

    /// Gives up its half of a run; whether it had one.
    pub(super) fn drop_half(&mut self, id: u32) -> bool {
        self.shared.take_if(|shared| shared.id == id).is_some()
    }

    /// Whether a run is shared with it.
    pub fn has_half_of(&self, id: u32) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.id == id)
    }

    fn shared_as(&mut self, id: u32) -> Option<&mut SharedRun<P>> {
        self.shared.as_mut().filter(|shared| shared.id == id)
    }
}

impl<P: RunTypes> Runs<P> {
    /// The second worker was started.
    pub fn second_started(&mut self) {
        self.second = Some(SecondWorker::default());
    }

    /// The second worker has come up.
    pub fn second_came_up(&mut self) {
        let second = self.second.iter_mut();
        let starting = second.filter(|second| second.state == WorkerState::Starting);
        starting.for_each(|second| second.state = WorkerState::Ready);
    }

    /// The second worker has failed, while it started or later.
    pub fn second_stopped(&mut self) -> Vec<Effect<P>> {
        if let Some(second) = &mut self.second {
            second.state = WorkerState::Broken;
            second.layers.clear();
        }
        self.half_ended(None)
    }

    /// Whether half of a run that has come to its turn is to be sent to the second worker: nothing else waits, and that was measured
    /// to be faster.
    pub fn is_to_share(&mut self, entry: &Entry<CpuRun<P>>) -> bool {
        let is_next = entry.run.job.is_none() && self.on_cpu.is_empty();
        let Some(second) = self.second.as_mut().filter(|_| is_next) else {
            return false;
        };
        let is_free = second.state == WorkerState::Ready && !second.is_busy();
        let flops = entry.run.run.load().flops;
        is_free && entry.run.run.is_shareable() && second.choice.choose(flops) == Workers::Two
    }

    /// The second worker was sent its half of a run.
    pub fn share(&mut self, entry: &mut Entry<CpuRun<P>>) {
        if let Some(second) = &mut self.second {
            entry.run.share = Share::FirstHalf;
            second.shared = Some(SharedRun {
                id: entry.id,
                track: entry.track,
                first: None,
                second: SecondHalf::Running,
                awaits_weights: entry.run.run.makes_weights(),
            });
        }
    }

    /// What the first worker's half of a shared run has left, if it has ended.
    pub fn first_half(&self, id: u32) -> Option<&P::Ended> {
        let shared = self.second.as_ref()?.shared.as_ref()?;
        shared.first.as_ref().filter(|_| shared.id == id)
    }

    /// The weights of the second half have come, and were taken.
    pub fn weights_came(&mut self, id: u32) {
        let second = self.second.as_mut();
        if let Some(shared) = second.and_then(|second| second.shared_as(id)) {
            shared.awaits_weights = false;
        }
    }

    /// The second worker has answered its half of a run, or refused it.
    pub fn second_half_ended(&mut self, id: u32, half: Option<P::Half>) -> Vec<Effect<P>> {
        let second = self.second.as_mut();
        match second.and_then(|second| second.shared_as(id)) {
            Some(_) => self.half_ended(half),
            None => Vec::new(),
        }
    }

    fn half_ended(&mut self, half: Option<P::Half>) -> Vec<Effect<P>> {
        let second = self.second.as_mut();
        if let Some(shared) = second.and_then(|second| second.shared.as_mut()) {
            shared.second = half.map_or(SecondHalf::Failed, SecondHalf::Answered);
        }
        self.join()
    }

    pub(super) fn first_half_ended(&mut self, id: u32, ended: P::Ended) -> Vec<Effect<P>> {
        let second = self.second.as_mut();
        if let Some(shared) = second.and_then(|second| second.shared_as(id)) {
            shared.first = Some(ended);
        }
        self.join()
    }

    /// Joins the halves of the shared run once both have ended.
    fn join(&mut self) -> Vec<Effect<P>> {
        let Some(second) = &mut self.second else {
            return Vec::new();
        };
        let has_ended = |shared: &mut SharedRun<P>| {
            shared.first.is_some() && !matches!(shared.second, SecondHalf::Running)
        };
        let shared = second.shared.take_if(has_ended);
        let joined = shared.and_then(|shared| {
            let half = match shared.second {
                SecondHalf::Answered(half) if !shared.awaits_weights => Some(half),
                _ => None,
            };
            Some(Effect::Join(shared.id, shared.first?, half))
        });
        joined.into_iter().collect()
    }
}
