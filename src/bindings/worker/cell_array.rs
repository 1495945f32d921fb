//! Weights or scores of a run, written where JavaScript reads them as they are finished: wasm's memory never holds all.

use std::ops::Range;

use js_sys::{Array, Float32Array, Function, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::bindings::js_object::get;
use attention::plan::{RowSink, WeightRows};
use attention::{Code, Error, Sizes};

/// From so many keys on, two pages of memory, a row is copied by itself, without the zeros around its support: they are there already, and a
/// page that is not written is not made. Below it one call for a tile takes less time.
const LONG_ROW: usize = 2048;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Float32Array)]
    type Numbers;

    /// Without an array for the part that is written, which `subarray` would make for each row.
    #[wasm_bindgen(method, js_name = set)]
    fn write(this: &Numbers, numbers: &[f32], at: u32);
}

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
        write_rows(&self.data, place_of(&rows, &self.sizes), rows, |_| {});
    }
}

/// Which row of all heads is the first of these.
pub(super) fn place_of(rows: &WeightRows, sizes: &Sizes) -> usize {
    (rows.batch * sizes.heads + rows.head) * sizes.n + rows.first
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
    let (data, keys) = (data.unchecked_ref::<Numbers>(), rows.keys());
    let mut write = |at: usize, numbers: &[f32]| {
        let range = at as u32..(at + numbers.len()) as u32;
        data.write(numbers, range.start);
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
