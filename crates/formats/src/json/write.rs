//! Tensors as an object of JSON, by their names.

use std::fmt::Write as _;
use std::iter::once_with;

use super::labels::write_names;
use crate::PIECE;
use crate::tensor::Tensor;

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
        write_names(&mut out, tensors);
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
