//! A state in a message to the worker.

use js_sys::Array;
use wasm_bindgen::JsValue;

use super::js_object::get;
use super::learned_layer;
use app::state::{Field, SettingError, State, snapshot};
use attention::Error;

/// The settings of a state, `[key, value, key, value, …]`; a value is a text, or nothing where there is none.
pub(super) fn to_message(state: &State) -> Array {
    let settings = snapshot::settings(state).into_iter();
    let parts = settings.flat_map(|(field, param)| [JsValue::from(field.key()), param.into()]);
    parts.collect()
}

/// The state that a message holds; the layer of a learned model that came with it is cached.
///
/// # Errors
/// `Code::MissingField` where it names numbers that have not come, or has a value that is none of the setting's.
pub(super) fn from_message(message: &JsValue) -> Result<State, Error> {
    let parts: Vec<JsValue> = Array::from(&get(message, "state")).iter().collect();
    let settings = parts.chunks_exact(2).filter_map(|part| {
        let field = Field::from_key(&part[0].as_string()?)?;
        Some((field, part[1].as_string()))
    });
    let state = snapshot::restore(settings).map_err(|refused| match refused {
        SettingError::DataMissing(_) => Error::missing("data", "the numbers have not come"),
        _ => Error::missing("state", "a setting of the page was not understood"),
    })?;
    learned_layer::receive(&state, message);
    Ok(state)
}
