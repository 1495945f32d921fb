//! Every tensor of a setting: its name, axes, numbers and file.
//!
//! The names are those of the public API. Inputs are made from the request, in the window; results come from a run ([`Name::want`]).

mod file;
mod inputs;
pub mod panel;
mod saving;

pub use file::{file_name, labelled, named, of_map, whole_name};
pub use inputs::{angles, made, slopes};
pub use saving::{FileStatus, TensorFile, sum};

use crate::i18n::{Key, Language};
use crate::state::request_builder::query_start;
use crate::state::setting_enums::named as names;
use crate::state::steps::{adds_mask, has_mask};
use crate::state::{Hiding, ImportedData, State};
use attention::plan::Axis;
use attention::{Config, InputKind, Outputs, Pairs, Position, Scoring, default_scale};
use formats::Kind;

names! {
    /// A tensor.
    Name {
        /// The embeddings of the queries' side.
        X = "x",
        /// The embeddings of the keys' side, where they are others.
        XKeysValues = "x_kv",
        /// The encoding of positions.
        Positions = "positions",
        /// `W_Q`.
        WQ = "w_q",
        /// The bias that goes with it, where there is one.
        BQ = "b_q",
        /// `W_K`.
        WK = "w_k",
        /// The bias that goes with it, where there is one.
        BK = "b_k",
        /// `W_V`.
        WV = "w_v",
        /// The bias that goes with it, where there is one.
        BV = "b_v",
        /// `w_a` of additive scores.
        WA = "w_a",
        /// `W_O`.
        WO = "w_o",
        /// The bias that goes with it, where there is one.
        BO = "b_o",
        /// Linformer's `E`.
        E = "e",
        /// Linformer's `F`.
        F = "f",
        /// The seed that both are drawn from.
        Seed = "seed",
        /// The mask: 1 is visible.
        Mask = "mask",
        /// The factor on dot scores, where it is not `1/√d_k`.
        Scale = "scale",
        /// Temperature of the softmax, where it is not 1.
        Temperature = "temperature",
        /// The score that is written over those of hidden cells.
        MaskedScore = "masked_score",
        /// 1 where the mask comes after the softmax.
        MaskAfter = "mask_after_softmax",
        /// 1 where the mask is added to the scores.
        MaskAdded = "mask_added",
        /// The angles by which pairs of components are rotated.
        Rotary = "rotary",
        /// The same where the components of a pair stand in different halves.
        RotaryHalves = "rotary_halves",
        /// Where the first query stands among the keys, where that is not at the first.
        QueryStart = "query_start",
        /// ALiBi's slopes.
        Alibi = "alibi",
        /// Queries as they enter the scores.
        Q = "q",
        /// Keys as they enter the scores, or Linformer.
        K = "k",
        /// Values, before Linformer.
        V = "v",
        /// Scores, scaled and biased, before the mask.
        Scores = "scores",
        /// Weights.
        Weights = "weights",
        /// Weighted sums of the values.
        Context = "context",
        /// The output.
        Output = "output",
    }
}

/// A tensor of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which one.
    pub name: Name,
    /// Name of each axis in the field's terms, and its length.
    pub axes: Vec<(&'static str, usize)>,
    /// The letters of these lengths, as in the strip of steps.
    pub letters: Vec<&'static str>,
}

impl Entry {
    /// Lengths of its axes.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|(_, length)| *length).collect()
    }

    /// How many numbers it holds.
    pub fn elements(&self) -> u64 {
        self.axes.iter().map(|(_, length)| *length as u64).product()
    }
}

/// The tensors of a state whose mechanism is `config`, in the order of computation; finished
/// weights have no others.
pub fn for_state(state: &State, config: &Config) -> Vec<Entry> {
    let entry = |name| {
        let axes = axes(name, config);
        let letters = axes.iter().map(|(axis, _)| letter(axis, config));
        Entry {
            name,
            letters: letters.collect(),
            axes,
        }
    };
    let imported = state.imported.as_ref();
    let is_finished = imported.is_some_and(ImportedData::is_finished);
    let has = |name: &Name| {
        if is_finished {
            *name == Name::Weights
        } else {
            has(*name, state, config)
        }
    };
    Name::ALL.into_iter().filter(has).map(entry).collect()
}

fn has(name: Name, state: &State, config: &Config) -> bool {
    match name {
        Name::X | Name::WQ | Name::WK | Name::WV => config.input != InputKind::Given,
        Name::XKeysValues => config.input == InputKind::CrossAttention,
        Name::Positions => config.position == Position::Sinusoidal,
        Name::WA => config.scoring == Scoring::Additive,
        Name::WO => config.output,
        Name::E | Name::F | Name::Seed => config.linformer,
        Name::Mask => has_mask(config),
        Name::BQ => config.biases.query,
        Name::BK => config.biases.key,
        Name::BV => config.biases.value,
        Name::BO => config.biases.output,
        Name::Scale => {
            config.scoring == Scoring::Dot && config.scale != default_scale(config.sizes.d_k)
        }
        Name::Temperature => config.temperature != 1.0,
        Name::MaskedScore => config.masked && state.hiding == Hiding::Written,
        Name::MaskAfter => config.masked && config.mask_after,
        Name::MaskAdded => adds_mask(config),
        Name::Rotary => is_rotary(config, Pairs::Neighbours),
        Name::RotaryHalves => is_rotary(config, Pairs::Halves),
        Name::QueryStart => query_start(state, (config.sizes.n, config.sizes.m)) != 0,
        Name::Alibi => config.position.has_penalty(),
        _ => true,
    }
}

fn is_rotary(config: &Config, pairs: Pairs) -> bool {
    let turn = config.position.rotation();
    turn.is_some_and(|turn| turn.pairs == pairs && turn.pair_count(config.sizes.d_k) > 0)
}

fn axes(name: Name, config: &Config) -> Vec<(&'static str, usize)> {
    let sizes = &config.sizes;
    let of = |axis: Axis| (axis.name(), axis.length(sizes));
    let (kv_keys, kv_values) = (sizes.kv_heads * sizes.d_k, sizes.kv_heads * sizes.d_v);
    match name {
        Name::X => vec![of(Axis::N), of(Axis::DModel)],
        Name::XKeysValues => vec![of(Axis::M), of(Axis::DModel)],
        Name::Positions => vec![of(Axis::Positions), of(Axis::DModel)],
        Name::WQ => vec![of(Axis::DModel), ("heads·d_k", sizes.heads * sizes.d_k)],
        Name::WK => vec![of(Axis::DModel), ("kv_heads·d_k", kv_keys)],
        Name::WV => vec![of(Axis::DModel), ("kv_heads·d_v", kv_values)],
        Name::BQ => vec![("heads·d_k", sizes.heads * sizes.d_k)],
        Name::BK => vec![("kv_heads·d_k", kv_keys)],
        Name::BV => vec![("kv_heads·d_v", kv_values)],
        Name::WA => vec![of(Axis::DK)],
        Name::WO => vec![of(Axis::Merged), of(Axis::DOut)],
        Name::E | Name::F => vec![of(Axis::Keys), of(Axis::M)],
        Name::Mask => vec![of(Axis::N), of(Axis::Keys)],
        Name::Seed
        | Name::Scale
        | Name::Temperature
        | Name::MaskedScore
        | Name::MaskAfter
        | Name::MaskAdded
        | Name::QueryStart => Vec::new(),
        Name::Rotary | Name::RotaryHalves => vec![of(Axis::Positions), ("d_k/2", sizes.d_k / 2)],
        Name::Alibi => vec![of(Axis::Heads)],
        Name::Q => vec![of(Axis::Heads), of(Axis::N), of(Axis::DK)],
        Name::K => vec![of(Axis::KvHeads), of(Axis::M), of(Axis::DK)],
        Name::V => vec![of(Axis::KvHeads), of(Axis::M), of(Axis::DV)],
        Name::Scores | Name::Weights => vec![of(Axis::Heads), of(Axis::N), of(Axis::Keys)],
        Name::Context => vec![of(Axis::Heads), of(Axis::N), of(Axis::DV)],
        Name::BO => vec![of(Axis::DOut)],
        Name::Output => vec![of(Axis::N), of(Axis::DOut)],
    }
}

/// The letters of an axis's length. In self-attention there is one text, and one length.
fn letter(axis: &'static str, config: &Config) -> &'static str {
    let is_one = config.input == InputKind::SelfAttention;
    match axis {
        "heads" => "h",
        "kv_heads" => "g",
        "heads·d_k" => "h·d_k",
        "heads·d_v" => "h·d_v",
        "kv_heads·d_k" => "g·d_k",
        "kv_heads·d_v" => "g·d_v",
        "keys" if config.linformer => "k",
        "m" | "keys" | "position" if is_one => "n",
        "keys" => "m",
        "position" => "max(n, m)",
        letters => letters,
    }
}

impl Name {
    /// Outputs to request from a run; `None` for inputs.
    pub fn want(self) -> Option<Outputs> {
        let nothing = Outputs::NOTHING;
        Some(match self {
            Self::Q => Outputs { q: true, ..nothing },
            Self::K => Outputs { k: true, ..nothing },
            Self::V => Outputs { v: true, ..nothing },
            Self::Scores => Outputs {
                scores: true,
                ..nothing
            },
            Self::Weights => Outputs {
                weights: true,
                ..nothing
            },
            Self::Context => Outputs {
                context: true,
                ..nothing
            },
            Self::Output => Outputs {
                output: true,
                ..nothing
            },
            _ => return None,
        })
    }

    /// Short description.
    pub fn meaning(self, language: Language) -> &'static str {
        let key = match self {
            Self::X => Key::TensorX,
            Self::XKeysValues => Key::TensorXKv,
            Self::Positions => Key::TensorPositions,
            Self::WQ => Key::TensorWQ,
            Self::BQ => Key::TensorBQ,
            Self::WK => Key::TensorWK,
            Self::BK => Key::TensorBK,
            Self::WV => Key::TensorWV,
            Self::BV => Key::TensorBV,
            Self::WA => Key::TensorWA,
            Self::WO => Key::TensorWO,
            Self::BO => Key::TensorBO,
            Self::E => Key::TensorE,
            Self::F => Key::TensorF,
            Self::Mask => Key::TensorMask,
            Self::Seed => Key::TensorSeed,
            Self::Scale => Key::TensorScale,
            Self::Temperature => Key::TensorTemperature,
            Self::MaskedScore => Key::TensorMaskedScore,
            Self::MaskAfter => Key::TensorMaskAfter,
            Self::MaskAdded => Key::TensorMaskAdded,
            Self::Rotary => Key::TensorRotary,
            Self::RotaryHalves => Key::TensorRotaryHalves,
            Self::QueryStart => Key::TensorQueryStart,
            Self::Alibi => Key::TensorAlibi,
            Self::Q => Key::TensorQ,
            Self::K => Key::TensorK,
            Self::V => Key::TensorV,
            Self::Scores => Key::TensorScores,
            Self::Weights => Key::TensorWeights,
            Self::Context => Key::TensorContext,
            Self::Output => Key::TensorOutput,
        };
        key.text(language)
    }
}

/// Largest size of a file: the default limit of importing.
pub const MOST_BYTES: u64 = 64 << 20;

/// More than the headers of any file of ours.
const HEADERS: u64 = 64 << 10;

/// Approximate characters of a number in text, with separators: `-0.123456789,`.
const IN_TEXT: u64 = 13;
/// Bytes of a number in the other formats.
const IN_BYTES: u64 = 4;

/// About how many bytes `entries` take in a file: exact but for the headers, and an upper bound for most text.
pub fn bytes<'e>(kind: Kind, entries: impl IntoIterator<Item = &'e Entry>) -> u64 {
    let elements: u64 = entries.into_iter().map(Entry::elements).sum();
    elements
        * match kind {
            Kind::Csv | Kind::Json => IN_TEXT,
            Kind::Npy | Kind::Npz | Kind::Safetensors => IN_BYTES,
        }
}

/// Whether a file of `entries` can be made here and read again.
pub fn fits<'e>(kind: Kind, entries: impl IntoIterator<Item = &'e Entry>) -> bool {
    bytes(kind, entries) + HEADERS <= MOST_BYTES
}
