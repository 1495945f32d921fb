//! Writes a tensor as a table.

use std::fmt::Write as _;
use std::iter::once_with;

use super::{CORNER, SHAPE, guarded};
use crate::PIECE;
use crate::tensor::{Labels, Tensor};

/// Labels stand in quotes and numbers do not, so that a token `1` is no number. What would be a formula in a spreadsheet
/// gets an apostrophe: tokens come out of links that anybody can write.
pub(crate) fn pieces(tensor: &Tensor) -> impl Iterator<Item = Vec<u8>> {
    let rows = tensor.data.chunks(PIECE).enumerate();
    let rows = rows.map(|(at, values)| rows_of(tensor, at * PIECE, values));
    let head = once_with(|| head(tensor));
    head.chain(rows).map(String::into_bytes)
}

fn head(tensor: &Tensor) -> String {
    let mut out = String::new();
    let Tensor { shape, labels, .. } = tensor;
    if shape.len() != 2 || shape.contains(&0) {
        let lengths: Vec<_> = shape.iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        // Writing into a string cannot fail.
        let _ = writeln!(out, "{SHAPE}{}{comma})", lengths.join(", "));
    }
    if has_labels(tensor) && !tensor.data.is_empty() {
        header(&mut out, labels, sides(shape).1);
    }
    out
}

/// The lengths of the axes along which rows follow each other, and the length of a row.
fn sides(shape: &[usize]) -> (&[usize], usize) {
    match shape.split_last() {
        Some((width, outer)) => (outer, *width),
        None => (&[], 1),
    }
}

fn has_labels(tensor: &Tensor) -> bool {
    tensor.labels.len() == tensor.shape.len() && !tensor.shape.is_empty()
}

/// The numbers from place `start` on, with the names of the rows that begin among them.
fn rows_of(tensor: &Tensor, start: usize, values: &[f32]) -> String {
    let (outer, width) = sides(&tensor.shape);
    let (width, has_labels) = (width.max(1), has_labels(tensor));
    let mut out = String::new();
    for (at, value) in (start..).zip(values) {
        let (row, column) = (at / width, at % width);
        if has_labels && column == 0 {
            names(&mut out, &tensor.labels, outer, row);
        }
        let comma = if column == 0 { "" } else { "," };
        let _ = write!(out, "{comma}{value:?}");
        if column + 1 == width {
            out.push('\n');
        }
    }
    out
}

fn header(out: &mut String, labels: &[Labels], width: usize) {
    let Some((last, outer)) = labels.split_last() else {
        return;
    };
    for (axis, labels) in outer.iter().enumerate() {
        let is_corner = axis + 1 == outer.len() && !last.title.is_empty();
        if is_corner {
            quoted(out, &format!("{}{CORNER}{}", labels.title, last.title))
        } else {
            quoted(out, &labels.title)
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
