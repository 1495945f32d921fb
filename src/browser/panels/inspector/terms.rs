//! The terms of a number as a table, with a button for every operand that has a cell.

use crate::browser::dom::escaped;
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::run::Run;
use crate::present::steps::explain::{Derivation, Explanation, Name, Operand, Rest, Term, What};
use crate::state::StepKind;

/// Terms that there is room for.
const MOST: usize = 8;
/// Whole numbers below this are written without digits after the point.
const COUNTED: f64 = 1000.0;

/// The table; nothing where there are no terms.
pub(super) fn table(
    explanation: &Explanation,
    run: &Run,
    language: Language,
    is_unfolded: bool,
) -> String {
    if explanation.terms.is_empty() || only(explanation).is_some() {
        return String::new();
    }
    let (largest, rest) = explanation.shown(MOST);
    let shown = if is_unfolded {
        explanation.in_sequence()
    } else {
        largest.iter().collect()
    };
    let [symbols @ .., value] = heads(explanation) else {
        return String::new();
    };
    let named = name_of_terms(explanation, language);
    let mut html = format!("<table><thead><tr><th scope=\"col\">{named}</th>");
    for symbol in symbols.iter().chain([value]) {
        html += &format!("<th scope=\"col\">{symbol}</th>");
    }
    html += "</tr></thead><tbody>";
    for term in shown {
        let is_own = is_own(explanation, term);
        html += &row(term, symbols.len(), is_own, run);
    }
    html += "</tbody>";
    if explanation.terms.len() > 1 {
        let count = explanation.terms.len();
        let unfold = match (rest, is_unfolded) {
            (None, _) => String::new(),
            (_, true) => button(Key::TermsFold.text(language), true),
            (_, false) => button(&text::terms_unfold(language, &count), false),
        };
        let rest = rest.filter(|_| !is_unfolded);
        html += &foot(explanation, (rest, &unfold), symbols.len(), language);
    }
    html += "</table>";
    if is_unfolded {
        format!("<div class=\"all-terms\">{html}</div>")
    } else {
        html
    }
}

fn button(name: &str, is_unfolded: bool) -> String {
    format!(" <button type=\"button\" data-unfold aria-expanded=\"{is_unfolded}\">{name}</button>")
}

/// Whether a term of a softmax is that of the cell itself.
fn is_own(explanation: &Explanation, term: &Term) -> bool {
    explanation.way == Derivation::Softmax && term.name == Name::Key(explanation.place.column)
}

/// The number that a cell takes over as it is, where nothing is done with it.
pub(super) fn only(explanation: &Explanation) -> Option<&Operand> {
    match explanation.terms.as_slice() {
        [term] if term.name == Name::Plain => match term.operands.as_slice() {
            [operand] => Some(operand),
            _ => None,
        },
        _ => None,
    }
}

fn row(term: &Term, columns: usize, is_own: bool, run: &Run) -> String {
    let class = if is_own { " class=\"is-own\"" } else { "" };
    let name = name(term.name, run);
    let mut html = format!("<tr{class}><th scope=\"row\">{name}</th>");
    for at in 0..columns {
        let operand = term.operands.get(at).map_or_else(String::new, number);
        html += &format!("<td>{operand}</td>");
    }
    html + &format!("<td>{}</td></tr>", written(term.value))
}

fn foot(
    explanation: &Explanation,
    (rest, unfold): (Option<Rest>, &str),
    columns: usize,
    language: Language,
) -> String {
    let line = |name: &str, value: f64| {
        format!(
            "<tr><th scope=\"row\" colspan=\"{}\">{name}</th><td>{}</td></tr>",
            columns + 1,
            written(value)
        )
    };
    let more = rest.map_or_else(String::new, |rest| {
        let name = text::terms_rest(language, &rest.count);
        line(&(name + unfold), rest.sum)
    });
    let sum = Key::TermsSum.text(language).to_owned();
    let sum = match rest {
        Some(_) => sum,
        None => sum + unfold,
    };
    let sum = line(&sum, explanation.sum());
    format!("<tfoot>{more}{sum}</tfoot>")
}

/// A number, as a button that leads to its place where it has one.
pub(super) fn number(operand: &Operand) -> String {
    let text = written(operand.value);
    match operand.place {
        // Distances, and what is 1 or 0, are counted, not rounded.
        None if operand.value == operand.value.trunc() && operand.value.abs() < COUNTED => {
            number::short(operand.value as f32)
        }
        None => text,
        Some(place) => format!(
            "<button type=\"button\" data-step=\"{}\" data-row=\"{}\" data-column=\"{}\">{text}</button>",
            place.step.name(),
            place.row,
            place.column
        ),
    }
}

pub(super) fn written(value: f64) -> String {
    number::exact(value as f32)
}

fn name(name: Name, run: &Run) -> String {
    let key = |tokens: &[String], at: usize| {
        let token = tokens.get(at).map(|token| escaped(token));
        let token = token.unwrap_or_default();
        format!("<span class=\"is-key-text\" translate=\"no\">{token}</span>")
    };
    match name {
        Name::Column(at) => (at + 1).to_string(),
        Name::Key(at) => key(&run.keys, at),
        Name::Row(at) => key(&run.sides.keys().words, at),
        Name::Bias => "<var>b</var>".to_owned(),
        Name::Plain => String::new(),
    }
}

/// What the first column of the table counts.
fn name_of_terms(explanation: &Explanation, language: Language) -> &'static str {
    match explanation.terms.first().map(|term| term.name) {
        Some(Name::Column(_) | Name::Bias) => Key::TermsColumn.text(language),
        Some(Name::Key(_) | Name::Row(_)) => Key::TermsKey.text(language),
        _ => "",
    }
}

const Q: &str = "<var class=\"is-query-text\">q</var>";
const K: &str = "<var class=\"is-key-text\">k</var>";

/// The symbols above the operands and, last, above the term.
fn heads(explanation: &Explanation) -> &'static [&'static str] {
    let (way, step) = (explanation.way, explanation.place.step);
    let is_warm = || {
        explanation
            .before
            .iter()
            .any(|line| line.what == What::Temperature)
    };
    const X: &str = "<var>x</var>";
    const W: &str = "<var>w</var>";
    const S: &str = "<var>s</var>";
    const V: &str = "<var>v</var>";
    match way {
        Derivation::Projected => &[X, W, "<var>x</var>×<var>w</var>"],
        Derivation::ProjectedPositions => &[
            X,
            "<var>PE</var>",
            W,
            "(<var>x</var>+<var>PE</var>)×<var>w</var>",
        ],
        Derivation::TurnedFirst if step == StepKind::RotatedQueries => &[Q, "cos θ, −sin θ", "="],
        Derivation::TurnedSecond if step == StepKind::RotatedQueries => &[Q, "sin θ, cos θ", "="],
        Derivation::TurnedFirst => &[K, "cos θ, −sin θ", "="],
        Derivation::TurnedSecond => &[K, "sin θ, cos θ", "="],
        Derivation::Shortened if step == StepKind::ShortKeys => &["<var>E</var>", K, "="],
        Derivation::Shortened => &["<var>F</var>", V, "="],
        Derivation::Dot => &[
            Q,
            K,
            "<var class=\"is-query-text\">q</var>×<var class=\"is-key-text\">k</var>",
        ],
        Derivation::Additive => &[Q, K, "tanh", "<var>w<sub>a</sub></var>", "="],
        Derivation::Scaled => &[S, "1/√<var>d<sub>k</sub></var>", "="],
        Derivation::Biased => &[
            "<var>s</var>, −<var>m</var>",
            "|<var>i</var>−<var>j</var>|",
            "=",
        ],
        Derivation::Softmax if is_warm() => &[
            S,
            "(<var>s</var>−max)/<var>T</var>",
            "<var>e</var><sup>…</sup>",
        ],
        Derivation::Softmax => &[S, "<var>s</var>−max", "<var>e</var><sup>…</sup>"],
        Derivation::Weighted => &["<var>a</var>", V, "<var>a</var>×<var>v</var>"],
        Derivation::Output => &["<var>c</var>", W, "<var>c</var>×<var>w</var>"],
        Derivation::HiddenAfter => &["<var>a</var>", "0, 1", "="],
        _ => &[],
    }
}
