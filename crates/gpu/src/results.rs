//! Results on the host, filled as they are read back.

use std::ops::Range;

use ndarray::{Array, Axis, Dimension};

use crate::GpuError;
use crate::batch::Arrived;
use crate::tensor::unpad;
use attention::plan::{RowSink, WeightRows};
use attention::{Error, Request, Sizes, Trace, zeros4};

/// Destination of a read-back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Q,
    K,
    V,
    Scores(Tile),
    Weights(Tile),
    Context,
    Output {
        width: usize,
    },
    /// The longest query row, squared, as bits; then the longest key row.
    LongestQuery,
    LongestKey,
}

impl Target {
    /// Whether it is made before the first tile.
    pub(super) fn is_prepared(self) -> bool {
        use Target::{K, LongestKey, LongestQuery, Q, V};
        matches!(self, Q | K | V | LongestQuery | LongestKey)
    }
}

/// Rows `first_row .. first_row + rows` of slices `first_slice .. first_slice + slices`; a slice is one head of one batch
/// entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) first_slice: usize,
    pub(super) slices: usize,
    pub(super) first_row: usize,
    pub(super) rows: usize,
}

/// Every result that outlives the device's part.
pub(super) struct Results {
    sizes: Sizes,
    trace: Trace<f32>,
    pub(super) longest: [f32; 2],
}

impl Results {
    pub(super) fn new(request: &Request) -> Result<Self, Error> {
        let (sizes, want) = (*request.sizes(), request.call().want);
        let Sizes {
            batch,
            heads,
            kv_heads,
            n,
            m,
            keys,
            d_k,
            d_v,
            d_out,
            ..
        } = sizes;
        let room = |wanted: bool, field, shape| {
            if wanted {
                zeros4(field, shape).map(Some)
            } else {
                Ok(None)
            }
        };
        let trace = Trace {
            q: room(want.q, "q", [batch, heads, n, d_k])?,
            k: room(want.k, "k", [batch, kv_heads, m, d_k])?,
            v: room(want.v, "v", [batch, kv_heads, m, d_v])?,
            scores: room(want.scores, "scores", [batch, heads, n, keys])?,
            weights: room(want.weights, "weights", [batch, heads, n, keys])?,
            context: room(want.context, "context", [batch, heads, n, d_v])?,
            output: room(want.output, "output", [1, batch, n, d_out])?
                .map(|output| output.remove_axis(Axis(0))),
            empty_rows: request.empty_rows(),
        };
        Ok(Self {
            sizes,
            trace,
            longest: [0.0; 2],
        })
    }

    pub(super) fn into_trace(self) -> Trace<f32> {
        self.trace
    }

    /// Takes what came back.
    pub(super) fn take(
        &mut self,
        target: Target,
        arrived: Arrived,
        sink: &mut dyn RowSink,
    ) -> Result<(), GpuError> {
        let Sizes {
            n, keys, d_k, d_v, ..
        } = self.sizes;
        let trace = &mut self.trace;
        match target {
            Target::Q => unpad(arrived, d_k, numbers(&mut trace.q)),
            Target::K => unpad(arrived, d_k, numbers(&mut trace.k)),
            Target::V => unpad(arrived, d_v, numbers(&mut trace.v)),
            Target::Context => unpad(arrived, d_v, numbers(&mut trace.context)),
            Target::Output { width } => unpad(arrived, width, numbers(&mut trace.output)),
            Target::Scores(tile) => {
                let scores = numbers(&mut trace.scores);
                unpad(arrived, keys, &mut scores[tile.cells(n, keys)])
            }
            Target::Weights(tile) => self.take_weights(tile, arrived, sink),
            Target::LongestQuery => self.take_longest(0, arrived),
            Target::LongestKey => self.take_longest(1, arrived),
        }
    }

    fn take_longest(&mut self, side: usize, arrived: Arrived) -> Result<(), GpuError> {
        let bits = arrived.take(|bits: &[u32]| bits.first().copied().unwrap_or_default())?;
        self.longest[side] = f32::from_bits(bits).sqrt();
        Ok(())
    }

    fn take_weights(
        &mut self,
        tile: Tile,
        arrived: Arrived,
        sink: &mut dyn RowSink,
    ) -> Result<(), GpuError> {
        let Sizes { n, keys, .. } = self.sizes;
        let cells = tile.cells(n, keys);
        let mut passing = Vec::new();
        let rows = match &mut self.trace.weights {
            Some(weights) => &mut weights.as_slice_mut().unwrap_or_default()[cells],
            None => {
                passing.resize(cells.len(), 0.0);
                passing.as_mut_slice()
            }
        };
        unpad(arrived, keys, rows)?;
        tile.emit_rows(&self.sizes, rows, sink);
        Ok(())
    }
}

impl Tile {
    /// Where the tile lies in `[batch, heads, n, keys]`; it is either one slice or whole ones, and so always in one piece.
    fn cells(self, n: usize, keys: usize) -> Range<usize> {
        let rows = self.of_all(n);
        rows.start * keys..rows.end * keys
    }

    /// Its rows among those of `[batch, heads, n]`, in one piece for the same reason.
    pub(super) fn of_all(self, n: usize) -> Range<usize> {
        let first = self.first_slice * n + self.first_row;
        first..first + self.slices * self.rows
    }

    /// Gives the rows of the tile to `sink`.
    pub(super) fn emit_rows(self, sizes: &Sizes, weights: &[f32], sink: &mut dyn RowSink) {
        let cells = self.rows * sizes.keys;
        for at in 0..self.slices {
            let slice = self.first_slice + at;
            sink.take(WeightRows {
                batch: slice / sizes.heads,
                head: slice % sizes.heads,
                first: self.first_row,
                rows: self.rows,
                weights: &weights[at * cells..][..cells],
                supports: &[],
            });
        }
    }
}

/// All numbers of a result that is wanted.
fn numbers<D: Dimension>(result: &mut Option<Array<f32, D>>) -> &mut [f32] {
    let result = result.as_mut().and_then(Array::as_slice_mut);
    result.unwrap_or_default()
}
