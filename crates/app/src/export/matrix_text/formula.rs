//! The formula of a step in LaTeX.

use crate::state::StepKind;
use attention::{Config, Position, Scoring};

/// The formula of weights and scores with its numbers, or the sizes alone: `$\mathrm{softmax}(QK^\top/\sqrt{d_k})$, $d_k = 16$`.
pub fn formula(step: StepKind, config: &Config) -> String {
    let d_k = format!("$d_k = {}$", config.sizes.d_k);
    let scores = match config.scoring {
        Scoring::Additive => "w_a^\\top\\tanh(q_i + k_j)",
        Scoring::Dot if config.scale == 1.0 => "QK^\\top",
        Scoring::Dot => "QK^\\top/\\sqrt{d_k}",
    };
    let bias = match config.position {
        Position::Alibi { .. } => " - m_h|i-j|",
        _ => "",
    };
    let is_warm = config.temperature != 1.0;
    let inside = match (
        is_warm,
        bias.is_empty() && config.scale == 1.0 && config.scoring == Scoring::Dot,
    ) {
        (false, _) => format!("{scores}{bias}"),
        (true, true) => format!("{scores}/T"),
        (true, false) => format!("({scores}{bias})/T"),
    };
    let temperature = if is_warm {
        format!(", $T = {}$", config.temperature)
    } else {
        String::new()
    };
    match step {
        StepKind::Weights | StepKind::Softmax => {
            format!("$\\mathrm{{softmax}}({inside})$, {d_k}{temperature}.")
        }
        StepKind::Scaled | StepKind::Biased => format!("${scores}{bias}$, {d_k}."),
        _ => format!("{d_k}."),
    }
}
