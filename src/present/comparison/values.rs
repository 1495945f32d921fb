//! Names of settings and values in a comparison.

use crate::i18n::{Key, Language};
use crate::state::{Field, Value};

/// A value of a setting in the words of the page.
pub fn value(language: Language, field: Field, value: &Value) -> String {
    let says = |name: &str| {
        field
            .option_label(name)
            .map(|key| key.text(language).to_owned())
    };
    match value {
        Value::Names(names) if names.is_empty() => Key::MaskNone.text(language).to_owned(),
        Value::Names(names) => {
            let names: Vec<String> = names.iter().filter_map(|name| says(name)).collect();
            names.join(" + ")
        }
        Value::Painting(painting) => {
            let key = if painting.is_empty() {
                Key::MaskNone
            } else {
                Key::SettingPainted
            };
            key.text(language).to_owned()
        }
        Value::Switch(true) => Key::SettingOn.text(language).to_owned(),
        Value::Switch(false) => Key::SettingOff.text(language).to_owned(),
        Value::Choice(name) => says(name).unwrap_or_else(|| value.to_param()),
        _ => value.to_param(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::overrides::mechanism;
    use crate::state::setting::Kind;

    #[test]
    fn every_name_of_the_mechanism_has_words() {
        for field in mechanism() {
            let (Kind::Choice(names) | Kind::Names(names)) = field.kind() else {
                continue;
            };
            for name in names {
                assert!(field.option_label(name).is_some(), "{field:?} {name}");
            }
        }
    }

    #[test]
    fn values_as_they_are_read() {
        let said = |field: Field, written| {
            let read = field.parse(written).expect("a value");
            value(Language::En, field, &read)
        };
        assert_eq!(said(Field::Masks, "none"), "none");
        let both = [Key::MaskCausal, Key::MaskFirst].map(|key| key.text(Language::En));
        assert_eq!(said(Field::Masks, "causal,first"), both.join(" + "));
        assert_eq!(said(Field::Scaled, "0"), "no");
        assert_eq!(
            said(Field::Scoring, "dot"),
            Key::ScoringDot.text(Language::En)
        );
        assert_eq!(said(Field::Temperature, "0.5"), "0.5");
        assert_eq!(said(Field::Paint, "none"), "none");
    }
}
