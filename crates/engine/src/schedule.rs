//! Which run comes next: the newest wins.
//!
//! A moving slider produces many states, and only the last one matters. At most one run is in flight and one state waits; a newer
//! state replaces the waiting one, so work never queues up. It knows neither time nor workers.

use attention::Code;

/// One running job, and one waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule<T> {
    running: bool,
    waiting: Option<T>,
}

impl<T> Default for Schedule<T> {
    fn default() -> Self {
        Self {
            running: false,
            waiting: None,
        }
    }
}

impl<T> Schedule<T> {
    /// Requests `job`. Returns it if it is to be started now; otherwise it waits, in place of any
    /// that waited.
    #[must_use = "a job that is returned must be started"]
    pub fn ask(&mut self, job: T) -> Option<T> {
        if self.running {
            self.waiting = Some(job);
            return None;
        }
        self.running = true;
        Some(job)
    }

    /// The running job has ended, successfully or not. Returns the job to be started now, if one
    /// waited.
    #[must_use = "a job that is returned must be started"]
    pub fn ended(&mut self) -> Option<T> {
        let next = self.waiting.take();
        self.running = next.is_some();
        next
    }

    /// Whether nothing runs and nothing waits, so that the picture on screen is the newest.
    pub fn is_idle(&self) -> bool {
        !self.running
    }

    /// Whether the running job is already outdated.
    pub fn is_stale(&self) -> bool {
        self.waiting.is_some()
    }
}

/// Whether a run was refused with this code because a newer one took its place.
pub fn is_overtaken(code: &str) -> bool {
    code == Code::Aborted.name()
}

/// Whether an error with this code need not be reported: the page was notified already when its
/// worker ended.
pub fn is_known(code: &str) -> bool {
    is_overtaken(code) || code == Code::BackendUnavailable.name()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_run_that_was_overtaken_needs_no_word() {
        let codes = [Code::Aborted, Code::BackendUnavailable, Code::TooLarge];
        assert_eq!(
            codes.map(|code| is_overtaken(code.name())),
            [true, false, false]
        );
        assert_eq!(codes.map(|code| is_known(code.name())), [true, true, false]);
    }

    #[test]
    fn the_newest_waiting_job_wins() {
        let mut schedule = Schedule::default();
        assert_eq!(schedule.ask(1), Some(1));
        assert_eq!((schedule.ask(2), schedule.ask(3)), (None, None));
        assert!(schedule.is_stale());
        assert_eq!(schedule.ended(), Some(3));
        assert!(!schedule.is_stale() && !schedule.is_idle());
        assert_eq!(schedule.ended(), None);
        assert!(schedule.is_idle());
        assert_eq!(schedule.ask(4), Some(4));
    }

    proptest! {
        /// Whatever the order of asking and ending: never two runs at once, jobs start in order, and when all has
        /// ended the last job asked for was the last one started.
        #[test]
        fn one_at_a_time_and_the_last_is_never_lost(events in proptest::collection::vec(any::<bool>(), 0..60)) {
            let mut schedule = Schedule::default();
            let (mut running, mut last_started, mut requested) = (None, 0, 0);
            let mut start = |job: Option<u32>, running: &mut Option<u32>| {
                if let Some(job) = job {
                    assert!(running.is_none() && job > last_started);
                    *running = Some(job);
                    last_started = job;
                }
            };
            for ask in events {
                if ask {
                    requested += 1;
                    start(schedule.ask(requested), &mut running);
                } else if running.take().is_some() {
                    start(schedule.ended(), &mut running);
                }
            }
            while running.take().is_some() {
                start(schedule.ended(), &mut running);
            }
            prop_assert!(schedule.is_idle());
            prop_assert_eq!(last_started, requested);
        }
    }
}
