//! The reference: logits, weights and loss of a model in 64-bit plain loops, slow and easy to read.
//!
//! It takes numbers in 64 bit, so that differences of its losses are gradients to nine digits, and shares nothing with the steps but the
//! places of the tensors and the list of hidden cells.

use std::cell::RefCell;

use super::layout::{AttentionSlots, LayerSlots, Layout, LinearSlots, MlpSlots, NormSlots, Slot};
use super::{Activation, Examples, Model, ModelConfig, ModelPositions, NormPlace, Words};
use attention::{kv_head_of, sinusoid};

/// Rows of numbers.
type Rows = Vec<Vec<f64>>;

/// `[batch][n][vocabulary]`, or `[batch][n][d_model]` after the last norm where there are no logits, of a model with `numbers` in the place of its own.
pub fn logits(model: &Model, numbers: &[f64], words: &Words) -> Vec<Rows> {
    Run::new(model, numbers).sequences(words)
}

/// Attention weights of each layer, `[batch][heads][n][n]` one after the other, of a model with `numbers` in the place of its own.
pub fn weights(model: &Model, numbers: &[f64], words: &Words) -> Vec<Vec<f64>> {
    let run = Run::new(model, numbers);
    run.sequences(words);
    run.weights.into_inner()
}

/// The mean over all targets of `ln Σ e^l − l[target]`.
pub fn loss(model: &Model, numbers: &[f64], examples: &Examples) -> f64 {
    let rows = logits(model, numbers, examples.words())
        .into_iter()
        .flatten();
    let losses: Vec<f64> = rows
        .zip(examples.targets())
        .filter_map(|(row, target)| target.map(|target| -log_softmax(&row)[target]))
        .collect();
    losses.iter().sum::<f64>() / losses.len() as f64
}

fn log_softmax(row: &[f64]) -> Vec<f64> {
    let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = row.iter().map(|l| libm::exp(l - max)).sum();
    row.iter().map(|l| l - max - libm::log(sum)).collect()
}

struct Run<'a> {
    model: &'a Model,
    config: &'a ModelConfig,
    numbers: &'a [f64],
    /// Those of each layer so far.
    weights: RefCell<Vec<Vec<f64>>>,
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, numbers: &'a [f64]) -> Self {
        Self {
            model,
            config: &model.config,
            numbers,
            weights: RefCell::new(vec![Vec::new(); model.config.layers]),
        }
    }

    fn sequences(&self, words: &Words) -> Vec<Rows> {
        let length = words.length();
        (0..words.batch())
            .map(|b| self.sequence(&words.all()[b * length..][..length]))
            .collect()
    }

    fn sequence(&self, words: &[usize]) -> Rows {
        let layout = &self.model.layout;
        let mut x = self.embed(words, layout);
        if let Some(norm) = layout.embedding_norm {
            x = self.norm(&x, norm);
        }
        for (at, layer) in layout.layers.iter().enumerate() {
            x = self.layer(x, at, layer);
        }
        if let Some(norm) = layout.norm {
            x = self.norm(&x, norm);
        }
        if !self.config.logits {
            return x;
        }
        if let Some(head) = layout.masked_head {
            x = self.normed(&self.activated(self.linear(&x, head.map)), head.norm);
        }
        let column = |row: &Vec<f64>, word: usize| {
            let weight = |c: usize| match layout.unembedding {
                Some(unembedding) => self.at(unembedding, c, word),
                None => self.at(layout.tokens, word, c),
            };
            let product: f64 = row.iter().enumerate().map(|(c, x)| x * weight(c)).sum();
            let bias = layout
                .masked_head
                .map_or(0.0, |head| self.at(head.bias, 0, word));
            capped(product + bias, self.config.logit_cap)
        };
        let vocabulary = self.config.vocabulary;
        x.iter()
            .map(|row| (0..vocabulary).map(|word| column(row, word)).collect())
            .collect()
    }

    fn at(&self, slot: Slot, row: usize, column: usize) -> f64 {
        self.numbers[slot.range()][row * slot.columns + column]
    }

    fn embed(&self, words: &[usize], layout: &Layout) -> Rows {
        let (config, d_model) = (self.config, self.config.d_model);
        let place = |i: usize, c: usize| match (config.positions, layout.positions) {
            (ModelPositions::Sinusoidal, _) => sinusoid(i as i64, c, d_model),
            (_, Some(positions)) => self.at(positions, config.first_position + i, c),
            (_, None) => 0.0,
        };
        let entry = |i: usize, word: usize, c: usize| {
            let kind = layout.token_types.map_or(0.0, |types| self.at(types, 0, c));
            let token = self.at(layout.tokens, word, c);
            f64::from(config.embedding_scale) * token + place(i, c) + kind
        };
        let row = |(i, word): (usize, &usize)| (0..d_model).map(|c| entry(i, *word, c)).collect();
        words.iter().enumerate().map(row).collect()
    }

    fn layer(&self, x: Rows, at: usize, layer: &LayerSlots) -> Rows {
        let attention = |x: Rows| self.attention(&x, at, layer.attention);
        match layer.mlp {
            Some(mlp) if self.config.parallel => {
                let by_attention = attention(self.normed(&x, layer.norm_1));
                let by_mlp = self.mlp(&self.normed(&x, layer.norm_2), mlp);
                sum(&sum(&x, &by_attention), &by_mlp)
            }
            mlp => {
                let x = self.sublayer(x, [layer.norm_1, layer.norm_1_after], attention);
                let Some(mlp) = mlp else { return x };
                self.sublayer(x, [layer.norm_2, layer.norm_2_after], |x| self.mlp(&x, mlp))
            }
        }
    }

    /// Attention or MLP, `inner`, with its norms and the residual path.
    fn sublayer(
        &self,
        x: Rows,
        [norm, norm_after]: [Option<NormSlots>; 2],
        inner: impl Fn(Rows) -> Rows,
    ) -> Rows {
        let [before, after] = match self.config.norm_place {
            NormPlace::Before | NormPlace::Both => [norm, None],
            NormPlace::After => [None, norm],
        };
        let mut y = self.normed(&inner(self.normed(&x, before)), norm_after);
        if self.config.residual {
            y = sum(&y, &x);
        }
        self.normed(&y, after)
    }

    /// Rows after a norm, or as they are.
    fn normed(&self, x: &Rows, norm: Option<NormSlots>) -> Rows {
        norm.map_or_else(|| x.clone(), |norm| self.norm(x, norm))
    }

    fn norm(&self, x: &Rows, slots: NormSlots) -> Rows {
        let width = slots.scale.columns as f64;
        let normalized = |row: &Vec<f64>| {
            let mean = match slots.shift {
                Some(_) => row.iter().sum::<f64>() / width,
                None => 0.0,
            };
            let square = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / width;
            let root = (square + f64::from(self.config.epsilon)).sqrt();
            let shift = |c| slots.shift.map_or(0.0, |shift| self.at(shift, 0, c));
            row.iter()
                .enumerate()
                .map(|(c, x)| (x - mean) / root * self.at(slots.scale, 0, c) + shift(c))
                .collect()
        };
        x.iter().map(normalized).collect()
    }

    fn linear(&self, x: &Rows, slots: LinearSlots) -> Rows {
        let entry = |row: &[f64], column: usize| {
            let bias = slots.b.map_or(0.0, |b| self.at(b, 0, column));
            let terms = row.iter().enumerate();
            terms
                .map(|(c, x)| x * self.at(slots.w, c, column))
                .sum::<f64>()
                + bias
        };
        x.iter()
            .map(|row| {
                (0..slots.w.columns)
                    .map(|column| entry(row, column))
                    .collect()
            })
            .collect()
    }

    fn attention(&self, x: &Rows, layer: usize, slots: AttentionSlots) -> Rows {
        let [q, k, v] = [slots.query, slots.key, slots.value].map(|slots| self.linear(x, slots));
        let mut merged = vec![Vec::new(); x.len()];
        for g in 0..self.config.heads {
            let h = kv_head_of(g, self.config.heads, self.config.kv_heads);
            let [query_norm, key_norm] =
                slots.head_norms.map_or([None; 2], |norms| norms.map(Some));
            let [q, k] = [(&q, g, query_norm), (&k, h, key_norm)].map(|(rows, head, norm)| {
                let norm = norm.map(|scale| NormSlots { scale, shift: None });
                let rows = self.normed(&self.of_head(rows, head), norm);
                self.rotated(rows, layer, slots.divisors)
            });
            let v = self.of_head(&v, h);
            for (i, row) in merged.iter_mut().enumerate() {
                let hides = |j: usize| {
                    let is_later = self.config.causal && j > i;
                    let window = self.config.local.filter(|_| self.config.is_local(layer));
                    let is_far = window.is_some_and(|local| i.abs_diff(j) > local.window);
                    is_later || is_far || self.model.hides(layer, g, (i, j))
                };
                let weights = self.row(&q[i], &k, i, g, hides);
                self.weights.borrow_mut()[layer].extend(&weights);
                row.extend((0..self.config.d_k).map(|c| {
                    let terms = weights.iter().zip(&v);
                    terms.map(|(weight, v)| weight * v[c]).sum::<f64>()
                }));
            }
        }
        self.linear(&merged, slots.output)
    }

    /// The weights of query `i` of a head; 0 everywhere where it sees nothing.
    fn row(
        &self,
        q: &[f64],
        k: &Rows,
        i: usize,
        head: usize,
        hides: impl Fn(usize) -> bool,
    ) -> Vec<f64> {
        if (0..k.len()).all(&hides) {
            return vec![0.0; k.len()];
        }
        let penalty = match self.config.positions {
            ModelPositions::Alibi => self.config.alibi_slopes.of(head, self.config.heads),
            _ => 0.0,
        };
        let divisor = match (self.config.score_scale, self.config.scaled) {
            (Some(scale), _) => 1.0 / f64::from(scale),
            (None, true) => (self.config.d_k as f64).sqrt(),
            (None, false) => 1.0,
        };
        let score = |(j, k): (usize, &Vec<f64>)| {
            if hides(j) {
                return f64::NEG_INFINITY;
            }
            let product: f64 = q.iter().zip(k).map(|(q, k)| q * k).sum();
            capped(product / divisor, self.config.score_cap) - penalty * i.abs_diff(j) as f64
        };
        let scores: Vec<f64> = k.iter().enumerate().map(score).collect();
        log_softmax(&scores).into_iter().map(libm::exp).collect()
    }

    fn of_head(&self, rows: &Rows, head: usize) -> Rows {
        let d_k = self.config.d_k;
        rows.iter()
            .map(|row| row[head * d_k..][..d_k].to_vec())
            .collect()
    }

    /// A head's queries or keys, rotated if positions are rotary.
    fn rotated(&self, rows: Rows, layer: usize, divisors: Option<Slot>) -> Rows {
        let d_k = self.config.d_k;
        let Some(rotation) = self.config.position_in(layer).rotation() else {
            return rows;
        };
        let mut out = rows.clone();
        for (i, (row, out)) in rows.iter().zip(&mut out).enumerate() {
            for pair in 0..rotation.pair_count(d_k) {
                let divisor = divisors.map_or(1.0, |divisors| self.at(divisors, 0, pair));
                let (sin, cos) = libm::sincos(rotation.angle(i as i64, pair, d_k) / divisor);
                let [a, b] = rotation.columns_of(pair, d_k);
                out[a] = row[a] * cos - row[b] * sin;
                out[b] = row[a] * sin + row[b] * cos;
            }
        }
        out
    }

    fn mlp(&self, x: &Rows, slots: MlpSlots) -> Rows {
        let up = self.linear(x, slots.up);
        let hidden = match slots.gate {
            None => self.activated(up),
            Some(gate) => {
                let mut hidden = self.activated(self.linear(x, gate));
                let pairs = hidden.iter_mut().flatten().zip(up.iter().flatten());
                pairs.for_each(|(h, u)| *h *= u);
                hidden
            }
        };
        self.linear(&hidden, slots.down)
    }

    fn activated(&self, mut rows: Rows) -> Rows {
        rows.iter_mut()
            .flatten()
            .for_each(|x| *x = activated(self.config.activation, *x));
        rows
    }
}

fn sum(a: &Rows, b: &Rows) -> Rows {
    let add = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| a + b).collect();
    a.iter().zip(b).map(add).collect()
}

/// `cap·tanh(x/cap)`, where there is a cap.
fn capped(x: f64, cap: Option<f32>) -> f64 {
    cap.map(f64::from)
        .map_or(x, |cap| cap * libm::tanh(x / cap))
}

fn activated(activation: Activation, x: f64) -> f64 {
    use std::f64::consts::{FRAC_2_PI, SQRT_2};
    match activation {
        Activation::Relu => x.max(0.0),
        Activation::Gelu => x / 2.0 * (1.0 + libm::erf(x / SQRT_2)),
        Activation::GeluTanh => {
            x / 2.0 * (1.0 + libm::tanh(FRAC_2_PI.sqrt() * (x + 0.044715 * x * x * x)))
        }
        Activation::Silu => x / (1.0 + libm::exp(-x)),
    }
}
