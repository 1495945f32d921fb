//! Axis labels as the last fields of an object.

use super::write_string;
use crate::tensor::Tensor;

/// The names that tensors carry, as the last fields of an object.
pub(super) fn write_names(out: &mut String, tensors: &[Tensor]) {
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
