//! The sentence of an explanation.

use std::fmt::Display;

use super::explain::{CellRef, Derivation, ExplainRule, Explanation, Reason};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::run::Run;
use crate::state::StepKind;
use crate::state::steps::{Axis, is_part};

/// Names of a cell's row and column.
pub struct Names {
    pub row: String,
    pub column: String,
    /// Whether the column is a key.
    pub has_key: bool,
}

pub fn names(place: CellRef, run: &Run, language: Language) -> Names {
    let [rows, columns] = place.step.axes();
    let column = token(columns, place.column, run);
    let has_key = column.is_some() && columns != Axis::Vocabulary;
    let number = |at: usize| text::inspector_place(language, &(at + 1));
    Names {
        row: token(rows, place.row, run).unwrap_or_else(|| number(place.row)),
        column: column.unwrap_or_else(|| number(place.column)),
        has_key,
    }
}

/// The token at a place of an axis; `None` where the axis has none.
fn token(axis: Axis, at: usize, run: &Run) -> Option<String> {
    run.tokens(axis)?.get(at).cloned()
}

/// The number itself.
pub fn value(explanation: &Explanation, value: f32) -> String {
    match explanation.way {
        // It says yes or no.
        Derivation::Ruled => number::short(value),
        _ => number::exact(value),
    }
}

/// Describes the computation of the cell in one sentence.
pub fn sentence(explanation: &Explanation, run: &Run, language: Language) -> String {
    let place = explanation.place;
    let [rows, columns] = place.step.axes();
    // On the page values are as wide as queries and keys.
    let width = run.state.d_k;
    let name = |axis, at: usize| match token(axis, at, run) {
        Some(number) if axis == Axis::Keys && run.state.linformer => {
            text::inspector_mixture(language, &number)
        }
        Some(token) => format!("“{token}”"),
        None => (at + 1).to_string(),
    };
    let column = match explanation.way {
        Derivation::Beside => (place.column % width + 1).to_string(),
        _ => name(columns, place.column),
    };
    let row = name(rows, place.row);
    let head = place.column / width + 1;
    let said = why(explanation, language, &row, &column, head);
    match besides(explanation, run, language) {
        Some(more) => text::why_joined(language, &said, &more),
        None => said,
    }
}

/// Second sentence, where there is more to say.
fn besides(explanation: &Explanation, run: &Run, language: Language) -> Option<String> {
    match explanation.place.step {
        StepKind::LogitsGradient | StepKind::OutputGradient => loss(run, language),
        step if is_part(step, &run.state) => Some(Key::WhyPart.text(language).to_owned()),
        _ => {
            let has_bias = explanation.has_bias();
            has_bias.then(|| Key::WhyBias.text(language).to_owned())
        }
    }
}

/// The loss that the gradients are those of.
fn loss(run: &Run, language: Language) -> Option<String> {
    let loss = run.learned()?.loss()?;
    let word = run.word(loss.word);
    let nats = number::exact(loss.nats);
    Some(text::why_loss(language, &word, &run.query(loss.row), &nats))
}

fn why(
    explanation: &Explanation,
    language: Language,
    row: &dyn Display,
    column: &dyn Display,
    head: usize,
) -> String {
    let plain = |key: Key| key.text(language).to_owned();
    match explanation.way {
        Derivation::Embedded => text::why_embedded(language, column, row),
        Derivation::Imported => plain(Key::WhyImported),
        Derivation::Sine => plain(Key::WhySine),
        Derivation::Cosine => plain(Key::WhyCosine),
        Derivation::Projected => text::why_projected(language, row, column),
        Derivation::ProjectedPositions => text::why_projected_positions(language, row, column),
        Derivation::TurnedFirst | Derivation::TurnedSecond => plain(Key::WhyTurned),
        Derivation::Unturned => plain(Key::WhyUnturned),
        Derivation::Shortened => plain(Key::WhyShortened),
        Derivation::Dot => text::why_dot(language, row, column),
        Derivation::Additive => text::why_additive(language, row, column),
        Derivation::Scaled => plain(Key::WhyScaled),
        Derivation::Biased => plain(Key::WhyBiased),
        Derivation::Ruled if explanation.computed == Some(0.0) => {
            text::why_not_visible(language, row, column)
        }
        Derivation::Ruled => text::why_visible(language, row, column),
        Derivation::Kept => text::why_kept(language, column, row),
        Derivation::LeftOut => text::why_left_out(language, column, row),
        Derivation::Added => plain(Key::WhyAdded),
        Derivation::Written => text::why_written(language, column, row),
        Derivation::Softmax => plain(Key::WhySoftmax),
        Derivation::Hidden => text::why_no_weight(language, column, row),
        Derivation::HiddenAfter => plain(Key::WhyHiddenAfter),
        Derivation::Weighted => text::why_weighted(language, column, row),
        Derivation::Beside => text::why_beside(language, column, &head),
        Derivation::Output => text::why_output(language, row, column),
        Derivation::Residual => text::why_residual(language, column, row),
        Derivation::Normed => plain(Key::WhyNormed),
        Derivation::Summed => plain(Key::WhySummed),
        Derivation::Unembedded => text::why_logits(language, row, column),
        Derivation::Backward => why_gradient(explanation, language, row, column),
    }
}

fn why_gradient(
    explanation: &Explanation,
    language: Language,
    row: &dyn Display,
    column: &dyn Display,
) -> String {
    let is_read = explanation.terms.is_empty();
    match explanation.place.step {
        StepKind::LogitsGradient if is_read => text::why_logits_unasked(language, row),
        StepKind::LogitsGradient => text::why_logits_gradient(language, column, row),
        StepKind::OutputGradient if !is_read => {
            text::why_unembedding_gradient(language, column, row)
        }
        StepKind::OutputGradient => text::why_output_gradient(language, column, row),
        StepKind::ContextGradient => text::why_context_gradient(language, row, column),
        StepKind::WeightsGradient => text::why_weights_gradient(language, row, column),
        StepKind::ValuesGradient => text::why_values_gradient(language, column, row),
        StepKind::ScoresGradient => Key::WhyScoresGradient.text(language).to_owned(),
        StepKind::QueriesGradient => text::why_queries_gradient(language, column, row),
        StepKind::KeysGradient => text::why_keys_gradient(language, column, row),
        StepKind::OutputWeightsGradient => text::why_output_weights_gradient(language, row, column),
        StepKind::QueryWeightsGradient => text::why_query_weights_gradient(language, row, column),
        StepKind::KeyWeightsGradient => text::why_key_weights_gradient(language, row, column),
        StepKind::ValueWeightsGradient => text::why_value_weights_gradient(language, row, column),
        StepKind::NormedGradient => text::why_normed_gradient(language, row, column),
        _ => Key::WhyResidualGradient.text(language).to_owned(),
    }
}

/// The question of a rule, and its answer.
pub fn asked(rule: ExplainRule, place: CellRef, language: Language) -> (String, &'static str) {
    let CellRef { row, column, .. } = place;
    let (query, key) = (row + 1, column + 1);
    let question = match rule.reason {
        Reason::Painted => Key::AskPainted.text(language).to_owned(),
        Reason::Causal { place } if place == row as i64 => text::ask_causal(language, &key, &query),
        Reason::Causal { place } => text::ask_causal_place(language, &key, &(place + 1)),
        Reason::Padding { valid } => text::ask_padding(language, &key, &valid),
        Reason::PaddedQueries { valid } => text::ask_padded_queries(language, &query, &valid),
        Reason::Local { window, distance } => text::ask_local(language, &distance, &window),
        Reason::Strided { stride, distance } => text::ask_strided(language, &distance, &stride),
        Reason::First { first } => text::ask_first(language, &key, &first),
        Reason::Words => Key::AskWords.text(language).to_owned(),
        Reason::Nothing => Key::AskNothing.text(language).to_owned(),
    };
    let answer = match (rule.reason, rule.passes) {
        (Reason::Nothing, _) => "",
        (_, true) => Key::AnswerYes.text(language),
        (_, false) => Key::AnswerNo.text(language),
    };
    (question, answer)
}
