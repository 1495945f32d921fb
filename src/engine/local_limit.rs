//! Which runs are so short that the window does them itself: a message to the worker and back takes longer, and a worker takes a while to
//! come up.

/// How long a run may take in the window: what is left of a frame is for painting.
const MOST_MS: f64 = 4.0;

/// Operations per millisecond of a slow device, which every device is taken for until runs were measured.
const FIRST_RATE: f64 = 1.5e6;

/// More are not believed: clocks of browsers are coarse.
const HIGHEST_RATE: f64 = 2e7;

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
        let measured = (ms / flops.saturating_add(OVERHEAD) as f64).max(1.0 / HIGHEST_RATE);
        self.ms_per_flop = measured.min(self.ms_per_flop * MOST_SLOWER);
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
    fn a_cold_run_says_little_and_the_next_one_makes_up_for_it() {
        let mut limit = LocalLimit::default();
        limit.learn(SHORT[0], 60.0);
        assert_eq!(SHORT.map(|flops| limit.includes(flops)), [true; 2]);
        (0..2).for_each(|_| limit.learn(SHORT[0], 60.0));
        assert!(!limit.includes(SHORT[1]));
        limit.learn(SHORT[0], 0.3);
        assert!(limit.includes(SHORT[1]));
    }

    #[test]
    fn a_fast_device_takes_more_but_no_clock_is_believed_without_limit() {
        let mut limit = LocalLimit::default();
        limit.learn(SHORT[1], 0.4);
        assert!(limit.includes(25_000_000));
        limit.learn(SHORT[1], 0.0);
        assert!(limit.includes(79_000_000) && !limit.includes(81_000_000));
        limit.learn(u64::MAX, 0.0);
        assert!(!limit.includes(81_000_000));
    }
}
