//! Layers of learned models in messages: window and worker each send one that the other does not have.

use js_sys::{Float32Array, Function};
use wasm_bindgen::{JsCast, JsValue};

use super::js_object::{floats, get};
use app::i18n::Language;
use app::state::{State, initial, learned};
use engine::learned::LearnedLayer;

/// Its name in a message.
pub(super) const NAME: &str = "learned";

pub(super) fn to_message(layer: &LearnedLayer) -> Float32Array {
    Float32Array::from(layer.to_numbers().as_slice())
}

/// Caches the layer of `state` that came with a message. One that did not come is used if it is there.
pub(super) fn receive(state: &State, message: &JsValue) {
    match floats(message, NAME) {
        Some(numbers) => learned::receive(state, &numbers),
        None => drop(learned::cached_for(state)),
    }
}

/// Caches the layer that came with the page (`js/boot.js`), of the model that it opens with.
pub fn receive_opening() {
    let host = get(&get(&js_sys::global(), "attentionPlayground"), "host");
    let opening = get(&host, "opening").dyn_into::<Function>();
    let Some(opening) = opening.ok().and_then(|opening| opening.call0(&host).ok()) else {
        return;
    };
    let language = get(&opening, "language").as_string();
    if let Some(language) = language.and_then(|tag| Language::from_tag(&tag)) {
        receive(initial::standard(language), &opening);
    }
}
