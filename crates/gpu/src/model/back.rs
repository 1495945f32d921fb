//! The gradient of the loss with respect to every number: the steps in reverse.

use std::rc::Rc;

use super::DeviceModel;
use super::attention::{SavedAttention, turn};
use super::layer_context::LayerContext;
use super::operations::{
    add, cap_back, each_vector, join_heads, lines_of, product_into, split_heads, sum_groups,
    sum_rows, transposed,
};
use super::pass::{ForwardState, Inputs, Pass, Saved, in_range, uploaded};
use super::recorder::{Awaited, Recorder, Results, Rows};
use crate::pool::Buffer;
use crate::tensor::Tensor;
use crate::uniforms::{Lines, Product};
use crate::{GpuError, Kernel};
use model::{Examples, LinearSlots, MlpSlots, Model, ModelStep, NormSlots, Score, Slot};

/// What `cross_entropy.wgsl` and `embed_back.wgsl` take for none.
const NO_TARGET: u32 = u32::MAX;
/// Vectors of which a workgroup adds up the squares.
const SQUARES: usize = 1024;

/// Gradients on the device, with the loss that they are of.
pub struct DeviceGradients {
    /// Loss and accuracy.
    pub score: Score,
    /// The Euclidean norm of all gradients together.
    pub norm: f64,
    /// One for each tensor.
    pub(super) tensors: Vec<Rows>,
}

/// Numbers of the host that a backward pass needs besides.
struct Targets {
    targets: Buffer,
    /// Where each word's rows begin, and the rows word by word.
    places: Buffer,
    count: usize,
}

/// Gradients of the residual path, its branch and the model's numbers during a backward pass; `None` is 0.
struct BackwardState<'a> {
    inputs: &'a Inputs,
    targets: &'a Targets,
    x: Option<Rows>,
    branch: Option<Rows>,
    held: Option<Rows>,
    /// Of the model's numbers.
    numbers: Vec<Rows>,
}

impl BackwardState<'_> {
    fn number(&self, slot: Slot) -> &Rows {
        &self.numbers[slot.tensor]
    }

    fn x(&self) -> Result<Rows, GpuError> {
        self.x.clone().ok_or_else(nothing)
    }

    fn branch(&self) -> Result<Rows, GpuError> {
        self.branch.clone().ok_or_else(nothing)
    }
}

/// The loss has a gradient on every path; where one is missing, the list of steps is wrong.
fn nothing() -> GpuError {
    GpuError::Invalid("a gradient of a model is missing".to_owned())
}

/// `a + b`, where nothing is 0.
fn sum(
    recorder: &mut Recorder,
    a: Option<Rows>,
    b: Option<Rows>,
) -> Result<Option<Rows>, GpuError> {
    match (a, b) {
        (Some(a), Some(b)) => Ok(Some(add(recorder, &a, &b)?)),
        (a, b) => Ok(a.or(b)),
    }
}

impl DeviceModel {
    /// Loss and accuracy.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`GpuError::Refused`] for a model without logits.
    pub async fn score(&self, model: &Model, examples: &Examples) -> Result<Score, GpuError> {
        model.check_loss()?;
        let mut recorder = Recorder::new(&self.gpu);
        let (inputs, targets) = self.examples(&mut recorder, model, examples)?;
        let way = self
            .run_forward(&mut recorder, &inputs, &Pass::LOGITS, false)
            .await?;
        let (scores, _) = self.loss(&mut recorder, &way.x()?, &targets)?;
        let scores = recorder.read(&scores);
        let mut results = recorder.finish().await?;
        self.check_scores(&way.longest, &mut results)?;
        score_of(results.take(scores)?, targets.count)
    }

    /// The gradient of the loss with respect to every number.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`GpuError::Refused`] for a model without logits, or one whose rotary angles are divided.
    pub async fn gradients(
        &self,
        model: &Model,
        examples: &Examples,
    ) -> Result<DeviceGradients, GpuError> {
        model.check_gradients()?;
        let mut recorder = Recorder::new(&self.gpu);
        let (inputs, targets) = self.examples(&mut recorder, model, examples)?;
        let numbers = self.room_like_numbers(&mut recorder);
        let way = self
            .run_forward(&mut recorder, &inputs, &Pass::LOGITS, true)
            .await?;
        let ForwardState {
            x, saved, longest, ..
        } = way;
        let (scores, dlogits) = self.loss(&mut recorder, &x.ok_or_else(nothing)?, &targets)?;
        let mut up = BackwardState {
            inputs: &inputs,
            targets: &targets,
            x: Some(dlogits),
            branch: None,
            held: None,
            numbers,
        };
        for (step, saved) in self.steps.iter().zip(saved).rev() {
            self.step_backward(&mut recorder, *step, saved, &mut up)?;
            recorder.rest().await?;
        }
        let squares = self.squares(&mut recorder, &up.numbers)?;
        let [scores, squares] = [&scores, &squares].map(|rows| recorder.read(rows));
        let tensors = up.numbers;
        let mut results = recorder.finish().await?;
        self.check_scores(&longest, &mut results)?;
        let score = score_of(results.take(scores)?, targets.count)?;
        let norm = norm_of(&mut results, squares)?;
        Ok(DeviceGradients {
            score,
            norm,
            tensors,
        })
    }

    /// The numbers of gradients, in the order of the model's.
    ///
    /// # Errors
    /// Those of the device; [`GpuError::Refused`] beyond the range of 32 bits.
    pub async fn read_gradients(&self, gradients: &DeviceGradients) -> Result<Vec<f32>, GpuError> {
        in_range("gradients", self.read_all(gradients.tensors.iter()).await?)
    }

    /// The numbers of tensors, one after the other.
    pub(super) async fn read_all<'a>(
        &self,
        tensors: impl Iterator<Item = &'a Rows>,
    ) -> Result<Vec<f32>, GpuError> {
        let mut recorder = Recorder::new(&self.gpu);
        let awaited: Vec<_> = tensors.map(|tensor| recorder.read(tensor)).collect();
        let mut results = recorder.finish().await?;
        let mut all = Vec::new();
        for one in awaited {
            all.extend(results.take(one)?);
        }
        Ok(all)
    }

    fn examples(
        &self,
        recorder: &mut Recorder,
        model: &Model,
        examples: &Examples,
    ) -> Result<(Inputs, Targets), GpuError> {
        let target = |target: &Option<usize>| target.map_or(NO_TARGET, |word| word as u32);
        let targets: Vec<u32> = examples.targets().iter().map(target).collect();
        let places = places(examples.words().all(), self.config.vocabulary);
        let targets = Targets {
            count: examples.targets().iter().flatten().count(),
            targets: uploaded(recorder.gpu(), &targets),
            places: uploaded(recorder.gpu(), &places),
        };
        Ok((self.inputs(recorder, model, examples.words())?, targets))
    }

    /// Zeros in the shapes of the model's tensors.
    fn room_like_numbers(&self, recorder: &mut Recorder) -> Vec<Rows> {
        let tensors = self.numbers.all().map(|tensor| {
            let room = Tensor::new(recorder.gpu(), tensor.rows, tensor.width);
            recorder.batch().clear(&room.buffer);
            Rc::new(room)
        });
        tensors.collect()
    }

    /// What the loss is made of, a row for each, and its gradient.
    fn loss(
        &self,
        recorder: &mut Recorder,
        logits: &Rows,
        targets: &Targets,
    ) -> Result<(Rows, Rows), GpuError> {
        let scores = recorder.rows(logits.rows, 4)?;
        let gradient = recorder.rows(logits.rows, logits.width)?;
        let uniform = Lines {
            factor: (1.0 / targets.count.max(1) as f64) as f32,
            ..lines_of(logits)
        };
        let buffers = [
            &logits.buffer,
            &targets.targets,
            &scores.buffer,
            &gradient.buffer,
        ];
        let extent = [logits.rows as u64, 1, 1];
        let batch = recorder.batch();
        batch.dispatch(Kernel::CrossEntropy, uniform, &buffers, extent)?;
        Ok((scores, gradient))
    }

    /// Sums of the squares of all tensors.
    fn squares(&self, recorder: &mut Recorder, tensors: &[Rows]) -> Result<Rows, GpuError> {
        let count = |tensor: &Tensor| tensor.rows * tensor.stride();
        let sums = tensors.iter().map(|one| count(one).div_ceil(SQUARES)).sum();
        let made = recorder.rows(1, sums)?;
        let mut first = 0;
        for tensor in tensors {
            let uniform = Lines {
                first: first as u32,
                ..lines_of(tensor)
            };
            each_vector(recorder, Kernel::SquareSums, uniform, &[tensor, &made])?;
            first += count(tensor).div_ceil(SQUARES);
        }
        Ok(made)
    }

    fn step_backward(
        &self,
        recorder: &mut Recorder,
        step: ModelStep,
        saved: Saved,
        up: &mut BackwardState,
    ) -> Result<(), GpuError> {
        match (step, saved) {
            (ModelStep::Embed, _) => self.embed_back(recorder, up)?,
            (ModelStep::Branch, _) => up.x = sum(recorder, up.x.take(), up.branch.take())?,
            (ModelStep::BranchNorm(slots), Saved::Rows(x)) => {
                let d = self.norm_back(recorder, &x, &up.branch()?, slots, up)?;
                up.branch = None;
                up.x = sum(recorder, up.x.take(), Some(d))?;
            }
            (ModelStep::NormBranch(slots), Saved::Rows(x)) => {
                up.branch = Some(self.norm_back(recorder, &x, &up.branch()?, slots, up)?);
            }
            (ModelStep::Norm(slots), Saved::Rows(x)) => {
                up.x = Some(self.norm_back(recorder, &x, &up.x()?, slots, up)?);
            }
            (ModelStep::Hold, _) => up.branch = up.held.take(),
            (ModelStep::AddHeld, _) => up.held = up.branch.clone(),
            (ModelStep::AddBranch, _) => up.branch = up.x.clone(),
            (ModelStep::TakeBranch, _) => up.branch = up.x.take(),
            (ModelStep::Attention(layer), Saved::Attention(attended)) => {
                let d = self.attend_back(recorder, layer, &attended, &up.branch()?, up)?;
                up.branch = Some(d);
            }
            (
                ModelStep::Mlp(_, slots),
                Saved::Mlp {
                    x,
                    up: raised,
                    gate,
                    hidden,
                },
            ) => {
                let rows = [&x, &raised, &hidden];
                let d = self.mlp_back(recorder, slots, rows, gate.as_ref(), up)?;
                up.branch = Some(d);
            }
            (ModelStep::HeadMap(slots), Saved::Mapped(x, mapped)) => {
                let (d, _) = self.activate_back(recorder, &mapped, None, &up.x()?)?;
                up.x = Some(self.linear_back(recorder, &x, &d, slots, up)?);
            }
            (ModelStep::AddLogitBias(slot), _) => {
                sum_rows(recorder, &up.x()?, up.number(slot))?;
            }
            (ModelStep::Unembed, Saved::Rows(x)) => {
                up.x = Some(self.unembed_back(recorder, &x, &up.x()?, up)?);
            }
            (ModelStep::CapLogits(limit), Saved::Rows(capped)) => {
                cap_back(recorder, &capped, &up.x()?, limit)?;
            }
            _ => return Err(nothing()),
        }
        Ok(())
    }

    /// `dX`; `dW` and `db` go to their places.
    fn linear_back(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        dy: &Rows,
        slots: LinearSlots,
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        let across = transposed(recorder, x, 1)?;
        product_into(recorder, [&across, dy, up.number(slots.w)])?;
        if let Some(b) = slots.b {
            sum_rows(recorder, dy, up.number(b))?;
        }
        self.multiply_transposed(recorder, dy, slots.w)
    }

    fn unembed_back(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        dlogits: &Rows,
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        match self.tables.unembedding {
            Some(w) => {
                let slots = LinearSlots { w, b: None };
                self.linear_back(recorder, x, dlogits, slots, up)
            }
            None => {
                let tokens = self.tables.tokens;
                let across = transposed(recorder, dlogits, 1)?;
                product_into(recorder, [&across, x, up.number(tokens)])?;
                self.multiply(recorder, dlogits, tokens)
            }
        }
    }

    /// `dX` of rows of any width; the gradients of scale and shift go to their places.
    fn norm_back(
        &self,
        recorder: &mut Recorder,
        x: &Rows,
        dy: &Rows,
        slots: NormSlots,
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        let dx = recorder.rows(x.rows, x.width)?;
        let along = recorder.rows(x.rows, x.width)?;
        let scale = self.numbers.of(recorder, slots.scale)?;
        let buffers: [&Tensor; 5] = [x, &scale, dy, &dx, &along];
        let uniform = self.norm_lines(x, slots);
        recorder.lines(Kernel::NormRowsBack, uniform, &buffers, x.rows)?;
        sum_rows(recorder, &along, up.number(slots.scale))?;
        if let Some(shift) = slots.shift {
            sum_rows(recorder, dy, up.number(shift))?;
        }
        Ok(dx)
    }

    /// Gradients of what goes up, and of the gate.
    fn activate_back(
        &self,
        recorder: &mut Recorder,
        raised: &Rows,
        gate: Option<&Rows>,
        dhidden: &Rows,
    ) -> Result<(Rows, Rows), GpuError> {
        let draised = recorder.rows(raised.rows, raised.width)?;
        let dgate = match gate {
            Some(gate) => recorder.rows(gate.rows, gate.width)?,
            None => recorder.rows(1, 1)?,
        };
        let buffers: [&Tensor; 5] = [raised, gate.unwrap_or(raised), dhidden, &draised, &dgate];
        let uniform = self.activation(raised, gate);
        each_vector(recorder, Kernel::ActivateBack, uniform, &buffers)?;
        Ok((draised, dgate))
    }

    fn mlp_back(
        &self,
        recorder: &mut Recorder,
        slots: MlpSlots,
        [x, raised, hidden]: [&Rows; 3],
        gate: Option<&Rows>,
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        let dhidden = self.linear_back(recorder, hidden, &up.branch()?, slots.down, up)?;
        let (draised, dgate) = self.activate_back(recorder, raised, gate, &dhidden)?;
        let dx = self.linear_back(recorder, x, &draised, slots.up, up)?;
        match slots.gate {
            Some(slots) => {
                let through_gate = self.linear_back(recorder, x, &dgate, slots, up)?;
                add(recorder, &dx, &through_gate)
            }
            None => Ok(dx),
        }
    }

    fn embed_back(&self, recorder: &mut Recorder, up: &mut BackwardState) -> Result<(), GpuError> {
        let dx = up.x()?;
        let tokens = up.number(self.tables.tokens);
        let uniform = Lines {
            heads: (self.config.vocabulary + 1) as u32,
            factor: self.config.embedding_scale,
            ..lines_of(tokens)
        };
        let buffers = [&dx.buffer, &up.targets.places, &tokens.buffer];
        let extent = [u64::from(uniform.count), 1, 1];
        let batch = recorder.batch();
        batch.dispatch(Kernel::EmbedBack, uniform, &buffers, extent)?;
        if let Some(types) = self.tables.token_types {
            sum_rows(recorder, &dx, up.number(types))?;
        }
        if let Some(positions) = self.tables.positions {
            let (group, first) = ([up.inputs.batch, up.inputs.n], self.config.first_position);
            sum_groups(recorder, &dx, group, (up.number(positions), first))?;
        }
        Ok(())
    }

    fn attend_back(
        &self,
        recorder: &mut Recorder,
        layer: usize,
        of: &SavedAttention,
        dy: &Rows,
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        let (slots, layer_context) = (
            self.attention[layer],
            up.inputs.layer_contexts[layer].clone(),
        );
        let (c, n) = (&self.config, up.inputs.n);
        let dmerged = self.linear_back(recorder, &of.merged, dy, slots.output, up)?;
        let dc = split_heads(recorder, &dmerged, [c.heads, n])?;
        let ds = self.scores_back(recorder, of, &dc, up)?;
        let [dq, dk, dv] = self.heads_back(recorder, of, [&ds, &dc], up)?;
        let [raw_q, raw_k] = of
            .raw
            .as_ref()
            .map_or([None, None], |raw| raw.each_ref().map(Some));
        let [q_scale, k_scale] = slots
            .head_norms
            .map_or([None, None], |norms| norms.map(Some));
        let sides = [
            (dq, slots.query, c.heads, raw_q.zip(q_scale), true),
            (dk, slots.key, c.kv_heads, raw_k.zip(k_scale), true),
            (dv, slots.value, c.kv_heads, None, false),
        ];
        let mut dx = None;
        for (d, projection, heads, norm, turns) in sides {
            let d = self.side_back(recorder, d, norm, (&layer_context, turns), up)?;
            let joined = join_heads(recorder, &d, [heads, n])?;
            let part = self.linear_back(recorder, &of.x, &joined, projection, up)?;
            dx = sum(recorder, dx, Some(part))?;
        }
        dx.ok_or_else(nothing)
    }

    /// The gradient of the scores before their cap, from that of the context.
    fn scores_back(
        &self,
        recorder: &mut Recorder,
        of: &SavedAttention,
        dc: &Rows,
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        let n = up.inputs.n;
        let ds = recorder.rows(of.weights.rows, n)?;
        let uniform = self.head_product(up.inputs, [self.config.d_k, n], true);
        let slices = up.inputs.batch * self.config.heads;
        let operands: [&Tensor; 4] = [dc, &of.v, &of.v, &ds];
        recorder.product(Kernel::ProductTransposed, uniform, operands, slices)?;
        let buffers: [&Tensor; 2] = [&of.weights, &ds];
        recorder.lines(Kernel::SoftmaxBack, lines_of(&ds), &buffers, ds.rows)?;
        if let (Some(capped), Some(limit)) = (&of.capped, self.config.score_cap) {
            cap_back(recorder, capped, &ds, limit)?;
        }
        Ok(ds)
    }

    /// Gradients of queries, keys and values.
    fn heads_back(
        &self,
        recorder: &mut Recorder,
        of: &SavedAttention,
        [ds, dc]: [&Rows; 2],
        up: &BackwardState,
    ) -> Result<[Rows; 3], GpuError> {
        let (n, d_k) = (up.inputs.n, self.config.d_k);
        let slices = up.inputs.batch * self.config.heads;
        let scaled = |shares| Product {
            factor: self.config.scale(),
            ..self.head_product(up.inputs, [n, d_k], shares)
        };
        let dq = recorder.rows(ds.rows, d_k)?;
        let operands: [&Tensor; 4] = [ds, &of.k, &of.k, &dq];
        recorder.product(Kernel::Product, scaled(true), operands, slices)?;
        let plain = self.head_product(up.inputs, [n, d_k], false);
        let across = transposed(recorder, ds, slices)?;
        let dk = self.shared_back(recorder, scaled(false), [&across, &of.q], up)?;
        let across = transposed(recorder, &of.weights, slices)?;
        let dv = self.shared_back(recorder, plain, [&across, dc], up)?;
        Ok([dq, dk, dv])
    }

    /// A product for each query head, added up over those that share keys and values.
    fn shared_back(
        &self,
        recorder: &mut Recorder,
        uniform: Product,
        [a, b]: [&Rows; 2],
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        let (sharing, slices) = (self.sharing(), up.inputs.batch * self.config.heads);
        let made = recorder.rows(b.rows, self.config.d_k)?;
        recorder.product(Kernel::Product, uniform, [a, b, b, &made], slices)?;
        if sharing == 1 {
            return Ok(made);
        }
        let sums = recorder.rows(b.rows / sharing, self.config.d_k)?;
        sum_groups(recorder, &made, [sharing, up.inputs.n], (&sums, 0))?;
        Ok(sums)
    }

    /// Gradients of rows as a projection has made them, from those of rows as they enter the scores.
    fn side_back(
        &self,
        recorder: &mut Recorder,
        d: Rows,
        norm: Option<(&Rows, Slot)>,
        (layer_context, turns): (&LayerContext, bool),
        up: &BackwardState,
    ) -> Result<Rows, GpuError> {
        if let Some(turning) = layer_context.turning.as_ref().filter(|_| turns) {
            turn(recorder, &d, turning, &turning.back)?;
        }
        match norm {
            Some((raw, scale)) => {
                let slots = NormSlots { scale, shift: None };
                self.norm_back(recorder, raw, &d, slots, up)
            }
            None => Ok(d),
        }
    }
}

/// For `embed_back.wgsl`: where the rows of each word begin, the end of the last, and the rows word by word.
fn places(words: &[usize], vocabulary: usize) -> Vec<u32> {
    let mut places = vec![0; vocabulary + 1];
    for word in words {
        places[word + 1] += 1;
    }
    for word in 0..vocabulary {
        places[word + 1] += places[word];
    }
    let mut rows: Vec<usize> = (0..words.len()).collect();
    rows.sort_by_key(|row| words[*row]);
    places.extend(rows.into_iter().map(|row| row as u32));
    places
}

/// Loss and accuracy of rows of `Σ e^(l − max)`, `max − l[t]` and whether `t` is the likeliest.
fn score_of(rows: Vec<f32>, count: usize) -> Result<Score, GpuError> {
    let rows = in_range("logits", rows)?;
    let (mut loss, mut right) = (0.0, 0.0);
    for row in rows.chunks_exact(4).filter(|row| row[0] > 0.0) {
        loss += libm::log(f64::from(row[0])) + f64::from(row[1]);
        right += f64::from(row[2]);
    }
    let count = count as f64;
    Ok(Score {
        loss: loss / count,
        accuracy: right / count,
    })
}

fn norm_of(results: &mut Results, squares: Awaited) -> Result<f64, GpuError> {
    let squares = in_range("gradients", results.take(squares)?)?;
    let sum: f64 = squares.into_iter().map(f64::from).sum();
    Ok(sum.sqrt())
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn rows_lie_word_by_word() {
        assert_eq!(places(&[2, 0, 2, 3], 5), [0, 1, 1, 3, 4, 4, 1, 0, 2, 3]);
        assert_eq!(places(&[], 2), [0, 0, 0]);
    }
}
