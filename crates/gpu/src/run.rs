//! Executes a plan on the device, one submission at a time.

use std::sync::Arc;

use ndarray::Array2;

use crate::batch::{Batch, Submitted};
use crate::double_f32::{Wide, are_large};
use crate::inputs::{Inputs, longest};
use crate::mask::DeviceMask;
use crate::matmul_layout::Operand;
use crate::pool::Use;
use crate::results::{Results, Target, Tile};
use crate::tensor::{Tensor, bytes, vectors};
use crate::tiles::{self, Attend};
use crate::uniforms::{Product, Vectors};
use crate::{Gpu, GpuError, Kernel};
use attention::plan::{Operation, Plan, RowSink, Stage};
use attention::{Error, Mask, Request, Trace};

/// Numbers of queries and keys up to which their rounding counts no more than that of tanh.
const PLAIN_COLUMN: f32 = 4.0;

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
    is_wide: bool,
    /// Queries and keys in twice the precision, made with the first tile that needs them.
    wide: Option<Wide>,
    /// What ALiBi takes off a score for each step away, for each head.
    penalties: Option<Tensor>,
    context: Option<Tensor>,
    results: Results,
    next: Next,
}

#[derive(Clone, Copy)]
enum Next {
    Prepare,
    Tile(Tile),
    /// What is left where there are no tiles.
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
        check_limits(gpu, &request)?;
        Ok(Self {
            gpu: gpu.clone(),
            plan: Plan::for_results(request.config(), &request.call().want),
            results: Results::new(&request)?,
            request,
            inputs: None,
            mask: None,
            is_wide: false,
            wide: None,
            penalties: None,
            context: None,
            next: Next::Prepare,
        })
    }

    /// Makes one submission and reads its results back; `false` when the run is done.
    ///
    /// # Errors
    /// A [`GpuError`]; the run cannot go on after it.
    pub async fn advance(&mut self, sink: &mut dyn RowSink) -> Result<bool, GpuError> {
        let gpu = self.gpu.clone();
        let submitted = gpu.with_error_scopes(|| self.submit()).await?;
        for (target, arrived) in submitted.arrive().await? {
            self.results.take(target, arrived, sink)?;
        }
        self.next = self.after(sink)?;
        Ok(!matches!(self.next, Next::Done))
    }

    /// The results, once [`advance`](Self::advance) has returned `false`.
    pub fn finish(self) -> Trace<f32> {
        self.results.into_trace()
    }

    fn submit(&mut self) -> Result<Submitted, GpuError> {
        let mut batch = Batch::new(&self.gpu);
        match self.next {
            Next::Prepare => self.prepare(&mut batch)?,
            Next::Tile(tile) => {
                if let (true, None, Some(inputs)) = (self.is_wide, &self.wide, &self.inputs) {
                    self.wide = Some(Wide::new(&mut batch, &self.request, inputs)?);
                }
                self.tile(&mut batch, tile)?;
                if self.next_tile(Some(tile)).is_none() {
                    self.end(&mut batch)?;
                }
            }
            Next::Finish => self.end(&mut batch)?,
            Next::Done => {}
        }
        Ok(batch.submit())
    }

    /// Where to go on, once the results of a step are there.
    fn after(&mut self, sink: &mut dyn RowSink) -> Result<Next, GpuError> {
        let sizes = *self.request.sizes();
        let attends = self.plan.stage(Stage::Attend).next().is_some();
        Ok(match self.next {
            Next::Prepare => {
                self.is_wide = attends && self.may_be_large()?;
                match self.next_tile(None) {
                    Some(tile) if attends => Next::Tile(tile),
                    _ => Next::Finish,
                }
            }
            Next::Tile(tile) => {
                if sizes.keys == 0 {
                    tile.emit_rows(&sizes, &[], sink);
                }
                self.next_tile(Some(tile)).map_or(Next::Done, Next::Tile)
            }
            Next::Finish | Next::Done => Next::Done,
        })
    }

    fn next_tile(&self, before: Option<Tile>) -> Option<Tile> {
        tiles::next(&self.gpu, self.request.config(), self.is_wide, before)
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
        if has(Operation::Bias) {
            self.penalties = Some(self.penalties());
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
        if self.plan.stage(Stage::Attend).next().is_some() {
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
        let (position, heads) = (self.request.config().position, self.request.sizes().heads);
        let each =
            Array2::from_shape_fn((1, heads), |(_, head)| position.penalty(head, heads) as f32);
        Tensor::of_matrix(&self.gpu, each.view())
    }

    /// Whether scores may be too large for 32 bit.
    fn may_be_large(&self) -> Result<bool, GpuError> {
        let [query, key] = self.results.longest;
        for (field, length) in [("q", query), ("k", key)] {
            if !length.is_finite() {
                return Err(Error::beyond_range(field, length).into());
            }
        }
        let config = self.request.config();
        let bound = match self.request.additive() {
            Some(w_a) => {
                // What large columns lack in 32 bit is still there where a query and a key take each other away.
                let column = (query + key) / (config.sizes.d_k as f32).sqrt();
                let total: f32 = w_a.iter().map(|a| a.abs()).sum();
                total * (column / PLAIN_COLUMN).max(1.0)
            }
            None => query * key * config.scale.abs(),
        };
        Ok(are_large(bound / config.temperature))
    }

    fn tile(&self, batch: &mut Batch, tile: Tile) -> Result<(), GpuError> {
        let Some(inputs) = &self.inputs else {
            return Ok(());
        };
        let attend = Attend {
            request: &self.request,
            plan: &self.plan,
            inputs,
            mask: self.mask.as_ref(),
            wide: self.wide.as_ref(),
            penalties: self.penalties.as_ref(),
            context: self.context.as_ref(),
        };
        attend.tile(batch, tile)
    }

    /// Every step of the finish stage, and what is left to read.
    fn end(&self, batch: &mut Batch) -> Result<(), GpuError> {
        let Some(context) = &self.context else {
            return Ok(());
        };
        let want = self.request.call().want;
        batch.read_if(want.context, Target::Context, context);
        let mut merged = None;
        for step in self.plan.stage(Stage::Finish) {
            match (step.operation, &merged) {
                (Operation::MergeHeads, _) => merged = Some(self.merge_heads(batch, context)?),
                (Operation::ProjectOutput, Some(merged)) => {
                    self.project_output(batch, merged)?;
                }
                _ => unreachable!("heads are merged before they are projected"),
            }
        }
        let Some(merged) = merged else {
            return Ok(());
        };
        if self.request.output().is_none() {
            let width = self.request.sizes().d_v;
            batch.read_if(want.output, Target::Output { width }, &merged);
        }
        batch.hold_until_submit(merged.buffer);
        Ok(())
    }

    /// `[batch, heads, n, d_v]` → `[batch, n, heads, d_v]`.
    fn merge_heads(&self, batch: &mut Batch, context: &Tensor) -> Result<Tensor, GpuError> {
        let sizes = self.request.sizes();
        let merged = Tensor::new(&self.gpu, context.rows, context.width);
        let uniform = Vectors {
            count: (context.rows * context.stride()) as u32,
            rows: sizes.n as u32,
            heads: sizes.heads as u32,
            width: context.stride() as u32,
            zero: 0,
        };
        batch.dispatch(
            Kernel::MergeHeads,
            uniform,
            &[&context.buffer, &merged.buffer],
            [u64::from(uniform.count), 1, 1],
        )?;
        Ok(merged)
    }

    fn project_output(&self, batch: &mut Batch, merged: &Tensor) -> Result<(), GpuError> {
        let Some(map) = self
            .inputs
            .as_ref()
            .and_then(|inputs| inputs.weights.output.as_ref())
        else {
            return Ok(());
        };
        let sizes = self.request.sizes();
        let (heads, d_v) = (sizes.heads, vectors(sizes.d_v));
        let output = Tensor::new(&self.gpu, sizes.batch * sizes.n, sizes.d_out);
        let width = heads * d_v;
        let strides = [width, map.w.stride(), output.stride()];
        let lengths = [output.rows, 4 * width, sizes.d_out];
        let uniform = Product {
            flags: if map.b.is_some() { Product::BIAS } else { 0 },
            ..Product::new(lengths, 1, strides.map(Operand::shared))
        };
        let bias = map.b.as_ref().unwrap_or(merged);
        batch.dispatch(
            Kernel::Product,
            uniform,
            &[&merged.buffer, &map.w.buffer, &bias.buffer, &output.buffer],
            uniform.extent(1),
        )?;
        let target = Target::Output { width: sizes.d_out };
        batch.read_if(self.request.call().want.output, target, &output);
        batch.hold_until_submit(output.buffer);
        Ok(())
    }
}

/// Refuses tensors that no splitting makes small enough: everything but scores and weights lies on the device whole.
fn check_limits(gpu: &Gpu, request: &Request) -> Result<(), GpuError> {
    let s = request.sizes();
    let linformer_columns = request.call().linformer.as_ref().map_or(0, |_| s.m);
    let d_model = s.d_model.unwrap_or(0);
    let tensors = [
        ("queries", s.batch * s.n, d_model),
        ("keys_values", s.batch * s.m, d_model),
        ("w_q", d_model, s.heads * s.d_k.next_multiple_of(4)),
        ("w_k", d_model, s.kv_heads * s.d_k.next_multiple_of(4)),
        ("w_v", d_model, s.kv_heads * s.d_v.next_multiple_of(4)),
        ("w_o", s.heads * s.d_v.next_multiple_of(4), s.d_out),
        ("q", s.batch * s.heads * s.n, s.d_k),
        ("k", s.batch * s.kv_heads * s.m.max(s.keys), s.d_k),
        ("v", s.batch * s.kv_heads * s.m.max(s.keys), s.d_v),
        ("linformer", s.keys, linformer_columns),
        ("context", s.batch * s.heads * s.n, s.d_v),
        ("output", s.batch * s.n, s.d_out),
        ("a row of scores", 1, s.keys),
    ];
    let most = gpu.largest_tensor();
    for (name, rows, width) in tensors {
        let needs = bytes(rows, width);
        if needs > most {
            let words =
                format!("{name} needs {needs} bytes in one piece, the device allows {most}");
            return Err(GpuError::TooLarge(words));
        }
    }
    Ok(())
}
