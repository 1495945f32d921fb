//! What layers need besides their numbers: which cells are visible, how far rows are turned, and what distance takes off.

use std::rc::Rc;

use super::DeviceModel;
use super::recorder::{Recorder, Rows};
use crate::inputs::turns;
use crate::mask::{DeviceMask, words};
use crate::pool::{Buffer, Use};
use crate::run::penalties;
use crate::tensor::Tensor;
use crate::uniforms::Cells;
use crate::{GpuError, Kernel};
use attention::{Mask, Position, Rotation, Sizes};
use model::{Model, Words};

/// What layers of one kind share.
pub(super) struct Guide {
    pub(super) is_causal: bool,
    pub(super) visible: Option<Visible>,
    pub(super) turning: Option<Turning>,
    pub(super) penalties: Option<Tensor>,
}

/// Cells as bits.
pub(super) struct Visible {
    pub(super) bits: Buffer,
    /// Words from one slice to the next; 0 where all share them.
    pub(super) slice: u32,
}

/// How queries and keys are rotated, and back.
pub(super) struct Turning {
    pub(super) rotation: Rotation,
    pub(super) turns: Tensor,
    pub(super) back: Tensor,
}

/// A mask that is on its way.
struct Uploaded {
    mask: DeviceMask,
    uniform: Cells,
    bits: Buffer,
}

impl DeviceModel {
    /// The guides of all layers. Uploads come before what is ordered.
    pub(super) fn guides(
        &self,
        recorder: &mut Recorder,
        model: &Model,
        words: &Words,
    ) -> Result<Vec<Rc<Guide>>, GpuError> {
        let sizes = self.sizes(words);
        let mut kinds: Vec<((Mask, Position, bool), Guide)> = Vec::new();
        let mut masks = Vec::new();
        let mut of_layer = Vec::with_capacity(self.config.layers);
        for layer in 0..self.config.layers {
            let kind = (
                model.layer_mask(layer, sizes.n),
                self.config.position_in(layer),
                self.config.divides_angles(layer),
            );
            let known = kinds.iter().position(|(other, _)| *other == kind);
            let place = match known {
                Some(place) => place,
                None => {
                    let (guide, mask) = self.guide(recorder, model, (layer, &kind.0), &sizes)?;
                    masks.extend(mask.map(|mask| (kinds.len(), mask)));
                    kinds.push((kind, guide));
                    kinds.len() - 1
                }
            };
            of_layer.push(place);
        }
        for (
            place,
            Uploaded {
                mask,
                uniform,
                bits,
            },
        ) in masks
        {
            let count = u64::from(uniform.slices * uniform.rows * uniform.words);
            let buffers = [&mask.program, &mask.painted, &bits];
            let batch = recorder.batch();
            batch.dispatch(Kernel::Mask, uniform, &buffers, [count, 1, 1])?;
            batch.hold_until_submit(mask.program);
            batch.hold_until_submit(mask.painted);
            let slice = if mask.has_slices {
                uniform.rows * uniform.words
            } else {
                0
            };
            kinds[place].1.visible = Some(Visible { bits, slice });
        }
        let guides: Vec<_> = kinds.into_iter().map(|(_, guide)| Rc::new(guide)).collect();
        Ok(of_layer
            .into_iter()
            .map(|place| guides[place].clone())
            .collect())
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

    fn guide(
        &self,
        recorder: &Recorder,
        model: &Model,
        (layer, mask): (usize, &Mask),
        sizes: &Sizes,
    ) -> Result<(Guide, Option<Uploaded>), GpuError> {
        let gpu = recorder.gpu();
        let uploaded = match mask {
            Mask::Full | Mask::Causal => None,
            mask => {
                let device = DeviceMask::new(gpu, mask, sizes)?;
                let uniform = Cells {
                    rows: sizes.n as u32,
                    keys: sizes.keys as u32,
                    words: words(sizes.keys) as u32,
                    slices: if device.has_slices {
                        (sizes.batch * sizes.heads) as u32
                    } else {
                        1
                    },
                    heads: sizes.heads as u32,
                    operations: device.operations as u32,
                    ..Cells::default()
                };
                let count = u64::from(uniform.slices * uniform.rows * uniform.words);
                let bits = gpu.take(Use::Storage, 4 * count);
                Some(Uploaded {
                    mask: device,
                    uniform,
                    bits,
                })
            }
        };
        let position = self.config.position_in(layer);
        let guide = Guide {
            is_causal: mask.is_causal(),
            visible: None,
            turning: position
                .rotation()
                .map(|rotation| self.turning(recorder, model, (layer, rotation), sizes)),
            penalties: position
                .has_penalty()
                .then(|| penalties(gpu, position, sizes)),
        };
        Ok((guide, uploaded))
    }

    fn turning(
        &self,
        recorder: &Recorder,
        model: &Model,
        (layer, rotation): (usize, Rotation),
        sizes: &Sizes,
    ) -> Turning {
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
        Turning {
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
