//! Runs on the device: one submission is pending at a time, and what the device does not do goes to the processor.

wasm_chunks::chunk!("gpu");

use super::{Effect, Requested, RunTypes, Runs, requester};
use crate::{Attempt, BackendChoice, Entry, Failure, PageLane, Reason, Requester, Workload};

/// A run on the device. Its memory is allocated when it starts.
pub struct GpuRun<P: RunTypes> {
    /// The run as it was requested.
    pub run: P::Run,
    /// The run with its memory.
    pub job: Option<P::GpuJob>,
    /// The attempt whose device it is on, which may be lost before its next turn.
    attempt: Attempt,
}

/// What the device does next.
pub enum Next<P: RunTypes> {
    /// The next submission of a run.
    Submit(Entry<GpuRun<P>>, P::Graphics),
    /// Nothing: no run is left on it.
    Rest(Vec<Effect<P>>),
}

/// The run whose submission is pending.
pub(super) struct Current {
    pub(super) id: u32,
    pub(super) track: Option<PageLane>,
    /// Nobody wants it any more.
    pub(super) is_dropped: bool,
}

impl<P: RunTypes> Runs<P> {
    /// Lets a run take its turns on the device.
    pub(super) fn start_on_gpu(&mut self, id: u32, mut run: P::Run) -> Vec<Effect<P>> {
        // Halves are for runs that start on the processor.
        run.keep_whole();
        let (track, bytes) = (run.track(), run.bytes());
        let run = GpuRun {
            run,
            job: None,
            attempt: self.device.present(),
        };
        self.on_gpu.add(Entry::new(id, track, bytes, run));
        let was_driven = std::mem::replace(&mut self.is_driven, true);
        (!was_driven).then_some(Effect::Drive).into_iter().collect()
    }

    /// The run to continue. If the device is lost, all of them move to the processor.
    pub fn next_on_gpu(&mut self) -> Next<P> {
        let mut effects = Vec::new();
        while let Some(mut entry) = self.on_gpu.take() {
            if let Some(graphics) = self.device.ready().cloned() {
                if entry.run.job.is_none() {
                    entry.run.attempt = self.device.present();
                }
                self.current = Some(Current {
                    id: entry.id,
                    track: entry.track,
                    is_dropped: false,
                });
                return Next::Submit(entry, graphics);
            }
            let reason = self.device.absence().cloned().unwrap_or(Reason::Checking);
            effects.extend(self.move_to_cpu(entry.id, entry.run.run, Failure::Device(reason)));
        }
        self.is_driven = false;
        Next::Rest(effects)
    }

    /// A submission of a run has ended, `Ok(false)` with all of the run.
    pub fn advanced_on_gpu(
        &mut self,
        mut entry: Entry<GpuRun<P>>,
        goes_on: Result<bool, Failure>,
    ) -> Vec<Effect<P>> {
        let is_dropped = self.current.take().is_none_or(|run| run.is_dropped);
        let mut effects = match &goes_on {
            Err(failure) => {
                let attempt = entry.run.attempt;
                self.failed_on_gpu(attempt, failure, entry.run.run.load())
            }
            Ok(_) => Vec::new(),
        };
        match (goes_on, entry.run.job.take()) {
            _ if is_dropped => {}
            (Ok(true), job) => {
                entry.run.job = job;
                self.on_gpu.add(entry);
            }
            (Ok(false), Some(job)) => effects.push(Effect::Finish(entry.id, entry.run.run, job)),
            (Ok(false), None) => {}
            (Err(failure), _) => {
                effects.extend(self.move_to_cpu(entry.id, entry.run.run, failure));
            }
        }
        effects
    }

    /// A run of `load` has failed on the device of `attempt`.
    pub fn failed_on_gpu(
        &mut self,
        attempt: Attempt,
        failure: &Failure,
        load: Workload,
    ) -> Vec<Effect<P>> {
        let Some(reason) = failure.ends_device() else {
            return Vec::new();
        };
        if *reason == Reason::OutOfMemory {
            self.device.record_out_of_memory(load);
        }
        vec![Effect::Lose(attempt, reason.clone())]
    }

    /// Starts the same request on the processor; refused where only WebGPU will do: the page has to show something, a caller has not.
    pub fn move_to_cpu(&mut self, id: u32, run: P::Run, failure: Failure) -> Vec<Effect<P>> {
        if run.choice() == BackendChoice::WebGpu && requester(&run) == Requester::Caller {
            return vec![Effect::Refuse(id, failure.into_refusal())];
        }
        self.start_on_cpu(id, run, failure.into_reason());
        Vec::new()
    }
}
