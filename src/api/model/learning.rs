//! Loss, gradients, steps and training runs.

use std::collections::HashMap;

use super::devices::{self, Devices, OnDevice, Placement};
use super::reads::Reads;
use super::stored::{StoredModel, seed};
use super::tensors::tensors;
use super::{Fields, config, inputs, limits, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use engine::{Backend, BackendChoice, DeviceModel, Failure, Workload};
use model::{
    Examples, Model, ModelConfig, Optimizer, OptimizerOptions, Score, StepReport, Training,
    TrainingStep,
};

/// Time of training between checks for messages, on the processor.
const SLICE_MS: f64 = 10.0;
/// The same on a device, which leaves the worker to others; numbers come back at the end of each.
const DEVICE_SLICE_MS: f64 = 100.0;

/// Passes that a step is as long as: gradients take two more than the loss.
const STEP_PASSES: u64 = 3;

/// A training run.
pub(super) struct Progress {
    training: Training,
    left: u32,
    choice: BackendChoice,
}

impl StoredModel {
    pub(super) async fn loss(
        &mut self,
        raw: JsTree,
        devices: &dyn Devices,
    ) -> Result<JsTree, Error> {
        let (choice, examples) = self.examples(raw)?;
        let (score, backend) = self.score(&examples, choice, devices).await?;
        Ok(scored(score, backend))
    }

    async fn score(
        &mut self,
        examples: &Examples,
        choice: BackendChoice,
        devices: &dyn Devices,
    ) -> Result<(Score, Backend), Error> {
        let model = &self.model;
        let placed = Placement::new(devices, choice, load(model.config(), examples, 1, 0));
        let act = async |device: &mut DeviceModel| {
            let score = device.score(model, examples).await;
            score.map_err(Failure::from)
        };
        let found = placed.on_device(&mut self.on_device, model, act);
        match found.await? {
            Some(score) => Ok((score, Backend::WebGpu)),
            None => {
                let score = placed.on_processor(|| model.score(examples))?;
                Ok((score, Backend::Cpu))
            }
        }
    }

    pub(super) async fn gradients(
        &mut self,
        raw: JsTree,
        devices: &dyn Devices,
    ) -> Result<JsTree, Error> {
        let (choice, examples) = self.examples(raw)?;
        self.model.check_gradients()?;
        let model = &self.model;
        let back = model.numbers().len() as u64;
        let placed = Placement::new(
            devices,
            choice,
            load(model.config(), &examples, STEP_PASSES, back),
        );
        let act = async |device: &mut DeviceModel| {
            let found = device.gradients(model, &examples).await?;
            let numbers = device.read_gradients(&found).await?;
            Ok((found.score, found.norm, numbers))
        };
        let found = placed.on_device(&mut self.on_device, model, act);
        let (found, backend) = match found.await? {
            Some(found) => (found, Backend::WebGpu),
            None => {
                let found = placed.on_processor(|| model.gradients(&examples))?;
                ((found.score, found.norm, found.numbers), Backend::Cpu)
            }
        };
        let (score, norm, numbers) = found;
        Ok(JsTree::record([
            ("loss", JsTree::Number(score.loss)),
            ("accuracy", JsTree::Number(score.accuracy)),
            ("norm", JsTree::Number(norm)),
            ("tensors", tensors(model.tensors(), &numbers)),
            devices::backend_entry(backend),
        ]))
    }

    fn examples(&self, raw: JsTree) -> Result<(BackendChoice, Examples), Error> {
        let mut fields = Fields::parse("", raw, &["tokens", "text", "targets", "backend"])?;
        let choice = self.choice(&mut fields)?;
        let examples = inputs::examples(&mut fields, self.model.config(), &self.reads)?;
        Ok((choice, examples))
    }

    pub(super) async fn step(
        &mut self,
        raw: JsTree,
        devices: &dyn Devices,
    ) -> Result<JsTree, Error> {
        let known = ["tokens", "text", "targets", "optimizer", "backend"];
        let mut fields = Fields::parse("", raw, &known)?;
        let choice = self.choice(&mut fields)?;
        let options = fields
            .take("optimizer")
            .map(config::optimizer)
            .transpose()?;
        let config = self.model.config();
        let examples = inputs::examples(&mut fields, config, &self.reads)?;
        self.model.check_gradients()?;
        let mut optimizer = self.optimizer(options)?;
        let placed = Placement::new(devices, choice, step_load(&self.model, &examples));
        let (model, own) = (&self.model, &optimizer);
        let act = async |device: &mut DeviceModel| {
            let mut learner = Learner::new(model, own, device);
            let report = learner.step(device, &examples).await?;
            Ok((report, learner.learned(device).await?))
        };
        let found = placed.on_device(&mut self.on_device, model, act);
        let (report, backend) = match found.await? {
            Some((report, learned)) => {
                (self.model, optimizer) = learned;
                (report, Backend::WebGpu)
            }
            None => {
                let report = placed.on_processor(|| optimizer.step(&mut self.model, &examples))?;
                self.on_device.forget();
                (report, Backend::Cpu)
            }
        };
        self.optimizer = Some(optimizer);
        Ok(JsTree::record([
            ("loss", JsTree::Number(report.score.loss)),
            ("accuracy", JsTree::Number(report.score.accuracy)),
            ("norm", JsTree::Number(report.norm)),
            ("rate", JsTree::Number(report.rate)),
            devices::backend_entry(backend),
        ]))
    }

    /// The optimizer of the last step, unless other options are given.
    fn optimizer(&self, options: Option<OptimizerOptions>) -> Result<Optimizer, Error> {
        match (&self.optimizer, options) {
            (Some(last), None) => Ok(last.clone()),
            (Some(last), Some(options)) if *last.options() == options => Ok(last.clone()),
            (_, options) => Optimizer::new(options.unwrap_or_default(), &self.model),
        }
    }

    /// Begins a training run and answers its number.
    pub(super) fn train(&mut self, raw: JsTree) -> Result<JsTree, Error> {
        let known = ["task", "optimizer", "batch", "steps", "seed", "backend"];
        let mut fields = Fields::parse("", raw, &known)?;
        let choice = self.choice(&mut fields)?;
        let Some(task) = fields.take("task") else {
            return Err(Error::missing("task", "the name of a task is needed"));
        };
        let task = inputs::task(task)?;
        let options = fields
            .take("optimizer")
            .map(config::optimizer)
            .transpose()?;
        let mut count = |field: &str, least, otherwise| {
            let raw = fields.take(field);
            raw.map_or(Ok(otherwise), |raw| {
                whole(field, &raw, least, Code::ShapeMismatch)
            })
        };
        let (batch, steps) = (count("batch", 1, 32)?, count("steps", 0, 100)?);
        let seed = seed(&mut fields)?;
        limits::check_model(self.model.config(), batch, task.length())?;
        self.model.check_gradients()?;
        let reads = Reads::Words(task.words().to_vec());
        let training = Training::new(task, batch, seed, &self.model)?;
        let optimizer = self.optimizer(options)?;
        self.optimizer = Some(optimizer);
        self.reads = reads;
        let number = self.next_number();
        let progress = Progress {
            training,
            left: u32::try_from(steps).unwrap_or(u32::MAX),
            choice,
        };
        self.trainings.insert(number, progress);
        Ok(JsTree::Number(number.into()))
    }

    /// Steps while there is time: `{ history, left }`.
    pub(super) async fn train_on(
        &mut self,
        raw: JsTree,
        devices: &dyn Devices,
    ) -> Result<JsTree, Error> {
        let Self {
            model,
            optimizer: Some(optimizer),
            trainings,
            on_device,
            ..
        } = self
        else {
            return Err(no_training(&raw));
        };
        let progress = progress_of(trainings, &raw)?;
        let history = match progress.left {
            0 => Vec::new(),
            _ => {
                let learner = (model, optimizer);
                progress.slice(learner, on_device, devices).await?
            }
        };
        progress.left -= history.len() as u32;
        let left = JsTree::Number(progress.left.into());
        let history = history.into_iter().map(entry).collect();
        Ok(JsTree::record([
            ("history", JsTree::List(history)),
            ("left", left),
        ]))
    }

    /// Loss and accuracy on the examples that are held out; the run is over.
    pub(super) async fn train_end(
        &mut self,
        raw: JsTree,
        devices: &dyn Devices,
    ) -> Result<JsTree, Error> {
        let progress = progress_of(&mut self.trainings, &raw)?;
        let (examples, choice) = (progress.training.held_out(&self.model), progress.choice);
        if let JsTree::Number(number) = raw {
            self.trainings.remove(&(number as u32));
        }
        let (score, backend) = self.score(&examples?, choice, devices).await?;
        Ok(scored(score, backend))
    }
}

impl Progress {
    /// Steps of a slice, one at least, wherever they are taken.
    async fn slice(
        &mut self,
        (model, optimizer): (&mut Model, &mut Optimizer),
        on_device: &mut OnDevice,
        devices: &dyn Devices,
    ) -> Result<Vec<TrainingStep>, Error> {
        let examples = self.training.next_examples(model)?;
        let placed = Placement::new(devices, self.choice, step_load(model, &examples));
        let (host, own, slice) = (&*model, &*optimizer, &*self);
        let act = async |device: &mut DeviceModel| {
            let mut learner = Learner::new(host, own, device);
            let reports = slice.on_device(&mut learner, device, examples, &placed);
            Ok((reports.await?, learner.learned(device).await?))
        };
        if let Some((reports, learned)) = placed.on_device(on_device, host, act).await? {
            (*model, *optimizer) = learned;
            let reports = reports.into_iter();
            return Ok(reports.map(|report| self.training.count(report)).collect());
        }
        on_device.forget();
        placed.on_processor(|| self.here(model, optimizer, &placed))
    }

    async fn on_device(
        &self,
        learner: &mut Learner<'_>,
        device: &mut DeviceModel,
        mut examples: Examples,
        placed: &Placement<'_>,
    ) -> Result<Vec<StepReport>, Failure> {
        let start = placed.devices.now_ms();
        let mut reports = Vec::new();
        loop {
            reports.push(learner.step(device, &examples).await?);
            let done = reports.len() as u32;
            placed.passes.set(done);
            if done >= self.left || placed.devices.now_ms() - start >= DEVICE_SLICE_MS {
                return Ok(reports);
            }
            let next = self.training.examples_ahead(learner.model, done);
            examples = next.map_err(Failure::Request)?;
        }
    }

    fn here(
        &mut self,
        model: &mut Model,
        optimizer: &mut Optimizer,
        placed: &Placement,
    ) -> Result<Vec<TrainingStep>, Error> {
        let start = placed.devices.now_ms();
        let mut history = Vec::new();
        loop {
            history.push(self.training.step(model, optimizer)?);
            let done = history.len() as u32;
            placed.passes.set(done);
            if done >= self.left || placed.devices.now_ms() - start >= SLICE_MS {
                return Ok(history);
            }
        }
    }
}

/// A model and its optimizer while they learn on a device.
struct Learner<'a> {
    model: &'a Model,
    optimizer: Optimizer,
}

impl<'a> Learner<'a> {
    fn new(model: &'a Model, optimizer: &Optimizer, device: &mut DeviceModel) -> Self {
        device.take_moments(optimizer);
        Self {
            model,
            optimizer: optimizer.clone(),
        }
    }

    async fn step(
        &mut self,
        device: &mut DeviceModel,
        examples: &Examples,
    ) -> Result<StepReport, Failure> {
        let report = device.step(self.model, &mut self.optimizer, examples);
        Ok(report.await?)
    }

    /// Both with the numbers that they have on the device.
    async fn learned(self, device: &mut DeviceModel) -> Result<(Model, Optimizer), Failure> {
        let (numbers, moments) = device.learned().await?;
        let model = self.model.with_numbers(&numbers);
        let optimizer = match moments {
            Some(moments) => self.optimizer.with_moments(moments),
            None => self.optimizer,
        };
        Ok((model.map_err(Failure::Request)?, optimizer))
    }
}

/// A step brings back the numbers and two moments of each.
fn step_load(model: &Model, examples: &Examples) -> Workload {
    let back = 3 * model.numbers().len() as u64;
    load(model.config(), examples, STEP_PASSES, back)
}

fn load(config: &ModelConfig, examples: &Examples, passes: u64, back: u64) -> Workload {
    let words = examples.words();
    Workload::of_model(config, [words.batch(), words.length()], passes, back)
}

fn scored(score: Score, backend: Backend) -> JsTree {
    JsTree::record([
        ("loss", JsTree::Number(score.loss)),
        ("accuracy", JsTree::Number(score.accuracy)),
        devices::backend_entry(backend),
    ])
}

fn progress_of<'a>(
    trainings: &'a mut HashMap<u32, Progress>,
    raw: &JsTree,
) -> Result<&'a mut Progress, Error> {
    let number = match raw {
        JsTree::Number(number) => Some(*number as u32),
        _ => None,
    };
    let progress = number.and_then(|number| trainings.get_mut(&number));
    progress.ok_or_else(|| no_training(raw))
}

fn no_training(raw: &JsTree) -> Error {
    let rule = "the training run is over";
    Error::new(Code::Freed, "train", raw.describe(), rule)
}

fn entry(step: TrainingStep) -> JsTree {
    JsTree::record([
        ("step", JsTree::Number(step.step.into())),
        ("loss", JsTree::Number(step.score.loss)),
        ("accuracy", JsTree::Number(step.score.accuracy)),
        ("norm", JsTree::Number(step.norm)),
        ("rate", JsTree::Number(step.rate)),
    ])
}
