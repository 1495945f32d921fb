//! The benchmark: which length comes next, how often, and when it ends.

use attention::complexity::{Growth, growth, median};
use engine::Backend;

/// The shortest length that is measured.
pub(super) const LEAST: usize = 64;
/// The longest one.
pub const MOST: usize = 16_384;
/// No run is begun that would take longer.
pub(super) const LONGEST_MS: f64 = 2000.0;
/// Bytes that a run may hold at once.
pub const MOST_BYTES: u64 = 512_000_000;

/// A length is done after so many runs if they took at least this many milliseconds together.
const RUNS: [(usize, f64); 3] = [(5, 0.0), (3, 150.0), (1, 500.0)];

/// Cost of a sequence length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Bytes that it holds at once.
    pub bytes: u64,
    /// Its FLOPs.
    pub flops: f64,
}

/// A measured length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The length.
    pub n: usize,
    /// Median of its runs in milliseconds; 0 where the clock is too coarse to tell.
    pub ms: f64,
    /// How many there were.
    pub runs: usize,
}

/// Why a series ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// At the length that was asked for.
    Reached,
    /// The next length would take this many milliseconds by its FLOPs, more than `LONGEST_MS`.
    Slow(f64),
    /// The next length would take this many bytes.
    Memory(u64),
    /// Somebody stopped it.
    Stopped,
    /// It was refused, with the reason in words.
    Refused(String),
}

/// The measurements of one backend at growing n.
#[derive(Debug, Clone, PartialEq)]
pub struct Benchmark {
    /// Where it runs.
    pub backend: Backend,
    /// Measurements, n ascending.
    pub points: Vec<Point>,
    /// Why it ended; `None` while it goes on.
    pub end: Option<End>,
    most: usize,
    runs: Vec<f64>,
    /// The warm-up run is over. Its time is not kept, since it creates caches that later runs
    /// reuse.
    is_warm: bool,
}

impl Benchmark {
    /// A series up to `most`.
    pub fn new(backend: Backend, most: usize) -> Self {
        Self {
            backend,
            points: Vec::new(),
            end: None,
            most: most.clamp(LEAST, MOST),
            runs: Vec::new(),
            is_warm: false,
        }
    }

    /// The length that is to be run next; `None` when the series is over.
    pub fn next(&self) -> Option<usize> {
        let after = |point: &Point| 2 * point.n;
        match self.end {
            None => Some(self.points.last().map_or(LEAST, after)),
            Some(_) => None,
        }
    }

    /// Records the time of the run of [`next`](Self::next). `load` returns the cost of a
    /// length.
    pub fn took(&mut self, ms: f64, load: impl Fn(usize) -> Load) {
        let Some(n) = self.next() else { return };
        if !std::mem::replace(&mut self.is_warm, true) && ms < LONGEST_MS {
            return;
        }
        self.runs.push(ms);
        let (count, sum) = (self.runs.len(), self.runs.iter().sum::<f64>());
        if !RUNS.iter().any(|(runs, ms)| count >= *runs && sum >= *ms) {
            return;
        }
        let runs = std::mem::take(&mut self.runs);
        let ms = median(&runs).unwrap_or_default();
        self.points.push(Point {
            n,
            ms,
            runs: runs.len(),
        });
        let (here, next) = (load(n), load(2 * n));
        let predicted = ms * next.flops / here.flops.max(1.0);
        self.end = if 2 * n > self.most {
            Some(End::Reached)
        } else if predicted > LONGEST_MS {
            Some(End::Slow(predicted))
        } else {
            Some(next.bytes)
                .filter(|bytes| *bytes > MOST_BYTES)
                .map(End::Memory)
        };
    }

    /// Ends the series where it has not ended yet.
    pub fn end(&mut self, end: End) {
        self.end.get_or_insert(end);
    }

    /// Pairs of n and milliseconds that have a place on a log axis.
    pub fn timed(&self) -> Vec<(f64, f64)> {
        let timed = self.points.iter().filter(|point| point.ms > 0.0);
        timed.map(|point| (point.n as f64, point.ms)).collect()
    }

    /// Growth of the time with n.
    pub fn growth(&self) -> Option<Growth> {
        growth(&self.timed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(n: usize) -> Load {
        Load {
            bytes: 1 << 20,
            flops: (n * n) as f64,
        }
    }

    /// Runs a series to its end; `ms` says how long a length takes.
    fn run(
        most: usize,
        ms: impl Fn(usize) -> f64,
        load: impl Fn(usize) -> Load,
    ) -> (Benchmark, usize) {
        let mut series = Benchmark::new(Backend::Cpu, most);
        let mut calls = 0;
        while let Some(n) = series.next() {
            series.took(ms(n), &load);
            calls += 1;
            assert!(calls < 1000);
        }
        (series, calls)
    }

    #[test]
    fn lengths_double_up_to_the_one_asked_for() {
        let (series, calls) = run(512, |_| 1.0, small);
        let lengths: Vec<usize> = series.points.iter().map(|point| point.n).collect();
        assert_eq!(lengths, [64, 128, 256, 512]);
        assert_eq!(series.end, Some(End::Reached));
        assert_eq!(calls, 1 + 4 * 5, "one to warm up, then five of each");
    }

    #[test]
    fn long_runs_are_not_repeated_and_none_is_begun_that_would_take_too_long() {
        let (series, _) = run(MOST, |n| (n * n) as f64 / 4096.0, small);
        let last = series.points.last().expect("some points");
        assert_eq!((last.n, last.runs), (2048, 1));
        assert_eq!(series.end, Some(End::Slow(4096.0)));
        let runs: Vec<usize> = series.points.iter().map(|point| point.runs).collect();
        assert_eq!(
            runs,
            [5, 5, 5, 3, 2, 1],
            "1 to 16 ms, 64 ms, 256 ms, a second"
        );
    }

    #[test]
    fn a_length_that_does_not_fit_is_not_tried() {
        let load = |n| Load {
            bytes: n as u64 * 600_000,
            flops: 1.0,
        };
        let (series, _) = run(MOST, |_| 9.0, load);
        assert_eq!(series.points.last().map(|point| point.n), Some(512));
        assert_eq!(series.end, Some(End::Memory(1024 * 600_000)));
    }

    #[test]
    fn the_first_run_is_not_kept_unless_it_is_all_there_will_be() {
        let mut series = Benchmark::new(Backend::WebGpu, 64);
        series.took(900.0, small);
        assert!(series.points.is_empty());
        for ms in [3.0, 1.0, 2.0, 9.0, 2.5] {
            series.took(ms, small);
        }
        assert_eq!(
            series.points,
            [Point {
                n: 64,
                ms: 2.5,
                runs: 5
            }]
        );
        let mut slow = Benchmark::new(Backend::Cpu, MOST);
        slow.took(5000.0, small);
        assert_eq!(slow.end, Some(End::Slow(20_000.0)));
    }

    #[test]
    fn a_series_that_was_ended_stays_so() {
        let mut series = Benchmark::new(Backend::Cpu, MOST);
        series.end(End::Refused("lost".to_owned()));
        series.end(End::Stopped);
        series.took(1.0, small);
        assert_eq!(series.end, Some(End::Refused("lost".to_owned())));
        assert_eq!((series.next(), series.points.len()), (None, 0));
    }

    #[test]
    fn the_growth_rests_on_what_the_clock_could_tell() {
        let (series, _) = run(
            2048,
            |n| if n < 256 { 0.0 } else { (n * n) as f64 / 1e5 },
            small,
        );
        let growth = series.growth().expect("four points");
        assert!((growth.exponent - 2.0).abs() < 1e-9);
    }
}
