//! A forward pass that saves nothing: some layers and heads of it, with what is changed in it.

use super::changes;
use super::options::named;
use super::reads::Reads;
use super::tensors::tensor;
use super::{Fields, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::infer::{Inference, WantedLogits};
use model::{Model, Words};

/// Fields that only such a pass has.
pub(super) const FIELDS: [&str; 5] = ["layers", "heads", "off", "hidden_cells", "patch"];

/// Which results are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Want {
    pub(super) logits: bool,
    pub(super) weights: bool,
    pub(super) hidden: bool,
}

/// What is asked for beside the words.
pub(super) struct Asked {
    want: Want,
    layers: Vec<usize>,
    heads: Vec<usize>,
    changes: Inference,
}

impl Want {
    /// `want`: a list of names, logits and weights without.
    pub(super) fn read(raw: Option<JsTree>) -> Result<Self, Error> {
        let nothing = Self {
            logits: false,
            weights: false,
            hidden: false,
        };
        let names = match raw {
            None => {
                return Ok(Self {
                    logits: true,
                    weights: true,
                    ..nothing
                });
            }
            Some(JsTree::List(names)) => names,
            Some(JsTree::Doubles(numbers)) if numbers.is_empty() => Vec::new(),
            Some(other) => {
                let rule = "must be a list of results: logits, weights, hidden";
                return Err(Error::new(
                    Code::UnknownOption,
                    "want",
                    other.describe(),
                    rule,
                ));
            }
        };
        let mut want = nothing;
        for name in &names {
            let found = named(
                "want",
                name,
                &[("logits", 0), ("weights", 1), ("hidden", 2)],
            )?;
            *[&mut want.logits, &mut want.weights, &mut want.hidden][found] = true;
        }
        Ok(want)
    }
}

impl Asked {
    pub(super) fn read(
        fields: &mut Fields,
        want: Want,
        model: &Model,
        (reads, words): (&Reads, &Words),
    ) -> Result<Self, Error> {
        let config = model.config();
        let mut places = |field, count| {
            let raw = fields.take(field);
            raw.map_or_else(
                || Ok((0..count).collect()),
                |raw| indices(field, &raw, count),
            )
        };
        let (layers, heads) = (
            places("layers", config.layers)?,
            places("heads", config.heads)?,
        );
        Ok(Self {
            want,
            layers,
            heads,
            changes: changes::read(fields, model, reads, words)?,
        })
    }

    /// `{ logits, hidden, layers }`: weights `[batch, heads, n, n]` in the layers that are asked for.
    pub(super) fn answer(self, model: &Model, words: &Words) -> Result<JsTree, Error> {
        let config = model.config();
        let heads = || {
            self.layers
                .iter()
                .flat_map(|layer| self.heads.iter().map(|head| (*layer, *head)))
        };
        let how = Inference {
            weights: if self.want.weights {
                heads().collect()
            } else {
                Vec::new()
            },
            hidden: if self.want.hidden {
                vec![config.layers]
            } else {
                Vec::new()
            },
            logits: match self.want.logits && config.logits {
                true => WantedLogits::All,
                false => WantedLogits::None,
            },
            ..self.changes
        };
        let found = model.infer(words, &how)?;
        let [batch, n] = [words.batch(), words.length()];
        let mut layers = vec![JsTree::record([]); config.layers];
        if self.want.weights && !self.heads.is_empty() {
            for (layer, of_heads) in self
                .layers
                .iter()
                .zip(found.weights.chunks(self.heads.len()))
            {
                let of_sequence = |at: usize| {
                    of_heads
                        .iter()
                        .flat_map(move |own| own.index_axis(ndarray::Axis(0), at).to_owned())
                };
                let numbers: Vec<f32> = (0..batch).flat_map(of_sequence).collect();
                let weights = tensor(&[batch, of_heads.len(), n, n], &numbers);
                layers[*layer] = JsTree::record([("weights", weights)]);
            }
        }
        let rows = |numbers: &[f32], width| tensor(&[batch, n, width], numbers);
        let hidden = found
            .hidden
            .first()
            .map(|hidden| rows(hidden, config.d_model));
        let logits =
            (self.want.logits && config.logits).then(|| rows(&found.logits, config.vocabulary));
        Ok(JsTree::record([
            ("logits", logits.into()),
            ("hidden", hidden.into()),
            ("layers", JsTree::List(layers)),
        ]))
    }
}

/// A list of places among `count`.
fn indices(field: &str, raw: &JsTree, count: usize) -> Result<Vec<usize>, Error> {
    let numbers: Vec<JsTree> = match raw {
        JsTree::Doubles(numbers) => numbers.iter().map(|own| JsTree::Number(*own)).collect(),
        JsTree::List(list) => list.clone(),
        other => {
            let rule = "must be a list of whole numbers";
            return Err(Error::new(
                Code::UnknownOption,
                field,
                other.describe(),
                rule,
            ));
        }
    };
    let place = |raw: &JsTree| {
        let place = whole(field, raw, 0, Code::ShapeMismatch)?;
        if place < count {
            return Ok(place);
        }
        let rule = format!("the model has {count}, from 0 on");
        Err(Error::new(Code::ShapeMismatch, field, place, rule))
    };
    numbers.iter().map(place).collect()
}
