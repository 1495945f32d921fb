//! The page's setting at any length: as a plan, and as a request with random numbers to be timed.

use std::sync::Arc;

use ndarray::{Axis, concatenate};

use crate::state::{Hiding, ScoringKind, State, request_builder};
use attention::complexity::{
    BYTES_PER_NUMBER, Count, Dims, Measure, Memory, sum, tile_bytes, total, visible_cells,
    without_hidden,
};
use attention::plan::{Operation, Plan, Stage, Step};
use attention::text::embedding;
use attention::{
    CallOptions, Config, Error, InputKind, Layer as Weighted, Mask, Outputs, Request, Scoring,
    Sizes,
};

/// Width of the convolution's kernel, for comparison.
const KERNEL: f64 = 3.0;

/// Everything of a state that its cost depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct CostSetting {
    /// Sizes and switches at the state's own lengths.
    pub config: Config,
    /// Sizes of the closed formulas.
    pub dims: Dims,
    /// Cells of the score matrices that the mask leaves visible, painted ones included.
    pub visible: u64,
    /// Whether a sparse kernel could skip hidden cells; `false` where hidden scores are overwritten
    /// and take part.
    skips: bool,
    /// Whether a graphics card leaves out blocks that a causal mask hides altogether.
    pub leaves_out_later: bool,
    grown: Grown,
    /// The structured mask, which holds at every length.
    mask: Mask,
}

/// Cost of the plan as a function of n, so that a curve does not need a plan for each point.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Grown {
    flops: Parabola,
    /// FLOPs of each [`CostPart`].
    parts: [Parabola; 2],
    /// Bytes held beside the tile.
    held: Parabola,
}

/// `a + b·n + c·n²`. Every count of a plan is a sum of products of lengths, at most two of which are n.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Parabola([f64; 3]);

impl Parabola {
    /// The one that `count` lies on.
    fn through(count: impl Fn(usize) -> u64) -> Self {
        let [at_0, at_1, at_2] = [0, 1, 2].map(|n| count(n) as f64);
        let square = (at_2 - 2.0 * at_1 + at_0) / 2.0;
        Self([at_0, at_1 - at_0 - square, square])
    }

    fn at(&self, n: f64) -> f64 {
        let [constant, line, square] = self.0;
        constant + n * (line + n * square)
    }
}

/// A part of a setting whose growth is looked at by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostPart {
    /// Products with `W_Q`, `W_K`, `W_V` and `W_O`: linear in n.
    Projections,
    /// Scores, mask, softmax and weighted sums: quadratic in n, but for Linformer's.
    Attention,
}

impl CostPart {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Projections, Self::Attention];

    fn flops(self, plan: &Plan) -> u64 {
        let steps = plan.steps().iter();
        let own = steps.filter(|step| self.holds(step.operation));
        sum(own.map(|step| Count::from_cost(&step.cost))).flops
    }

    const fn holds(self, operation: Operation) -> bool {
        match self {
            Self::Attention => matches!(operation.stage(), Stage::Attend),
            Self::Projections => matches!(
                operation,
                Operation::ProjectQueries
                    | Operation::ProjectKeys
                    | Operation::ProjectValues
                    | Operation::ProjectOutput
            ),
        }
    }
}

/// A step of the plan and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The step.
    pub step: Step,
    /// Its cost as our kernels do it: hidden cells cost as much as visible ones.
    pub dense: Count,
    /// Its cost in a kernel that leaves hidden cells out.
    pub sparse: Count,
    /// Bytes of what it makes: for scores and weights, the whole score matrices of all heads.
    pub made: u64,
    /// Its share of all FLOPs, 0…1.
    pub share: f64,
}

impl CostSetting {
    /// Cost setting of a state with `n` queries and `m` keys.
    pub fn from_state(state: &State, n: usize, m: usize) -> Self {
        let mask = request_builder::mask(state, m);
        let everywhere = request_builder::mask(&unpainted(state), usize::MAX);
        let is_added = request_builder::is_added(state, &mask);
        let hiding = |mask| if is_added { Mask::Full } else { mask };
        let (mask, everywhere) = (hiding(mask), hiding(everywhere));
        let made = request_builder::sizes(state, n, m);
        let config = Config {
            sizes: made.sizes,
            input: made.input,
            scoring: match state.scoring {
                ScoringKind::Dot => Scoring::Dot,
                ScoringKind::Additive => Scoring::Additive,
            },
            scale: 1.0,
            position: request_builder::position(state),
            norms: false,
            cap: None,
            bias_matrices: is_added.then_some(1),
            masked: !mask.is_full(),
            mask_after: state.hiding == Hiding::AfterSoftmax && !mask.is_full(),
            temperature: request_builder::temperature(state),
            linformer: state.linformer,
            output: made.has_output,
            biases: made.biases,
        };
        let skips = state.hiding != Hiding::Written;
        Self {
            dims: dims(state, &made.sizes),
            visible: visible_cells(&mask, &made.sizes),
            skips,
            leaves_out_later: skips && !config.mask_after && mask.is_causal(),
            grown: Grown {
                flops: Parabola::through(|n| total(&at(&config, &everywhere, n)).flops),
                parts: CostPart::ALL
                    .map(|part| Parabola::through(|n| part.flops(&at(&config, &everywhere, n)))),
                held: Parabola::through(|n| {
                    let memory = Memory::from_plan(&at(&config, &everywhere, n));
                    memory.peak() - memory.tile
                }),
            },
            mask: everywhere,
            config,
        }
    }

    /// Whether both are the same at other lengths, so that what was measured of one holds for the other.
    pub fn measures_as(&self, other: &Self) -> bool {
        let plan = |setting: &Self| setting.at(super::MOST);
        plan(self) == plan(other) && self.mask == other.mask
    }

    /// The plan at the state's own lengths.
    pub fn plan(&self) -> Plan {
        Plan::full(&self.config)
    }

    /// The plan of `n` queries and `n` keys.
    pub fn at(&self, n: usize) -> Plan {
        at(&self.config, &self.mask, n)
    }

    /// Cost at `n`, which may be fractional, of the computation on this page: FLOPs of all cells,
    /// bytes with tiling.
    pub fn amount(&self, measure: Measure, n: f64) -> f64 {
        match measure {
            Measure::Memory => {
                let whole = config_at(&self.config, &self.mask, n.round() as usize);
                self.grown.held.at(n) + tile_bytes(&whole) as f64
            }
            Measure::Flops | Measure::Leading => self.grown.flops.at(n),
        }
    }

    /// FLOPs of a part of it at `n`, which need not be whole.
    pub fn part(&self, part: CostPart, n: f64) -> f64 {
        self.grown.parts[part as usize].at(n)
    }

    /// Every step with its cost.
    pub fn items(&self) -> Vec<Item> {
        let plan = self.plan();
        let all = total(&plan).flops.max(1) as f64;
        let item = |step: &Step| {
            let dense = Count::from_cost(&step.cost);
            Item {
                step: step.clone(),
                dense,
                sparse: self.sparse_step(&plan, step),
                made: BYTES_PER_NUMBER * step.cost.writes,
                share: dense.flops as f64 / all,
            }
        };
        plan.steps().iter().map(item).collect()
    }

    fn sparse_step(&self, plan: &Plan, step: &Step) -> Count {
        if self.skips {
            without_hidden(plan, step, self.visible)
        } else {
            Count::from_cost(&step.cost)
        }
    }
}

fn config_at(config: &Config, mask: &Mask, n: usize) -> Config {
    let mut config = *config;
    (config.sizes.n, config.sizes.m) = (n, n);
    if !config.linformer {
        config.sizes.keys = n;
    }
    config.masked = !mask.is_full();
    config.mask_after &= config.masked;
    config
}

fn at(config: &Config, mask: &Mask, n: usize) -> Plan {
    Plan::full(&config_at(config, mask, n))
}

fn dims(state: &State, sizes: &Sizes) -> Dims {
    let number = |number: usize| number as f64;
    Dims {
        d_model: number(state.d_model),
        heads: number(state.heads),
        d_k: number(state.d_k),
        d_out: number(sizes.d_out),
        window: number(state.window),
        stride: number(state.stride.max(1)),
        projected: number(state.projected),
        kernel: KERNEL,
    }
}

/// Returns `state` without painted cells, which belong to the cells of one text.
fn unpainted(state: &State) -> State {
    State {
        paint: Default::default(),
        ..state.clone()
    }
}

/// Request for the mechanism of a state on `n` random inputs; its only result is the output.
///
/// Weights are random too: scores of hand-built heads may be large, for which kernels take another
/// path.
///
/// # Errors
/// Only for a state that was not validated.
pub fn measured(state: &State, n: usize) -> Result<Request, Error> {
    let state = State {
        origin: crate::state::Origin::Random,
        ..unpainted(state)
    };
    let rows = |first: usize, width: usize| {
        let words: Vec<String> = (first..first + n).map(|at| at.to_string()).collect();
        embedding::embeddings(&words, width, state.seed).insert_axis(Axis(0))
    };
    let call = CallOptions {
        want: Outputs {
            output: true,
            ..Outputs::NOTHING
        },
        ..request_builder::call(&state, (n, n))
    };
    let made = request_builder::sizes(&state, n, n);
    if made.input == InputKind::Given {
        let heads = |heads, width| {
            let rows: Vec<_> = (0..heads).map(|head| rows(head * n, width)).collect();
            let rows: Vec<_> = rows.iter().map(|rows| rows.view()).collect();
            concatenate(Axis(0), &rows).unwrap_or_default()
        };
        let sizes = &made.sizes;
        let qkv = [
            heads(sizes.heads, sizes.d_k),
            heads(sizes.kv_heads, sizes.d_k),
            heads(sizes.kv_heads, sizes.d_v),
        ];
        return Request::from_heads(
            request_builder::given(&state, qkv),
            request_builder::options(&state),
            call,
        );
    }
    let layer = Arc::new(Weighted::new(
        request_builder::weights(&state)?,
        request_builder::options(&state),
    )?);
    let source = state.second.as_ref().map(|_| rows(n, state.d_model));
    Request::new(layer, rows(0, state.d_model), source, call)
}

#[cfg(test)]
mod tests;
