//! The sentence of an explanation.

use super::explain::{CellRef, Derivation, ExplainRule, Explanation, Reason};
use crate::i18n::number;
use crate::i18n::{Key, Language, fill, say};
use crate::present::run::Run;
use crate::state::steps::{Axis, axes};

/// What row and column of a place are called.
pub struct Names {
    pub row: String,
    pub column: String,
    /// Whether the column is a key.
    pub has_key: bool,
}

pub fn names(place: CellRef, run: &Run, language: Language) -> Names {
    let [rows, columns] = axes(place.step);
    let column = token(columns, place.column, run);
    let has_key = column.is_some();
    let number = (place.column + 1).to_string();
    Names {
        row: token(rows, place.row, run).unwrap_or_else(|| (place.row + 1).to_string()),
        column: column
            .unwrap_or_else(|| fill(language, Key::InspectorPlace, &[("column", &number)])),
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

/// What is done, in one sentence.
pub fn sentence(explanation: &Explanation, run: &Run, language: Language) -> String {
    let place = explanation.place;
    let [rows, columns] = axes(place.step);
    // On the page values are as wide as queries and keys.
    let width = run.state.d_k;
    let name = |axis, at: usize| match token(axis, at, run) {
        Some(number) if axis == Axis::Keys && run.state.linformer => {
            fill(language, Key::InspectorMixture, &[("row", &number)])
        }
        Some(token) => format!("“{token}”"),
        None => (at + 1).to_string(),
    };
    let column = match explanation.way {
        Derivation::Beside => (place.column % width + 1).to_string(),
        _ => name(columns, place.column),
    };
    let (row, head) = (name(rows, place.row), place.column / width + 1);
    let (key, head) = (why(explanation), head.to_string());
    let values = [("row", &*row), ("column", &column), ("head", &head)];
    fill(language, key, &values)
}

fn why(explanation: &Explanation) -> Key {
    match explanation.way {
        Derivation::Embedded => Key::WhyEmbedded,
        Derivation::Brought => Key::WhyBrought,
        Derivation::Sine => Key::WhySine,
        Derivation::Cosine => Key::WhyCosine,
        Derivation::Projected => Key::WhyProjected,
        Derivation::ProjectedPositions => Key::WhyProjectedPositions,
        Derivation::TurnedFirst | Derivation::TurnedSecond => Key::WhyTurned,
        Derivation::Unturned => Key::WhyUnturned,
        Derivation::Shortened => Key::WhyShortened,
        Derivation::Dot => Key::WhyDot,
        Derivation::Additive => Key::WhyAdditive,
        Derivation::Scaled => Key::WhyScaled,
        Derivation::Biased => Key::WhyBiased,
        Derivation::Ruled if explanation.computed == Some(0.0) => Key::WhyNotVisible,
        Derivation::Ruled => Key::WhyVisible,
        Derivation::Kept => Key::WhyKept,
        Derivation::LeftOut => Key::WhyLeftOut,
        Derivation::Written => Key::WhyWritten,
        Derivation::Softmax => Key::WhySoftmax,
        Derivation::Hidden => Key::WhyNoWeight,
        Derivation::HiddenAfter => Key::WhyHiddenAfter,
        Derivation::Weighted => Key::WhyWeighted,
        Derivation::Beside => Key::WhyBeside,
        Derivation::Output => Key::WhyOutput,
    }
}

/// The question of a rule, and its answer.
pub fn asked(rule: ExplainRule, place: CellRef, language: Language) -> (String, &'static str) {
    let CellRef { row, column, .. } = place;
    let (key, number) = match rule.reason {
        Reason::Painted => (Key::AskPainted, 0),
        Reason::Causal => (Key::AskCausal, 0),
        Reason::Padding { valid } => (Key::AskPadding, valid),
        Reason::Local { window } => (Key::AskLocal, window),
        Reason::Strided { stride } => (Key::AskStrided, stride),
        Reason::First { first } => (Key::AskFirst, first),
        Reason::Nothing => (Key::AskNothing, 0),
    };
    let [query, of_key, distance, number] =
        [row + 1, column + 1, row.abs_diff(column), number].map(|it| it.to_string());
    let parameter = match rule.reason {
        Reason::Local { .. } => "window",
        Reason::Strided { .. } => "stride",
        Reason::First { .. } => "first",
        _ => "valid",
    };
    let values = [
        ("query", &*query),
        ("key", &of_key),
        ("distance", &distance),
        (parameter, &number),
    ];
    let answer = match (rule.reason, rule.passes) {
        (Reason::Nothing, _) => "",
        (_, true) => say(language, Key::AnswerYes),
        (_, false) => say(language, Key::AnswerNo),
    };
    (fill(language, key, &values), answer)
}
