//! The steps as formulas, in the notation of [`views::math`](crate::views::math).

use crate::state::StepKind;
use crate::state::steps::adds_mask;
use attention::{Config, InputKind, Position, Scoring};

/// The formula of `step` in the mechanism of `config`. `is_written` says that a number is written over hidden scores, instead
/// of leaving them out.
pub fn formula(step: StepKind, config: &Config, is_written: bool) -> String {
    let x = with_encoding("X", config);
    let y = match config.input {
        InputKind::CrossAttention => with_encoding("Y", config),
        _ => x.clone(),
    };
    match step {
        StepKind::Input => "X".to_owned(),
        StepKind::Source => "Y".to_owned(),
        StepKind::Positions => "PE".to_owned(),
        StepKind::Queries if config.input == InputKind::Given => "Q".to_owned(),
        StepKind::Keys if config.input == InputKind::Given => "K".to_owned(),
        StepKind::Values if config.input == InputKind::Given => "V".to_owned(),
        StepKind::Queries => format!("Q = {x} W_Q{}", bias("Q", config.biases.query)),
        StepKind::Keys => format!("K = {y} W_K{}", bias("K", config.biases.key)),
        StepKind::Values => format!("V = {y} W_V{}", bias("V", config.biases.value)),
        StepKind::RotatedQueries => "q′_i = R_i q_i".to_owned(),
        StepKind::RotatedKeys => "k′_j = R_j k_j".to_owned(),
        StepKind::ShortKeys => "K′ = E K".to_owned(),
        StepKind::ShortValues => "V′ = F V".to_owned(),
        StepKind::Scores if config.scoring == Scoring::Additive => {
            "S_ij = w_a · tanh(q_i + k_j)".to_owned()
        }
        StepKind::Scores => {
            let is_turned = config.position.rotation().is_some();
            let mark = |is_marked| if is_marked { "′" } else { "" };
            let (q, k) = (mark(is_turned), mark(is_turned || config.linformer));
            format!("S = Q{q} K{k}ᵀ")
        }
        StepKind::Scaled => "S ← S / √d_k".to_owned(),
        StepKind::Biased => match config.position {
            Position::Alibi { strength, .. } if strength != 1.0 => {
                format!("S_ij ← S_ij − {strength} m_h |i − j|")
            }
            _ => "S_ij ← S_ij − m_h |i − j|".to_owned(),
        },
        StepKind::Mask => "M_ij ∈ {0, 1}".to_owned(),
        StepKind::Masked if adds_mask(config) => "S_ij ← S_ij + M_ij".to_owned(),
        StepKind::Masked if is_written => "S_ij ← −10⁹\u{2002}(M_ij = 0)".to_owned(),
        StepKind::Masked => "S_ij ← −∞\u{2002}(M_ij = 0)".to_owned(),
        StepKind::Weights if config.masked && config.mask_after => "A ← A ⊙ M".to_owned(),
        StepKind::Softmax | StepKind::Weights if config.temperature == 1.0 => {
            "A = softmax(S)".to_owned()
        }
        StepKind::Softmax | StepKind::Weights => "A = softmax(S / T)".to_owned(),
        StepKind::Context if config.linformer => "C = A V′".to_owned(),
        StepKind::Context => "C = A V".to_owned(),
        StepKind::Merged => "[C_1 … C_h]".to_owned(),
        StepKind::Output => format!("O = C W_O{}", bias("O", config.biases.output)),
        StepKind::Residual => "H".to_owned(),
        StepKind::Normed => "X = norm(H)".to_owned(),
        StepKind::Sum => "H + O".to_owned(),
        StepKind::Logits => "Z = (H + O) W_U".to_owned(),
        StepKind::LogitsGradient => "dZ = softmax(Z) − onehot".to_owned(),
        StepKind::OutputGradient => "dO = ∂L⁄∂O".to_owned(),
        StepKind::ContextGradient => "dC = dO\u{2009}W_Oᵀ".to_owned(),
        StepKind::OutputWeightsGradient => "dW_O = Cᵀ\u{2009}dO".to_owned(),
        StepKind::QueryWeightsGradient => "dW_Q = Xᵀ\u{2009}dQ".to_owned(),
        StepKind::KeyWeightsGradient => "dW_K = Xᵀ\u{2009}dK".to_owned(),
        StepKind::ValueWeightsGradient => "dW_V = Xᵀ\u{2009}dV".to_owned(),
        StepKind::NormedGradient => {
            "dX = Σ (dQ\u{2009}W_Qᵀ + dK\u{2009}W_Kᵀ + dV\u{2009}W_Vᵀ)".to_owned()
        }
        StepKind::ResidualGradient => "dH = dO + norm′(dX)".to_owned(),
        StepKind::WeightsGradient => "dA = dC\u{2009}Vᵀ".to_owned(),
        StepKind::ValuesGradient => "dV = Aᵀ\u{2009}dC".to_owned(),
        StepKind::ScoresGradient => "dS = A ∘ (dA − Σ dA ∘ A)".to_owned(),
        StepKind::QueriesGradient => "dQ = dS\u{2009}K / √d_k".to_owned(),
        StepKind::KeysGradient => "dK = dSᵀ\u{2009}Q / √d_k".to_owned(),
    }
}

fn bias(letter: &str, has_bias: bool) -> String {
    if has_bias {
        format!(" + b_{letter}")
    } else {
        String::new()
    }
}

fn with_encoding(letter: &str, config: &Config) -> String {
    match config.position {
        Position::Sinusoidal => format!("({letter} + PE)"),
        _ => letter.to_owned(),
    }
}

/// Space between factors of which one is a gradient.
pub const THIN_SPACE: char = '\u{2009}';
/// Space before a condition.
pub const EN_SPACE: char = '\u{2002}';
/// Slash of a fraction whose terms stand one above the other.
pub const FRACTION_SLASH: char = '⁄';

/// A formula as it is read aloud: without the spaces and the slash that only place its terms.
pub fn spoken(formula: &str) -> String {
    let plain = |sign| match sign {
        THIN_SPACE | EN_SPACE => ' ',
        FRACTION_SLASH => '/',
        _ => sign,
    };
    formula.chars().map(plain).collect()
}
