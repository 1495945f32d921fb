//! Work of the panel: a share of it in each tick.

use super::{Problem, TrainingPanel};
use crate::present::panel::Clock;
use crate::present::training_lab::TrainingLab;

/// How long steps are taken in a tick.
const WORK_MS: f64 = 10.0;
/// As long while no head is shown.
const SILENT_WORK_MS: f64 = 30.0;
/// How often it is shown then how far it has come.
const SILENT_SHOW_MS: f64 = 100.0;

/// Work in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Steps, with a picture after each tick's.
    Playing,
    /// Steps up to the last one, which is shown.
    Silent,
    /// Steps up to this one, which is shown.
    Until(usize),
    /// Heads are switched off, one at a time.
    Measuring,
    /// Measures the accuracy with the masked cells.
    Masks,
    /// It is measured what heads do on average.
    Names,
}

impl TrainingPanel {
    /// Whether steps are played.
    pub fn is_playing(&self) -> bool {
        self.work == Some(Work::Playing)
    }

    pub(super) fn start_or_stop(&mut self, work: Work) {
        if self.work == Some(work) {
            self.work = None;
            self.write_step();
        } else {
            self.start(work);
        }
    }

    pub(super) fn start(&mut self, work: Work) {
        let Some(lab) = &mut self.lab else { return };
        if let Work::Until(step) = work
            && step <= lab.run().history().len()
        {
            self.work = None;
            return lab.look_at(step);
        }
        if work == Work::Measuring {
            lab.forget_ablation();
        } else if matches!(work, Work::Playing | Work::Silent) && lab.run().is_done() {
            // It has been learned: once more from the beginning.
            self.begin();
        }
        self.work = Some(work);
    }

    /// Measures the heads' behaviours if they are unknown and no other work is running.
    pub(super) fn name_heads(&mut self) {
        if self.work.is_none() && self.lab.as_ref().is_some_and(|lab| !lab.has_names()) {
            self.work = Some(Work::Names);
        }
    }

    pub(super) fn tick(&mut self, clock: Clock<'_>) {
        let (Some(work), Some(lab)) = (self.work, &mut self.lab) else {
            return;
        };
        let is_left = match work {
            Work::Measuring => lab.measure_next(),
            Work::Masks => lab.measure_masks(),
            Work::Names if measure_names(lab, clock) => return,
            Work::Names => false,
            Work::Playing if self.pace.is_some() => self.take_steps(0.0, clock),
            Work::Playing => self.take_steps(WORK_MS, clock),
            Work::Silent | Work::Until(_) => self.take_steps(SILENT_WORK_MS, clock),
        };
        let is_silent = matches!(work, Work::Silent | Work::Until(_));
        if !is_left {
            self.work = None;
            if is_silent || work == Work::Playing {
                self.end_move();
            }
        } else if is_silent && clock() < self.shown_at + SILENT_SHOW_MS {
            return;
        }
        self.shown_at = clock();
        self.show();
    }

    /// Takes steps for so long, and looks at the newest; whether there are more to take.
    fn take_steps(&mut self, milliseconds: f64, clock: Clock<'_>) -> bool {
        let end = clock() + milliseconds;
        let mut is_left = self.has_more();
        while is_left {
            is_left = self.take_step() && self.has_more();
            if clock() >= end {
                break;
            }
        }
        if let Some(lab) = &mut self.lab {
            lab.look_at_newest();
        }
        is_left
    }

    /// Whether steps are missing up to the requested one.
    fn has_more(&self) -> bool {
        let done = self.lab.as_ref().map_or(0, |lab| lab.run().history().len());
        !matches!(self.work, Some(Work::Until(step)) if step <= done)
    }

    /// Takes a step; whether there are more to take.
    pub(super) fn take_step(&mut self) -> bool {
        let Some(lab) = &mut self.lab else {
            return false;
        };
        lab.learn().unwrap_or_else(|error| {
            self.problem = Some(Problem::Numbers(error.to_string()));
            false
        })
    }
}

/// Measures for as long as there is time in a tick; whether there is more.
fn measure_names(lab: &mut TrainingLab, clock: Clock<'_>) -> bool {
    let end = clock() + WORK_MS;
    while lab.measure_names() {
        if clock() >= end {
            return true;
        }
    }
    false
}
