//! One run on the CPU, driven step by step.

use std::sync::Arc;

use ndarray::{Array, Array4, Dimension, indices};

use super::{Backend, BackendChoice};
use attention::analysis::{Collector, HeadStats, MeasuredRow};
use attention::cpu::{Run, Share};
use attention::plan::{RowSink, WeightRow, WeightRows};
use attention::{Code, Error, Request, Sizes, Trace};
use kernels::all_finite;

/// A run in progress on the processor.
pub struct Job {
    run: Run,
    share: Share,
    sinks: Sinks,
    sizes: Sizes,
}

/// Result of a finished job.
#[derive(Debug, Clone, PartialEq)]
pub struct RunResult {
    /// The results that were wanted.
    pub trace: Trace<f32>,
    /// Measures, `[batch][head]`, where they were wanted.
    pub stats: Option<Vec<Vec<HeadStats>>>,
    /// Where it was computed.
    pub backend: Backend,
    /// Axis lengths of the request.
    pub sizes: Sizes,
}

impl RunResult {
    /// Imported weights, `[batch, heads, n, m]`, with their measures.
    pub fn of_weights(weights: Array4<f32>) -> Self {
        let (batch, heads, n, m) = weights.dim();
        let sizes = Sizes {
            batch,
            heads,
            kv_heads: heads,
            n,
            m,
            keys: m,
            d_model: None,
            d_k: 0,
            d_v: 0,
            d_out: 0,
        };
        let weights = weights.as_standard_layout().into_owned();
        let mut measures = Collector::new(&sizes);
        let places = indices((batch, heads, n)).into_iter();
        for ((batch, head, query), row) in places.zip(weights.rows()) {
            measures.row(&WeightRow {
                batch,
                head,
                query,
                weights: row.as_slice().unwrap_or_default(),
                support: 0..m,
            });
        }
        Self {
            trace: Trace {
                q: None,
                k: None,
                v: None,
                scores: None,
                weights: Some(weights),
                context: None,
                output: None,
                empty_rows: 0,
            },
            stats: Some(measures.finish()),
            backend: Backend::Cpu,
            sizes,
        }
    }
}

/// Measures of the rows as they are finished, where they are wanted.
pub(super) struct Measures(Option<Collector>);

impl Measures {
    pub(super) fn for_request(request: &Request) -> Self {
        let wanted = request.call().want.stats;
        Self(wanted.then(|| Collector::new(request.sizes())))
    }

    pub(super) fn finish(self) -> Option<Vec<Vec<HeadStats>>> {
        self.0.map(Collector::finish)
    }

    /// Takes a row that a device has measured.
    pub(super) fn measured(&mut self, row: &MeasuredRow) {
        if let Some(collector) = &mut self.0 {
            collector.measured(row);
        }
    }
}

impl RowSink for Measures {
    fn take(&mut self, rows: WeightRows) {
        if let Some(collector) = &mut self.0 {
            rows.iter().for_each(|row| collector.row(&row));
        }
    }
}

/// Where rows of weights go besides the trace.
struct Sinks {
    measures: Measures,
    /// Takes the weights in place of the trace.
    weights_sink: Option<Box<dyn RowSink>>,
    /// A weight that was not finite.
    non_finite: Option<f32>,
}

impl RowSink for Sinks {
    fn take(&mut self, rows: WeightRows) {
        self.measures.take(rows);
        if let Some(weights_sink) = &mut self.weights_sink {
            self.non_finite = self.non_finite.or_else(|| not_finite(rows.weights));
            weights_sink.take(rows);
        }
    }
}

impl Job {
    /// Prepares a run of `request`.
    ///
    /// # Errors
    /// [`TooLarge`](Code::TooLarge) where the results would not fit into memory.
    pub fn new(request: impl Into<Arc<Request>>) -> Result<Self, Error> {
        let request = request.into();
        Ok(Self::of_run(Run::new(request.clone())?, &request, None))
    }

    /// [`new`](Self::new) for the heads of `share`: tensors and measures are of these alone, and wanted weights go to `weights_sink`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn for_sink(
        request: impl Into<Arc<Request>>,
        share: Share,
        weights_sink: Option<Box<dyn RowSink>>,
    ) -> Result<Self, Error> {
        let request = request.into();
        let run = Run::for_sink(request.clone(), share)?;
        let mut job = Self::of_run(run, &request, weights_sink);
        job.share = share;
        Ok(job)
    }

    fn of_run(run: Run, request: &Request, weights_sink: Option<Box<dyn RowSink>>) -> Self {
        Self {
            run,
            share: Share::All,
            sinks: Sinks {
                measures: Measures::for_request(request),
                weights_sink,
                non_finite: None,
            },
            sizes: *request.sizes(),
        }
    }

    /// Does the next step or tile; `false` when everything is done.
    pub fn advance(&mut self) -> bool {
        self.run.advance(&mut self.sinks)
    }

    /// The results, once [`advance`](Self::advance) has returned `false`.
    ///
    /// # Errors
    /// [`NotFinite`](Code::NotFinite) if numbers left the range of 32 bit.
    pub fn finish(self) -> Result<RunResult, Error> {
        let trace = self.run.finish();
        check_range(&trace, || {
            check_finite("scores", numbers(&trace.scores))?;
            check_finite("weights", numbers(&trace.weights))
        })?;
        if let Some(value) = self.sinks.non_finite {
            return Err(Error::beyond_range("weights", value));
        }
        let stats = self.sinks.measures.finish();
        let own = self.share.heads(self.sizes.heads);
        let of_own = |heads: Vec<HeadStats>| heads[own.clone()].to_vec();
        Ok(RunResult {
            trace,
            stats: stats.map(|stats| stats.into_iter().map(of_own).collect()),
            backend: Backend::Cpu,
            sizes: self.sizes,
        })
    }
}

/// Finite inputs can still multiply to something infinite; that is refused rather than returned. `check_large` looks at scores and weights.
pub(super) fn check_range(
    trace: &Trace<f32>,
    check_large: impl FnOnce() -> Result<(), Error>,
) -> Result<(), Error> {
    check_finite("q", numbers(&trace.q))?;
    check_finite("k", numbers(&trace.k))?;
    check_finite("v", numbers(&trace.v))?;
    check_large()?;
    check_finite("context", numbers(&trace.context))?;
    check_finite("output", numbers(&trace.output))
}

fn check_finite(field: &str, numbers: &[f32]) -> Result<(), Error> {
    match not_finite(numbers) {
        Some(value) => Err(Error::beyond_range(field, value)),
        None => Ok(()),
    }
}

/// The first number that is infinite or NaN.
fn not_finite(numbers: &[f32]) -> Option<f32> {
    if all_finite(numbers) {
        return None;
    }
    numbers.iter().copied().find(|value| !value.is_finite())
}

/// The numbers of a tensor in whatever order they lie; executors leave no gaps between them.
fn numbers<D: Dimension>(tensor: &Option<Array<f32, D>>) -> &[f32] {
    let numbers = tensor
        .as_ref()
        .and_then(|tensor| tensor.as_slice_memory_order());
    numbers.unwrap_or_default()
}

/// Runs `request` to its end on the processor.
///
/// # Errors
/// As [`Job::new`] and [`Job::finish`]; [`BackendUnavailable`](Code::BackendUnavailable) where the choice is WebGPU, whose
/// runs have to be waited for: [`VerifiedGpu::run`](super::VerifiedGpu::run).
pub fn run(request: impl Into<Arc<Request>>, choice: BackendChoice) -> Result<RunResult, Error> {
    if choice == BackendChoice::WebGpu {
        let rule = "a run that nobody waits for is on the processor; ask for \"auto\" or \"cpu\"";
        let code = Code::BackendUnavailable;
        return Err(Error::new(code, "backend", "\"webgpu\"", rule));
    }
    let mut job = Job::new(request)?;
    while job.advance() {}
    job.finish()
}
