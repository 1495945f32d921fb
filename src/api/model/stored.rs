//! A model as calls use it: with its words, its optimizer, what it has on a device, and the running training.

use std::collections::HashMap;
use std::sync::Arc;

use super::devices::{self, Devices, OnDevice, Placement};
use super::generation::{self, Generation};
use super::inference::{self, Asked, Want};
use super::learning::Progress;
use super::reads::Reads;
use super::tensors::{from_tensors, tensor, tensors};
use super::{Fields, attribution, config, inputs, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use engine::{Backend, BackendChoice, DeviceModel, Failure, model_file};
use formats::FormatError;
use interpret::{Answer, Interpreter, Question};
use model::{Model, Optimizer, Words};
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
    pub(super) model: Model,
    pub(super) optimizer: Option<Optimizer>,
    pub(super) reads: Reads,
    pub(super) trainings: HashMap<u32, Progress>,
    generations: HashMap<u32, Generation>,
    next_training: u32,
    /// Answers the page's questions, once there was one.
    interpreter: Option<Interpreter>,
    /// Where calls that do not say so are computed.
    backend: BackendChoice,
    pub(super) on_device: OnDevice,
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
        let backend = devices::choice(&mut fields)?;
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
        let reads = task.map_or(Reads::Numbers, |task| Reads::Words(task.words().to_vec()));
        Ok(Self {
            backend: backend.unwrap_or(BackendChoice::Cpu),
            ..Self::of(model, reads)
        })
    }

    /// A model with the tokenizer of its checkpoint.
    pub(super) fn opened(model: Model, tokenizer: Tokenizer) -> Self {
        Self::of(model, Reads::Tokens(Arc::new(tokenizer)))
    }

    fn of(model: Model, reads: Reads) -> Self {
        Self {
            model,
            optimizer: None,
            reads,
            trainings: HashMap::new(),
            generations: HashMap::new(),
            next_training: 0,
            interpreter: None,
            backend: BackendChoice::Cpu,
            on_device: OnDevice::default(),
        }
    }

    /// Where calls are computed that do not say so.
    pub fn backend(&self) -> BackendChoice {
        self.backend
    }

    pub(super) fn choice(&self, fields: &mut Fields) -> Result<BackendChoice, Error> {
        Ok(devices::choice(fields)?.unwrap_or(self.backend))
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

    /// Answers the call `name`.
    ///
    /// # Errors
    /// As the core's; every refusal names its field, and the model stays as it was.
    pub async fn call(
        &mut self,
        name: &str,
        raw: JsTree,
        devices: &dyn Devices,
    ) -> Result<ModelAnswer, Error> {
        let tree = match name {
            "forward" => self.forward(raw, devices).await?,
            "attribute" => attribution::answer(raw, &self.model, &self.reads)?,
            "encode" => self.reads.encoded(inputs::text(&raw)?)?,
            "loss" => self.loss(raw, devices).await?,
            "gradients" => self.gradients(raw, devices).await?,
            "step" => self.step(raw, devices).await?,
            "train" => self.train(raw)?,
            "train_on" => self.train_on(raw, devices).await?,
            "train_end" => self.train_end(raw, devices).await?,
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

    async fn forward(&mut self, raw: JsTree, devices: &dyn Devices) -> Result<JsTree, Error> {
        let known = [
            &["tokens", "text", "want", "backend"][..],
            &inference::FIELDS,
        ]
        .concat();
        let mut fields = Fields::parse("", raw, &known)?;
        let own = devices::choice(&mut fields)?;
        let want = Want::read(fields.take("want"))?;
        let words = inputs::words(&mut fields, self.model.config(), &self.reads)?;
        let is_part = want.hidden || inference::FIELDS.iter().any(|field| fields.has(field));
        let asked = Asked::read(&mut fields, want, &self.model, (&self.reads, &words))?;
        let choice = asked.choice(own, self.backend)?;
        let load = asked.load(self.model.config(), &words);
        let placed = Placement::new(devices, choice, load);
        let act = async |device: &mut DeviceModel| {
            let model = asked.device_model(&self.model);
            let model = model.map_err(Failure::Request)?;
            let found = device.forward(&model, &words, &asked.device_pass()).await;
            found.map_err(Failure::from)
        };
        let found = placed.on_device(&mut self.on_device, &self.model, act);
        let (answer, backend) = match found.await? {
            Some(found) => (
                asked.answer_of(found, self.model.config(), &words),
                Backend::WebGpu,
            ),
            None => {
                let answer = placed.on_processor(|| match is_part || self.model.is_stored() {
                    true => asked.answer(&self.model, &words),
                    false => self.whole_pass(want, &words),
                });
                (answer?, Backend::Cpu)
            }
        };
        let rows = words.all().chunks(words.length().max(1));
        let rows = rows.map(|row| JsTree::Doubles(row.iter().map(|word| *word as f64).collect()));
        let JsTree::Record(mut entries) = answer else {
            return Ok(answer);
        };
        let said = [
            ("tokens", JsTree::List(rows.collect())),
            devices::backend_entry(backend),
        ];
        entries.extend(said.map(|(name, value)| (name.into(), value)));
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
        devices::processor_only(&mut fields, "what goes on after a text")?;
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

    pub(super) fn next_number(&mut self) -> u32 {
        let number = self.next_training;
        self.next_training = number.wrapping_add(1);
        number
    }
}

pub(super) fn seed(fields: &mut Fields) -> Result<u32, Error> {
    let raw = fields.take("seed");
    let seed = raw.map_or(Ok(1), |raw| whole("seed", &raw, 0, Code::UnknownOption))?;
    Ok(u32::try_from(seed).unwrap_or(u32::MAX))
}
