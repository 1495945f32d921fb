//! The one door through which every change of a state goes.

use super::field::{AUTO, Kind, LONGEST_TEXT};
use super::{Field, MaskKind, Origin, Rule, State, Theme, Value, model};
use crate::engine::BackendChoice;
use crate::text::teaching::ROLES;
use crate::view::colour::ColourMap;
use crate::view::scale::ColourScale;
use crate::words::Language;

impl State {
    /// What a field holds.
    pub fn get(&self, field: Field) -> Value {
        let number = |number: usize| Value::Number(number as u32);
        match field {
            Field::Text => Value::Text(self.text.clone()),
            Field::Second => self.second.clone().map_or(Value::Absent, Value::Text),
            Field::Origin => Value::Choice(self.origin.name()),
            Field::Seed => Value::Number(self.seed),
            Field::DModel => number(self.d_model),
            Field::DK => number(self.d_k),
            Field::Heads => number(self.heads),
            Field::KvHeads => number(self.kv_heads),
            Field::Mask => Value::Choice(self.mask.name()),
            Field::Valid => number(self.valid),
            Field::Window => number(self.window),
            Field::Stride => number(self.stride),
            Field::Scaled => Value::Switch(self.scaled),
            Field::Positions => Value::Switch(self.positions),
            Field::Head => number(self.head + 1),
            Field::Cell => self.cell.map_or(Value::Absent, Value::Cell),
            Field::Colours => Value::Choice(self.colours.name()),
            Field::Scale => Value::Choice(self.scale.name()),
            Field::Language => Value::Choice(self.language.map_or(AUTO, Language::code)),
            Field::Theme => Value::Choice(self.theme.map_or(AUTO, Theme::name)),
            Field::Backend => Value::Choice(self.backend.name()),
        }
    }

    /// Changes one field, if `value` is possible beside the others.
    ///
    /// Fields that depend on this one are not touched; [`super::reduce()`] settles them and says so.
    ///
    /// # Errors
    /// The rule that `value` breaks; the state is then as it was.
    pub fn set(&mut self, field: Field, value: Value) -> Result<(), Rule> {
        self.check(field, &value)?;
        match value {
            Value::Text(text) => self.put_text(field, text),
            Value::Number(number) => self.put_number(field, number),
            Value::Choice(name) => self.put_choice(field, name),
            Value::Switch(on) => self.put_switch(field, on),
            Value::Cell(cell) => self.cell = Some(cell),
            Value::Absent if field == Field::Second => self.second = None,
            Value::Absent => self.cell = None,
        }
        Ok(())
    }

    /// Whether `field` could be set to `value`.
    pub(super) fn check(&self, field: Field, value: &Value) -> Result<(), Rule> {
        match (field.kind(), value) {
            (Kind::Text | Kind::OptionalText, Value::Text(text)) => check_length(text),
            (Kind::Number { .. }, Value::Number(number)) => self.check_number(field, *number),
            (Kind::Choice(names), Value::Choice(name)) if names.contains(name) => Ok(()),
            (Kind::Choice(names), _) => Err(Rule::Options(names)),
            (Kind::Cell, Value::Cell(_)) => self.check_cell(value),
            (Kind::Switch, Value::Switch(_)) | (Kind::OptionalText | Kind::Cell, Value::Absent) => {
                Ok(())
            }
            _ => Err(Rule::Kind),
        }
    }

    fn check_number(&self, field: Field, number: u32) -> Result<(), Rule> {
        let (min, max) = self.limits(field).ok_or(Rule::Kind)?;
        let teaching = ROLES.len() as u32;
        match field {
            Field::Heads if number > max && max == teaching => Err(Rule::TeachingHeads { max }),
            _ if !(min..=max).contains(&number) => Err(Rule::Range { min, max }),
            Field::KvHeads if !max.is_multiple_of(number) => Err(Rule::Divisor { heads: max }),
            _ => Ok(()),
        }
    }

    fn check_cell(&self, value: &Value) -> Result<(), Rule> {
        let Value::Cell(cell) = value else {
            return Err(Rule::Kind);
        };
        let (rows, columns) = model::shape(self);
        let inside = cell.query < rows && cell.key.is_none_or(|key| key < columns);
        inside.then_some(()).ok_or(Rule::Cell {
            rows: rows as u32,
            columns: columns as u32,
        })
    }

    fn put_text(&mut self, field: Field, text: String) {
        match field {
            Field::Second => self.second = Some(text),
            _ => self.text = text,
        }
    }

    fn put_number(&mut self, field: Field, number: u32) {
        let size = number as usize;
        match field {
            Field::Seed => self.seed = number,
            Field::DModel => self.d_model = size,
            Field::DK => self.d_k = size,
            Field::Heads => self.heads = size,
            Field::KvHeads => self.kv_heads = size,
            Field::Valid => self.valid = size,
            Field::Window => self.window = size,
            Field::Stride => self.stride = size,
            Field::Head => self.head = size - 1,
            _ => {}
        }
    }

    fn put_choice(&mut self, field: Field, name: &str) {
        match field {
            Field::Origin => put(
                &mut self.origin,
                Origin::ALL.into_iter().find(|origin| origin.name() == name),
            ),
            Field::Mask => put(
                &mut self.mask,
                MaskKind::ALL.into_iter().find(|mask| mask.name() == name),
            ),
            Field::Colours => put(&mut self.colours, ColourMap::from_name(name)),
            Field::Scale => put(&mut self.scale, ColourScale::from_name(name)),
            Field::Language => {
                self.language = Language::ALL
                    .into_iter()
                    .find(|language| language.code() == name)
            }
            Field::Theme => self.theme = Theme::ALL.into_iter().find(|theme| theme.name() == name),
            Field::Backend => put(
                &mut self.backend,
                BackendChoice::ALL
                    .into_iter()
                    .find(|backend| backend.name() == name),
            ),
            _ => {}
        }
    }

    fn put_switch(&mut self, field: Field, on: bool) {
        match field {
            Field::Scaled => self.scaled = on,
            Field::Positions => self.positions = on,
            _ => {}
        }
    }
}

fn put<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn check_length(text: &str) -> Result<(), Rule> {
    let long = text.chars().nth(LONGEST_TEXT).is_some();
    if long {
        Err(Rule::Long {
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
                Kind::Choice(names) => names.iter().map(|name| Value::Choice(name)).collect(),
                Kind::Switch => vec![Value::Switch(false), Value::Switch(true)],
                Kind::Number { .. } => State::default()
                    .stops(field)
                    .into_iter()
                    .map(Value::Number)
                    .collect(),
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
                Rule::TeachingHeads { max: 8 },
            ),
            (Field::KvHeads, Value::Number(3), Rule::Divisor { heads: 4 }),
            (
                Field::KvHeads,
                Value::Number(5),
                Rule::Range { min: 1, max: 4 },
            ),
            (
                Field::Head,
                Value::Number(0),
                Rule::Range { min: 1, max: 4 },
            ),
            (
                Field::DModel,
                Value::Number(3),
                Rule::Range { min: 4, max: 512 },
            ),
            (Field::Scaled, Value::Number(1), Rule::Kind),
            (Field::Text, Value::Absent, Rule::Kind),
            (
                Field::Text,
                Value::Text("x".repeat(LONGEST_TEXT + 1)),
                Rule::Long { max: 20_000 },
            ),
            (
                Field::Mask,
                Value::Choice("dark"),
                Rule::Options(&["none", "causal", "padding", "local", "strided"]),
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
            Err(Rule::Cell {
                rows: 11,
                columns: 2
            })
        );
        assert_eq!(
            state.set(Field::Cell, cell(11, None)),
            Err(Rule::Cell {
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
