//! A walk through the steps for one query token, in sentences.

use crate::i18n::{Key, Language, text};
use crate::present::run::Run;
use crate::state::StepKind;
use crate::state::steps::adds_mask;
use crate::state::steps::is_part;

/// The walk at a step, as it is shown.
pub struct Walk {
    /// Describes the step for a query; without one, says that there is nothing to compute.
    pub says: String,
    /// Number of the step, and of all.
    pub at: String,
    /// Whether there is no step before it, and none after.
    pub ends: [bool; 2],
}

impl Walk {
    pub fn new(run: &Run, step: StepKind, query: usize, language: Language) -> Self {
        let (at, count) = (
            run.steps.iter().position(|own| *own == step),
            run.steps.len(),
        );
        let at = at.map_or(0, |at| at + 1);
        Self {
            says: says(run, step, query, language),
            at: text::player_at(language, &at, &count),
            ends: [at <= 1, at >= count],
        }
    }
}

fn says(run: &Run, step: StepKind, query: usize, language: Language) -> String {
    let Some(token) = run.queries.get(query) else {
        return Key::NoteNoTokens.text(language).to_owned();
    };
    let said = match step {
        StepKind::Masked if adds_mask(&run.config) => Key::WhyAdded.text(language).to_owned(),
        _ => happens(language, step, token),
    };
    if is_part(step, &run.state) {
        let others = Key::WhyPart.text(language);
        text::why_joined(language, &said, &others)
    } else {
        said
    }
}

fn happens(language: Language, step: StepKind, token: &str) -> String {
    let query = format!("“{token}”");
    let plain = |key: Key| key.text(language).to_owned();
    match step {
        StepKind::Input => text::walk_input(language, &query),
        StepKind::Source => plain(Key::WalkSource),
        StepKind::Positions => plain(Key::WalkPositions),
        StepKind::Queries => text::walk_q(language, &query),
        StepKind::Keys => plain(Key::WalkK),
        StepKind::Values => plain(Key::WalkV),
        StepKind::RotatedQueries => plain(Key::WalkQRotated),
        StepKind::RotatedKeys => plain(Key::WalkKRotated),
        StepKind::ShortKeys => plain(Key::WalkShortK),
        StepKind::ShortValues => plain(Key::WalkShortV),
        StepKind::Scores => text::walk_scores(language, &query),
        StepKind::Scaled => plain(Key::WalkScaled),
        StepKind::Biased => plain(Key::WalkBiased),
        StepKind::Mask => text::walk_mask(language, &query),
        StepKind::Masked => plain(Key::WalkMasked),
        StepKind::Softmax => plain(Key::WalkSoftmax),
        StepKind::Weights => text::walk_weights(language, &query),
        StepKind::Context => text::walk_context(language, &query),
        StepKind::Merged => plain(Key::WalkHeads),
        StepKind::Output => text::walk_output(language, &query),
        StepKind::Residual => text::walk_residual(language, &query),
        StepKind::Normed => plain(Key::WalkNormed),
        StepKind::Sum => plain(Key::WalkSum),
        StepKind::OutputGradient => plain(Key::WalkOutputGradient),
        StepKind::ContextGradient => plain(Key::WalkContextGradient),
        StepKind::WeightsGradient => plain(Key::WalkWeightsGradient),
        StepKind::ValuesGradient => plain(Key::WalkValuesGradient),
        StepKind::ScoresGradient => plain(Key::WalkScoresGradient),
        StepKind::QueriesGradient => plain(Key::WalkQueriesGradient),
        StepKind::KeysGradient => plain(Key::WalkKeysGradient),
        StepKind::Logits => text::walk_logits(language, &query),
        StepKind::LogitsGradient => plain(Key::WalkLogitsGradient),
        StepKind::OutputWeightsGradient => plain(Key::WalkOutputWeightsGradient),
        StepKind::QueryWeightsGradient => plain(Key::WalkQueryWeightsGradient),
        StepKind::KeyWeightsGradient => plain(Key::WalkKeyWeightsGradient),
        StepKind::ValueWeightsGradient => plain(Key::WalkValueWeightsGradient),
        StepKind::NormedGradient => plain(Key::WalkNormedGradient),
        StepKind::ResidualGradient => plain(Key::WalkResidualGradient),
    }
}
