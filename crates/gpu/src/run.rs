//! Executes a plan on the device, submission by submission.

use std::collections::VecDeque;
use std::sync::Arc;

use ndarray::Array2;

use crate::batch::{Batch, Submitted};
use crate::double_f32::Wide;
use crate::finish::Finish;
use crate::fused;
use crate::inputs::{Inputs, longest, processor_only};
use crate::large::{LargeRows, lengths, may_be_any};
use crate::limits::check_limits;
use crate::mask::{DeviceMask, words};
use crate::measures;
use crate::pool::Use;
use crate::results::{Results, Target, Tile};
use crate::tensor::{Tensor, bytes};
use crate::tile_sizes::{self, Limits};
use crate::tiles::Attend;
use crate::writer::Destinations;
use crate::{Gpu, GpuError};
use attention::analysis::MeasuredRow;
use attention::plan::{Operation, Plan, Stage};
use attention::{Mask, Position, Request, Sizes, Trace};

/// Most submissions in flight: the device computes one while the other's results are read.
pub(super) const IN_FLIGHT: usize = 2;

/// A run in progress: the asynchronous twin of `cpu::Run`.
///
/// Memory is linear in `n` and `m` on the device, but for one tile of scores at a time, and on the host unless scores or
/// weights are wanted.
pub struct Run {
    gpu: Gpu,
    request: Arc<Request>,
    plan: Plan,
    inputs: Option<Inputs>,
    mask: Option<DeviceMask>,
    /// The rows whose scores need twice the precision. Tiles are submitted before they are known, as if there were none.
    large: Option<LargeRows>,
    /// Queries and keys in twice the precision, made with the first tile that needs them.
    wide: Option<Wide>,
    /// ALiBi: slopes of the heads and places of the rows.
    penalties: Option<Tensor>,
    /// Numbers that are added to the scores, `[batch or 1, heads or 1, n, m]`.
    bias: Option<Tensor>,
    context: Option<Tensor>,
    results: Results,
    /// Next submission.
    next: Next,
    /// Submissions that have not completed, the oldest first.
    in_flight: VecDeque<Flight>,
}

/// A submission and its purpose.
struct Flight {
    submitted: Submitted,
    /// It brings the longest query and key, by which the tiles after it, and its own, count or are made again.
    is_first: bool,
    tile: Option<Tile>,
}

#[derive(Clone, Copy)]
enum Next {
    Prepare,
    Tile(Tile),
    /// The finish stage; no tiles are left.
    Finish,
    Done,
}

impl Run {
    /// Prepares a run: a plan of the wanted results, and memory on the host for them.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] where a tensor that cannot be split is beyond the device's limits, [`GpuError::Refused`] where the
    /// results do not fit into memory.
    pub fn new(gpu: &Gpu, request: Arc<Request>) -> Result<Self, GpuError> {
        Self::with_destinations(gpu, request, Destinations::default())
    }

    /// [`new`](Self::new) with scores and weights that go elsewhere than to the trace.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_destinations(
        gpu: &Gpu,
        request: Arc<Request>,
        destinations: Destinations,
    ) -> Result<Self, GpuError> {
        check_limits(gpu, &request)?;
        Ok(Self {
            gpu: gpu.clone(),
            plan: Plan::for_results(request.config(), &request.call().want),
            results: Results::new(&request, destinations)?,
            request,
            inputs: None,
            mask: None,
            large: None,
            wide: None,
            penalties: None,
            bias: None,
            context: None,
            next: Next::Prepare,
            in_flight: VecDeque::new(),
        })
    }

    /// Takes the results of one submission, when as many as may be in flight have been made; `false` when the run is done. `measured` is
    /// given every row of weights, where measures are wanted; those of a head come in order.
    ///
    /// # Errors
    /// A [`GpuError`]; the run cannot go on after it.
    pub async fn advance(
        &mut self,
        measured: &mut dyn FnMut(&MeasuredRow),
    ) -> Result<bool, GpuError> {
        while self.in_flight.len() < IN_FLIGHT && !matches!(self.next, Next::Done) {
            let flight = self.submit()?;
            self.in_flight.push_back(flight);
        }
        if let Some(flight) = self.in_flight.pop_front() {
            self.arrive(flight, measured).await?;
        }
        Ok(!(self.in_flight.is_empty() && matches!(self.next, Next::Done)))
    }

    /// A number beyond the range of 32 bits among scores and weights, with the name of the result.
    pub fn beyond_range(&self) -> Option<(&'static str, f32)> {
        self.results.beyond()
    }

    /// The results, once [`advance`](Self::advance) has returned `false`.
    pub fn finish(self) -> Trace<f32> {
        self.results.into_trace()
    }

    /// The prepare stage goes out together with the first tile, and the finish stage with the last.
    fn submit(&mut self) -> Result<Flight, GpuError> {
        let gpu = self.gpu.clone();
        let is_first = matches!(self.next, Next::Prepare);
        let mut tile = None;
        let submitted = gpu.submit(|batch| {
            if is_first {
                self.prepare(batch)?;
                self.next = self.first();
            }
            if let Next::Tile(next) = self.next {
                tile = Some(next);
                self.tile(batch, next)?;
                self.next = self.next_tile(tile).map_or(Next::Finish, Next::Tile);
            }
            if matches!(self.next, Next::Finish) {
                self.end(batch)?;
                self.next = Next::Done;
            }
            Ok(())
        })?;
        Ok(Flight {
            submitted,
            is_first,
            tile,
        })
    }

    /// Where to go on after the prepare stage.
    fn first(&self) -> Next {
        match self.next_tile(None) {
            Some(tile) if self.attends() => Next::Tile(tile),
            _ => Next::Finish,
        }
    }

    fn attends(&self) -> bool {
        self.plan.stage(Stage::Attend).next().is_some()
    }

    async fn arrive(
        &mut self,
        flight: Flight,
        measured: &mut dyn FnMut(&MeasuredRow),
    ) -> Result<(), GpuError> {
        let arrived = flight.submitted.arrive().await?;
        let (prepared, attended): (Vec<_>, Vec<_>) = arrived
            .into_iter()
            .partition(|(target, _)| target.is_prepared());
        for (target, arrived) in prepared {
            self.results.take(target, arrived, measured)?;
        }
        if flight.is_first
            && self.attends()
            && may_be_any(&self.request, self.results.longest)
            && let Some(large) = self.large_rows().await?
        {
            self.restart(large);
            return Ok(());
        }
        for (target, arrived) in attended {
            self.results.take(target, arrived, measured)?;
        }
        let sizes = self.request.sizes();
        if let (Some(tile), 0, true) = (flight.tile, sizes.keys, self.request.call().want.stats) {
            measures::of_nothing(tile, sizes, measured);
        }
        Ok(())
    }

    /// Makes every tile again, `large` rows in twice the precision.
    fn restart(&mut self, large: LargeRows) {
        self.in_flight.clear();
        self.large = Some(large);
        self.next = self.first();
    }

    fn next_tile(&self, before: Option<Tile>) -> Option<Tile> {
        let limits = Limits {
            multiply_adds: self.gpu.most_multiply_adds(),
            rows: self.rows_in_memory(),
            is_wide: self.large.is_some(),
        };
        tile_sizes::next(&limits, self.request.config(), before)
    }

    fn fuses(&self) -> bool {
        fused::applies(self.gpu.tier(), &self.plan, &self.request)
    }

    /// Rows of a tile for which there is memory. Scores and weights that are read back lie there until they have come.
    fn rows_in_memory(&self) -> u64 {
        let (sizes, want) = (self.request.sizes(), self.request.call().want);
        let row = if self.fuses() && self.large.is_none() {
            bytes(1, sizes.d_k) + bytes(1, sizes.d_v) + 4 * words(sizes.keys) as u64
        } else {
            bytes(1, sizes.keys)
        };
        let copies = if want.scores || want.weights || want.stats {
            IN_FLIGHT as u64
        } else {
            1
        };
        self.gpu.tile_bytes() / copies / row.max(1)
    }

    fn prepare(&mut self, batch: &mut Batch) -> Result<(), GpuError> {
        let request = self.request.clone();
        let (sizes, call) = (request.sizes(), request.call());
        let mut inputs = Inputs::upload(&self.gpu, &request);
        inputs.prepare(batch, &request, &self.plan)?;
        let has = |operation| {
            self.plan
                .steps()
                .iter()
                .any(|step| step.operation == operation)
        };
        // The kernels know a causal order by themselves and need no bits for it.
        let is_known =
            matches!(call.mask, Mask::Causal) && call.masked_score.is_none() && !call.mask_after;
        if (has(Operation::Mask) || has(Operation::HideWeights)) && !is_known {
            self.mask = Some(DeviceMask::new(&self.gpu, &call.mask, sizes)?);
        }
        if has(Operation::Cap) {
            return Err(processor_only("score_cap", "a soft cap of the scores").into());
        }
        if has(Operation::Bias) {
            self.penalties = Some(self.penalties());
        }
        if let Some(bias) = call.bias.as_ref().filter(|_| has(Operation::AddBias)) {
            self.bias = Some(Tensor::of_slices(&self.gpu, bias.numbers()));
        }
        if has(Operation::WeightedSum) {
            let rows = sizes.batch * sizes.heads * sizes.n;
            self.context = Some(Tensor::new(&self.gpu, rows, sizes.d_v));
        }
        let want = call.want;
        let results = [
            (want.q, &inputs.q, Target::Q),
            (want.k, &inputs.k, Target::K),
            (want.v, &inputs.v, Target::V),
        ];
        for (is_wanted, tensor, target) in results {
            if let Some(tensor) = tensor {
                batch.read_if(is_wanted, target, tensor);
            }
        }
        if self.attends() {
            let sides = [
                (inputs.q.as_ref(), Target::LongestQuery),
                (inputs.keys(), Target::LongestKey),
            ];
            for (rows, target) in sides {
                let Some(rows) = rows else { continue };
                let result = self.gpu.take(Use::Storage, 4);
                longest(batch, rows, &result)?;
                batch.read(target, &result, 4);
                batch.hold_until_submit(result);
            }
        }
        self.inputs = Some(inputs);
        Ok(())
    }

    fn penalties(&self) -> Tensor {
        let (position, sizes) = (self.request.config().position, self.request.sizes());
        let places = &self.request.call().places;
        let of_entry = |entry: usize| {
            let keys = (0..sizes.m).map(|row| places.key(entry, row) as f32);
            let queries = (0..sizes.n).map(|row| places.query(entry, row) as f32);
            [keys.collect(), queries.collect()]
        };
        let entries = (0..places.entries()).map(of_entry);
        penalties_at(&self.gpu, position, sizes.heads, entries)
    }

    /// Looks at the lengths of all queries and keys, once it is known that the longest may lead to large scores.
    async fn large_rows(&self) -> Result<Option<LargeRows>, GpuError> {
        let inputs = self.inputs.as_ref();
        let sides = inputs.and_then(|inputs| inputs.q.as_ref().zip(inputs.keys()));
        let Some((q, k)) = sides else {
            return Ok(None);
        };
        let submitted = self.gpu.submit(|batch| {
            batch.read_if(true, Target::Q, q);
            batch.read_if(true, Target::K, k);
            Ok(())
        })?;
        let stride = q.stride();
        let arrived = submitted.arrive().await?.into_iter();
        let found = arrived.map(|(_, rows)| rows.take(|rows| lengths(rows, stride)));
        match &found.collect::<Result<Vec<_>, _>>()?[..] {
            [queries, keys] => Ok(LargeRows::find(&self.request, queries, keys)?),
            _ => Ok(None),
        }
    }

    fn tile(&mut self, batch: &mut Batch, tile: Tile) -> Result<(), GpuError> {
        let Some(inputs) = &self.inputs else {
            return Ok(());
        };
        let large = self.large.as_ref().filter(|large| large.are_in(tile));
        if let (Some(large), None) = (large, &self.wide) {
            let mut wide = Wide::new(batch, &self.request, inputs, large)?;
            let context = self.context.as_ref().filter(|_| self.fuses());
            wide.context = context.map(|made| Tensor::new(&self.gpu, made.rows, made.width));
            self.wide = Some(wide);
        }
        let wide = self.wide.as_ref().filter(|_| large.is_some());
        let attend = Attend {
            request: &self.request,
            plan: &self.plan,
            inputs,
            mask: self.mask.as_ref(),
            wide,
            penalties: self.penalties.as_ref(),
            bias: self.bias.as_ref(),
            context: self.context.as_ref(),
            scores_of: self.results.scores_of(),
        };
        if !self.fuses() {
            return attend.tile(batch, tile);
        }
        attend.fused_tile(batch, tile)?;
        match wide {
            None => Ok(()),
            Some(wide) => {
                let context = wide.context.as_ref();
                Attend { context, ..attend }.tile(batch, tile)
            }
        }
    }

    fn end(&self, batch: &mut Batch) -> Result<(), GpuError> {
        let (Some(context), Some(inputs)) = (&self.context, &self.inputs) else {
            return Ok(());
        };
        if let Some(wide) = &self.wide
            && let Some(made) = &wide.context
        {
            wide.copy_rows(batch, 0, made, context)?;
        }
        let finish = Finish {
            request: &self.request,
            plan: &self.plan,
            output: inputs.weights.output.as_ref(),
            context,
        };
        finish.steps(batch)
    }
}

/// What `bias.wgsl` reads: penalties of the heads, and places of the keys and queries of every batch entry that differs, `[keys, queries]`.
fn penalties_at(
    gpu: &Gpu,
    position: Position,
    heads: usize,
    entries: impl Iterator<Item = [Vec<f32>; 2]>,
) -> Tensor {
    let padded = |mut list: Vec<f32>| {
        list.resize(list.len().next_multiple_of(4), 0.0);
        list
    };
    let each = (0..heads).map(|head| position.penalty(head, heads) as f32);
    let entries: Vec<Vec<f32>> = entries.map(|places| places.map(padded).concat()).collect();
    let step = match &entries[..] {
        [] | [_] => 0,
        [first, ..] => first.len() / 4,
    };
    let numbers = [
        padded(vec![step as f32]),
        padded(each.collect()),
        entries.concat(),
    ]
    .concat();
    let rows = Array2::from_shape_vec((1, numbers.len()), numbers).unwrap_or_default();
    Tensor::of_matrix(gpu, rows.view())
}

/// The same where queries and keys are at the places `0 … n − 1` and `0 … m − 1`.
pub(super) fn penalties(gpu: &Gpu, position: Position, sizes: &Sizes) -> Tensor {
    let places = [sizes.m, sizes.n].map(|rows| (0..rows).map(|row| row as f32).collect());
    penalties_at(gpu, position, sizes.heads, std::iter::once(places))
}
