//! The strip of steps: what stands on each card.

use super::{formula, spoken};
use crate::i18n::{Language, text};
use crate::present::miniature::Miniature;
use crate::present::names;
use crate::present::run::Run;
use crate::state::StepKind;
use crate::state::steps::{Axis, length, stages};

/// All steps of a run, in stages from left to right.
pub struct Strip {
    pub stages: Vec<Stage>,
    /// Whether choosing a card does nothing but say why.
    pub is_locked: bool,
}

/// Steps that stand above each other, in lanes of steps that follow each other.
pub struct Stage {
    /// How it follows the one before.
    pub link: StageLink,
    pub lanes: Vec<Vec<Card>>,
}

/// How a stage follows the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageLink {
    /// It is made of it.
    Next,
    /// It is added to it.
    Added,
    /// The backward pass begins with it.
    Backward,
}

/// A step.
pub struct Card {
    pub step: StepKind,
    pub name: &'static str,
    /// Rows and columns.
    pub shape: [Length; 2],
    pub is_chosen: bool,
    /// In the notation of [`views::math`](crate::views::math).
    pub formula: String,
    /// Formula and shape as a screen reader reads them.
    pub spoken: String,
}

/// The length of an axis, with its symbol: letters, and what stands below them after `_`.
pub struct Length {
    pub count: usize,
    pub symbol: &'static str,
}

/// The largest picture of a stage with one, two and three lanes, in CSS pixels.
const SIZES: [[f64; 2]; 3] = [[104.0, 88.0], [72.0, 60.0], [72.0, 44.0]];

/// Pictures of all steps of a run.
pub fn miniatures(run: &Run) -> Vec<Miniature> {
    let stages = stages(&run.steps).into_iter();
    let maps = stages.flat_map(|lanes| {
        let room = SIZES[lanes.len().clamp(1, SIZES.len()) - 1];
        let steps = lanes.into_iter().flatten();
        steps.map(move |step| Miniature { step, room })
    });
    maps.collect()
}

impl Strip {
    pub fn new(run: &Run, chosen: StepKind, is_locked: bool, language: Language) -> Self {
        let card = |step: &StepKind| card(*step, run, chosen, language);
        let is_first =
            |step: &&StepKind| matches!(step, StepKind::LogitsGradient | StepKind::OutputGradient);
        let backward = run.steps.iter().find(is_first).copied();
        let stage = |lanes: Vec<Vec<StepKind>>| Stage {
            link: match lanes[0][0] {
                StepKind::Positions => StageLink::Added,
                first if Some(first) == backward => StageLink::Backward,
                _ => StageLink::Next,
            },
            lanes: lanes
                .iter()
                .map(|lane| lane.iter().map(card).collect())
                .collect(),
        };
        Self {
            stages: stages(&run.steps).into_iter().map(stage).collect(),
            is_locked,
        }
    }
}

fn card(step: StepKind, run: &Run, chosen: StepKind, language: Language) -> Card {
    let shape = step.axes().map(|axis| Length {
        count: length(axis, &run.config.sizes, &run.state),
        symbol: symbol(axis, run),
    });
    let formula = formula(step, &run.config, run.is_written());
    let [rows, columns] = &shape;
    Card {
        step,
        name: names::step(step, language),
        is_chosen: step == chosen,
        spoken: text::step_label(language, &spoken(&formula), &rows.count, &columns.count),
        formula,
        shape,
    }
}

/// The letters of an axis's length.
fn symbol(axis: Axis, run: &Run) -> &'static str {
    match axis {
        Axis::N => "n",
        // In self-attention there is one sentence, and one length.
        Axis::M | Axis::Positions if run.state.second.is_none() => "n",
        Axis::Positions => "max(n, m)",
        Axis::Keys if run.state.linformer => "k",
        Axis::Keys if run.state.second.is_none() => "n",
        Axis::M | Axis::Keys => "m",
        Axis::DK => "d_k",
        Axis::DV => "d_v",
        Axis::Merged => "h d_v",
        Axis::Vocabulary => "d_vocab",
        _ => "d_model",
    }
}
