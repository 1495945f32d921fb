//! The overrides of B in a comparison.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl Overrides);

use super::setting::ValueKind;
use super::{Field, SettingError, State, Value, url};
use attention::sort;

/// The settings of B that may differ from those of A: everything about the mechanism, nothing about the words, the
/// random numbers or the look.
pub fn mechanism() -> impl Iterator<Item = Field> {
    Field::ALL.into_iter().filter(|field| field.is_mechanism())
}

/// Settings in which B differs from A, in the order of links; empty without B.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    settings: Vec<(Field, Value)>,
}

impl Overrides {
    /// Whether nothing is different.
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty()
    }

    /// The settings, in the order of links.
    pub fn iter(&self) -> impl Iterator<Item = &(Field, Value)> {
        self.settings.iter()
    }

    /// B's override for `field`, if any.
    pub fn get(&self, field: Field) -> Option<&Value> {
        let own = self.settings.iter().find(|(own, _)| *own == field);
        own.map(|(_, value)| value)
    }

    /// Sets or removes B's override for `field`. Fields outside the mechanism are ignored.
    pub fn set(&mut self, field: Field, value: Option<Value>) {
        if !field.is_mechanism() {
            return;
        }
        self.settings.retain(|(own, _)| *own != field);
        self.settings.extend(value.map(|value| (field, value)));
        let place = |own: &Field| *own as usize;
        sort::sort(&mut self.settings, |(one, _), (other, _)| {
            place(one).cmp(&place(other))
        });
    }

    /// Whether every setting is possible by itself, whatever else A and B have.
    ///
    /// # Errors
    /// The rule that the first one that is not breaks.
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        let possible = |(field, value): &(Field, Value)| match (field.kind(), value) {
            // Heads may be more beside random weights, and key/value heads fit other heads.
            (ValueKind::Number { min, max, .. }, Value::Number(number)) => (min..=max)
                .contains(number)
                .then_some(())
                .ok_or(SettingError::Range { min, max }),
            _ => State::default().check(*field, value),
        };
        self.settings.iter().try_for_each(possible)
    }

    /// The settings as a fragment of their own, without a version.
    pub fn to_param(&self) -> String {
        url::join(
            self.settings
                .iter()
                .map(|(field, value)| (*field, value.to_param())),
        )
    }

    /// Reads what [`to_param`](Self::to_param) writes.
    ///
    /// # Errors
    /// The rule that the first part that cannot be read breaks.
    pub fn parse(written: &str) -> Result<Self, SettingError> {
        let mut against = Self::default();
        for (key, raw) in url::split(written) {
            let field = Field::from_key(key).filter(|field| field.is_mechanism());
            let field = field.ok_or(SettingError::Unknown)?;
            let value = field.parse(&url::decode(raw).ok_or(SettingError::Encoding)?)?;
            if against.get(field).is_some() {
                return Err(SettingError::Repeated);
            }
            against.set(field, Some(value));
        }
        Ok(against)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_in_one_order_and_read_back() {
        let mut against = Overrides::default();
        against.set(Field::Scaled, Some(Value::Switch(false)));
        against.set(Field::Masks, Some(Value::Names(vec!["causal", "first"])));
        against.set(Field::Text, Some(Value::Text("other words".to_owned())));
        assert_eq!(against.to_param(), "mask=causal,first&scaled=0");
        assert_eq!(Overrides::parse(&against.to_param()), Ok(against.clone()));
        against.set(Field::Masks, None);
        assert_eq!(against.to_param(), "scaled=0");
    }

    #[test]
    fn each_setting_has_to_be_possible_by_itself_only() {
        let rule = |written| Overrides::parse(written).and_then(|against| against.check());
        assert_eq!(rule("heads=16&kv_heads=5&scoring=additive"), Ok(()));
        assert_eq!(
            rule("heads=17"),
            Err(SettingError::Range { min: 1, max: 16 })
        );
        assert_eq!(
            rule("temperature=0.04"),
            Err(SettingError::DecimalRange { min: 5, max: 1000 })
        );
    }

    #[test]
    fn only_the_mechanism_can_differ() {
        for (written, rule) in [
            ("text=x", SettingError::Unknown),
            ("against=scaled%3D0", SettingError::Unknown),
            ("scaled=0&scaled=1", SettingError::Repeated),
            ("d_k=x", SettingError::Number),
            ("mask=%F", SettingError::Encoding),
        ] {
            assert_eq!(Overrides::parse(written), Err(rule), "{written}");
        }
        assert_eq!(Overrides::parse(""), Ok(Overrides::default()));
    }
}
