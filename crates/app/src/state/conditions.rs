//! Conditions on settings under which an element of the page is shown.

use super::{Field, State, Value};

/// Conditions such as `field=value&field!=value`, names as in links. Where a field has several names, one is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions(Vec<Condition>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    field: Field,
    value: String,
    /// Whether the field must have the value, or must not.
    holds: bool,
}

impl Condition {
    fn parse(written: &str) -> Option<Self> {
        let (key, value) = written.split_once('=')?;
        let holds = !key.ends_with('!');
        Some(Self {
            field: Field::from_key(if holds { key } else { &key[..key.len() - 1] })?,
            value: value.to_owned(),
            holds,
        })
    }

    fn is_met(&self, state: &State) -> bool {
        let has_value = match state.get(self.field) {
            Value::Names(names) if names.contains(&self.value.as_str()) => true,
            own => own.to_param() == self.value,
        };
        has_value == self.holds
    }
}

impl Conditions {
    /// Reads them; what names no field is passed over.
    pub fn parse(written: &str) -> Self {
        Self(written.split('&').filter_map(Condition::parse).collect())
    }

    /// Whether a state meets all of them.
    pub fn hold(&self, state: &State) -> bool {
        self.0.iter().all(|condition| condition.is_met(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    #[test]
    fn all_have_to_hold_and_one_of_several_names_is_enough() {
        let state = url::parse("mask=causal,local&d_k=8").0;
        for (written, holds) in [
            ("d_k=8", true),
            ("d_k=8&mask=local", true),
            ("d_k=8&mask=strided", false),
            ("d_k=4", false),
            ("source=none", true),
            ("source!=none", false),
            ("d_k!=4&mask!=strided", true),
            ("", true),
        ] {
            let conditions = Conditions::parse(written);
            assert_eq!(conditions.hold(&state), holds, "{written}");
        }
    }
}
