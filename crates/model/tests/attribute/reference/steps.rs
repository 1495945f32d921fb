//! What the embedding, attention and an MLP write, in plain loops.

use attention::{kv_head_of, sinusoid};
use model::attribute::Source;
use model::{Activation, ModelConfig, ModelPositions};

use super::{Net, Rows, dot};

impl Net<'_> {
    pub(super) fn embed(&mut self, words: &[usize]) {
        let (config, d_model) = (self.config, self.config.d_model);
        let table =
            |tensor: &str, row: usize| self.tensors[tensor][row * d_model..][..d_model].to_vec();
        let scale = f64::from(config.embedding_scale);
        let scaled = |word: &usize| table("tokens", *word).iter().map(|x| x * scale).collect();
        let mut writes = vec![(Source::Token, words.iter().map(scaled).collect())];
        let places = 0..words.len();
        match config.positions {
            ModelPositions::Learned => {
                let rows = places.map(|i| table("positions", config.first_position + i));
                writes.push((Source::Position, rows.collect()));
            }
            ModelPositions::Sinusoidal => {
                let row = |i| {
                    (0..d_model)
                        .map(|c| sinusoid(i as i64, c, d_model))
                        .collect()
                };
                writes.push((Source::Position, places.map(row).collect()));
            }
            _ => {}
        }
        if config.token_types > 0 {
            writes.push((
                Source::TokenType,
                vec![table("token_types", 0); words.len()],
            ));
        }
        self.write(writes);
    }

    pub(super) fn linear(&self, x: &Rows, w: &str, b: Option<&str>) -> Rows {
        let w = &self.tensors[w];
        let inner = x.first().map_or(1, Vec::len);
        let outputs = w.len() / inner;
        let b = b.and_then(|b| self.tensors.get(b));
        let entry = |row: &Vec<f64>, column: usize| {
            let terms = (0..inner).map(|c| row[c] * w[c * outputs + column]);
            terms.sum::<f64>() + b.map_or(0.0, |b| b[column])
        };
        let line = |row| (0..outputs).map(|column| entry(row, column)).collect();
        x.iter().map(line).collect()
    }

    /// What each head writes, and the bias.
    pub(super) fn attention(&self, x: &Rows, layer: usize) -> Vec<(Source, Rows)> {
        let ModelConfig {
            d_model,
            d_k,
            heads,
            kv_heads,
            ..
        } = self.config;
        let name = |name: &str| format!("layers.{layer}.{name}");
        let of = |letter: &str| {
            self.linear(
                x,
                &name(&format!("w_{letter}")),
                Some(&name(&format!("b_{letter}"))),
            )
        };
        let [q, k, v] = ["q", "k", "v"].map(of);
        let w_o = &self.tensors[&name("w_o")];
        let mut writes = Vec::new();
        for head in 0..heads {
            let shared = kv_head_of(head, heads, kv_heads);
            let turned = |rows: &Rows, head: usize, norm: &str| -> Rows {
                let row = |i: usize| {
                    let mut row = rows[i][head * d_k..][..d_k].to_vec();
                    if let Some(scale) = self.tensors.get(&name(norm)) {
                        let factor = self.factor(&row, 0.0);
                        (0..d_k).for_each(|c| row[c] *= factor * scale[c]);
                    }
                    self.rotated(&row, layer, i, 1.0)
                };
                (0..rows.len()).map(row).collect()
            };
            let (q, k) = (
                turned(&q, head, "q_norm.scale"),
                turned(&k, shared, "k_norm.scale"),
            );
            let is_off = self.how.off.contains(&(layer, head));
            let row = |i: usize| -> Vec<f64> {
                let weights = self.weights(&q[i], &k, (layer, head), i);
                let context = |c: usize| {
                    (0..k.len())
                        .map(|j| weights[j] * v[j][shared * d_k + c])
                        .sum()
                };
                let context: Vec<f64> = (0..d_k).map(context).collect();
                let entry = |column: usize| -> f64 {
                    (0..d_k)
                        .map(|c| context[c] * w_o[(head * d_k + c) * d_model + column])
                        .sum()
                };
                (0..d_model)
                    .map(|column| if is_off { 0.0 } else { entry(column) })
                    .collect()
            };
            writes.push((Source::Head(layer, head), (0..x.len()).map(row).collect()));
        }
        if let Some(bias) = self.tensors.get(&name("b_o")) {
            writes.push((Source::Bias, vec![bias.clone(); x.len()]));
        }
        writes
    }

    /// A row of weights; 0 everywhere where nothing is seen.
    fn weights(&self, q: &[f64], k: &Rows, (layer, head): (usize, usize), i: usize) -> Vec<f64> {
        let capped = |x: f64| {
            self.config
                .score_cap
                .map_or(x, |cap| f64::from(cap) * (x / f64::from(cap)).tanh())
        };
        let score = |j: usize| {
            let product = capped(f64::from(self.config.scale()) * dot(q, &k[j]));
            match self.sees(layer, head, i, j) {
                true => product + self.penalty(head, i, j).unwrap_or(0.0),
                false => f64::NEG_INFINITY,
            }
        };
        let scores: Vec<f64> = (0..k.len()).map(score).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return vec![0.0; k.len()];
        }
        let sum: f64 = scores.iter().map(|s| (s - most).exp()).sum();
        scores.iter().map(|s| (s - most).exp() / sum).collect()
    }

    pub(crate) fn penalty(&self, head: usize, i: usize, j: usize) -> Option<f64> {
        let slope = self.config.alibi_slopes.of(head, self.config.heads);
        (self.config.positions == ModelPositions::Alibi).then(|| -slope * i.abs_diff(j) as f64)
    }

    pub(crate) fn sees(&self, layer: usize, head: usize, i: usize, j: usize) -> bool {
        let local = self.config.local.filter(|local| local.layers.have(layer));
        let is_far = local.is_some_and(|local| i.abs_diff(j) > local.window);
        let mut hidden = self.how.hide.iter();
        let is_hidden =
            hidden.any(|own| (own.layer, own.head) == (layer, head) && own.cells.contains(&(i, j)));
        !(self.config.causal && j > i || is_far || is_hidden)
    }

    /// Rotated by the angles of position `i`, or back.
    pub(super) fn rotated(&self, row: &[f64], layer: usize, i: usize, direction: f64) -> Vec<f64> {
        let mut out = row.to_vec();
        let Some(rotation) = self.config.position_in(layer).rotation() else {
            return out;
        };
        let divisors = self
            .tensors
            .get("rotary_divisors")
            .filter(|_| self.config.divides_angles(layer));
        for pair in 0..rotation.pair_count(row.len()) {
            let divisor = divisors.map_or(1.0, |divisors| divisors[pair]);
            let (sin, cos) = (rotation.angle(i as i64, pair, row.len()) / divisor).sin_cos();
            let [a, b] = rotation.columns_of(pair, row.len());
            out[a] = row[a] * cos - row[b] * sin * direction;
            out[b] = row[a] * sin * direction + row[b] * cos;
        }
        out
    }

    pub(super) fn mlp(&self, x: &Rows, layer: usize) -> (Source, Rows) {
        let name = |name: &str| format!("layers.{layer}.{name}");
        let mut hidden = self.linear(x, &name("w_up"), Some(&name("b_up")));
        let gate = self
            .config
            .gated
            .then(|| self.linear(x, &name("w_gate"), Some(&name("b_gate"))));
        for (i, row) in hidden.iter_mut().enumerate() {
            for (c, h) in row.iter_mut().enumerate() {
                *h = match &gate {
                    Some(gate) => self.activated(gate[i][c]) * *h,
                    None => self.activated(*h),
                };
            }
        }
        let rows = self.linear(&hidden, &name("w_down"), Some(&name("b_down")));
        (Source::Mlp(layer), rows)
    }

    fn activated(&self, x: f64) -> f64 {
        match self.config.activation {
            Activation::Relu => x.max(0.0),
            Activation::Gelu => x / 2.0 * libm::erfc(-x / 2f64.sqrt()),
            Activation::GeluTanh => {
                x / 2.0
                    * (1.0
                        + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x)).tanh())
            }
            Activation::Silu => x / (1.0 + (-x).exp()),
        }
    }
}
