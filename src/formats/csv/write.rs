//! A table as text.

use std::fmt::Write as _;

use super::{CORNER, SHAPE, guarded};
use crate::formats::tensor::{Labels, Tensor};

/// Labels stand in quotes and numbers do not, so that a token `1` is no number. What would be a formula in a spreadsheet
/// gets an apostrophe: tokens come out of links that anybody can write.
pub fn write(tensor: &Tensor) -> Vec<u8> {
    let mut out = String::new();
    let Tensor { shape, labels, .. } = tensor;
    if shape.len() != 2 || shape.contains(&0) {
        let lengths: Vec<_> = shape.iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        // Writing into a string cannot fail.
        let _ = writeln!(out, "{SHAPE}{}{comma})", lengths.join(", "));
    }
    let (outer, width) = match shape.split_last() {
        Some((width, outer)) => (outer, *width),
        None => (&[][..], 1),
    };
    let has_labels = labels.len() == shape.len() && !shape.is_empty();
    if has_labels && !tensor.data.is_empty() {
        header(&mut out, labels, width);
    }
    for (at, row) in tensor.data.chunks(width.max(1)).enumerate() {
        if has_labels {
            names(&mut out, labels, outer, at);
        }
        for (column, value) in row.iter().enumerate() {
            let comma = if column == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{value:?}");
        }
        out.push('\n');
    }
    out.into_bytes()
}

fn header(out: &mut String, labels: &[Labels], width: usize) {
    let Some((last, outer)) = labels.split_last() else {
        return;
    };
    for (axis, labels) in outer.iter().enumerate() {
        let is_corner = axis + 1 == outer.len() && !last.title.is_empty();
        match is_corner {
            true => quoted(out, &format!("{}{CORNER}{}", labels.title, last.title)),
            false => quoted(out, &labels.title),
        }
        out.push(',');
    }
    for at in 0..width {
        out.push_str(if at == 0 { "" } else { "," });
        name(out, last, at);
    }
    out.push('\n');
}

/// The names of row `at` along each of the axes before the last.
fn names(out: &mut String, labels: &[Labels], outer: &[usize], at: usize) {
    for (axis, labels) in labels[..outer.len()].iter().enumerate() {
        let period: usize = outer[axis + 1..].iter().product();
        name(out, labels, at / period.max(1) % outer[axis].max(1));
        out.push(',');
    }
}

/// The name of a place; its number where it has none.
fn name(out: &mut String, labels: &Labels, at: usize) {
    match labels.names.get(at) {
        Some(name) => quoted(out, name),
        None => quoted(out, &at.to_string()),
    }
}

fn quoted(out: &mut String, text: &str) {
    let _ = write!(out, "\"{}\"", guarded(text).replace('"', "\"\""));
}
