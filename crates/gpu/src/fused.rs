//! The attend stage in one dispatch for each tile, where neither scores nor weights are looked at.

use crate::batch::Batch;
use crate::mask::words;
use crate::pool::Use;
use crate::results::Tile;
use crate::tensor::vectors;
use crate::tiles::Attend;
use crate::uniforms::Fused;
use crate::{GpuError, Kernel, Tier};
use attention::{Position, Request, Scoring};

/// Columns of values that a workgroup has room for.
const MOST_COLUMNS: usize = 64;

/// Whether the fused kernel can compute `request`, as long as its scores are not large: it makes dot products that a mask
/// leaves out, and nothing else.
pub(super) fn applies(tier: Tier, request: &Request) -> bool {
    let (config, call) = (request.config(), request.call());
    let want = call.want;
    let is_plain = config.scoring == Scoring::Dot
        && !matches!(config.position, Position::Alibi { .. })
        && call.masked_score.is_none()
        && !call.mask_after;
    Kernel::FusedAttention.is_used(tier)
        && is_plain
        && (want.context || want.output)
        && !(want.scores || want.weights || want.stats)
        && config.sizes.d_v <= MOST_COLUMNS
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
