//! A worker of plain values, in which nothing happens by itself.

mod places;
mod random;
mod shared;

use std::collections::BTreeMap;

use super::*;
use crate::{DeviceTraits, Entry, Failure, Lane, LatencyModel, Workers};
use attention::Code;

struct Plain;

impl RunTypes for Plain {
    type Call = Run;
    type Run = Run;
    type Question = ();
    type CpuJob = ();
    type GpuJob = ();
    type Ended = Run;
    type Half = ();
    type Graphics = ();
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    choice: BackendChoice,
    track: Option<PageLane>,
    flops: u64,
    is_shareable: bool,
}

const LONG: u64 = 1 << 30;
const INPUT_BYTES: u64 = BUDGET / 4;

impl Requested for Run {
    fn choice(&self) -> BackendChoice {
        self.choice
    }
    fn track(&self) -> Option<PageLane> {
        self.track
    }
    fn load(&self) -> Workload {
        Workload {
            flops: self.flops,
            bytes: self.flops,
            ..Workload::default()
        }
    }
    fn bytes(&self) -> u64 {
        2 * INPUT_BYTES
    }
    fn input_bytes(&self) -> u64 {
        INPUT_BYTES
    }
    fn share(&self) -> Share {
        Share::All
    }
    fn is_shareable(&self) -> bool {
        self.is_shareable
    }
    fn keep_whole(&mut self) {
        self.is_shareable = false;
    }
    fn makes_weights(&self) -> bool {
        true
    }
}

fn call(choice: BackendChoice) -> Run {
    Run {
        choice,
        track: None,
        flops: LONG,
        is_shareable: true,
    }
}

const MAIN: PageLane = PageLane {
    page: 7,
    lane: Lane::Main,
};
const SIDE: PageLane = PageLane {
    page: 7,
    lane: Lane::Side,
};

fn of_page(track: PageLane, choice: BackendChoice) -> Run {
    Run {
        track: Some(track),
        ..call(choice)
    }
}

fn lost() -> Reason {
    Reason::Lost {
        detail: "pulled out".to_owned(),
    }
}

/// A device that is faster for every run.
fn terms() -> DeviceTraits {
    DeviceTraits {
        pace: LatencyModel::of_rates([1.0, 1e-6, 0.0, 0.0], [0.1, 1e-7, 0.0, 0.0]),
        is_software: false,
    }
}

/// How a run was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Cpu,
    Both,
    Gpu,
    Settled,
    Replaced,
    Refused(Code),
}

/// A worker around the runs, in which nothing happens by itself.
struct World {
    runs: Runs<Plain>,
    next_id: u32,
    /// Those that wait for an answer, with the lane of a page's run.
    waiting: BTreeMap<u32, Option<PageLane>>,
    answers: BTreeMap<u32, Answer>,
    attempt: Option<Attempt>,
    device: Option<Attempt>,
    is_driven: bool,
    submitted: Option<Entry<GpuRun<Plain>>>,
    /// Halves that the second worker computes.
    halves: Vec<u32>,
    now: f64,
}

impl World {
    fn new() -> Self {
        Self {
            runs: Runs::default(),
            next_id: 0,
            waiting: BTreeMap::new(),
            answers: BTreeMap::new(),
            attempt: None,
            device: None,
            is_driven: false,
            submitted: None,
            halves: Vec::new(),
            now: 0.0,
        }
    }

    /// With a second worker that has come up, and that is chosen for the next run.
    fn with_second() -> Self {
        let mut world = Self::new();
        assert!(world.runs.ran_alone(LONG, 1.0));
        assert!(!world.runs.ran_alone(LONG, 1.0), "it is started once");
        world.runs.second_started();
        world.runs.second_came_up();
        world.prefer(Workers::Two);
        world
    }

    fn prefer(&mut self, faster: Workers) {
        let second = self.runs.second().expect("it was started");
        for _ in 0..40 {
            let ms = |workers| if workers == faster { 1.0 } else { 1_000.0 };
            second.ran(LONG, Workers::One, ms(Workers::One));
            second.ran(LONG, Workers::Two, ms(Workers::Two));
        }
    }

    fn opened(&mut self) {
        let effects = self.runs.attempt(Cause::Idle);
        self.carry_out(effects);
        self.attempt_ends(Ok(()));
    }

    fn answer(&mut self, id: u32, answer: Answer) {
        assert!(
            self.waiting.remove(&id).is_some(),
            "{id} has no caller: {answer:?}"
        );
        self.answers.insert(id, answer);
    }

    fn carry_out(&mut self, effects: Vec<Effect<Plain>>) {
        for effect in effects {
            match effect {
                Effect::Open(attempt) => self.attempt = Some(attempt),
                Effect::Drive => assert!(!std::mem::replace(&mut self.is_driven, true)),
                Effect::Lose(attempt, reason) => self.lose(attempt, reason),
                Effect::Settle(id, ()) => self.answer(id, Answer::Settled),
                Effect::Replace(id) => self.answer(id, Answer::Replaced),
                Effect::Refuse(id, error) => self.answer(id, Answer::Refused(error.code)),
                Effect::Answer(id, _) => self.answer(id, Answer::Cpu),
                Effect::Finish(id, ..) => self.answer(id, Answer::Gpu),
                Effect::Join(id, _, Some(())) => self.answer(id, Answer::Both),
                Effect::Join(id, mut run, None) => {
                    run.keep_whole();
                    self.runs.start_on_cpu(id, run, Reason::Chosen);
                }
                Effect::DropHalf(id) => self.halves.retain(|half| *half != id),
            }
        }
    }

    fn lose(&mut self, attempt: Attempt, reason: Reason) {
        if self.runs.device.lost(attempt, reason, self.now).is_some() {
            self.device = None;
        }
    }

    fn take(&mut self, run: Run) -> u32 {
        self.next_id += 1;
        let id = self.next_id;
        self.waiting.insert(id, run.track);
        match run.track {
            Some(track) => {
                let effects = self.runs.replace(track);
                self.carry_out(effects);
                let others = self.waiting.iter();
                let rivals = others.filter(|(own, lane)| **own != id && **lane == Some(track));
                assert_eq!(rivals.count(), 0, "one run in a lane");
                let effects = self.runs.start(id, run);
                self.carry_out(effects);
            }
            None => self.runs.add_call(id, run),
        }
        self.read();
        id
    }

    fn read(&mut self) {
        while let Some((id, run)) = self.runs.next_call() {
            let effects = self.runs.start(id, run);
            self.carry_out(effects);
        }
    }

    fn ask(&mut self) -> u32 {
        self.next_id += 1;
        let id = self.next_id;
        self.waiting.insert(id, None);
        if self.runs.device.is_settled() {
            self.answer(id, Answer::Settled);
        } else {
            let effects = self.runs.ask(id, ());
            self.carry_out(effects);
        }
        id
    }

    fn cancel(&mut self, id: u32) {
        self.waiting.remove(&id);
        let effects = self.runs.cancel(id);
        self.carry_out(effects);
    }

    /// A turn on the processor, which ends its run, or goes on, or finds no memory.
    fn turn(&mut self, end: Turn) {
        self.read();
        let Some(mut entry) = self.runs.take_on_cpu() else {
            return;
        };
        if self.runs.is_to_share(&entry) {
            entry.run.run.keep_whole();
            self.runs.share(&mut entry);
            self.halves.push(entry.id);
        }
        let is_new = entry.run.job.is_none();
        let advanced = match end {
            Turn::NoMemory if is_new => {
                let error = Error::new(Code::TooLarge, "weights", 0, "no memory");
                Advanced::NoMemory(entry, error)
            }
            Turn::Ends => Advanced::Ended(entry.id, entry.run.share, entry.run.run),
            Turn::GoesOn | Turn::NoMemory => {
                entry.run.job = Some(());
                Advanced::GoesOn(entry)
            }
        };
        let effects = self.runs.advanced_on_cpu(advanced);
        self.carry_out(effects);
    }

    fn weights_come(&mut self) {
        if let Some(id) = self.halves.first() {
            self.runs.weights_came(*id);
        }
    }

    fn half_ends(&mut self, half: Option<()>) {
        if let Some(id) = self.halves.pop() {
            let effects = self.runs.second_half_ended(id, half);
            self.carry_out(effects);
        }
    }

    fn second_stops(&mut self) {
        self.halves.clear();
        let effects = self.runs.second_stopped();
        self.carry_out(effects);
    }

    fn attempt_ends(&mut self, found: Result<(), Reason>) {
        let Some(attempt) = self.attempt.take() else {
            return;
        };
        match found {
            Ok(()) => {
                let opened = self.runs.device.opened(attempt, (), terms(), self.now);
                self.device = opened.ok().map(|()| attempt);
            }
            Err(reason) => assert!(self.runs.device.failed(attempt, reason)),
        }
        let effects = self.runs.settled();
        self.carry_out(effects);
    }

    fn submit(&mut self) {
        if !self.is_driven || self.submitted.is_some() {
            return;
        }
        match self.runs.next_on_gpu() {
            Next::Submit(mut entry, ()) => {
                entry.run.job = Some(());
                self.submitted = Some(entry);
            }
            Next::Rest(effects) => {
                self.is_driven = false;
                self.carry_out(effects);
            }
        }
    }

    fn submission_ends(&mut self, goes_on: Result<bool, Failure>) {
        if let Some(entry) = self.submitted.take() {
            let effects = self.runs.advanced_on_gpu(entry, goes_on);
            self.carry_out(effects);
        }
    }

    /// Lets everything end that has begun.
    fn end(&mut self) {
        for _ in 0..400 {
            self.attempt_ends(Err(Reason::NoAdapter));
            self.submission_ends(Ok(false));
            self.submit();
            self.turn(Turn::Ends);
            self.half_ends(None);
        }
        assert_eq!(self.waiting, BTreeMap::new(), "those without an answer");
        assert!(self.runs.is_idle() && !self.runs.is_due() && !self.is_driven);
        assert!(self.halves.is_empty(), "halves that nobody waits for");
    }
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    GoesOn,
    Ends,
    NoMemory,
}

fn of_device(reason: Reason) -> Result<bool, Failure> {
    Err(Failure::Device(reason))
}
