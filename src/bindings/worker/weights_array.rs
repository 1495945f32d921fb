//! Weights of a run on the processor, written where JavaScript reads them as they are finished: wasm's memory never holds all.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use js_sys::{Array, Float32Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::bindings::js_object::get;
use attention::plan::{RowSink, WeightRows};
use attention::{Code, Error, Sizes};

/// From so many keys on a row is copied by itself, without the zeros around its support: they are there already, and a page of
/// memory that is not written is not made. Below it one call for a tile takes less time.
const LONG_ROW: usize = 1024;

/// `[batch, heads, n, keys]` for some of the heads, zeros until they are written; clones share them.
#[derive(Clone)]
pub(super) struct WeightsArray {
    data: Float32Array,
    sizes: Sizes,
    heads: Range<usize>,
    written: Rc<RefCell<Vec<Range<u32>>>>,
}

impl WeightsArray {
    /// Takes the memory.
    ///
    /// # Errors
    /// [`Code::TooLarge`] where the browser does not have it.
    pub(super) fn new(sizes: &Sizes, heads: Range<usize>) -> Result<Self, Error> {
        let shape = [sizes.batch, heads.len(), sizes.n, sizes.keys];
        let length = shape.iter().map(|axis| *axis as f64).product::<f64>();
        let constructor = get(&js_sys::global(), "Float32Array").dyn_into::<Function>();
        let made = constructor
            .and_then(|class| Reflect::construct(&class, &Array::of1(&JsValue::from_f64(length))))
            .and_then(JsCast::dyn_into);
        let rule = "the result does not fit into memory";
        let refuse = |_| Error::new(Code::TooLarge, "weights", format!("{shape:?}"), rule);
        Ok(Self {
            data: made.map_err(refuse)?,
            sizes: *sizes,
            heads,
            written: Rc::default(),
        })
    }

    /// The numbers, and which of them were written, in order.
    pub(super) fn into_parts(self) -> (Float32Array, Vec<Range<u32>>) {
        (self.data, self.written.take())
    }

    fn write(&self, first: usize, numbers: &[f32]) {
        let range = first as u32..(first + numbers.len()) as u32;
        self.data
            .subarray(range.start, range.end)
            .copy_from(numbers);
        let mut written = self.written.borrow_mut();
        match written.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => written.push(range),
        }
    }
}

impl RowSink for WeightsArray {
    fn take(&mut self, rows: WeightRows) {
        let Sizes { n, keys, .. } = self.sizes;
        let head = rows.batch * self.heads.len() + rows.head - self.heads.start;
        let first_row = head * n + rows.first;
        if keys < LONG_ROW || rows.supports.is_empty() {
            return self.write(first_row * keys, rows.weights);
        }
        for (row, at) in rows.iter().zip(first_row..) {
            let support = row.support;
            self.write(at * keys + support.start, &row.weights[support]);
        }
    }
}
