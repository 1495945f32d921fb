//! The steps as formulas in MathML.
//!
//! Queries and keys have their hue through classes of the style sheet; the letters say the same without colour. Formulas contain no
//! words and need no translation.

use crate::state::StepKind;
use crate::views::{Markup, html};
use attention::{Config, InputKind, Position, Scoring};

/// The formula of `step` in the mechanism of `config`: a `math` element. `is_written` says that a number is written over
/// hidden scores, instead of leaving them out.
pub fn formula(step: StepKind, config: &Config, is_written: bool) -> Markup {
    html! { math { (inside(step, config, is_written)) } }
}

fn inside(step: StepKind, config: &Config, is_written: bool) -> Markup {
    let [s, c] = ["S", "C"].map(mi);
    match step {
        StepKind::Input => mi("X"),
        StepKind::Source => mi("Y"),
        StepKind::Positions => upright("PE"),
        StepKind::Queries if is_given(config) => q(),
        StepKind::Keys if is_given(config) => k(),
        StepKind::Values if is_given(config) => mi("V"),
        StepKind::Queries => projected(&q(), &from(config, false), config.biases.query),
        StepKind::Keys => projected(&k(), &from(config, true), config.biases.key),
        StepKind::Values => projected(&mi("V"), &from(config, true), config.biases.value),
        StepKind::RotatedQueries => turned(&coloured("is-query-text", "q"), "i"),
        StepKind::RotatedKeys => turned(&coloured("is-key-text", "k"), "j"),
        StepKind::ShortKeys => equals(&prime(&k()), &html! { (mi("E")) (k()) }),
        StepKind::ShortValues => {
            let v = mi("V");
            equals(&prime(&v), &html! { (mi("F")) (v) })
        }
        StepKind::Scores => scores(config),
        StepKind::Scaled => becomes(&s, &scaled(&s)),
        StepKind::Biased => {
            let distance = html! { (fence("|")) mi { "i" } mo { "−" } mi { "j" } (fence("|")) };
            let s = of_cell(&s);
            becomes(&s, &html! { (s) mo { "−" } (slope(config)) (distance) })
        }
        StepKind::Mask => html! {
            (of_cell(&mi("M"))) mo { "∈" } (fence("{")) mn { "0" } mo { "," } mn { "1" } (fence("}"))
        },
        StepKind::Masked => {
            let is_hidden = html! { (of_cell(&mi("M"))) mo { "=" } mn { "0" } };
            let value = html! {
                (hidden(is_written)) mspace width="0.5em" {} (parenthesised(&is_hidden))
            };
            becomes(&of_cell(&s), &value)
        }
        StepKind::Weights if config.masked && config.mask_after => {
            becomes(&mi("A"), &html! { (mi("A")) mo { "⊙" } (mi("M")) })
        }
        StepKind::Softmax | StepKind::Weights => softmax(config),
        StepKind::Context => equals(&c, &html! { (mi("A")) (values(config)) }),
        StepKind::Merged => {
            let (first, last) = (sub(&c, &html! { mn { "1" } }), sub(&c, &mi("h")));
            html! { (fence("[")) (first) mo { "…" } (last) (fence("]")) }
        }
        StepKind::Output => projected(&mi("O"), &c, config.biases.output),
        StepKind::Residual => mi("H"),
        StepKind::Normed => equals(&mi("X"), &html! { mi { "norm" } (parenthesised(&mi("H"))) }),
        StepKind::Sum => html! { (mi("H")) mo { "+" } (mi("O")) },
        StepKind::Logits => {
            let sum = parenthesised(&html! { (mi("H")) mo { "+" } (mi("O")) });
            equals(&mi("Z"), &html! { (sum) (sub(&mi("W"), &mi("U"))) })
        }
        StepKind::LogitsGradient => {
            let softmax = html! { mi { "softmax" } (parenthesised(&mi("Z"))) };
            let right = html! { (softmax) mo { "−" } mi { "onehot" } };
            equals(&gradient(&mi("Z")), &right)
        }
        StepKind::OutputGradient => {
            let [loss, output] =
                ["L", "O"].map(|letter| html! { mi mathvariant="normal" { "∂" } (mi(letter)) });
            equals(
                &gradient(&mi("O")),
                &html! { mfrac { mrow { (loss) } mrow { (output) } } },
            )
        }
        StepKind::ContextGradient => {
            let product = times(&gradient(&mi("O")), &weights_transposed(&mi("O")));
            equals(&gradient(&c), &product)
        }
        StepKind::OutputWeightsGradient => weights_gradient(&mi("O"), &c),
        StepKind::QueryWeightsGradient => weights_gradient(&q(), &mi("X")),
        StepKind::KeyWeightsGradient => weights_gradient(&k(), &mi("X")),
        StepKind::ValueWeightsGradient => weights_gradient(&mi("V"), &mi("X")),
        StepKind::NormedGradient => {
            let part = |letter| times(&gradient(&letter), &weights_transposed(&letter));
            let parts = [q(), k(), mi("V")].map(part);
            let sum = html! { (parts[0]) mo { "+" } (parts[1]) mo { "+" } (parts[2]) };
            let heads = html! { mo { "∑" } (parenthesised(&sum)) };
            equals(&gradient(&mi("X")), &heads)
        }
        StepKind::ResidualGradient => {
            let back = html! { mi { "norm′" } (parenthesised(&gradient(&mi("X")))) };
            let sum = html! { (gradient(&mi("O"))) mo { "+" } (back) };
            equals(&gradient(&mi("H")), &sum)
        }
        StepKind::WeightsGradient => {
            let product = times(&gradient(&c), &transposed(&mi("V")));
            equals(&gradient(&mi("A")), &product)
        }
        StepKind::ValuesGradient => {
            let product = times(&transposed(&mi("A")), &gradient(&c));
            equals(&gradient(&mi("V")), &product)
        }
        StepKind::ScoresGradient => {
            let [a, da] = [mi("A"), gradient(&mi("A"))];
            let inside = html! { (da) mo { "−" } mo { "∑" } (da) mo { "∘" } (a) };
            equals(
                &gradient(&s),
                &html! { (a) mo { "∘" } (parenthesised(&inside)) },
            )
        }
        StepKind::QueriesGradient => {
            let product = times(&gradient(&s), &k());
            equals(&gradient(&q()), &scaled(&product))
        }
        StepKind::KeysGradient => {
            let product = times(&gradient(&transposed(&s)), &q());
            equals(&gradient(&k()), &scaled(&product))
        }
    }
}

/// A product in which a gradient would run together with what stands beside it.
fn times(one: &Markup, other: &Markup) -> Markup {
    html! { (one) mspace width="0.2em" {} (other) }
}

/// The gradient of the loss with respect to a matrix.
fn gradient(matrix: &Markup) -> Markup {
    html! { mi mathvariant="normal" { "d" } (matrix) }
}

/// `dW_Q = Xᵀ dQ` and its like: of a weight matrix and what it was multiplied with.
fn weights_gradient(letter: &Markup, from: &Markup) -> Markup {
    let product = times(&transposed(from), &gradient(letter));
    equals(&gradient(&sub(&mi("W"), letter)), &product)
}

fn weights_transposed(letter: &Markup) -> Markup {
    html! { msubsup { (mi("W")) (letter) (fence("⊤")) } }
}

fn transposed(matrix: &Markup) -> Markup {
    html! { msup { (matrix) (fence("⊤")) } }
}

fn scaled(matrix: &Markup) -> Markup {
    html! { (matrix) mo { "/" } msqrt { (sub(&mi("d"), &mi("k"))) } }
}

/// Whether queries, keys and values are where everything begins.
fn is_given(config: &Config) -> bool {
    config.input == InputKind::Given
}

fn mi(letter: &str) -> Markup {
    html! { mi { (letter) } }
}

fn coloured(class: &str, letter: &str) -> Markup {
    html! { mi class=(class) { (letter) } }
}

fn q() -> Markup {
    coloured("is-query-text", "Q")
}

fn k() -> Markup {
    coloured("is-key-text", "K")
}

fn upright(name: &str) -> Markup {
    html! { mi mathvariant="normal" { (name) } }
}

fn sub(base: &Markup, index: &Markup) -> Markup {
    html! { msub { (base) mrow { (index) } } }
}

/// A letter with the row and the column of a cell.
fn of_cell(base: &Markup) -> Markup {
    sub(base, &html! { mi { "i" } mi { "j" } })
}

fn prime(base: &Markup) -> Markup {
    html! { msup { (base) mo { "′" } } }
}

fn fence(sign: &str) -> Markup {
    html! { mo stretchy="false" { (sign) } }
}

fn parenthesised(inside: &Markup) -> Markup {
    html! { (fence("(")) (inside) (fence(")")) }
}

fn equals(left: &Markup, right: &Markup) -> Markup {
    html! { (left) mo { "=" } (right) }
}

/// Reassignment `left ← right`: the same letter stands for the scores after every operation.
fn becomes(left: &Markup, right: &Markup) -> Markup {
    html! { (left) mo { "←" } (right) }
}

/// X or Y, with the encoding where one is added.
fn from(config: &Config, is_key_side: bool) -> Markup {
    let is_source = is_key_side && config.input == InputKind::CrossAttention;
    let letter = mi(if is_source { "Y" } else { "X" });
    match config.position {
        Position::Sinusoidal => parenthesised(&html! { (letter) mo { "+" } (upright("PE")) }),
        _ => letter,
    }
}

/// `Q = X·W_Q`, and `+ b_Q` where there is a bias.
fn projected(letter: &Markup, from: &Markup, has_bias: bool) -> Markup {
    let product = html! { (from) (sub(&mi("W"), letter)) };
    let bias = html! { @if has_bias { mo { "+" } (sub(&mi("b"), letter)) } };
    equals(letter, &html! { (product) (bias) })
}

/// `q'_i = R_i·q_i`.
fn turned(letter: &Markup, index: &str) -> Markup {
    let index = mi(index);
    let left = html! { msubsup { (letter) (index) mo { "′" } } };
    equals(
        &left,
        &html! { (sub(&mi("R"), &index)) (sub(letter, &index)) },
    )
}

fn scores(config: &Config) -> Markup {
    if config.scoring == Scoring::Additive {
        let q = sub(&coloured("is-query-text", "q"), &mi("i"));
        let k = sub(&coloured("is-key-text", "k"), &mi("j"));
        let both = parenthesised(&html! { (q) mo { "+" } (k) });
        let right = html! { (sub(&mi("w"), &mi("a"))) mo { "·" } mi { "tanh" } (both) };
        return equals(&of_cell(&mi("S")), &right);
    }
    let is_turned = config.position == Position::Rotary;
    let queries = if is_turned { prime(&q()) } else { q() };
    let is_marked = is_turned || config.linformer;
    let right = html! {
        (queries) msup { (k()) mrow { @if is_marked { mo { "′" } } (fence("⊤")) } }
    };
    equals(&mi("S"), &right)
}

/// ALiBi slope, times the strength where it is not the paper's.
fn slope(config: &Config) -> Markup {
    let slope = sub(&mi("m"), &mi("h"));
    match config.position {
        Position::Alibi { strength } if strength != 1.0 => html! { mn { (strength) } (slope) },
        _ => slope,
    }
}

/// Value of a hidden score: −∞, or −10⁹ where it is overwritten.
fn hidden(is_written: bool) -> Markup {
    html! {
        mo { "−" }
        @if is_written { msup { mn { "10" } mn { "9" } } } @else { mi { "∞" } }
    }
}

fn softmax(config: &Config) -> Markup {
    let is_warm = config.temperature != 1.0;
    let over = html! { (mi("S")) @if is_warm { mo { "/" } (mi("T")) } };
    equals(&mi("A"), &html! { mi { "softmax" } (parenthesised(&over)) })
}

fn values(config: &Config) -> Markup {
    let values = mi("V");
    if config.linformer {
        prime(&values)
    } else {
        values
    }
}
