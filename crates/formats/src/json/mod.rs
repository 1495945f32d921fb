//! Tensors as JSON: nested arrays, `{"shape": …, "data": …}`, an object of either by name, or a table of pandas. Lists of strings
//! label the last two axes where they are as long.

mod array;
mod labels;
mod object;
mod scan;
mod table;
mod write;

use crate::contents::{Contents, Source};
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::names::Names;
use crate::tensor::Tensor;
use array::Nested;
use object::{Object, shaped};
pub use scan::Scan;
use table::{Table, record};
pub(crate) use write::pieces;
pub use write::write_string;

/// A list under the name `shape` that is longer is a tensor, and counts as one.
const LONGEST_SHAPE: usize = 64;

/// JSON value that may be a tensor, or part of one.
enum Value {
    Array(Nested),
    Number(f32),
    /// A text, or nothing.
    Text(String),
    /// A list of flat objects.
    Records(Table),
    Object(Object),
}

/// The tensors of a file; `stem` names the one that has no name.
pub(crate) fn read(stem: &str, text: &str, limits: &Limits) -> Result<Contents, FormatError> {
    let mut scan = Scan::new(text);
    let mut reader = Reader {
        limits,
        before: 0,
        scan: &mut scan,
    };
    let value = reader.value(stem, 0)?;
    if matches!(value, Value::Object(_)) && reader.scan.peek() == Some(b'{') {
        reader.scan.rewind(0);
        let table = reader.records(stem, None)?;
        return contents(stem, Value::Records(table), limits);
    }
    scan.end()?;
    contents(stem, value, limits)
}

fn contents(stem: &str, value: Value, limits: &Limits) -> Result<Contents, FormatError> {
    let mut contents = Contents::new(Source::Json, Vec::new());
    let value = match value {
        Value::Object(object) if !object.is_tensor() && !object.is_table() => {
            named(object, limits, &mut contents)?;
            return Ok(contents);
        }
        value => value,
    };
    let tensor = tensor(stem, value, limits, &mut contents)?;
    contents.tensors.extend(tensor);
    Ok(contents)
}

fn named(object: Object, limits: &Limits, contents: &mut Contents) -> Result<(), FormatError> {
    limits.tensors(object.fields.len())?;
    let mut names = Names::default();
    for (name, value) in object.fields {
        match value {
            Value::Array(array) if !array.texts.is_empty() => names.take(&name, array.texts),
            value => {
                let tensor = tensor(&name, value, limits, contents)?;
                contents.tensors.extend(tensor);
            }
        }
    }
    contents.skipped.extend(object.flat.outer);
    contents.skipped.extend(names.label(&mut contents.tensors));
    Ok(())
}

/// The tensor that a value is, if it is any.
fn tensor(
    name: &str,
    value: Value,
    limits: &Limits,
    contents: &mut Contents,
) -> Result<Option<Tensor>, FormatError> {
    let skip = |contents: &mut Contents| {
        contents.skipped.push(name.to_owned());
        Ok(None)
    };
    match value {
        Value::Array(array) if array.texts.is_empty() => {
            Ok(Some(Tensor::new(name, array.shape, array.data)))
        }
        Value::Array(_) | Value::Text(_) => skip(contents),
        Value::Number(number) => Ok(Some(Tensor::new(name, Vec::new(), vec![number]))),
        Value::Records(table) if table.is_text() => skip(contents),
        Value::Records(table) => {
            contents.source = Source::JsonTable;
            table.rows(name, None, &mut contents.skipped).map(Some)
        }
        Value::Object(object) if object.is_table() => object.table(name, contents).map(Some),
        Value::Object(object) if object.holds_no_array() => skip(contents),
        Value::Object(object) => shaped(name, object.fields, limits).map(Some),
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
            Some(b'[') if self.lists_objects() => {
                self.records(name, Some(b']')).map(Value::Records)
            }
            Some(b'[') => {
                let array = array::read(self.scan, name, self.limits, self.before)?;
                self.before += array.data.len();
                Ok(Value::Array(array))
            }
            Some(b'"') => self.scan.string().map(Value::Text),
            Some(b'{') if depth < 2 => self.object(name, depth).map(Value::Object),
            Some(b'{') | None => Err(self.scan.malformed()),
            Some(_) => {
                let word = self.scan.word()?;
                match array::number(word) {
                    Ok(_) if depth == 0 => Err(FormatError::new(name, word, FormatRule::NoTensors)),
                    Ok(_) if matches!(word, "true" | "false" | "null") => {
                        Ok(Value::Text(word.to_owned()))
                    }
                    number => {
                        let refused = |rule| FormatError::new(name, word, rule);
                        self.before += 1;
                        number.map(Value::Number).map_err(refused)
                    }
                }
            }
        }
    }

    fn lists_objects(&mut self) -> bool {
        let start = self.scan.mark();
        let is_list = self.scan.took(b'[') && self.scan.peek() == Some(b'{');
        self.scan.rewind(start);
        is_list
    }

    /// Flat objects in a list that `end` closes, or one after the other.
    fn records(&mut self, name: &str, end: Option<u8>) -> Result<Table, FormatError> {
        let mut table = Table::default();
        if end.is_some() {
            self.scan.consume(b'[')?;
        }
        loop {
            self.flat(name, &mut table)?;
            let goes_on = match end {
                Some(end) => self.scan.goes_on(end)?,
                None => self.scan.peek().is_some(),
            };
            if !goes_on {
                self.before += table.len();
                return Ok(table);
            }
        }
    }

    fn flat(&mut self, name: &str, table: &mut Table) -> Result<(), FormatError> {
        let before = self.before + table.len();
        let record = record(self.scan, name, self.limits, before)?;
        table.push(record.ok_or_else(|| self.scan.malformed())?);
        Ok(())
    }

    /// An object that is the tensor `name`, or contains others.
    fn object(&mut self, name: &str, depth: usize) -> Result<Object, FormatError> {
        self.scan.consume(b'{')?;
        let mut object = Object::default();
        if self.scan.took(b'}') {
            return Ok(object);
        }
        loop {
            let key = self.scan.key()?;
            let Object { fields, flat, .. } = &object;
            // Names of flat objects are compared once, behind the last of them.
            if fields.iter().any(|(other, _)| *other == key) {
                return Err(FormatError::new("", key, FormatRule::Duplicate));
            }
            self.limits.tensors(fields.len())?;
            let is_data = object.get("shape").is_some() && key == "data";
            let before = self.before + flat.len();
            let own = if is_data { name } else { &key };
            let record = match self.scan.peek() {
                Some(b'{') => record(self.scan, own, self.limits, before)?,
                _ => None,
            };
            match record {
                Some(record) => {
                    object.flat.push(record);
                    object.flat.outer.push(key);
                }
                None if key == "schema" && self.scan.peek() == Some(b'{') => {
                    object.index = index(self.scan.skip_object()?);
                }
                None => {
                    let value = self.value(own, depth + 1)?;
                    if let ("shape", Value::Array(shape)) = (key.as_str(), &value)
                        && shape.data.len() <= LONGEST_SHAPE
                    {
                        self.before -= shape.data.len();
                    }
                    object.fields.push((key, value));
                }
            }
            if !self.scan.goes_on(b'}')? {
                self.before += object.flat.len();
                return match object.flat.repeated() {
                    Some(key) => Err(FormatError::new("", key, FormatRule::Duplicate)),
                    None => Ok(object),
                };
            }
        }
    }
}

/// The field that names rows, by a schema of pandas; empty where it names none.
fn index(schema: &str) -> Option<String> {
    schema.contains("\"fields\"").then(|| {
        let key = schema
            .split_once("\"primaryKey\":[\"")
            .map(|(_, rest)| rest);
        let key = key.and_then(|rest| rest.split_once('"'));
        key.map(|(key, _)| key.to_owned()).unwrap_or_default()
    })
}
