//! The formula of a cell in MathML, with the hues of queries and keys.

use crate::i18n::number;
use crate::present::steps::explain::{Derivation, Explanation, What};
use crate::state::StepKind;
use attention::Config;

/// The formula by which a number comes about, with its numbers where it divides; nothing where it is only read.
pub(super) fn formula(explanation: &Explanation, config: &Config) -> String {
    let letter = letter(explanation.place.step);
    let body = match explanation.way {
        Derivation::Sine => equals(&at("PE", "i,c"), &wave("sin", "c")),
        Derivation::Cosine => equals(&at("PE", "i,c"), &wave("cos", "c−1")),
        Derivation::Projected => equals(
            &at(letter, "i,c"),
            &sum("r", &(at("x", "i,r") + &at("w", "r,c"))),
        ),
        Derivation::ProjectedPositions => {
            let input = at("x", "i,r") + "<mo>+</mo>" + &at("PE", "i,r");
            equals(
                &at(letter, "i,c"),
                &sum("r", &(bracket(&input) + &at("w", "r,c"))),
            )
        }
        Derivation::TurnedFirst => turned(letter, "i,2p", "cos", "−", "sin"),
        Derivation::TurnedSecond => turned(letter, "i,2p+1", "sin", "+", "cos"),
        Derivation::Shortened => {
            let mixture = if letter == "k" { "E" } else { "F" };
            equals(
                &at(&format!("{letter}′"), "r,c"),
                &sum("j", &(at(mixture, "r,j") + &at(letter, "j,c"))),
            )
        }
        Derivation::Dot => equals(
            &at("s", "i,j"),
            &sum("c", &(at("q", "i,c") + "<mo>·</mo>" + &at("k", "j,c"))),
        ),
        Derivation::Additive => {
            let inner = at("q", "i,c") + "<mo>+</mo>" + &at("k", "j,c");
            let term = at("w", "c") + &function("tanh") + &bracket(&inner);
            equals(&at("s", "i,j"), &sum("c", &term))
        }
        Derivation::Scaled => scaled(explanation, config.sizes.d_k),
        Derivation::Biased => {
            let distance = "<mo>|</mo><mi>i</mi><mo>−</mo><mi>j</mi><mo>|</mo>";
            let bias = format!("<mo>−</mo><mi>m</mi>{distance}");
            equals(&at("s′", "i,j"), &(at("s", "i,j") + &bias))
        }
        Derivation::Softmax => return softmax(explanation),
        Derivation::Weighted => equals(
            &at("c", "i,c"),
            &sum("j", &(at("a", "i,j") + &at("v", "j,c"))),
        ),
        Derivation::Output => equals(
            &at("y", "i,o"),
            &sum("c", &(at("c", "i,c") + &at("w", "c,o"))),
        ),
        _ => return String::new(),
    };
    math(&body)
}

/// `s / √d_k`, then the same with its numbers.
fn scaled(explanation: &Explanation, width: usize) -> String {
    let symbols = fraction(
        &at("s", "i,j"),
        "<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt>",
    );
    let score = explanation
        .terms
        .first()
        .and_then(|term| term.operands.first());
    let score = score.map_or_else(String::new, |score| exactly(score.value));
    let numbers = fraction(&score, &format!("<msqrt><mn>{width}</mn></msqrt>"));
    let came_out = came_out(explanation);
    equals(
        &at("s′", "i,j"),
        &equals(&symbols, &equals(&numbers, &came_out)),
    )
}

/// What the arithmetic gives.
fn came_out(explanation: &Explanation) -> String {
    explanation.value.map_or_else(String::new, exactly)
}

fn exactly(value: f64) -> String {
    format!("<mn>{}</mn>", number::exact(value as f32))
}

/// `exp(s − max) / Σ exp(s − max)`, then the same with its numbers.
fn softmax(explanation: &Explanation) -> String {
    let is_warm = explanation
        .before
        .iter()
        .any(|line| line.what == What::Temperature);
    let power = |index: &str| {
        let rise = at("s", index) + "<mo>−</mo><mi>max</mi>";
        let exponent = if is_warm {
            fraction(&rise, "<mi>T</mi>")
        } else {
            rise
        };
        format!("<msup><mi>e</mi><mrow>{exponent}</mrow></msup>")
    };
    let symbols = fraction(&power("i,j"), &sum("l", &power("i,l")));
    let number = |what| {
        let line = explanation.after.iter().find(|line| line.what == what);
        line.map_or_else(String::new, |line| exactly(line.operand.value))
    };
    let numbers = fraction(&number(What::Own), &number(What::Sum));
    let numbers = equals(&numbers, &came_out(explanation));
    math(&equals(&at("a", "i,j"), &equals(&symbols, &numbers)))
}

/// The letter of a step's numbers.
fn letter(step: StepKind) -> &'static str {
    match step {
        StepKind::Queries | StepKind::RotatedQueries => "q",
        StepKind::Keys | StepKind::RotatedKeys | StepKind::ShortKeys => "k",
        _ => "v",
    }
}

fn math(body: &str) -> String {
    format!("<math display=\"block\">{body}</math>")
}

/// A letter with an index below it.
fn at(letter: &str, index: &str) -> String {
    let hue = match letter.chars().next() {
        Some('q') => " class=\"is-query-text\"",
        Some('k') => " class=\"is-key-text\"",
        _ => "",
    };
    let index = index.replace(',', "</mi><mo separator=\"true\">,</mo><mi>");
    let index = format!("<mrow><mi>{index}</mi></mrow>");
    // A letter and its mark in one element would be set as a name, upright.
    match letter.strip_suffix('′') {
        Some(letter) => format!("<msubsup><mi{hue}>{letter}</mi>{index}<mo>′</mo></msubsup>"),
        None => format!("<msub><mi{hue}>{letter}</mi>{index}</msub>"),
    }
}

fn equals(left: &str, right: &str) -> String {
    format!("<mrow>{left}<mo>=</mo>{right}</mrow>")
}

fn sum(over: &str, term: &str) -> String {
    format!("<munder><mo>∑</mo><mi>{over}</mi></munder><mrow>{term}</mrow>")
}

fn fraction(above: &str, below: &str) -> String {
    format!("<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>")
}

fn bracket(inner: &str) -> String {
    format!("<mo>(</mo>{inner}<mo>)</mo>")
}

fn function(name: &str) -> String {
    format!("<mi>{name}</mi><mo>&#x2061;</mo>")
}

/// `sin(i / 10000^(c/d))`.
fn wave(name: &str, column: &str) -> String {
    let exponent = format!(
        "<mrow><mi>{column}</mi><mo>/</mo><msub><mi>d</mi><mtext>model</mtext></msub></mrow>"
    );
    let divisor = format!("<msup><mn>10000</mn>{exponent}</msup>");
    function(name) + &fraction("<mi>i</mi>", &divisor)
}

/// `q′ = q·cos θ ∓ q·sin θ`.
fn turned(letter: &str, index: &str, first: &str, sign: &str, second: &str) -> String {
    let angle = |name| function(name) + "<mi>θ</mi>";
    let (x, y) = (at(letter, "i,2p"), at(letter, "i,2p+1"));
    let (first, second) = (x + &angle(first), y + &angle(second));
    equals(
        &at(&format!("{letter}′"), index),
        &format!("{first}<mo>{sign}</mo>{second}"),
    )
}
