//! Reads a caller's request and makes it ready to be posted to the worker.
//!
//! The caller's object is read once, field by field, so that a getter that throws or a proxy has no later effect. What cannot be
//! copied is replaced by a placeholder, so that the worker refuses the field by the same rules as any other value.

use js_sys::{Array, ArrayBuffer, Function, Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::js_object::{get, number, object};
use super::js_tree::MOST_NAMES;
use crate::js_tree::clip;
use attention::{Code, Error};

/// Depth of tensors in a request: `weights.w_q.data`.
const DEEPEST: usize = 2;

/// Longer lists are not searched for what cannot be copied.
const LONGEST_SEARCHED: f64 = 4096.0;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = structuredClone)]
    pub(super) fn structured_clone(value: &JsValue) -> Result<JsValue, JsValue>;

    /// Throws for a proxy that was revoked.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn array_is_array(value: &JsValue) -> Result<bool, JsValue>;
}

fn is_list(value: &JsValue) -> bool {
    array_is_array(value).unwrap_or(false)
}

/// A request that can be posted.
pub(super) struct Prepared {
    pub(super) request: JsValue,
    /// Buffers that move instead of being copied.
    pub(super) transfer: Array,
    pub(super) signal: Option<AbortSignal>,
}

/// Reads `request`.
///
/// # Errors
/// [`Code::UnknownOption`] for a `signal` or `transfer` of a wrong kind.
pub(super) fn prepare(request: &JsValue) -> Result<Prepared, Error> {
    if !request.is_object() || is_list(request) || ArrayBuffer::is_view(request) {
        return Ok(Prepared {
            request: cloneable(request, 0),
            transfer: Array::new(),
            signal: None,
        });
    }
    let fields = fields_of(request).unwrap_or_else(bare);
    let signal = signal_of(&get(&fields, "signal"))?;
    let moves = moves(&get(&fields, "transfer"))?;
    for name in ["signal", "transfer"] {
        let _ = Reflect::delete_property(&fields, &name.into());
    }
    let transfer = Array::new();
    let request = bare();
    for entry in Object::entries(&fields) {
        let entry: Array = entry.unchecked_into();
        let value = compact(&entry.get(1), moves.then_some(&transfer), DEEPEST);
        let _ = Reflect::set(&request, &entry.get(0), &value);
    }
    Ok(Prepared {
        request: request.into(),
        transfer,
        signal,
    })
}

impl Prepared {
    /// The same as the request of the call `name`.
    pub(super) fn named(self, name: &str) -> Self {
        let request = object([("name", name.into()), ("request", self.request)]).into();
        Self { request, ..self }
    }

    /// The request with placeholders for what cannot be copied; nothing is transferred.
    pub(super) fn with_stand_ins(&self) -> JsValue {
        cloneable(&self.request, DEEPEST + 1)
    }
}

fn signal_of(value: &JsValue) -> Result<Option<AbortSignal>, Error> {
    if value.is_null() || value.is_undefined() {
        return Ok(None);
    }
    let refuse = |value| {
        Error::new(
            Code::UnknownOption,
            "signal",
            kind(value),
            "must be an AbortSignal",
        )
    };
    if is_signal(value) {
        Ok(Some(value.clone().unchecked_into()))
    } else {
        Err(refuse(value))
    }
}

/// By what it does: one of another frame is no instance of this one's class.
fn is_signal(value: &JsValue) -> bool {
    let is_method = |name| get(value, name).is_function();
    value.is_object()
        && get(value, "aborted").as_bool().is_some()
        && is_method("addEventListener")
        && is_method("removeEventListener")
}

fn moves(value: &JsValue) -> Result<bool, Error> {
    match value.as_bool() {
        Some(moves) => Ok(moves),
        None if value.is_null() || value.is_undefined() => Ok(false),
        None => Err(Error::new(
            Code::UnknownOption,
            "transfer",
            kind(value),
            "must be true or false",
        )),
    }
}

fn kind(value: &JsValue) -> String {
    value.as_string().map_or_else(
        || value.js_typeof().as_string().unwrap_or_default(),
        |text| clip(&text),
    )
}

/// A plain object with the caller's own fields, each read once; a field that throws has a stand-in, and those beyond what is read are
/// left out. `None` for an object that does not even say what it has.
pub(super) fn fields_of(object: &JsValue) -> Option<Object> {
    let fields = bare();
    for name in Reflect::own_keys(object).ok()?.slice(0, MOST_NAMES) {
        if name.is_string() {
            let value = Reflect::get(object, &name).unwrap_or_else(|_| stand_in());
            let _ = Reflect::set(&fields, &name, &value);
        }
    }
    Some(fields)
}

/// Typed arrays become as large as their contents, so that no more is copied than was meant, or are put on the list of
/// what moves; objects around them are copied. Lists and everything else stay as they are.
fn compact(value: &JsValue, moving: Option<&Array>, depth: usize) -> JsValue {
    if ArrayBuffer::is_view(value) {
        return compact_view(value, moving);
    }
    if depth == 0 || !value.is_object() || is_list(value) || !is_plain(value) {
        return value.clone();
    }
    let Some(fields) = fields_of(value) else {
        return stand_in();
    };
    for entry in Object::entries(&fields) {
        let entry: Array = entry.unchecked_into();
        let _ = Reflect::set(
            &fields,
            &entry.get(0),
            &compact(&entry.get(1), moving, depth - 1),
        );
    }
    fields.into()
}

fn compact_view(view: &JsValue, moving: Option<&Array>) -> JsValue {
    let buffer = get(view, "buffer");
    match moving {
        Some(moving) => {
            if !moving.includes(&buffer, 0) {
                moving.push(&buffer);
            }
            view.clone()
        }
        None if number(view, "byteLength") < number(&buffer, "byteLength") => {
            sliced(view).unwrap_or_else(|| view.clone())
        }
        None => view.clone(),
    }
}

/// A copy of a typed array with its own buffer.
fn sliced(view: &JsValue) -> Option<JsValue> {
    let slice: Function = get(view, "slice").dyn_into().ok()?;
    slice.call0(view).ok()
}

/// An object without a prototype: even a field called `__proto__` is then one like any other.
fn bare() -> Object {
    Object::create(JsValue::NULL.unchecked_ref())
}

fn is_plain(value: &JsValue) -> bool {
    let prototype = Reflect::get_prototype_of(value.unchecked_ref());
    prototype.is_ok_and(|prototype| {
        prototype == Object::get_prototype_of(&Object::new()) || prototype.is_null()
    })
}

/// `value` with a placeholder for every part that a structured clone refuses, down to `depth` levels.
fn cloneable(value: &JsValue, depth: usize) -> JsValue {
    if can_be_cloned(value) {
        return value.clone();
    }
    if depth == 0 {
        return stand_in();
    }
    if is_list(value) {
        return cloneable_list(value, depth);
    }
    let fields = if is_plain(value) {
        fields_of(value)
    } else {
        None
    };
    let Some(fields) = fields else {
        return stand_in();
    };
    for entry in Object::entries(&fields) {
        let entry: Array = entry.unchecked_into();
        let _ = Reflect::set(&fields, &entry.get(0), &cloneable(&entry.get(1), depth - 1));
    }
    fields.into()
}

fn cloneable_list(list: &JsValue, depth: usize) -> JsValue {
    let length = number(list, "length");
    if length > LONGEST_SEARCHED {
        return stand_in();
    }
    let item = |index| Reflect::get_u32(list.unchecked_ref(), index).unwrap_or_else(|_| stand_in());
    (0..length as u32)
        .map(|index| cloneable(&item(index), depth - 1))
        .collect::<Array>()
        .into()
}

fn can_be_cloned(value: &JsValue) -> bool {
    structured_clone(value).is_ok()
}

/// The placeholder for a value that cannot be read or copied; `convert` recognises it.
fn stand_in() -> JsValue {
    js_sys::Error::new("cannot be copied").into()
}
