//! Which runs are so short that the window does them itself: a message to the worker and back takes longer, and a worker takes a while to
//! come up.

/// How long a run may take in the window: what is left of a frame is for painting.
const MOST_MS: f64 = 4.0;

/// Operations per millisecond of a slow device, which every device is taken for until runs were measured.
const FIRST_RATE: f64 = 1.5e6;

/// The step of the coarsest clock of a browser: a shorter run counts as long as this.
const CLOCK_MS: f64 = 1.0;

/// How much more a run is expected to take after a slower one.
const MOST_SLOWER: f64 = 1.5;

/// What every run takes besides its own operations, counted in operations.
const OVERHEAD: u64 = 500_000;

/// How long runs are expected to take in the window, from those that were measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalLimit {
    ms_per_flop: f64,
}

impl Default for LocalLimit {
    fn default() -> Self {
        Self {
            ms_per_flop: 1.0 / FIRST_RATE,
        }
    }
}

impl LocalLimit {
    /// Whether a run of so many operations is done in the window.
    pub fn includes(&self, flops: u64) -> bool {
        flops as f64 * self.ms_per_flop <= MOST_MS
    }

    /// A run on the processor took `ms`. One that was slower than expected changes little by itself: the module may have been cold.
    pub fn learn(&mut self, flops: u64, ms: f64) {
        let measured = ms.max(CLOCK_MS) / flops.saturating_add(OVERHEAD) as f64;
        self.ms_per_flop = measured.min(self.ms_per_flop * MOST_SLOWER);
    }

    /// A run was too long: nothing is measured then, and what held the last ones up may have ended.
    pub fn decline(&mut self) {
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
}
