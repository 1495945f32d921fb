//! What layers need besides their numbers: masks, rotary tables and ALiBi penalties.

use std::rc::Rc;

use super::DeviceModel;
use super::recorder::{Recorder, Rows};
use crate::inputs::turns;
use crate::mask::{DeviceMask, words};
use crate::pool::Buffer;
use crate::results::Tile;
use crate::run::penalties;
use crate::tensor::Tensor;
use crate::{GpuError, tiles};
use attention::{Mask, Position, Rotation, Sizes};
use model::{Model, Words};

/// Mask, rotary tables and ALiBi penalties of layers that have the same ones.
pub(super) struct LayerContext {
    pub(super) is_causal: bool,
    pub(super) visible: Option<MaskBits>,
    pub(super) turning: Option<RotaryTables>,
    pub(super) penalties: Option<Tensor>,
}

/// Visible cells as bits.
pub(super) struct MaskBits {
    pub(super) bits: Buffer,
    /// Words from one slice to the next; 0 where all share them.
    pub(super) slice: u32,
}

/// Cosines and sines that rotate queries and keys, and those that rotate their gradients back.
pub(super) struct RotaryTables {
    pub(super) rotation: Rotation,
    pub(super) turns: Tensor,
    pub(super) back: Tensor,
}

impl DeviceModel {
    /// The contexts of all layers; layers with equal masks and positions share one.
    pub(super) fn layer_contexts(
        &self,
        recorder: &mut Recorder,
        model: &Model,
        words: &Words,
    ) -> Result<Vec<Rc<LayerContext>>, GpuError> {
        let sizes = self.sizes(words);
        let mut kinds: Vec<((Mask, Position, bool), Rc<LayerContext>)> = Vec::new();
        let mut layer_contexts = Vec::with_capacity(self.config.layers);
        for layer in 0..self.config.layers {
            let kind = (
                model.layer_mask(layer, sizes.n),
                self.config.position_in(layer),
                self.config.divides_angles(layer),
            );
            let known = kinds.iter().find(|(other, _)| *other == kind);
            let layer_context = match known {
                Some((_, layer_context)) => layer_context.clone(),
                None => {
                    let layer_context =
                        self.layer_context(recorder, model, (layer, &kind.0), &sizes)?;
                    let layer_context = Rc::new(layer_context);
                    kinds.push((kind, layer_context.clone()));
                    layer_context
                }
            };
            layer_contexts.push(layer_context);
        }
        Ok(layer_contexts)
    }

    fn sizes(&self, words: &Words) -> Sizes {
        let (c, n) = (&self.config, words.length());
        Sizes {
            batch: words.batch(),
            heads: c.heads,
            kv_heads: c.kv_heads,
            n,
            m: n,
            keys: n,
            d_model: Some(c.d_model),
            d_k: c.d_k,
            d_v: c.d_k,
            d_out: c.d_model,
        }
    }

    fn layer_context(
        &self,
        recorder: &mut Recorder,
        model: &Model,
        (layer, mask): (usize, &Mask),
        sizes: &Sizes,
    ) -> Result<LayerContext, GpuError> {
        let position = self.config.position_in(layer);
        Ok(LayerContext {
            is_causal: mask.is_causal(),
            turning: position
                .rotation()
                .map(|rotation| self.turning(recorder, model, (layer, rotation), sizes)),
            penalties: position
                .has_penalty()
                .then(|| penalties(recorder.gpu(), position, sizes)),
            visible: match mask {
                Mask::Full | Mask::Causal => None,
                mask => Some(visible(recorder, mask, sizes)?),
            },
        })
    }

    fn turning(
        &self,
        recorder: &Recorder,
        model: &Model,
        (layer, rotation): (usize, Rotation),
        sizes: &Sizes,
    ) -> RotaryTables {
        let divisors = self.attention[layer].divisors.map(|slot| {
            let mut divisors = vec![0.0; slot.columns];
            model.lines(slot.tensor, 0..1, &mut divisors);
            divisors
        });
        let tensor = |direction: i64| {
            let places: Vec<i64> = (0..sizes.n as i64).map(|place| direction * place).collect();
            let exact = turns(&places, rotation, divisors.as_deref(), sizes.d_k);
            Tensor::of_matrix(recorder.gpu(), exact.mapv(|x| x as f32).view())
        };
        RotaryTables {
            rotation,
            turns: tensor(1),
            back: tensor(-1),
        }
    }

    /// The vectors of places that are no numbers of the model.
    pub(super) fn sinusoids(&self, recorder: &Recorder, model: &Model, n: usize) -> Option<Rows> {
        let rows = model.sinusoids(n)?;
        let shape = (n, self.config.d_model);
        let matrix = ndarray::ArrayView2::from_shape(shape, &rows).ok()?;
        Some(Rc::new(Tensor::of_matrix(recorder.gpu(), matrix)))
    }
}

fn visible(recorder: &mut Recorder, mask: &Mask, sizes: &Sizes) -> Result<MaskBits, GpuError> {
    let mask = DeviceMask::new(recorder.gpu(), mask, sizes)?;
    let all = Tile {
        first_slice: 0,
        slices: sizes.batch * sizes.heads,
        first_row: 0,
        rows: sizes.n,
    };
    let bits = tiles::mask_bits(recorder.batch(), &mask, all, sizes)?;
    let slice = match mask.has_slices {
        true => (sizes.n * words(sizes.keys)) as u32,
        false => 0,
    };
    // What is uploaded for another layer must not take their memory before this is done.
    recorder.batch().hold_until_submit(mask.program);
    recorder.batch().hold_until_submit(mask.painted);
    Ok(MaskBits { bits, slice })
}
