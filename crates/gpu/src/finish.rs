//! The finish stage: the heads side by side, and W_O.

use crate::batch::Batch;
use crate::matmul_layout::Operand;
use crate::results::Target;
use crate::tensor::{Tensor, vectors};
use crate::uniforms::{Product, Vectors};
use crate::weights::Projection;
use crate::{GpuError, Kernel};
use attention::Request;
use attention::plan::{Operation, Plan, Stage};

/// Inputs of the finish stage.
pub(super) struct Finish<'a> {
    pub(super) request: &'a Request,
    pub(super) plan: &'a Plan,
    /// W_O, where there is one.
    pub(super) output: Option<&'a Projection>,
    /// `[batch·heads·n, d_v]`.
    pub(super) context: &'a Tensor,
}

impl Finish<'_> {
    /// Records every step of the finish stage, and the reads of its results.
    pub(super) fn steps(&self, batch: &mut Batch) -> Result<(), GpuError> {
        let context = self.context;
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
        let merged = Tensor::new(batch.gpu(), context.rows, context.width);
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
        let Some(map) = self.output else {
            return Ok(());
        };
        let sizes = self.request.sizes();
        let (heads, d_v) = (sizes.heads, vectors(sizes.d_v));
        let output = Tensor::new(batch.gpu(), sizes.batch * sizes.n, sizes.d_out);
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
