//! A forward pass that saves nothing: some layers and heads of it, with what is changed in it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::changes;
use super::devices::only_on_processor;
use super::options::named;
use super::reads::Reads;
use super::tensors::tensor;
use super::{Fields, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use engine::{BackendChoice, Pass, PassResults, Workload};
use model::infer::{Inference, WantedLogits};
use model::{HiddenCells, Model, ModelConfig, Words};

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
        let (mut layers, heads) = (
            places("layers", config.layers)?,
            places("heads", config.heads)?,
        );
        layers.sort_unstable();
        layers.dedup();
        Ok(Self {
            want,
            layers,
            heads,
            changes: changes::read(fields, model, reads, words)?,
        })
    }

    /// What a device brings back for it.
    pub(super) fn device_pass(&self) -> Pass {
        Pass {
            weights: if self.want.weights {
                self.layers.clone()
            } else {
                Vec::new()
            },
            logits: self.want.logits,
            hidden: self.want.hidden,
        }
    }

    /// The model that a device computes, without the cells that are hidden.
    ///
    /// # Errors
    /// As [`Model::with_hidden`].
    pub(super) fn device_model<'a>(&self, model: &'a Model) -> Result<Cow<'a, Model>, Error> {
        let mut hidden = BTreeMap::<_, Vec<_>>::new();
        for HiddenCells { layer, head, cells } in &self.changes.hide {
            hidden.entry((*layer, *head)).or_default().extend(cells);
        }
        let mut heads = hidden.iter();
        heads.try_fold(Cow::Borrowed(model), |model, ((layer, head), cells)| {
            model.with_hidden(*layer, *head, cells).map(Cow::Owned)
        })
    }

    /// Where it is computed. Passes with heads that are off or patched go to the processor, whatever the model says.
    ///
    /// # Errors
    /// [`Code::BackendUnavailable`] where the call itself says WebGPU for such a pass.
    pub(super) fn choice(
        &self,
        own: Option<BackendChoice>,
        of_model: BackendChoice,
    ) -> Result<BackendChoice, Error> {
        if self.changes.off.is_empty() && self.changes.patch.is_empty() {
            return Ok(own.unwrap_or(of_model));
        }
        match own {
            Some(BackendChoice::WebGpu) => Err(only_on_processor(
                "a pass with heads that are off or patched",
            )),
            _ => Ok(BackendChoice::Cpu),
        }
    }

    pub(super) fn load(&self, config: &ModelConfig, words: &Words) -> Workload {
        let (batch, n) = (words.batch(), words.length());
        let weights = self.layers.len() * config.heads * n;
        let back = [
            (self.want.weights, weights),
            (self.want.logits && config.logits, config.vocabulary),
            (self.want.hidden, config.d_model),
        ];
        let row: usize = back
            .iter()
            .filter(|(wanted, _)| *wanted)
            .map(|(_, row)| row)
            .sum();
        Workload::of_model(config, [batch, n], 1, (batch * n * row) as u64)
    }

    /// As [`answer`](Self::answer), from what a device has brought back.
    pub(super) fn answer_of(
        &self,
        found: PassResults,
        config: &ModelConfig,
        words: &Words,
    ) -> JsTree {
        let plane = words.length() * words.length();
        let heads = |all: &Vec<f32>| -> Vec<f32> {
            let of_sequence = |sequence: &[f32]| -> Vec<f32> {
                let head = |head: &usize| &sequence[head * plane..(head + 1) * plane];
                self.heads.iter().flat_map(head).copied().collect()
            };
            let sequences = all.chunks_exact((config.heads * plane).max(1));
            sequences.flat_map(of_sequence).collect()
        };
        let weights = found.weights.iter().map(heads).collect();
        self.tree(config, words, weights, &found.hidden, &found.logits)
    }

    /// `{ logits, hidden, layers }`: weights `[batch, heads, n, n]` in the layers that are asked for.
    pub(super) fn answer(&self, model: &Model, words: &Words) -> Result<JsTree, Error> {
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
            ..self.changes.clone()
        };
        let found = model.infer(words, &how)?;
        let mut weights = Vec::new();
        for of_heads in found.weights.chunks(self.heads.len().max(1)) {
            let of_sequence = |at: usize| {
                of_heads
                    .iter()
                    .flat_map(move |own| own.index_axis(ndarray::Axis(0), at).to_owned())
            };
            weights.push((0..words.batch()).flat_map(of_sequence).collect());
        }
        let hidden = found.hidden.first().map_or(&[][..], Vec::as_slice);
        Ok(self.tree(config, words, weights, hidden, &found.logits))
    }

    /// `weights`: `[batch, heads, n, n]` of each layer that is asked for.
    fn tree(
        &self,
        config: &ModelConfig,
        words: &Words,
        weights: Vec<Vec<f32>>,
        hidden: &[f32],
        logits: &[f32],
    ) -> JsTree {
        let [batch, n] = [words.batch(), words.length()];
        let mut layers = vec![JsTree::record([]); config.layers];
        if self.want.weights && !self.heads.is_empty() {
            for (layer, numbers) in self.layers.iter().zip(weights) {
                let weights = tensor(&[batch, self.heads.len(), n, n], &numbers);
                layers[*layer] = JsTree::record([("weights", weights)]);
            }
        }
        let rows = |wanted: bool, numbers: &[f32], width| {
            wanted.then(|| tensor(&[batch, n, width], numbers))
        };
        let logits = rows(self.want.logits && config.logits, logits, config.vocabulary);
        let hidden = rows(self.want.hidden, hidden, config.d_model);
        JsTree::record([
            ("logits", logits.into()),
            ("hidden", hidden.into()),
            ("layers", JsTree::List(layers)),
        ])
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
