//! Predicts which backend finishes a run first, from runs measured on this machine.

wasm_chunks::chunk!("gpu");
wasm_chunks::chunk!("engine": Workload);

use std::sync::Arc;

use ndarray::{Array2, Array3};

use super::{Backend, GpuJob, Job, Reason};
use attention::complexity;
use attention::plan::Plan;
use attention::{
    CallOptions, Error, Layer, LayerOptions, Linear, Mask, Outputs, Position, Request, Scoring,
    Weights,
};
use gpu::{Gpu, Tier};

/// Cost of a request on a backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Floating-point operations.
    pub flops: u64,
    /// Bytes that the steps read and write.
    pub bytes: u64,
}

impl Workload {
    /// Counted from the steps that the wanted results need.
    pub fn from_request(request: &Request) -> Self {
        let plan = Plan::for_results(request.config(), &request.call().want);
        let count = complexity::total(&plan);
        Self {
            flops: count.flops,
            bytes: count.bytes,
        }
    }
}

/// How long runs take on one backend: so much to start, and so much for each operation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LinearFit {
    start_ms: f64,
    ms_per_flop: f64,
}

/// A run that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Its operations.
    pub flops: u64,
    /// How long it took.
    pub ms: f64,
}

impl LinearFit {
    fn through([small, large]: [Sample; 2]) -> Self {
        let flops = large.flops.saturating_sub(small.flops).max(1) as f64;
        let ms_per_flop = (large.ms - small.ms).max(0.0) / flops;
        Self {
            start_ms: (small.ms - small.flops as f64 * ms_per_flop).max(0.0),
            ms_per_flop,
        }
    }

    fn ms(self, flops: u64) -> f64 {
        self.start_ms + flops as f64 * self.ms_per_flop
    }
}

/// Latency model: predicts which backend finishes first on this machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyModel {
    cpu: LinearFit,
    gpu: LinearFit,
}

impl LatencyModel {
    /// From a small and a larger run on each backend.
    pub fn new(cpu: [Sample; 2], gpu: [Sample; 2]) -> Self {
        Self {
            cpu: LinearFit::through(cpu),
            gpu: LinearFit::through(gpu),
        }
    }

    /// The backend that finishes a request of this size first; the processor where both take as long.
    pub fn first(&self, load: Workload) -> Backend {
        if self.gpu.ms(load.flops) < self.cpu.ms(load.flops) {
            Backend::WebGpu
        } else {
            Backend::Cpu
        }
    }
}

/// A run that takes no time, so that its measurement is the fixed cost of every run.
const SMALL: usize = 4;

/// Rows and widths of the larger run: long enough to be told from the small one by a browser's coarse clock, short enough
/// that a slow processor is not held up, and far below a second where it does a graphics card's work as well.
const fn larger(tier: Tier) -> usize {
    match tier {
        Tier::Software => 64,
        Tier::Hardware => 192,
    }
}

/// How often a run is measured on the device; the shortest counts, since others may have been in its way.
const REPEATS: usize = 3;

/// Clocks of browsers tick as coarsely as a millisecond: runs on the processor are repeated for this long.
const LEAST_MS: f64 = 5.0;

/// Measures both backends with a clock in milliseconds.
///
/// # Errors
/// The device's error, if it fails during the measurement.
pub(super) async fn measure(gpu: &Gpu, clock: &dyn Fn() -> f64) -> Result<LatencyModel, Reason> {
    let invalid = |error: Error| Reason::Rejected {
        detail: error.to_string(),
    };
    let small = Arc::new(square(SMALL).map_err(invalid)?);
    let large = Arc::new(square(larger(gpu.tier())).map_err(invalid)?);
    let gpu = [
        on_gpu(gpu, &small, clock).await?,
        on_gpu(gpu, &large, clock).await?,
    ];
    let cpu = [
        on_cpu(&small, clock).map_err(invalid)?,
        on_cpu(&large, clock).map_err(invalid)?,
    ];
    Ok(LatencyModel::new(cpu, gpu))
}

async fn on_gpu(
    gpu: &Gpu,
    request: &Arc<Request>,
    clock: &dyn Fn() -> f64,
) -> Result<Sample, Reason> {
    let mut ms = f64::INFINITY;
    // The first run warms up what later ones find ready.
    for repeat in 0..=REPEATS {
        let start = clock();
        let mut job = GpuJob::new(gpu, request.clone())?;
        while job.advance().await? {}
        drop(job.into_results());
        if repeat > 0 {
            ms = ms.min(clock() - start);
        }
    }
    Ok(Sample {
        flops: Workload::from_request(request).flops,
        ms,
    })
}

fn on_cpu(request: &Arc<Request>, clock: &dyn Fn() -> f64) -> Result<Sample, Error> {
    let start = clock();
    let (mut runs, mut passed) = (0.0, 0.0);
    // A clock that stands still must not keep us here.
    while passed < LEAST_MS && runs < 200.0 {
        let mut job = Job::new(request.clone())?;
        while job.advance() {}
        job.finish()?;
        runs += 1.0;
        passed = clock() - start;
    }
    Ok(Sample {
        flops: Workload::from_request(request).flops,
        ms: passed / runs,
    })
}

/// Self-attention as wide as it is long, with everything that a layer of a transformer has.
fn square(side: usize) -> Result<Request, Error> {
    let heads = 4;
    let linear = |seed: usize| {
        let value = |(row, column)| ((row * 7 + column * 13 + seed) % 31) as f32 / 62.0 - 0.25;
        Linear::without_bias(Array2::from_shape_fn((side, side), value))
    };
    let weights = Weights {
        query: linear(1),
        key: linear(2),
        value: linear(3),
        output: Some(linear(4)),
        additive: None,
    };
    let options = LayerOptions {
        heads,
        scoring: Scoring::Dot,
        position: Position::None,
        ..LayerOptions::default()
    };
    let call = CallOptions {
        mask: Mask::Causal,
        want: Outputs {
            weights: true,
            output: true,
            ..Outputs::NOTHING
        },
        ..CallOptions::default()
    };
    let rows = Array3::from_shape_fn((1, side, side), |(_, row, column)| {
        ((row * 5 + column * 11) % 29) as f32 / 29.0 - 0.5
    });
    Request::new(Arc::new(Layer::new(weights, options)?), rows, None, call)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn sample(flops: u64, ms: f64) -> Sample {
        Sample { flops, ms }
    }

    fn load(flops: u64) -> Workload {
        Workload { flops, bytes: 0 }
    }

    /// A card that starts in 2 ms and computes 100 times as fast as the processor.
    fn card() -> LatencyModel {
        let cpu = [sample(1_000, 0.001), sample(1_000_000, 1.0)];
        let gpu = [sample(1_000, 2.0), sample(1_000_000, 2.01)];
        LatencyModel::new(cpu, gpu)
    }

    #[test]
    fn tiny_requests_run_where_they_finish_first() {
        assert_eq!(card().first(load(0)), Backend::Cpu);
        assert_eq!(card().first(load(1_900_000)), Backend::Cpu);
        assert_eq!(card().first(load(2_200_000)), Backend::WebGpu);
        assert_eq!(card().first(load(u64::MAX)), Backend::WebGpu);
    }

    #[test]
    fn what_is_slower_in_everything_is_never_first() {
        let cpu = [sample(1_000, 0.0), sample(1_000_000, 0.1)];
        let gpu = [sample(1_000, 5.0), sample(1_000_000, 25.0)];
        let software = LatencyModel::new(cpu, gpu);
        for flops in [0, 1_000, 1_000_000, 1_000_000_000_000, u64::MAX] {
            assert_eq!(software.first(load(flops)), Backend::Cpu);
        }
    }

    #[test]
    fn a_clock_too_coarse_to_see_anything_chooses_the_processor() {
        let nothing = [sample(1_000, 0.0), sample(1_000_000, 0.0)];
        assert_eq!(
            LatencyModel::new(nothing, nothing).first(load(1_000_000_000)),
            Backend::Cpu
        );
    }

    /// The larger run may measure shorter than the small one when others were in the way.
    #[test]
    fn a_disturbed_measurement_gives_no_negative_times() {
        let line = LinearFit::through([sample(1_000, 9.0), sample(1_000_000, 4.0)]);
        assert_eq!(line.ms(0), 9.0);
        assert_eq!(line.ms(1_000_000_000), 9.0);
        let line = LinearFit::through([sample(1_000, 1.0), sample(2_000, 100.0)]);
        assert_eq!(line.ms(0), 0.0);
    }

    #[test]
    fn runs_on_the_processor_are_repeated_until_the_clock_can_tell() {
        let (request, ticks) = (Arc::new(square(SMALL).expect("valid")), Cell::new(0.0));
        let clock = || {
            ticks.set(ticks.get() + 1.0);
            ticks.get()
        };
        let found = on_cpu(&request, &clock).expect("runs");
        assert_eq!((found.ms, ticks.get()), (1.0, 6.0));
        let stopped = on_cpu(&request, &|| 7.0).expect("runs");
        assert_eq!(stopped.ms, 0.0);
    }

    #[test]
    fn a_load_counts_only_what_was_asked_for() {
        let request = square(8).expect("valid");
        let everything = complexity::total(&Plan::full(request.config()));
        assert_eq!(Workload::from_request(&request).flops, everything.flops);
        assert!(
            Workload::from_request(&square(16).expect("valid")).bytes
                > Workload::from_request(&request).bytes
        );
    }
}
