//! JavaScript values as [`JsTree`]s, and trees as JavaScript values.

wasm_chunks::chunk!("host": Converter);
wasm_chunks::chunk!("models": model_request, with_arrays);
wasm_chunks::chunk!("more": request);

use js_sys::{
    Array, ArrayBuffer, BigInt64Array, BigUint64Array, DataView, Float32Array, Float64Array,
    Function, JsString,
};
use js_sys::{Object, Reflect};
use serde::Serialize as _;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::js_object::set;
use crate::api::MOST_BYTES;
use app::js_tree::{JsTree, clip};
use attention::{Code, Error};

/// Lists, objects and values that stand alone; a list of numbers is one.
const MOST_NODES: usize = 1 << 22;

/// Lists from this length on are first tested for holes: walking through billions of them would
/// take minutes.
const LONG: u32 = 1 << 10;

/// A list or an object with more values than are read.
const TOO_MANY: JsTree = JsTree::TooLarge("more values than are read");

/// Names of an object that are read. No object that could be taken has as many, so one of them is refused.
const MOST_NAMES: u32 = 4096;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Array)]
    type List;

    /// With a built-in as predicate nothing crosses into WebAssembly, value by value.
    #[wasm_bindgen(method, js_name = every)]
    fn every_built_in(this: &List, predicate: &Function) -> bool;

    #[wasm_bindgen(thread_local_v2, js_namespace = Number, js_name = isFinite)]
    static IS_FINITE: Function;

    /// Stops at the first hole, which reads as `undefined`.
    #[wasm_bindgen(method, js_name = includes)]
    fn includes_value(this: &List, value: &JsValue) -> bool;
}

/// Whether a list has holes. Present entries are counted only if one reads as `undefined`, since
/// enumerating the keys takes long.
fn has_holes(list: &List) -> bool {
    list.includes_value(&JsValue::UNDEFINED) && Object::keys(list).length() != list.length()
}

/// How much of a value is read.
struct Limits {
    /// Levels of lists and objects.
    deepest: usize,
    /// Entries of a list or an object.
    entries: u32,
    /// UTF-16 units of a name, and of a text; where there is no limit, their beginnings are read.
    texts: Option<[u32; 2]>,
    /// Bytes that lists of numbers take together; `None` reads no typed arrays, and other lists item by item.
    numbers: Option<u64>,
}

/// A tree as a plain value.
pub fn to_js(tree: &JsTree) -> JsValue {
    // Fails for nothing that a tree can hold.
    tree.serialize(&Serializer::json_compatible())
        .unwrap_or(JsValue::NULL)
}

/// A request, whose tensors may be large. It is a structured clone, or a copy that `calls.js` has made: there are no getters or proxies left,
/// but there may be cycles, holes, and more than memory can hold.
///
/// # Errors
/// [`Code::TooLarge`] before memory is allocated.
pub(super) fn request(value: &JsValue) -> Result<JsTree, Error> {
    // No request that could be taken is nested deeper.
    Converter::new(Limits {
        deepest: 24,
        entries: u32::MAX,
        texts: None,
        numbers: Some(MOST_BYTES),
    })
    .read(value)
}

/// [`request`] for a model, in which texts are whole: up to 1 MiB (UTF-16 units).
///
/// # Errors
/// [`Code::TooLarge`] before memory is allocated.
pub(super) fn model_request(value: &JsValue) -> Result<JsTree, Error> {
    Converter::new(Limits {
        deepest: 24,
        entries: u32::MAX,
        texts: Some([256, 1 << 20]),
        numbers: Some(MOST_BYTES),
    })
    .read(value)
}

/// A tree as an object whose [`JsTree::Singles`] are typed arrays; their buffers are added to `transfer`.
pub(super) fn with_arrays(tree: JsTree, transfer: &Array) -> JsValue {
    match tree {
        JsTree::Singles(numbers) => {
            let array = Float32Array::from(numbers.as_slice());
            transfer.push(&array.buffer());
            array.into()
        }
        JsTree::List(items) => {
            let items = items.into_iter().map(|item| with_arrays(item, transfer));
            items.collect::<Array>().into()
        }
        JsTree::Record(entries) => {
            let object = Object::new();
            for (name, value) in entries {
                if value != JsTree::Absent {
                    set(&object, &name, &with_arrays(value, transfer));
                }
            }
            object.into()
        }
        other => to_js(&other),
    }
}

/// Reads a message of another page, or the settings of an element. Only getters of it are called,
/// which may throw.
pub fn message(value: &JsValue) -> JsTree {
    let read = Converter::new(Limits {
        deepest: 3,
        entries: 64,
        // The longest text is the largest link.
        texts: Some([256, 512 * 1024]),
        numbers: None,
    })
    .read(value);
    read.unwrap_or(TOO_MANY)
}

struct Converter {
    limits: Limits,
    /// Left to give out.
    nodes: usize,
    /// The lists and objects that the present value is in.
    around: Vec<JsValue>,
    /// The prototype of plain objects.
    plain: JsValue,
}

impl Converter {
    fn new(limits: Limits) -> Self {
        let plain = Object::get_prototype_of(&Object::new());
        Self {
            limits,
            nodes: MOST_NODES,
            around: Vec::new(),
            plain: plain.into(),
        }
    }

    fn read(&mut self, value: &JsValue) -> Result<JsTree, Error> {
        self.nodes = self
            .nodes
            .checked_sub(1)
            .ok_or_else(|| too_large("more than four million values in nested lists"))?;
        if value.is_object() {
            self.object(value)
        } else {
            Ok(self.scalar(value))
        }
    }

    /// Converts a value that is not an object. Each test calls into JavaScript, so frequent kinds
    /// come first.
    fn scalar(&self, value: &JsValue) -> JsTree {
        if value.is_string() {
            return self
                .text(value, 1)
                .map_or(JsTree::TooLarge("a text that is too long"), JsTree::Text);
        }
        if let Some(number) = value.as_f64() {
            return JsTree::Number(number);
        }
        if let Some(flag) = value.as_bool() {
            return JsTree::Flag(flag);
        }
        if value.is_null() || value.is_undefined() {
            return JsTree::Absent;
        }
        JsTree::Other(if value.is_bigint() {
            "a bigint"
        } else {
            "a function or a symbol"
        })
    }

    fn object(&mut self, value: &JsValue) -> Result<JsTree, Error> {
        if ArrayBuffer::is_view(value) {
            return self.typed(value);
        }
        if self.around.len() >= self.limits.deepest {
            return Ok(JsTree::TooLarge("lists or objects nested too deep"));
        }
        if self.around.contains(value) {
            return Ok(JsTree::Other("a list or object inside itself"));
        }
        self.around.push(value.clone());
        let read = self.container(value);
        self.around.pop();
        read
    }

    fn container(&mut self, value: &JsValue) -> Result<JsTree, Error> {
        if Array::is_array(value) {
            return self.list(value.unchecked_ref());
        }
        // An object as braces make it: not a boxed text, which has a name for each letter.
        let prototype = Object::get_prototype_of(value);
        if prototype.is_null() || *prototype == self.plain {
            return self.record(value.unchecked_ref());
        }
        Ok(JsTree::Other(if value.is_instance_of::<js_sys::Error>() {
            "something that cannot be copied"
        } else {
            "an object that is neither plain nor a typed array"
        }))
    }

    fn typed(&mut self, value: &JsValue) -> Result<JsTree, Error> {
        if self.limits.numbers.is_none() {
            return Ok(JsTree::Other("a typed array"));
        }
        if let Some(singles) = value.dyn_ref::<Float32Array>() {
            self.take(singles.length(), 4)?;
            return Ok(JsTree::Singles(singles.to_vec()));
        }
        if value.is_instance_of::<DataView>() {
            return Ok(JsTree::Other("a DataView"));
        }
        if value.is_instance_of::<BigInt64Array>() || value.is_instance_of::<BigUint64Array>() {
            return Ok(JsTree::Other("a typed array of bigints"));
        }
        self.take(value.unchecked_ref::<js_sys::Uint8Array>().length(), 8)?;
        Ok(JsTree::Doubles(Float64Array::new(value).to_vec()))
    }

    fn list(&mut self, list: &List) -> Result<JsTree, Error> {
        let length = list.length();
        if length > self.limits.entries {
            return Ok(TOO_MANY);
        }
        if length >= LONG && has_holes(list) {
            return Ok(JsTree::Other("a list with holes"));
        }
        self.take(length, 8)?;
        if self.limits.numbers.is_some() && IS_FINITE.with(|finite| list.every_built_in(finite)) {
            // A hole passes the test and becomes NaN here, which is refused by its place.
            return Ok(JsTree::Doubles(Float64Array::new(list).to_vec()));
        }
        (0..length)
            .map(|index| self.read(&Reflect::get_u32(list, index).unwrap_or(JsValue::UNDEFINED)))
            .collect::<Result<_, _>>()
            .map(JsTree::List)
    }

    fn record(&mut self, record: &Object) -> Result<JsTree, Error> {
        let names = Object::keys(record);
        if names.length() > self.limits.entries {
            return Ok(TOO_MANY);
        }
        let mut entries = Vec::new();
        for name in names.slice(0, MOST_NAMES) {
            let Some(shown) = self.text(&name, 0) else {
                return Ok(JsTree::TooLarge("an object with a name that is too long"));
            };
            let value = Reflect::get(record, &name).unwrap_or(JsValue::UNDEFINED);
            entries.push((shown.into(), self.read(&value)?));
        }
        Ok(JsTree::Record(entries))
    }

    /// A name (0) or a text (1): whole, or its beginning where its length has no limit, since every name that means
    /// something is shorter, and a message quotes no more. It is measured before it is copied.
    fn text(&self, text: &JsValue, kind: usize) -> Option<String> {
        let text = text.unchecked_ref::<JsString>();
        match self.limits.texts {
            Some(longest) => (text.length() <= longest[kind]).then(|| text.into()),
            None => Some(clip(&String::from(text.slice(0, 200)))),
        }
    }

    /// Accounts for `length` numbers of `size` bytes.
    fn take(&mut self, length: u32, size: u64) -> Result<(), Error> {
        if let Some(bytes) = &mut self.limits.numbers {
            let left = bytes.checked_sub(u64::from(length) * size);
            *bytes = left.ok_or_else(|| too_large(&format!("a list of {length} numbers")))?;
        }
        Ok(())
    }
}

fn too_large(found: &str) -> Error {
    let rule = format!("the values of one call may take at most {MOST_BYTES} bytes");
    Error::new(Code::TooLarge, "request", found, rule)
}
