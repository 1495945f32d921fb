//! The formula of a cell in MathML, with the hues of queries and keys.

use super::backward;
use crate::i18n::number;
use crate::present::steps::explain::{Derivation, Explanation, What};
use crate::state::StepKind;
use crate::views::{Markup, html};
use attention::Config;

/// The formula by which a number comes about, with its numbers where it divides; nothing where it is only read.
pub fn formula(explanation: &Explanation, config: &Config) -> Markup {
    match equation(explanation, config) {
        Some(equation) => html! { math display="block" { (equation) } },
        None => Markup::default(),
    }
}

fn equation(explanation: &Explanation, config: &Config) -> Option<Markup> {
    let letter = letter(explanation.place.step);
    Some(match explanation.way {
        Derivation::Sine => equals(&at("PE", "i,c"), &wave("sin", "c")),
        Derivation::Cosine => equals(&at("PE", "i,c"), &wave("cos", "c−1")),
        Derivation::Projected => {
            let term = html! { (at("x", "i,r")) (at("w", "r,c")) };
            equals(
                &at(letter, "i,c"),
                &with_bias(sum("r", &term), "c", explanation),
            )
        }
        Derivation::ProjectedPositions => {
            let input =
                html! { mo { "(" } (at("x", "i,r")) mo { "+" } (at("PE", "i,r")) mo { ")" } };
            let term = html! { (input) (at("w", "r,c")) };
            equals(
                &at(letter, "i,c"),
                &with_bias(sum("r", &term), "c", explanation),
            )
        }
        Derivation::TurnedFirst => turned(letter, "i,2p", "cos", "−", "sin"),
        Derivation::TurnedSecond => turned(letter, "i,2p+1", "sin", "+", "cos"),
        Derivation::Shortened => {
            let mixture = if letter == "k" { "E" } else { "F" };
            let term = html! { (at(mixture, "r,j")) (at(letter, "j,c")) };
            equals(&at(&format!("{letter}′"), "r,c"), &sum("j", &term))
        }
        Derivation::Dot => {
            let term = html! { (at("q", "i,c")) mo { "·" } (at("k", "j,c")) };
            equals(&at("s", "i,j"), &sum("c", &term))
        }
        Derivation::Additive => {
            let inner =
                html! { mo { "(" } (at("q", "i,c")) mo { "+" } (at("k", "j,c")) mo { ")" } };
            let term = html! { (at("w", "c")) (function("tanh")) (inner) };
            equals(&at("s", "i,j"), &sum("c", &term))
        }
        Derivation::Scaled => scaled(explanation, config.sizes.d_k),
        Derivation::Biased => {
            let right = html! {
                (at("s", "i,j")) mo { "−" } mi { "m" }
                mo { "|" } mi { "i" } mo { "−" } mi { "j" } mo { "|" }
            };
            equals(&at("s′", "i,j"), &right)
        }
        Derivation::Softmax => softmax(explanation),
        Derivation::Weighted => {
            let term = html! { (at("a", "i,j")) (at("v", "j,c")) };
            equals(&at("c", "i,c"), &sum("j", &term))
        }
        Derivation::Output => {
            let term = html! { (at("c", "i,c")) (at("w", "c,o")) };
            equals(
                &at("y", "i,o"),
                &with_bias(sum("c", &term), "o", explanation),
            )
        }
        Derivation::Normed => {
            let rise = html! { (at("h", "i,c")) mo { "−" } msub { mi { "μ" } mi { "i" } } };
            let below = html! { msqrt { msubsup { mi { "σ" } mi { "i" } mn { "2" } } mo { "+" } mi { "ε" } } };
            let normed = html! { (at("γ", "c")) (fraction(&rise, &below)) };
            equals(
                &at("x", "i,c"),
                &html! { (normed) mo { "+" } (at("β", "c")) },
            )
        }
        Derivation::Unembedded => {
            let both = html! { mo stretchy="false" { "(" } (at("h", "i,c")) mo { "+" } (at("o", "i,c")) mo stretchy="false" { ")" } };
            let term = html! { (both) (at("u", "c,w")) };
            equals(&at("z", "i,w"), &sum("c", &term))
        }
        Derivation::Backward if explanation.terms.is_empty() => return None,
        Derivation::Backward => return backward::equation(explanation.place.step),
        _ => return None,
    })
}

/// `s / √d_k`, then the same with its numbers.
fn scaled(explanation: &Explanation, width: usize) -> Markup {
    let root = html! { msqrt { msub { mi { "d" } mi { "k" } } } };
    let symbols = fraction(&at("s", "i,j"), &root);
    let score = explanation.terms.first();
    let score = score
        .and_then(|term| term.operands.first())
        .map(|score| score.value);
    let numbers = fraction(&exactly(score), &html! { msqrt { mn { (width) } } });
    let result = equals(&numbers, &exactly(explanation.value));
    equals(&at("s′", "i,j"), &equals(&symbols, &result))
}

fn exactly(value: Option<f64>) -> Markup {
    html! { @if let Some(value) = value { mn { (number::exact(value as f32)) } } }
}

/// `exp(s − max) / Σ exp(s − max)`, then the same with its numbers.
fn softmax(explanation: &Explanation) -> Markup {
    let is_warm = explanation
        .before
        .iter()
        .any(|line| line.what == What::Temperature);
    let power = |index: &str| {
        let rise = html! { (at("s", index)) mo { "−" } mi { "max" } };
        let exponent = if is_warm {
            fraction(&rise, &html! { mi { "T" } })
        } else {
            rise
        };
        html! { msup { mi { "e" } mrow { (exponent) } } }
    };
    let symbols = fraction(&power("i,j"), &sum("l", &power("i,l")));
    let number = |what| {
        let line = explanation.after.iter().find(|line| line.what == what);
        exactly(line.map(|line| line.operand.value))
    };
    let numbers = fraction(&number(What::Own), &number(What::Sum));
    let result = equals(&numbers, &exactly(explanation.value));
    equals(&at("a", "i,j"), &equals(&symbols, &result))
}

/// The letter of a step's numbers.
fn letter(step: StepKind) -> &'static str {
    match step {
        StepKind::Queries | StepKind::RotatedQueries => "q",
        StepKind::Keys | StepKind::RotatedKeys | StepKind::ShortKeys => "k",
        _ => "v",
    }
}

/// A letter with an index below it.
pub(super) fn at(letter: &str, index: &str) -> Markup {
    let hue = match letter.chars().next() {
        Some('q') => Some("is-query-text"),
        Some('k') => Some("is-key-text"),
        _ => None,
    };
    let index = indices(index);
    // A letter and its mark in one element would be set as a name, upright.
    match letter.strip_suffix('′') {
        Some(letter) => html! { msubsup { mi class=[hue] { (letter) } (index) mo { "′" } } },
        None => html! { msub { mi class=[hue] { (letter) } (index) } },
    }
}

/// Letters between commas.
pub(super) fn indices(index: &str) -> Markup {
    html! {
        mrow {
            @for (at, part) in index.split(',').enumerate() {
                @if at > 0 { mo separator="true" { "," } }
                mi { (part) }
            }
        }
    }
}

pub(super) fn equals(left: &Markup, right: &Markup) -> Markup {
    html! { mrow { (left) mo { "=" } (right) } }
}

pub(super) fn sum(over: &str, term: &Markup) -> Markup {
    html! { munder { mo { "∑" } (indices(over)) } mrow { (term) } }
}

/// A sum, and the bias of `column` where one is among the terms.
fn with_bias(sum: Markup, column: &str, explanation: &Explanation) -> Markup {
    html! { (sum) @if explanation.has_bias() { mo { "+" } (at("b", column)) } }
}

pub(super) fn fraction(above: &Markup, below: &Markup) -> Markup {
    html! { mfrac { mrow { (above) } mrow { (below) } } }
}

fn function(name: &str) -> Markup {
    html! { mi { (name) } mo { "\u{2061}" } }
}

/// `sin(i / 10000^(c/d))`.
fn wave(name: &str, column: &str) -> Markup {
    let divisor = html! {
        msup {
            mn { "10000" }
            mrow { mi { (column) } mo { "/" } msub { mi { "d" } mtext { "model" } } }
        }
    };
    html! { (function(name)) (fraction(&html! { mi { "i" } }, &divisor)) }
}

/// `q′ = q·cos θ ∓ q·sin θ`.
fn turned(letter: &str, index: &str, first: &str, sign: &str, second: &str) -> Markup {
    let product = |index, name| html! { (at(letter, index)) (function(name)) mi { "θ" } };
    let right = html! { (product("i,2p", first)) mo { (sign) } (product("i,2p+1", second)) };
    equals(&at(&format!("{letter}′"), index), &right)
}
