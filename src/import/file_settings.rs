//! Settings of the page that follow from tensors beside those that are brought: files of this page hold them.

use crate::export::tensors::{self, Name};
use crate::state::imported::{ImportedData, ImportedTensors, Kind};
use crate::state::painting::MOST_STRETCHES;
use crate::state::{Field, MaskPart, Painting, PositionKind, ScoringKind, Value};
use attention::sinusoidal_encoding;
use formats::Tensor;

/// A setting that a tensor says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileSetting {
    /// The causal mask.
    Causal,
    /// A mask of these cells.
    Mask(Painting),
    /// Sines and cosines are added to the inputs.
    Sinusoidal,
    /// Scores are additive.
    Additive,
}

impl FileSetting {
    /// The setting and its value.
    pub fn value(&self) -> (Field, Value) {
        match self {
            Self::Causal => (Field::Masks, Value::Names(vec![MaskPart::Causal.name()])),
            Self::Mask(cells) => (Field::Paint, Value::Painting(cells.clone())),
            Self::Sinusoidal => {
                let name = PositionKind::Sinusoidal.name();
                (Field::Positions, Value::Choice(name))
            }
            Self::Additive => {
                let name = ScoringKind::Additive.name();
                (Field::Scoring, Value::Choice(name))
            }
        }
    }
}

/// The settings that tensors say for numbers of the same file, each with its tensor.
pub(super) fn of(tensors: &[Tensor], brought: &ImportedData) -> Vec<(FileSetting, usize)> {
    if brought.is_finished() {
        return Vec::new();
    }
    let own = tensors.iter().enumerate().filter_map(|(at, tensor)| {
        let setting = match tensors::named(&tensor.name)? {
            Name::Mask => mask(tensor, brought.lengths()?),
            Name::Positions => positions(tensor, brought),
            Name::WA => additive(brought),
            _ => None,
        }?;
        Some((setting, at))
    });
    own.collect()
}

fn mask(tensor: &Tensor, (n, m): (usize, usize)) -> Option<FileSetting> {
    let is_mask = tensor.data.iter().all(|cell| *cell == 0.0 || *cell == 1.0);
    if tensor.shape != [n, m] || !is_mask {
        return None;
    }
    let cells = || {
        let cells = tensor.data.iter().enumerate();
        cells.map(|(at, cell)| ((at / m, at % m), *cell == 1.0))
    };
    if n == m && cells().all(|((query, key), is_visible)| is_visible == (key <= query)) {
        return Some(FileSetting::Causal);
    }
    let mut painting = Painting::default();
    for ((query, key), _) in cells().filter(|(_, is_visible)| !is_visible) {
        painting.set(query, key, Some(false));
        if painting.stretches() > MOST_STRETCHES {
            return None;
        }
    }
    (!painting.is_empty()).then_some(FileSetting::Mask(painting))
}

fn positions(tensor: &Tensor, brought: &ImportedData) -> Option<FileSetting> {
    let [rows, width] = tensor.shape[..] else {
        return None;
    };
    let encoding = sinusoidal_encoding(rows, width);
    let mut pairs = tensor.data.iter().zip(&encoding);
    let is_same = pairs.all(|(own, wanted)| (own - wanted).abs() < 1e-5);
    let can = brought.kind() != Kind::Heads && brought.contents().inputs().is_some();
    (can && is_same).then_some(FileSetting::Sinusoidal)
}

fn additive(brought: &ImportedData) -> Option<FileSetting> {
    let ImportedTensors::Layer { weights, .. } = brought.contents() else {
        return None;
    };
    weights.additive.as_ref().map(|_| FileSetting::Additive)
}
