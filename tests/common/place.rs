//! Where a request is computed, and how close to the truth that place promises to come.

use attention::analysis::HeadStats;
use attention::{Request, Trace};
use engine::{BackendChoice, run};

use super::gpu;
use ::gpu::Tier;

/// One of the places that a request can be computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Cpu,
    Gpu(Tier),
}

/// How far results may be from the 64-bit reference; all but weights relative to the numbers that they are sums of
/// ([`Magnitudes`](super::exact::Magnitudes)).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Regression {
    pub weights: f64,
    /// Of the output and the context.
    pub output: f64,
    /// Of queries, keys and values.
    pub projections: f64,
    pub scores: f64,
}

/// Results of a run, on any place.
pub(crate) struct Computed {
    pub trace: Trace<f32>,
    pub stats: Option<Vec<Vec<HeadStats>>>,
}

impl Place {
    /// Every place: the GPU with the kernels of either tier, where there is one.
    pub(crate) fn all() -> Vec<Self> {
        let tiers = [Tier::Software, Tier::Hardware].map(Self::Gpu);
        let gpu = gpu::is_there().then_some(tiers).into_iter().flatten();
        std::iter::once(Self::Cpu).chain(gpu).collect()
    }

    /// How far weights may be from the 64-bit reference.
    pub(crate) fn weights(self) -> f64 {
        self.pick(1e-5, 1e-4)
    }

    /// How far the output may be, relative to its largest value.
    pub(crate) fn output(self) -> f64 {
        self.pick(1e-4, 1e-3)
    }

    /// How far two results may be apart that would be equal but for the order in which they were added up.
    pub(crate) fn alike(self) -> f64 {
        self.pick(1e-6, 1e-5)
    }

    /// Regression bounds on today's results, tighter than the guaranteed ones: four times the
    /// largest error over all cases of these tests, so that a kernel that loses two digits fails.
    pub(crate) fn regression(self) -> Regression {
        Regression {
            weights: self.pick(1e-5, 2e-5),
            output: self.pick(5e-6, 9e-6),
            projections: 8e-7,
            scores: self.pick(2.4e-5, 1e-5),
        }
    }

    fn pick(self, cpu: f64, gpu: f64) -> f64 {
        if self == Self::Cpu { cpu } else { gpu }
    }

    /// Runs `request` to its end.
    pub(crate) fn compute(self, request: &Request) -> Computed {
        match self {
            Self::Cpu => {
                let outcome =
                    run(request.clone(), BackendChoice::Cpu).expect("a case fits into memory");
                Computed {
                    trace: outcome.trace,
                    stats: outcome.stats,
                }
            }
            Self::Gpu(tier) => {
                gpu::compute(tier, request).unwrap_or_else(|fault| panic!("{tier:?}: {fault}"))
            }
        }
    }
}
