//! Results of a run for the page, and how its measures are packed for messages between worker and
//! window.

use ndarray::{Array, Array4, Dimension, s};

use super::{Backend, Reason, RunResult};
use attention::analysis::{BINS, HeadStats};
use attention::complexity::{self, Memory};
use attention::plan::Plan;
use attention::{Config, Request, kv_head_of};

/// Results that the page draws.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRun {
    /// `[heads, n, m]`.
    pub weights: Vec<f32>,
    /// One per head.
    pub stats: Vec<HeadStats>,
    /// Query heads.
    pub heads: usize,
    /// Query rows.
    pub n: usize,
    /// Key columns.
    pub m: usize,
    /// Queries that see no key.
    pub empty_rows: usize,
    /// Milliseconds that were spent on it.
    pub elapsed_ms: f64,
    /// Floating-point operations of the whole mechanism, counted from its plan.
    pub flops: f64,
    /// Bytes that it holds at once, all scores among them, counted from its plan:
    /// [`Memory::naive`](attention::complexity::Memory::naive).
    pub memory: f64,
    /// `[n, d_out]`, where it was wanted.
    pub output: Option<Vec<f32>>,
    /// The chosen head's own matrices, where they were wanted.
    pub parts: Option<HeadMatrices>,
    /// Where it was computed.
    pub ran: RunInfo,
}

/// Where a run was computed.
#[derive(Debug, Clone, PartialEq)]
pub struct RunInfo {
    /// The backend.
    pub backend: Backend,
    /// The adapter's name, for a run on WebGPU.
    pub adapter: Option<String>,
    /// Why the run was not on WebGPU.
    pub reason: Option<Reason>,
}

/// Cost of all steps of a run, whether their results are requested or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunCost {
    /// Floating-point operations.
    pub flops: f64,
    /// Bytes that it holds at once: [`Memory::naive`].
    pub memory: f64,
}

impl RunCost {
    /// Of imported weights.
    pub const NOTHING: Self = Self {
        flops: 0.0,
        memory: 0.0,
    };

    /// Counted from the plan of `request`.
    pub fn from_request(request: &Request) -> Self {
        Self::from_config(request.config())
    }

    /// Counted from the plan of `config`.
    pub fn from_config(config: &Config) -> Self {
        let plan = Plan::full(config);
        Self {
            flops: complexity::total(&plan).flops as f64,
            memory: Memory::from_plan(&plan).naive() as f64,
        }
    }
}

impl PageRun {
    /// Builds the page's results from a run, with the matrices of `head`.
    pub fn from_result(
        result: RunResult,
        head: usize,
        cost: RunCost,
        ran: RunInfo,
        ms: f64,
    ) -> Self {
        let parts = HeadSlices::from_result(&result, head).map(|slices| slices.to_owned(head));
        let RunResult {
            trace,
            stats,
            sizes,
            ..
        } = result;
        Self {
            weights: trace.weights.map(in_rows).unwrap_or_default(),
            stats: stats.into_iter().flatten().flatten().collect(),
            heads: sizes.heads,
            n: sizes.n,
            m: sizes.keys,
            empty_rows: trace.empty_rows,
            elapsed_ms: ms,
            flops: cost.flops,
            memory: cost.memory,
            output: trace.output.map(in_rows),
            parts,
            ran,
        }
    }
}

/// The numbers of a tensor row by row; executors leave them in this order.
fn in_rows<D: Dimension>(tensor: Array<f32, D>) -> Vec<f32> {
    tensor.into_raw_vec_and_offset().0
}

impl RunInfo {
    /// On the processor, and why.
    pub const fn on_cpu(reason: Reason) -> Self {
        Self {
            backend: Backend::Cpu,
            adapter: None,
            reason: Some(reason),
        }
    }
}

/// Matrices of one head besides its weights, all row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadMatrices {
    /// The query head.
    pub head: usize,
    /// `[n, d_k]`.
    pub q: Vec<f32>,
    /// `[m, d_k]`, of the key/value head that this head reads.
    pub k: Vec<f32>,
    /// `[m, d_v]`, of the same.
    pub v: Vec<f32>,
    /// `[n, keys]`, scaled and biased, before the mask.
    pub scores: Vec<f32>,
    /// `[heads, n, d_v]`, of every head.
    pub context: Vec<f32>,
}

/// [`HeadMatrices`] where they lie in the result of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadSlices<'a> {
    /// `[n, d_k]`.
    pub q: &'a [f32],
    /// `[m, d_k]`.
    pub k: &'a [f32],
    /// `[m, d_v]`.
    pub v: &'a [f32],
    /// `[n, keys]`.
    pub scores: &'a [f32],
    /// `[heads, n, d_v]`.
    pub context: &'a [f32],
}

impl<'a> HeadSlices<'a> {
    /// Matrices of `head` in the batch's first entry; `None` if the run did not return all of them.
    pub fn from_result(result: &'a RunResult, head: usize) -> Option<Self> {
        let (trace, sizes) = (&result.trace, &result.sizes);
        let kv_head = kv_head_of(head, sizes.heads, sizes.kv_heads);
        // A device brings the scores of this head alone.
        let scored = trace.scores.as_ref().map_or(0, |scores| scores.dim().1);
        let slice = |all: &'a Option<Array4<f32>>, head: usize| {
            let all = all.as_ref()?;
            all.slice(s![0, head, .., ..]).to_slice()
        };
        Some(Self {
            q: slice(&trace.q, head)?,
            k: slice(&trace.k, kv_head)?,
            v: slice(&trace.v, kv_head)?,
            scores: slice(&trace.scores, head.min(scored.saturating_sub(1)))?,
            context: trace.context.as_ref()?.as_slice()?,
        })
    }
}

impl HeadSlices<'_> {
    fn to_owned(self, head: usize) -> HeadMatrices {
        HeadMatrices {
            head,
            q: self.q.to_vec(),
            k: self.k.to_vec(),
            v: self.v.to_vec(),
            scores: self.scores.to_vec(),
            context: self.context.to_vec(),
        }
    }
}

const MEANS: usize = 3;
const PER_QUERY: usize = 4;

/// The measures of all heads in one list. Each head has three means, the histogram, then four numbers for each query.
pub fn pack_stats<'a>(stats: impl IntoIterator<Item = &'a HeadStats>) -> Vec<f64> {
    stats.into_iter().flat_map(pack).collect()
}

/// The measures of heads with `n` queries each, as [`pack_stats`] wrote them.
pub fn unpack_stats(packed: &[f64], n: usize) -> Vec<HeadStats> {
    packed
        .chunks_exact(MEANS + BINS + n * PER_QUERY)
        .map(unpack)
        .collect()
}

fn pack(stats: &HeadStats) -> Vec<f64> {
    let mut packed = vec![
        stats.diagonal_mean,
        stats.off_diagonal_mean,
        stats.entropy_mean,
    ];
    packed.extend(stats.histogram.iter().map(|count| f64::from(*count)));
    let queries = stats
        .entropy_per_query
        .iter()
        .zip(&stats.most_attended_other)
        .zip(&stats.self_weight);
    for ((entropy, other), own) in queries {
        let (key, weight) =
            other.map_or((-1.0, 0.0), |(key, weight)| (key as f64, f64::from(weight)));
        packed.extend([*entropy, key, weight, f64::from(*own)]);
    }
    packed
}

fn unpack(packed: &[f64]) -> HeadStats {
    let (means, rest) = packed.split_at(MEANS);
    let (histogram, queries) = rest.split_at(BINS);
    let mut stats = HeadStats {
        diagonal_mean: means[0],
        off_diagonal_mean: means[1],
        entropy_mean: means[2],
        ..HeadStats::default()
    };
    for (bin, count) in stats.histogram.iter_mut().zip(histogram) {
        *bin = *count as u32;
    }
    for query in queries.chunks_exact(PER_QUERY) {
        stats.entropy_per_query.push(query[0]);
        stats
            .most_attended_other
            .push((query[1] >= 0.0).then_some((query[1] as usize, query[2] as f32)));
        stats.self_weight.push(query[3] as f32);
    }
    stats
}

#[cfg(test)]
mod tests {
    use super::*;
    use attention::Trace;

    fn stats(n: usize, seed: u32) -> HeadStats {
        let mut stats = HeadStats {
            diagonal_mean: f64::from(seed) + 0.125,
            off_diagonal_mean: 0.25,
            entropy_mean: 0.5,
            ..HeadStats::default()
        };
        for (bin, count) in stats.histogram.iter_mut().zip(seed..) {
            *bin = count;
        }
        for query in 0..n {
            // The first key is a key as any other; only a row that sees nothing has none.
            let other = (query % 3 != 1).then_some((query % 3, 0.1 * query as f32));
            stats.most_attended_other.push(other);
            stats.entropy_per_query.push(1.0 / (query + 1) as f64);
            stats.self_weight.push(0.3 + query as f32);
        }
        stats
    }

    #[test]
    fn measures_survive_packing_at_every_size() {
        for n in [0, 1, 2, 5, 17] {
            let heads: Vec<_> = (0..3).map(|head| stats(n, 100 * head)).collect();
            assert_eq!(unpack_stats(&pack_stats(&heads), n), heads, "{n} queries");
        }
        assert_eq!(unpack_stats(&[], 4), []);
    }

    /// A run of four query heads over two key/value heads, whose numbers say where they belong.
    fn result() -> RunResult {
        let numbered = |heads| Array::from_shape_fn((1, heads, 3, 2), |(_, head, ..)| head as f32);
        let weights = Array::zeros((1, 4, 3, 3));
        let mut result = RunResult::of_weights(weights);
        result.sizes.kv_heads = 2;
        result.trace = Trace {
            q: Some(numbered(4)),
            k: Some(numbered(2)),
            v: Some(numbered(2)),
            scores: Some(numbered(4)),
            context: Some(numbered(4)),
            ..result.trace
        };
        result
    }

    #[test]
    fn a_head_comes_with_the_keys_and_values_that_it_reads() {
        let result = result();
        for (head, kv_head) in [(0, 0.0), (1, 0.0), (2, 1.0), (3, 1.0)] {
            let slices = HeadSlices::from_result(&result, head).expect("all was wanted");
            assert_eq!(
                (slices.q, slices.scores),
                (&[head as f32; 6][..], &[head as f32; 6][..])
            );
            assert_eq!((slices.k, slices.v), (&[kv_head; 6][..], &[kv_head; 6][..]));
            assert_eq!(slices.context.len(), 4 * 3 * 2);
        }
    }

    #[test]
    fn scores_that_came_alone_are_those_of_the_head() {
        let mut result = result();
        result.trace.scores = Some(Array::from_elem((1, 1, 3, 2), 7.0));
        let slices = HeadSlices::from_result(&result, 2).expect("all was wanted");
        assert_eq!(slices.scores, [7.0; 6]);
    }

    #[test]
    fn a_head_without_one_of_its_matrices_has_none() {
        let leave_out: [fn(&mut Trace<f32>); 5] = [
            |trace| trace.q = None,
            |trace| trace.k = None,
            |trace| trace.v = None,
            |trace| trace.scores = None,
            |trace| trace.context = None,
        ];
        for leave_out in leave_out {
            let mut result = result();
            leave_out(&mut result.trace);
            assert_eq!(HeadSlices::from_result(&result, 0), None);
        }
    }
}
