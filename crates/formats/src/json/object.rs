//! Objects in JSON: a tensor, a table of pandas, or tensors by name.

use super::Value;
use super::table::Table;
use crate::contents::{Contents, Source};
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::tensor::{Labels, Tensor};

/// An object: flat objects by name, and whatever else.
#[derive(Default)]
pub(super) struct Object {
    pub fields: Vec<(String, Value)>,
    pub flat: Table,
    /// The field that names rows, by a schema of pandas.
    pub index: Option<String>,
}

impl Object {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let mut fields = self.fields.iter();
        fields.find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(super) fn is_tensor(&self) -> bool {
        self.get("shape").is_some() && self.get("data").is_some()
    }

    /// Whether its data stand beside the names of rows and columns.
    pub(super) fn is_split(&self) -> bool {
        let is_known = |(key, _): &(String, Value)| {
            matches!(key.as_str(), "columns" | "index" | "data" | "name")
        };
        let is_matrix = match self.get("data") {
            Some(Value::Array(array)) => array.shape.len() == 2 && array.texts.is_empty(),
            _ => false,
        };
        let has_names = ["columns", "index"].iter().all(
            |key| matches!(self.get(key), Some(Value::Array(array)) if array.shape.len() == 1),
        );
        self.fields.iter().all(is_known) && is_matrix && has_names && self.flat.is_empty()
    }

    /// Whether it is a list of records behind a schema.
    pub(super) fn is_schema(&self) -> bool {
        self.index.is_some() && matches!(self.get("data"), Some(Value::Records(_)))
    }

    /// Whether it is a table of pandas.
    pub(super) fn is_table(&self) -> bool {
        let is_flat = self.fields.is_empty() && !self.flat.is_empty() && !self.flat.is_text();
        is_flat || self.is_split() || self.is_schema()
    }

    pub(super) fn table(self, name: &str, contents: &mut Contents) -> Result<Tensor, FormatError> {
        if self.fields.is_empty() {
            let (tensor, is_by_rows) = self.flat.named(name, &mut contents.skipped)?;
            contents.source = match is_by_rows {
                true => Source::JsonRows,
                false => Source::JsonColumns,
            };
            return Ok(tensor);
        }
        contents.source = Source::JsonTable;
        if self.is_split() {
            return Ok(split(name, self.fields));
        }
        let mut fields = self.fields.into_iter().map(|(_, value)| value);
        let table = fields.find_map(|value| match value {
            Value::Records(table) => Some(table),
            _ => None,
        });
        let index = self.index.as_deref();
        table
            .unwrap_or_default()
            .rows(name, index, &mut contents.skipped)
    }
}

/// Names of columns and rows beside the numbers.
fn split(name: &str, fields: Vec<(String, Value)>) -> Tensor {
    let mut tensor = Tensor::new(name, vec![0, 0], Vec::new());
    let mut names = [Vec::new(), Vec::new()];
    for (key, value) in fields {
        let Value::Array(array) = value else { continue };
        let side = match key.as_str() {
            "data" => {
                tensor = Tensor::new(name, array.shape, array.data);
                continue;
            }
            "index" => &mut names[0],
            _ => &mut names[1],
        };
        *side = match array.texts.is_empty() {
            true => array.data.iter().map(f32::to_string).collect(),
            false => array.texts,
        };
    }
    let axes = names.into_iter().zip(&tensor.shape);
    let labels = axes.map(|(mut names, length)| {
        names.truncate(if names.len() == *length { *length } else { 0 });
        let title = String::new();
        Labels { title, names }
    });
    tensor.labels = labels.collect();
    tensor
}

impl Object {
    /// Whether it contains only metadata of tensors.
    pub(super) fn holds_no_array(&self) -> bool {
        let is_none = |value: &Value| match value {
            Value::Array(array) => !array.texts.is_empty(),
            Value::Number(_) | Value::Text(_) => true,
            Value::Records(_) | Value::Object(_) => false,
        };
        self.fields.iter().all(|(_, value)| is_none(value))
    }
}

/// A tensor with shape and numbers in separate fields.
pub(super) fn shaped(
    name: &str,
    fields: Vec<(String, Value)>,
    limits: &Limits,
) -> Result<Tensor, FormatError> {
    let (mut shape, mut data, mut own) = (None, None, None);
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("shape", Value::Array(array)) if array.shape.len() == 1 => shape = Some(array.data),
            ("data", Value::Array(array)) if array.shape.len() == 1 => {
                data = Some(array.data);
            }
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
