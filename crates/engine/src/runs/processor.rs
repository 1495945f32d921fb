//! Runs on the processor: they take turns, and start again where there was no memory for them.

use super::{Effect, Requested, RunTypes, Runs};
use crate::{Entry, Reason};
use attention::Error;
use attention::cpu::Share;

/// A run on the processor, and why it is there. Its memory is allocated when it starts.
pub struct CpuRun<P: RunTypes> {
    /// The run as it was requested.
    pub run: P::Run,
    /// Why it is not on the device.
    pub reason: Reason,
    /// The heads that are computed here.
    pub share: Share,
    /// The run with its memory.
    pub job: Option<P::CpuJob>,
}

/// What a turn on the processor came to.
pub enum Advanced<P: RunTypes> {
    /// More is to be done.
    GoesOn(Entry<CpuRun<P>>),
    /// All is done, of these heads.
    Ended(u32, Share, P::Ended),
    /// There is no memory for it at present.
    NoMemory(Entry<CpuRun<P>>, Error),
}

impl<P: RunTypes> Runs<P> {
    /// Lets a run take its turns on the processor.
    pub fn start_on_cpu(&mut self, id: u32, run: P::Run, reason: Reason) {
        let (track, bytes, share) = (run.track(), run.bytes(), run.share());
        let run = CpuRun {
            run,
            reason,
            share,
            job: None,
        };
        self.on_cpu.add(Entry::new(id, track, bytes, run));
    }

    /// The run whose turn is next on the processor.
    pub fn take_on_cpu(&mut self) -> Option<Entry<CpuRun<P>>> {
        self.on_cpu.take()
    }

    /// The run that takes its turns on the processor as `id`.
    pub fn on_cpu(&self, id: u32) -> Option<&CpuRun<P>> {
        let entry = self.on_cpu.iter().find(|entry| entry.id == id)?;
        Some(&entry.run)
    }

    /// A turn on the processor is over.
    pub fn advanced_on_cpu(&mut self, advanced: Advanced<P>) -> Vec<Effect<P>> {
        match advanced {
            Advanced::GoesOn(entry) => {
                self.on_cpu.add(entry);
                Vec::new()
            }
            Advanced::Ended(id, Share::FirstHalf, ended) => self.first_half_ended(id, ended),
            Advanced::Ended(id, _, ended) => vec![Effect::Answer(id, ended)],
            Advanced::NoMemory(entry, error) => self.no_memory(entry, error),
        }
    }

    /// There is less memory than there should be: where no other call is under way there may be enough. A run that was to be shared is
    /// started once more, whole, so that a refusal says the same as without a second worker.
    fn no_memory(&mut self, mut entry: Entry<CpuRun<P>>, error: Error) -> Vec<Effect<P>> {
        if entry.run.share == Share::FirstHalf {
            entry.run.share = Share::All;
            let effects = self.drop_half(entry.id);
            self.on_cpu.add(entry);
            effects
        } else if entry.track.is_none() && self.on_cpu.has_started() {
            self.on_cpu.add(entry.alone());
            Vec::new()
        } else {
            vec![Effect::Refuse(entry.id, error)]
        }
    }
}
