//! What a model says next, word by word: keys and values are kept between the steps.

use super::options::finite;
use super::{Fields, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::infer::{Inference, KeyValues, WantedLogits};
use model::{Drawn, Model, Sampler, Words};

/// Fields of a call beside its words.
pub(super) const FIELDS: [&str; 4] = ["temperature", "top", "seed", "steps"];

/// Steps without `steps`.
const STEPS: usize = 16;

/// A text that goes on.
pub(super) struct Generation {
    past: KeyValues,
    sampler: Sampler,
    /// What the model has not read yet.
    words: Words,
    left: usize,
}

const fn how() -> Inference {
    Inference {
        weights: Vec::new(),
        contexts: Vec::new(),
        hidden: Vec::new(),
        logits: WantedLogits::Last,
        off: Vec::new(),
        hide: Vec::new(),
        patch: Vec::new(),
    }
}

impl Generation {
    /// Begins after `words`, one sequence.
    pub(super) fn new(fields: &mut Fields, words: Words, model: &Model) -> Result<Self, Error> {
        if words.batch() != 1 || words.length() == 0 {
            let rule = "must be one sequence of at least one word";
            let found = format!("[{}, {}]", words.batch(), words.length());
            return Err(Error::new(Code::ShapeMismatch, "tokens", found, rule));
        }
        let mut count = |field: &str, least| {
            let raw = fields.take(field);
            let count = raw.map(|raw| whole(field, &raw, least, Code::UnknownOption));
            count.transpose()
        };
        let (top, seed) = (count("top", 1)?, count("seed", 0)?.unwrap_or(1));
        let left = count("steps", 0)?.unwrap_or(STEPS);
        let temperature = fields.take("temperature");
        let temperature = temperature.map_or(Ok(1.0), |raw| finite("temperature", &raw))?;
        let seed = u32::try_from(seed).unwrap_or(u32::MAX);
        Ok(Self {
            past: KeyValues::new(model, &how())?,
            sampler: Sampler::new(temperature.into(), top, seed)?,
            words,
            left,
        })
    }

    /// The next word; `None` after the last, or where the model takes no longer sequence.
    pub(super) fn next(&mut self, model: &Model) -> Result<Option<Drawn>, Error> {
        if self.left == 0 || self.past.length() + self.words.length() > model.config().length {
            return Ok(None);
        }
        let found = model.infer_next(&self.words, &how(), &mut self.past)?;
        let drawn = self.sampler.draw(&found.logits);
        self.words = Words::new(model.config(), &[vec![drawn.word]])?;
        self.left -= 1;
        Ok(Some(drawn))
    }
}

/// `{ id, token, probability }`.
pub(super) fn said(drawn: &Drawn, token: Option<String>) -> JsTree {
    JsTree::record([
        ("id", JsTree::index(drawn.word)),
        ("token", token.map_or(JsTree::Absent, JsTree::Text)),
        ("probability", JsTree::Number(drawn.share)),
    ])
}
