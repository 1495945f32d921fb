//! The attend stage, tile by tile; all quadratic results are made here.

use std::ops::Range;

use crate::batch::Batch;
use crate::double_f32::{self, Wide};
use crate::inputs::Inputs;
use crate::mask::{DeviceMask, words};
use crate::matmul_layout::Operand;
use crate::measures;
use crate::packing::Packing;
use crate::pool::{Buffer, Use};
use crate::results::{Target, Tile};
use crate::tensor::{Tensor, vectors};
use crate::uniforms::{Cells, Measure, Pack, Product, Rows};
use crate::{GpuError, Kernel};
use attention::plan::{Operation, Plan, Stage};
use attention::{CellIndex, Request, Sizes};

/// Rows of so many keys come back whole where a tile is then one piece: a copy for each row takes longer than what it saves.
const SHORT_ROW: usize = 64;

/// A difference of scores whose exponential is exactly 0, as in `softmax.wgsl`.
pub(super) const NOTHING: f32 = -1000.0;

/// Data shared by the tiles.
pub(super) struct Attend<'a> {
    pub(super) request: &'a Request,
    pub(super) plan: &'a Plan,
    pub(super) inputs: &'a Inputs,
    pub(super) mask: Option<&'a DeviceMask>,
    /// Inputs of the tile's rows that need twice the precision, if there are any.
    pub(super) wide: Option<&'a Wide>,
    /// ALiBi: slopes of the heads and places of the rows.
    pub(super) penalties: Option<&'a Tensor>,
    /// Numbers that are added to the scores.
    pub(super) bias: Option<&'a Tensor>,
    /// `[batch·heads·n, d_v]`.
    pub(super) context: Option<&'a Tensor>,
    /// The only slice whose scores are read, where not all are.
    pub(super) scores_of: Option<usize>,
}

/// Scores of a tile as they are made, until they are weights.
struct Scores<'a> {
    high: Tensor,
    /// Low parts: the scores minus their 32-bit roundings.
    low: Option<Tensor>,
    /// Their inputs in twice the precision, if they need it.
    wide: Option<&'a Wide>,
}

impl Attend<'_> {
    /// Every step of the attend stage for one tile.
    pub(super) fn tile(&self, batch: &mut Batch, tile: Tile) -> Result<(), GpuError> {
        let rows = tile.slices * tile.rows;
        let keys = self.request.sizes().keys;
        // Every row is made in both ways, so that no bit of one depends on the others of its tile.
        let ways = std::iter::once(None).chain(self.wide.map(Some));
        let new = || Tensor::new(batch.gpu(), rows, keys);
        let made: Vec<_> = ways
            .map(|wide| Scores {
                high: new(),
                low: (wide.is_some() || self.penalties.is_some() || self.bias.is_some()).then(new),
                wide,
            })
            .collect();
        let scores = &made[0].high;
        let beyond = self.beyond(batch);
        let visible = self.visible(batch, tile)?;
        let weighs = if self.hides_after() {
            Operation::HideWeights
        } else {
            Operation::Softmax
        };
        let mut is_scored = false;
        for step in self.plan.stage(Stage::Attend) {
            // Scores are read as they stand when everything but the mask has been done to them.
            let hides = matches!(step.operation, Operation::Mask | Operation::Softmax);
            if hides && !is_scored {
                is_scored = true;
                self.read_scores(batch, tile, &made, beyond.as_ref())?;
            }
            match step.operation {
                Operation::DotScores => {
                    let kernels = [Kernel::ProductTransposed, Kernel::WideProductTransposed];
                    let q = self.inputs.q.as_ref();
                    self.compare(batch, tile, kernels, q, &made)?;
                }
                Operation::AdditiveScores => {
                    let kernels = [Kernel::Additive, Kernel::WideAdditive];
                    let w_a = self.inputs.weights.additive.as_ref();
                    self.compare(batch, tile, kernels, w_a, &made)?;
                }
                // The factor is applied where the scores are made; the mask where they become weights.
                Operation::Scale | Operation::Mask => {}
                Operation::Bias => self.bias(batch, tile, &made)?,
                Operation::AddBias => self.add_bias(batch, tile, &made)?,
                Operation::Softmax => {
                    self.softmax(batch, tile, &made, visible.as_ref())?;
                    self.take_large_rows(batch, tile, &made)?;
                }
                Operation::HideWeights => self.hide(batch, tile, scores, visible.as_ref())?,
                Operation::WeightedSum => self.weighted_sum(batch, tile, scores)?,
                _ => unreachable!("only steps of the attend stage run tile by tile"),
            }
            if step.operation == weighs {
                self.read_weights(batch, tile, scores, beyond.as_ref())?;
            }
        }
        if !is_scored {
            self.read_scores(batch, tile, &made, beyond.as_ref())?;
        }
        let tensors = made
            .into_iter()
            .flat_map(|scores| [Some(scores.high), scores.low]);
        let buffers = tensors.flatten().map(|tensor| tensor.buffer);
        buffers
            .chain(visible)
            .chain(beyond)
            .for_each(|buffer| batch.hold_until_submit(buffer));
        Ok(())
    }

    /// A number beyond the range of the scores, and one of the weights, where either is read.
    fn beyond(&self, batch: &mut Batch) -> Option<Buffer> {
        let want = self.request.call().want;
        (want.scores || want.weights).then(|| {
            let beyond = batch.gpu().take(Use::Storage, 8);
            batch.clear(&beyond);
            batch.read(Target::Beyond, &beyond, 8);
            beyond
        })
    }

    fn read_scores(
        &self,
        batch: &mut Batch,
        tile: Tile,
        made: &[Scores],
        beyond: Option<&Buffer>,
    ) -> Result<(), GpuError> {
        let read = match self.scores_of {
            Some(slice) => tile.of_slice(slice),
            None => Some(tile),
        };
        let (Some(read), Some(beyond)) = (read, beyond) else {
            return Ok(());
        };
        if !self.request.call().want.scores {
            return Ok(());
        }
        self.take_large_rows(batch, tile, made)?;
        let keys = self.request.sizes().keys;
        let packing = Packing::new(read.slices, keys, vec![0..keys; read.rows]);
        let first_slice = read.first_slice - tile.first_slice;
        pack(
            batch,
            (&packing, first_slice),
            &made[0].high,
            (beyond, 0),
            Target::Scores(read, packing.clone()),
        )
    }

    /// Reads what is wanted of the weights of a tile.
    fn read_weights(
        &self,
        batch: &mut Batch,
        tile: Tile,
        weights: &Tensor,
        beyond: Option<&Buffer>,
    ) -> Result<(), GpuError> {
        let want = self.request.call().want;
        if let (true, Some(beyond)) = (want.weights, beyond) {
            let keys = self.request.sizes().keys;
            let packing = Packing::new(tile.slices, keys, self.returned_keys(tile));
            pack(
                batch,
                (&packing, 0),
                weights,
                (beyond, 1),
                Target::Weights(tile, packing.clone()),
            )?;
        }
        if want.stats {
            self.measure(batch, tile, weights)?;
        }
        Ok(())
    }

    /// Keys that come back, by row of a slice; the weights of others are 0.
    fn returned_keys(&self, tile: Tile) -> Vec<Range<usize>> {
        let (call, keys) = (self.request.call(), self.request.sizes().keys);
        let is_one_piece = keys <= SHORT_ROW && keys.is_multiple_of(4);
        if call.masked_score.is_some() || is_one_piece {
            return vec![0..keys; tile.rows];
        }
        let ends_at_own = call.mask.is_causal();
        let returned = |query: usize| {
            // Masks whose rows are ranges are the same for all heads.
            let first = CellIndex {
                batch: 0,
                head: 0,
                query,
                key: 0,
            };
            let end = if ends_at_own { query + 1 } else { keys };
            let visible = call.mask.visible_range(first, keys);
            visible.unwrap_or(0..end.min(keys))
        };
        let queries = tile.first_row..tile.first_row + tile.rows;
        queries.map(returned).collect()
    }

    fn measure(&self, batch: &mut Batch, tile: Tile, weights: &Tensor) -> Result<(), GpuError> {
        let rows = self.rows(tile, false, false);
        if rows.keys == 0 {
            return Ok(());
        }
        let uniform = Measure {
            rows: rows.rows,
            keys: rows.keys,
            stride: rows.stride,
            first_row: rows.first_row,
            causal: rows.causal,
        };
        let bytes = 4 * (tile.slices * tile.rows * measures::WORDS) as u64;
        let measures = batch.gpu().take(Use::Storage, bytes);
        batch.dispatch(
            Kernel::Measure,
            uniform,
            &[&weights.buffer, &measures],
            [tile.rows as u64, tile.slices as u64, 1],
        )?;
        batch.read(Target::Measures(tile), &measures, bytes);
        batch.hold_until_submit(measures);
        Ok(())
    }

    /// Puts the rows that need twice the precision in the place of those that were made without.
    fn take_large_rows(
        &self,
        batch: &mut Batch,
        tile: Tile,
        made: &[Scores],
    ) -> Result<(), GpuError> {
        let first = tile.of_all(self.request.sizes().n).start;
        match made {
            [
                plain,
                Scores {
                    high,
                    wide: Some(wide),
                    ..
                },
            ] => wide.copy_rows(batch, first, high, &plain.high),
            _ => Ok(()),
        }
    }

    fn hides_after(&self) -> bool {
        let mut steps = self.plan.stage(Stage::Attend);
        steps.any(|step| step.operation == Operation::HideWeights)
    }

    /// Cells beyond the diagonal are neither shown nor needed.
    fn skips_future(&self) -> bool {
        let call = self.request.call();
        call.masked_score.is_none() && !call.mask_after && call.mask.is_causal()
    }

    /// Scores of a tile: queries by rows of the whole sequence, keys by key/value head, the result from its beginning.
    fn scores(&self, tile: Tile) -> Product {
        let sizes = self.request.sizes();
        let (d_k, keys) = (vectors(sizes.d_k), vectors(sizes.keys));
        let skips = self.skips_future() && !self.request.call().want.scores;
        let operands = [
            Operand::of_heads(sizes.heads, sizes.n, d_k).starting_at(tile.first_row),
            Operand::of_heads(sizes.kv_heads, sizes.keys, d_k).shared_by(self.sharing()),
            Operand::of_tile(tile, sizes.heads, keys),
        ];
        let lengths = [tile.rows, sizes.d_k, sizes.keys];
        Product {
            first_slice: tile.first_slice as u32,
            factor: self.request.config().scale,
            flags: if skips { Product::CAUSAL_COLUMNS } else { 0 },
            first_row: tile.first_row as u32,
            ..Product::new(lengths, sizes.heads, operands)
        }
    }

    /// Query heads that share a key/value head.
    pub(super) fn sharing(&self) -> usize {
        let sizes = self.request.sizes();
        sizes.heads / sizes.kv_heads
    }

    /// Dot or additive scores. `third` is what the kernel reads beside queries and keys; one that reads nothing is given the
    /// queries again.
    fn compare(
        &self,
        batch: &mut Batch,
        tile: Tile,
        [plain, in_twice]: [Kernel; 2],
        third: Option<&Tensor>,
        made: &[Scores],
    ) -> Result<(), GpuError> {
        let (Some(q), Some(k), Some(third)) = (&self.inputs.q, self.inputs.keys(), third) else {
            return Ok(());
        };
        let uniform = self.scores(tile);
        made.iter()
            .try_for_each(|Scores { high, low, wide }| match (wide, low) {
                (Some(wide), Some(low)) => double_f32::product(
                    batch,
                    in_twice,
                    (uniform, tile.slices),
                    [(q, &wide.q), (k, &wide.k)],
                    third,
                    [high, low],
                ),
                _ => batch.dispatch(
                    plain,
                    uniform,
                    &[&q.buffer, &k.buffer, &third.buffer, &high.buffer],
                    uniform.extent(tile.slices),
                ),
            })
    }

    fn bias(&self, batch: &mut Batch, tile: Tile, made: &[Scores]) -> Result<(), GpuError> {
        for Scores { high, low, wide } in made {
            let (Some(penalties), Some(low)) = (self.penalties, low) else {
                continue;
            };
            let mut uniform = self.scores(tile);
            if wide.is_some() {
                uniform.flags |= Product::A_LOW;
            }
            let buffers = [&penalties.buffer, &high.buffer, &low.buffer];
            batch.dispatch(Kernel::Bias, uniform, &buffers, uniform.extent(tile.slices))?;
        }
        Ok(())
    }

    /// Adds the bias of a tile's rows. Scores from which ALiBi was subtracted have a low part already.
    fn add_bias(&self, batch: &mut Batch, tile: Tile, made: &[Scores]) -> Result<(), GpuError> {
        let (Some(bias), Some(given)) = (self.bias, &self.request.call().bias) else {
            return Ok(());
        };
        let sizes = self.request.sizes();
        let (batches, heads, _, _) = given.numbers().dim();
        for Scores { high, low, wide } in made {
            let Some(low) = low else { continue };
            let mut uniform = self.scores(tile);
            if wide.is_some() || self.penalties.is_some() {
                uniform.flags |= Product::A_LOW;
            }
            let rows = Operand::of_planes([batches, heads], sizes.n, bias.stride());
            uniform.read_b(rows.starting_at(tile.first_row));
            let buffers = [&bias.buffer, &high.buffer, &low.buffer];
            batch.dispatch(
                Kernel::AddBias,
                uniform,
                &buffers,
                uniform.extent(tile.slices),
            )?;
        }
        Ok(())
    }

    /// Which cells of a tile are visible, in bits; nothing where the kernels know it by themselves.
    pub(super) fn visible(
        &self,
        batch: &mut Batch,
        tile: Tile,
    ) -> Result<Option<Buffer>, GpuError> {
        let Some(mask) = self.mask else {
            return Ok(None);
        };
        mask_bits(batch, mask, tile, self.request.sizes()).map(Some)
    }

    pub(super) fn rows(&self, tile: Tile, is_masked: bool, is_wide: bool) -> Rows {
        let (sizes, call) = (self.request.sizes(), self.request.call());
        let words = words(sizes.keys);
        let temperature = call.temperature;
        Rows {
            rows: tile.rows as u32,
            keys: sizes.keys as u32,
            stride: vectors(sizes.keys) as u32,
            masked: match (is_masked && !call.mask_after, call.masked_score) {
                (false, _) => Rows::UNMASKED,
                (true, None) => Rows::LEFT_OUT,
                (true, Some(_)) => Rows::FILLED,
            },
            words: words as u32,
            mask_slice: if self.mask.is_some_and(|mask| mask.has_slices) {
                (tile.rows * words) as u32
            } else {
                0
            },
            wide: u32::from(is_wide),
            fill: call.masked_score.unwrap_or_default(),
            causal: u32::from(self.skips_future()),
            first_row: tile.first_row as u32,
            sharpness: 1.0 / temperature,
            least: (NOTHING * temperature).max(f32::MIN),
            zero: 0,
        }
    }

    fn softmax(
        &self,
        batch: &mut Batch,
        tile: Tile,
        made: &[Scores],
        visible: Option<&Buffer>,
    ) -> Result<(), GpuError> {
        // Scores cannot be bound twice, so what is not there is replaced by something that is read only.
        let unused = batch.gpu().take(Use::Storage, 0);
        for Scores { high, low, .. } in made {
            let uniform = self.rows(tile, visible.is_some(), low.is_some());
            let buffers = [
                &high.buffer,
                visible.unwrap_or(&unused),
                low.as_ref().map_or(&unused, |low| &low.buffer),
            ];
            let rows = if uniform.keys == 0 {
                0
            } else {
                tile.rows as u64
            };
            batch.dispatch(
                Kernel::Softmax,
                uniform,
                &buffers,
                [rows, tile.slices as u64, 1],
            )?;
        }
        batch.hold_until_submit(unused);
        Ok(())
    }

    /// Sets the weights of hidden cells to 0 after the softmax, whose sum they are part of.
    fn hide(
        &self,
        batch: &mut Batch,
        tile: Tile,
        weights: &Tensor,
        visible: Option<&Buffer>,
    ) -> Result<(), GpuError> {
        let Some(visible) = visible else {
            return Ok(());
        };
        let uniform = self.rows(tile, true, false);
        let unused = batch.gpu().take(Use::Storage, 0);
        let extent = [weights.stride(), tile.rows, tile.slices].map(|length| length as u64);
        batch.dispatch(
            Kernel::Hide,
            uniform,
            &[&weights.buffer, visible, &unused],
            extent,
        )?;
        batch.hold_until_submit(unused);
        Ok(())
    }

    fn weighted_sum(
        &self,
        batch: &mut Batch,
        tile: Tile,
        weights: &Tensor,
    ) -> Result<(), GpuError> {
        let (Some(v), Some(context)) = (self.inputs.values(), self.context) else {
            return Ok(());
        };
        let sizes = self.request.sizes();
        let (d_v, keys) = (vectors(sizes.d_v), vectors(sizes.keys));
        let operands = [
            Operand::of_tile(tile, sizes.heads, keys),
            Operand::of_heads(sizes.kv_heads, sizes.keys, d_v).shared_by(self.sharing()),
            Operand::of_heads(sizes.heads, sizes.n, d_v).starting_at(tile.first_row),
        ];
        let flags = if self.skips_future() {
            Product::CAUSAL_INNER
        } else {
            0
        };
        let uniform = Product {
            first_slice: tile.first_slice as u32,
            flags,
            first_row: tile.first_row as u32,
            ..Product::new([tile.rows, sizes.keys, sizes.d_v], sizes.heads, operands)
        };
        batch.dispatch(
            Kernel::Product,
            uniform,
            &[&weights.buffer, &v.buffer, &v.buffer, &context.buffer],
            uniform.extent(tile.slices),
        )
    }
}

/// Copies rows of a tile that are on their way back, from slice `first_slice` of it on, and reads them.
fn pack(
    batch: &mut Batch,
    (packing, first_slice): (&Packing, usize),
    rows: &Tensor,
    (beyond, slot): (&Buffer, u32),
    target: Target,
) -> Result<(), GpuError> {
    let bytes = packing.bytes();
    if bytes == 0 {
        return Ok(());
    }
    let uniform = Pack {
        rows: packing.parts().len() as u32,
        stride: vectors(rows.width) as u32,
        packed: packing.slice() as u32,
        first_slice: first_slice as u32,
        slot,
    };
    let parts = batch
        .gpu()
        .take(Use::Storage, size_of_val(packing.parts()) as u64);
    batch.gpu().write(&parts, packing.parts());
    let packed = batch.gpu().take(Use::Storage, bytes);
    batch.dispatch(
        Kernel::Pack,
        uniform,
        &[&rows.buffer, &parts, &packed, beyond],
        packing.extent(),
    )?;
    batch.read(target, &packed, bytes);
    batch.hold_until_submit(packed);
    batch.hold_until_submit(parts);
    Ok(())
}

/// Which cells of a tile a mask shows, in bits.
pub(super) fn mask_bits(
    batch: &mut Batch,
    mask: &DeviceMask,
    tile: Tile,
    sizes: &Sizes,
) -> Result<Buffer, GpuError> {
    let uniform = cells(tile, sizes, mask);
    let words = u64::from(uniform.slices * uniform.rows * uniform.words);
    let bits = batch.gpu().take(Use::Storage, 4 * words);
    let buffers = [&mask.program, &mask.painted, &bits];
    batch.dispatch(Kernel::Mask, uniform, &buffers, [words, 1, 1])?;
    Ok(bits)
}

fn cells(tile: Tile, sizes: &Sizes, mask: &DeviceMask) -> Cells {
    Cells {
        rows: tile.rows as u32,
        keys: sizes.keys as u32,
        words: words(sizes.keys) as u32,
        slices: mask.slices(tile) as u32,
        heads: sizes.heads as u32,
        first_row: tile.first_row as u32,
        first_slice: if mask.has_slices {
            tile.first_slice as u32
        } else {
            0
        },
        operations: mask.operations as u32,
    }
}
