//! Where every run of a worker is, and what happens to it next.
//!
//! A run is a call that has not been read, waits until the device is checked, or takes turns on the device or the processor, there perhaps
//! with half of its heads in a [second worker](SecondWorker). [`Runs`] touches neither devices nor messages: it receives events and returns
//! [effects](Effect), so that every sequence of events can be tested. Of all that was started, each run is answered once or its caller has
//! ended it.

mod device;
mod processor;
mod second_worker;

use std::collections::VecDeque;

use crate::{
    Attempt, BUDGET, BackendChoice, Cause, Device, PageLane, Reason, Requester, Route, RunQueue,
    Workers, Workload,
};
use attention::Error;
use attention::cpu::Share;
use device::Current;
pub use device::{GpuRun, Next};
pub use processor::{Advanced, CpuRun};
pub use second_worker::SecondWorker;

/// The types that runs are made of in a worker; plain values in tests.
pub trait RunTypes {
    /// A call that has not been read.
    type Call;
    /// A run as it was requested.
    type Run: Requested;
    /// A question other than a run that waits until the device is checked.
    type Question;
    /// A run on the processor that has its memory.
    type CpuJob;
    /// A run on the device that has its memory.
    type GpuJob;
    /// Remains of a run that has ended on the processor.
    type Ended;
    /// The second worker's half of a run.
    type Half;
    /// The device.
    type Graphics: Clone;
}

/// What a requested run says of itself.
pub trait Requested {
    /// The backend that was asked for.
    fn choice(&self) -> BackendChoice;
    /// Its lane, if a page requested it.
    fn track(&self) -> Option<PageLane>;
    /// Its operations and bytes.
    fn load(&self) -> Workload;
    /// Memory that it takes once it has started.
    fn bytes(&self) -> u64;
    /// Memory that it takes before.
    fn input_bytes(&self) -> u64;
    /// The heads that it is requested for.
    fn share(&self) -> Share;
    /// Whether a second worker could compute half of it.
    fn is_shareable(&self) -> bool;
    /// Makes it one that a second worker cannot compute half of.
    fn keep_whole(&mut self);
    /// Whether its weights are wanted: those of the second half come by themselves from whoever computes it.
    fn makes_weights(&self) -> bool;
}

/// What is to be done.
pub enum Effect<P: RunTypes> {
    /// Open and check a device.
    Open(Attempt),
    /// Give the runs on the device their turns, until none is left.
    Drive,
    /// Give the device of an attempt up.
    Lose(Attempt, Reason),
    /// Answer a question: it is decided whether there is a device.
    Settle(u32, P::Question),
    /// Answer that a newer run of its page has taken a run's place.
    Replace(u32),
    /// Answer with an error.
    Refuse(u32, Error),
    /// Answer a run that has ended on the processor.
    Answer(u32, P::Ended),
    /// Answer a run that has ended on the device.
    Finish(u32, P::Run, P::GpuJob),
    /// Join the halves of a run, the second one if it has come whole.
    Join(u32, P::Ended, Option<P::Half>),
    /// Tell the second worker to drop its half of a run.
    DropHalf(u32),
}

/// All runs of a worker.
pub struct Runs<P: RunTypes> {
    /// The device that they may use.
    pub device: Device<P::Graphics>,
    unread: VecDeque<(u32, P::Call)>,
    held: Vec<(u32, Held<P>)>,
    on_cpu: RunQueue<CpuRun<P>>,
    on_gpu: RunQueue<GpuRun<P>>,
    /// The run whose submission is pending.
    current: Option<Current>,
    is_driven: bool,
    /// Started after the first long run.
    second: Option<SecondWorker<P>>,
    is_second_requested: bool,
}

/// A request that waits until the device is checked.
enum Held<P: RunTypes> {
    Run(P::Run),
    Question(P::Question),
}

impl<P: RunTypes> Default for Runs<P> {
    fn default() -> Self {
        Self {
            device: Device::default(),
            unread: VecDeque::new(),
            held: Vec::new(),
            on_cpu: RunQueue::default(),
            on_gpu: RunQueue::default(),
            current: None,
            is_driven: false,
            second: None,
            is_second_requested: false,
        }
    }
}

impl<P: RunTypes> Runs<P> {
    /// Takes a call that is read once there is room.
    pub fn add_call(&mut self, id: u32, call: P::Call) {
        self.unread.push_back((id, call));
    }

    /// Whether a call can be read: the inputs of all that were read leave room.
    pub fn can_read(&self) -> bool {
        !self.unread.is_empty() && self.input_bytes() < BUDGET
    }

    /// The next call, if one can be read.
    pub fn next_call(&mut self) -> Option<(u32, P::Call)> {
        self.can_read().then(|| self.unread.pop_front()).flatten()
    }

    fn input_bytes(&self) -> u64 {
        let on_cpu = self.on_cpu.iter().map(|entry| &entry.run.run);
        let on_gpu = self.on_gpu.iter().map(|entry| &entry.run.run);
        let held = self.held.iter().filter_map(|(_, held)| match held {
            Held::Run(run) => Some(run),
            Held::Question(_) => None,
        });
        let all = on_cpu.chain(on_gpu).chain(held);
        all.map(Requested::input_bytes).fold(0, u64::saturating_add)
    }

    /// Starts a run where it belongs.
    pub fn start(&mut self, id: u32, run: P::Run) -> Vec<Effect<P>> {
        match self.device.route(run.choice(), requester(&run), run.load()) {
            Err(reason) => vec![Effect::Refuse(id, reason.refusal())],
            Ok(Route::Wait) => self.hold(id, Held::Run(run)),
            Ok(Route::WebGpu) => self.start_on_gpu(id, run),
            Ok(Route::Cpu(reason)) => {
                self.start_on_cpu(id, run, reason);
                Vec::new()
            }
        }
    }

    /// Keeps a question until it is decided whether there is a device.
    pub fn ask(&mut self, id: u32, question: P::Question) -> Vec<Effect<P>> {
        self.hold(id, Held::Question(question))
    }

    fn hold(&mut self, id: u32, held: Held<P>) -> Vec<Effect<P>> {
        self.held.push((id, held));
        self.attempt(Cause::Asked)
    }

    /// Opens a device because of `cause`, if one should be.
    pub fn attempt(&mut self, cause: Cause) -> Vec<Effect<P>> {
        let attempt = self.device.attempt(cause);
        attempt.map(Effect::Open).into_iter().collect()
    }

    /// It has been decided whether there is a device: those who waited for that go on.
    pub fn settled(&mut self) -> Vec<Effect<P>> {
        let held = std::mem::take(&mut self.held).into_iter();
        held.flat_map(|(id, held)| match (held, self.device.absence()) {
            (Held::Question(question), _) => vec![Effect::Settle(id, question)],
            (Held::Run(_), Some(reason)) => vec![Effect::Refuse(id, reason.refusal())],
            (Held::Run(run), None) => self.start_on_gpu(id, run),
        })
        .collect()
    }

    /// Drops what its caller knows as `id`; it is not answered.
    pub fn cancel(&mut self, id: u32) -> Vec<Effect<P>> {
        self.unread.retain(|(unread, _)| *unread != id);
        self.held.retain(|(held, _)| *held != id);
        self.on_cpu.cancel(id);
        self.on_gpu.cancel(id);
        if let Some(current) = self.current.as_mut().filter(|current| current.id == id) {
            current.is_dropped = true;
        }
        self.drop_half(id)
    }

    /// Makes room for a new run of a page in its lane.
    pub fn replace(&mut self, track: PageLane) -> Vec<Effect<P>> {
        let on_cpu = self.on_cpu.take_from(track).map(|entry| entry.id);
        let second = self.second.as_ref();
        let joining = second.and_then(|second| second.waiting_in(track));
        let on_gpu = self.take_from_gpu(track);
        let replaced = [on_cpu, joining, on_gpu].into_iter().flatten();
        replaced
            .flat_map(|id| {
                let mut effects = self.drop_half(id);
                effects.push(Effect::Replace(id));
                effects
            })
            .collect()
    }

    /// Drops a page's run in a lane of the device; its number.
    fn take_from_gpu(&mut self, track: PageLane) -> Option<u32> {
        if let Some(entry) = self.on_gpu.take_from(track) {
            return Some(entry.id);
        }
        let is_there = |run: &&mut Current| run.track == Some(track) && !run.is_dropped;
        let current = self.current.as_mut().filter(is_there)?;
        current.is_dropped = true;
        Some(current.id)
    }

    /// Drops the half of a run that the second worker computes, if there is one.
    fn drop_half(&mut self, id: u32) -> Vec<Effect<P>> {
        let second = self.second.as_mut();
        let is_dropped = second.is_some_and(|second| second.drop_half(id));
        let effect = is_dropped.then_some(Effect::DropHalf(id));
        effect.into_iter().collect()
    }

    /// A long run of so many operations was computed by this worker alone; whether a second one is to be started.
    pub fn ran_alone(&mut self, flops: u64, ms: f64) -> bool {
        if let Some(second) = &mut self.second {
            second.ran(flops, Workers::One, ms);
        }
        !std::mem::replace(&mut self.is_second_requested, true)
    }

    /// The code of the second worker has not come; it may come later.
    pub fn second_not_loaded(&mut self) {
        self.is_second_requested = false;
    }

    /// The second worker, once it was started.
    pub fn second(&mut self) -> Option<&mut SecondWorker<P>> {
        self.second.as_mut()
    }

    /// Whether nothing is left to do on the processor.
    pub fn is_idle(&self) -> bool {
        let is_shared = self.second.as_ref().is_some_and(SecondWorker::is_busy);
        self.on_cpu.is_empty() && !is_shared
    }

    /// Whether a turn on the processor is due, or a call to be read.
    pub fn is_due(&self) -> bool {
        !self.on_cpu.is_empty() || self.can_read()
    }
}

fn requester(run: &impl Requested) -> Requester {
    match run.track() {
        Some(_) => Requester::Page,
        None => Requester::Caller,
    }
}

#[cfg(test)]
mod tests;
