//! The sentence of an explanation.

use super::terms;
use crate::i18n::number;
use crate::i18n::{Key, Language, fill, say};
use crate::present::run::Run;
use crate::present::steps::explain::{
    CellRef, Derivation, ExplainRule, Explanation, Line, Reason, What,
};
use crate::state::steps::{Axis, axes};

/// What row and column of a place are called.
pub(super) struct Names {
    pub row: String,
    pub column: String,
    /// Whether the column is a key.
    pub has_key: bool,
}

pub(super) fn names(place: CellRef, run: &Run, language: Language) -> Names {
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
pub(super) fn value(explanation: &Explanation, value: f32) -> String {
    match explanation.way {
        // It says yes or no.
        Derivation::Ruled => number::short(value),
        _ => number::exact(value),
    }
}

/// What is done, in one sentence.
pub(super) fn sentence(explanation: &Explanation, run: &Run, language: Language) -> String {
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

/// Rules with their answers, and single numbers with their names.
pub(super) fn lines(explanation: &Explanation, language: Language) -> String {
    let rules = explanation
        .rules
        .iter()
        .map(|rule| asked(*rule, explanation.place, language));
    let numbers = explanation.before.iter().chain(&explanation.after);
    let numbers = numbers.map(|line| named(line, language));
    let taken = terms::only(explanation).filter(|operand| operand.place.is_some());
    let taken = taken.map(|operand| {
        let name = say(language, Key::LineTaken).to_owned();
        (name, terms::number(operand))
    });
    let lines: String = rules
        .chain(numbers)
        .chain(taken)
        .map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>"))
        .collect();
    if lines.is_empty() {
        lines
    } else {
        format!("<dl>{lines}</dl>{}", joined(explanation, language))
    }
}

/// How rules are taken together where several reach keys: these are not asked one by one.
fn joined(explanation: &Explanation, language: Language) -> String {
    let rules = explanation.rules.iter();
    match rules.filter(|rule| rule.reason.is_reach()).count() {
        0 | 1 => String::new(),
        _ => format!("<p class=\"note\">{}</p>", say(language, Key::AskReach)),
    }
}

fn named(line: &Line, language: Language) -> (String, String) {
    let key = match line.what {
        What::Position => Key::LinePosition,
        What::Divisor => Key::LineDivisor,
        What::Angle => Key::LineAngle,
        What::Largest => Key::LineLargest,
        What::Temperature => Key::LineTemperature,
        What::Sum => Key::LineSum,
        What::Own => Key::LineOwn,
    };
    let value = match line.what {
        What::Position => line.operand.value.to_string(),
        _ => terms::number(&line.operand),
    };
    (say(language, key).to_owned(), value)
}

fn asked(rule: ExplainRule, place: CellRef, language: Language) -> (String, String) {
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
    (fill(language, key, &values), answer.to_owned())
}
