//! How the numbers of the backward pass come about: formulas, and what stands above their terms.

use super::formula::{at, equals, fraction, sum};
use super::{Markup, html};
use crate::state::StepKind;

/// `dc_{i,c} = Σ_o do_{i,o}·w_{c,o}` and its like; `None` where a number is only read.
pub(super) fn equation(step: StepKind) -> Option<Markup> {
    Some(match step {
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
            let inside =
                html! { mo stretchy="false" { "(" } (difference) mo stretchy="false" { ")" } };
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

fn scaled(sum: &Markup) -> Markup {
    let root = html! { msqrt { msub { mi { "d" } mi { "k" } } } };
    html! { (fraction(&html! { mn { "1" } }, &root)) (sum) }
}

/// The gradient with respect to a letter.
fn d(letter: &str, index: &str) -> Markup {
    html! { mi mathvariant="normal" { "d" } (at(letter, index)) }
}

const DO: &str = "d<var>o</var>";
const DC: &str = "d<var>c</var>";
const DA: &str = "d<var>a</var>";
const DS: &str = "d<var>s</var>";

/// The symbols above the operands and, last, above the term.
pub(super) fn symbols(step: StepKind) -> &'static [&'static str] {
    match step {
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
