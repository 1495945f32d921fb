//! Work in animation frames: a few steps in each.

use std::rc::Weak;

use attention::Error;
use web_sys::MediaQueryList;

use super::{Inner, with};
use crate::browser::timer::{self, Timer};
use app::present::draw::lab::DrawLab;

/// Time between two frames, and how long steps are taken in one.
const FRAME_MS: i32 = 16;
const WORK_MS: f64 = 8.0;
/// As long where nothing moves.
const SILENT_WORK_MS: f64 = 30.0;
/// Steps of a frame, so that the fall of the distance is seen.
const STEPS_OF_FRAME: usize = 12;

/// Work in animation frames.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Steps towards the target, with a picture after each frame's; with reduced motion only at the end.
    Finding,
    /// Steps towards it at every `d_k`, with a picture after each of them.
    Sweeping,
}

impl Inner {
    pub(super) fn start(&mut self, work: Work) {
        self.problem.set_text("");
        let is_empty = self.lab.as_ref().is_none_or(|lab| lab.grid().is_empty());
        if is_empty {
            self.work = None;
            return;
        }
        let back = Weak::clone(&self.back);
        let tick = move || with(&back, Inner::tick);
        let timer = Timer::new(&self.window, FRAME_MS, tick);
        self.work = timer.map(|timer| (work, timer, self.activity.begin()));
    }

    pub(super) fn working(&self) -> Option<Work> {
        self.work.as_ref().map(|(work, ..)| *work)
    }

    fn tick(&mut self) {
        let Some(work) = self.working() else { return };
        let is_still = self.still.as_ref().is_some_and(MediaQueryList::matches);
        let swept = self.lab.as_ref().map_or(0, DrawLab::swept);
        let (step, most, most_ms): (Step, _, _) = match work {
            Work::Finding if is_still => (DrawLab::step, usize::MAX, SILENT_WORK_MS),
            Work::Finding => (DrawLab::step, STEPS_OF_FRAME, WORK_MS),
            Work::Sweeping => (DrawLab::step_sweep, usize::MAX, SILENT_WORK_MS),
        };
        self.take_steps(step, most, most_ms);
        let is_over = self.work.is_none();
        let has_moved = match work {
            Work::Finding => !is_still,
            Work::Sweeping => self.lab.as_ref().map_or(0, DrawLab::swept) != swept,
        };
        if is_over || has_moved {
            self.draw();
        }
    }

    fn take_steps(&mut self, step: Step, most: usize, most_ms: f64) {
        let end = timer::now(&self.window) + most_ms;
        for _ in 0..most {
            let Some(lab) = &mut self.lab else { return };
            match step(lab) {
                Ok(true) if timer::now(&self.window) < end => continue,
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => self.problem.set_text(&error.to_string()),
            }
            self.work = None;
            return;
        }
    }
}

/// Takes a step; whether there are more to take.
type Step = fn(&mut DrawLab) -> Result<bool, Error>;
