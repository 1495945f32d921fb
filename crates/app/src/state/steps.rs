//! The steps of a mechanism, and the sizes of their matrices.

use super::{
    HeadScope, Hiding, MapView, Origin, ScoringKind, State, StepKind, learned, request_builder,
};
pub use attention::plan::Axis;
use attention::plan::{Operation, Plan, Side};
use attention::{Config, InputKind, Scoring, Sizes, default_scale};

/// The backward pass of a layer from the gradient of its output, in order.
pub const BACKWARD: [StepKind; 13] = [
    StepKind::OutputGradient,
    StepKind::ContextGradient,
    StepKind::OutputWeightsGradient,
    StepKind::WeightsGradient,
    StepKind::ValuesGradient,
    StepKind::ScoresGradient,
    StepKind::QueriesGradient,
    StepKind::KeysGradient,
    StepKind::QueryWeightsGradient,
    StepKind::KeyWeightsGradient,
    StepKind::ValueWeightsGradient,
    StepKind::NormedGradient,
    StepKind::ResidualGradient,
];

/// The steps of a state in order: of finished weights nothing else is known.
pub fn for_state(state: &State) -> Vec<StepKind> {
    match &state.imported {
        Some(imported) if imported.is_finished() => vec![StepKind::Weights],
        _ if state.origin == Origin::Learned => of_learned(state),
        _ => steps(&config(state)),
    }
}

/// The steps of a layer of a model: the residual path beside it, the logits after the last one, and the backward pass where there is a loss.
fn of_learned(state: &State) -> Vec<StepKind> {
    let config = config(state);
    let layer = steps(&config)
        .into_iter()
        .filter(|step| *step != StepKind::Input);
    let before = [StepKind::Residual, StepKind::Normed];
    let mut list: Vec<_> = before
        .into_iter()
        .chain(layer)
        .chain([StepKind::Sum])
        .collect();
    let is_last = state.layer == state.layers;
    list.extend(is_last.then_some(StepKind::Logits));
    if computes_as_learned(&config) && learned::has_loss(state) {
        list.extend(is_last.then_some(StepKind::LogitsGradient));
        list.extend(BACKWARD);
    }
    list
}

/// Whether a layer computes what its model does: with a mask, a temperature or scores that are not scaled the gradient of the model's loss
/// would be that of other numbers, and so would its answers.
pub fn computes_as_learned(config: &Config) -> bool {
    let scale = default_scale(config.sizes.d_k);
    !has_mask(config)
        && config.temperature == 1.0
        && config.scale == scale
        && !config.linformer
        && config.scoring == Scoring::Dot
}

/// Whether a mask is added to the scores: the page adds nothing else.
pub const fn adds_mask(config: &Config) -> bool {
    config.bias_matrices.is_some()
}

/// Whether there is a mask, to hide or to be added.
pub const fn has_mask(config: &Config) -> bool {
    config.masked || adds_mask(config)
}

/// The steps of a mechanism in order: the inputs, and then what its plan says.
pub fn steps(config: &Config) -> Vec<StepKind> {
    let mut list = match config.input {
        InputKind::SelfAttention => vec![StepKind::Input],
        InputKind::CrossAttention => vec![StepKind::Input, StepKind::Source],
        InputKind::Given => vec![StepKind::Queries, StepKind::Keys, StepKind::Values],
    };
    let plan = Plan::full(config);
    list.extend(
        plan.steps()
            .iter()
            .flat_map(|step| made_by(step.operation, config).iter().copied()),
    );
    list
}

/// The steps that an operation of a plan makes to look at. A factor of 1 changes nothing and is left out.
fn made_by(operation: Operation, config: &Config) -> &'static [StepKind] {
    use StepKind::*;
    match operation {
        Operation::AddPositions(Side::KeysValues) => &[],
        Operation::AddPositions(_) => &[Positions],
        Operation::ProjectQueries => &[Queries],
        Operation::ProjectKeys => &[Keys],
        Operation::ProjectValues => &[Values],
        Operation::NormQueries | Operation::NormKeys | Operation::Cap => &[],
        Operation::RotateQueries => &[RotatedQueries],
        Operation::RotateKeys => &[RotatedKeys],
        Operation::ShortenKeys => &[ShortKeys],
        Operation::ShortenValues => &[ShortValues],
        Operation::DotScores | Operation::AdditiveScores => &[Scores],
        Operation::Scale if config.scale == 1.0 => &[],
        Operation::Scale => &[Scaled],
        Operation::Bias => &[Biased],
        Operation::Mask | Operation::AddBias => &[Mask, Masked],
        Operation::Softmax if config.masked && config.mask_after => &[Softmax],
        Operation::Softmax => &[Weights],
        Operation::HideWeights => &[Mask, Weights],
        Operation::WeightedSum => &[Context],
        Operation::MergeHeads => &[Merged],
        Operation::ProjectOutput => &[Output],
    }
}

/// The steps as they are drawn: in stages from left to right, each of one lane or of several above each other, each lane of
/// steps that follow each other. Both inputs stand above each other, and so do the ways of Q, K and V, and mask and scores.
pub fn stages(steps: &[StepKind]) -> Vec<Vec<Vec<StepKind>>> {
    let mut stages: Vec<Vec<Vec<StepKind>>> = Vec::new();
    let mut before = None;
    for step in steps {
        let (place, lane) = step.stage_and_lane().unzip();
        match stages.last_mut() {
            Some(stage) if place.is_some() && before == place => {
                let lane = lane.unwrap_or(0).min(stage.len());
                if lane == stage.len() {
                    stage.push(Vec::new());
                }
                stage[lane].push(*step);
            }
            _ => stages.push(vec![vec![*step]]),
        }
        before = place;
    }
    stages
}

/// Whether what a head shows of a step is its part of it, since heads share keys and values.
pub fn is_part(step: StepKind, state: &State) -> bool {
    step.scope() == HeadScope::Part && state.kv_heads < state.heads
}

/// Whether the rows of a step are the queries in their order; those of positions may go on after the last of them.
pub const fn begins_with_queries(step: StepKind) -> bool {
    matches!(step.axes()[0], Axis::N | Axis::Positions)
}

/// Rows and columns of the matrix of `step`, from sizes alone.
pub fn shape(state: &State, step: StepKind) -> (usize, usize) {
    let sizes = config(state).sizes;
    let [rows, columns] = step.axes().map(|axis| length(axis, &sizes, state));
    (rows, columns)
}

/// The length of an axis, where a layer of these sizes is that of a state: vocabularies are those of models.
pub fn length(axis: Axis, sizes: &Sizes, state: &State) -> usize {
    match axis {
        Axis::Vocabulary => learned::grammar(&state.text).words().len(),
        _ => axis.length(sizes),
    }
}

/// The requested step: curves are always those of the weights.
pub fn asked(state: &State) -> StepKind {
    match state.view {
        // What enters a layer of a model are the rows that its norm makes.
        MapView::Map if state.step == StepKind::Input && state.origin == Origin::Learned => {
            StepKind::Normed
        }
        MapView::Map => state.step,
        MapView::Curves => StepKind::Weights,
    }
}

/// The step on the large map: the requested one if the mechanism has it, otherwise the weights.
pub fn shown(state: &State) -> StepKind {
    let step = asked(state);
    if step == StepKind::Weights || for_state(state).contains(&step) {
        step
    } else {
        StepKind::Weights
    }
}

/// Makes the chosen cell one of the map that is shown now, after another was: the row is kept as long as there is one, the
/// column as long as it means the same.
pub(super) fn keep_cell(state: &mut State, before: StepKind) {
    let after = shown(state);
    if after == before {
        return;
    }
    let (rows, _) = shape(state, after);
    let is_alike = before.axes()[1] == after.axes()[1];
    state.cell = state.cell.filter(|cell| cell.query < rows);
    if let Some(cell) = state.cell.as_mut().filter(|_| !is_alike) {
        cell.key = None;
    }
}

/// Sizes and switches of the request that [`request_builder::request`] builds for a state, without
/// its numbers.
pub fn config(state: &State) -> Config {
    let (n, m) = request_builder::lengths(state);
    let made = request_builder::sizes(state, n, m);
    let scoring = match state.scoring {
        ScoringKind::Dot => Scoring::Dot,
        ScoringKind::Additive => Scoring::Additive,
    };
    let is_scaled = state.scaled && scoring == Scoring::Dot;
    let mask = request_builder::mask(state, m);
    let is_added = request_builder::is_added(state, &mask);
    Config {
        sizes: made.sizes,
        input: made.input,
        scoring,
        scale: if is_scaled {
            default_scale(state.d_k)
        } else {
            1.0
        },
        position: request_builder::position(state),
        norms: false,
        cap: None,
        bias_matrices: is_added.then_some(1),
        masked: !is_added && !mask.is_full(),
        mask_after: !state.linformer && state.hiding == Hiding::AfterSoftmax,
        temperature: request_builder::temperature(state),
        linformer: state.linformer,
        output: made.has_output,
        biases: made.biases,
    }
}

/// Whether the large map of `state` has a row for each query and a column for each key.
pub fn is_over_keys(state: &State) -> bool {
    shown(state).axes() == [Axis::N, Axis::Keys]
}
