//! Checks a GPU before use: small attentions, compared with the 64-bit reference.

wasm_chunks::chunk!("gpu");

mod cases;
mod models;

use std::sync::Arc;

use ndarray::{Array, Array1, Dimension};

use super::{GpuJob, Reason, RunResult};
use attention::analysis::HeadStats;
use attention::{Outputs, Request, Trace, reference};
use gpu::Gpu;

pub(super) use models::check_models;
pub use models::configs as model_configs;

/// Error bound of weights with WebGPU: an absolute difference.
pub const WEIGHTS_ALLOWED: f64 = 1e-4;

/// Error bound of all other results with WebGPU, relative to the largest number.
pub const OTHERS_ALLOWED: f64 = 1e-3;

/// Computes every case and compares every result.
///
/// # Errors
/// [`Reason::ProbeFailed`] with the worst difference, or the device's own error.
pub(super) async fn check(gpu: &Gpu) -> Result<(), Reason> {
    let mut worst = Gap::NONE;
    for request in requests()? {
        let mut job = GpuJob::new(gpu, request.clone())?;
        while job.advance().await? {}
        let (trace, stats) = job.into_results();
        worst = worst.or(gap(&trace, &request));
        worst = worst.or(measures_gap(stats.as_deref(), &request));
    }
    worst.verdict()
}

/// The cases, as a test computes them too.
///
/// # Errors
/// [`Reason::Rejected`] for a case that is none; a test keeps that from happening.
pub fn requests() -> Result<Vec<Arc<Request>>, Reason> {
    cases::requests().map_err(|error| Reason::Rejected {
        detail: error.to_string(),
    })
}

/// How far results are from the reference, and how far they may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    difference: f64,
    allowed: f64,
}

impl Gap {
    const NONE: Self = Self {
        difference: 0.0,
        allowed: WEIGHTS_ALLOWED,
    };

    /// The worse of both.
    fn or(self, other: Self) -> Self {
        if self.share() < other.share() {
            other
        } else {
            self
        }
    }

    fn share(self) -> f64 {
        self.difference / self.allowed
    }

    /// # Errors
    /// [`Reason::ProbeFailed`] where the gap is larger than allowed.
    pub fn verdict(self) -> Result<(), Reason> {
        if self.difference <= self.allowed {
            Ok(())
        } else {
            Err(Reason::ProbeFailed {
                difference: self.difference,
                allowed: self.allowed,
            })
        }
    }
}

/// The worst gap between `trace` and the reference's results for `request`.
pub fn gap(trace: &Trace<f32>, request: &Request) -> Gap {
    let exact = wanted(reference::compute(request), &request.call().want);
    let same_rows = Gap {
        difference: trace.empty_rows.abs_diff(exact.empty_rows) as f64,
        ..Gap::NONE
    };
    let relative = [
        (numbers(&trace.q), numbers(&exact.q)),
        (numbers(&trace.k), numbers(&exact.k)),
        (numbers(&trace.v), numbers(&exact.v)),
        (numbers(&trace.scores), numbers(&exact.scores)),
        (numbers(&trace.context), numbers(&exact.context)),
        (numbers(&trace.output), numbers(&exact.output)),
    ];
    let weights = Gap {
        difference: largest_difference(numbers(&trace.weights), numbers(&exact.weights)),
        allowed: WEIGHTS_ALLOWED,
    };
    let relative = relative.map(|(found, exact)| relative_gap(found, exact));
    relative.into_iter().fold(same_rows.or(weights), Gap::or)
}

/// The worst gap between measures and those of the reference's weights. Which bin a weight falls into, and which of two keys comes
/// first, may hang on its last digit: counts are compared by their sum, keys not at all.
pub fn measures_gap(stats: Option<&[Vec<HeadStats>]>, request: &Request) -> Gap {
    let want = request.call().want.stats;
    let exact = reference::compute(request).weights.filter(|_| want);
    let exact =
        exact.and_then(|weights| RunResult::of_weights(weights.mapv(|weight| weight as f32)).stats);
    let [found, exact] = [stats, exact.as_deref()].map(|stats| stats.map(MeasuredHeads::new));
    let (found, exact) = match (found, exact) {
        (Some(found), Some(exact)) => (found, exact),
        (None, None) => return Gap::NONE,
        _ => {
            return Gap {
                difference: f64::INFINITY,
                ..Gap::NONE
            };
        }
    };
    let counts = found.counts.iter().zip(&exact.counts);
    let miscounted = counts.map(|(found, exact)| found.abs_diff(*exact)).max();
    let miscounted = Gap {
        difference: f64::from(miscounted.unwrap_or(0)),
        ..Gap::NONE
    };
    let found = Some(found.numbers.mapv(|number| number as f32));
    miscounted.or(relative_gap(numbers(&found), numbers(&Some(exact.numbers))))
}

/// Measures of all heads in a row.
struct MeasuredHeads {
    /// Weights in all bins of each head.
    counts: Vec<u32>,
    numbers: Array1<f64>,
}

impl MeasuredHeads {
    fn new(heads: &[Vec<HeadStats>]) -> Self {
        let heads = || heads.iter().flatten();
        Self {
            counts: heads().map(|head| head.histogram.iter().sum()).collect(),
            numbers: heads().flat_map(of_head).collect(),
        }
    }
}

fn of_head(head: &HeadStats) -> Vec<f64> {
    let others = head.most_attended_other.iter();
    let others = others.map(|other| other.map_or(0.0, |(_, weight)| f64::from(weight)));
    let own = head.self_weight.iter().copied().map(f64::from);
    let means = [
        head.diagonal_mean,
        head.off_diagonal_mean,
        head.entropy_mean,
    ];
    let entropies = head.entropy_per_query.iter().copied();
    means
        .into_iter()
        .chain(entropies)
        .chain(others)
        .chain(own)
        .collect()
}

fn wanted(trace: Trace<f64>, want: &Outputs) -> Trace<f64> {
    Trace {
        q: trace.q.filter(|_| want.q),
        k: trace.k.filter(|_| want.k),
        v: trace.v.filter(|_| want.v),
        scores: trace.scores.filter(|_| want.scores),
        weights: trace.weights.filter(|_| want.weights),
        context: trace.context.filter(|_| want.context),
        output: trace.output.filter(|_| want.output),
        empty_rows: trace.empty_rows,
    }
}

/// The numbers of a tensor in a row, with its shape; `None` where it is not there.
type Numbers<'a, T> = Option<(&'a [usize], &'a [T])>;

fn numbers<T, D: Dimension>(tensor: &Option<Array<T, D>>) -> Numbers<'_, T> {
    let tensor = tensor.as_ref()?;
    Some((tensor.shape(), tensor.as_slice()?))
}

/// A difference as a share of the largest number of the reference.
fn relative_gap(found: Numbers<f32>, exact: Numbers<f64>) -> Gap {
    let values = exact.map_or(&[][..], |(_, values)| values);
    let largest = values
        .iter()
        .fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let difference = largest_difference(found, exact);
    Gap {
        difference: if largest > 0.0 {
            difference / largest
        } else {
            difference
        },
        allowed: OTHERS_ALLOWED,
    }
}

/// Infinite where a number is missing or is none.
fn largest_difference(found: Numbers<f32>, exact: Numbers<f64>) -> f64 {
    let (found, exact) = match (found, exact) {
        (Some((shape, found)), Some((wanted, exact)))
            if shape == wanted && found.len() == exact.len() =>
        {
            (found, exact)
        }
        (None, None) => return 0.0,
        _ => return f64::INFINITY,
    };
    let differences = found
        .iter()
        .zip(exact)
        .map(|(found, exact)| (f64::from(*found) - exact).abs());
    differences.fold(0.0, |largest: f64, difference| {
        if difference.is_nan() {
            f64::INFINITY
        } else {
            largest.max(difference)
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::mem::discriminant;

    use ndarray::Array4;

    use super::*;
    use crate::{BackendChoice, run};
    use attention::plan::Plan;
    use attention::{InputKind, Mask};

    fn cases() -> Vec<Arc<Request>> {
        requests().expect("every case is valid")
    }

    fn computed(request: &Arc<Request>) -> Trace<f32> {
        let outcome = run(request.clone(), BackendChoice::Cpu);
        outcome.expect("a case fits into memory").trace
    }

    #[test]
    fn the_cases_contain_every_operation_and_way_in() {
        let (mut operations, mut inputs) = (HashSet::new(), HashSet::new());
        for request in cases() {
            let plan = Plan::for_results(request.config(), &Outputs::ALL);
            operations.extend(plan.steps().iter().map(|step| step.operation));
            inputs.insert(discriminant(&request.config().input));
        }
        // All that there are, positions on each of their three sides.
        assert_eq!(operations.len(), 21, "{operations:?}");
        assert!(inputs.contains(&discriminant(&InputKind::Given)));
        assert_eq!(inputs.len(), 3);
    }

    #[test]
    fn a_sound_backend_passes() {
        for request in cases() {
            assert_eq!(gap(&computed(&request), &request).verdict(), Ok(()));
        }
    }

    #[test]
    fn scores_reach_ten_thousand_and_the_end_of_the_range() {
        let mut largest: Vec<f64> = cases()
            .iter()
            .filter_map(|request| reference::compute(request).scores)
            .map(|scores| scores.iter().fold(0.0, |most: f64, s| most.max(s.abs())))
            .collect();
        largest.sort_by(f64::total_cmp);
        let [.., thousands, most] = largest[..] else {
            panic!("two cases");
        };
        assert!((5e3..2e4).contains(&thousands), "{thousands}");
        assert!((2e38..f64::from(f32::MAX)).contains(&most), "{most}");
    }

    #[test]
    fn scores_rounded_to_32_bits_would_not_pass() {
        let is_found_out = cases().iter().any(|request| {
            let exact = reference::compute(request);
            let scores = exact.scores.as_ref().expect("wanted");
            let rounded = scores.mapv(|score| f64::from(score as f32));
            let weights = exact.weights.as_ref().expect("wanted");
            rows_of(&rounded)
                .zip(rows_of(weights))
                .any(|(scores, weights)| {
                    let largest = scores.iter().copied().fold(f64::MIN, f64::max);
                    let sum: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
                    let found = scores.iter().map(|score| (score - largest).exp() / sum);
                    let far = |(found, exact): (f64, &f64)| (found - exact).abs() > WEIGHTS_ALLOWED;
                    request.call().mask == Mask::Full && found.zip(&weights).any(far)
                })
        });
        assert!(is_found_out);
    }

    fn rows_of(tensor: &Array4<f64>) -> impl Iterator<Item = Vec<f64>> {
        tensor.rows().into_iter().map(|row| row.to_vec())
    }

    /// One wrong number in any tensor, too large or none at all, fails.
    #[test]
    fn a_wrong_number_fails_by_how_much_it_is_wrong() {
        let request = &cases()[0];
        for (wrong, least, most) in [(0.5, 1e-3, 1e3), (f32::NAN, f64::INFINITY, f64::INFINITY)] {
            for tensor in 0..7 {
                let mut trace = computed(request);
                spoil(&mut trace, tensor, wrong);
                let Err(Reason::ProbeFailed {
                    difference,
                    allowed,
                }) = gap(&trace, request).verdict()
                else {
                    panic!("tensor {tensor} passed with {wrong}");
                };
                assert!((least..=most).contains(&difference), "{difference}");
                assert_eq!(allowed, if tensor == 4 { 1e-4 } else { 1e-3 });
            }
        }
    }

    #[test]
    fn measures_that_lack_or_are_off_fail() {
        let request = &cases()[0];
        let computed = run(request.clone(), BackendChoice::Cpu).expect("a case fits into memory");
        let sound = computed.stats.expect("wanted");
        assert_eq!(measures_gap(Some(&sound), request).verdict(), Ok(()));
        assert!(measures_gap(None, request).verdict().is_err());
        let spoils: [fn(&mut HeadStats); 4] = [
            |head| head.entropy_per_query[0] += 0.5,
            |head| head.self_weight[0] += 0.5,
            |head| head.histogram[3] += 1,
            |head| head.off_diagonal_mean = f64::NAN,
        ];
        for spoil in spoils {
            let mut stats = sound.clone();
            spoil(&mut stats[0][1]);
            assert!(measures_gap(Some(&stats), request).verdict().is_err());
        }
    }

    #[test]
    fn a_missing_tensor_or_another_count_of_empty_rows_fails() {
        let request = &cases()[1];
        let (mut without, mut uncounted) = (computed(request), computed(request));
        without.context = None;
        uncounted.empty_rows = 0;
        assert!(gap(&without, request).verdict().is_err());
        assert!(gap(&uncounted, request).verdict().is_err());
    }

    fn spoil(trace: &mut Trace<f32>, tensor: usize, by: f32) {
        let four = [
            &mut trace.q,
            &mut trace.k,
            &mut trace.v,
            &mut trace.scores,
            &mut trace.weights,
            &mut trace.context,
        ];
        match four.into_iter().nth(tensor) {
            Some(tensor) => *tensor.iter_mut().flatten().next().expect("a number") += by,
            None => *trace.output.iter_mut().flatten().next().expect("a number") += by,
        }
    }
}
