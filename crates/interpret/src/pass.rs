//! The pass over a text, of which everything else is made.

use model::infer::{Inference, Inferred, Kept, KeyValues, Patch};
use model::{Model, ModelConfig, Words};
use ndarray::Axis;
use tokenizer::{Encoding, Tokenizer};

use crate::reading::MOST_WEIGHTS;
use crate::token::{Token, tokens};
use crate::{Change, PatchFrom};
use attention::{Code, Error};

/// A text with the weights of all heads and the residual path.
pub(crate) struct TextPass {
    text: String,
    tokens: Vec<Token>,
    words: Words,
    /// Of a causal model: a text that begins with the same tokens goes on from them.
    past: Option<KeyValues>,
    /// Rows of weights of each head; heads count on through the layers. A row has as many weights as there were words when it was computed: what comes
    /// after it is hidden from it in a causal model.
    weights: Vec<Vec<Vec<f32>>>,
    /// `[n, d_model]` that enter each layer, and those behind the last one and the final norm.
    hidden: Vec<Vec<f32>>,
    /// The rows of all layers once more, for passes with something changed.
    kept: Option<Kept>,
}

impl TextPass {
    /// Encodes and passes a text, from what it shares with the `last` one on.
    ///
    /// # Errors
    /// [`Code::UnknownOption`] for a text that the tokenizer gives up on, [`Code::TooLarge`] for one with more weights than [`MOST_WEIGHTS`],
    /// [`Code::ShapeMismatch`] for one that is longer than the model takes, [`Code::MissingField`] for one without tokens; as [`Model::infer`].
    pub(crate) fn new(
        text: &str,
        model: &Model,
        tokenizer: &Tokenizer,
        last: Option<Self>,
    ) -> Result<Self, Error> {
        let encoding = encoded(text, tokenizer)?;
        let tokens = tokens(&encoding, text, tokenizer);
        let ids: Vec<usize> = tokens.iter().map(|token| token.id).collect();
        check_length(model, ids.len())?;
        let words = Words::new(model.config(), &[ids])?;
        let mut pass = match last {
            Some(last) => last.begun(&words),
            None => Self::empty(model, &words)?,
        };
        pass.go_on(model, &words)?;
        (pass.text, pass.tokens, pass.words) = (text.to_owned(), tokens, words);
        pass.kept = None;
        Ok(pass)
    }

    fn empty(model: &Model, words: &Words) -> Result<Self, Error> {
        let config = model.config();
        let past = config
            .causal
            .then(|| KeyValues::new(model, &Inference::default()));
        Ok(Self {
            text: String::new(),
            tokens: Vec::new(),
            words: words.clone(),
            past: past.transpose()?,
            weights: vec![Vec::new(); config.layers * config.heads],
            hidden: vec![Vec::new(); config.layers + 1],
            kept: None,
        })
    }

    /// What is left of it for a text with these words: the rows of those that both begin with, in a causal model.
    fn begun(mut self, words: &Words) -> Self {
        let both = self.words.all().iter().zip(words.all());
        let shared = both.take_while(|(one, other)| one == other).count();
        let n = self.words.length().max(1);
        let kept = match &mut self.past {
            Some(past) => {
                past.truncate(shared);
                past.length()
            }
            None => 0,
        };
        self.weights.iter_mut().for_each(|rows| rows.truncate(kept));
        let width = |rows: &Vec<f32>| rows.len() / n;
        let hidden = self.hidden.iter_mut();
        hidden.for_each(|rows| rows.truncate(kept * width(rows)));
        self
    }

    /// Computes the rows that are not there.
    fn go_on(&mut self, model: &Model, words: &Words) -> Result<(), Error> {
        let config = model.config();
        let how = Inference {
            weights: every_head(config),
            hidden: (0..=config.layers).collect(),
            ..Inference::default()
        };
        let found = match &mut self.past {
            None => model.infer(words, &how)?,
            Some(past) if past.length() < words.length() => {
                let rest = words.all()[past.length()..].to_vec();
                model.infer_next(&Words::new(config, &[rest])?, &how, past)?
            }
            Some(_) => return Ok(()),
        };
        self.add(found);
        Ok(())
    }

    fn add(&mut self, found: Inferred) {
        for (rows, map) in self.weights.iter_mut().zip(found.weights) {
            let own = map.index_axis(Axis(0), 0);
            rows.extend(own.outer_iter().map(|row| row.to_vec()));
        }
        for (rows, more) in self.hidden.iter_mut().zip(found.hidden) {
            rows.extend(more);
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub(crate) fn words(&self) -> &Words {
        &self.words
    }

    /// Weights of a head, counted on through the layers: `[n, n]`.
    pub(crate) fn map(&self, head: usize) -> Vec<f32> {
        let n = self.words.length();
        let mut map = Vec::with_capacity(n * n);
        for (at, row) in self.weights[head].iter().enumerate() {
            map.extend_from_slice(&row[..row.len().min(n)]);
            map.resize((at + 1) * n, 0.0);
        }
        map
    }

    /// `[n, d_model]` that enter a layer; the number of layers stands for those behind the final norm.
    pub(crate) fn hidden(&self, layer: usize) -> &[f32] {
        &self.hidden[layer]
    }

    /// The rows of a pass with something changed that have left the final norm, `[n, d_model]`: layers before the first change are not computed again.
    pub(crate) fn changed(
        &mut self,
        model: &Model,
        tokenizer: &Tokenizer,
        change: &Change,
    ) -> Result<Vec<f32>, Error> {
        let patch = change.patch.as_ref();
        let patch = patch
            .map(|own| self.patch(model, tokenizer, own))
            .transpose()?;
        let kept = match self.kept.take() {
            Some(kept) => kept,
            None => {
                let rows = self.hidden[..model.config().layers].to_vec();
                model.keep(&self.words, rows)?
            }
        };
        let how = Inference {
            hidden: vec![model.config().layers],
            off: change.off.clone(),
            hide: change.hide.clone(),
            patch: patch.into_iter().collect(),
            ..Inference::default()
        };
        let found = model.infer_again(&how, &kept);
        self.kept = Some(kept);
        Ok(found?.hidden.concat())
    }

    /// What a head gives in another text.
    fn patch(
        &self,
        model: &Model,
        tokenizer: &Tokenizer,
        from: &PatchFrom,
    ) -> Result<Patch, Error> {
        let of_patch = |error: Error| Error {
            field: "patch".to_owned(),
            ..error
        };
        let encoding = encoded(&from.text, tokenizer).map_err(of_patch)?;
        let ids: Vec<usize> = encoding.ids.iter().map(|id| *id as usize).collect();
        let n = self.words.length();
        if ids.len() != n {
            let rule = format!("must have as many tokens as the text, {n}");
            return Err(Error::new(Code::ShapeMismatch, "patch", ids.len(), rule));
        }
        let words = Words::new(model.config(), &[ids]).map_err(of_patch)?;
        let how = Inference {
            contexts: vec![(from.layer, from.head)],
            ..Inference::default()
        };
        Ok(Patch {
            layer: from.layer,
            head: from.head,
            rows: model.infer(&words, &how)?.contexts.concat(),
        })
    }

    /// A place of the text.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] beyond its end.
    pub(crate) fn check_place(&self, field: &str, place: usize) -> Result<(), Error> {
        let n = self.words.length();
        if place < n {
            return Ok(());
        }
        let rule = format!("the text has {n} tokens, from 0 on");
        Err(Error::new(Code::ShapeMismatch, field, place, rule))
    }
}

/// Every head, a layer and a head of it each.
pub(crate) fn every_head(config: &ModelConfig) -> Vec<(usize, usize)> {
    let layers = 0..config.layers;
    let heads = |layer| (0..config.heads).map(move |head| (layer, head));
    layers.flat_map(heads).collect()
}

fn encoded(text: &str, tokenizer: &Tokenizer) -> Result<Encoding, Error> {
    tokenizer.encode(text).map_err(|error| {
        let rule = format!("the tokenizer must be able to read it ({})", error.0);
        Error::new(Code::UnknownOption, "text", "a text", rule)
    })
}

fn check_length(model: &Model, n: usize) -> Result<(), Error> {
    if n == 0 {
        return Err(Error::missing("text", "at least one token is needed"));
    }
    let config = model.config();
    let heads = config.layers * config.heads;
    let most = (MOST_WEIGHTS / heads.max(1)).isqrt();
    if n <= most.min(config.length) {
        return Ok(());
    }
    let (code, rule) = if config.length <= most {
        let rule = format!("the model takes at most {} tokens", config.length);
        (Code::ShapeMismatch, rule)
    } else {
        let rule = format!("at most {most} tokens, since all {heads} heads are kept");
        (Code::TooLarge, rule)
    };
    Err(Error::new(code, "text", n, rule))
}
