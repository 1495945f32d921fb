//! Applies an action to a state.

use super::setting::Kind;
use super::settings::LONGEST_TEXT;
use super::value::{decimal, number};
use super::{Action, Adjustment, Cell, Field, State, Value, brush, comparison, locks, steps, url};
use crate::state::presets;

/// The state after `action`, and everything in it that is not as asked.
///
/// Pure: the same in, the same out. Where every head has a key/value head of its own, that stays so when the number of
/// heads changes. Whatever else becomes impossible is moved to the nearest possible and noticed.
pub fn reduce(mut state: State, action: Action) -> (State, Vec<Adjustment>) {
    if let Action::Replace(other) = action {
        return (*other, Vec::new());
    }
    if let Some(notice) = locks::blocked(&state, &action) {
        return (state, vec![notice]);
    }
    let locked = (!state.lock.is_empty()).then(|| state.clone());
    let (mut before, step) = ((state.heads, state.kv_heads), steps::shown(&state));
    let brought = state.imported.clone();
    let mut notices = act(&mut state, action);
    if let Some(before) = locked {
        let broken = locks::violations(&before, &state);
        if !broken.is_empty() {
            return (before, broken);
        }
    }
    // What is brought says itself which heads share.
    before.0 *= usize::from(brought == state.imported);
    steps::keep_cell(&mut state, step);
    notices.extend(clamp_dependents(&mut state, before));
    (state, notices)
}

fn act(state: &mut State, action: Action) -> Vec<Adjustment> {
    let notice = match action {
        Action::Set(field, value) => set_nearest(state, field, value),
        Action::Enter(field, written) => enter(state, field, written.trim()),
        Action::Include(field, name, on) => include(state, field, name, on),
        Action::Paint {
            from,
            to,
            is_visible,
        } => {
            let painting = brush::painted(state, from, to, is_visible);
            let refused = state.set(Field::Paint, Value::Painting(painting)).err();
            refused.map(|rule| Adjustment::new(state, Field::Paint, "", rule))
        }
        Action::Reset(field) => set_nearest(state, field, state.default_of(field)),
        Action::Cross(true) => {
            let copy = state.second.take().unwrap_or_else(|| state.text.clone());
            set_nearest(state, Field::Second, Value::Text(copy))
        }
        Action::Cross(false) => set_nearest(state, Field::Second, Value::Absent),
        Action::Preset(id) => return take_preset(state, id),
        Action::Beside(deed) => return comparison::act(state, deed),
        Action::NewSeed => {
            state.seed = next_seed(state.seed);
            None
        }
        Action::Move { rows, columns } => {
            state.cell = moved(state, rows, columns);
            None
        }
        Action::Replace(other) => {
            *state = *other;
            None
        }
    };
    notice.into_iter().collect()
}

/// Sets a field to a value, or to the nearest possible one.
fn set_nearest(state: &mut State, field: Field, value: Value) -> Option<Adjustment> {
    let rule = state.set(field, value.clone()).err()?;
    if let Some(possible) = nearest(state, field, &value) {
        let _ = state.set(field, possible);
    }
    Some(Adjustment::new(state, field, &value.to_param(), rule))
}

/// The nearest possible value, for numbers and texts.
fn nearest(state: &State, field: Field, value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) => {
            let (min, max) = state.limits(field)?;
            let inside = (*number).clamp(min, max);
            let possible = (min..=inside)
                .rev()
                .find(|n| state.check(field, &Value::Number(*n)).is_ok());
            possible.map(Value::Number)
        }
        Value::Centi(number) => {
            let (min, max) = state.limits(field)?;
            Some(Value::Centi((*number).clamp(min, max)))
        }
        Value::Text(text) => Some(Value::Text(text.chars().take(LONGEST_TEXT).collect())),
        _ => None,
    }
}

fn enter(state: &mut State, field: Field, written: &str) -> Option<Adjustment> {
    match field.parse(written) {
        Ok(value) => set_nearest(state, field, value),
        Err(rule) => {
            let far = match field.kind() {
                Kind::Number { .. } => number(written).map(|far| Value::Number(edge(far))),
                Kind::Centi { .. } => decimal(written).map(|far| Value::Centi(edge(far))),
                _ => None,
            };
            if let Some(far) = far {
                let _ = set_nearest(state, field, far);
            }
            Some(Adjustment::new(state, field, written, rule))
        }
    }
}

fn edge(far: i64) -> u32 {
    if far < 0 { 0 } else { u32::MAX }
}

fn include(state: &mut State, field: Field, name: &'static str, on: bool) -> Option<Adjustment> {
    let Value::Names(mut names) = state.get(field) else {
        return None;
    };
    names.retain(|own| *own != name);
    if on {
        names.push(name);
    }
    set_nearest(state, field, Value::Names(names))
}

fn take_preset(state: &mut State, id: &str) -> Vec<Adjustment> {
    let Some(preset) = presets::by_id(id) else {
        return Vec::new();
    };
    let before = state.clone();
    let _ = state.set(Field::Data, Value::Absent);
    state.text = preset.text.to_owned();
    state.second = preset.source.map(str::to_owned);
    state.cell = None;
    let refused = url::apply(state, preset.settings);
    let named = |note: url::LinkWarning| Some((Field::from_key(&note.key)?, note));
    let refused = refused.into_iter().filter_map(named);
    let notices =
        refused.map(|(field, note)| Adjustment::new(state, field, &note.value, note.rule));
    let mut notices: Vec<Adjustment> = notices.collect();
    notices.extend(locks::restore_locked(&before, state));
    notices
}

/// The next of 10,000 short seeds. The sequence visits each of them before it repeats (Hull and Dobell 1962:
/// the increment shares no factor with 10,000, and the factor less 1 is a multiple of 2, 5 and 4).
fn next_seed(seed: u32) -> u32 {
    (seed % 10_000 * 4021 + 2113) % 10_000
}

fn moved(state: &State, rows: i32, columns: i32) -> Option<Cell> {
    let (n, m) = steps::shape(state, steps::shown(state));
    let last = (n.checked_sub(1)?, m.checked_sub(1)?);
    let step =
        |from: usize, by: i32, last: usize| from.saturating_add_signed(by as isize).min(last);
    let Some(Cell { query, key }) = state.cell else {
        return Some(Cell {
            query: 0,
            key: Some(0),
        });
    };
    let key = match key {
        None if columns == 0 => None,
        None => Some(0),
        Some(key) => Some(step(key, columns, last.1)),
    };
    Some(Cell {
        query: step(query, rows, last.0),
        key,
    })
}

/// Moves every field that another one made impossible to the nearest possible.
pub(crate) fn clamp_dependents(
    state: &mut State,
    (heads, kv_heads): (usize, usize),
) -> Vec<Adjustment> {
    let mut notices: Vec<Adjustment> = settle_number(state, Field::Heads).into_iter().collect();
    if heads == kv_heads && kv_heads == state.kv_heads {
        state.kv_heads = state.heads;
    }
    notices.extend(settle_number(state, Field::KvHeads));
    notices.extend(settle_number(state, Field::Head));
    notices.extend(settle_cell(state));
    notices
}

fn settle_number(state: &mut State, field: Field) -> Option<Adjustment> {
    set_nearest(state, field, state.get(field))
}

fn settle_cell(state: &mut State) -> Option<Adjustment> {
    let cell = state.get(Field::Cell);
    let rule = state.check(Field::Cell, &cell).err()?;
    state.cell = None;
    Some(Adjustment::new(state, Field::Cell, &cell.to_param(), rule))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::SettingError;
    use crate::state::{MaskPart, Masks, Origin};

    fn after(actions: impl IntoIterator<Item = Action>) -> (State, Vec<Adjustment>) {
        actions.into_iter().fold(
            (State::default(), Vec::new()),
            |(state, mut notices), action| {
                let (state, new) = reduce(state, action);
                assert_eq!(state.check_all(), Ok(()));
                notices.extend(new);
                (state, notices)
            },
        )
    }

    fn number(field: Field, number: u32) -> Action {
        Action::Set(field, Value::Number(number))
    }

    #[test]
    fn key_value_heads_stay_one_each_or_become_a_divisor() {
        let (state, notices) = after([number(Field::Heads, 6)]);
        assert_eq!((state.heads, state.kv_heads, notices), (6, 6, vec![]));
        let (state, notices) = after([number(Field::KvHeads, 2), number(Field::Heads, 5)]);
        assert_eq!((state.heads, state.kv_heads), (5, 1));
        assert_eq!(
            notices,
            [Adjustment {
                field: Field::KvHeads,
                asked: "2".to_owned(),
                became: Value::Number(1),
                rule: SettingError::Divisor { heads: 5 }
            }]
        );
    }

    #[test]
    fn teaching_heads_are_eight_at_most() {
        let random = Action::Set(Field::Origin, Value::Choice("random"));
        let teaching = Action::Set(Field::Origin, Value::Choice("teaching"));
        let (state, notices) = after([
            random,
            number(Field::Heads, 12),
            number(Field::Head, 11),
            teaching,
        ]);
        assert_eq!(
            (state.origin, state.heads, state.kv_heads, state.head),
            (Origin::Teaching, 8, 8, 7)
        );
        let fields: Vec<Field> = notices.iter().map(|notice| notice.field).collect();
        assert_eq!(fields, [Field::Heads, Field::Head]);
        assert_eq!(notices[0].rule, SettingError::TeachingHeads { max: 8 });
    }

    #[test]
    fn typed_numbers_become_possible_or_are_left() {
        for (written, d_model, rule) in [
            ("33", 33, None),
            (
                "99999999999999999999",
                512,
                Some(SettingError::Range { min: 4, max: 512 }),
            ),
            ("-7", 4, Some(SettingError::Range { min: 4, max: 512 })),
            ("1e3", 64, Some(SettingError::Number)),
            ("", 64, Some(SettingError::Number)),
        ] {
            let (state, notices) = after([Action::Enter(Field::DModel, written.to_owned())]);
            assert_eq!(state.d_model, d_model, "{written}");
            assert_eq!(
                notices.first().map(|notice| notice.rule.clone()),
                rule,
                "{written}"
            );
        }
        let (state, _) = after([Action::Enter(Field::KvHeads, "3".to_owned())]);
        assert_eq!(state.kv_heads, 2);
    }

    #[test]
    fn a_preset_brings_its_texts_and_settings() {
        let (state, notices) = after([Action::Preset("translation")]);
        assert_eq!(state.second.as_deref(), Some("I love machine learning"));
        assert_eq!(
            (state.head, state.cell),
            (
                2,
                Some(Cell {
                    query: 1,
                    key: None
                })
            )
        );
        assert_eq!(notices, []);
        let (state, notices) = after([number(Field::Heads, 2), Action::Preset("translation")]);
        assert_eq!((state.head, notices.len()), (0, 1));
        assert_eq!(
            after([Action::Preset("translation"), Action::Preset("animal")]).0,
            State::default()
        );
    }

    #[test]
    fn the_cell_moves_to_the_edges_and_goes_with_its_text() {
        let to = |rows, columns| Action::Move { rows, columns };
        assert_eq!(
            after([to(-1, 0)]).0.cell,
            Some(Cell {
                query: 6,
                key: None
            })
        );
        assert_eq!(
            after([to(0, 1), to(i32::MAX, i32::MAX)]).0.cell,
            Some(Cell {
                query: 10,
                key: Some(10)
            })
        );
        assert_eq!(
            after([to(i32::MIN, i32::MIN)]).0.cell,
            Some(Cell {
                query: 0,
                key: Some(0)
            })
        );
        let (state, notices) = after([Action::Set(Field::Text, Value::Text("one two".to_owned()))]);
        assert_eq!((state.cell, notices.len()), (None, 1));
        let (state, _) = after([
            Action::Set(Field::Text, Value::Text(String::new())),
            to(1, 1),
        ]);
        assert_eq!(state.cell, None);
    }

    #[test]
    fn long_texts_are_cut_and_cross_begins_with_a_copy() {
        let long = "x".repeat(LONGEST_TEXT + 3);
        let (state, notices) = after([Action::Set(Field::Text, Value::Text(long))]);
        assert_eq!(state.text.len(), LONGEST_TEXT);
        assert!(notices[0].asked.chars().count() < 60);
        let (state, _) = after([Action::Cross(true)]);
        assert_eq!(state.second.as_ref(), Some(&state.text));
        assert_eq!(
            after([Action::Cross(true), Action::Cross(false)]).0,
            State::default()
        );
    }

    #[test]
    fn resets_and_new_seeds() {
        let changes = [
            number(Field::DK, 3),
            Action::Include(Field::Masks, "causal", true),
            Action::NewSeed,
        ];
        let (state, _) = after(changes.clone());
        assert_eq!(
            (state.d_k, state.masks, state.seed),
            (3, Masks::from_iter([MaskPart::Causal]), 995)
        );
        let resets = [Field::DK, Field::Masks, Field::Seed].map(Action::Reset);
        assert_eq!(after(changes.into_iter().chain(resets)).0, State::default());
        let mut seeds: Vec<u32> = std::iter::successors(Some(7), |seed| Some(next_seed(*seed)))
            .take(10_000)
            .collect();
        seeds.sort_unstable();
        assert_eq!(seeds, (0..10_000).collect::<Vec<_>>());
    }
}
