//! Which runs are so short that they are computed in the window: posting them to the worker and back takes longer, and starting a worker
//! takes several hundred milliseconds.

/// The longest run in the window, so that the rest of a frame is left for events and painting.
const MOST_MS: f64 = 4.0;

/// Operations per millisecond of a slow device. Every device is assumed to be one until a run has been measured.
const FIRST_RATE: f64 = 1.5e6;

/// The resolution of the coarsest browser clock. A shorter run is counted with this duration.
const CLOCK_MS: f64 = 1.0;

/// The largest factor by which one slow run raises the expected time.
const MOST_SLOWER: f64 = 1.5;

/// The fixed cost of a run, in operations.
const OVERHEAD: u64 = 500_000;

/// How long a run is expected to take in the window, estimated from measured runs.
#[derive(Debug, PartialEq)]
pub struct LocalLimit {
    ms_per_flop: f64,
    /// Operations of calls that were computed in the window since the worker last answered.
    spent: u64,
}

impl Default for LocalLimit {
    fn default() -> Self {
        Self {
            ms_per_flop: 1.0 / FIRST_RATE,
            spent: 0,
        }
    }
}

impl LocalLimit {
    /// Whether a run of so many operations is done in the window.
    pub fn includes(&self, flops: u64) -> bool {
        flops as f64 * self.ms_per_flop <= MOST_MS
    }

    /// Whether a call of so many operations is computed in the window, on top of those since the worker last answered: a caller that
    /// awaits nothing but resolved promises must not block the page's events.
    pub fn admits(&mut self, flops: u64) -> bool {
        let is_admitted = self.includes(self.spent.saturating_add(flops));
        if !is_admitted {
            self.decline();
        }
        is_admitted
    }

    /// The worker has answered, so the page's events were handled meanwhile.
    pub fn reset_spent(&mut self) {
        self.spent = 0;
    }

    /// A call was computed in the window and took `ms`. One that was slower than expected changes the estimate little: its code may have
    /// run for the first time.
    pub fn learn(&mut self, flops: u64, ms: f64) {
        self.spent = self.spent.saturating_add(flops);
        let measured = ms.max(CLOCK_MS) / flops.saturating_add(OVERHEAD) as f64;
        self.ms_per_flop = measured.min(self.ms_per_flop * MOST_SLOWER);
    }

    /// Lowers the estimate a little, since calls that go to the worker are not measured: whatever slowed the last measured ones down may
    /// be over.
    fn decline(&mut self) {
        self.ms_per_flop = (self.ms_per_flop * 0.9)
            .max(1.0 / FIRST_RATE)
            .min(self.ms_per_flop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opening sentence and 64 words, with four heads over 64 columns.
    const SHORT: [u64; 2] = [400_000, 3_250_000];

    #[test]
    fn short_texts_are_computed_in_the_window_from_the_start() {
        let limit = LocalLimit::default();
        assert_eq!(SHORT.map(|flops| limit.includes(flops)), [true; 2]);
        assert!(!limit.includes(25_000_000) && !limit.includes(u64::MAX));
    }

    #[test]
    fn a_slow_device_leaves_all_but_the_shortest_to_the_worker() {
        let mut limit = LocalLimit::default();
        (0..9).for_each(|_| limit.learn(SHORT[1], 20.0));
        assert_eq!(SHORT.map(|flops| limit.includes(flops)), [true, false]);
        (0..9).for_each(|_| limit.learn(SHORT[0], 20.0));
        assert!(!limit.includes(SHORT[0]));
    }

    #[test]
    fn one_slow_run_changes_little_and_the_next_one_makes_up_for_it() {
        let mut limit = LocalLimit::default();
        limit.learn(SHORT[1], 60.0);
        assert_eq!(SHORT.map(|flops| limit.includes(flops)), [true; 2]);
        (0..2).for_each(|_| limit.learn(SHORT[1], 60.0));
        assert!(!limit.includes(SHORT[1]));
        limit.learn(SHORT[1], 0.8);
        assert!(limit.includes(SHORT[1]));
    }

    #[test]
    fn what_was_declined_is_tried_again_after_a_while() {
        let mut limit = LocalLimit::default();
        (0..9).for_each(|_| limit.learn(SHORT[1], 60.0));
        assert!(!limit.includes(SHORT[1]));
        (0..40).for_each(|_| limit.decline());
        assert!(limit.includes(SHORT[1]) && !limit.includes(25_000_000));
    }

    #[test]
    fn a_fast_device_takes_more_and_a_coarse_clock_allows_no_more_than_its_step() {
        let mut limit = LocalLimit::default();
        limit.learn(12_000_000, 1.5);
        assert!(limit.includes(25_000_000));
        let mut coarse = LocalLimit::default();
        (0..9).for_each(|_| coarse.learn(SHORT[1], 0.0));
        assert!(coarse.includes(14_000_000) && !coarse.includes(16_000_000));
        limit.decline();
        assert!(limit.includes(25_000_000), "what is allowed stays allowed");
    }

    #[test]
    fn calls_between_two_answers_of_the_worker_share_one_limit() {
        let mut limit = LocalLimit::default();
        assert!(limit.admits(SHORT[1]));
        limit.learn(SHORT[1], 3.0);
        assert!(!limit.admits(SHORT[1]), "both would take more than 4 ms");
        assert!(limit.admits(SHORT[0]) && limit.includes(SHORT[1]));
        limit.reset_spent();
        assert!(limit.admits(SHORT[1]));
    }
}
