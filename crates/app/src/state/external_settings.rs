//! Applies settings from a host page or from attributes of the element to a state.
//!
//! They are validated like those of a link. Locks do not apply to them, since locks are for readers.

use super::reduce::clamp_dependents;
use super::{
    Adjustment, Field, LinkWarning, MapView, SettingError, State, former_curves, steps, url,
};

/// A setting by its key in links, and its value as a link writes it, not encoded; `None` puts it back to its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingInput {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Option<String>,
}

/// `state` with these settings, the others unchanged, and the rejected or adjusted ones.
///
/// Every setting is accepted whole or refused; one that another makes invalid is moved to the nearest valid value, as
/// for a user's action, and reported with its old value.
pub fn apply(state: &State, settings: &[SettingInput]) -> (State, Vec<LinkWarning>) {
    let keys = settings.iter().map(|given| given.key.as_str());
    with(state, keys, |state| {
        let mut notes = Vec::new();
        for (at, given) in settings.iter().enumerate() {
            let is_repeated = settings[..at].iter().any(|before| before.key == given.key);
            let rule = match Field::from_key(&given.key) {
                None => SettingError::Unknown,
                Some(_) if is_repeated => SettingError::Repeated,
                Some(_) => continue,
            };
            notes.push(note(given, rule));
        }
        let written = |field: Field| {
            let given = settings.iter().find(|given| given.key == field.key());
            given?.value.as_deref()
        };
        if former_curves::is_opened(state, written) {
            state.view = MapView::Curves;
        }
        for field in url::data_first() {
            if let Some(given) = settings.iter().find(|given| given.key == field.key()) {
                notes.extend(parse_all(state, field, given).err());
            }
        }
        url::shortened(notes)
    })
}

/// The same with settings that are written like a link.
pub fn apply_written(state: &State, settings: &str) -> (State, Vec<LinkWarning>) {
    let keys = url::split(settings).map(|(key, _)| key);
    with(state, keys, |state| url::apply(state, settings))
}

/// `state`, laid out, locked and open to others as `before` is.
#[must_use]
pub fn laid_out_as(state: State, before: &State) -> State {
    State {
        embed: before.embed,
        show: before.show,
        lock: before.lock,
        origins: before.origins.clone(),
        host_theme: before.host_theme,
        ..state
    }
}

fn parse_all(state: &mut State, field: Field, given: &SettingInput) -> Result<(), LinkWarning> {
    let value = match &given.value {
        None => Ok(state.default_of(field)),
        Some(written) => field.parse(written),
    };
    value
        .and_then(|value| state.set(field, value))
        .map_err(|rule| note(given, rule))
}

fn with<'a>(
    state: &State,
    mut keys: impl Iterator<Item = &'a str>,
    take: impl FnOnce(&mut State) -> Vec<LinkWarning>,
) -> (State, Vec<LinkWarning>) {
    let mut state = state.clone();
    let (before, step) = ((state.heads, state.kv_heads), steps::shown(&state));
    let mut notes = take(&mut state);
    // A cell that is named is one of the step that is named with it.
    if !keys.any(|key| key == Field::Cell.key()) {
        steps::keep_cell(&mut state, step);
    }
    notes.extend(clamp_dependents(&mut state, before).into_iter().map(moved));
    (state, url::shortened(notes))
}

/// A setting that another one has moved.
fn moved(notice: Adjustment) -> LinkWarning {
    LinkWarning {
        key: notice.field.key().to_owned(),
        value: notice.asked,
        rule: notice.rule,
    }
}

fn note(given: &SettingInput, rule: SettingError) -> LinkWarning {
    url::note(&given.key, given.value.as_deref().unwrap_or_default(), rule)
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;
    use crate::state::imported::{AxisLabels, ImportedData, ImportedTensors};
    use crate::state::{Cell, PositionKind};

    fn given(key: &str, value: &str) -> SettingInput {
        SettingInput {
            key: key.to_owned(),
            value: Some(value.to_owned()),
        }
    }

    #[test]
    fn a_cell_belongs_to_the_step_that_is_named_with_it() {
        let before = State::default();
        let asked = Some(Cell {
            query: 7,
            key: Some(15),
        });
        let (state, notes) = apply_written(&before, "step=q&cell=8,16");
        assert_eq!((state.cell, notes), (asked, vec![]));
        let (state, notes) = apply(&before, &[given("cell", "8,16"), given("step", "q")]);
        assert_eq!((state.cell, notes), (asked, vec![]));
        let (state, _) = apply_written(&state, "step=weights");
        assert_eq!(state.cell.and_then(|cell| cell.key), None);
    }

    #[test]
    fn settings_are_taken_one_by_one_and_the_others_stay() {
        let before = State {
            seed: 7,
            ..State::default()
        };
        let settings = [
            given("heads", "6"),
            given("d_k", "0"),
            given("mask", "causal"),
            given("nonsense", "1"),
            given("heads", "2"),
        ];
        let (state, notes) = apply(&before, &settings);
        assert_eq!((state.heads, state.kv_heads, state.seed), (6, 6, 7));
        assert_eq!((state.d_k, state.masks.names()), (16, vec!["causal"]));
        let named: Vec<(&str, &SettingError)> = notes
            .iter()
            .map(|note| (note.key.as_str(), &note.rule))
            .collect();
        let range = SettingError::Range { min: 1, max: 128 };
        assert_eq!(
            named,
            [
                ("nonsense", &SettingError::Unknown),
                ("heads", &SettingError::Repeated),
                ("d_k", &range)
            ]
        );
        assert_eq!(state.check_all(), Ok(()));
    }

    #[test]
    fn what_is_brought_is_taken_before_what_it_decides() {
        let weights = Array3::from_elem((2, 3, 3), 0.25);
        let inputs = ImportedTensors::Heads {
            q: weights.clone(),
            k: weights.clone(),
            v: weights,
        };
        let imported = ImportedData::new(inputs, AxisLabels::default(), "").expect("in order");
        let link = format!(
            "mask=causal&positions=rotary&cell=2&data={}",
            imported.link()
        );
        let (wanted, notes) = url::parse(&link);
        assert_eq!((notes, wanted.positions), (vec![], PositionKind::Rotary));
        let settings: Vec<SettingInput> = url::settings(&wanted)
            .map(|(field, value)| given(field.key(), &value))
            .collect();
        assert_eq!(apply(&State::default(), &settings), (wanted, vec![]));
    }

    #[test]
    fn nothing_given_is_the_default_again() {
        let (state, _) = apply(
            &State::default(),
            &[given("source", "deux mots"), given("heads", "2")],
        );
        assert_eq!(state.second.as_deref(), Some("deux mots"));
        let none = ["source", "heads"].map(|key| SettingInput {
            key: key.to_owned(),
            value: None,
        });
        let (state, notes) = apply(&state, &none);
        assert_eq!((state.second, state.heads, notes), (None, 4, vec![]));
    }

    #[test]
    fn what_becomes_impossible_is_moved_and_noted() {
        let (before, _) = apply_written(&State::default(), "head=4&cell=8,9");
        let (state, notes) = apply_written(&before, "heads=2&text=two+words");
        assert_eq!((state.head, state.cell), (1, None));
        let keys: Vec<&str> = notes.iter().map(|note| note.key.as_str()).collect();
        assert_eq!(keys, ["head", "cell"]);
        assert_eq!(notes[1].value, "8,9");
        assert_eq!(
            before.cell,
            Some(Cell {
                query: 7,
                key: Some(8)
            })
        );
    }
}
