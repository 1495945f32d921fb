//! How the types of the state's fields are read and written as values.

use super::imported::{SavedSettings, constraints};
use super::{Cell, Field, Named, Origins, Overrides, Painting, Set, State, Theme, Value};
use crate::i18n::Language;

/// The name of a choice left to browser or system.
pub(crate) const AUTO: &str = "auto";

/// The name of a theme left to the host of an embed.
pub(crate) const HOST: &str = "host";

/// How a type of [`State`] is read and written as a [`Value`].
pub(super) trait FieldValue: Sized {
    /// The value of `field`, which holds this.
    fn to_value(&self, field: Field) -> Value;

    /// Extracts the value; `None` for a value of another kind.
    fn from_value(value: Value) -> Option<Self>;
}

/// Types that a variant of [`Value`] holds.
macro_rules! field_values {
    ($($type:ty = $variant:ident,)+) => { $(
        impl FieldValue for $type {
            fn to_value(&self, _: Field) -> Value {
                Value::$variant(self.clone())
            }

            fn from_value(value: Value) -> Option<Self> {
                match value {
                    Value::$variant(own) => Some(own),
                    _ => None,
                }
            }
        }
    )+ };
}

field_values! {
    String = Text,
    bool = Switch,
    Cell = Cell,
    Painting = Painting,
    Overrides = Overrides,
    Origins = Origins,
    SavedSettings = SavedSettings,
}

impl FieldValue for u32 {
    fn to_value(&self, field: Field) -> Value {
        field.of_amount(*self)
    }

    fn from_value(value: Value) -> Option<Self> {
        value.amount()
    }
}

impl FieldValue for usize {
    fn to_value(&self, field: Field) -> Value {
        field.of_amount(*self as u32)
    }

    fn from_value(value: Value) -> Option<Self> {
        value.amount().map(|amount| amount as Self)
    }
}

impl<T: Named> FieldValue for T {
    fn to_value(&self, _: Field) -> Value {
        Value::Choice(self.name())
    }

    fn from_value(value: Value) -> Option<Self> {
        let named = |own: &&T| value == Value::Choice(own.name());
        T::EVERY.iter().find(named).copied()
    }
}

impl<T: Named> FieldValue for Set<T> {
    fn to_value(&self, _: Field) -> Value {
        Value::Names(self.names())
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Names(names) => Some(Self::of_names(&names)),
            _ => None,
        }
    }
}

impl<T: FieldValue> FieldValue for Option<T> {
    fn to_value(&self, field: Field) -> Value {
        (self.as_ref()).map_or(Value::Absent, |own| own.to_value(field))
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Absent => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// The head, which is counted from 1 in values.
pub(super) mod head {
    use super::{State, Value};

    pub(in super::super) fn get(state: &State) -> Value {
        Value::Number(state.head as u32 + 1)
    }

    pub(in super::super) fn set(state: &mut State, value: Value) {
        let head = value.amount().and_then(|number| number.checked_sub(1));
        state.head = head.map_or(state.head, |head| head as usize);
    }
}

/// The language, which may be the browser's.
pub(super) mod language {
    use super::{AUTO, Language, State, Value};

    pub(in super::super) fn get(state: &State) -> Value {
        Value::Choice(state.language.map_or(AUTO, Language::code))
    }

    pub(in super::super) fn set(state: &mut State, value: Value) {
        let named = |own: &Language| value == Value::Choice(own.code());
        state.language = Language::ALL.into_iter().find(named);
    }
}

/// The theme, which may be the system's or the host's.
pub(super) mod theme {
    use super::{AUTO, FieldValue, HOST, State, Theme, Value};

    pub(in super::super) fn get(state: &State) -> Value {
        Value::Choice(if state.host_theme {
            HOST
        } else {
            state.theme.map_or(AUTO, Theme::name)
        })
    }

    pub(in super::super) fn set(state: &mut State, value: Value) {
        state.host_theme = value == Value::Choice(HOST);
        state.theme = FieldValue::from_value(value);
    }
}

/// Imported numbers, which come with everything that they decide, and go with it.
pub(super) mod imported {
    use super::{State, Value, constraints};

    pub(in super::super) fn get(state: &State) -> Value {
        (state.imported.clone()).map_or(Value::Absent, Value::Data)
    }

    pub(in super::super) fn set(state: &mut State, value: Value) {
        match value {
            Value::Data(imported) => constraints::apply(state, imported),
            _ => constraints::remove(state),
        }
    }
}
