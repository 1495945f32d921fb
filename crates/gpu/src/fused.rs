//! The attend stage in one dispatch per tile, if neither scores nor weights are requested.

use crate::batch::Batch;
use crate::mask::words;
use crate::pool::Use;
use crate::results::Tile;
use crate::tensor::vectors;
use crate::tiles::Attend;
use crate::uniforms::Fused;
use crate::{GpuError, Kernel, Tier};
use attention::Request;
use attention::plan::{Operation, Plan, Stage};

/// Columns of values that a workgroup has room for.
const MOST_COLUMNS: usize = 64;

/// Whether the fused kernel can compute `request`, whose plan is `plan`, but for rows whose scores are large.
pub(super) fn applies(tier: Tier, plan: &Plan, request: &Request) -> bool {
    let (call, sizes) = (request.call(), request.sizes());
    let want = call.want;
    let mut steps = plan.stage(Stage::Attend);
    Kernel::FusedAttention.is_used(tier)
        && steps.all(|step| is_fused(step.operation))
        // Hidden scores are left out; there is no other number for them.
        && call.masked_score.is_none()
        && (want.context || want.output)
        && !(want.scores || want.weights || want.stats)
        && sizes.d_v <= MOST_COLUMNS
}

/// Whether the kernel does a step of the attend stage.
const fn is_fused(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::DotScores
            | Operation::Scale
            | Operation::Mask
            | Operation::Softmax
            | Operation::WeightedSum
    )
}

impl Attend<'_> {
    /// Scores, weights and weighted sum of a tile.
    pub(super) fn fused_tile(&self, batch: &mut Batch, tile: Tile) -> Result<(), GpuError> {
        let (Some(q), Some(k), Some(v), Some(context)) = (
            &self.inputs.q,
            self.inputs.keys(),
            self.inputs.values(),
            self.context,
        ) else {
            return Ok(());
        };
        let visible = self.visible(batch, tile)?;
        let uniform = self.fused(tile, visible.is_some());
        let unused = batch.gpu().take(Use::Storage, 0);
        let buffers = [
            &q.buffer,
            &k.buffer,
            &v.buffer,
            visible.as_ref().unwrap_or(&unused),
            &context.buffer,
        ];
        let extent = [self.request.sizes().d_v, tile.rows, tile.slices];
        batch.dispatch(
            Kernel::FusedAttention,
            uniform,
            &buffers,
            extent.map(|length| length as u64),
        )?;
        batch.hold_until_submit(unused);
        visible
            .into_iter()
            .for_each(|bits| batch.hold_until_submit(bits));
        Ok(())
    }

    fn fused(&self, tile: Tile, is_masked: bool) -> Fused {
        let sizes = self.request.sizes();
        let softmax = self.rows(tile, is_masked, false);
        Fused {
            rows: softmax.rows,
            keys: softmax.keys,
            n: sizes.n as u32,
            heads: sizes.heads as u32,
            group: self.sharing() as u32,
            kv_heads: sizes.kv_heads as u32,
            first_slice: tile.first_slice as u32,
            first_row: tile.first_row as u32,
            inner: vectors(sizes.d_k) as u32,
            across: vectors(sizes.d_v) as u32,
            words: words(sizes.keys) as u32,
            mask_slice: softmax.mask_slice,
            masked: softmax.masked,
            causal: softmax.causal,
            factor: self.request.config().scale,
            sharpness: softmax.sharpness,
            least: softmax.least,
            share: 1.0 / sizes.keys.next_power_of_two() as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use attention::{
        CallOptions, Config, HeadInputs, LayerOptions, Mask, Outputs, Position, Scoring,
    };
    use ndarray::Array3;

    use super::*;

    fn request(want: Outputs, masked_score: Option<f32>) -> Request {
        let inputs = HeadInputs {
            q: Array3::zeros((1, 3, 2)),
            k: Array3::zeros((1, 5, 2)),
            v: Array3::zeros((1, 5, 7)),
            additive: None,
            output: None,
        };
        let call = CallOptions {
            want,
            mask: Mask::Causal,
            masked_score,
            ..CallOptions::default()
        };
        Request::from_heads(inputs, LayerOptions::default(), call).expect("valid")
    }

    const CONTEXT: Outputs = Outputs {
        context: true,
        ..Outputs::NOTHING
    };

    /// A step that the kernel does not do cannot be left out by mistake: the plan alone says which there are.
    #[test]
    fn it_takes_a_plan_of_steps_that_it_does_and_no_other() {
        let request = request(CONTEXT, None);
        let applies_to = |config: Config| {
            let plan = Plan::for_results(&config, &CONTEXT);
            applies(Tier::Hardware, &plan, &request)
        };
        let plain = *request.config();
        assert!(plain.masked && applies_to(plain));
        let others = [
            Config {
                scoring: Scoring::Additive,
                ..plain
            },
            Config {
                position: Position::ALIBI,
                ..plain
            },
            Config {
                mask_after: true,
                ..plain
            },
        ];
        for config in others {
            assert!(!applies_to(config), "{config:?}");
        }
    }

    #[test]
    fn it_is_for_cards_and_for_context_and_output_alone() {
        let applies = |tier, want, masked_score| {
            let request = request(want, masked_score);
            let plan = Plan::for_results(request.config(), &want);
            super::applies(tier, &plan, &request)
        };
        assert!(applies(Tier::Hardware, CONTEXT, None));
        assert!(!applies(Tier::Software, CONTEXT, None));
        assert!(!applies(Tier::Hardware, CONTEXT, Some(-1.0)));
        assert!(!applies(Tier::Hardware, Outputs::ALL, None));
        assert!(!applies(Tier::Hardware, Outputs::NOTHING, None));
    }
}
