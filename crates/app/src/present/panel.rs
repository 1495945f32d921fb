//! Events of a panel whose state the app holds, and what such a panel asks of the app.

wasm_chunks::chunk!("models");
wasm_chunks::chunk!("engine": impl PanelEvent);

use super::address_history::Change;
use super::colour_style::ColourStyle;
use super::model_export::{ExportedRun, ModelFile};
use super::painted_grid::GridEvent;
use crate::i18n::Language;
use crate::state::{Field, LayerOfModel, Value};

/// An event in a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum PanelEvent {
    /// The panel is to follow the state of the page.
    Follow,
    /// The panel was closed.
    Close,
    /// An element with `data-do` of this value was pressed.
    Press(String),
    /// The value of an element with `data-field` of this name was changed.
    Enter(String, String, Change),
    /// The same of one with `data-sets` of the name of a field of the state.
    Set(Field, String, Change),
    /// An event of the grid.
    Paint(GridEvent),
    /// Time for a share of the work.
    Tick,
    /// A file of this name was saved, or could not be.
    Saved(String, bool),
}

/// Something that a panel asks of the app.
#[derive(Debug)]
pub enum PanelRequest {
    /// Shows the panel.
    Show,
    /// Sets a field of the state.
    Set(Field, Value),
    /// Shows a layer on the map.
    Layer(Box<LayerOfModel>),
    /// Saves a file of a model.
    Save(ExportedRun, ModelFile),
    /// Moves the focus to a cell of the grid.
    Focus(usize),
}

/// What a panel is shown with: colours, width and language of the page.
#[derive(Clone, Copy)]
pub struct PanelContext<'a> {
    pub colours: &'a ColourStyle,
    /// Width for its charts, in CSS pixels.
    pub room: f64,
    pub language: Language,
    /// Whether the user prefers reduced motion.
    pub is_motion_reduced: bool,
}

/// The time in milliseconds, as often as it is asked for.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// Time between two shares of work.
pub const FRAME_MS: i32 = 16;
