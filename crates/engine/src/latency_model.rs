//! Predicts which backend finishes a run first, from runs measured on this machine.

wasm_chunks::chunk!("gpu");
wasm_chunks::chunk!("engine": Workload);

use std::sync::Arc;

use ndarray::{Array2, Array3};

use super::memory::result_bytes;
use super::{Backend, GpuJob, Job, Reason, numbers_in};
use attention::complexity;
use attention::plan::Plan;
use attention::{
    CallOptions, Error, Layer, LayerOptions, Linear, Mask, Outputs, Position, Request, Scoring,
    Weights,
};
use gpu::{Gpu, Tier};
use model::ModelConfig;

/// Cost of a request on a backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Workload {
    /// Floating-point operations.
    pub flops: u64,
    /// Bytes that the steps read and write.
    pub bytes: u64,
    /// Bytes of the results that are wanted.
    pub returned: u64,
    /// Weights that are measured.
    pub measured: u64,
}

impl Workload {
    /// Counted from the steps that the wanted results need.
    pub fn from_request(request: &Request) -> Self {
        let (sizes, want) = (request.sizes(), request.call().want);
        let plan = Plan::for_results(request.config(), &want);
        let count = complexity::total(&plan);
        let cells = numbers_in(&[sizes.batch, sizes.heads, sizes.n, sizes.keys].map(|x| x as u64));
        Self {
            flops: count.flops,
            bytes: count.bytes,
            returned: result_bytes(sizes, &want),
            measured: if want.stats { cells } else { 0 },
        }
    }

    /// A pass of a model over `[batch, n]` words that brings back so many numbers; `passes` is 1 forward, and 3 with the gradients.
    pub fn of_model(config: &ModelConfig, [batch, n]: [usize; 2], passes: u64, back: u64) -> Self {
        let c = config;
        let heads = c.d_model * c.d_k * 2 * (c.heads + c.kv_heads);
        let maps = c.d_model * c.mlp * if c.gated { 3 } else { 2 };
        let scores = 2 * c.heads * c.d_k * n;
        let logits = if c.logits {
            c.d_model * c.vocabulary
        } else {
            0
        };
        let numbers = (c.layers * (heads + maps) + logits) as u64;
        let row = numbers + (c.layers * scores) as u64;
        let rows = (batch * n) as u64;
        Self {
            flops: (2 * passes * rows).saturating_mul(row),
            bytes: (4 * passes).saturating_mul(numbers),
            returned: 4 * back,
            measured: 0,
        }
    }

    /// What time is spent on, in the order of [`Rates`].
    fn amounts(self) -> [f64; TERMS] {
        [1, self.flops, self.returned, self.measured].map(|amount| amount as f64)
    }

    fn kind(self) -> Kind {
        [self.flops, self.returned, self.measured].map(|amount| amount.checked_ilog2().unwrap_or(0))
    }
}

/// A run is started, computes, measures, and hands its results over.
const TERMS: usize = 4;

/// How long runs take on one backend, in milliseconds: to start, for each operation, for each byte of results, for each measured weight.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rates([f64; TERMS]);

/// Runs that are of one kind take equally long, but for a factor of two: their amounts in powers of two.
type Kind = [u32; TERMS - 1];

/// What is known of a backend: rates, and how much longer than these say runs of a kind took.
#[derive(Debug, Clone, PartialEq)]
struct Experience {
    rates: Rates,
    kinds: Vec<(Kind, f64)>,
}

/// A run that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// What it had to do.
    pub load: Workload,
    /// How long it took.
    pub ms: f64,
}

/// How much of an error is corrected by one run: others may have been in its way.
const CORRECTED: f64 = 0.5;

/// A run that took longer than this many times what was predicted had others in its way.
const MOST_FACTOR: f64 = 8.0;

/// Shorter runs say more of the clock than of the backend.
const LEAST_LEARNED_MS: f64 = 1.0;

/// After so many rounds nothing changes any more.
const ROUNDS: usize = 30;

impl Rates {
    /// From runs of which each is mostly of one term, in their order.
    fn through(samples: [Sample; TERMS]) -> Self {
        let mut rates = Self([0.0; TERMS]);
        // Each term in turn takes what the others leave unexplained (Gauss–Seidel), and never less than nothing.
        for _ in 0..ROUNDS {
            for (term, Sample { load, ms }) in samples.into_iter().enumerate() {
                rates.0[term] = 0.0;
                let unexplained = (ms - rates.ms(load)).max(0.0);
                rates.0[term] = unexplained / load.amounts()[term].max(1.0);
            }
        }
        rates
    }

    fn ms(self, load: Workload) -> f64 {
        self.parts(load).iter().sum()
    }

    fn parts(self, load: Workload) -> [f64; TERMS] {
        let amounts = load.amounts();
        std::array::from_fn(|term| amounts[term] * self.0[term])
    }

    /// Corrects each rate by the share that it has of the prediction.
    fn learn(&mut self, load: Workload, error: f64) {
        let predicted = self.ms(load);
        let parts = self.parts(load);
        for (rate, part) in self.0.iter_mut().zip(parts) {
            *rate *= 1.0 + CORRECTED * error * part / predicted;
        }
    }
}

impl Experience {
    fn new(rates: Rates) -> Self {
        Self {
            rates,
            kinds: Vec::new(),
        }
    }

    fn ms(&self, load: Workload) -> f64 {
        let kind = load.kind();
        let known = self.kinds.iter().find(|(known, _)| *known == kind);
        self.rates.ms(load) * known.map_or(1.0, |(_, factor)| *factor)
    }

    fn learn(&mut self, Sample { load, ms }: Sample) {
        let predicted = self.rates.ms(load);
        if predicted <= 0.0 || ms.max(predicted) < LEAST_LEARNED_MS {
            return;
        }
        self.rates
            .learn(load, (ms / predicted).clamp(0.5, 2.0) - 1.0);
        let factor = (ms / self.rates.ms(load)).clamp(1.0 / MOST_FACTOR, MOST_FACTOR);
        let kind = load.kind();
        match self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) => *known += CORRECTED * (factor - *known),
            None => self.kinds.push((kind, factor)),
        }
    }
}

/// Latency model: predicts which backend finishes first on this machine.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyModel {
    cpu: Experience,
    gpu: Experience,
}

impl LatencyModel {
    /// From four runs on each backend: one that does next to nothing, one that computes much, one with large results, and one that measures.
    pub fn new(cpu: [Sample; 4], gpu: [Sample; 4]) -> Self {
        let [cpu, gpu] = [cpu, gpu].map(|samples| Experience::new(Rates::through(samples)));
        Self { cpu, gpu }
    }

    /// Of known rates: milliseconds to start, for an operation, for a byte of results and for a measured weight.
    #[cfg(test)]
    pub(super) fn of_rates(cpu: [f64; TERMS], gpu: [f64; TERMS]) -> Self {
        let [cpu, gpu] = [cpu, gpu].map(|rates| Experience::new(Rates(rates)));
        Self { cpu, gpu }
    }

    /// The backend that finishes a request of this size first; the processor where both take as long.
    pub fn first(&self, load: Workload) -> Backend {
        if self.gpu.ms(load) < self.cpu.ms(load) {
            Backend::WebGpu
        } else {
            Backend::Cpu
        }
    }

    /// How long an operation takes.
    pub fn ms_per_flop(&self, backend: Backend) -> f64 {
        let [_, each, ..] = match backend {
            Backend::Cpu => self.cpu.rates.0,
            Backend::WebGpu => self.gpu.rates.0,
        };
        each
    }

    /// Takes account of a run that has ended.
    pub fn learn(&mut self, backend: Backend, run: Sample) {
        match backend {
            Backend::Cpu => self.cpu.learn(run),
            Backend::WebGpu => self.gpu.learn(run),
        }
    }
}

/// Rows of a run that takes no time, so that its measurement is the fixed cost of every run, and the width of those that compute little.
const SMALL: usize = 4;

/// Rows and widths of the run that computes much: long enough to be told from the small one by a browser's coarse clock, short enough
/// that a slow processor is not held up, and far below a second where it does a graphics card's work as well.
const fn larger(tier: Tier) -> usize {
    match tier {
        Tier::Software => 64,
        Tier::Hardware => 192,
    }
}

/// Rows of the runs that hand over and measure many weights, for the same reasons.
const fn longer(tier: Tier) -> usize {
    match tier {
        Tier::Software => 96,
        Tier::Hardware => 384,
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
    let requests = requests(gpu.tier()).map_err(invalid)?.map(Arc::new);
    let mut of_gpu = Vec::with_capacity(TERMS);
    for request in &requests {
        of_gpu.push(on_gpu(gpu, request, clock).await?);
    }
    let of_cpu = requests.iter().map(|request| on_cpu(request, clock));
    let of_cpu = of_cpu.collect::<Result<Vec<_>, _>>().map_err(invalid)?;
    let all =
        |samples: Vec<Sample>| -> [Sample; TERMS] { std::array::from_fn(|term| samples[term]) };
    Ok(LatencyModel::new(all(of_cpu), all(of_gpu)))
}

/// The runs of which [`Rates`] are made.
fn requests(tier: Tier) -> Result<[Request; TERMS], Error> {
    let weights = Outputs {
        weights: true,
        output: true,
        ..Outputs::NOTHING
    };
    let stats = Outputs {
        stats: true,
        ..Outputs::NOTHING
    };
    Ok([
        layer(SMALL, SMALL, weights)?,
        layer(larger(tier), larger(tier), weights)?,
        layer(longer(tier), SMALL, weights)?,
        layer(longer(tier), SMALL, stats)?,
    ])
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
        load: Workload::from_request(request),
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
        load: Workload::from_request(request),
        ms: passed / runs,
    })
}

/// Causal self-attention of `n` rows with everything that a layer of a transformer has.
fn layer(n: usize, width: usize, want: Outputs) -> Result<Request, Error> {
    let heads = 4;
    let linear = |seed: usize| {
        let value = |(row, column)| ((row * 7 + column * 13 + seed) % 31) as f32 / 62.0 - 0.25;
        Linear::without_bias(Array2::from_shape_fn((width, width), value))
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
        want,
        ..CallOptions::default()
    };
    let rows = Array3::from_shape_fn((1, n, width), |(_, row, column)| {
        ((row * 5 + column * 11) % 29) as f32 / 29.0 - 0.5
    });
    Request::new(Arc::new(Layer::new(weights, options)?), rows, None, call)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn flops(flops: u64) -> Workload {
        Workload {
            flops,
            ..Workload::default()
        }
    }

    /// Samples of a machine of these rates.
    fn samples(rates: [f64; TERMS]) -> [Sample; TERMS] {
        let loads = requests(Tier::Hardware).expect("valid");
        loads.map(|request| {
            let load = Workload::from_request(&request);
            let ms = Rates(rates).ms(load);
            Sample { load, ms }
        })
    }

    /// A card that starts in 2 ms and computes 100 times as fast as the processor.
    fn card() -> LatencyModel {
        LatencyModel::of_rates([0.0, 1e-6, 0.0, 0.0], [2.0, 1e-8, 0.0, 0.0])
    }

    #[test]
    fn tiny_requests_run_where_they_finish_first() {
        assert_eq!(card().first(flops(0)), Backend::Cpu);
        assert_eq!(card().first(flops(1_900_000)), Backend::Cpu);
        assert_eq!(card().first(flops(2_200_000)), Backend::WebGpu);
        assert_eq!(card().first(flops(u64::MAX)), Backend::WebGpu);
    }

    #[test]
    fn what_is_slower_in_everything_is_never_first() {
        let cpu = samples([0.0, 1e-7, 1e-7, 1e-7]);
        let software = LatencyModel::new(cpu, samples([5.0, 2e-5, 1e-6, 1e-6]));
        for load in [0, 1_000, 1_000_000, 1_000_000_000_000, u64::MAX].map(flops) {
            assert_eq!(software.first(load), Backend::Cpu);
        }
    }

    #[test]
    fn a_clock_too_coarse_to_see_anything_chooses_the_processor() {
        let nothing = samples([0.0; TERMS]);
        let model = LatencyModel::new(nothing, nothing);
        assert_eq!(model.first(flops(1_000_000_000)), Backend::Cpu);
    }

    #[test]
    fn the_rates_of_a_machine_are_found() {
        let rates = [1.5, 2e-8, 3e-6, 4e-6];
        let found = Rates::through(samples(rates));
        for (found, rate) in found.0.into_iter().zip(rates) {
            assert!((found / rate - 1.0).abs() < 0.01, "{found} for {rate}");
        }
    }

    /// The larger run may measure shorter than the small one when others were in the way.
    #[test]
    fn a_disturbed_measurement_gives_no_negative_times() {
        let mut disturbed = samples([9.0, 0.0, 0.0, 0.0]);
        disturbed[1].ms = 4.0;
        let rates = Rates::through(disturbed);
        assert_eq!(rates.0, [9.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn one_run_that_others_were_in_the_way_of_changes_little() {
        let mut model = card();
        let run = Sample {
            load: flops(1_000_000_000),
            ms: 1e6,
        };
        model.learn(Backend::WebGpu, run);
        assert_eq!(model.first(run.load), Backend::WebGpu);
    }

    /// Milliseconds on the processor and on WebGPU in Chromium, of runs of width 512 with 8 heads (`wide`) or of 64 with 4.
    struct Case {
        n: usize,
        is_wide: bool,
        want: Outputs,
        ms: [f64; 2],
    }

    impl Case {
        fn load(&self) -> Workload {
            let (heads, width) = if self.is_wide { (8, 512) } else { (4, 64) };
            let [n, heads, width] = [self.n, heads, width].map(|x| x as u64);
            let cells = heads * n * n;
            let rows = |wanted: bool, count: u64| if wanted { count } else { 0 };
            Workload {
                flops: 8 * n * width * width + 4 * n * n * width,
                bytes: 0,
                // Before there was a kernel for them, measures took all weights back.
                returned: 4
                    * (rows(self.want.weights || self.want.stats, cells)
                        + rows(self.want.output, n * width)),
                measured: rows(self.want.stats, cells),
            }
        }

        /// How much longer than the other the chosen one takes.
        fn loss(&self, model: &LatencyModel) -> f64 {
            let [cpu, gpu] = self.ms;
            match model.first(self.load()) {
                Backend::Cpu => cpu / cpu.min(gpu),
                Backend::WebGpu => gpu / cpu.min(gpu),
            }
        }
    }

    fn cases(measured: &[(usize, bool, &str, f64, f64)]) -> Vec<Case> {
        let case = |(n, is_wide, want, cpu, gpu): &(usize, bool, &str, f64, f64)| Case {
            n: *n,
            is_wide: *is_wide,
            want: Outputs {
                weights: want.contains('w'),
                output: want.contains('o'),
                stats: want.contains('s'),
                ..Outputs::NOTHING
            },
            ms: [*cpu, *gpu],
        };
        measured.iter().map(case).collect()
    }

    /// On a card (NVIDIA H100), before results came back once.
    const CARD: [(usize, bool, &str, f64, f64); 16] = [
        (11, false, "wo", 0.1, 3.4),
        (128, true, "wo", 11.7, 4.8),
        (512, true, "wo", 49.0, 17.4),
        (1024, true, "wo", 153.0, 60.0),
        (2048, true, "wo", 405.0, 169.0),
        (4096, true, "wo", 1304.0, 666.0),
        (11, false, "o", 0.1, 3.2),
        (128, true, "o", 11.1, 4.3),
        (512, true, "o", 31.6, 6.9),
        (1024, true, "o", 76.0, 10.6),
        (2048, true, "o", 343.0, 26.6),
        (4096, true, "o", 586.0, 49.7),
        (256, false, "s", 3.8, 6.2),
        (1024, false, "s", 20.7, 47.5),
        (4096, false, "s", 394.0, 623.0),
        (1024, false, "ws", 41.0, 62.0),
    ];

    /// On a software adapter (SwiftShader, two cores).
    const SOFTWARE: [(usize, bool, &str, f64, f64); 8] = [
        (11, false, "wo", 0.8, 6.5),
        (128, true, "wo", 21.8, 126.0),
        (512, true, "wo", 128.0, 641.0),
        (1024, true, "wo", 316.0, 1570.0),
        (128, true, "o", 17.6, 129.0),
        (512, true, "o", 59.6, 571.0),
        (256, false, "s", 6.0, 26.5),
        (1024, false, "s", 31.5, 212.0),
    ];

    /// The runs of a table come again and again; a model that knows nothing but the check of the device meets them.
    fn learned(cases: &[Case], mut model: LatencyModel) -> LatencyModel {
        for round in 0..40 {
            for at in 0..cases.len() {
                let case = &cases[(at * 7 + round) % cases.len()];
                let backend = model.first(case.load());
                let ms = case.ms[usize::from(backend == Backend::WebGpu)];
                let load = case.load();
                model.learn(backend, Sample { load, ms });
            }
        }
        model
    }

    #[test]
    fn auto_is_never_far_from_the_faster_one() {
        // What the check of the device finds is rough: half and twice of what holds.
        let card = [[0.1, 3e-8, 1e-6, 5e-6], [3.0, 1e-9, 1.3e-6, 1e-6]];
        let software = [[0.5, 8e-8, 1e-6, 5e-6], [6.0, 4e-7, 1.3e-6, 4e-5]];
        for (measured, [of_cpu, of_gpu]) in [(&CARD[..], card), (&SOFTWARE, software)] {
            for [cpu, gpu] in [[1.0, 1.0], [2.0, 1.0], [1.0, 2.0], [0.5, 1.0], [1.0, 0.5]] {
                let of_cpu = samples(of_cpu.map(|rate| cpu * rate));
                let of_gpu = samples(of_gpu.map(|rate| gpu * rate));
                let cases = cases(measured);
                let model = learned(&cases, LatencyModel::new(of_cpu, of_gpu));
                for case in &cases {
                    let loss = case.loss(&model);
                    assert!(loss <= 1.3, "{} rows {:?}: {loss}", case.n, case.want);
                }
            }
        }
    }

    #[test]
    fn runs_on_the_processor_are_repeated_until_the_clock_can_tell() {
        let [small, ..] = requests(Tier::Software).expect("valid");
        let (request, ticks) = (Arc::new(small), Cell::new(0.0));
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
        let request = layer(8, 8, Outputs::ALL).expect("valid");
        let everything = complexity::total(&Plan::full(request.config()));
        let load = Workload::from_request(&request);
        assert_eq!((load.flops, load.measured), (everything.flops, 4 * 8 * 8));
        let weights = Outputs {
            weights: true,
            ..Outputs::NOTHING
        };
        let alone = Workload::from_request(&layer(8, 8, weights).expect("valid"));
        assert_eq!((alone.returned, alone.measured), (4 * 4 * 8 * 8, 0));
        assert!(load.flops > alone.flops && load.bytes > alone.bytes);
        let [q, context, output] = [8 * 8; 3];
        let cells = 2 * 4 * 8 * 8;
        let rows = gpu::MEASURED_ROW_BYTES * 4 * 8;
        assert_eq!(load.returned, 4 * (3 * q + context + output + cells) + rows);
    }
}
