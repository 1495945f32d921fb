//! Settings that differ from the requested value.

use super::{Field, SettingError, State, Value, url};

/// A setting whose value differs from the requested one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// The setting.
    pub field: Field,
    /// The requested value, or the value before another setting changed; truncated if long.
    pub asked: String,
    /// The value now.
    pub became: Value,
    /// Why.
    pub rule: SettingError,
}

impl Adjustment {
    pub(crate) fn new(state: &State, field: Field, asked: &str, rule: SettingError) -> Self {
        Self {
            field,
            asked: url::beginning(asked),
            became: state.get(field),
            rule,
        }
    }
}
