//! Executes a plan one step or tile at a time, so that a caller can stop or interleave runs in between.

use std::sync::Arc;

use super::buffers::Tensors;
use super::share::Share;
use super::tile::Tile;
use crate::plan::{Operation, Plan, RowSink, Stage, tile_rows};
use crate::{Error, Request, Trace};

/// A run in progress.
///
/// Memory is linear in `n` and `m` unless scores or weights are wanted: a tile of query rows goes through scores,
/// mask, softmax and weighted sum before the next one starts.
pub struct Run {
    request: Arc<Request>,
    plan: Plan,
    share: Share,
    state: Tensors,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    Step(usize),
    Tile(Tile),
    Done,
}

impl Run {
    /// Prepares a run of `request`: a plan of the wanted results, and memory for them.
    ///
    /// # Errors
    /// [`Code::TooLarge`](crate::Code::TooLarge) where the wanted results would not fit into memory.
    pub fn new(request: impl Into<Arc<Request>>) -> Result<Self, Error> {
        Self::prepare(request.into(), Share::All, true)
    }

    /// [`new`](Self::new), but wanted weights go to the sink alone, and the results have none. Tensors hold the heads of `share`, in
    /// the output they are summed.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn for_sink(request: impl Into<Arc<Request>>, share: Share) -> Result<Self, Error> {
        Self::prepare(request.into(), share, false)
    }

    fn prepare(request: Arc<Request>, share: Share, stores_weights: bool) -> Result<Self, Error> {
        let plan = Plan::for_results(request.config(), &request.call().want);
        let state = Tensors::new(&request, share, stores_weights)?;
        let mut run = Self {
            request,
            plan,
            share,
            state,
            progress: Progress::Step(0),
        };
        run.progress = run.after_step(0);
        Ok(run)
    }

    /// Does the next step or tile; `false` when everything is done.
    pub fn advance(&mut self, sink: &mut dyn RowSink) -> bool {
        match self.progress {
            Progress::Done => return false,
            Progress::Step(index) => {
                let operation = self.plan.steps()[index].operation;
                self.state.run_step(operation, &self.request);
                self.progress = self.after_step(index + 1);
            }
            Progress::Tile(tile) => {
                self.attend(tile, sink);
                self.progress = self.after_tile(tile);
            }
        }
        !matches!(self.progress, Progress::Done)
    }

    /// The results, once [`advance`](Self::advance) has returned `false`.
    pub fn finish(self) -> Trace<f32> {
        self.state.into_trace(&self.request)
    }

    /// Where to go on from step `index`: tiles stand for all steps of the attend stage together.
    fn after_step(&self, index: usize) -> Progress {
        match self.plan.steps().get(index) {
            None => Progress::Done,
            Some(step) if step.operation.stage() == Stage::Attend => self.first_tile(),
            Some(_) => Progress::Step(index),
        }
    }

    fn first_tile(&self) -> Progress {
        let sizes = self.request.sizes();
        if sizes.batch == 0 || sizes.n == 0 {
            return self.after_tiles();
        }
        Progress::Tile(self.first_tile_of(0, self.share.heads(sizes.heads).start))
    }

    fn first_tile_of(&self, batch: usize, head: usize) -> Tile {
        let sizes = self.request.sizes();
        Tile {
            batch,
            head,
            first: 0,
            rows: tile_rows(sizes.keys).min(sizes.n),
        }
    }

    fn after_tile(&self, tile: Tile) -> Progress {
        let sizes = self.request.sizes();
        let first = tile.first + tile.rows;
        if first < sizes.n {
            return Progress::Tile(Tile {
                first,
                rows: tile_rows(sizes.keys).min(sizes.n - first),
                ..tile
            });
        }
        let heads = self.share.heads(sizes.heads);
        let (head, batch) = if tile.head + 1 < heads.end {
            (tile.head + 1, tile.batch)
        } else {
            (heads.start, tile.batch + 1)
        };
        if batch == sizes.batch {
            return self.after_tiles();
        }
        Progress::Tile(self.first_tile_of(batch, head))
    }

    fn after_tiles(&self) -> Progress {
        let finish = self
            .plan
            .steps()
            .iter()
            .position(|step| step.operation.stage() == Stage::Finish);
        finish.map_or(Progress::Done, Progress::Step)
    }

    /// Operation after which the weights are final.
    fn ends_weights(&self) -> Operation {
        let config = self.request.config();
        if config.masked && config.mask_after {
            Operation::HideWeights
        } else {
            Operation::Softmax
        }
    }

    fn attend(&mut self, tile: Tile, sink: &mut dyn RowSink) {
        self.state.scratch.start(tile, &self.request);
        let mut scored = false;
        for step in self.plan.stage(Stage::Attend) {
            // Scores are kept as they stand when everything but the mask has been done to them.
            if !scored && matches!(step.operation, Operation::Mask | Operation::Softmax) {
                self.state.keep_scores();
                scored = true;
            }
            self.state
                .run_tile_step(step.operation, tile, &self.request);
            if step.operation == self.ends_weights() {
                self.state.keep_weights(tile, sink);
            }
        }
        if !scored {
            self.state.keep_scores();
        }
    }
}
