//! The reference: a model in 64-bit plain loops over its tensors by name, which lists what every step writes to the residual path. What a
//! source gives is found upwards, from one column of a query, key or logit back to all that was written.

use std::collections::HashMap;

use attention::{Position, kv_head_of, sinusoid};
use model::attribute::Source;
use model::infer::Inference;
use model::{Activation, Model, ModelConfig, ModelPositions, NormPlace};

pub(crate) type Rows = Vec<Vec<f64>>;
/// What each source gives to the columns of a row.
pub(crate) type Columns = HashMap<Source, Vec<f64>>;

/// What happens to the residual path.
enum Op {
    Write(Source, Rows),
    Norm(Norm),
    Erase,
}

/// A norm with the factor of each row.
struct Norm {
    factors: Vec<f64>,
    is_centred: bool,
    scale: Vec<f64>,
}

impl Norm {
    /// Of a part of row `i`.
    fn down(&self, i: usize, row: &[f64]) -> Vec<f64> {
        let mean = if self.is_centred { mean(row) } else { 0.0 };
        let entry = |c: usize| (row[c] - mean) * self.factors[i] * self.scale[c];
        (0..row.len()).map(entry).collect()
    }

    /// Its transpose.
    fn up(&self, i: usize, row: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = (0..row.len()).map(|c| row[c] * self.scale[c]).collect();
        let mean = if self.is_centred { mean(&scaled) } else { 0.0 };
        scaled
            .iter()
            .map(|x| (x - mean) * self.factors[i])
            .collect()
    }
}

pub(crate) struct Net<'a> {
    config: ModelConfig,
    tensors: HashMap<String, Vec<f64>>,
    how: &'a Inference,
    x: Rows,
    ops: Vec<Op>,
    /// Operations before each layer, and the rows that enter it.
    entries: Vec<(usize, Rows)>,
}

impl<'a> Net<'a> {
    pub(crate) fn new(model: &Model, words: &[usize], how: &'a Inference) -> Self {
        let specs = model.tensors().iter();
        let tensors = specs.map(|spec| {
            let numbers = model.numbers()[spec.range.clone()].iter();
            (spec.name.clone(), numbers.map(|x| f64::from(*x)).collect())
        });
        let mut net = Self {
            config: *model.config(),
            tensors: tensors.collect(),
            how,
            x: vec![vec![0.0; model.config().d_model]; words.len()],
            ops: Vec::new(),
            entries: Vec::new(),
        };
        net.run(words);
        net
    }

    /// What gives the query (or the key) of a head at position `i`, column by column.
    pub(crate) fn side(&self, layer: usize, head: usize, is_query: bool, i: usize) -> Columns {
        let (ops, x) = &self.entries[layer];
        let letter = if is_query { "q" } else { "k" };
        let head = match is_query {
            true => head,
            false => kv_head_of(head, self.config.heads, self.config.kv_heads),
        };
        let norm = self.norm_before(x, &format!("layers.{layer}.norm_1"));
        let rows = self.entered(x, layer, 1);
        let (d_k, place) = (self.config.d_k, format!("layers.{layer}"));
        let width = self.tensors[&format!("{place}.w_{letter}")].len() / self.config.d_model;
        let b = self.tensors.get(&format!("{place}.b_{letter}"));
        let b: Vec<f64> = (0..d_k)
            .map(|c| b.map_or(0.0, |b| b[head * d_k + c]))
            .collect();
        let w = |c: usize, column: usize| {
            self.tensors[&format!("{place}.w_{letter}")][c * width + head * d_k + column]
        };
        let raw: Vec<f64> = (0..d_k)
            .map(|column| {
                (0..rows[i].len())
                    .map(|c| rows[i][c] * w(c, column))
                    .sum::<f64>()
                    + b[column]
            })
            .collect();
        let own = self.tensors.get(&format!("{place}.{letter}_norm.scale"));
        let factor = own.map_or(1.0, |_| self.factor(&raw, 0.0));
        let mut columns = Columns::new();
        for column in 0..d_k {
            let mut g = vec![0.0; d_k];
            g[column] = 1.0;
            let mut g = self.rotated(&g, layer, i, -1.0);
            if let Some(scale) = own {
                (0..d_k).for_each(|c| g[c] *= factor * scale[c]);
            }
            let mut found = HashMap::from([(Source::Bias, dot(&g, &b))]);
            let mut up: Vec<f64> = (0..self.config.d_model)
                .map(|c| (0..d_k).map(|column| g[column] * w(c, column)).sum())
                .collect();
            if let Some((norm, shift)) = &norm {
                *found.entry(Source::Bias).or_default() += dot(&up, shift);
                up = norm.up(i, &up);
            }
            self.follow(up, i, *ops, &mut found);
            for (source, value) in found {
                columns.entry(source).or_insert_with(|| vec![0.0; d_k])[column] = value;
            }
        }
        columns
    }

    /// What gives a logit.
    pub(crate) fn logit(&self, i: usize, word: usize) -> HashMap<Source, f64> {
        let (d_model, vocabulary) = (self.config.d_model, self.config.vocabulary);
        let g = (0..d_model).map(|c| match self.tensors.get("unembedding") {
            Some(unembedding) => unembedding[c * vocabulary + word],
            None => self.tensors["tokens"][word * d_model + c],
        });
        let mut found = HashMap::new();
        self.follow(g.collect(), i, self.ops.len(), &mut found);
        found
    }

    /// Adds what each source gives along `g` in row `i` after the first `ops` operations.
    fn follow(&self, mut g: Vec<f64>, i: usize, ops: usize, found: &mut HashMap<Source, f64>) {
        for op in self.ops[..ops].iter().rev() {
            match op {
                Op::Write(source, rows) => *found.entry(*source).or_default() += dot(&g, &rows[i]),
                Op::Norm(norm) => g = norm.up(i, &g),
                Op::Erase => return,
            }
        }
    }

    fn run(&mut self, words: &[usize]) {
        self.embed(words);
        if self.config.embedding_norm {
            self.norm("embedding_norm");
        }
        for layer in 0..self.config.layers {
            self.entries.push((self.ops.len(), self.x.clone()));
            let attention = self.attention(&self.entered(&self.x, layer, 1), layer);
            if self.config.parallel && self.config.mlp > 0 {
                let mlp = self.mlp(&self.entered(&self.x, layer, 2), layer);
                self.write(attention.into_iter().chain([mlp]).collect());
                continue;
            }
            self.sublayer(layer, 1, attention);
            if self.config.mlp > 0 {
                let mlp = self.mlp(&self.entered(&self.x, layer, 2), layer);
                self.sublayer(layer, 2, vec![mlp]);
            }
        }
        if self.config.final_norm {
            self.norm("norm");
        }
    }

    fn embed(&mut self, words: &[usize]) {
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
                let row = |i| (0..d_model).map(|c| sinusoid(i, c, d_model)).collect();
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

    fn write(&mut self, writes: Vec<(Source, Rows)>) {
        for (source, rows) in writes {
            for (x, row) in self.x.iter_mut().zip(&rows) {
                x.iter_mut().zip(row).for_each(|(x, y)| *x += y);
            }
            self.ops.push(Op::Write(source, rows));
        }
    }

    fn norm(&mut self, name: &str) {
        let Some((norm, shift)) = self.norm_of(&self.x, name) else {
            return;
        };
        self.x = (0..self.x.len())
            .map(|i| norm.down(i, &self.x[i]))
            .collect();
        self.ops.push(Op::Norm(norm));
        self.write(vec![(Source::Bias, vec![shift; self.x.len()])]);
    }

    fn sublayer(&mut self, layer: usize, part: usize, mut writes: Vec<(Source, Rows)>) {
        if let Some((norm, shift)) = self.after_norm(layer, part, &writes) {
            for (_, rows) in &mut writes {
                *rows = (0..rows.len()).map(|i| norm.down(i, &rows[i])).collect();
            }
            writes.push((Source::Bias, vec![shift; self.x.len()]));
        }
        if !self.config.residual {
            self.ops.push(Op::Erase);
            self.x.iter_mut().for_each(|row| row.fill(0.0));
        }
        self.write(writes);
        if self.config.norm_place == NormPlace::After {
            self.norm(&format!("layers.{layer}.norm_{part}"));
        }
    }

    /// The norm of what a part of a layer writes, if there is one.
    fn after_norm(
        &self,
        layer: usize,
        part: usize,
        writes: &[(Source, Rows)],
    ) -> Option<(Norm, Vec<f64>)> {
        let mut sum = vec![vec![0.0; self.config.d_model]; self.x.len()];
        for (i, c) in (0..sum.len()).flat_map(|i| (0..self.config.d_model).map(move |c| (i, c))) {
            sum[i][c] = writes.iter().map(|(_, rows)| rows[i][c]).sum();
        }
        self.norm_of(&sum, &format!("layers.{layer}.norm_{part}_after"))
    }

    fn norm_of(&self, rows: &Rows, name: &str) -> Option<(Norm, Vec<f64>)> {
        let scale = self.tensors.get(&format!("{name}.scale"))?.clone();
        let shift = self.tensors.get(&format!("{name}.shift")).cloned();
        let factor =
            |row: &Vec<f64>| self.factor(row, if shift.is_some() { mean(row) } else { 0.0 });
        let norm = Norm {
            factors: rows.iter().map(factor).collect(),
            is_centred: shift.is_some(),
            scale,
        };
        let width = self.config.d_model;
        Some((norm, shift.unwrap_or_else(|| vec![0.0; width])))
    }

    fn norm_before(&self, rows: &Rows, name: &str) -> Option<(Norm, Vec<f64>)> {
        match self.config.norm_place {
            NormPlace::After => None,
            NormPlace::Before | NormPlace::Both => self.norm_of(rows, name),
        }
    }

    fn factor(&self, row: &[f64], mean: f64) -> f64 {
        let square = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
        1.0 / (square + f64::from(self.config.epsilon)).sqrt()
    }

    /// What a part of a layer reads.
    fn entered(&self, x: &Rows, layer: usize, part: usize) -> Rows {
        match self.norm_before(x, &format!("layers.{layer}.norm_{part}")) {
            None => x.clone(),
            Some((norm, shift)) => {
                let row = |i: usize| {
                    let down = norm.down(i, &x[i]);
                    (0..down.len()).map(|c| down[c] + shift[c]).collect()
                };
                (0..x.len()).map(row).collect()
            }
        }
    }

    fn linear(&self, x: &Rows, w: &str, b: Option<&str>) -> Rows {
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
    fn attention(&self, x: &Rows, layer: usize) -> Vec<(Source, Rows)> {
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
        let slope = Position::AlibiGeometric.penalty(head, self.config.heads);
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
    fn rotated(&self, row: &[f64], layer: usize, i: usize, direction: f64) -> Vec<f64> {
        let mut out = row.to_vec();
        let Some(rotation) = self.config.position_in(layer).rotation() else {
            return out;
        };
        let divisors = self
            .tensors
            .get("rotary_divisors")
            .filter(|_| self.config.divides_angles(layer));
        for pair in 0..rotation.pairs(row.len()) {
            let divisor = divisors.map_or(1.0, |divisors| divisors[pair]);
            let (sin, cos) = (rotation.angle(i, pair, row.len()) / divisor).sin_cos();
            let [a, b] = rotation.columns(pair, row.len());
            out[a] = row[a] * cos - row[b] * sin * direction;
            out[b] = row[a] * sin * direction + row[b] * cos;
        }
        out
    }

    fn mlp(&self, x: &Rows, layer: usize) -> (Source, Rows) {
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

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn mean(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}
