//! Whether a second worker takes half of a run's heads: where runs of that size were measured to end sooner so, on this device.

wasm_chunks::chunk!("more");

/// Operations below which a run is over before a second worker could have started.
const LEAST_FLOPS: u64 = 100_000_000;

/// How often each number of workers is measured before one is chosen.
const FIRST_RUNS: u32 = 2;

/// One run in so many uses the number that was slower: what made it slower may have ended.
const RETRY: u32 = 16;

/// How much of a good measure is left after a worse one.
const FORGETTING: f64 = 1.05;

/// How many workers compute a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// All heads in one worker.
    One,
    /// Half of the heads in a second one.
    Two,
}

/// How long runs have taken with one worker and with two, by size.
#[derive(Debug, Clone)]
pub struct WorkerChoice {
    /// Runs of 2^i operations and more stand in class i.
    classes: [SizeClass; u64::BITS as usize],
}

#[derive(Debug, Clone, Copy)]
struct SizeClass {
    one: Measured,
    two: Measured,
    runs: u32,
}

#[derive(Debug, Clone, Copy)]
struct Measured {
    runs: u32,
    ms_per_flop: f64,
}

impl Default for WorkerChoice {
    fn default() -> Self {
        let nothing = Measured {
            runs: 0,
            ms_per_flop: f64::INFINITY,
        };
        let class = SizeClass {
            one: nothing,
            two: nothing,
            runs: 0,
        };
        Self {
            classes: [class; u64::BITS as usize],
        }
    }
}

impl WorkerChoice {
    /// Whether a run is long enough for two workers on any device.
    pub const fn is_long(flops: u64) -> bool {
        flops >= LEAST_FLOPS
    }

    /// How many workers are to compute the next run of this size: one and two in turn at first, then what took less time.
    pub fn choose(&mut self, flops: u64) -> Workers {
        if !Self::is_long(flops) {
            return Workers::One;
        }
        let class = self.class(flops);
        class.runs = class.runs.wrapping_add(1);
        let SizeClass { one, two, runs } = *class;
        let is_measured = one.runs.min(two.runs) >= FIRST_RUNS;
        let two_is_next = if is_measured {
            (two.ms_per_flop < one.ms_per_flop) != runs.is_multiple_of(RETRY)
        } else {
            !runs.is_multiple_of(2)
        };
        if two_is_next {
            Workers::Two
        } else {
            Workers::One
        }
    }

    /// A run took `ms`.
    pub fn learn(&mut self, flops: u64, workers: Workers, ms: f64) {
        let class = self.class(flops);
        let measured = match workers {
            Workers::One => &mut class.one,
            Workers::Two => &mut class.two,
        };
        measured.runs = measured.runs.saturating_add(1);
        let now = ms / flops.max(1) as f64;
        measured.ms_per_flop = now.min(measured.ms_per_flop * FORGETTING);
    }

    fn class(&mut self, flops: u64) -> &mut SizeClass {
        &mut self.classes[flops.max(1).ilog2() as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: u64 = 3_000_000_000;

    /// Chooses and measures `runs` times on a device where runs take so long.
    fn choices(choice: &mut WorkerChoice, runs: usize, ms: [f64; 2]) -> Vec<Workers> {
        let mut one = || {
            let workers = choice.choose(LONG);
            choice.learn(LONG, workers, ms[usize::from(workers == Workers::Two)]);
            workers
        };
        (0..runs).map(|_| one()).collect()
    }

    fn twos(workers: &[Workers]) -> usize {
        workers
            .iter()
            .filter(|workers| **workers == Workers::Two)
            .count()
    }

    #[test]
    fn each_way_is_measured_twice_and_then_the_faster_one_is_taken() {
        use Workers::{One, Two};
        let faster = choices(&mut WorkerChoice::default(), 8, [80.0, 50.0]);
        assert_eq!(faster, [Two, One, Two, One, Two, Two, Two, Two]);
        let slower = choices(&mut WorkerChoice::default(), 8, [80.0, 90.0]);
        assert_eq!(slower, [Two, One, Two, One, One, One, One, One]);
    }

    #[test]
    fn short_runs_are_never_shared() {
        let mut choice = WorkerChoice::default();
        choice.learn(LEAST_FLOPS - 1, Workers::Two, 0.0);
        assert_eq!(choice.choose(LEAST_FLOPS - 1), Workers::One);
        assert_eq!(choice.choose(0), Workers::One);
    }

    #[test]
    fn sizes_are_measured_apart() {
        let mut choice = WorkerChoice::default();
        choices(&mut choice, 8, [80.0, 50.0]);
        choice.learn(4 * LONG, Workers::Two, 400.0);
        choice.learn(u64::MAX, Workers::One, 0.0);
        assert_eq!(twos(&choices(&mut choice, 7, [80.0, 50.0])), 7);
    }

    #[test]
    fn one_disturbed_run_changes_nothing_and_a_lasting_change_is_noticed() {
        let mut choice = WorkerChoice::default();
        choices(&mut choice, 8, [80.0, 50.0]);
        choice.learn(LONG, Workers::Two, 500.0);
        assert_eq!(twos(&choices(&mut choice, 4, [80.0, 50.0])), 4);
        let busy = choices(&mut choice, 60, [80.0, 100.0]);
        assert!(twos(&busy[40..]) <= 2, "{busy:?}");
        let free = choices(&mut choice, 60, [80.0, 40.0]);
        assert!(twos(&free[40..]) >= 17, "{free:?}");
    }
}
