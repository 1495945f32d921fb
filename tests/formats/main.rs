//! Files of tensors: what is written can be read, what others wrote too, and what nobody should have written is refused.
//! `tests/hostile_files.rs` tries what nobody thought of.

mod foreign;
mod gguf;
mod listed;
mod numbers;
mod pandas;
mod prints;
mod published;
mod refusals;
mod round_trips;
mod samples;
mod tables;
mod texts;

use formats::ErrorLocation;

/// A number of a tensor.
fn element(name: &str, index: &[usize]) -> ErrorLocation {
    let (name, index) = (name.to_owned(), index.to_vec());
    ErrorLocation::Element { name, index }
}

/// A cell of a table.
fn cell(row: usize, column: usize) -> ErrorLocation {
    ErrorLocation::Cell { row, column }
}
