//! The one door through which every change of a state goes.

wasm_chunks::chunk!("more": shown_as);

use super::painting::MOST_STRETCHES;
use super::setting::{Limit, ValueKind};
use super::settings::{LESSON_LIST, LONGEST_TEXT};
use super::{Field, Origin, SettingError, State, Value, steps};
use attention::text::teaching::ROLES;

impl State {
    /// Changes one field, if `value` is possible beside the others.
    ///
    /// Fields that depend on this one are not touched; [`super::reduce()`] adjusts them and returns
    /// the adjustments. Only imported data and a learned model set, and on removal reset,
    /// everything that they fix.
    ///
    /// # Errors
    /// The rule that `value` breaks; the state is then as it was.
    pub fn set(&mut self, field: Field, value: Value) -> Result<(), SettingError> {
        self.check(field, &value)?;
        let was_learned = self.origin == Origin::Learned;
        self.write(field, value);
        if was_learned != (self.origin == Origin::Learned) {
            self.reset_stack();
        }
        Ok(())
    }

    /// Resets the settings that exist only with a learned model, each after those it depends on.
    fn reset_stack(&mut self) {
        for field in [
            Field::Layers,
            Field::Layer,
            Field::Trained,
            Field::DModel,
            Field::DK,
            Field::Heads,
            Field::KvHeads,
            Field::Second,
            Field::Positions,
        ] {
            self.write(field, self.default_of(field));
        }
    }

    /// The numbers of this state with the display of another: every field for which
    /// [`Field::is_shown_only`] holds is taken from the other.
    #[must_use]
    pub fn shown_as(&self, other: &Self) -> Self {
        let mut shown = self.clone();
        for field in Field::ALL.into_iter().filter(|field| field.is_shown_only()) {
            shown.copy(field, other);
        }
        shown
    }

    /// Whether a lesson is named that has not set the page yet.
    pub fn begins_lesson(&self) -> bool {
        !matches!(self.lesson.as_str(), "" | LESSON_LIST) && self.lesson_step == 0
    }

    /// Whether both have equal settings of display: head, colours, step, view, panels, and the
    /// like.
    pub fn looks_as(&self, other: &Self) -> bool {
        let looks = |state: &Self| {
            (
                state.head,
                state.colours,
                (state.scale, state.range),
                state.theme,
                state.language,
                (state.step, state.view),
                state.open_panels(),
                state.library,
                (state.task, state.task_seed, state.task_step),
                state.lock,
            )
        };
        let going_on = |state: &Self| (state.task_temperature, state.task_text.clone());
        looks(self) == looks(other) && going_on(self) == going_on(other)
    }

    /// Whether `field` could be set to `value`.
    pub(crate) fn check(&self, field: Field, value: &Value) -> Result<(), SettingError> {
        if let Some(imported) = &self.imported
            && !imported.allows(field, value)
        {
            return Err(SettingError::Given);
        }
        if self.fixed_by_model(field).is_some_and(|own| own != *value) {
            return Err(SettingError::Learned);
        }
        match (field.kind(), value) {
            (ValueKind::Text | ValueKind::OptionalText, Value::Text(text)) => check_length(text),
            (ValueKind::Number { .. }, Value::Number(number)) => self.check_number(field, *number),
            (ValueKind::Centi { min, max, .. }, Value::Centi(number)) => (min..=max)
                .contains(number)
                .then_some(())
                .ok_or(SettingError::DecimalRange { min, max }),
            (ValueKind::Names(names) | ValueKind::OptionalNames(names), Value::Names(given)) => {
                given
                    .iter()
                    .all(|name| names.contains(name))
                    .then_some(())
                    .ok_or(SettingError::Names(names))
            }
            (ValueKind::Painting, Value::Painting(painting)) => {
                check_painting(painting.stretches())
            }
            (ValueKind::Overrides, Value::Overrides(against)) => against.check(),
            (ValueKind::Choice(names), Value::Choice(name)) if names.contains(name) => Ok(()),
            (ValueKind::Choice(names), _) => Err(SettingError::Options(names)),
            (ValueKind::Cell, Value::Cell(_)) => self.check_cell(value),
            (ValueKind::Origins, Value::Origins(_)) | (ValueKind::Switch, Value::Switch(_)) => {
                Ok(())
            }
            (
                ValueKind::OptionalText | ValueKind::OptionalNames(_) | ValueKind::Cell,
                Value::Absent,
            ) => Ok(()),
            (ValueKind::Data, Value::Data(_) | Value::Absent)
            | (ValueKind::SavedSettings, Value::SavedSettings(_)) => Ok(()),
            _ => Err(SettingError::Kind),
        }
    }

    fn check_number(&self, field: Field, number: u32) -> Result<(), SettingError> {
        let (min, max) = self.limits(field).ok_or(SettingError::Kind)?;
        let teaching = ROLES.len() as u32;
        match field.row().limit {
            Limit::TeachingHeads
                if number > max && max == teaching && self.origin == Origin::Teaching =>
            {
                Err(SettingError::TeachingHeads { max })
            }
            _ if !(min..=max).contains(&number) => Err(SettingError::Range { min, max }),
            Limit::DividesHeads if !max.is_multiple_of(number) => {
                Err(SettingError::Divisor { heads: max })
            }
            _ => Ok(()),
        }
    }

    fn check_cell(&self, value: &Value) -> Result<(), SettingError> {
        let Value::Cell(cell) = value else {
            return Err(SettingError::Kind);
        };
        let (rows, columns) = steps::shape(self, steps::shown(self));
        let inside = cell.query < rows && cell.key.is_none_or(|key| key < columns);
        inside.then_some(()).ok_or(SettingError::Cell {
            rows: rows as u32,
            columns: columns as u32,
        })
    }
}

fn check_painting(stretches: usize) -> Result<(), SettingError> {
    let max = MOST_STRETCHES as u32;
    (stretches <= MOST_STRETCHES)
        .then_some(())
        .ok_or(SettingError::Painted { max })
}

fn check_length(text: &str) -> Result<(), SettingError> {
    let long = text.chars().nth(LONGEST_TEXT).is_some();
    if long {
        Err(SettingError::Long {
            max: LONGEST_TEXT as u32,
        })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every field's every choice can be set and is then what it is: no name leads nowhere.
    #[test]
    fn every_choice_and_switch_can_be_made() {
        for field in Field::ALL {
            let values: Vec<Value> = match field.kind() {
                ValueKind::Choice(names) => names.iter().map(|name| Value::Choice(name)).collect(),
                ValueKind::Names(names) | ValueKind::OptionalNames(names) => (0..=names.len())
                    .map(|most| Value::Names(names[..most].to_vec()))
                    .collect(),
                ValueKind::Switch => vec![Value::Switch(false), Value::Switch(true)],
                ValueKind::Number { .. } => {
                    let stops = State::default().stops(field).into_iter();
                    stops.map(Value::Number).collect()
                }
                ValueKind::Centi { stops, .. } => {
                    stops.iter().map(|stop| Value::Centi(*stop)).collect()
                }
                _ => vec![],
            };
            for value in values {
                let mut state = State::default();
                assert_eq!(
                    state.set(field, value.clone()),
                    Ok(()),
                    "{field:?} {value:?}"
                );
                assert_eq!(state.get(field), value, "{field:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused_and_changes_nothing() {
        let refused = [
            (
                Field::Heads,
                Value::Number(9),
                SettingError::TeachingHeads { max: 8 },
            ),
            (
                Field::KvHeads,
                Value::Number(3),
                SettingError::Divisor { heads: 4 },
            ),
            (
                Field::KvHeads,
                Value::Number(5),
                SettingError::Range { min: 1, max: 4 },
            ),
            (
                Field::Head,
                Value::Number(0),
                SettingError::Range { min: 1, max: 4 },
            ),
            (
                Field::DModel,
                Value::Number(3),
                SettingError::Range { min: 4, max: 512 },
            ),
            (Field::Scaled, Value::Number(1), SettingError::Kind),
            (Field::Text, Value::Absent, SettingError::Kind),
            (
                Field::Text,
                Value::Text("x".repeat(LONGEST_TEXT + 1)),
                SettingError::Long { max: 20_000 },
            ),
            (
                Field::Masks,
                Value::Names(vec!["causal", "dark"]),
                SettingError::Names(&["causal", "padding", "local", "strided", "first"]),
            ),
            (
                Field::Temperature,
                Value::Centi(4),
                SettingError::DecimalRange { min: 5, max: 1000 },
            ),
        ];
        for (field, value, rule) in refused {
            let mut state = State::default();
            assert_eq!(state.set(field, value), Err(rule));
            assert_eq!(state, State::default());
        }
    }

    #[test]
    fn a_cell_lies_on_the_map() {
        use super::super::Cell;
        let mut state = State {
            second: Some("two words".to_owned()),
            ..State::default()
        };
        let cell = |query, key| Value::Cell(Cell { query, key });
        assert_eq!(state.set(Field::Cell, cell(10, Some(1))), Ok(()));
        assert_eq!(
            state.set(Field::Cell, cell(10, Some(2))),
            Err(SettingError::Cell {
                rows: 11,
                columns: 2
            })
        );
        assert_eq!(
            state.set(Field::Cell, cell(11, None)),
            Err(SettingError::Cell {
                rows: 11,
                columns: 2
            })
        );
    }

    #[test]
    fn the_default_is_possible_and_is_its_own_default() {
        let state = State::default();
        assert_eq!(state.check_all(), Ok(()));
        assert!(
            Field::ALL
                .into_iter()
                .all(|field| state.get(field) == state.default_of(field))
        );
    }
}
