//! Work in animation frames: a share of it in each.

use std::rc::Weak;

use super::{Inner, Problem, with};
use crate::browser::timer::{self, Timer};

/// Time between two frames, and how long steps are taken in one.
const FRAME_MS: i32 = 16;
const WORK_MS: f64 = 10.0;
/// As long while nothing is drawn.
const SILENT_WORK_MS: f64 = 30.0;

/// Work in animation frames.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Steps, with a picture after each frame's.
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

impl Inner {
    pub(super) fn start(&mut self, work: Work) {
        let Some(lab) = &mut self.lab else { return };
        let is_there = |step| step <= lab.run().history().len();
        if let Work::Until(step) = work
            && is_there(step)
        {
            self.work = None;
            return self.look_at(step);
        }
        let is_of_steps = matches!(work, Work::Playing | Work::Silent);
        if work == Work::Measuring {
            lab.forget_ablation();
        } else if is_of_steps && lab.run().is_done() {
            // It has been learned: once more from the beginning.
            self.begin();
        }
        let back = Weak::clone(&self.back);
        let tick = move || with(&back, Inner::tick);
        let timer = Timer::new(&self.window, self.pause_ms(work), tick);
        self.work = timer.map(|timer| (work, timer, self.activity.begin()));
    }

    /// Steps a second that are to be played; as many as there is time for where nothing is chosen.
    fn steps_per_second(&self) -> Option<i32> {
        self.speed.value().parse().ok().filter(|pace| *pace > 0)
    }

    /// Time from one share of `work` to the next.
    fn pause_ms(&self, work: Work) -> i32 {
        match self.steps_per_second() {
            Some(pace) if work == Work::Playing => 1000 / pace,
            _ => FRAME_MS,
        }
    }

    /// Applies the chosen speed to the running work.
    pub(super) fn change_speed(&mut self) {
        if self.working() == Some(Work::Playing) {
            self.start(Work::Playing);
        }
    }

    pub(super) fn working(&self) -> Option<Work> {
        self.work.as_ref().map(|(work, ..)| *work)
    }

    fn tick(&mut self) {
        let Some(work) = self.working() else { return };
        match work {
            Work::Measuring => {
                if !self.lab.as_mut().is_some_and(|lab| lab.measure_next()) {
                    self.work = None;
                }
            }
            Work::Masks => {
                if !self.lab.as_mut().is_some_and(|lab| lab.measure_masks()) {
                    self.work = None;
                }
            }
            Work::Names => {
                if self.measure_names() {
                    return;
                }
                self.work = None;
            }
            Work::Playing if self.steps_per_second().is_some() => self.take_steps(0.0),
            Work::Playing => self.take_steps(WORK_MS),
            Work::Silent | Work::Until(_) => self.take_steps(SILENT_WORK_MS),
        }
        let is_over = self.work.is_none();
        match work {
            Work::Measuring | Work::Masks | Work::Names => {}
            _ if is_over => self.come_to_rest(),
            Work::Silent | Work::Until(_) => return self.show_progress(),
            Work::Playing => {}
        }
        self.draw();
    }

    /// Measures the heads' behaviours if they are unknown and no other work is running.
    pub(super) fn name_heads(&mut self) {
        if self.work.is_none() && self.lab.as_ref().is_some_and(|lab| !lab.has_names()) {
            self.start(Work::Names);
        }
    }

    /// Measures for as long as there is time in a frame; whether there is more.
    fn measure_names(&mut self) -> bool {
        let end = timer::now(&self.window) + WORK_MS;
        let Some(lab) = &mut self.lab else {
            return false;
        };
        while lab.measure_names() {
            if timer::now(&self.window) >= end {
                return true;
            }
        }
        false
    }

    fn take_steps(&mut self, most_ms: f64) {
        let end = timer::now(&self.window) + most_ms;
        while self.has_more() && self.take_step() && timer::now(&self.window) < end {}
        if let Some(Work::Until(step)) = self.working()
            && !self.has_more()
        {
            self.work = None;
            return self.look_at(step);
        }
        if let Some(lab) = &mut self.lab {
            lab.look_at_newest();
        }
    }

    /// Whether steps are missing up to the requested one.
    fn has_more(&self) -> bool {
        let done = self.lab.as_ref().map_or(0, |lab| lab.run().history().len());
        !matches!(self.working(), Some(Work::Until(step)) if step <= done)
    }

    /// Takes a step; whether there are more to take.
    pub(super) fn take_step(&mut self) -> bool {
        let Some(lab) = &mut self.lab else {
            return false;
        };
        match lab.learn() {
            Ok(true) => return true,
            Ok(false) => {}
            Err(error) => self.problem = Some(Problem::Numbers(error.to_string())),
        }
        self.work = None;
        false
    }
}
