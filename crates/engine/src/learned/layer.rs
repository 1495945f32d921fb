//! A layer with its input rows, and its model's predictions.

wasm_chunks::chunk!("models": LearnedLayer::new);

use ndarray::Array2;

use super::{LearnedKey, no_words};
use crate::training_run::TrainingRun;
use attention::{Error, Linear, Weights};
use model::behaviour::{Behaviour, Shares, named};
use model::{Examples, Model, Words};

/// Likeliest words that are kept of each row.
pub const ANSWERS: usize = 3;

/// A word that the model predicts, and how likely it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Its place in the vocabulary.
    pub word: usize,
    /// From 0 to 1.
    pub share: f32,
}

/// A training step on its own sentences, which were new to the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedStep {
    /// Mean loss, in nats.
    pub loss: f32,
    /// Share of right answers, 0 … 1.
    pub right: f32,
}

/// Target of the text, and the loss of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The row at which a word is to be predicted.
    pub row: usize,
    /// The word that is right, by its place in the vocabulary.
    pub word: usize,
    /// `−ln p(word)`, in nats.
    pub nats: f32,
    /// The gradient of it with respect to what the layer returns, `[n, d_model]`.
    pub gradient: Array2<f32>,
    /// The same with respect to the rows that enter the layer, of all heads together, `[n, d_model]`.
    pub input: Array2<f32>,
    /// The same with respect to the logits of [`row`](Self::row), `[vocabulary]`, after the last layer; those of other rows are 0.
    pub logits: Option<Vec<f32>>,
}

/// The layer norm before a layer: `scale ∘ (h − mean)/√(variance + ε) + shift` (Ba et al. 2016, eq. 4).
#[derive(Clone, Debug, PartialEq)]
pub struct LayerNorm {
    /// `[d_model]`.
    pub scale: Vec<f32>,
    /// `[d_model]`.
    pub shift: Vec<f32>,
    /// ε.
    pub epsilon: f32,
}

/// A layer of a model that has read a text.
#[derive(Debug, PartialEq)]
pub struct LearnedLayer {
    /// The weights of the layer.
    pub weights: Weights,
    /// The residual path before it, `[n, d_model]`.
    pub residual: Array2<f32>,
    /// The layer norm that turns it into the rows that enter.
    pub norm: LayerNorm,
    /// The rows that enter, `[n, d_model]`.
    pub rows: Array2<f32>,
    /// Unembedding, which turns the residual stream after the last layer into logits,
    /// `[d_model, vocabulary]`; `None` for the other layers.
    pub unembedding: Option<Array2<f32>>,
    /// Attention weights of every head of every layer, as the model computes them, `[layers·heads, n, n]`.
    maps: Vec<f32>,
    /// Predictions at each row, the likeliest first.
    answers: Vec<[Answer; ANSWERS]>,
    /// The likeliest word at each row without each head of every layer, `[layers·heads, n]`.
    without: Vec<Answer>,
    /// Average behaviour of each head of every layer on held-out sentences; `None` where it has no
    /// name.
    behaviours: Vec<Option<(Behaviour, f32)>>,
    /// Target and loss, if the text has a target.
    loss: Option<Loss>,
    /// The steps that led to it.
    history: Vec<LearnedStep>,
}

impl LearnedLayer {
    /// The layer of `key`, of a run that has taken its steps and whose heads have these `shares` on the examples that are held out.
    pub(super) fn new(
        run: &TrainingRun,
        key: &LearnedKey,
        shares: &[Shares],
    ) -> Result<Self, Error> {
        let reading = run.read(key.trained, key.words.clone())?;
        let (n, heads) = (key.words.len(), key.model.all_heads());
        let shape = (n, key.model.sizes.d_model);
        let rows = |numbers: &[f32]| {
            Array2::from_shape_vec(shape, numbers.to_vec()).map_err(|_| no_words())
        };
        let answers = |row| {
            let mut words = reading.prediction(row).into_iter();
            [(); ANSWERS].map(|()| words.next().map_or(NO_ANSWER, Answer::new))
        };
        let rest = run.read_without_heads(key.trained, &key.words)?;
        let without = rest.iter().flat_map(|reading| {
            let likeliest = |row| reading.prediction(row).first().copied();
            (0..n).map(move |row| likeliest(row).map_or(NO_ANSWER, Answer::new))
        });
        let behaviour = |head| {
            let (behaviour, share) = named(shares.get(head)?)?;
            Some((behaviour, share as f32))
        };
        let steps = run.history().iter().take(key.trained);
        let history = steps.map(|step| LearnedStep {
            loss: step.score.loss as f32,
            right: step.score.accuracy as f32,
        });
        let model = run.model(key.trained)?;
        Ok(Self {
            weights: run.layer(key.trained, key.layer)?.weights().clone(),
            residual: rows(reading.residual(key.layer))?,
            norm: LayerNorm::new(&model, key.layer)?,
            rows: rows(reading.inputs(key.layer))?,
            unembedding: key.is_last().then(|| unembedding(&model)).transpose()?,
            maps: (0..heads)
                .flat_map(|head| reading.weights(head).iter().copied())
                .collect(),
            answers: (0..n).map(answers).collect(),
            without: without.collect(),
            behaviours: (0..heads).map(behaviour).collect(),
            loss: key
                .target()
                .map(|target| Loss::new(&model, key, target))
                .transpose()?,
            history: history.collect(),
        })
    }

    /// The map of a head, counted on through the layers; nothing for one that there is not.
    pub fn map(&self, head: usize) -> &[f32] {
        let cells = self.rows.nrows().pow(2);
        self.maps
            .get(head * cells..(head + 1) * cells)
            .unwrap_or_default()
    }

    /// Returns the predictions at a row, the likeliest first; empty out of range.
    pub fn answers(&self, row: usize) -> &[Answer] {
        self.answers
            .get(row)
            .map_or(&[], <[Answer; ANSWERS]>::as_slice)
    }

    /// The likeliest word at a row without a head, counted on through the layers; `None` for a row or head that there is not.
    pub fn answer_without(&self, head: usize, row: usize) -> Option<Answer> {
        let mut heads = self.without.chunks(self.rows.nrows());
        heads.nth(head)?.get(row).copied()
    }

    /// Returns the average behaviour of a head, counted on through the layers; `None` where it has
    /// no name.
    pub fn behaviour(&self, head: usize) -> Option<(Behaviour, f32)> {
        self.behaviours.get(head).copied().flatten()
    }

    /// Returns the target and its loss; `None` if the text has no target.
    pub fn loss(&self) -> Option<&Loss> {
        self.loss.as_ref()
    }

    /// The steps that its model has taken.
    pub fn history(&self) -> &[LearnedStep] {
        &self.history
    }

    /// All of it as numbers, for a message.
    pub fn to_numbers(&self) -> Vec<f32> {
        let projections = projections(&self.weights);
        let mut numbers: Vec<f32> = projections
            .flat_map(|linear| linear.w.iter().copied())
            .collect();
        numbers.extend(&self.residual);
        numbers.extend(self.norm.scale.iter().chain(&self.norm.shift));
        numbers.push(self.norm.epsilon);
        numbers.extend(&self.rows);
        numbers.extend(self.unembedding.iter().flatten());
        numbers.extend(&self.maps);
        for answer in self.answers.iter().flatten().chain(&self.without) {
            numbers.extend([answer.word as f32, answer.share]);
        }
        for behaviour in &self.behaviours {
            let (place, share) =
                behaviour.map_or((-1.0, 0.0), |(own, share)| (own as i32 as f32, share));
            numbers.extend([place, share]);
        }
        if let Some(loss) = &self.loss {
            numbers.push(loss.nats);
            numbers.extend(loss.gradient.iter().chain(&loss.input));
            numbers.extend(loss.logits.iter().flatten());
        }
        for step in &self.history {
            numbers.extend([step.loss, step.right]);
        }
        numbers
    }

    /// Reads the layer of `key` from the numbers that [`to_numbers`](Self::to_numbers) wrote;
    /// `None` for other numbers.
    pub(super) fn from_numbers(key: &LearnedKey, numbers: &[f32]) -> Option<Self> {
        let sizes = key.model.sizes;
        let (n, heads) = (key.words.len(), key.model.all_heads());
        let mut numbers = Numbers(numbers);
        let mut linear = |rows, columns| Some(Linear::without_bias(numbers.matrix(rows, columns)?));
        let (queries, keys) = (sizes.heads * sizes.d_k, sizes.kv_heads * sizes.d_k);
        let vocabulary = key.is_last().then(|| key.model.vocabulary());
        let weights = Weights {
            query: linear(sizes.d_model, queries)?,
            key: linear(sizes.d_model, keys)?,
            value: linear(sizes.d_model, keys)?,
            output: Some(linear(queries, sizes.d_model)?),
            additive: None,
        };
        let layer = Self {
            weights,
            residual: numbers.matrix(n, sizes.d_model)?,
            norm: LayerNorm {
                scale: numbers.take(sizes.d_model)?.to_vec(),
                shift: numbers.take(sizes.d_model)?.to_vec(),
                epsilon: numbers.take(1)?[0],
            },
            rows: numbers.matrix(n, sizes.d_model)?,
            unembedding: match vocabulary {
                Some(words) => Some(numbers.matrix(sizes.d_model, words)?),
                None => None,
            },
            maps: numbers.take(heads * n * n)?.to_vec(),
            answers: (0..n).map(|_| numbers.answers()).collect::<Option<_>>()?,
            without: (0..heads * n)
                .map(|_| numbers.answer())
                .collect::<Option<_>>()?,
            behaviours: (0..heads)
                .map(|_| numbers.behaviour())
                .collect::<Option<_>>()?,
            loss: match key.target() {
                Some(target) => Some(numbers.loss(target, (n, sizes.d_model), vocabulary)?),
                None => None,
            },
            history: (0..key.trained)
                .map(|_| numbers.step())
                .collect::<Option<_>>()?,
        };
        numbers.0.is_empty().then_some(layer)
    }
}

fn tensor(model: &Model, name: String) -> Result<Vec<f32>, Error> {
    let spec = model.tensors().iter().find(|spec| spec.name == name);
    let numbers = spec.map(|spec| model.numbers()[spec.range.clone()].to_vec());
    numbers.ok_or_else(|| Error::missing(name, "the model has this part"))
}

fn unembedding(model: &Model) -> Result<Array2<f32>, Error> {
    let (name, config) = ("unembedding", model.config());
    let numbers = tensor(model, name.to_owned())?;
    let shape = (config.d_model, config.vocabulary);
    Array2::from_shape_vec(shape, numbers).map_err(|_| Error::missing(name, "one of its own"))
}

impl LayerNorm {
    fn new(model: &Model, layer: usize) -> Result<Self, Error> {
        let tensor = |part: &str| tensor(model, format!("layers.{layer}.norm_1.{part}"));
        Ok(Self {
            scale: tensor("scale")?,
            shift: tensor("shift")?,
            epsilon: model.config().epsilon,
        })
    }
}

impl Loss {
    fn new(model: &Model, key: &LearnedKey, (row, word): (usize, usize)) -> Result<Self, Error> {
        let (config, n) = (model.config(), key.words.len());
        let mut targets = vec![None; n];
        targets[row] = Some(word);
        let words = Words::new(config, std::slice::from_ref(&key.words))?;
        let examples = Examples::new(config, words, &[targets])?;
        let around = model.layer_gradients(&examples, key.layer)?;
        let rows =
            |numbers| Array2::from_shape_vec((n, config.d_model), numbers).map_err(|_| no_words());
        let mut logits = around.logits.chunks(config.vocabulary);
        Ok(Self {
            row,
            word,
            nats: around.score.loss as f32,
            gradient: rows(around.output)?,
            input: rows(around.input)?,
            logits: logits
                .nth(row)
                .filter(|_| key.is_last())
                .map(<[f32]>::to_vec),
        })
    }
}

impl Answer {
    fn new((word, share): (usize, f64)) -> Self {
        Self {
            word,
            share: share as f32,
        }
    }
}

const NO_ANSWER: Answer = Answer {
    word: 0,
    share: 0.0,
};

fn projections(weights: &Weights) -> impl Iterator<Item = &Linear> {
    let own = [&weights.query, &weights.key, &weights.value];
    own.into_iter().chain(&weights.output)
}

/// Numbers of a message that have not been read.
struct Numbers<'a>(&'a [f32]);

impl<'a> Numbers<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [f32]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Option<Array2<f32>> {
        let numbers = self.take(rows * columns)?;
        Array2::from_shape_vec((rows, columns), numbers.to_vec()).ok()
    }

    fn answer(&mut self) -> Option<Answer> {
        let written = self.take(2)?;
        Some(Answer {
            word: written[0] as usize,
            share: written[1],
        })
    }

    fn answers(&mut self) -> Option<[Answer; ANSWERS]> {
        let mut answers = [NO_ANSWER; ANSWERS];
        for answer in &mut answers {
            *answer = self.answer()?;
        }
        Some(answers)
    }

    fn loss(
        &mut self,
        (row, word): (usize, usize),
        shape: (usize, usize),
        vocabulary: Option<usize>,
    ) -> Option<Loss> {
        Some(Loss {
            row,
            word,
            nats: self.take(1)?[0],
            gradient: self.matrix(shape.0, shape.1)?,
            input: self.matrix(shape.0, shape.1)?,
            logits: match vocabulary {
                Some(words) => Some(self.take(words)?.to_vec()),
                None => None,
            },
        })
    }

    fn step(&mut self) -> Option<LearnedStep> {
        let written = self.take(2)?;
        Some(LearnedStep {
            loss: written[0],
            right: written[1],
        })
    }

    fn behaviour(&mut self) -> Option<Option<(Behaviour, f32)>> {
        let written = self.take(2)?;
        let own = Behaviour::ALL
            .get(written[0] as usize)
            .filter(|_| written[0] >= 0.0);
        Some(own.map(|behaviour| (*behaviour, written[1])))
    }
}
