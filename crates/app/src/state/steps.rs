//! The steps of a mechanism, and the sizes of their matrices.

use super::{Hiding, MapView, Origin, ScoringKind, State, StepKind, learned, request_builder};
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
    !config.masked
        && config.temperature == 1.0
        && config.scale == scale
        && !config.linformer
        && config.scoring == Scoring::Dot
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
        Operation::RotateQueries => &[RotatedQueries],
        Operation::RotateKeys => &[RotatedKeys],
        Operation::ShortenKeys => &[ShortKeys],
        Operation::ShortenValues => &[ShortValues],
        Operation::DotScores | Operation::AdditiveScores => &[Scores],
        Operation::Scale if config.scale == 1.0 => &[],
        Operation::Scale => &[Scaled],
        Operation::Bias => &[Biased],
        Operation::Mask => &[Mask, Masked],
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
        let place = stage_and_lane(*step);
        match stages.last_mut() {
            Some(stage) if place.0.is_some() && before == place.0 => {
                let lane = place.1.min(stage.len());
                if lane == stage.len() {
                    stage.push(Vec::new());
                }
                stage[lane].push(*step);
            }
            _ => stages.push(vec![vec![*step]]),
        }
        before = place.0;
    }
    stages
}

/// The stage that a step shares with others, and its lane there.
const fn stage_and_lane(step: StepKind) -> (Option<u8>, usize) {
    match step {
        StepKind::Input => (Some(0), 0),
        StepKind::Source => (Some(0), 1),
        StepKind::Queries | StepKind::RotatedQueries => (Some(1), 0),
        StepKind::Keys | StepKind::RotatedKeys | StepKind::ShortKeys => (Some(1), 1),
        StepKind::Values | StepKind::ShortValues => (Some(1), 2),
        StepKind::Mask => (Some(2), 0),
        StepKind::Masked => (Some(2), 1),
        StepKind::ContextGradient => (Some(3), 0),
        StepKind::OutputWeightsGradient => (Some(3), 1),
        StepKind::WeightsGradient => (Some(4), 0),
        StepKind::ValuesGradient => (Some(4), 1),
        StepKind::QueriesGradient => (Some(5), 0),
        StepKind::KeysGradient => (Some(5), 1),
        StepKind::QueryWeightsGradient => (Some(6), 0),
        StepKind::KeyWeightsGradient => (Some(6), 1),
        StepKind::ValueWeightsGradient => (Some(6), 2),
        _ => (None, 0),
    }
}

/// Whether a step is none of the layer's own, but of the model that it belongs to.
pub fn is_of_model(step: StepKind) -> bool {
    let beside = [
        StepKind::Residual,
        StepKind::Normed,
        StepKind::Sum,
        StepKind::Logits,
        StepKind::LogitsGradient,
    ];
    beside.contains(&step) || BACKWARD.contains(&step)
}

/// Whether a step is the same for every head.
pub const fn is_shared(step: StepKind) -> bool {
    matches!(
        step,
        StepKind::Input
            | StepKind::Source
            | StepKind::Positions
            | StepKind::Mask
            | StepKind::Merged
            | StepKind::Output
            | StepKind::Residual
            | StepKind::Normed
            | StepKind::Sum
            | StepKind::Logits
            | StepKind::LogitsGradient
            | StepKind::OutputGradient
            | StepKind::NormedGradient
            | StepKind::ResidualGradient
    )
}

/// Whether what a head shows of a step is its part of it, since heads share keys and values.
pub fn is_part(step: StepKind, state: &State) -> bool {
    let of_keys_and_values = matches!(
        step,
        StepKind::ValuesGradient
            | StepKind::KeysGradient
            | StepKind::KeyWeightsGradient
            | StepKind::ValueWeightsGradient
    );
    of_keys_and_values && state.kv_heads < state.heads
}

/// The axes of a step's rows and of its columns.
pub const fn axes(step: StepKind) -> [Axis; 2] {
    match step {
        StepKind::Input
        | StepKind::Residual
        | StepKind::Normed
        | StepKind::Sum
        | StepKind::NormedGradient
        | StepKind::ResidualGradient => [Axis::N, Axis::DModel],
        StepKind::Source => [Axis::M, Axis::DModel],
        StepKind::Positions => [Axis::Positions, Axis::DModel],
        StepKind::Queries | StepKind::RotatedQueries | StepKind::QueriesGradient => {
            [Axis::N, Axis::DK]
        }
        StepKind::Keys | StepKind::RotatedKeys | StepKind::KeysGradient => [Axis::M, Axis::DK],
        StepKind::Values | StepKind::ValuesGradient => [Axis::M, Axis::DV],
        StepKind::ShortKeys => [Axis::Keys, Axis::DK],
        StepKind::ShortValues => [Axis::Keys, Axis::DV],
        StepKind::Scores
        | StepKind::Scaled
        | StepKind::Biased
        | StepKind::Mask
        | StepKind::Masked
        | StepKind::Softmax
        | StepKind::Weights
        | StepKind::WeightsGradient
        | StepKind::ScoresGradient => [Axis::N, Axis::Keys],
        StepKind::Context | StepKind::ContextGradient => [Axis::N, Axis::DV],
        StepKind::Merged => [Axis::N, Axis::Merged],
        StepKind::Output | StepKind::OutputGradient => [Axis::N, Axis::DOut],
        StepKind::Logits | StepKind::LogitsGradient => [Axis::N, Axis::Vocabulary],
        StepKind::OutputWeightsGradient => [Axis::DV, Axis::DOut],
        StepKind::QueryWeightsGradient | StepKind::KeyWeightsGradient => [Axis::DModel, Axis::DK],
        StepKind::ValueWeightsGradient => [Axis::DModel, Axis::DV],
    }
}

/// Whether the rows of a step are the queries in their order; those of positions may go on after the last of them.
pub const fn begins_with_queries(step: StepKind) -> bool {
    matches!(axes(step)[0], Axis::N | Axis::Positions)
}

/// Rows and columns of the matrix of `step`, from sizes alone.
pub fn shape(state: &State, step: StepKind) -> (usize, usize) {
    let sizes = config(state).sizes;
    let [rows, columns] = axes(step).map(|axis| length(axis, &sizes, state));
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
    let is_alike = axes(before)[1] == axes(after)[1];
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
    let masked = !request_builder::mask(state, m).is_full();
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
        masked,
        mask_after: !state.linformer && state.hiding == Hiding::AfterSoftmax,
        temperature: request_builder::temperature(state),
        linformer: state.linformer,
        output: made.has_output,
        biases: made.biases,
    }
}

/// Whether the large map of `state` has a row for each query and a column for each key.
pub fn is_over_keys(state: &State) -> bool {
    axes(shown(state)) == [Axis::N, Axis::Keys]
}
