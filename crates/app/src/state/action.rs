//! Actions of the user.

use super::comparison::ComparisonAction;
use super::{Cell, Field, ImportedData, State, Value};
use crate::i18n::Language;

/// A lasting change of the page by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sets a field: a slider, a switch, a choice, a text, a clicked cell.
    Set(Field, Value),
    /// Types into the field of a number, read as a link would be; a number out of range becomes the nearest possible.
    Enter(Field, String),
    /// Puts one of a field's names in, or takes it out.
    Include(Field, &'static str, bool),
    /// Paints every cell on the line between two, ends included: a stroke of a brush from one place to the next.
    Paint {
        /// Where the line begins: query and key, from 0.
        from: (usize, usize),
        /// Where it ends.
        to: (usize, usize),
        /// Whether the cells become visible or hidden.
        is_visible: bool,
    },
    /// Chooses a head, counted on from the first layer to the last where a model has several.
    ChooseHead(usize),
    /// Puts one field back to its default: a double-click.
    Reset(Field),
    /// Switches cross-attention on (the second text begins as a copy of the first) or off.
    Cross(bool),
    /// Takes a preset by its id; nothing happens for an unknown one.
    Preset(&'static str),
    /// Goes to hand-built heads, without the settings that the learned model comes with.
    HandBuilt,
    /// Draws other random numbers: the next of 10,000 short seeds.
    NewSeed,
    /// Moves the chosen cell by rows and columns, stopping at the edges; without one it begins in the first cell.
    Move {
        /// Down the queries; negative is up.
        rows: i32,
        /// Along the keys; negative is back.
        columns: i32,
    },
    /// Does something with both settings of a comparison.
    Compare(ComparisonAction),
    /// Takes numbers and the settings that come with them.
    Import(ImportedData, Vec<(Field, Value)>),
    /// Shows a layer of a model as the model computes with it.
    Layer(Box<LayerOfModel>),
    /// Goes back to the standard settings, with the sentence of this language.
    Standard(Language),
    /// Takes a whole state: a link that was opened, back and forward.
    Replace(Box<State>),
}

/// A layer of a model, with the selected head and cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerOfModel {
    /// Its weights and the rows that enter it.
    pub data: ImportedData,
    /// Whether it sees no later tokens.
    pub is_causal: bool,
    /// How far back a token sees, where that is limited.
    pub window: Option<usize>,
    /// The head, from 0.
    pub head: usize,
    /// The chosen cell.
    pub cell: Cell,
}

impl Action {
    /// The field that it is about.
    pub const fn field(&self) -> Option<Field> {
        match self {
            Self::Set(field, _)
            | Self::Enter(field, _)
            | Self::Include(field, ..)
            | Self::Reset(field) => Some(*field),
            Self::Paint { .. } => Some(Field::Paint),
            Self::Compare(_) => Some(Field::Overrides),
            Self::NewSeed => Some(Field::Seed),
            Self::Cross(_) => Some(Field::Second),
            Self::Move { .. } => Some(Field::Cell),
            Self::ChooseHead(_) => Some(Field::Head),
            Self::Preset(_) => Some(Field::Text),
            Self::Import(..) | Self::Layer(_) => Some(Field::Data),
            Self::HandBuilt => Some(Field::Origin),
            Self::Standard(_) | Self::Replace(_) => None,
        }
    }

    /// Whether it chooses head and cell along with everything else.
    pub const fn brings_cell(&self) -> bool {
        matches!(
            self,
            Self::Preset(_) | Self::Layer(_) | Self::Standard(_) | Self::Replace(_)
        )
    }

    /// Whether it sets a number, as a slider does.
    pub const fn is_amount(&self) -> bool {
        matches!(self, Self::Set(_, Value::Number(_) | Value::Centi(_)))
    }
}
