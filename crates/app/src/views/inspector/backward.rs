//! Explanations of the backward pass: formulas, and headers of their terms.

use super::formula::{at, equals, fraction, indices, sum};
use super::{Markup, html};
use crate::state::StepKind;

/// `dc_{i,c} = Σ_o do_{i,o}·w_{c,o}` and its like; `None` where a number is only read.
pub(super) fn equation(step: StepKind) -> Option<Markup> {
    Some(match step {
        StepKind::LogitsGradient => {
            let power = |index| {
                let rise = html! { (at("z", index)) mo { "−" } mi { "max" } };
                html! { msup { mi { "e" } mrow { (rise) } } }
            };
            let softmax = fraction(&power("i,w"), &sum("l", &power("i,l")));
            equals(
                &d("z", "i,w"),
                &html! { (softmax) mo { "−" } (at("y", "w")) },
            )
        }
        StepKind::OutputGradient => {
            let term = html! { (d("z", "i,w")) (at("u", "c,w")) };
            equals(&d("o", "i,c"), &sum("w", &term))
        }
        StepKind::OutputWeightsGradient => {
            let term = html! { (at("c", "i,c")) (d("o", "i,o")) };
            equals(&d("w", "c,o"), &sum("i", &term))
        }
        StepKind::QueryWeightsGradient => weights("q", "i"),
        StepKind::KeyWeightsGradient => weights("k", "j"),
        StepKind::ValueWeightsGradient => weights("v", "j"),
        StepKind::NormedGradient => {
            let part = |letter, of| html! { (d(letter, "i,c")) (weight(of)) };
            // No wider than the pane.
            let plus = html! { mo lspace="0.1em" rspace="0.1em" { "+" } };
            let parts = html! { (part("q", "Q")) (plus) (part("k", "K")) (plus) (part("v", "V")) };
            equals(&d("x", "i,r"), &sum("h,c", &parenthesised(&parts)))
        }
        StepKind::ResidualGradient => {
            let [mean, along] = [mi("g"), html! { (mi("g")) (hat()) }].map(|of| mean(&of));
            let own = html! { msub { (hat()) (indices("i,c")) } };
            let taken = html! { (mean) mo { "−" } (own) (along) };
            let above = html! { (at("g", "i,c")) mo { "−" } (taken) };
            let below = html! { msqrt { msubsup { mi { "σ" } mi { "i" } mn { "2" } } mo { "+" } mi { "ε" } } };
            let sum = html! { (d("o", "i,c")) mo { "+" } (fraction(&above, &below)) };
            equals(&d("h", "i,c"), &sum)
        }
        StepKind::ContextGradient => {
            let term = html! { (d("o", "i,o")) (at("w", "c,o")) };
            equals(&d("c", "i,c"), &sum("o", &term))
        }
        StepKind::WeightsGradient => {
            let term = html! { (d("c", "i,c")) (at("v", "j,c")) };
            equals(&d("a", "i,j"), &sum("c", &term))
        }
        StepKind::ValuesGradient => {
            let term = html! { (at("a", "i,j")) (d("c", "i,c")) };
            equals(&d("v", "j,c"), &sum("i", &term))
        }
        StepKind::ScoresGradient => {
            let mean = sum("l", &html! { (d("a", "i,l")) (at("a", "i,l")) });
            let difference = html! { (d("a", "i,j")) mo { "−" } (mean) };
            let inside = parenthesised(&difference);
            equals(&d("s", "i,j"), &html! { (at("a", "i,j")) (inside) })
        }
        StepKind::QueriesGradient => {
            let term = html! { (d("s", "i,j")) (at("k", "j,c")) };
            equals(&d("q", "i,c"), &scaled(&sum("j", &term)))
        }
        StepKind::KeysGradient => {
            let term = html! { (d("s", "i,j")) (at("q", "i,c")) };
            equals(&d("k", "j,c"), &scaled(&sum("i", &term)))
        }
        _ => return None,
    })
}

/// `dw_{r,c} = Σ x·dq` and its like.
fn weights(letter: &str, row: &str) -> Markup {
    let term = html! { (at("x", &format!("{row},r"))) (d(letter, &format!("{row},c"))) };
    equals(&d("w", "r,c"), &sum(row, &term))
}

/// A number of the weight matrix that makes queries, keys or values.
fn weight(of: &str) -> Markup {
    html! { msubsup { mi { "w" } (indices("r,c")) mi { (of) } } }
}

/// `x̂`, which in one element would be set as a name, upright.
fn hat() -> Markup {
    html! { mover accent="true" { (mi("x")) mo stretchy="false" { "^" } } }
}

/// The mean of a row, between brackets that the lines below name.
fn mean(of: &Markup) -> Markup {
    let bracket = |sign| html! { mo stretchy="false" lspace="0" rspace="0" { (sign) } };
    html! { msub { mrow { (bracket("⟨")) (of) (bracket("⟩")) } (mi("i")) } }
}

fn mi(letter: &str) -> Markup {
    html! { mi { (letter) } }
}

fn parenthesised(inside: &Markup) -> Markup {
    html! { mo stretchy="false" { "(" } (inside) mo stretchy="false" { ")" } }
}

fn scaled(sum: &Markup) -> Markup {
    let root = html! { msqrt { msub { mi { "d" } mi { "k" } } } };
    html! { (fraction(&html! { mn { "1" } }, &root)) (sum) }
}

/// The gradient with respect to a letter.
fn d(letter: &str, index: &str) -> Markup {
    html! { mi mathvariant="normal" { "d" } (at(letter, index)) }
}

/// The letter of a gradient that a head sends back to what enters.
pub(super) fn sent_back(step: StepKind) -> &'static str {
    match step {
        StepKind::QueriesGradient => "<var class=\"is-query-text\">q</var>",
        StepKind::KeysGradient => "<var class=\"is-key-text\">k</var>",
        _ => "<var>v</var>",
    }
}

const DO: &str = "d<var>o</var>";
const DC: &str = "d<var>c</var>";
const DA: &str = "d<var>a</var>";
const DS: &str = "d<var>s</var>";

/// The symbols above the operands and, last, above the term.
pub(super) fn symbols(step: StepKind) -> &'static [&'static str] {
    match step {
        StepKind::LogitsGradient => &[
            "<var>z</var>",
            "<var>z</var>−max",
            "<var>e</var><sup>…</sup>",
        ],
        StepKind::OutputGradient => &[
            "d<var>z</var>",
            "<var>u</var>",
            "d<var>z</var>×<var>u</var>",
        ],
        StepKind::OutputWeightsGradient => &["<var>c</var>", DO, "<var>c</var>×d<var>o</var>"],
        StepKind::QueryWeightsGradient => &[
            "<var>x</var>",
            "d<var class=\"is-query-text\">q</var>",
            "<var>x</var>×d<var class=\"is-query-text\">q</var>",
        ],
        StepKind::KeyWeightsGradient => &[
            "<var>x</var>",
            "d<var class=\"is-key-text\">k</var>",
            "<var>x</var>×d<var class=\"is-key-text\">k</var>",
        ],
        StepKind::ValueWeightsGradient => &[
            "<var>x</var>",
            "d<var>v</var>",
            "<var>x</var>×d<var>v</var>",
        ],
        StepKind::NormedGradient => &[
            "d<var>q</var>, d<var>k</var>, d<var>v</var>",
            "<var>w</var>",
            "=",
        ],
        StepKind::ResidualGradient => &["d<var>o</var>, d<var>x</var>", "="],
        StepKind::ContextGradient => &[DO, "<var>w</var>", "d<var>o</var>×<var>w</var>"],
        StepKind::WeightsGradient => &[DC, "<var>v</var>", "d<var>c</var>×<var>v</var>"],
        StepKind::ValuesGradient => &["<var>a</var>", DC, "<var>a</var>×d<var>c</var>"],
        StepKind::ScoresGradient => &[DA, "<var>a</var>", "d<var>a</var>×<var>a</var>"],
        StepKind::QueriesGradient => &[
            DS,
            "<var class=\"is-key-text\">k</var>",
            "d<var>s</var>×<var class=\"is-key-text\">k</var>/√<var>d<sub>k</sub></var>",
        ],
        StepKind::KeysGradient => &[
            DS,
            "<var class=\"is-query-text\">q</var>",
            "d<var>s</var>×<var class=\"is-query-text\">q</var>/√<var>d<sub>k</sub></var>",
        ],
        _ => &[],
    }
}
