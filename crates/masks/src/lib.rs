//! Masks as people write them: rules as text, matrices of zeros and ones, calls of libraries; and programs that write a mask in each library's own way.
//!
//! In all of it row `i` is a query, column `j` is a key, and `true` means visible, whatever the source means by it. Errors are enums with
//! data, so that a caller can make texts of them in any language; their `Display` is an English sentence.
//!
//! A position counts from 0. "Aligned at the start" compares query `i` with key `i`; "aligned at the end" compares the last query with the
//! last key, thus query `i` with key `i + m − n`. The two are the same where `n = m`.

#![deny(missing_docs)]

mod axes;
pub mod call;
pub mod dialect;
pub mod imported;
mod inverted;
pub mod rule;
mod scanner;

pub use axes::{Axes, Axis};
pub use inverted::{Inverted, looks_inverted};
