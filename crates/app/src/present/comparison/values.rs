//! Names of settings and values in a comparison.

use crate::i18n::{Key, Language, text};
use crate::present::notice_text;
use crate::state::{Field, State, Value};

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

/// Describes how a comparison preset changed the settings of A; `None` if it
/// changed none.
pub fn changes_to_a(language: Language, before: &State, after: &State) -> Option<String> {
    let is_of_a = |field: &Field| *field != Field::Overrides;
    let changed = Field::ALL.into_iter().filter(is_of_a).filter_map(|field| {
        let now = after.get(field);
        let name = notice_text::name(language, field);
        (now != before.get(field))
            .then(|| text::setting_named(language, &name, &value(language, field, &now)))
    });
    let changed: Vec<String> = changed.collect();
    let list = changed.join(Key::ListSeparator.text(language));
    (!changed.is_empty()).then(|| text::comparison_changed(language, &list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::comparison::{ComparisonAction, ComparisonPreset};
    use crate::state::overrides::mechanism;
    use crate::state::setting::ValueKind;
    use crate::state::{Action, reduce};

    #[test]
    fn every_name_of_the_mechanism_has_words() {
        for field in mechanism() {
            let (ValueKind::Choice(names) | ValueKind::Names(names)) = field.kind() else {
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

    #[test]
    fn what_a_comparison_does_to_a_is_said() {
        let said = |set_up, language| {
            let before = State::default();
            let action =
                Action::Compare(ComparisonAction::Preset(set_up, Box::new(before.clone())));
            let (after, _) = reduce(before.clone(), action);
            changes_to_a(language, &before, &after)
        };
        assert_eq!(said(ComparisonPreset::Causal, Language::En), None);
        let english = said(ComparisonPreset::Scaled, Language::En).expect("two changes");
        let random = Key::WeightsRandom.text(Language::En);
        assert!(
            english.contains(random) && english.contains("128"),
            "{english}"
        );
        let head = said(ComparisonPreset::MultiQuery, Language::Zh).expect("another head");
        assert!(head.contains('2'), "{head}");
    }
}
