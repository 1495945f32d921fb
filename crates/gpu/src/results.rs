//! Results on the host, filled as they are read back.

use ndarray::{Array, Axis, Dimension};

use crate::GpuError;
use crate::measures;
use crate::packing::Packing;
use crate::staging::Arrived;
use crate::tensor::unpad;
use crate::writer::{Destinations, ResultWriter};
use attention::analysis::MeasuredRow;
use attention::{Error, Request, Sizes, Trace, zeros4};

/// Destination of a read-back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Q,
    K,
    V,
    Scores(Tile, Packing),
    Weights(Tile, Packing),
    /// What the measures of the heads take from the rows of a tile.
    Measures(Tile),
    /// Numbers of scores and weights that lie beyond the range, as bits.
    Beyond,
    Context,
    Output {
        width: usize,
    },
    /// The longest query row, squared, as bits; then the longest key row.
    LongestQuery,
    LongestKey,
    /// A result of a model's pass, by its place among them.
    OfModel(usize),
}

impl Target {
    /// Whether it is made before the first tile.
    pub(super) fn is_prepared(&self) -> bool {
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

impl Tile {
    /// Its rows among those of `[batch, heads, n]`, in one piece: a tile is either a part of one slice or whole ones.
    pub(super) fn of_all(self, n: usize) -> std::ops::Range<usize> {
        let first = self.first_slice * n + self.first_row;
        first..first + self.slices * self.rows
    }

    /// The part of it that lies in a slice; `None` where none does.
    pub(super) fn of_slice(self, slice: usize) -> Option<Self> {
        let slices = self.first_slice..self.first_slice + self.slices;
        slices.contains(&slice).then_some(Self {
            first_slice: slice,
            slices: 1,
            ..self
        })
    }
}

/// Every result that outlives the device's part.
pub(super) struct Results {
    sizes: Sizes,
    trace: Trace<f32>,
    destinations: Destinations,
    pub(super) longest: [f32; 2],
    /// The first number beyond the range among scores and weights, with its field.
    beyond: Option<(&'static str, f32)>,
}

impl Results {
    pub(super) fn new(request: &Request, destinations: Destinations) -> Result<Self, Error> {
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
        let (own_scores, own_weights) = (
            want.scores && destinations.scores.is_none(),
            want.weights && destinations.weights.is_none(),
        );
        let scores = match destinations.scores_of {
            Some(_) => [1, 1, n, keys],
            None => [batch, heads, n, keys],
        };
        let trace = Trace {
            q: room(want.q, "q", [batch, heads, n, d_k])?,
            k: room(want.k, "k", [batch, kv_heads, m, d_k])?,
            v: room(want.v, "v", [batch, kv_heads, m, d_v])?,
            scores: room(own_scores, "scores", scores)?,
            weights: room(own_weights, "weights", [batch, heads, n, keys])?,
            context: room(want.context, "context", [batch, heads, n, d_v])?,
            output: room(want.output, "output", [1, batch, n, d_out])?
                .map(|output| output.remove_axis(Axis(0))),
            empty_rows: request.empty_rows(),
        };
        Ok(Self {
            sizes,
            trace,
            destinations,
            longest: [0.0; 2],
            beyond: None,
        })
    }

    pub(super) fn into_trace(self) -> Trace<f32> {
        self.trace
    }

    /// The only slice of the scores that comes back, where not all do.
    pub(super) fn scores_of(&self) -> Option<usize> {
        self.destinations.scores_of
    }

    pub(super) fn beyond(&self) -> Option<(&'static str, f32)> {
        self.beyond
    }

    /// Takes what came back.
    pub(super) fn take(
        &mut self,
        target: Target,
        arrived: Arrived,
        measured: &mut dyn FnMut(&MeasuredRow),
    ) -> Result<(), GpuError> {
        let Sizes {
            n, keys, d_k, d_v, ..
        } = self.sizes;
        let Self {
            trace,
            destinations,
            ..
        } = self;
        match target {
            Target::Q => unpad(arrived, d_k, numbers(&mut trace.q)),
            Target::K => unpad(arrived, d_k, numbers(&mut trace.k)),
            Target::V => unpad(arrived, d_v, numbers(&mut trace.v)),
            Target::Context => unpad(arrived, d_v, numbers(&mut trace.context)),
            Target::Output { width } => unpad(arrived, width, numbers(&mut trace.output)),
            Target::Scores(tile, packing) => {
                let skipped = destinations.scores_of.unwrap_or(0) * n;
                let first = tile.of_all(n).start - skipped;
                let own = numbers(&mut trace.scores);
                let writer = &mut destinations.scores;
                write(arrived, &packing, first * keys, writer, own)
            }
            Target::Weights(tile, packing) => {
                let first = tile.of_all(n).start * keys;
                let own = numbers(&mut trace.weights);
                write(arrived, &packing, first, &mut destinations.weights, own)
            }
            Target::Measures(tile) => {
                let sizes = &self.sizes;
                arrived.take(|words| measures::read(tile, sizes, words, measured))
            }
            Target::Beyond => self.take_beyond(arrived),
            Target::LongestQuery => self.take_longest(0, arrived),
            Target::LongestKey => self.take_longest(1, arrived),
            Target::OfModel(_) => unreachable!("a run asks for nothing of a model"),
        }
    }

    fn take_beyond(&mut self, arrived: Arrived) -> Result<(), GpuError> {
        let found = arrived.take(|bits: &[u32]| {
            let fields = ["scores", "weights"].into_iter().zip(bits);
            let mut found = fields.filter(|(_, bits)| **bits != 0);
            found
                .next()
                .map(|(field, bits)| (field, f32::from_bits(*bits)))
        })?;
        self.beyond = self.beyond.or(found);
        Ok(())
    }

    fn take_longest(&mut self, side: usize, arrived: Arrived) -> Result<(), GpuError> {
        let bits = arrived.take(|bits: &[u32]| bits.first().copied().unwrap_or_default())?;
        self.longest[side] = f32::from_bits(bits).sqrt();
        Ok(())
    }
}

/// Writes the rows of a tile from number `first` of the result on, into `own` where nobody else takes them.
fn write(
    arrived: Arrived,
    packing: &Packing,
    first: usize,
    writer: &mut Option<Box<dyn ResultWriter>>,
    mut own: &mut [f32],
) -> Result<(), GpuError> {
    let mut pieces = packing.pieces(first);
    arrived.show(|numbers| match writer {
        Some(writer) => writer.write(&numbers, &mut pieces),
        None => own.write(&numbers, &mut pieces),
    })
}

/// All numbers of a result that is wanted.
fn numbers<D: Dimension>(result: &mut Option<Array<f32, D>>) -> &mut [f32] {
    let result = result.as_mut().and_then(Array::as_slice_mut);
    result.unwrap_or_default()
}
