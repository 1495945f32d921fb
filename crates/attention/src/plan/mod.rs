//! A description of an attention, made from its sizes and switches: executors run it, the cost is summed from it, the step view
//! lists it. Nothing is computed here.
//!
//! A [`Plan`] is a list of [`Step`]s in order. Each has an operation, the tensor it makes, its shape and its cost.
//! Steps have three [`Stage`]s: before the scores exist, once per tile of query rows, and after.

mod operation;
mod shape;
mod sink;
mod step;
mod tile;

use std::fmt;

pub use operation::{Operation, Side, Stage};
pub use shape::{Axis, Shape};
pub use sink::{RowSink, WeightRow, WeightRows};
pub use step::{Cost, Step};
pub use tile::tile_rows;

use crate::{Config, InputKind, Outputs, Position, Scoring};

/// The steps of one attention, in the order in which they run.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    config: Config,
    steps: Vec<Step>,
}

impl Plan {
    /// Every step of the mechanism that `config` describes.
    pub fn full(config: &Config) -> Self {
        Self::for_results(config, &Outputs::ALL)
    }

    /// The steps that the wanted results need, and no others: weights need no values, an output needs everything.
    pub fn for_results(config: &Config, want: &Outputs) -> Self {
        let needs = Needs::for_outputs(want);
        let steps = operations(config)
            .into_iter()
            .filter(|operation| needs.include(*operation))
            .map(|operation| Step::new(operation, config))
            .collect();
        Self {
            config: *config,
            steps,
        }
    }

    /// The configuration that the plan was made from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// All steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps of one stage, in order.
    pub fn stage(&self, stage: Stage) -> impl Iterator<Item = &Step> {
        self.steps
            .iter()
            .filter(move |step| step.operation.stage() == stage)
    }
}

impl fmt::Display for Plan {
    /// One step a line: `scores [heads 4, n 11, m 11] = Q·Kᵀ`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

/// Which parts of the mechanism the wanted results rest on.
struct Needs {
    queries: bool,
    keys: bool,
    values: bool,
    scores: bool,
    weights: bool,
    context: bool,
    output: bool,
}

impl Needs {
    fn for_outputs(want: &Outputs) -> Self {
        let output = want.output;
        let context = output || want.context;
        let weights = context || want.weights || want.stats;
        let scores = weights || want.scores;
        Self {
            queries: scores || want.q,
            keys: scores || want.k,
            values: context || want.v,
            scores,
            weights,
            context,
            output,
        }
    }

    fn include(&self, operation: Operation) -> bool {
        match operation {
            Operation::AddPositions(Side::Queries) | Operation::ProjectQueries => self.queries,
            Operation::AddPositions(Side::KeysValues) => self.keys || self.values,
            Operation::AddPositions(Side::Both) => self.queries || self.keys || self.values,
            Operation::NormQueries | Operation::RotateQueries => self.queries,
            Operation::ProjectKeys | Operation::NormKeys | Operation::RotateKeys => self.keys,
            Operation::ProjectValues => self.values,
            Operation::ShortenKeys
            | Operation::DotScores
            | Operation::AdditiveScores
            | Operation::Scale
            | Operation::Cap
            | Operation::Bias
            | Operation::AddBias => self.scores,
            Operation::Mask | Operation::Softmax | Operation::HideWeights => self.weights,
            Operation::ShortenValues | Operation::WeightedSum => self.context,
            Operation::MergeHeads | Operation::ProjectOutput => self.output,
        }
    }
}

/// The mechanism's operations in order.
fn operations(config: &Config) -> Vec<Operation> {
    let mut list = inputs(config);
    if config.norms {
        list.extend([Operation::NormQueries, Operation::NormKeys]);
    }
    if config.position.rotation().is_some() {
        list.extend([Operation::RotateQueries, Operation::RotateKeys]);
    }
    if config.linformer {
        list.extend([Operation::ShortenKeys, Operation::ShortenValues]);
    }
    match config.scoring {
        Scoring::Dot => list.extend([Operation::DotScores, Operation::Scale]),
        Scoring::Additive => list.push(Operation::AdditiveScores),
    }
    if config.cap.is_some() {
        list.push(Operation::Cap);
    }
    if config.position.has_penalty() {
        list.push(Operation::Bias);
    }
    if config.bias_matrices.is_some() {
        list.push(Operation::AddBias);
    }
    match (config.masked, config.mask_after) {
        (false, _) => list.push(Operation::Softmax),
        (true, false) => list.extend([Operation::Mask, Operation::Softmax]),
        (true, true) => list.extend([Operation::Softmax, Operation::HideWeights]),
    }
    list.extend([Operation::WeightedSum, Operation::MergeHeads]);
    if config.output {
        list.push(Operation::ProjectOutput);
    }
    list
}

fn inputs(config: &Config) -> Vec<Operation> {
    let mut list = Vec::new();
    if config.input == InputKind::Given {
        return list;
    }
    if config.position == Position::Sinusoidal {
        match config.input {
            InputKind::CrossAttention => {
                list.extend([Side::Queries, Side::KeysValues].map(Operation::AddPositions));
            }
            _ => list.push(Operation::AddPositions(Side::Both)),
        }
    }
    list.extend([
        Operation::ProjectQueries,
        Operation::ProjectKeys,
        Operation::ProjectValues,
    ]);
    list
}
