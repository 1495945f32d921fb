//! Bounds of a setting next to the others, and its default.

use super::setting::{Limit, ValueKind};
use super::{Field, Origin, Part, PositionKind, SettingError, State, Value};
use attention::text::MAX_TOKENS;
use attention::text::teaching::ROLES;
use engine::training_run::{D_MODEL, HEADS};

impl State {
    /// The smallest and the largest number that `field` can have beside the other settings, in hundredths where it has
    /// them, or `None` for a field that is not a number. Key/value heads must divide the heads besides.
    pub fn limits(&self, field: Field) -> Option<(u32, u32)> {
        let (ValueKind::Number { min, max, .. } | ValueKind::Centi { min, max, .. }) = field.kind()
        else {
            return None;
        };
        if let Some(given) = self.given(field).and_then(|given| given.amount()) {
            return Some((given, given));
        }
        let max = match (field.row().limit, self.origin) {
            (Limit::TeachingHeads, Origin::Teaching | Origin::Learned) => {
                max.min(ROLES.len() as u32)
            }
            (Limit::Learned { max: most }, Origin::Learned) => max.min(most),
            (Limit::DividesHeads | Limit::OneOfHeads, _) => self.heads as u32,
            (Limit::OneOfLayers, _) => self.layers as u32,
            _ => max,
        };
        Some((min, max))
    }

    /// Where a slider for `field` stops beside the other settings; nothing for a field that is not a number, and for
    /// one with more than 1,025 places, such as the seed.
    pub fn stops(&self, field: Field) -> Vec<u32> {
        let (ValueKind::Number { stops, .. } | ValueKind::Centi { stops, .. }) = field.kind()
        else {
            return vec![];
        };
        let Some((min, max)) = self.limits(field) else {
            return vec![];
        };
        match (field.row().limit, stops) {
            _ if min == max => vec![max],
            (Limit::DividesHeads, _) => (1..=max)
                .filter(|divisor| max.is_multiple_of(*divisor))
                .collect(),
            (_, []) if max - min <= MAX_TOKENS as u32 => (min..=max).collect(),
            _ => {
                let own = stops.iter().copied();
                own.filter(|stop| *stop <= max).collect()
            }
        }
    }

    /// Default of `field`, given the fields before it in [`Field::ALL`].
    ///
    /// Key/value heads are as many as heads; no cell is chosen in a text that is not the opening one.
    pub fn default_of(&self, field: Field) -> Value {
        let default = Self::default();
        let imported = self.imported.as_ref();
        if let Some(value) = imported.and_then(|imported| imported.default_of(field)) {
            return value;
        }
        if let Some(value) = self.default_of_model(field) {
            return value;
        }
        let own = default.get(field);
        match field.row().limit {
            Limit::OneOfLayers => Value::Number(self.layers as u32),
            Limit::DividesHeads => Value::Number(self.heads as u32),
            Limit::OnMap if (&self.text, &self.second) != (&default.text, &default.second) => {
                Value::Absent
            }
            // A step may have fewer rows than the weights.
            Limit::OnMap if self.check(field, &own).is_err() => Value::Absent,
            _ => own,
        }
    }

    /// Value that imported data or a learned model fix for `field`; `None` if it can be set.
    pub fn given(&self, field: Field) -> Option<Value> {
        let imported = self.imported.as_ref();
        let given = imported.and_then(|imported| imported.fixed_value(field));
        given.or_else(|| self.fixed_by_model(field))
    }

    /// Value that a learned model fixes: it reads one text, and its positions are learned.
    pub(super) fn fixed_by_model(&self, field: Field) -> Option<Value> {
        match field {
            _ if self.origin != Origin::Learned || self.imported.is_some() => None,
            Field::Second => Some(Value::Absent),
            Field::Positions => Some(Value::Choice(PositionKind::None.name())),
            _ => None,
        }
    }

    /// Default sizes of a learned model: those of the lab.
    fn default_of_model(&self, field: Field) -> Option<Value> {
        match field {
            _ if self.origin != Origin::Learned => None,
            Field::DModel => Some(Value::Number(D_MODEL as u32)),
            Field::DK => Some(Value::Number((D_MODEL / HEADS) as u32)),
            _ => self.fixed_by_model(field),
        }
    }

    /// Whether imported numbers or a learned model decide the control of `part`.
    pub fn is_given(&self, part: Part) -> bool {
        let mut own = Field::ALL
            .into_iter()
            .filter(|field| field.part() == Some(part));
        part != Part::Sentence && own.any(|field| self.given(field).is_some())
    }

    /// Whether every field is something that [`State::set`] would accept.
    ///
    /// # Errors
    /// The first field that is not, and the rule that it breaks.
    pub fn check_all(&self) -> Result<(), (Field, SettingError)> {
        Field::ALL.into_iter().try_for_each(|field| {
            self.check(field, &self.get(field))
                .map_err(|rule| (field, rule))
        })
    }
}
