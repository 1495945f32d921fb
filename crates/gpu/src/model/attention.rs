//! The attention of a layer, all heads and sequences at once, and its gradient.

use super::DeviceModel;
use super::layer_context::{LayerContext, RotaryTables};
use super::operations::{cap, heads_operand, join_heads, split_heads};
use super::pass::Inputs;
use super::recorder::{Awaited, Recorder, Rows};
use crate::inputs::{longest, positions};
use crate::pool::Use;
use crate::tensor::Tensor;
use crate::tiles::NOTHING;
use crate::uniforms::{Product, Rows as RowsUniform, Vectors};
use crate::{GpuError, Kernel, mask};
use attention::Pairs;
use model::{LinearSlots, NormSlots, Slot};

/// What has been computed of a layer's attention.
pub(super) struct SavedAttention {
    pub(super) x: Rows,
    /// `[batch·heads·n, d_k]` and `[batch·kv_heads·n, d_k]`, as they enter the scores.
    pub(super) q: Rows,
    pub(super) k: Rows,
    pub(super) v: Rows,
    /// Queries and keys before their norms, where they have any.
    pub(super) raw: Option<[Rows; 2]>,
    /// `[batch·heads·n, n]`.
    pub(super) weights: Rows,
    /// Scores after their cap, where that is needed and there is one.
    pub(super) capped: Option<Rows>,
    /// `[batch·n, heads·d_k]`.
    pub(super) merged: Rows,
    pub(super) longest: [Awaited; 2],
}

impl DeviceModel {
    /// The output `[batch·n, d_model]`, and what it was made of.
    pub(super) fn attend(
        &self,
        recorder: &mut Recorder,
        inputs: &Inputs,
        layer: usize,
        x: &Rows,
        saves: bool,
    ) -> Result<(Rows, SavedAttention), GpuError> {
        let (slots, layer_context) = (self.attention[layer], inputs.layer_contexts[layer].clone());
        let (c, n) = (&self.config, inputs.n);
        let [q_scale, k_scale] = slots
            .head_norms
            .map_or([None, None], |norms| norms.map(Some));
        let queries = (slots.query, c.heads, q_scale);
        let keys = (slots.key, c.kv_heads, k_scale);
        let (q, raw_q) = self.project(recorder, x, n, queries, layer_context.turning.as_ref())?;
        let (k, raw_k) = self.project(recorder, x, n, keys, layer_context.turning.as_ref())?;
        let (v, _) = self.project(recorder, x, n, (slots.value, c.kv_heads, None), None)?;
        let lengths = [&q, &k].into_iter().zip(&inputs.longest[layer]);
        for (rows, result) in lengths {
            longest(recorder.batch(), rows, &result.buffer)?;
        }
        let longest = inputs.longest[layer]
            .each_ref()
            .map(|result| recorder.read(result));
        let scores = self.scores(recorder, inputs, &q, &k)?;
        let capped = match c.score_cap.filter(|_| saves) {
            Some(limit) => Some(cap(recorder, &scores, limit)?),
            None => None,
        };
        let weights = match c.score_cap {
            Some(limit) => cap(recorder, &scores, limit)?,
            None => scores,
        };
        self.weigh(recorder, inputs, &layer_context, &weights)?;
        let context = self.weighted_sum(recorder, inputs, &layer_context, &weights, &v)?;
        let merged = join_heads(recorder, &context, [c.heads, n])?;
        let y = self.linear(recorder, &merged, slots.output)?;
        let attended = SavedAttention {
            x: x.clone(),
            q,
            k,
            v,
            raw: raw_q.zip(raw_k).map(|(q, k)| [q, k]),
            weights,
            capped,
            merged,
            longest,
        };
        Ok((y, attended))
    }

    /// Queries, keys or values of every head; and what they were before their norm.
    fn project(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        n: usize,
        (slots, heads, scale): (LinearSlots, usize, Option<Slot>),
        turning: Option<&RotaryTables>,
    ) -> Result<(Rows, Option<Rows>), GpuError> {
        let rows = self.linear(recorder, x, slots)?;
        let split = split_heads(recorder, &rows, [heads, n])?;
        let (made, raw) = match scale {
            Some(scale) => {
                let slots = NormSlots { scale, shift: None };
                (self.norm(recorder, &split, slots)?, Some(split))
            }
            None => (split, None),
        };
        if let Some(turning) = turning {
            turn(recorder, &made, turning, &turning.turns)?;
        }
        Ok((made, raw))
    }

    /// `scale·Q·Kᵀ`.
    fn scores(
        &self,
        recorder: &mut Recorder,
        inputs: &Inputs,
        q: &Rows,
        k: &Rows,
    ) -> Result<Rows, GpuError> {
        let scores = recorder.rows(q.rows, inputs.n)?;
        let uniform = Product {
            factor: self.config.scale(),
            ..self.head_product(inputs, [self.config.d_k, inputs.n], true)
        };
        let slices = inputs.batch * self.config.heads;
        recorder.product(
            Kernel::ProductTransposed,
            uniform,
            [q, k, k, &scores],
            slices,
        )?;
        Ok(scores)
    }

    /// Products of `[n, inner]` of each query head with `n` rows of its key/value head, or its own: `[n, columns]`.
    pub(super) fn head_product(
        &self,
        inputs: &Inputs,
        [inner, columns]: [usize; 2],
        shares: bool,
    ) -> Product {
        let (heads, n) = (self.config.heads, inputs.n);
        // The other side has `d_k` columns wherever products of heads are taken.
        let d_k = self.config.d_k;
        let other = match shares {
            true => heads_operand(self.config.kv_heads, n, d_k).shared_by(self.sharing()),
            false => heads_operand(heads, n, d_k),
        };
        let operands = [
            heads_operand(heads, n, inner),
            other,
            heads_operand(heads, n, columns),
        ];
        Product::new([n, inner, columns], heads, operands)
    }

    /// Query heads that share a key/value head.
    pub(super) fn sharing(&self) -> usize {
        self.config.heads / self.config.kv_heads
    }

    /// Turns scores into weights in place.
    fn weigh(
        &self,
        recorder: &mut Recorder,
        inputs: &Inputs,
        layer_context: &LayerContext,
        scores: &Rows,
    ) -> Result<(), GpuError> {
        let (n, slices) = (inputs.n, inputs.batch * self.config.heads);
        let low = match &layer_context.penalties {
            Some(penalties) => {
                let low = recorder.rows(scores.rows, n)?;
                let uniform = self.head_product(inputs, [self.config.d_k, n], true);
                let buffers = [&penalties.buffer, &scores.buffer, &low.buffer];
                let extent = uniform.extent(slices);
                let batch = recorder.batch();
                batch.dispatch(Kernel::Bias, uniform, &buffers, extent)?;
                Some(low)
            }
            None => None,
        };
        let uniform = RowsUniform {
            rows: n as u32,
            keys: n as u32,
            stride: scores.stride() as u32,
            masked: match layer_context.visible {
                Some(_) => RowsUniform::LEFT_OUT,
                None => RowsUniform::UNMASKED,
            },
            words: mask::words(n) as u32,
            mask_slice: layer_context
                .visible
                .as_ref()
                .map_or(0, |visible| visible.slice),
            wide: u32::from(low.is_some()),
            causal: u32::from(layer_context.is_causal),
            sharpness: 1.0,
            least: NOTHING,
            ..RowsUniform::default()
        };
        let unused = recorder.gpu().take(Use::Storage, 0);
        let buffers = [
            &scores.buffer,
            layer_context
                .visible
                .as_ref()
                .map_or(&unused, |visible| &visible.bits),
            low.as_ref().map_or(&unused, |low| &low.buffer),
        ];
        let batch = recorder.batch();
        batch.dispatch(
            Kernel::Softmax,
            uniform,
            &buffers,
            [n as u64, slices as u64, 1],
        )?;
        batch.hold_until_submit(unused);
        Ok(())
    }

    /// `A·V` of every head.
    fn weighted_sum(
        &self,
        recorder: &mut Recorder,
        inputs: &Inputs,
        layer_context: &LayerContext,
        weights: &Rows,
        v: &Rows,
    ) -> Result<Rows, GpuError> {
        let context = recorder.rows(weights.rows, self.config.d_k)?;
        let uniform = Product {
            flags: match layer_context.is_causal {
                true => Product::CAUSAL_INNER,
                false => 0,
            },
            ..self.head_product(inputs, [inputs.n, self.config.d_k], true)
        };
        let slices = inputs.batch * self.config.heads;
        recorder.product(Kernel::Product, uniform, [weights, v, v, &context], slices)?;
        Ok(context)
    }
}

/// Rotates rows of heads in place.
pub(super) fn turn(
    recorder: &mut Recorder,
    rows: &Rows,
    turning: &RotaryTables,
    turns: &Tensor,
) -> Result<(), GpuError> {
    let each = positions(rows, turns.rows);
    let (kernel, uniform) = match turning.rotation.pairs {
        Pairs::Neighbours => (Kernel::Rotate, each),
        Pairs::Halves => {
            let pairs = turning.rotation.pair_count(rows.width);
            let uniform = Vectors {
                count: (rows.rows * pairs) as u32,
                heads: pairs as u32,
                ..each
            };
            (Kernel::RotateHalves, uniform)
        }
    };
    let buffers = [&rows.buffer, &turns.buffer];
    let extent = [u64::from(uniform.count), 1, 1];
    recorder.batch().dispatch(kernel, uniform, &buffers, extent)
}
