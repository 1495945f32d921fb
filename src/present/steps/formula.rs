//! The steps as formulas in MathML.
//!
//! Queries and keys have their hue through classes of the style sheet; the letters say the same without colour. Formulas contain no
//! words and need no translation.

use crate::state::StepKind;
use attention::{Config, InputKind, Position, Scoring};

const Q: &str = r#"<mi class="is-query-text">Q</mi>"#;
const K: &str = r#"<mi class="is-key-text">K</mi>"#;
const EQUALS: &str = "<mo>=</mo>";
/// What is written over from here on: one letter stands for the scores, whatever was done to them.
const BECOMES: &str = "<mo>←</mo>";
const CELL: &str = "<mi>i</mi><mi>j</mi>";

/// The formula of `step` in the mechanism of `config`: a `math` element. `is_written` says that a number is written over
/// hidden scores, instead of leaving them out.
pub fn formula(step: StepKind, config: &Config, is_written: bool) -> String {
    format!("<math>{}</math>", inside(step, config, is_written))
}

fn inside(step: StepKind, config: &Config, is_written: bool) -> String {
    match step {
        StepKind::Input => mi("X"),
        StepKind::Source => mi("Y"),
        StepKind::Positions => upright("PE"),
        StepKind::Queries if is_given(config) => Q.to_owned(),
        StepKind::Keys if is_given(config) => K.to_owned(),
        StepKind::Values if is_given(config) => mi("V"),
        StepKind::Queries => projected(Q, from(config, false)),
        StepKind::Keys => projected(K, from(config, true)),
        StepKind::Values => projected(&mi("V"), from(config, true)),
        StepKind::RotatedQueries => turned("is-query-text", "q", "i"),
        StepKind::RotatedKeys => turned("is-key-text", "k", "j"),
        StepKind::ShortKeys => format!("{}{EQUALS}{}{K}", prime(K), mi("E")),
        StepKind::ShortValues => format!("{}{EQUALS}{}{}", prime(&mi("V")), mi("F"), mi("V")),
        StepKind::Scores => scores(config),
        StepKind::Scaled => format!(
            "{}{BECOMES}{}<mo>/</mo><msqrt>{}</msqrt>",
            mi("S"),
            mi("S"),
            sub(&mi("d"), &mi("k"))
        ),
        StepKind::Biased => format!(
            "{}{BECOMES}{}<mo>−</mo>{}<mo stretchy=\"false\">|</mo><mi>i</mi><mo>−</mo><mi>j</mi><mo stretchy=\"false\">|</mo>",
            sub(&mi("S"), CELL),
            sub(&mi("S"), CELL),
            slope(config)
        ),
        StepKind::Mask => format!(
            "{}<mo>∈</mo><mo stretchy=\"false\">{{</mo><mn>0</mn><mo>,</mo><mn>1</mn><mo stretchy=\"false\">}}</mo>",
            sub(&mi("M"), CELL)
        ),
        StepKind::Masked => format!(
            "{}{BECOMES}{}<mspace width=\"0.5em\"/><mo stretchy=\"false\">(</mo>{}<mo>=</mo><mn>0</mn><mo stretchy=\"false\">)</mo>",
            sub(&mi("S"), CELL),
            hidden(is_written),
            sub(&mi("M"), CELL)
        ),
        StepKind::Softmax => softmax(config),
        StepKind::Weights if config.masked && config.mask_after => {
            format!("{}{BECOMES}{}<mo>⊙</mo>{}", mi("A"), mi("A"), mi("M"))
        }
        StepKind::Weights => softmax(config),
        StepKind::Context => format!("{}{EQUALS}{}{}", mi("C"), mi("A"), values(config)),
        StepKind::Merged => format!(
            "<mo stretchy=\"false\">[</mo>{}<mo>…</mo>{}<mo stretchy=\"false\">]</mo>",
            sub(&mi("C"), "<mn>1</mn>"),
            sub(&mi("C"), &mi("h"))
        ),
        StepKind::Output => format!("{}{EQUALS}{}{}", mi("O"), mi("C"), sub(&mi("W"), &mi("O"))),
    }
}

/// Whether queries, keys and values are where everything begins.
fn is_given(config: &Config) -> bool {
    config.input == InputKind::Given
}

fn mi(letter: &str) -> String {
    format!("<mi>{letter}</mi>")
}

fn upright(name: &str) -> String {
    format!("<mi mathvariant=\"normal\">{name}</mi>")
}

fn sub(base: &str, index: &str) -> String {
    format!("<msub>{base}<mrow>{index}</mrow></msub>")
}

fn prime(base: &str) -> String {
    format!("<msup>{base}<mo>′</mo></msup>")
}

fn parenthesised(inside: &str) -> String {
    format!("<mo stretchy=\"false\">(</mo>{inside}<mo stretchy=\"false\">)</mo>")
}

/// X or Y, with the encoding where one is added.
fn from(config: &Config, is_key_side: bool) -> String {
    let is_source = is_key_side && config.input == InputKind::CrossAttention;
    let letter = mi(if is_source { "Y" } else { "X" });
    match config.position {
        Position::Sinusoidal => parenthesised(&format!("{letter}<mo>+</mo>{}", upright("PE"))),
        _ => letter,
    }
}

/// `Q = X·W_Q`.
fn projected(letter: &str, from: String) -> String {
    format!("{letter}{EQUALS}{from}{}", sub(&mi("W"), letter))
}

/// `q'_i = R_i·q_i`.
fn turned(class: &str, letter: &str, index: &str) -> String {
    let letter = format!("<mi class=\"{class}\">{letter}</mi>");
    let index = mi(index);
    format!(
        "<msubsup>{letter}{index}<mo>′</mo></msubsup>{EQUALS}{}{}",
        sub(&mi("R"), &index),
        sub(&letter, &index)
    )
}

fn scores(config: &Config) -> String {
    if config.scoring == Scoring::Additive {
        let [q, k] = [("is-query-text", "q", "i"), ("is-key-text", "k", "j")].map(
            |(class, letter, index)| {
                sub(&format!("<mi class=\"{class}\">{letter}</mi>"), &mi(index))
            },
        );
        let weights = sub(&mi("w"), &mi("a"));
        return format!(
            "{}{EQUALS}{weights}<mo>·</mo><mi>tanh</mi><mo stretchy=\"false\">(</mo>{q}<mo>+</mo>{k}<mo stretchy=\"false\">)</mo>",
            sub(&mi("S"), CELL)
        );
    }
    let is_turned = config.position == Position::Rotary;
    let queries = if is_turned { prime(Q) } else { Q.to_owned() };
    let mark = if is_turned || config.linformer {
        "<mo>′</mo>"
    } else {
        ""
    };
    format!(
        "{}{EQUALS}{queries}<msup>{K}<mrow>{mark}<mo stretchy=\"false\">⊤</mo></mrow></msup>",
        mi("S")
    )
}

/// What each step away takes off, with the strength where it is not the paper's.
fn slope(config: &Config) -> String {
    let slope = sub(&mi("m"), &mi("h"));
    match config.position {
        Position::Alibi { strength } if strength != 1.0 => format!("<mn>{strength}</mn>{slope}"),
        _ => slope,
    }
}

/// What a hidden score becomes.
fn hidden(is_written: bool) -> &'static str {
    if is_written {
        "<mo>−</mo><msup><mn>10</mn><mn>9</mn></msup>"
    } else {
        "<mo>−</mo><mi>∞</mi>"
    }
}

fn softmax(config: &Config) -> String {
    let over = if config.temperature == 1.0 {
        mi("S")
    } else {
        format!("{}<mo>/</mo>{}", mi("S"), mi("T"))
    };
    format!(
        "{}{EQUALS}<mi>softmax</mi>{}",
        mi("A"),
        parenthesised(&over)
    )
}

fn values(config: &Config) -> String {
    if config.linformer {
        prime(&mi("V"))
    } else {
        mi("V")
    }
}

/// The same in plain letters, for reading aloud.
pub fn spoken_formula(step: StepKind, config: &Config, is_written: bool) -> String {
    let x = with_encoding("X", config);
    let y = match config.input {
        InputKind::CrossAttention => with_encoding("Y", config),
        _ => x.clone(),
    };
    match step {
        StepKind::Input => "X".to_owned(),
        StepKind::Source => "Y".to_owned(),
        StepKind::Positions => "PE".to_owned(),
        StepKind::Queries if is_given(config) => "Q".to_owned(),
        StepKind::Keys if is_given(config) => "K".to_owned(),
        StepKind::Values if is_given(config) => "V".to_owned(),
        StepKind::Queries => format!("Q = {x} W_Q"),
        StepKind::Keys => format!("K = {y} W_K"),
        StepKind::Values => format!("V = {y} W_V"),
        StepKind::RotatedQueries => "q′_i = R_i q_i".to_owned(),
        StepKind::RotatedKeys => "k′_j = R_j k_j".to_owned(),
        StepKind::ShortKeys => "K′ = E K".to_owned(),
        StepKind::ShortValues => "V′ = F V".to_owned(),
        StepKind::Scores if config.scoring == Scoring::Additive => {
            "S_ij = w_a · tanh(q_i + k_j)".to_owned()
        }
        StepKind::Scores => {
            let is_turned = config.position == Position::Rotary;
            let mark = |is_marked| if is_marked { "′" } else { "" };
            let (q, k) = (mark(is_turned), mark(is_turned || config.linformer));
            format!("S = Q{q} K{k}ᵀ")
        }
        StepKind::Scaled => "S ← S / √d_k".to_owned(),
        StepKind::Biased => match config.position {
            Position::Alibi { strength } if strength != 1.0 => {
                format!("S_ij ← S_ij − {strength} m_h |i − j|")
            }
            _ => "S_ij ← S_ij − m_h |i − j|".to_owned(),
        },
        StepKind::Mask => "M_ij ∈ {0, 1}".to_owned(),
        StepKind::Masked if is_written => "S_ij ← −10⁹ (M_ij = 0)".to_owned(),
        StepKind::Masked => "S_ij ← −∞ (M_ij = 0)".to_owned(),
        StepKind::Weights if config.masked && config.mask_after => "A ← A ⊙ M".to_owned(),
        StepKind::Softmax | StepKind::Weights if config.temperature == 1.0 => {
            "A = softmax(S)".to_owned()
        }
        StepKind::Softmax | StepKind::Weights => "A = softmax(S / T)".to_owned(),
        StepKind::Context if config.linformer => "C = A V′".to_owned(),
        StepKind::Context => "C = A V".to_owned(),
        StepKind::Merged => "[C_1 … C_h]".to_owned(),
        StepKind::Output => "O = C W_O".to_owned(),
    }
}

fn with_encoding(letter: &str, config: &Config) -> String {
    match config.position {
        Position::Sinusoidal => format!("({letter} + PE)"),
        _ => letter.to_owned(),
    }
}
