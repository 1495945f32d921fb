//! Axis labels: lists of strings beside the tensors of a JSON file.

use super::scan::Scan;
use super::write_string;
use crate::error::{FormatError, FormatRule};
use crate::tensor::{Labels, Tensor};

/// The most names of an axis.
const MOST: usize = 4096;

/// Names of rows and columns.
#[derive(Default)]
pub(super) struct Names {
    rows: Vec<String>,
    columns: Vec<String>,
}

impl Names {
    /// The fields that name something.
    pub(super) const KEYS: [&'static str; 3] = ["rows", "columns", "tokens"];

    /// Takes a list; one of its own goes before one for both.
    pub(super) fn take(&mut self, key: &str, list: Vec<String>) {
        match key {
            "rows" => self.rows = list,
            "columns" => self.columns = list,
            _ => {
                for names in [&mut self.rows, &mut self.columns] {
                    if names.is_empty() {
                        names.clone_from(&list);
                    }
                }
            }
        }
    }

    /// Names the last two axes of a tensor where they are as long. Rows that only the columns fit, such as those of keys
    /// and values, are called after them.
    pub(super) fn label(&self, tensor: &mut Tensor) {
        let [.., rows, columns] = *tensor.shape.as_slice() else {
            return;
        };
        let first = [&self.rows, &self.columns]
            .into_iter()
            .find(|names| names.len() == rows && !names.is_empty());
        let second =
            Some(&self.columns).filter(|names| names.len() == columns && !names.is_empty());
        if first.is_none() && second.is_none() {
            return;
        }
        let labels = |names: Option<&Vec<String>>| Labels {
            title: String::new(),
            names: names.cloned().unwrap_or_default(),
        };
        tensor.labels = vec![Labels::default(); tensor.shape.len() - 2];
        tensor.labels.extend([labels(first), labels(second)]);
    }
}

/// The list of strings that comes next.
pub(super) fn read(scan: &mut Scan<'_>, name: &str) -> Result<Vec<String>, FormatError> {
    let mut list = Vec::new();
    scan.consume(b'[')?;
    loop {
        list.push(scan.string()?);
        if list.len() > MOST {
            return Err(FormatError::new(
                name,
                list.len(),
                FormatRule::MostElements(MOST),
            ));
        }
        if !scan.goes_on(b']')? {
            return Ok(list);
        }
    }
}

/// The names that tensors carry, as the last fields of an object.
pub(super) fn write(out: &mut String, tensors: &[Tensor]) {
    for (key, from_end) in [("rows", 2), ("columns", 1)] {
        let mut named = tensors.iter().filter(|tensor| tensor.shape.len() > 1);
        let names = named.find_map(|tensor| {
            let place = tensor.labels.len().checked_sub(from_end)?;
            let is_taken = tensors.iter().any(|other| other.name == key);
            Some(&tensor.labels[place].names).filter(|names| !names.is_empty() && !is_taken)
        });
        let Some(names) = names else { continue };
        out.push_str(",\n");
        write_string(out, key);
        out.push_str(": [");
        for (at, name) in names.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            write_string(out, name);
        }
        out.push(']');
    }
}
