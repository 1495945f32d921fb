//! Rows of the settings table, and the methods derived from them.

use super::{Field, Part};
use crate::i18n::Key;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name in links.
    pub key: &'static str,
    /// Possible values, regardless of the other settings.
    pub kind: ValueKind,
    /// Bound that depends on other settings.
    pub limit: Limit,
    /// Scope of its changes.
    pub scope: Scope,
    /// The part of the page that it is moved with; `None` for what nobody moves away from: the chosen cell, which panels
    /// are open, and what a link alone decides.
    pub part: Option<Part>,
    /// Name in a sentence.
    pub label: Key,
    /// Labels of its named values, in their order; empty if no sentence uses them.
    pub options: &'static [Key],
    /// Its control in `index.html`.
    pub control: Control,
}

/// Possible values of a setting, regardless of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// [`Value::Text`](super::Value::Text) of at most [`LONGEST_TEXT`](super::settings::LONGEST_TEXT) characters.
    Text,
    /// The same, or [`Value::Absent`](super::Value::Absent).
    OptionalText,
    /// [`Value::Number`](super::Value::Number) from `min` to `max`.
    Number {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
        /// Where a slider stops; empty for every whole number.
        stops: &'static [u32],
    },
    /// [`Value::Centi`](super::Value::Centi) from `min` to `max`.
    Centi {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
        /// Where a slider stops.
        stops: &'static [u32],
    },
    /// [`Value::Choice`](super::Value::Choice) of one of these names.
    Choice(&'static [&'static str]),
    /// [`Value::Names`](super::Value::Names) with any of these names.
    Names(&'static [&'static str]),
    /// The same, or [`Value::Absent`](super::Value::Absent).
    OptionalNames(&'static [&'static str]),
    /// [`Value::Switch`](super::Value::Switch).
    Switch,
    /// [`Value::Cell`](super::Value::Cell) or [`Value::Absent`](super::Value::Absent).
    Cell,
    /// [`Value::Painting`](super::Value::Painting).
    Painting,
    /// [`Value::Overrides`](super::Value::Overrides).
    Overrides,
    /// [`Value::Origins`](super::Value::Origins).
    Origins,
    /// [`Value::Data`](super::Value::Data) or [`Value::Absent`](super::Value::Absent).
    Data,
    /// [`Value::SavedSettings`](super::Value::SavedSettings).
    SavedSettings,
}

/// Bound of a setting that depends on others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nothing.
    None,
    /// Limited by the number of hand-built heads, and by the same number in a layer of a learned
    /// model.
    TeachingHeads,
    /// A model that learns is small enough to do so in the page.
    Learned {
        /// The most that it may have.
        max: u32,
    },
    /// It is one of the layers.
    OneOfLayers,
    /// It divides the heads, and equals them by default.
    DividesHeads,
    /// It is one of the heads.
    OneOfHeads,
    /// It lies on the large map; by default none is selected except in the opening text.
    OnMap,
}

/// Scope of a setting's changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Inputs: words, numbers and the backend. Both settings of a comparison share them.
    Input,
    /// How it is computed. B of a comparison may differ in it.
    Mechanism,
    /// Which of the numbers are shown.
    View,
    /// How the page looks, whatever its numbers.
    Page,
}

/// Control of a setting in `index.html`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// A control of its own, or none.
    Own,
    /// A slider with this id, and a number with `-number` after it.
    Slider(&'static str),
    /// A number with this id.
    Number(&'static str),
    /// Radios with this name.
    Radios(&'static str),
    /// Boxes with this name.
    Boxes(&'static str),
    /// A box with this id.
    Box(&'static str),
    /// A menu with this id.
    Menu(&'static str),
    /// A field for text with this id.
    Text(&'static str),
}

pub(super) const fn number(min: u32, max: u32) -> ValueKind {
    ValueKind::Number {
        min,
        max,
        stops: &[],
    }
}

/// The names of an enumeration as a static list.
macro_rules! names {
    ($of:ty) => {{
        const NAMES: [&str; <$of>::ALL.len()] = {
            let mut names = [""; <$of>::ALL.len()];
            let mut i = 0;
            while i < names.len() {
                names[i] = <$of>::ALL[i].name();
                i += 1;
            }
            names
        };
        &NAMES
    }};
}

/// Makes [`Field`] and [`State`](super::State) of the rows: of each the name, the fields of the record that hold it with their types
/// and defaults, the module that reads and writes them where [`FieldValue`](super::field_value::FieldValue) does not, and the [`Setting`].
macro_rules! settings {
    (
        $(#[$about_field:meta])* enum Field;
        $(#[$about_state:meta])* struct State;
        $($field:ident {
            $($(#[$doc:meta])* $name:ident: $type:ty = $default:expr,)+
        } $(via $via:ident)? = $row:expr;)+
    ) => {
        $(#[$about_field])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each is a field of State and documented there")]
        pub enum Field { $($field,)+ }

        static ROWS: [Setting; [$(stringify!($field)),+].len()] = [$($row),+];

        impl Field {
            /// Every field, in the order of links.
            pub const ALL: [Self; ROWS.len()] = [$(Self::$field),+];

            /// Its row of the table.
            pub const fn row(self) -> &'static Setting {
                &ROWS[self as usize]
            }
        }

        $(#[$about_state])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct State { $($($(#[$doc])* pub $name: $type,)+)+ }

        impl Default for State {
            fn default() -> Self {
                Self { $($($name: $default,)+)+ }
            }
        }

        impl State {
            /// Returns the value of a field.
            pub fn get(&self, field: Field) -> Value {
                let state = self;
                match field {
                    $(Field::$field => settings!(@get state $field [$($name)+] $($via)?),)+
                }
            }

            /// Writes a value that fits the field; any other is passed over.
            pub(super) fn write(&mut self, field: Field, value: Value) {
                let state = self;
                match field {
                    $(Field::$field => settings!(@set state value [$($name)+] $($via)?),)+
                }
            }

            /// Takes a field from another state, whatever the rest.
            pub(super) fn copy(&mut self, field: Field, other: &Self) {
                match field {
                    $(Field::$field => { $(self.$name = other.$name.clone();)+ })+
                }
            }
        }
    };
    (@get $state:ident $field:ident [$name:ident]) => {
        FieldValue::to_value(&$state.$name, Field::$field)
    };
    (@get $state:ident $field:ident [$($name:ident)+] $via:ident) => { field_value::$via::get($state) };
    (@set $state:ident $value:ident [$name:ident]) => {
        if let Some(own) = FieldValue::from_value($value) {
            $state.$name = own;
        }
    };
    (@set $state:ident $value:ident [$($name:ident)+] $via:ident) => { field_value::$via::set($state, $value) };
}

pub(super) use {names, settings};

impl Field {
    /// The name in links.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// Possible values, regardless of the other settings; see
    /// [`State::limits`](super::State::limits) for bounds that depend on them.
    pub const fn kind(self) -> ValueKind {
        self.row().kind
    }

    /// Whether it only affects the display of the numbers. The requested outputs may change with
    /// it: see [`super::request_builder::same_computation`].
    pub const fn is_shown_only(self) -> bool {
        matches!(self.row().scope, Scope::View | Scope::Page)
    }

    /// Whether B of a comparison may differ in it.
    pub const fn is_mechanism(self) -> bool {
        matches!(self.row().scope, Scope::Mechanism)
    }

    /// Whether a preset sets it, to its default if the preset does not mention it: all settings of
    /// computation and display, except for the backend, B of a comparison and the library of a
    /// program.
    pub const fn is_of_preset(self) -> bool {
        let is_kept = matches!(
            self,
            Self::Backend | Self::Overrides | Self::Library | Self::Data
        );
        !is_kept && !matches!(self.row().scope, Scope::Page)
    }

    /// The part of the page that it is moved with, see [`Setting::part`].
    pub const fn part(self) -> Option<Part> {
        self.row().part
    }

    /// The field with this name in links.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.key() == key)
    }

    const fn names(self) -> Option<&'static [&'static str]> {
        match self.kind() {
            ValueKind::Choice(names)
            | ValueKind::Names(names)
            | ValueKind::OptionalNames(names) => Some(names),
            _ => None,
        }
    }

    /// The field's own copy of one of its names; `None` for a name that it has not.
    pub fn name_of(self, name: &str) -> Option<&'static str> {
        self.names()?.iter().copied().find(|own| *own == name)
    }

    /// Label of one of its named values; `None` for unknown names and those without a label.
    pub fn option_label(self, name: &str) -> Option<Key> {
        let place = self.names()?.iter().position(|own| *own == name)?;
        self.row().options.get(place).copied()
    }
}
