//! The reference: a model in 64-bit plain loops over its tensors by name, which lists what every step writes to the residual path. What a
//! source gives is found upwards, from one column of a query, key or logit back to all that was written.

mod steps;

use std::collections::HashMap;

use attention::kv_head_of;
use model::attribute::Source;
use model::infer::Inference;
use model::{Model, ModelConfig, NormPlace};

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
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn mean(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}
