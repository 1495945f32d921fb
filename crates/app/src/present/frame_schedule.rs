//! Decides when the page is painted: only after a change, and at most once per frame.
//!
//! The first change after an idle frame is painted at once, one frame earlier than an animation frame would. Changes before the next
//! animation frame are painted together in it, as is work that painting postpones. Work that waits for idle input is done when no
//! input came for a moment. Without changes nothing is scheduled. It knows neither clock nor browser: frames and moments are reported.

/// Work left to paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingWork {
    /// Nothing.
    Nothing,
    /// Work for when input is idle.
    ForRest,
    /// Work for the next frame.
    ForFrame,
}

/// Decides when to paint. Where a method returns `true` the page is to be painted now: a frame is
/// requested, which is reported to [`on_frame_requested`](Self::on_frame_requested), then the work
/// that painting leaves, to [`on_painted`](Self::on_painted).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameSchedule {
    is_frame_awaited: bool,
    has_changed: bool,
    waits_for_rest: bool,
}

impl FrameSchedule {
    /// Reports a change that leaves this work to paint.
    #[must_use = "the page may have to be painted"]
    pub fn on_change(&mut self, left: PendingWork) -> bool {
        match left {
            PendingWork::Nothing => false,
            PendingWork::ForRest => {
                self.waits_for_rest = true;
                false
            }
            PendingWork::ForFrame => {
                self.has_changed |= self.is_frame_awaited;
                !self.is_frame_awaited
            }
        }
    }

    /// A frame was requested; the window may refuse it.
    pub fn on_frame_requested(&mut self, is_granted: bool) {
        self.is_frame_awaited = is_granted;
    }

    /// The page was painted. Also where the window refuses frames, more work waits for the next change: painting never calls
    /// itself.
    pub fn on_painted(&mut self, left: PendingWork) {
        match left {
            PendingWork::Nothing => {}
            PendingWork::ForRest => self.waits_for_rest = true,
            PendingWork::ForFrame => self.has_changed = true,
        }
    }

    /// Reports the requested frame.
    #[must_use = "the page may have to be painted"]
    pub fn on_frame(&mut self) -> bool {
        self.is_frame_awaited = false;
        std::mem::take(&mut self.has_changed)
    }

    /// Reports the end of an idle interval, after which this work is left.
    #[must_use = "the page may have to be painted"]
    pub fn on_tick(&mut self, left: PendingWork) -> bool {
        self.waits_for_rest = left == PendingWork::ForRest;
        self.on_change(left)
    }

    /// Whether the ends of idle intervals are to be reported.
    pub fn waits_for_rest(&self) -> bool {
        self.waits_for_rest
    }
}

#[cfg(test)]
mod tests {
    use super::PendingWork::{ForFrame, ForRest, Nothing};
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    const FRAME: u32 = 16;
    const MOMENT: u32 = 100;

    /// A window whose clock the test moves.
    #[derive(Default)]
    struct Window {
        now: u32,
        schedule: FrameSchedule,
        frame_at: Option<u32>,
        tick_at: Option<u32>,
        refuses_frames: bool,
        /// Work left by each paint, then nothing.
        leaves: VecDeque<PendingWork>,
        /// Work left by each idle slice, then nothing.
        rests: VecDeque<PendingWork>,
        painted: Vec<u32>,
    }

    impl Window {
        fn change(&mut self, left: PendingWork) {
            let paints = self.schedule.on_change(left);
            self.carry_out(paints);
        }

        fn carry_out(&mut self, paints: bool) {
            self.set_timer();
            if paints {
                self.frame_at = (!self.refuses_frames).then_some(self.now + FRAME);
                self.schedule.on_frame_requested(self.frame_at.is_some());
                self.painted.push(self.now);
                let left = self.leaves.pop_front().unwrap_or(Nothing);
                self.schedule.on_painted(left);
                self.set_timer();
            }
        }

        fn set_timer(&mut self) {
            let wanted = self.schedule.waits_for_rest();
            let tick_at = self.tick_at.unwrap_or(self.now + MOMENT);
            self.tick_at = wanted.then_some(tick_at);
        }

        /// Lets time pass, millisecond by millisecond.
        fn run_until(&mut self, end: u32) {
            while self.now < end {
                self.now += 1;
                if self.frame_at == Some(self.now) {
                    self.frame_at = None;
                    let paints = self.schedule.on_frame();
                    self.carry_out(paints);
                }
                if self.tick_at == Some(self.now) {
                    self.tick_at = Some(self.now + MOMENT);
                    let left = self.rests.pop_front().unwrap_or(Nothing);
                    let paints = self.schedule.on_tick(left);
                    self.carry_out(paints);
                }
            }
        }

        fn is_idle(&self) -> bool {
            self.frame_at.is_none() && self.tick_at.is_none()
        }
    }

    #[test]
    fn the_first_change_is_painted_at_once_and_others_with_the_frame() {
        let mut window = Window::default();
        for _ in 0..3 {
            window.change(ForFrame);
        }
        assert_eq!(window.painted, [0]);
        window.run_until(200);
        assert_eq!(window.painted, [0, FRAME]);
        assert!(window.is_idle());
        window.change(ForFrame);
        assert_eq!(window.painted, [0, FRAME, 200]);
    }

    #[test]
    fn one_change_takes_one_painting_and_no_frame_after_the_next() {
        let mut window = Window::default();
        window.change(ForFrame);
        window.run_until(FRAME);
        assert!(window.is_idle());
        window.run_until(1000);
        assert_eq!(window.painted, [0]);
    }

    #[test]
    fn what_painting_postpones_is_painted_frame_by_frame() {
        let mut window = Window {
            leaves: [ForFrame, ForFrame].into(),
            ..Window::default()
        };
        window.change(ForFrame);
        window.run_until(1000);
        assert_eq!(window.painted, [0, FRAME, 2 * FRAME]);
        assert!(window.is_idle());
    }

    #[test]
    fn what_waits_for_rest_is_asked_for_every_moment_until_it_is_done() {
        let mut window = Window {
            rests: [ForRest, ForRest, ForFrame].into(),
            ..Window::default()
        };
        window.change(ForRest);
        assert!(window.painted.is_empty());
        window.run_until(3 * MOMENT - 1);
        assert!(window.painted.is_empty() && !window.is_idle());
        window.run_until(1000);
        assert_eq!(window.painted, [3 * MOMENT]);
        assert!(window.is_idle());
    }

    #[test]
    fn painting_may_leave_work_for_rest() {
        let mut window = Window {
            leaves: [ForRest].into(),
            ..Window::default()
        };
        window.change(ForFrame);
        window.run_until(MOMENT - 1);
        assert!(!window.is_idle());
        window.run_until(MOMENT);
        assert!(window.is_idle());
        assert_eq!(window.painted, [0]);
    }

    /// A moment that is asked for again does not begin anew: a steady stream of changes would put it off for ever.
    #[test]
    fn changes_do_not_put_off_a_moment() {
        let mut window = Window {
            rests: [ForFrame].into(),
            ..Window::default()
        };
        for at in [0, 40, 80] {
            window.run_until(at);
            window.change(ForRest);
        }
        window.run_until(150);
        assert_eq!(window.painted, [MOMENT]);
    }

    #[test]
    fn a_window_without_frames_is_painted_at_each_change_once() {
        let mut window = Window {
            refuses_frames: true,
            leaves: [ForFrame].into(),
            ..Window::default()
        };
        window.change(ForFrame);
        window.run_until(50);
        window.change(ForFrame);
        assert_eq!(window.painted, [0, 50]);
    }

    proptest! {
        /// Whatever comes when: no two paintings in one frame, every change is painted by the next frame, and the window comes
        /// to rest.
        #[test]
        fn one_painting_a_frame_and_no_change_is_lost(gaps in proptest::collection::vec((0..40_u32, any::<bool>()), 0..40)) {
            let (mut window, mut changed) = (Window::default(), Vec::new());
            for (gap, is_for_frame) in gaps {
                window.run_until(window.now + gap);
                if is_for_frame {
                    changed.push(window.now);
                }
                window.change(if is_for_frame { ForFrame } else { ForRest });
            }
            window.run_until(window.now + 10 * MOMENT);
            prop_assert!(window.is_idle());
            prop_assert!(window.painted.windows(2).all(|pair| pair[1] - pair[0] >= FRAME));
            for at in changed {
                prop_assert!(window.painted.iter().any(|painted| (at..=at + FRAME).contains(painted)));
            }
        }
    }
}
