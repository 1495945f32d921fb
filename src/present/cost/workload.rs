//! The page's setting as a plan at any length, without any numbers, and as a request of random ones to be measured.

use std::sync::Arc;

use ndarray::{Axis, concatenate};

use crate::state::{Hiding, ScoringKind, State, request_builder};
use attention::complexity::{
    BYTES_PER_NUMBER, Count, Dims, Measure, Memory, tile_bytes, total, visible_cells,
    without_hidden,
};
use attention::plan::{Plan, Step};
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
    /// What a sparse kernel would leave out: nothing where hidden scores are written over and take part.
    skips: bool,
    /// Whether a graphics card leaves out blocks that a causal mask hides altogether.
    pub leaves_out_later: bool,
    grown: Grown,
    /// The structured mask, which holds at every length.
    mask: Mask,
}

/// What the plan takes at any n, so that curves need no plan for each of their places.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Grown {
    flops: Parabola,
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
    /// The cost side of a state with `n` queries and `m` keys.
    pub fn from_state(state: &State, n: usize, m: usize) -> Self {
        let mask = request_builder::mask(state, m);
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
            masked: !mask.is_full(),
            mask_after: state.hiding == Hiding::AfterSoftmax && !mask.is_full(),
            temperature: request_builder::temperature(state),
            linformer: state.linformer,
            output: made.has_output,
        };
        let everywhere = request_builder::mask(&unpainted(state), usize::MAX);
        let skips = state.hiding != Hiding::Written;
        Self {
            dims: dims(state, &made.sizes),
            visible: visible_cells(&mask, &made.sizes),
            skips,
            leaves_out_later: skips && !config.mask_after && mask.is_causal(),
            grown: Grown {
                flops: Parabola::through(|n| total(&at(&config, &everywhere, n)).flops),
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

    /// What it takes at `n`, which need not be whole, as it is computed here: FLOPs with every cell, bytes tile by tile.
    pub fn amount(&self, measure: Measure, n: f64) -> f64 {
        match measure {
            Measure::Memory => {
                let whole = config_at(&self.config, &self.mask, n.round() as usize);
                self.grown.held.at(n) + tile_bytes(&whole) as f64
            }
            Measure::Flops | Measure::Leading => self.grown.flops.at(n),
        }
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
        match self.skips {
            true => without_hidden(plan, step, self.visible),
            false => Count::from_cost(&step.cost),
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

/// What is painted belongs to the cells of one text.
fn unpainted(state: &State) -> State {
    State {
        paint: Default::default(),
        ..state.clone()
    }
}

/// The mechanism of a state on `n` random inputs, wanting its output and nothing else.
///
/// Weights are random too: scores of hand-built heads may be large, which takes another way through the kernels.
///
/// # Errors
/// Only for a state that did not come through its door.
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
        ..request_builder::call(&state, n)
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
        request_builder::weights(&state),
        request_builder::options(&state),
    )?);
    let source = state.second.as_ref().map(|_| rows(n, state.d_model));
    Request::new(layer, rows(0, state.d_model), source, call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;
    use attention::CellIndex;
    use attention::complexity::score_matrix_bytes;
    use attention::plan::{Operation, Stage};

    const LINKS: [&str; 9] = [
        "",
        "mask=causal",
        "mask=local,strided&window=3&hiding=after",
        "mask=padding&valid=3&hiding=written",
        "scoring=additive&positions=alibi&temperature=0.5",
        "positions=rotary&kv_heads=2&weights=random&d_k=7",
        "linformer=1&projected=5&mask=causal&positions=alibi",
        "source=two+cats&text=three+small+dogs&positions=none",
        "mask=causal&hiding=after&d_model=32",
    ];

    fn each(act: impl Fn(&State, &CostSetting, &str)) {
        for link in LINKS {
            let (state, notes) = url::parse(&format!("v=1&{link}"));
            assert!(notes.is_empty(), "{link}: {notes:?}");
            let sides = request_builder::tokens(&state);
            let (n, m) = (sides.queries.words.len(), sides.keys().words.len());
            act(&state, &CostSetting::from_state(&state, n, m), link);
        }
    }

    #[test]
    fn the_plan_is_that_of_the_request() {
        each(|state, setting, link| {
            let request = request_builder::request(state).expect("a state is valid");
            let wanted = Plan::full(request.config());
            assert_eq!(setting.plan().steps(), wanted.steps(), "{link}");
        });
    }

    #[test]
    fn what_is_measured_is_the_plan_of_that_length() {
        each(|state, setting, link| {
            let request = measured(state, 70).expect("a state is valid");
            let wanted = Plan::full(request.config());
            assert_eq!(setting.at(70).steps(), wanted.steps(), "{link}");
            assert_eq!(
                request.call().want,
                Outputs {
                    output: true,
                    ..Outputs::NOTHING
                }
            );
        });
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let (state, _) = url::parse("v=1&seed=7");
        assert_eq!(measured(&state, 65), measured(&state, 65));
        let (other, _) = url::parse("v=1&seed=8");
        assert_ne!(measured(&state, 65), measured(&other, 65));
    }

    #[test]
    fn visible_cells_are_counted_with_what_is_painted() {
        let (mut state, _) = url::parse("v=1&mask=causal&text=a+b+c+d");
        state.paint.set(0, 3, Some(true));
        let setting = CostSetting::from_state(&state, 4, 4);
        let mask = request_builder::mask(&state, 4);
        let cells = (0..16).filter(|cell| {
            let (batch, head) = (0, 0);
            mask.visible(CellIndex {
                batch,
                head,
                query: cell / 4,
                key: cell % 4,
            })
        });
        assert_eq!(setting.visible, 4 * cells.count() as u64);
        assert_eq!(setting.visible, 4 * 11);
    }

    #[test]
    fn a_sparse_kernel_saves_nothing_where_hidden_cells_take_part() {
        let sparse = |link: &str| -> (u64, u64) {
            let (state, _) = url::parse(link);
            let setting = CostSetting::from_state(&state, 11, 11);
            let sparse = setting.items().iter().map(|item| item.sparse.flops).sum();
            (sparse, total(&setting.plan()).flops)
        };
        let (written, dense) = sparse("v=1&mask=causal&hiding=written");
        assert_eq!(written, dense);
        let (out, dense) = sparse("v=1&mask=causal");
        assert!(out < dense);
        let (after, dense) = sparse("v=1&mask=causal&hiding=after");
        assert!(out < after && after < dense);
    }

    #[test]
    fn curves_of_the_setting_are_what_its_plans_say() {
        each(|_, setting, link| {
            for n in [3, 64, 100, 777, 1024, 4096, 16_384] {
                let (plan, at) = (setting.at(n), n as f64);
                let [flops, bytes] =
                    [Measure::Flops, Measure::Memory].map(|measure| setting.amount(measure, at));
                assert_eq!(flops, total(&plan).flops as f64, "{link} n = {n}");
                assert_eq!(
                    bytes,
                    Memory::from_plan(&plan).peak() as f64,
                    "{link} n = {n}"
                );
            }
        });
    }

    #[test]
    fn what_scores_and_weights_make_is_the_whole_score_matrix() {
        each(|_, setting, link| {
            for item in setting.items() {
                if item.step.operation.stage() == Stage::Attend
                    && item.step.operation != Operation::WeightedSum
                {
                    let matrix = score_matrix_bytes(&setting.plan());
                    assert_eq!(item.made, matrix, "{link}: {}", item.step);
                }
            }
        });
    }

    #[test]
    fn a_card_leaves_later_keys_out_only_where_they_are_left_out_of_the_softmax() {
        let leaves =
            |link: &str| CostSetting::from_state(&url::parse(link).0, 11, 11).leaves_out_later;
        assert!(leaves("v=1&mask=causal") && leaves("v=1&mask=causal,local&window=2"));
        for link in [
            "v=1",
            "v=1&mask=local&window=2",
            "v=1&mask=causal&hiding=written",
            "v=1&mask=causal&hiding=after",
            "v=1&mask=causal&linformer=1",
        ] {
            assert!(!leaves(link), "{link}");
        }
    }

    #[test]
    fn the_share_of_all_steps_is_everything() {
        each(|_, setting, link| {
            let sum: f64 = setting.items().iter().map(|item| item.share).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{link}");
        });
    }
}
