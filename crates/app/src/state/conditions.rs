//! Conditions on settings under which an element of the page is shown.

use super::{Field, State, Value};

/// Conditions such as `field=value&field=any`, names as in links. Where a field has several names, one is enough; `any` is whatever is not
/// `none`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions(Vec<(Field, String)>);

impl Conditions {
    /// Reads them; what names no field is passed over.
    pub fn parse(written: &str) -> Self {
        let condition = |one: &str| {
            let (field, value) = one.split_once('=')?;
            Some((Field::from_key(field)?, value.to_owned()))
        };
        Self(written.split('&').filter_map(condition).collect())
    }

    /// Whether a state meets all of them.
    pub fn hold(&self, state: &State) -> bool {
        self.0.iter().all(|(field, value)| match state.get(*field) {
            Value::Names(names) if names.contains(&value.as_str()) => true,
            own => {
                let own = own.to_param();
                own == *value || (value == "any" && own != "none")
            }
        })
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
            ("source=any", false),
            ("d_k=8&mask=any", true),
            ("", true),
        ] {
            let conditions = Conditions::parse(written);
            assert_eq!(conditions.hold(&state), holds, "{written}");
        }
    }
}
