//! Weights of a run that two workers share. The second one takes the memory for those of all heads, writes its own there, and sends it on
//! as soon as it has; the first one writes to an array that it keeps until then, and moves what it has. So each worker is the first to
//! touch half of the result's pages, and each row is copied once more at most.

wasm_chunks::chunk!("more");

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use js_sys::{Array, Float32Array};
use wasm_bindgen::{JsCast, JsValue};

use super::cell_array::{CellArray, place_of, write_rows, zeros};
use super::platform;
use crate::bindings::js_object::{get, object};
use attention::plan::{RowSink, WeightRows};
use attention::{Error, Sizes};

/// The longest array that is kept for the next run: 128 MiB, of which a run writes half.
const MOST_KEPT: u32 = (128 << 20) / 4;

thread_local! {
    /// What the last run has left: pages that are there already.
    static SPARE: Cell<Option<Float32Array>> = const { Cell::new(None) };
}

/// Lets go of the array that is kept.
pub(super) fn forget_spare() {
    SPARE.set(None);
}

/// The second worker's side.
pub(super) struct SentWeights {
    /// The number of the run.
    id: u32,
    sizes: Sizes,
    cells: CellArray,
}

impl SentWeights {
    /// Takes the memory for the weights of all heads.
    ///
    /// # Errors
    /// As [`CellArray::new`].
    pub(super) fn new(id: u32, sizes: &Sizes) -> Result<Self, Error> {
        Ok(Self {
            id,
            sizes: *sizes,
            cells: CellArray::new("weights", sizes)?,
        })
    }

    fn post(&self) {
        let weights = self.cells.data();
        let transfer = Array::of1(&weights.buffer());
        let message = object([("id", self.id.into()), ("weights", weights.into())]);
        // Our own messages can always be cloned.
        let _ =
            platform::scope().map(|scope| scope.post_message_with_transfer(&message, &transfer));
    }
}

impl RowSink for SentWeights {
    fn take(&mut self, rows: WeightRows) {
        let Sizes {
            batch, heads, n, ..
        } = self.sizes;
        let ends = [rows.batch + 1, rows.head + 1, rows.first + rows.rows];
        self.cells.take(rows);
        if ends == [batch, heads, n] {
            self.post();
        }
    }
}

/// The first worker's side; clones share the weights.
#[derive(Clone)]
pub(super) struct HalfWeights(Rc<RefCell<Moving>>);

struct Moving {
    data: Float32Array,
    sizes: Sizes,
    /// What was written, in order, until it is moved; the rest is of another run.
    written: Option<Vec<Range<u32>>>,
}

impl HalfWeights {
    /// Takes memory for the weights of all heads, until the second worker sends the array that they are to be in.
    ///
    /// # Errors
    /// As [`CellArray::new`].
    pub(super) fn new(sizes: &Sizes) -> Result<Self, Error> {
        let Sizes {
            batch,
            heads,
            n,
            keys,
            ..
        } = *sizes;
        let length = (batch * heads * n * keys) as f64;
        let spare = SPARE.take();
        let spare = spare.filter(|spare| f64::from(spare.length()) >= length);
        let data = match spare {
            Some(spare) => spare,
            None => zeros("weights", [batch, heads, n, keys])?,
        };
        Ok(Self(Rc::new(RefCell::new(Moving {
            data,
            sizes: *sizes,
            written: Some(Vec::new()),
        }))))
    }

    /// Goes on in the array of a message, which has the weights of the second half; whether there was one.
    pub(super) fn move_to(&self, message: &JsValue) -> bool {
        let Ok(whole) = get(message, "weights").dyn_into::<Float32Array>() else {
            return false;
        };
        let Moving { data, written, .. } = &mut *self.0.borrow_mut();
        for Range { start, end } in written.take().unwrap_or_default() {
            whole.set(&data.subarray(start, end), start);
        }
        let left = std::mem::replace(data, whole);
        if left.length() <= MOST_KEPT {
            SPARE.set(Some(left));
        }
        true
    }

    /// The weights of all heads, once they are there.
    pub(super) fn into_whole(self) -> Option<Float32Array> {
        let Moving { data, written, .. } = &*self.0.borrow();
        written.is_none().then(|| data.clone())
    }
}

impl RowSink for HalfWeights {
    fn take(&mut self, rows: WeightRows) {
        let Moving {
            data,
            sizes,
            written,
        } = &mut *self.0.borrow_mut();
        write_rows(data, place_of(&rows, sizes), rows, |range| {
            written.iter_mut().for_each(|written| add(written, &range));
        });
    }
}

/// Adds a range to those before it.
fn add(written: &mut Vec<Range<u32>>, range: &Range<u32>) {
    match written.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => written.push(range.clone()),
    }
}
