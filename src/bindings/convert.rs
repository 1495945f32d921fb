//! Converts a JavaScript value to a [`Raw`] tree.
//!
//! The value was structured-cloned, so it has no getters, proxies or functions, but it may have cycles, holes, or more data than
//! memory can hold.

use js_sys::{
    Array, ArrayBuffer, BigInt64Array, BigUint64Array, DataView, Float32Array, Float64Array,
    Function, JsString,
};
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::api::{MOST_BYTES, Raw, clip};
use attention::{Code, Error};

/// Levels of lists and objects; no valid request has more.
const DEEPEST: usize = 24;

/// Lists, objects and values that stand alone; a list of numbers is one.
const MOST_NODES: usize = 1 << 22;

/// From this length on a list is first asked whether it has holes: walking through billions of them would take minutes.
const LONG: u32 = 1 << 20;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Array)]
    type List;

    /// With a built-in as predicate nothing crosses into WebAssembly, value by value.
    #[wasm_bindgen(method, js_name = every)]
    fn every_built_in(this: &List, predicate: &Function) -> bool;
}

/// Converts `value`.
///
/// # Errors
/// [`Code::TooLarge`] before memory is asked for.
pub(super) fn raw(value: &JsValue) -> Result<Raw, Error> {
    let plain = Object::get_prototype_of(&Object::new());
    Converter {
        bytes: MOST_BYTES,
        nodes: MOST_NODES,
        around: Vec::new(),
        plain: plain.into(),
        is_finite: number_is_finite(),
    }
    .read(value)
}

fn number_is_finite() -> Option<Function> {
    let number = Reflect::get(&js_sys::global(), &"Number".into()).ok()?;
    Reflect::get(&number, &"isFinite".into())
        .ok()?
        .dyn_into()
        .ok()
}

struct Converter {
    /// Left to give out.
    bytes: u64,
    nodes: usize,
    /// The lists and objects that the present value is in.
    around: Vec<JsValue>,
    /// The prototype of plain objects.
    plain: JsValue,
    is_finite: Option<Function>,
}

impl Converter {
    fn read(&mut self, value: &JsValue) -> Result<Raw, Error> {
        self.nodes = self
            .nodes
            .checked_sub(1)
            .ok_or_else(|| too_large("more than four million values in nested lists"))?;
        if let Some(number) = value.as_f64() {
            return Ok(Raw::Number(number));
        }
        if let Some(flag) = value.as_bool() {
            return Ok(Raw::Flag(flag));
        }
        match value {
            _ if value.is_null() || value.is_undefined() => Ok(Raw::Absent),
            _ if value.is_string() => Ok(Raw::Text(short(value))),
            _ if value.is_bigint() => Ok(Raw::Other("a bigint")),
            _ if ArrayBuffer::is_view(value) => self.typed(value),
            _ if self.around.contains(value) => Ok(Raw::Other("a list or object inside itself")),
            _ if self.around.len() >= DEEPEST => Ok(Raw::Other("lists or objects nested too deep")),
            _ => {
                self.around.push(value.clone());
                let read = self.container(value);
                self.around.pop();
                read
            }
        }
    }

    fn container(&mut self, value: &JsValue) -> Result<Raw, Error> {
        match value {
            _ if Array::is_array(value) => self.list(value.unchecked_ref()),
            _ if *Object::get_prototype_of(value) == self.plain => {
                self.record(value.unchecked_ref())
            }
            _ if value.is_instance_of::<js_sys::Error>() => {
                Ok(Raw::Other("something that cannot be copied"))
            }
            _ => Ok(Raw::Other(
                "an object that is neither plain nor a typed array",
            )),
        }
    }

    fn typed(&mut self, value: &JsValue) -> Result<Raw, Error> {
        if let Some(singles) = value.dyn_ref::<Float32Array>() {
            self.take(singles.length(), 4)?;
            return Ok(Raw::Singles(singles.to_vec()));
        }
        if value.is_instance_of::<DataView>() {
            return Ok(Raw::Other("a DataView"));
        }
        if value.is_instance_of::<BigInt64Array>() || value.is_instance_of::<BigUint64Array>() {
            return Ok(Raw::Other("a typed array of bigints"));
        }
        self.take(value.unchecked_ref::<js_sys::Uint8Array>().length(), 8)?;
        Ok(Raw::Doubles(Float64Array::new(value).to_vec()))
    }

    fn list(&mut self, list: &List) -> Result<Raw, Error> {
        let length = list.length();
        if length >= LONG && Object::keys(list).length() != length {
            return Ok(Raw::Other("a list with holes"));
        }
        self.take(length, 8)?;
        if self
            .is_finite
            .as_ref()
            .is_some_and(|is_finite| list.every_built_in(is_finite))
        {
            // A hole passes the test and becomes NaN here, which is refused by its place.
            return Ok(Raw::Doubles(Float64Array::new(list).to_vec()));
        }
        (0..length)
            .map(|index| self.read(&list.get(index)))
            .collect::<Result<_, _>>()
            .map(Raw::List)
    }

    fn record(&mut self, record: &Object) -> Result<Raw, Error> {
        let mut entries = Vec::new();
        for entry in Object::entries(record) {
            let entry: Array = entry.unchecked_into();
            entries.push((short(&entry.get(0)), self.read(&entry.get(1))?));
        }
        Ok(Raw::Record(entries))
    }

    /// Accounts for `length` numbers of `size` bytes.
    fn take(&mut self, length: u32, size: u64) -> Result<(), Error> {
        let left = self.bytes.checked_sub(u64::from(length) * size);
        self.bytes = left.ok_or_else(|| too_large(&format!("a list of {length} numbers")))?;
        Ok(())
    }
}

/// The beginning of a text: every name that means something is shorter, and a message quotes no more.
fn short(text: &JsValue) -> String {
    let beginning = text.unchecked_ref::<JsString>().slice(0, 200);
    clip(&String::from(beginning))
}

fn too_large(found: &str) -> Error {
    let rule = format!("the values of one call may take at most {MOST_BYTES} bytes");
    Error::new(Code::TooLarge, "request", found, rule)
}
