//! Which numbers a model has: a name and a shape for each tensor, one after the other in one array.

use std::ops::Range;

use super::{ModelConfig, ModelPositions, Norm, NormPlace};
use attention::{Code, Error};

/// A tensor of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorSpec {
    /// Its name, e.g. `layers.0.w_q`.
    pub name: String,
    /// One axis or two.
    pub shape: Vec<usize>,
    /// Where its numbers are among those of the model.
    pub range: Range<usize>,
}

/// Where a matrix, or a vector as one row, is among a model's numbers.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// Place of the tensor among those of the model.
    pub tensor: usize,
    first: usize,
    /// Its rows; 1 of a vector.
    pub rows: usize,
    /// Numbers of a row.
    pub columns: usize,
}

impl Slot {
    /// A tensor in lines of `columns` numbers.
    pub(super) fn of_tensor(tensor: usize, spec: &TensorSpec, columns: usize) -> Self {
        Self {
            tensor,
            first: spec.range.start,
            rows: spec.range.len() / columns.max(1),
            columns,
        }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.first..self.first + self.rows * self.columns
    }

    pub(super) fn of(self, numbers: &[f32]) -> &[f32] {
        &numbers[self.range()]
    }

    pub(super) fn of_mut(self, numbers: &mut [f32]) -> &mut [f32] {
        &mut numbers[self.range()]
    }
}

/// `y = x·w + b`.
#[derive(Debug, Clone, Copy)]
pub struct LinearSlots {
    /// `[in, out]`.
    pub w: Slot,
    /// `[out]`.
    pub b: Option<Slot>,
}

/// `y = scale ∘ normalized(x) + shift`; without a shift the mean stays where it is.
#[derive(Debug, Clone, Copy)]
pub struct NormSlots {
    /// A factor for each column.
    pub scale: Slot,
    /// What is added to each column.
    pub shift: Option<Slot>,
}

/// A layer's attention.
#[derive(Debug, Clone, Copy)]
pub struct AttentionSlots {
    /// Makes queries.
    pub query: LinearSlots,
    /// Makes keys.
    pub key: LinearSlots,
    /// Makes values.
    pub value: LinearSlots,
    /// Mixes the heads.
    pub output: LinearSlots,
    /// Scales of the queries' and the keys' norm, `[d_k]`.
    pub head_norms: Option<[Slot; 2]>,
    /// What rotary angles are divided by, `[pairs]`.
    pub divisors: Option<Slot>,
}

/// A layer's MLP.
#[derive(Debug, Clone, Copy)]
pub struct MlpSlots {
    /// Makes hidden rows.
    pub up: LinearSlots,
    /// Makes what the activation is taken of, where it multiplies them.
    pub gate: Option<LinearSlots>,
    /// Makes the result.
    pub down: LinearSlots,
}

/// The tables of a model.
#[derive(Debug, Clone, Copy)]
pub struct TableSlots {
    /// Vectors of the words.
    pub tokens: Slot,
    /// Vectors of the places.
    pub positions: Option<Slot>,
    /// Vectors of the kinds of words.
    pub token_types: Option<Slot>,
    /// What logits are made with; `None` where it is the table of words, transposed, or where there are no logits.
    pub unembedding: Option<Slot>,
}

/// A layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayerSlots {
    pub(super) norm_1: Option<NormSlots>,
    pub(super) attention: AttentionSlots,
    pub(super) norm_1_after: Option<NormSlots>,
    pub(super) norm_2: Option<NormSlots>,
    pub(super) norm_2_after: Option<NormSlots>,
    pub(super) mlp: Option<MlpSlots>,
}

/// A head for masked words.
#[derive(Debug, Clone, Copy)]
pub(super) struct MaskedHeadSlots {
    pub(super) map: LinearSlots,
    pub(super) norm: Option<NormSlots>,
    /// Of the logits, `[vocabulary]`.
    pub(super) bias: Slot,
}

/// All tensors of a model, in the order of their numbers.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) specs: Vec<TensorSpec>,
    pub(super) tokens: Slot,
    pub(super) positions: Option<Slot>,
    pub(super) token_types: Option<Slot>,
    pub(super) embedding_norm: Option<NormSlots>,
    pub(super) layers: Vec<LayerSlots>,
    pub(super) norm: Option<NormSlots>,
    pub(super) masked_head: Option<MaskedHeadSlots>,
    /// `None` where it is the embedding, or where there are no logits.
    pub(super) unembedding: Option<Slot>,
    pub(super) length: usize,
}

impl Layout {
    /// Lists the tensors of a model of at most `most` numbers.
    pub(super) fn new(config: &ModelConfig, most: usize) -> Result<Self, Error> {
        config.check()?;
        check_size(config, most)?;
        let mut specs = Specs::default();
        let d_model = config.d_model;
        let tokens = specs.matrix("tokens", config.vocabulary, d_model);
        let positions = (config.positions == ModelPositions::Learned)
            .then(|| specs.matrix("positions", config.first_position + config.length, d_model));
        let token_types = (config.token_types > 0)
            .then(|| specs.matrix("token_types", config.token_types, d_model));
        let embedding_norm = config
            .embedding_norm
            .then(|| specs.norm(config, "embedding_norm"))
            .flatten();
        let divisors = config
            .rotary_divisors
            .then(|| specs.vector("rotary_divisors".to_owned(), config.rotary_pair_count()));
        let mut layers: Vec<_> = (0..config.layers)
            .map(|layer| specs.layer(config, &format!("layers.{layer}")))
            .collect();
        for (layer, slots) in layers.iter_mut().enumerate() {
            slots.attention.divisors = divisors.filter(|_| config.divides_angles(layer));
        }
        let norm = config
            .final_norm
            .then(|| specs.norm(config, "norm"))
            .flatten();
        let masked_head = config.masked_head.then(|| specs.masked_head(config));
        let unembedding = (config.logits && !config.tied)
            .then(|| specs.matrix("unembedding", d_model, config.vocabulary));
        Ok(Self {
            length: specs.next,
            specs: specs.list,
            tokens,
            positions,
            token_types,
            embedding_norm,
            layers,
            norm,
            masked_head,
            unembedding,
        })
    }
}

/// Refuses a model of more than `most` numbers before anything is listed.
fn check_size(config: &ModelConfig, most: usize) -> Result<(), Error> {
    let product = |factors: &[usize]| factors.iter().map(|x| *x as f64).product::<f64>();
    let c = config;
    let heads = 2.0 * (c.heads as f64 + c.kv_heads as f64);
    let layer = product(&[c.d_model, c.d_k]) * heads + 3.0 * product(&[c.d_model, c.mlp]);
    let tables = if c.tied || !c.logits { 1.0 } else { 2.0 };
    let words = tables * product(&[c.d_model, c.vocabulary]) + product(&[c.d_model, c.token_types]);
    let places = match c.positions {
        ModelPositions::Learned => c.d_model as f64 * (c.length as f64 + c.first_position as f64),
        _ => 0.0,
    };
    let head = match c.masked_head {
        true => product(&[c.d_model, c.d_model]) + c.vocabulary as f64,
        false => 0.0,
    };
    let numbers = layer * c.layers as f64 + words + places + head;
    if numbers <= most as f64 {
        return Ok(());
    }
    let rule = format!("a model may have at most {most} numbers");
    Err(Error::new(Code::TooLarge, "config", numbers, rule))
}

#[derive(Default)]
struct Specs {
    list: Vec<TensorSpec>,
    next: usize,
}

impl Specs {
    fn add(&mut self, name: String, shape: Vec<usize>) -> Range<usize> {
        let range = self.next..self.next + shape.iter().product::<usize>();
        self.next = range.end;
        self.list.push(TensorSpec {
            name,
            shape,
            range: range.clone(),
        });
        range
    }

    fn matrix(&mut self, name: impl Into<String>, rows: usize, columns: usize) -> Slot {
        let tensor = self.list.len();
        let first = self.add(name.into(), vec![rows, columns]).start;
        Slot {
            tensor,
            first,
            rows,
            columns,
        }
    }

    fn vector(&mut self, name: String, columns: usize) -> Slot {
        let tensor = self.list.len();
        let first = self.add(name, vec![columns]).start;
        Slot {
            tensor,
            first,
            rows: 1,
            columns,
        }
    }

    fn linear(
        &mut self,
        place: &str,
        letter: &str,
        sizes: [usize; 2],
        biases: bool,
    ) -> LinearSlots {
        let [rows, columns] = sizes;
        LinearSlots {
            w: self.matrix(format!("{place}.w_{letter}"), rows, columns),
            b: biases.then(|| self.vector(format!("{place}.b_{letter}"), columns)),
        }
    }

    fn norm(&mut self, config: &ModelConfig, place: &str) -> Option<NormSlots> {
        let scale = match config.norm {
            Norm::None => return None,
            Norm::Layer | Norm::Rms => self.vector(format!("{place}.scale"), config.d_model),
        };
        let shift = (config.norm == Norm::Layer)
            .then(|| self.vector(format!("{place}.shift"), config.d_model));
        Some(NormSlots { scale, shift })
    }

    fn layer(&mut self, config: &ModelConfig, place: &str) -> LayerSlots {
        let norm_1 = self.norm(config, &format!("{place}.norm_1"));
        let attention = self.attention(config, place);
        let has_mlp = config.mlp > 0;
        let norm_1_after = self.norm_after(config, &format!("{place}.norm_1_after"));
        let norm_2 = has_mlp
            .then(|| self.norm(config, &format!("{place}.norm_2")))
            .flatten();
        let mlp = has_mlp.then(|| self.mlp(config, place));
        let norm_2_after = has_mlp
            .then(|| self.norm_after(config, &format!("{place}.norm_2_after")))
            .flatten();
        LayerSlots {
            norm_1,
            attention,
            norm_1_after,
            norm_2,
            norm_2_after,
            mlp,
        }
    }

    fn norm_after(&mut self, config: &ModelConfig, place: &str) -> Option<NormSlots> {
        let has_both = config.norm_place == NormPlace::Both;
        has_both.then(|| self.norm(config, place)).flatten()
    }

    fn attention(&mut self, config: &ModelConfig, place: &str) -> AttentionSlots {
        let [queries, keys] = [config.heads, config.kv_heads].map(|heads| heads * config.d_k);
        let own = config.biases || config.qkv_biases;
        let mut linear = |letter: &str, sizes, biases| self.linear(place, letter, sizes, biases);
        AttentionSlots {
            query: linear("q", [config.d_model, queries], own),
            key: linear("k", [config.d_model, keys], own),
            value: linear("v", [config.d_model, keys], own),
            output: linear("o", [queries, config.d_model], config.biases),
            head_norms: config.qk_norm.then(|| {
                ["q_norm", "k_norm"]
                    .map(|name| self.vector(format!("{place}.{name}.scale"), config.d_k))
            }),
            divisors: None,
        }
    }

    fn masked_head(&mut self, config: &ModelConfig) -> MaskedHeadSlots {
        let width = config.d_model;
        let place = |part: &str| format!("masked_head.{part}");
        MaskedHeadSlots {
            map: LinearSlots {
                w: self.matrix(place("w"), width, width),
                b: Some(self.vector(place("b"), width)),
            },
            norm: self.norm(config, &place("norm")),
            bias: self.vector(place("bias"), config.vocabulary),
        }
    }

    fn mlp(&mut self, config: &ModelConfig, place: &str) -> MlpSlots {
        let mut linear = |letter: &str, rows, columns| {
            self.linear(place, letter, [rows, columns], config.biases)
        };
        MlpSlots {
            up: linear("up", config.d_model, config.mlp),
            gate: config
                .gated
                .then(|| linear("gate", config.d_model, config.mlp)),
            down: linear("down", config.mlp, config.d_model),
        }
    }
}
