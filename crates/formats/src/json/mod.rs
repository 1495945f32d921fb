//! Tensors as JSON: nested arrays, `{"shape": …, "data": …}`, or an object of either by name. Lists of strings called
//! `rows`, `columns` or, for both, `tokens` label the last two axes. Python lists that are not JSON are refused by a rule of their
//! own.

mod names;
mod nested;
mod scan;

use std::fmt::Write as _;
use std::iter::once_with;

use crate::PIECE;
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::tensor::Tensor;
use names::Names;
use nested::Nested;
pub(crate) use scan::Scan;

/// A list under the name `shape` that is longer is a tensor, and counts as one.
const LONGEST_SHAPE: usize = 64;

/// What may stand for a tensor, or within one.
enum Value {
    Array(Nested),
    Names(Vec<String>),
    Text(String),
    Object(Vec<(String, Value)>),
}

/// The tensors of a file; `stem` names the one that has no name.
pub(crate) fn read(stem: &str, text: &str, limits: &Limits) -> Result<Vec<Tensor>, FormatError> {
    let mut scan = Scan::new(text);
    let mut reader = Reader {
        limits,
        before: 0,
        scan: &mut scan,
    };
    let value = reader.value(stem, 0)?;
    scan.end()?;
    match value {
        Value::Object(fields) if !is_tensor(&fields) => named(fields, limits),
        value => Ok(vec![tensor(stem, value, limits)?]),
    }
}

fn named(fields: Vec<(String, Value)>, limits: &Limits) -> Result<Vec<Tensor>, FormatError> {
    limits.tensors(fields.len())?;
    let mut names = Names::default();
    let mut tensors = Vec::new();
    for (name, value) in fields {
        match value {
            Value::Names(list) if Names::KEYS.contains(&name.as_str()) => names.take(&name, list),
            value => tensors.push(tensor(&name, value, limits)?),
        }
    }
    tensors.iter_mut().for_each(|tensor| names.label(tensor));
    Ok(tensors)
}

fn is_tensor(fields: &[(String, Value)]) -> bool {
    let has = |name| fields.iter().any(|(key, _)| key == name);
    has("shape") && has("data")
}

fn tensor(name: &str, value: Value, limits: &Limits) -> Result<Tensor, FormatError> {
    match value {
        Value::Array(array) => Ok(Tensor::new(name, array.shape, array.data)),
        Value::Object(fields) => shaped(name, fields, limits),
        Value::Text(text) => Err(FormatError::new(name, text, FormatRule::NotNumber)),
        Value::Names(names) => {
            let first = names.first().map_or("", String::as_str);
            Err(FormatError::new(name, first, FormatRule::NotNumber))
        }
    }
}

/// A tensor with shape and numbers in separate fields.
fn shaped(
    name: &str,
    fields: Vec<(String, Value)>,
    limits: &Limits,
) -> Result<Tensor, FormatError> {
    let (mut shape, mut data, mut own) = (None, None, None);
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("shape", Value::Array(array)) if array.shape.len() == 1 => shape = Some(array.data),
            ("data", Value::Array(array)) if array.shape.len() == 1 => data = Some(array.data),
            ("name", Value::Text(text)) => own = Some(text),
            _ => return Err(FormatError::new(name, key, FormatRule::UnknownField)),
        }
    }
    let missing = |field| FormatError::new(name, field, FormatRule::Missing);
    let shape = shape.ok_or_else(|| missing("shape"))?;
    let data = data.ok_or_else(|| missing("data"))?;
    limits.axes(name, shape.len())?;
    let is_length = |length: &f32| *length >= 0.0 && libm::floorf(*length) == *length;
    if let Some(other) = shape.iter().find(|length| !is_length(length)) {
        return Err(FormatError::new(name, other, FormatRule::Malformed));
    }
    let shape: Vec<usize> = shape.iter().map(|length| *length as usize).collect();
    if limits.count(name, &shape, 0)? == data.len() {
        Ok(Tensor::new(own.as_deref().unwrap_or(name), shape, data))
    } else {
        Err(FormatError::new(
            name,
            format!("{shape:?}"),
            FormatRule::Length(data.len()),
        ))
    }
}

struct Reader<'s, 'a> {
    scan: &'s mut Scan<'a>,
    limits: &'s Limits,
    /// Numbers that have been read.
    before: usize,
}

impl Reader<'_, '_> {
    /// A value in `depth` objects; tensors by name are two deep.
    fn value(&mut self, name: &str, depth: usize) -> Result<Value, FormatError> {
        match self.scan.peek() {
            Some(b'[') if self.scan.lists_strings() => {
                names::read(self.scan, name).map(Value::Names)
            }
            Some(b'[') => {
                let array = nested::read(self.scan, name, self.limits, self.before)?;
                self.before += array.data.len();
                Ok(Value::Array(array))
            }
            Some(b'"') => self.scan.string().map(Value::Text),
            Some(b'{') if depth < 2 => self.object(name, depth).map(Value::Object),
            Some(b'{') | None => Err(self.scan.malformed()),
            Some(b'\'' | b'(') => Err(self.scan.python()),
            Some(_) => {
                let word = self.scan.word()?;
                Err(FormatError::new(name, word, nested::no_number(word)))
            }
        }
    }

    /// An object that is the tensor `name`, or contains others.
    fn object(&mut self, name: &str, depth: usize) -> Result<Vec<(String, Value)>, FormatError> {
        self.scan.consume(b'{')?;
        let mut fields = Vec::new();
        if self.scan.took(b'}') {
            return Ok(fields);
        }
        loop {
            if self.scan.peek() == Some(b'\'') {
                return Err(self.scan.python());
            }
            let key = self.scan.key()?;
            if fields.iter().any(|(other, _)| *other == key) {
                return Err(FormatError::new("", key, FormatRule::Duplicate));
            }
            self.limits.tensors(fields.len())?;
            let has_shape = fields.iter().any(|(other, _)| other == "shape");
            let is_data = has_shape && key == "data";
            let value = self.value(if is_data { name } else { &key }, depth + 1)?;
            if let ("shape", Value::Array(shape)) = (key.as_str(), &value)
                && shape.data.len() <= LONGEST_SHAPE
            {
                self.before -= shape.data.len();
            }
            fields.push((key, value));
            if !self.scan.goes_on(b'}')? {
                return Ok(fields);
            }
        }
    }
}

/// An object with each tensor by its name.
pub(crate) fn pieces(tensors: &[Tensor]) -> impl Iterator<Item = Vec<u8>> {
    let each = tensors.iter().enumerate().flat_map(|(at, tensor)| {
        let begin = once_with(move || begin(at == 0, tensor));
        let numbers = tensor.data.chunks(PIECE).enumerate();
        let numbers = numbers.map(|(at, values)| numbers_of(at == 0, values));
        begin.chain(numbers).chain(once_with(|| String::from("]}")))
    });
    let end = once_with(|| {
        let mut out = String::new();
        names::write(&mut out, tensors);
        out.push_str("\n}\n");
        out
    });
    let all = once_with(|| String::from("{")).chain(each).chain(end);
    all.map(String::into_bytes)
}

/// The text before the numbers of a tensor.
fn begin(is_first: bool, tensor: &Tensor) -> String {
    let mut out = String::from(if is_first { "\n" } else { ",\n" });
    write_string(&mut out, &tensor.name);
    // Writing into a string cannot fail.
    let _ = write!(out, ": {{\"shape\": {:?}, \"data\": [", tensor.shape);
    out
}

fn numbers_of(is_first: bool, values: &[f32]) -> String {
    let mut out = String::new();
    for (at, value) in values.iter().enumerate() {
        let comma = if at == 0 && is_first { "" } else { "," };
        let _ = write!(out, "{comma}{value:?}");
    }
    out
}

/// A string in quotes, with what JSON reserves escaped (RFC 8259, §7).
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
