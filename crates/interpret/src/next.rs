//! The likeliest words at a place, of the model as it is and with something changed in it.

use model::{Drawn, HiddenCells, Sampler, likeliest};

use crate::Interpreter;
use attention::Error;

/// How many of the likeliest words are given.
pub const LIKELIEST: usize = 10;

/// A word and how likely it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Likely {
    /// Its row of the embedding.
    pub id: usize,
    /// Its characters, all of them seen: `␣Mary`.
    pub text: String,
    /// Its characters as a text goes on with them.
    pub written: String,
    /// Its probability.
    pub share: f64,
}

/// What is changed in a pass.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Heads that are switched off, a layer and a head of it each.
    pub off: Vec<(usize, usize)>,
    /// Cells that heads do not see.
    pub hide: Vec<HiddenCells>,
    /// A head whose output is taken from another text.
    pub patch: Option<PatchFrom>,
}

/// A head that gives what it gives in another text with as many tokens (activation patching, Vig et al. 2020).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchFrom {
    /// The layer.
    pub layer: usize,
    /// One of its heads.
    pub head: usize,
    /// The other text.
    pub text: String,
}

/// What is said at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// The ten likeliest words, the likeliest first.
    pub likeliest: Vec<Likely>,
    /// How likely the word is that was asked for.
    pub asked: Option<f64>,
}

impl Interpreter {
    /// The likeliest words at a place of a text: what comes after it in a causal model, what stands in it in others. `asked` is a word whose
    /// probability is wanted besides.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`](attention::Code::ShapeMismatch) for a place, layer, head or cell that is not there,
    /// [`Code::NotApplicable`](attention::Code::NotApplicable) for a model without logits; those of `patch` for another text that cannot be read or
    /// has another number of tokens; as [`read`](Self::read).
    pub fn next(
        &mut self,
        text: &str,
        place: usize,
        asked: Option<usize>,
        change: &Change,
    ) -> Result<Next, Error> {
        let logits = self.logits_at(text, place, change)?;
        let all = likeliest(&logits, 1.0, LIKELIEST)?;
        Ok(Next {
            likeliest: all.iter().map(|own| self.likely(own)).collect(),
            asked: asked.map(|word| share(&logits, word)),
        })
    }

    /// How likely a word is at a place of a text without a head.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn without(
        &mut self,
        text: &str,
        place: usize,
        word: usize,
        head: (usize, usize),
    ) -> Result<f64, Error> {
        let change = Change {
            off: vec![head],
            ..Change::default()
        };
        Ok(share(&self.logits_at(text, place, &change)?, word))
    }

    /// The word that a text goes on with, drawn at a temperature; at 0 the likeliest.
    ///
    /// # Errors
    /// As [`next`](Self::next), and [`Sampler::new`].
    pub fn written(&mut self, text: &str, temperature: f64, seed: u32) -> Result<Likely, Error> {
        let last = self.pass(text)?.words().length().saturating_sub(1);
        let logits = self.logits_at(text, last, &Change::default())?;
        let mut sampler = Sampler::new(temperature, None, seed)?;
        Ok(self.likely(&sampler.draw(&logits)))
    }

    /// Logits at a place, `[vocabulary]`.
    fn logits_at(&mut self, text: &str, place: usize, change: &Change) -> Result<Vec<f32>, Error> {
        let (layers, width) = (self.model.config().layers, self.model.config().d_model);
        let pass = self.pass(text)?;
        pass.check_place("position", place)?;
        if *change == Change::default() {
            let row = &pass.hidden(layers)[place * width..(place + 1) * width];
            let row = row.to_vec();
            return self.model.logits_of(&row);
        }
        let rows = match &mut self.pass {
            Some(pass) => pass.changed(&self.model, &self.tokenizer, change)?,
            None => Vec::new(),
        };
        let row = rows.get(place * width..(place + 1) * width);
        self.model.logits_of(row.unwrap_or_default())
    }

    pub(crate) fn likely(&self, drawn: &Drawn) -> Likely {
        Likely {
            id: drawn.word,
            text: self.spelled(drawn.word),
            written: u32::try_from(drawn.word)
                .map_or_else(|_| String::new(), |id| self.tokenizer.decode(&[id])),
            share: drawn.share,
        }
    }
}

/// The probability of a word by logits, `[vocabulary]`; 0 for one that they do not have.
pub(crate) fn share(logits: &[f32], word: usize) -> f64 {
    let Some(own) = logits.get(word) else {
        return 0.0;
    };
    let powers = logits
        .iter()
        .map(|logit| libm::exp(f64::from(*logit) - f64::from(*own)));
    1.0 / powers.sum::<f64>()
}
