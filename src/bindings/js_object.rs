//! Reading and writing plain JavaScript objects.

use js_sys::{Float32Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// `{ name: value, … }`.
pub(crate) fn object<const N: usize>(entries: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in entries {
        set(&object, name, &value);
    }
    object
}

/// Sets a field of an object that takes it, such as one that we have made.
pub(crate) fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// A field; `undefined` where it is not there or cannot be read.
pub(crate) fn get(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// A field that is a text; empty where it is not.
pub(crate) fn text(value: &JsValue, name: &str) -> String {
    get(value, name).as_string().unwrap_or_default()
}

/// A field that is a number; 0 where it is not.
pub(crate) fn number(value: &JsValue, name: &str) -> f64 {
    get(value, name).as_f64().unwrap_or_default()
}

/// A field that is numbers in 32 bits; `None` where it is not.
pub(super) fn floats(value: &JsValue, name: &str) -> Option<Vec<f32>> {
    let floats = get(value, name).dyn_into::<Float32Array>();
    floats.ok().map(|floats| floats.to_vec())
}
