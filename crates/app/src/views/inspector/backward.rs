//! Explanations of the backward pass: formulas, and headers of their terms.

use crate::state::StepKind;

/// `dc_{i,c} = Σ_o do_{i,o}·w_{c,o}` and its like, in the notation of [`views::math`](crate::views::math); `None` where a number
/// is only read.
pub(super) fn equation(step: StepKind) -> Option<&'static str> {
    Some(match step {
        StepKind::LogitsGradient => "dz_{i,w} = e^{z_{i,w} − max}⁄⦃Σ_l e^{z_{i,l} − max}⦄ − y_w",
        StepKind::OutputGradient => "do_{i,c} = Σ_w dz_{i,w} u_{c,w}",
        StepKind::OutputWeightsGradient => "dw_{c,o} = Σ_i c_{i,c} do_{i,o}",
        StepKind::QueryWeightsGradient => "dw_{r,c} = Σ_i x_{i,r} dq_{i,c}",
        StepKind::KeyWeightsGradient => "dw_{r,c} = Σ_j x_{j,r} dk_{j,c}",
        StepKind::ValueWeightsGradient => "dw_{r,c} = Σ_j x_{j,r} dv_{j,c}",
        StepKind::NormedGradient => {
            "dx_{i,r} = Σ_{h,c} (dq_{i,c} w_{r,c}^Q + dk_{i,c} w_{r,c}^K + dv_{i,c} w_{r,c}^V)"
        }
        StepKind::ResidualGradient => {
            "dh_{i,c} = do_{i,c} + ⦃g_{i,c} − ⟨g⟩_i − x\u{302}_{i,c} ⟨g x\u{302}⟩_i⦄⁄√⦃σ_i^2 + ε⦄"
        }
        StepKind::ContextGradient => "dc_{i,c} = Σ_o do_{i,o} w_{c,o}",
        StepKind::WeightsGradient => "da_{i,j} = Σ_c dc_{i,c} v_{j,c}",
        StepKind::ValuesGradient => "dv_{j,c} = Σ_i a_{i,j} dc_{i,c}",
        StepKind::ScoresGradient => "ds_{i,j} = a_{i,j} (da_{i,j} − Σ_l da_{i,l} a_{i,l})",
        StepKind::QueriesGradient => "dq_{i,c} = 1⁄√d_k Σ_j ds_{i,j} k_{j,c}",
        StepKind::KeysGradient => "dk_{j,c} = 1⁄√d_k Σ_i ds_{i,j} q_{i,c}",
        _ => return None,
    })
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
