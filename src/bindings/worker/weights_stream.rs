//! Weights of the second half of a run, sent to the first worker head by head: it copies them while
//! others are computed.

wasm_chunks::chunk!("more");

use std::ops::Range;

use js_sys::{Array, Float32Array, Uint32Array};
use wasm_bindgen::{JsCast, JsValue};

use super::cell_array::{write_rows, zeros};
use super::platform;
use crate::bindings::js_object::{get, number, object};
use attention::Sizes;
use attention::plan::{RowSink, WeightRows};

/// The second worker's side.
pub(super) struct WeightsStream {
    /// The number of the run.
    id: u32,
    sizes: Sizes,
    /// `[n, keys]` of the present head. `None` where the browser does not have the memory; the first worker then misses a head.
    head: Option<Float32Array>,
    /// Which of these weights were written, in order; the others are 0.
    written: Vec<Range<u32>>,
}

impl WeightsStream {
    pub(super) fn new(id: u32, sizes: &Sizes) -> Self {
        Self {
            id,
            sizes: *sizes,
            head: None,
            written: Vec::new(),
        }
    }

    fn post(&mut self, place: usize) {
        let (Some(scope), Some(head)) = (platform::scope(), self.head.take()) else {
            return;
        };
        let written = self.written.drain(..);
        let ends: Vec<u32> = written.flat_map(|range| [range.start, range.end]).collect();
        let transfer = Array::of1(&head.buffer());
        let message = object([
            ("id", self.id.into()),
            ("head", JsValue::from_f64(place as f64)),
            ("weights", head.into()),
            ("written", Uint32Array::from(ends.as_slice()).into()),
        ]);
        // Our own messages can always be cloned.
        let _ = scope.post_message_with_transfer(&message, &transfer);
    }
}

impl RowSink for WeightsStream {
    fn take(&mut self, rows: WeightRows) {
        let Sizes { heads, n, keys, .. } = self.sizes;
        if rows.first == 0 {
            self.head = zeros("weights", [1, 1, n, keys]).ok();
        }
        let Some(head) = &self.head else { return };
        let written = &mut self.written;
        write_rows(head, rows.first, rows, |range| match written.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => written.push(range),
        });
        if rows.first + rows.rows == n {
            self.post(rows.batch * heads + rows.head);
        }
    }
}

/// The first worker's side: writes the weights of a message to those of all heads. Zeros are not copied, since a page of memory that is
/// not touched is not made. Whether there were any.
pub(super) fn copy_head(all: &Float32Array, message: &JsValue) -> bool {
    let head = get(message, "weights").dyn_into::<Float32Array>();
    let written = get(message, "written").dyn_into::<Uint32Array>();
    let (Ok(head), Ok(written)) = (head, written) else {
        return false;
    };
    let first = number(message, "head") as u32 * head.length();
    for ends in written.to_vec().chunks_exact(2) {
        all.set(&head.subarray(ends[0], ends[1]), first + ends[0]);
    }
    true
}
