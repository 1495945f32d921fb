//! A model as calls use it: with its words, its optimizer, and the running training.

use std::collections::HashMap;
use std::sync::Arc;

use super::generation::{self, Generation};
use super::inference::{self, Asked, Want};
use super::reads::Reads;
use super::tensors::{from_tensors, tensor, tensors};
use super::{Fields, attribution, config, inputs, named, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use engine::model_file;
use formats::FormatError;
use interpret::{Answer, Interpreter, Question};
use model::{Model, Optimizer, OptimizerOptions, Score, Training, TrainingStep, Words};
use tokenizer::Tokenizer;

/// Result of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelAnswer {
    /// Numbers, tensors and lists of them.
    Tree(JsTree),
    /// A file.
    Bytes(Vec<u8>),
}

/// A model with its state between calls.
pub struct StoredModel {
    model: Model,
    optimizer: Option<Optimizer>,
    reads: Reads,
    trainings: HashMap<u32, Progress>,
    generations: HashMap<u32, Generation>,
    next_training: u32,
    /// Answers the page's questions, once there was one.
    interpreter: Option<Interpreter>,
}

/// A training run.
struct Progress {
    training: Training,
    left: u32,
}

impl StoredModel {
    /// Makes a model: `{ config, tensors }` or `{ config, seed, init, std }`, with a `task` that knows vocabulary and length. `say` gives the
    /// sentence about a file that is refused.
    ///
    /// # Errors
    /// As the core's; every refusal names its field.
    pub fn new(raw: JsTree, say: fn(&FormatError) -> String) -> Result<Self, Error> {
        let known = [
            "config", "tensors", "seed", "init", "std", "task", "backend",
        ];
        let mut fields = Fields::parse("", raw, &known)?;
        cpu_only(&mut fields)?;
        let task = fields.take("task").map(inputs::task).transpose()?;
        let raw = fields.take("config").unwrap_or(JsTree::Absent);
        let config = config::config(raw, task.as_ref())?;
        let model = match fields.take("tensors") {
            Some(tensors) => {
                fields.refuse(
                    &["seed", "init", "std"],
                    "tensors are given, so nothing is drawn",
                )?;
                from_tensors(config, tensors, say)?
            }
            None => {
                let seed = seed(&mut fields)?;
                Model::random(config, config::init(&mut fields)?, seed)?
            }
        };
        Ok(Self {
            model,
            optimizer: None,
            reads: task.map_or(Reads::Numbers, |task| Reads::Words(task.words().to_vec())),
            trainings: HashMap::new(),
            generations: HashMap::new(),
            next_training: 0,
            interpreter: None,
        })
    }

    /// A model with the tokenizer of its checkpoint.
    pub(super) fn opened(model: Model, tokenizer: Tokenizer) -> Self {
        Self {
            model,
            optimizer: None,
            reads: Reads::Tokens(Arc::new(tokenizer)),
            trainings: HashMap::new(),
            generations: HashMap::new(),
            next_training: 0,
            interpreter: None,
        }
    }

    /// Answers a question of the page about a text.
    ///
    /// # Errors
    /// [`Code::NotApplicable`] for a model without a tokenizer; those of the [`Interpreter`].
    pub fn interpret(&mut self, question: &Question) -> Result<Answer, Error> {
        let Reads::Tokens(tokenizer) = &self.reads else {
            let rule = "belongs to models that were opened with a tokenizer";
            return Err(Error::new(
                Code::NotApplicable,
                "model",
                "no tokenizer",
                rule,
            ));
        };
        let new = || Interpreter::new(self.model.clone(), Arc::clone(tokenizer));
        self.interpreter.get_or_insert_with(new).answer(question)
    }

    /// Answers the call `name`. `has_time` is called after each training step, and returns whether
    /// another one may follow.
    ///
    /// # Errors
    /// As the core's; every refusal names its field, and the model stays as it was.
    pub fn call(
        &mut self,
        name: &str,
        raw: JsTree,
        has_time: &mut dyn FnMut() -> bool,
    ) -> Result<ModelAnswer, Error> {
        let tree = match name {
            "forward" => self.forward(raw)?,
            "attribute" => attribution::answer(raw, &self.model, &self.reads)?,
            "encode" => self.reads.encoded(inputs::text(&raw)?)?,
            "loss" => self.loss(raw)?,
            "gradients" => self.gradients(raw)?,
            "step" => self.step(raw)?,
            "train" => self.train(raw)?,
            "train_on" => self.train_on(raw, has_time)?,
            "train_end" => self.train_end(raw)?,
            "generate" => self.generate(raw)?,
            "generate_on" => self.generate_on(&raw)?,
            "generate_end" => {
                if let JsTree::Number(number) = raw {
                    self.generations.remove(&(number as u32));
                }
                JsTree::Absent
            }
            "tensors" | "save" if self.model.is_stored() => {
                let rule = "the numbers of an opened checkpoint stay as its files store them";
                return Err(Error::new(Code::NotApplicable, name, "a checkpoint", rule));
            }
            "tensors" => tensors(self.model.tensors(), self.model.numbers()),
            _ => return Ok(ModelAnswer::Bytes(model_file::safetensors(&self.model))),
        };
        Ok(ModelAnswer::Tree(tree))
    }

    fn forward(&self, raw: JsTree) -> Result<JsTree, Error> {
        let known = [
            &["tokens", "text", "want", "backend"][..],
            &inference::FIELDS,
        ]
        .concat();
        let mut fields = Fields::parse("", raw, &known)?;
        cpu_only(&mut fields)?;
        let want = Want::read(fields.take("want"))?;
        let words = inputs::words(&mut fields, self.model.config(), &self.reads)?;
        let is_part = want.hidden || inference::FIELDS.iter().any(|field| fields.has(field));
        let answer = if is_part || self.model.is_stored() {
            Asked::read(&mut fields, want, &self.model, (&self.reads, &words))?
                .answer(&self.model, &words)?
        } else {
            self.whole_pass(want, &words)?
        };
        let rows = words.all().chunks(words.length().max(1));
        let rows = rows.map(|row| JsTree::Doubles(row.iter().map(|word| *word as f64).collect()));
        let JsTree::Record(mut entries) = answer else {
            return Ok(answer);
        };
        entries.push(("tokens".into(), JsTree::List(rows.collect())));
        Ok(JsTree::Record(entries))
    }

    /// All weights and logits, by the pass that gradients are taken of.
    fn whole_pass(&self, want: Want, words: &Words) -> Result<JsTree, Error> {
        let config = self.model.config();
        let forward = self.model.forward(words)?;
        let layers = forward.weights().map(|weights| {
            if !want.weights {
                return JsTree::record([]);
            }
            let numbers = weights.as_slice().unwrap_or_default();
            JsTree::record([("weights", tensor(weights.shape(), numbers))])
        });
        let shape = [words.batch(), words.length(), config.vocabulary];
        let logits = (want.logits && config.logits).then(|| tensor(&shape, forward.logits()));
        Ok(JsTree::record([
            ("logits", logits.into()),
            ("layers", JsTree::List(layers.collect())),
        ]))
    }

    /// Begins to go on after a text and answers its number.
    fn generate(&mut self, raw: JsTree) -> Result<JsTree, Error> {
        let known = [&["tokens", "text", "backend"][..], &generation::FIELDS].concat();
        let mut fields = Fields::parse("", raw, &known)?;
        cpu_only(&mut fields)?;
        let words = inputs::words(&mut fields, self.model.config(), &self.reads)?;
        let generation = Generation::new(&mut fields, words, &self.model)?;
        let number = self.next_number();
        self.generations.insert(number, generation);
        Ok(JsTree::Number(number.into()))
    }

    /// The next word, or nothing after the last.
    fn generate_on(&mut self, raw: &JsTree) -> Result<JsTree, Error> {
        let number = match raw {
            JsTree::Number(number) => Some(*number as u32),
            _ => None,
        };
        let own = number.and_then(|number| self.generations.get_mut(&number));
        let own = own.ok_or_else(|| {
            let rule = "what goes on here is over";
            Error::new(Code::Freed, "generate", raw.describe(), rule)
        })?;
        let drawn = own.next(&self.model)?;
        Ok(drawn.map_or(JsTree::Absent, |drawn| {
            generation::said(&drawn, self.reads.token(drawn.word))
        }))
    }

    fn next_number(&mut self) -> u32 {
        let number = self.next_training;
        self.next_training = number.wrapping_add(1);
        number
    }

    fn loss(&self, raw: JsTree) -> Result<JsTree, Error> {
        let examples = self.examples(raw)?;
        let Score { loss, accuracy } = self.model.score(&examples)?;
        Ok(JsTree::record([
            ("loss", JsTree::Number(loss)),
            ("accuracy", JsTree::Number(accuracy)),
        ]))
    }

    fn gradients(&self, raw: JsTree) -> Result<JsTree, Error> {
        let examples = self.examples(raw)?;
        let gradients = self.model.gradients(&examples)?;
        Ok(JsTree::record([
            ("loss", JsTree::Number(gradients.score.loss)),
            ("accuracy", JsTree::Number(gradients.score.accuracy)),
            ("norm", JsTree::Number(gradients.norm)),
            ("tensors", tensors(self.model.tensors(), &gradients.numbers)),
        ]))
    }

    fn examples(&self, raw: JsTree) -> Result<model::Examples, Error> {
        let mut fields = Fields::parse("", raw, &["tokens", "text", "targets", "backend"])?;
        cpu_only(&mut fields)?;
        inputs::examples(&mut fields, self.model.config(), &self.reads)
    }

    fn step(&mut self, raw: JsTree) -> Result<JsTree, Error> {
        let known = ["tokens", "text", "targets", "optimizer", "backend"];
        let mut fields = Fields::parse("", raw, &known)?;
        cpu_only(&mut fields)?;
        let options = fields
            .take("optimizer")
            .map(config::optimizer)
            .transpose()?;
        let config = self.model.config();
        let examples = inputs::examples(&mut fields, config, &self.reads)?;
        let mut optimizer = self.optimizer(options)?;
        let report = optimizer.step(&mut self.model, &examples)?;
        self.optimizer = Some(optimizer);
        Ok(JsTree::record([
            ("loss", JsTree::Number(report.score.loss)),
            ("accuracy", JsTree::Number(report.score.accuracy)),
            ("norm", JsTree::Number(report.norm)),
            ("rate", JsTree::Number(report.rate)),
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
    fn train(&mut self, raw: JsTree) -> Result<JsTree, Error> {
        let known = ["task", "optimizer", "batch", "steps", "seed", "backend"];
        let mut fields = Fields::parse("", raw, &known)?;
        cpu_only(&mut fields)?;
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
        super::limits::check_model(self.model.config(), batch, task.length())?;
        let reads = Reads::Words(task.words().to_vec());
        let training = Training::new(task, batch, seed, &self.model)?;
        let optimizer = self.optimizer(options)?;
        self.optimizer = Some(optimizer);
        self.reads = reads;
        let number = self.next_number();
        let left = u32::try_from(steps).unwrap_or(u32::MAX);
        self.trainings.insert(number, Progress { training, left });
        Ok(JsTree::Number(number.into()))
    }

    /// Steps while there is time: `{ history, left }`.
    fn train_on(
        &mut self,
        raw: JsTree,
        has_time: &mut dyn FnMut() -> bool,
    ) -> Result<JsTree, Error> {
        let Self {
            model,
            optimizer: Some(optimizer),
            trainings,
            ..
        } = self
        else {
            return Err(no_training(&raw));
        };
        let progress = progress_of(trainings, &raw)?;
        let mut history = Vec::new();
        while progress.left > 0 {
            history.push(entry(progress.training.step(model, optimizer)?));
            progress.left -= 1;
            if !has_time() {
                break;
            }
        }
        Ok(JsTree::record([
            ("history", JsTree::List(history)),
            ("left", JsTree::Number(progress.left.into())),
        ]))
    }

    /// Loss and accuracy on the examples that are held out; the run is over.
    fn train_end(&mut self, raw: JsTree) -> Result<JsTree, Error> {
        let progress = progress_of(&mut self.trainings, &raw)?;
        let score = progress.training.score(&self.model);
        if let JsTree::Number(number) = raw {
            self.trainings.remove(&(number as u32));
        }
        let Score { loss, accuracy } = score?;
        Ok(JsTree::record([
            ("loss", JsTree::Number(loss)),
            ("accuracy", JsTree::Number(accuracy)),
        ]))
    }
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

/// Refuses a model on anything but the CPU.
pub(super) fn cpu_only(fields: &mut Fields) -> Result<(), Error> {
    let Some(raw) = fields.take("backend") else {
        return Ok(());
    };
    let choices = [("auto", true), ("cpu", true), ("webgpu", false)];
    if named("backend", &raw, &choices)? {
        return Ok(());
    }
    let rule = "models run on the CPU; on WebGPU they do not yet";
    Err(Error::new(
        Code::BackendUnavailable,
        "backend",
        raw.describe(),
        rule,
    ))
}

fn seed(fields: &mut Fields) -> Result<u32, Error> {
    let raw = fields.take("seed");
    let seed = raw.map_or(Ok(1), |raw| whole("seed", &raw, 0, Code::UnknownOption))?;
    Ok(u32::try_from(seed).unwrap_or(u32::MAX))
}
