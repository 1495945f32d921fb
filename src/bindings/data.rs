//! Converts plain values of messages to JavaScript and back.

use js_sys::{Array, JsString, Object};
use wasm_bindgen::{JsCast as _, JsValue};

use super::js_object::{get, set};
use crate::message::Data;

/// The longest name in a record, in UTF-16 units.
const LONGEST_NAME: u32 = 256;

/// A plain value for JavaScript.
pub fn to_js(data: &Data) -> JsValue {
    match data {
        Data::Nothing | Data::TooLarge | Data::Odd => JsValue::NULL,
        Data::Switch(on) => (*on).into(),
        Data::Number(number) => (*number).into(),
        Data::Text(text) => text.into(),
        Data::List(list) => list.iter().map(to_js).collect::<Array>().into(),
        Data::Record(entries) => {
            let object = Object::new();
            for (name, data) in entries {
                set(&object, name, &to_js(data));
            }
            object.into()
        }
    }
}

/// What somebody else's value says, cut to the limits of [`Data`]. Nothing of it is called but getters, which may throw.
pub fn from_js(value: &JsValue) -> Data {
    read(value, Data::DEEPEST)
}

fn read(value: &JsValue, depth: usize) -> Data {
    if value.is_null() || value.is_undefined() {
        Data::Nothing
    } else if let Some(on) = value.as_bool() {
        Data::Switch(on)
    } else if let Some(number) = value.as_f64() {
        Data::Number(number)
    } else if let Some(text) = value.dyn_ref::<JsString>() {
        // Looked at before it is copied: it may be half a gigabyte.
        match text.length() <= Data::LONGEST {
            true => Data::Text(text.into()),
            false => Data::TooLarge,
        }
    } else if let Some(list) = value.dyn_ref::<Array>() {
        list_of(list, depth)
    } else if is_plain(value) {
        record_of(value.unchecked_ref(), depth)
    } else {
        Data::Odd
    }
}

fn list_of(list: &Array, depth: usize) -> Data {
    if depth == 0 || list.length() > Data::MOST {
        return Data::TooLarge;
    }
    let entries = (0..list.length()).map(|at| read(&get(list, &at.to_string()), depth - 1));
    Data::List(entries.collect())
}

fn record_of(object: &Object, depth: usize) -> Data {
    let names = Object::keys(object);
    if depth == 0 || names.length() > Data::MOST {
        return Data::TooLarge;
    }
    let mut entries = Vec::new();
    for at in 0..names.length() {
        let name: JsString = names.get(at).unchecked_into();
        if name.length() > LONGEST_NAME {
            return Data::TooLarge;
        }
        let name = String::from(name);
        let data = read(&get(object, &name), depth - 1);
        entries.push((name.into(), data));
    }
    Data::Record(entries)
}

/// Whether it is an object as braces make it: not a boxed text or an array of bytes, which have a name for each piece.
fn is_plain(value: &JsValue) -> bool {
    let Some(object) = value.dyn_ref::<Object>() else {
        return false;
    };
    let own = Object::get_prototype_of(object);
    let plain = Object::get_prototype_of(&Object::new());
    own.is_null() || Object::is(&own, &plain)
}
