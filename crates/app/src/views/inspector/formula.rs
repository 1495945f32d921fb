//! The formula of a cell in MathML, with the hues of queries and keys.

use super::backward;
use crate::i18n::number;
use crate::present::steps::explain::{Derivation, Explanation, What};
use crate::state::StepKind;
use crate::views::math::{Hue, terms};
use crate::views::{Markup, html};
use attention::{Config, Pairs};

/// The formula by which a number comes about, with its numbers where it divides; nothing where it is only read.
pub fn formula(explanation: &Explanation, config: &Config) -> Markup {
    match equation(explanation, config) {
        Some(equation) => html! { math display="block" { (terms(&equation, Hue::Shown)) } },
        None => Markup::default(),
    }
}

/// In the notation of [`views::math`](crate::views::math).
fn equation(explanation: &Explanation, config: &Config) -> Option<String> {
    let letter = letter(explanation.place.step);
    let bias = |column| match explanation.has_bias() {
        true => format!(" + b_{column}"),
        false => String::new(),
    };
    Some(match explanation.way {
        Derivation::Sine => wave("sin", "c"),
        Derivation::Cosine => wave("cos", "c−1"),
        Derivation::Projected => format!("{letter}_{{i,c}} = Σ_r x_{{i,r}} w_{{r,c}}{}", bias("c")),
        Derivation::ProjectedPositions => {
            let bias = bias("c");
            format!("{letter}_{{i,c}} = Σ_r (x_{{i,r}} + PE_{{i,r}}) w_{{r,c}}{bias}")
        }
        Derivation::TurnedFirst => turned(letter, config, 0, ["cos", "−", "sin"]),
        Derivation::TurnedSecond => turned(letter, config, 1, ["sin", "+", "cos"]),
        Derivation::Shortened => {
            let mixture = if letter == "k" { "E" } else { "F" };
            format!("{letter}′_{{r,c}} = Σ_j {mixture}_{{r,j}} {letter}_{{j,c}}")
        }
        Derivation::Dot => "s_{i,j} = Σ_c q_{i,c} · k_{j,c}".to_owned(),
        Derivation::Additive => "s_{i,j} = Σ_c w_c tanh\u{2061}(q_{i,c} + k_{j,c})".to_owned(),
        Derivation::Scaled => scaled(explanation, config.sizes.d_k),
        Derivation::Biased => "s′_{i,j} = s_{i,j} − m|i − j|".to_owned(),
        Derivation::Softmax => softmax(explanation),
        Derivation::Weighted => "c_{i,c} = Σ_j a_{i,j} v_{j,c}".to_owned(),
        Derivation::Output => format!("y_{{i,o}} = Σ_c c_{{i,c}} w_{{c,o}}{}", bias("o")),
        Derivation::Normed => "x_{i,c} = γ_c ⦃h_{i,c} − μ_i⦄⁄√⦃σ_i^2 + ε⦄ + β_c".to_owned(),
        Derivation::Unembedded => "z_{i,w} = Σ_c (h_{i,c} + o_{i,c}) u_{c,w}".to_owned(),
        Derivation::Backward if explanation.terms.is_empty() => return None,
        Derivation::Backward => backward::equation(explanation.place.step)?.to_owned(),
        _ => return None,
    })
}

/// `s / √d_k`, then the same with its numbers.
fn scaled(explanation: &Explanation, width: usize) -> String {
    let score = explanation.terms.first();
    let score = score.and_then(|term| term.operands.first());
    let [score, result] = [score.map(|score| score.value), explanation.value].map(exactly);
    format!("s′_{{i,j}} = s_{{i,j}}⁄√d_k = {score}⁄√{width} = {result}")
}

fn exactly(value: Option<f64>) -> String {
    let digits = value.map_or_else(String::new, |value| number::exact(value as f32));
    format!("\"{digits}\"")
}

/// `exp(s − max) / Σ exp(s − max)`, then the same with its numbers.
fn softmax(explanation: &Explanation) -> String {
    let mut before = explanation.before.iter();
    let is_warm = before.any(|line| line.what == What::Temperature);
    let power = |index| match is_warm {
        true => format!("e^{{⦃s_{{{index}}} − max⦄⁄T}}"),
        false => format!("e^{{s_{{{index}}} − max}}"),
    };
    let number = |what| {
        let line = explanation.after.iter().find(|line| line.what == what);
        exactly(line.map(|line| line.operand.value))
    };
    let [own, every] = ["i,j", "i,l"].map(power);
    let [part, sum] = [What::Own, What::Sum].map(number);
    let result = exactly(explanation.value);
    format!("a_{{i,j}} = {own}⁄⦃Σ_l {every}⦄ = {part}⁄{sum} = {result}")
}

/// The letter of a step's numbers.
fn letter(step: StepKind) -> &'static str {
    match step {
        StepKind::Queries | StepKind::RotatedQueries => "q",
        StepKind::Keys | StepKind::RotatedKeys | StepKind::ShortKeys => "k",
        _ => "v",
    }
}

/// `sin(i / 10000^(c/d))`.
fn wave(name: &str, column: &str) -> String {
    format!("PE_{{i,c}} = {name}\u{2061}i⁄10000^{{{column}/d_model}}")
}

/// `q′ = q·cos θ ∓ q·sin θ`, for the first or the second column of a pair.
fn turned(letter: &str, config: &Config, own: usize, [one, sign, other]: [&str; 3]) -> String {
    let columns = match config.position.rotation().map(|turn| turn.pairs) {
        Some(Pairs::Halves) => ["p", "p+d_k⁄2"],
        _ => ["2p", "2p+1"],
    };
    let product = |column, name| format!("{letter}_{{i,{column}}} {name}\u{2061}θ");
    let [x, y] = [product(columns[0], one), product(columns[1], other)];
    format!("{letter}′_{{i,{}}} = {x} {sign} {y}", columns[own])
}
