//! Weights or scores of a run, written where JavaScript reads them as they are finished: wasm's memory never holds all.

use std::ops::Range;

use js_sys::{Array, Float32Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::bindings::js_object::get;
use attention::plan::{RowSink, WeightRows};
use attention::{Code, Error, Sizes};

/// From so many keys on a row is copied by itself, without the zeros around its support: they are there already, and a page of
/// memory that is not written is not made. Below it one call for a tile takes less time.
const LONG_ROW: usize = 1024;

/// `[batch, heads, n, keys]`, zeros until they are written; clones share them.
#[derive(Clone)]
pub(super) struct CellArray {
    data: Float32Array,
    sizes: Sizes,
}

impl CellArray {
    /// Takes the memory for the result `field`.
    ///
    /// # Errors
    /// [`Code::TooLarge`] where the browser does not have it.
    pub(super) fn new(field: &str, sizes: &Sizes) -> Result<Self, Error> {
        Ok(Self {
            data: zeros(field, [sizes.batch, sizes.heads, sizes.n, sizes.keys])?,
            sizes: *sizes,
        })
    }

    /// The numbers.
    pub(super) fn data(&self) -> &Float32Array {
        &self.data
    }

    /// The numbers.
    pub(super) fn into_data(self) -> Float32Array {
        self.data
    }
}

impl RowSink for CellArray {
    fn take(&mut self, rows: WeightRows) {
        let head = rows.batch * self.sizes.heads + rows.head;
        write_rows(&self.data, head * self.sizes.n + rows.first, rows, |_| {});
    }
}

/// A typed array of zeros.
///
/// # Errors
/// [`Code::TooLarge`] where the browser does not have the memory.
pub(super) fn zeros(field: &str, shape: [usize; 4]) -> Result<Float32Array, Error> {
    let length = shape.iter().map(|axis| *axis as f64).product::<f64>();
    let constructor = get(&js_sys::global(), "Float32Array").dyn_into::<Function>();
    let made = constructor
        .and_then(|class| Reflect::construct(&class, &Array::of1(&JsValue::from_f64(length))))
        .and_then(JsCast::dyn_into);
    let rule = "the result does not fit into memory";
    made.map_err(|_| Error::new(Code::TooLarge, field, format!("{shape:?}"), rule))
}

/// Writes rows of weights, the first of them as row `first`. `wrote` is called with the ranges that
/// were written; the other numbers are 0.
pub(super) fn write_rows(
    data: &Float32Array,
    first: usize,
    rows: WeightRows,
    mut wrote: impl FnMut(Range<u32>),
) {
    let keys = rows.keys();
    let mut write = |at: usize, numbers: &[f32]| {
        let range = at as u32..(at + numbers.len()) as u32;
        data.subarray(range.start, range.end).copy_from(numbers);
        wrote(range);
    };
    if keys < LONG_ROW || rows.supports.is_empty() {
        return write(first * keys, rows.weights);
    }
    for (row, at) in rows.iter().zip(first..) {
        let support = row.support;
        write(at * keys + support.start, &row.weights[support]);
    }
}
