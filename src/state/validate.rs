//! The one door through which every change of a state goes.

use super::imported::constraints;
use super::painting::MOST_STRETCHES;
use super::settings::{AUTO, HOST, Kind, LONGEST_TEXT};
use super::{
    Field, Hiding, Library, Masks, Origin, Panels, Parts, PositionKind, ScoringKind, SettingError,
    State, StepKind, Theme, Value, steps,
};
use crate::engine::BackendChoice;
use crate::i18n::Language;
use crate::state::ColourMap;
use crate::state::ColourScale;
use attention::text::teaching::ROLES;

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
            Field::Masks => Value::Names(self.masks.names()),
            Field::Valid => number(self.valid),
            Field::Window => number(self.window),
            Field::Stride => number(self.stride),
            Field::First => number(self.first),
            Field::Paint => Value::Painting(self.paint.clone()),
            Field::Hiding => Value::Choice(self.hiding.name()),
            Field::Scoring => Value::Choice(self.scoring.name()),
            Field::Scaled => Value::Switch(self.scaled),
            Field::Positions => Value::Choice(self.positions.name()),
            Field::Linformer => Value::Switch(self.linformer),
            Field::Projected => number(self.projected),
            Field::Temperature => Value::Centi(self.temperature),
            Field::Head => number(self.head + 1),
            Field::Cell => self.cell.map_or(Value::Absent, Value::Cell),
            Field::Step => Value::Choice(self.step.name()),
            Field::Panels => Value::Names(self.panels.names()),
            Field::Against => Value::Against(self.overrides.clone()),
            Field::Library => Value::Choice(self.library.name()),
            Field::Colours => Value::Choice(self.colours.name()),
            Field::Scale => Value::Choice(self.scale.name()),
            Field::Language => Value::Choice(self.language.map_or(AUTO, Language::code)),
            Field::Theme if self.host_theme => Value::Choice(HOST),
            Field::Theme => Value::Choice(self.theme.map_or(AUTO, Theme::name)),
            Field::Backend => Value::Choice(self.backend.name()),
            Field::Embed => Value::Switch(self.embed),
            Field::Show => self
                .show
                .map_or(Value::Absent, |parts| Value::Names(parts.names())),
            Field::Lock => Value::Names(self.lock.names()),
            Field::Origins => Value::Origins(self.origins.clone()),
            Field::Data => self.imported.clone().map_or(Value::Absent, Value::Data),
            Field::Kept => Value::Kept(self.saved.clone()),
        }
    }

    /// Changes one field, if `value` is possible beside the others.
    ///
    /// Fields that depend on this one are not touched; [`super::reduce()`] settles them and says so. Only what was brought
    /// comes with everything that it decides, and goes with it.
    ///
    /// # Errors
    /// The rule that `value` breaks; the state is then as it was.
    pub fn set(&mut self, field: Field, value: Value) -> Result<(), SettingError> {
        self.check(field, &value)?;
        match value {
            Value::Text(text) => self.set_text(field, text),
            Value::Number(number) | Value::Centi(number) => self.set_number(field, number),
            Value::Choice(name) => self.set_choice(field, name),
            Value::Switch(on) => self.set_switch(field, on),
            Value::Names(names) => self.set_names(field, &names),
            Value::Cell(cell) => self.cell = Some(cell),
            Value::Painting(painting) => self.paint = painting,
            Value::Against(against) => self.overrides = against,
            Value::Origins(origins) => self.origins = origins,
            Value::Data(brought) => constraints::apply(self, brought),
            Value::Kept(kept) => self.saved = kept,
            Value::Absent => self.clear(field),
        }
        Ok(())
    }

    /// Whether `field` could be set to `value`.
    pub(crate) fn check(&self, field: Field, value: &Value) -> Result<(), SettingError> {
        if let Some(brought) = &self.imported
            && !brought.allows(field, value)
        {
            return Err(SettingError::Given);
        }
        match (field.kind(), value) {
            (Kind::Text | Kind::OptionalText, Value::Text(text)) => check_length(text),
            (Kind::Number { .. }, Value::Number(number)) => self.check_number(field, *number),
            (Kind::Centi { min, max, .. }, Value::Centi(number)) => (min..=max)
                .contains(number)
                .then_some(())
                .ok_or(SettingError::DecimalRange { min, max }),
            (Kind::Names(names) | Kind::OptionalNames(names), Value::Names(given)) => given
                .iter()
                .all(|name| names.contains(name))
                .then_some(())
                .ok_or(SettingError::Names(names)),
            (Kind::Painting, Value::Painting(painting)) => check_painting(painting.stretches()),
            (Kind::Against, Value::Against(against)) => against.check(),
            (Kind::Choice(names), Value::Choice(name)) if names.contains(name) => Ok(()),
            (Kind::Choice(names), _) => Err(SettingError::Options(names)),
            (Kind::Cell, Value::Cell(_)) => self.check_cell(value),
            (Kind::Origins, Value::Origins(_)) | (Kind::Switch, Value::Switch(_)) => Ok(()),
            (Kind::OptionalText | Kind::OptionalNames(_) | Kind::Cell, Value::Absent) => Ok(()),
            (Kind::Data, Value::Data(_) | Value::Absent) | (Kind::Kept, Value::Kept(_)) => Ok(()),
            _ => Err(SettingError::Kind),
        }
    }

    fn check_number(&self, field: Field, number: u32) -> Result<(), SettingError> {
        let (min, max) = self.limits(field).ok_or(SettingError::Kind)?;
        let teaching = ROLES.len() as u32;
        match field {
            Field::Heads if number > max && max == teaching => {
                Err(SettingError::TeachingHeads { max })
            }
            _ if !(min..=max).contains(&number) => Err(SettingError::Range { min, max }),
            Field::KvHeads if !max.is_multiple_of(number) => {
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

    fn set_text(&mut self, field: Field, text: String) {
        match field {
            Field::Second => self.second = Some(text),
            _ => self.text = text,
        }
    }

    fn set_number(&mut self, field: Field, number: u32) {
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
            Field::First => self.first = size,
            Field::Projected => self.projected = size,
            Field::Temperature => self.temperature = number,
            Field::Head => self.head = size - 1,
            _ => {}
        }
    }

    fn set_choice(&mut self, field: Field, name: &str) {
        match field {
            Field::Origin => set_if_some(&mut self.origin, Origin::from_name(name)),
            Field::Hiding => set_if_some(&mut self.hiding, Hiding::from_name(name)),
            Field::Scoring => set_if_some(&mut self.scoring, ScoringKind::from_name(name)),
            Field::Positions => set_if_some(&mut self.positions, PositionKind::from_name(name)),
            Field::Step => set_if_some(&mut self.step, StepKind::from_name(name)),
            Field::Library => set_if_some(&mut self.library, Library::from_name(name)),
            Field::Colours => set_if_some(&mut self.colours, ColourMap::from_name(name)),
            Field::Scale => set_if_some(&mut self.scale, ColourScale::from_name(name)),
            Field::Language => {
                self.language = Language::ALL
                    .into_iter()
                    .find(|language| language.code() == name)
            }
            Field::Theme => {
                (self.theme, self.host_theme) = (Theme::from_name(name), name == HOST);
            }
            Field::Backend => set_if_some(
                &mut self.backend,
                BackendChoice::ALL
                    .into_iter()
                    .find(|backend| backend.name() == name),
            ),
            _ => {}
        }
    }

    fn set_names(&mut self, field: Field, names: &[&str]) {
        match field {
            Field::Masks => self.masks = Masks::of_names(names),
            Field::Panels => self.panels = Panels::of_names(names),
            Field::Show => self.show = Some(Parts::of_names(names)),
            Field::Lock => self.lock = Parts::of_names(names),
            _ => {}
        }
    }

    fn set_switch(&mut self, field: Field, on: bool) {
        match field {
            Field::Scaled => self.scaled = on,
            Field::Linformer => self.linformer = on,
            Field::Embed => self.embed = on,
            _ => {}
        }
    }

    fn clear(&mut self, field: Field) {
        match field {
            Field::Second => self.second = None,
            Field::Show => self.show = None,
            Field::Data => constraints::remove(self),
            _ => self.cell = None,
        }
    }
}

fn set_if_some<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
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
                Kind::Choice(names) => names.iter().map(|name| Value::Choice(name)).collect(),
                Kind::Names(names) | Kind::OptionalNames(names) => (0..=names.len())
                    .map(|most| Value::Names(names[..most].to_vec()))
                    .collect(),
                Kind::Switch => vec![Value::Switch(false), Value::Switch(true)],
                Kind::Number { .. } => {
                    let stops = State::default().stops(field).into_iter();
                    stops.map(Value::Number).collect()
                }
                Kind::Centi { stops, .. } => stops.iter().map(|stop| Value::Centi(*stop)).collect(),
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
