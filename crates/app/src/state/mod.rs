//! The page's state and everything that changes it, without a browser.
//!
//! One record, [`State`], describes everything on screen and is stored whole in the address. Links, controls, presets and messages change
//! it through [`State::set`], which refuses invalid values. What is refused or adjusted is returned as data ([`Adjustment`],
//! [`LinkWarning`]) and shown, never silent.

mod action;
mod adjustment;
mod auto_selection;
mod brush;
mod cell_tracking;
pub mod comparison;
pub mod conditions;
mod enum_set;
pub mod external_settings;
mod field_value;
mod former_curves;
pub mod imported;
pub mod initial;
mod known;
pub mod learned;
mod limits;
mod locks;
mod origins;
pub mod overrides;
pub mod painting;
mod preferred_head;
pub mod presets;
mod reduce;
pub mod request_builder;
pub mod setting;
pub mod setting_enums;
mod setting_error;
pub mod settings;
pub mod snapshot;
mod step_kind;
pub mod steps;
pub mod ui_parts;
pub mod undo;
pub mod url;
mod validate;
pub mod value;

pub use action::{Action, LayerOfModel};
pub use adjustment::Adjustment;
pub use auto_selection::AutoSelection;
pub(crate) use brush::cells_between;
pub use enum_set::{Named, Set};
pub use imported::ImportedData;
pub use known::Known;
pub use origins::Origins;
pub use overrides::Overrides;
pub use painting::Painting;
pub use preferred_head::PreferredHead;
pub use reduce::reduce;
pub use setting_enums::{
    Alignment, ColourMap, ColourRange, ColourScale, Hiding, LabTask, Library, MapView, MaskPart,
    Masks, Origin, Panel, Panels, PositionKind, ScoringKind, Theme,
};
pub use setting_error::SettingError;
pub use settings::{Field, LESSON_LIST, LESSON_OWN, LONGEST_TEXT, State};
pub use step_kind::{HeadScope, StepKind, StepOwner};
pub use ui_parts::{Part, Parts};
pub use url::LinkWarning;
pub use value::{Cell, Value};
