//! A forward pass that saves nothing: some layers and heads of it, with heads switched off and cells hidden.

use super::options::named;
use super::tensors::tensor;
use super::{Fields, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::infer::{Inference, WantedLogits};
use model::{HiddenCells, Model, Words};

/// Fields that only such a pass has.
pub(super) const FIELDS: [&str; 4] = ["layers", "heads", "off", "hidden_cells"];

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
    off: Vec<(usize, usize)>,
    hide: Vec<HiddenCells>,
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
    pub(super) fn read(fields: &mut Fields, want: Want, model: &Model) -> Result<Self, Error> {
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
        let off = records(fields.take("off"), "off", ["layer", "head"])?;
        let cell = ["layer", "head", "query", "key"];
        let hidden = records(fields.take("hidden_cells"), "hidden_cells", cell)?;
        let hide = |[layer, head, query, key]: [usize; 4]| HiddenCells {
            layer,
            head,
            cells: vec![(query, key)],
        };
        Ok(Self {
            want,
            layers,
            heads,
            off: off.into_iter().map(|[layer, head]| (layer, head)).collect(),
            hide: hidden.into_iter().map(hide).collect(),
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
            off: self.off,
            hide: self.hide,
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

/// A list of objects of whole numbers.
fn records<const N: usize>(
    raw: Option<JsTree>,
    field: &'static str,
    names: [&'static str; N],
) -> Result<Vec<[usize; N]>, Error> {
    let list = match raw {
        None => return Ok(Vec::new()),
        Some(JsTree::List(list)) => list,
        Some(JsTree::Doubles(numbers)) if numbers.is_empty() => Vec::new(),
        Some(other) => {
            let rule = format!("must be a list of objects with {}", names.join(", "));
            return Err(Error::new(
                Code::UnknownOption,
                field,
                other.describe(),
                rule,
            ));
        }
    };
    let read = |raw| {
        let mut fields = Fields::parse(field, raw, &names)?;
        let mut numbers = [0; N];
        for (number, name) in numbers.iter_mut().zip(names) {
            let path = format!("{field}.{name}");
            let rule = "each of them has it";
            let raw = fields
                .take(name)
                .ok_or_else(|| Error::missing(&path, rule))?;
            *number = whole(&path, &raw, 0, Code::ShapeMismatch)?;
        }
        Ok(numbers)
    };
    list.into_iter().map(read).collect()
}
