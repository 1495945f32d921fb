//! A state as plain values, for messages between window and worker: no link is written, and none is read.

use super::{Field, ImportedData, SettingError, State, Value, url};

/// The settings that differ from those of a page that has only the imported numbers of `state`, numbers first. Each has its value as
/// [`Value::to_param`] writes it, or `None` for [`Value::Absent`].
pub fn settings(state: &State) -> Vec<(Field, Option<String>)> {
    let base = base(state.imported.clone());
    let data = state.get(Field::Data);
    let others = url::data_first().skip(1).filter_map(|field| {
        let value = state.get(field);
        (value != base.get(field)).then(|| (field, to_param(&value)))
    });
    let data = (data != Value::Absent).then(|| (Field::Data, to_param(&data)));
    data.into_iter().chain(others).collect()
}

/// The state of these settings. They come from a state, so they are possible and are not checked once more.
///
/// # Errors
/// The rule that a value breaks: [`SettingError::DataMissing`] for imported numbers that are only named and are not cached.
pub fn restore(
    settings: impl IntoIterator<Item = (Field, Option<String>)>,
) -> Result<State, SettingError> {
    let mut state = State::default();
    for (field, param) in settings {
        let value = match param {
            Some(param) => field.parse(&param)?,
            None => Value::Absent,
        };
        state.write(field, value);
    }
    Ok(state)
}

/// Unchanged state of a page with imported data, which fix some settings.
fn base(imported: Option<ImportedData>) -> State {
    let mut state = State::default();
    if let Some(imported) = imported {
        state.write(Field::Data, Value::Data(imported));
    }
    state
}

fn to_param(value: &Value) -> Option<String> {
    (*value != Value::Absent).then(|| value.to_param())
}
