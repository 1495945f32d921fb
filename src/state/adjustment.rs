//! A setting that is not as it was asked for.

use super::{Field, SettingError, State, Value, url};

/// Something that did not come out as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// The setting.
    pub field: Field,
    /// What was asked for, or what it was before another setting changed; the beginning of it, where it is long.
    pub asked: String,
    /// What it is now.
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
