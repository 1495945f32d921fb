//! The forward pass.

use std::rc::Rc;

use super::DeviceModel;
use super::attention::SavedAttention;
use super::layer_context::LayerContext;
use super::numbers::Numbers;
use super::operations::{add, cap, lines_of};
use super::recorder::{Awaited, Recorder, Results, Rows};
use crate::pool::{Buffer, Use};
use crate::tensor::Tensor;
use crate::uniforms::Lines;
use crate::{Gpu, GpuError, Kernel};
use attention::{Code, Error};
use model::{AttentionSlots, Model, ModelStep, Words};

/// Scores up to which 32 bits suffice: rounding errors are 2⁻²⁴ of a sum's terms, and weights within 10⁻⁴.
const MOST_SCORE: f32 = 256.0;

/// What a pass is to bring back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pass {
    /// Layers whose attention weights are wanted.
    pub weights: Vec<usize>,
    /// Whether logits are wanted.
    pub logits: bool,
    /// Whether the rows are wanted that logits are made of.
    pub hidden: bool,
}

impl Pass {
    /// What a loss is made of.
    pub(super) const LOGITS: Self = Self {
        weights: Vec::new(),
        logits: true,
        hidden: false,
    };
}

/// What a pass has brought back; nothing where it was not wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PassResults {
    /// `[batch, heads, n, n]` of each layer asked for.
    pub weights: Vec<Vec<f32>>,
    /// `[batch·n, vocabulary]`.
    pub logits: Vec<f32>,
    /// `[batch·n, d_model]`.
    pub hidden: Vec<f32>,
}

/// Values that a step saves for its gradient.
pub(super) enum Saved {
    Nothing,
    Rows(Rows),
    Mlp {
        x: Rows,
        up: Rows,
        gate: Option<Rows>,
        hidden: Rows,
    },
    Attention(Box<SavedAttention>),
    /// Rows before a linear map and after it.
    Mapped(Rows, Rows),
}

/// Numbers of the host that a pass begins with, and what it needs besides.
pub(super) struct Inputs {
    pub(super) words: Buffer,
    pub(super) batch: usize,
    pub(super) n: usize,
    sinusoids: Option<Rows>,
    pub(super) layer_contexts: Vec<Rc<LayerContext>>,
    /// Room for the lengths of each layer's longest query and key, which is cleared before anything else is done.
    pub(super) longest: Vec<[Rows; 2]>,
}

/// The residual path and its branch during a forward pass, with what the pass reads back or saves.
pub(super) struct ForwardState {
    pub(super) x: Option<Rows>,
    branch: Option<Rows>,
    held: Option<Rows>,
    /// The rows that logits are made of.
    hidden: Option<Rows>,
    /// What the steps keep; empty where nothing is to be.
    pub(super) saved: Vec<Saved>,
    saves: bool,
    /// Lengths of the longest query and key of each layer, squared.
    pub(super) longest: Vec<[Awaited; 2]>,
    wanted: Pass,
    weights: Vec<(usize, Awaited)>,
}

impl ForwardState {
    fn branch(&self) -> Result<Rows, GpuError> {
        self.branch.clone().ok_or_else(out_of_order)
    }

    pub(super) fn x(&self) -> Result<Rows, GpuError> {
        self.x.clone().ok_or_else(out_of_order)
    }

    /// Whether nothing of a step, and of those after it, is wanted.
    fn is_done_before(&self, step: ModelStep) -> bool {
        use ModelStep::{AddLogitBias, CapLogits, HeadMap, Unembed};
        let Pass {
            weights,
            logits,
            hidden,
        } = &self.wanted;
        let is_there = |layer| self.weights.iter().any(|(own, _)| own == layer);
        match step {
            _ if *logits => false,
            HeadMap(_) | Unembed | AddLogitBias(_) | CapLogits(_) => true,
            _ => !hidden && weights.iter().all(is_there),
        }
    }
}

/// A step reads what an earlier one has made; where it is missing, the list of steps is wrong.
fn out_of_order() -> GpuError {
    GpuError::Invalid("the steps of a model are out of order".to_owned())
}

impl DeviceModel {
    /// Uploads the numbers of a model.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] for a tensor beyond what the device can be given; those of the device.
    pub async fn upload(gpu: &Gpu, model: &Model) -> Result<Self, GpuError> {
        let slots = (0..model.config().layers).map_while(|layer| model.attention_slots(layer));
        let attention: Vec<AttentionSlots> = slots.collect();
        Ok(Self {
            gpu: gpu.clone(),
            config: *model.config(),
            steps: model.steps(),
            attention,
            tables: model.tables(),
            numbers: Numbers::upload(gpu, model).await?,
            moments: None,
            is_dirty: false,
        })
    }

    /// Results of a forward pass over `words`; `model` is the one that was uploaded.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] where the device cannot be given a tensor; [`GpuError::Refused`] where scores may be too large for 32 bits, or
    /// results leave their range; those of the device.
    pub async fn forward(
        &self,
        model: &Model,
        words: &Words,
        wanted: &Pass,
    ) -> Result<PassResults, GpuError> {
        let mut recorder = Recorder::new(&self.gpu);
        let inputs = self.inputs(&mut recorder, model, words)?;
        let state = self.run_forward(&mut recorder, &inputs, wanted, false);
        let state = state.await?;
        let logits = match (&state.x, self.config.logits && wanted.logits) {
            (Some(x), true) => Some(recorder.read(x)),
            _ => None,
        };
        let last = state.hidden.as_ref().or(state.x.as_ref());
        let hidden = last
            .filter(|_| wanted.hidden)
            .map(|rows| recorder.read(rows));
        let mut results = recorder.finish().await?;
        self.check_scores(&state.longest, &mut results)?;
        let mut take = |awaited: Option<Awaited>, field| match awaited {
            None => Ok(Vec::new()),
            Some(awaited) => in_range(field, results.take(awaited)?),
        };
        Ok(PassResults {
            logits: take(logits, "logits")?,
            hidden: take(hidden, "hidden")?,
            weights: wanted
                .weights
                .iter()
                .map(|layer| {
                    let own = state.weights.iter().find(|(other, _)| other == layer);
                    take(own.map(|(_, awaited)| *awaited), "weights")
                })
                .collect::<Result<_, _>>()?,
        })
    }

    /// Uploads what a pass needs.
    pub(super) fn inputs(
        &self,
        recorder: &mut Recorder,
        model: &Model,
        words: &Words,
    ) -> Result<Inputs, GpuError> {
        let numbers: Vec<u32> = words.all().iter().map(|word| *word as u32).collect();
        Ok(Inputs {
            words: uploaded(recorder.gpu(), &numbers),
            batch: words.batch(),
            n: words.length(),
            sinusoids: self.sinusoids(recorder, model, words.length()),
            longest: self.room_for_longest(recorder),
            layer_contexts: self.layer_contexts(recorder, model, words)?,
        })
    }

    fn room_for_longest(&self, recorder: &Recorder) -> Vec<[Rows; 2]> {
        let one = || Rc::new(Tensor::new(recorder.gpu(), 1, 1));
        self.attention.iter().map(|_| [one(), one()]).collect()
    }

    /// Runs the steps in order, up to the last that something wanted comes of.
    pub(super) async fn run_forward(
        &self,
        recorder: &mut Recorder,
        inputs: &Inputs,
        wanted: &Pass,
        saves: bool,
    ) -> Result<ForwardState, GpuError> {
        let mut state = ForwardState {
            x: None,
            branch: None,
            held: None,
            hidden: None,
            saved: Vec::new(),
            saves,
            longest: Vec::new(),
            wanted: wanted.clone(),
            weights: Vec::new(),
        };
        for step in &self.steps {
            if state.is_done_before(*step) {
                break;
            }
            let saved = self.step_forward(recorder, inputs, *step, &mut state)?;
            if saves {
                state.saved.push(saved);
            }
            recorder.rest().await?;
        }
        Ok(state)
    }

    fn step_forward(
        &self,
        recorder: &mut Recorder,
        inputs: &Inputs,
        step: ModelStep,
        state: &mut ForwardState,
    ) -> Result<Saved, GpuError> {
        let mut saved = Saved::Nothing;
        match step {
            ModelStep::Embed => state.x = Some(self.embed(recorder, inputs)?),
            ModelStep::Branch => state.branch = state.x.clone(),
            ModelStep::Hold => state.held = state.branch.take(),
            ModelStep::AddHeld => {
                let held = state.held.take().ok_or_else(out_of_order)?;
                state.branch = Some(add(recorder, &state.branch()?, &held)?);
            }
            ModelStep::AddBranch => {
                state.x = Some(add(recorder, &state.x()?, &*state.branch()?)?);
            }
            ModelStep::TakeBranch => state.x = state.branch.take(),
            ModelStep::BranchNorm(slots) => {
                let x = state.x()?;
                state.branch = Some(self.norm(recorder, &x, slots)?);
                saved = Saved::Rows(x);
            }
            ModelStep::NormBranch(slots) => {
                let x = state.branch()?;
                state.branch = Some(self.norm(recorder, &x, slots)?);
                saved = Saved::Rows(x);
            }
            ModelStep::Norm(slots) => {
                let x = state.x()?;
                state.x = Some(self.norm(recorder, &x, slots)?);
                saved = Saved::Rows(x);
            }
            ModelStep::Attention(layer) => {
                let x = state.branch()?;
                let (y, attended) = self.attend(recorder, inputs, layer, &x, state.saves)?;
                state.longest.push(attended.longest);
                if state.wanted.weights.contains(&layer) {
                    state
                        .weights
                        .push((layer, recorder.read(&attended.weights)));
                }
                state.branch = Some(y);
                if state.saves {
                    saved = Saved::Attention(Box::new(attended));
                }
            }
            ModelStep::Mlp(_, slots) => {
                let x = state.branch()?;
                let up = self.linear(recorder, &x, slots.up)?;
                let gate = match slots.gate {
                    Some(gate) => Some(self.linear(recorder, &x, gate)?),
                    None => None,
                };
                let hidden = self.activate(recorder, &up, gate.as_ref())?;
                state.branch = Some(self.linear(recorder, &hidden, slots.down)?);
                if state.saves {
                    saved = Saved::Mlp {
                        x,
                        up,
                        gate,
                        hidden,
                    };
                }
            }
            ModelStep::HeadMap(slots) => {
                let x = state.x()?;
                state.hidden = Some(x.clone());
                let mapped = self.linear(recorder, &x, slots)?;
                state.x = Some(self.activate(recorder, &mapped, None)?);
                saved = Saved::Mapped(x, mapped);
            }
            ModelStep::Unembed => {
                let x = state.x()?;
                state.hidden.get_or_insert_with(|| x.clone());
                state.x = Some(match self.tables.unembedding {
                    Some(slot) => self.multiply(recorder, &x, slot)?,
                    None => self.multiply_transposed(recorder, &x, self.tables.tokens)?,
                });
                saved = Saved::Rows(x);
            }
            ModelStep::AddLogitBias(slot) => {
                let bias = self.numbers.of(recorder, slot)?;
                state.x = Some(add(recorder, &state.x()?, &bias)?);
            }
            ModelStep::CapLogits(limit) => {
                let capped = cap(recorder, &state.x()?, limit)?;
                state.x = Some(capped.clone());
                saved = Saved::Rows(capped);
            }
        }
        Ok(saved)
    }

    fn embed(&self, recorder: &mut Recorder, inputs: &Inputs) -> Result<Rows, GpuError> {
        let tokens = self.numbers.of(recorder, self.tables.tokens)?;
        let mut of = |slot: Option<model::Slot>| {
            let rows = slot.map(|slot| self.numbers.of(recorder, slot));
            rows.transpose()
        };
        let (learned, types) = (of(self.tables.positions)?, of(self.tables.token_types)?);
        let positions = learned.as_ref().or(inputs.sinusoids.as_ref());
        let x = recorder.rows(inputs.batch * inputs.n, self.config.d_model)?;
        let uniform = Lines {
            rows: inputs.n as u32,
            kind: u32::from(positions.is_some()) + 2 * u32::from(types.is_some()),
            first: match &learned {
                Some(_) => self.config.first_position as u32,
                None => 0,
            },
            factor: self.config.embedding_scale,
            ..lines_of(&x)
        };
        let buffers = [
            &inputs.words,
            &tokens.buffer,
            &positions.unwrap_or(&tokens).buffer,
            &types.as_ref().unwrap_or(&tokens).buffer,
            &x.buffer,
        ];
        let extent = [u64::from(uniform.count), 1, 1];
        let batch = recorder.batch();
        batch.dispatch(Kernel::Embed, uniform, &buffers, extent)?;
        Ok(x)
    }

    /// Refuses results that scores too large for 32 bits went into.
    pub(super) fn check_scores(
        &self,
        longest: &[[Awaited; 2]],
        results: &mut Results,
    ) -> Result<(), GpuError> {
        for [query, key] in longest {
            let [query, key] = [results.take(*query)?, results.take(*key)?];
            let length = |squares: &[f32]| squares.first().copied().unwrap_or(0.0).sqrt();
            let bound = self.config.scale().abs() * length(&query) * length(&key);
            if bound.is_nan() || bound > MOST_SCORE {
                let rule = format!("of models beyond {MOST_SCORE} are computed on the processor");
                let error = Error::new(Code::BackendUnavailable, "scores", bound, rule);
                return Err(error.into());
            }
        }
        Ok(())
    }
}

/// Whole numbers in memory of the device.
pub(super) fn uploaded(gpu: &Gpu, numbers: &[u32]) -> Buffer {
    let buffer = gpu.take(Use::Storage, 4 * numbers.len() as u64);
    gpu.write(&buffer, numbers);
    buffer
}

pub(super) fn in_range(field: &str, numbers: Vec<f32>) -> Result<Vec<f32>, GpuError> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(Error::beyond_range(field, *number).into()),
        None => Ok(numbers),
    }
}
