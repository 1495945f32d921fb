//! Every operation of a plan in plain loops over counting numbers, read off its formula.

use std::collections::BTreeMap;

use attention::plan::{Cost, Operation, Side, Step};
use attention::{CellIndex, Linear, Request, Source, Weights, rotation, sinusoidal_encoding};
use ndarray::{Array1, Array2, Array3};

use crate::instrumented::number::{Number, Tensor, counted};

/// A row of a result; cells that a sparse kernel leaves out are `None`.
type Row = Vec<Option<Number>>;

pub(super) struct Executor<'a> {
    request: &'a Request,
    tensors: BTreeMap<&'static str, Tensor>,
    /// Leaves hidden cells of the score matrix out instead of computing them.
    is_sparse: bool,
}

fn rows(rows: &Array3<f32>) -> Tensor {
    let (batch, length, width) = rows.dim();
    Tensor::new([batch, 1, length, width], |[b, _, i, c]| {
        f64::from(rows[[b, i, c]])
    })
}

fn matrix(matrix: &Array2<f32>) -> Tensor {
    let (length, width) = matrix.dim();
    Tensor::new([1, 1, length, width], |[_, _, i, c]| {
        f64::from(matrix[[i, c]])
    })
}

/// `start + Σ a·b`.
fn sum(start: Number, pairs: impl Iterator<Item = (Number, Number)>) -> Number {
    pairs.fold(start, |sum, (a, b)| sum.plus_product(a, b))
}

/// Bias of a linear map: one row, or none.
fn bias(linear: &Linear) -> Tensor {
    let row = linear.b.clone().unwrap_or_default();
    matrix(&row.insert_axis(ndarray::Axis(0)))
}

impl<'a> Executor<'a> {
    pub(super) fn new(request: &'a Request, weights: &Weights, is_sparse: bool) -> Self {
        let Source::Layer {
            layer,
            queries,
            keys_values,
        } = request.source()
        else {
            panic!("inputs that a layer projects")
        };
        let s = *request.sizes();
        let encoding = |length| matrix(&sinusoidal_encoding(length, s.d_model.expect("inputs")));
        let turns = |length: usize| {
            Tensor::new([1, 2, length, s.d_k / 2], |[_, part, i, pair]| {
                let angle = rotation(i as i64, pair, s.d_k);
                if part == 0 { angle.cos() } else { angle.sin() }
            })
        };
        let mut tensors = BTreeMap::from([
            ("X", rows(queries)),
            ("PE of X", encoding(s.n)),
            ("PE of Y", encoding(s.m)),
            ("R of Q", turns(s.n)),
            ("R of K", turns(s.m)),
            ("W_Q", matrix(&weights.query.w)),
            ("W_K", matrix(&weights.key.w)),
            ("W_V", matrix(&weights.value.w)),
            ("b_Q", bias(&weights.query)),
            ("b_K", bias(&weights.key)),
            ("b_V", bias(&weights.value)),
        ]);
        if let Some(norms) = &layer.refinements().norms {
            let row = |scale: &Array1<f32>| matrix(&scale.clone().insert_axis(ndarray::Axis(0)));
            tensors.insert("norm of Q", row(&norms.query));
            tensors.insert("norm of K", row(&norms.key));
        }
        if let Some(keys_values) = keys_values {
            tensors.insert("Y", rows(keys_values));
        }
        if let Some(output) = &weights.output {
            tensors.insert("W_O", matrix(&output.w));
            tensors.insert("b_O", bias(output));
        }
        if let Some(w_a) = request.additive() {
            let row = w_a.clone().insert_axis(ndarray::Axis(0));
            tensors.insert("w_a", matrix(&row));
        }
        if let Some(bias) = &request.call().bias {
            let (batches, heads, n, m) = bias.numbers().dim();
            let cell = |[b, g, i, j]: [usize; 4]| f64::from(bias.numbers()[[b, g, i, j]]);
            tensors.insert("B", Tensor::new([batches, heads, n, m], cell));
        }
        if let Some(linformer) = &request.call().linformer {
            tensors.insert("E", matrix(&linformer.e));
            tensors.insert("F", matrix(&linformer.f));
        }
        Self {
            request,
            tensors,
            is_sparse,
        }
    }

    /// The numbers of a result.
    pub(super) fn result(&self, name: &str) -> &[f64] {
        self.tensors[name].numbers()
    }

    fn is_visible(&self, [batch, head, query, key]: [usize; 4]) -> bool {
        self.request.call().mask.visible(CellIndex {
            batch,
            head,
            query,
            key,
        })
    }

    /// Which keys of a row a kernel works on.
    fn works_on(&self, [b, g, i]: [usize; 3], operation: Operation) -> Vec<usize> {
        let call = self.request.call();
        let is_hidden = call.masked_score.is_none()
            && (!call.mask_after || operation == Operation::WeightedSum);
        (0..self.request.sizes().keys)
            .filter(|key| !self.is_sparse || !is_hidden || self.is_visible([b, g, i, *key]))
            .collect()
    }

    /// Makes `name` row by row from `operands`, and says what that took.
    fn make(
        &mut self,
        name: &'static str,
        operands: &[&'static str],
        shape: [usize; 4],
        row: impl Fn(&Self, &[&Tensor], [usize; 3]) -> Row,
    ) -> Cost {
        let mut made = Tensor::new(shape, |_| 0.0);
        let known: Vec<_> = operands.iter().map(|name| &self.tensors[name]).collect();
        counted();
        known.iter().for_each(|tensor| tensor.forget_reads());
        for (b, g, i) in ndarray::indices([shape[0], shape[1], shape[2]]) {
            for (c, number) in row(self, &known, [b, g, i]).into_iter().enumerate() {
                number
                    .into_iter()
                    .for_each(|number| made.set([b, g, i, c], number));
            }
        }
        if self.is_sparse {
            // Whatever a mask shows, rows of queries, keys and values are taken to be read.
            let whole = operands.iter().zip(&known);
            let whole = whole.filter(|(name, _)| ["Q", "K", "V", "w_a"].contains(name));
            whole.for_each(|(_, tensor)| tensor.read_whole());
        }
        let (multiply_adds, elementwise) = counted();
        let cost = Cost {
            multiply_adds,
            elementwise,
            reads: known.iter().map(|tensor| tensor.reads()).sum(),
            writes: made.writes(),
        };
        self.tensors.insert(name, made);
        cost
    }

    /// Does a step.
    pub(super) fn step(&mut self, step: &Step) -> Cost {
        let shape = match step.shape.0[..] {
            [(_, a), (_, b), (_, c)] => [a, 1, b, c],
            [(_, a), (_, b), (_, c), (_, d)] => [a, b, c, d],
            _ => panic!("three or four axes"),
        };
        let source = if self.tensors.contains_key("Y") {
            "Y"
        } else {
            "X"
        };
        match step.operation {
            Operation::AddPositions(Side::KeysValues) => self.add("Y", "PE of Y", shape),
            Operation::AddPositions(_) => self.add("X", "PE of X", shape),
            Operation::ProjectQueries => self.project("Q", ["X", "W_Q", "b_Q"], shape),
            Operation::ProjectKeys => self.project("K", [source, "W_K", "b_K"], shape),
            Operation::ProjectValues => self.project("V", [source, "W_V", "b_V"], shape),
            Operation::NormQueries => self.norm("Q", "norm of Q", shape),
            Operation::NormKeys => self.norm("K", "norm of K", shape),
            Operation::RotateQueries => self.turn("Q", "R of Q", shape),
            Operation::RotateKeys => self.turn("K", "R of K", shape),
            Operation::ShortenKeys => self.shorten("K", "E", shape),
            Operation::ShortenValues => self.shorten("V", "F", shape),
            Operation::MergeHeads => self.merge_heads(shape),
            Operation::ProjectOutput => self.project("O", ["C", "W_O", "b_O"], shape),
            Operation::WeightedSum => self.weighted_sum(shape),
            operation => self.on_scores(operation, shape),
        }
    }

    fn add(&mut self, x: &'static str, encoding: &'static str, shape: [usize; 4]) -> Cost {
        self.make(x, &[x, encoding], shape, |_, known, [b, _, i]| {
            (0..shape[3])
                .map(|c| Some(known[0].at([b, 0, i, c]) + known[1].at([0, 0, i, c])))
                .collect()
        })
    }

    fn project(
        &mut self,
        name: &'static str,
        operands: [&'static str; 3],
        shape: [usize; 4],
    ) -> Cost {
        self.make(name, &operands, shape, |_, known, [b, g, i]| {
            let (inner, has_bias) = (known[0].shape[3], known[2].shape[3] > 0);
            let start = |column| match has_bias {
                true => known[2].at([0, 0, 0, column]),
                false => Number(0.0),
            };
            let entry = |c| {
                let column = g * shape[3] + c;
                let pair = |j| (known[0].at([b, 0, i, j]), known[1].at([0, 0, j, column]));
                Some(sum(start(column), (0..inner).map(pair)))
            };
            (0..shape[3]).map(entry).collect()
        })
    }

    fn norm(&mut self, name: &'static str, scale: &'static str, shape: [usize; 4]) -> Cost {
        let Source::Layer { layer, .. } = self.request.source() else {
            panic!("inputs that a layer projects")
        };
        let norms = layer.refinements().norms.as_ref().expect("norms");
        let epsilon = Number(f64::from(norms.epsilon));
        self.make(name, &[name, scale], shape, |_, known, [b, g, i]| {
            let x = |c| known[0].at([b, g, i, c]);
            let squares = (0..shape[3]).fold(Number(0.0), |sum, c| sum + x(c) * x(c));
            let root = (squares / Number(shape[3] as f64) + epsilon).sqrt();
            let inverse = Number(1.0) / root;
            let entry = |c| Some(x(c) * inverse * known[1].at([0, 0, 0, c]));
            (0..shape[3]).map(entry).collect()
        })
    }

    fn turn(&mut self, name: &'static str, turns: &'static str, shape: [usize; 4]) -> Cost {
        self.make(name, &[name, turns], shape, |_, known, [b, g, i]| {
            let mut row = Vec::new();
            for pair in 0..shape[3] / 2 {
                let [x, y] = [0, 1].map(|part| known[0].at([b, g, i, 2 * pair + part]));
                let [cos, sin] = [0, 1].map(|part| known[1].at([0, part, i, pair]));
                row.extend([x * cos - y * sin, x * sin + y * cos].map(Some));
            }
            if !shape[3].is_multiple_of(2) {
                row.push(Some(known[0].at([b, g, i, shape[3] - 1])));
            }
            row
        })
    }

    fn shorten(&mut self, name: &'static str, by: &'static str, shape: [usize; 4]) -> Cost {
        let m = self.request.sizes().m;
        self.make(name, &[by, name], shape, |_, known, [b, g, r]| {
            let entry = |c| {
                let pair = |j| (known[0].at([0, 0, r, j]), known[1].at([b, g, j, c]));
                Some(sum(Number(0.0), (0..m).map(pair)))
            };
            (0..shape[3]).map(entry).collect()
        })
    }

    fn weighted_sum(&mut self, shape: [usize; 4]) -> Cost {
        let s = *self.request.sizes();
        self.make("C", &["A", "V"], shape, |this, known, [b, g, i]| {
            let keys = this.works_on([b, g, i], Operation::WeightedSum);
            let owner = g / (s.heads / s.kv_heads);
            let entry = |c| {
                let pair = |j: &usize| (known[0].at([b, g, i, *j]), known[1].at([b, owner, *j, c]));
                Some(sum(Number(0.0), keys.iter().map(pair)))
            };
            (0..shape[3]).map(entry).collect()
        })
    }

    fn merge_heads(&mut self, shape: [usize; 4]) -> Cost {
        let d_v = self.request.sizes().d_v;
        self.make("C", &["C"], shape, |_, known, [b, _, i]| {
            (0..shape[3])
                .map(|c| Some(known[0].at([b, c / d_v, i, c % d_v])))
                .collect()
        })
    }

    /// A step on the score matrix.
    fn on_scores(&mut self, operation: Operation, shape: [usize; 4]) -> Cost {
        let (name, operands): (_, &[&str]) = match operation {
            Operation::DotScores => ("S", &["Q", "K"]),
            Operation::AdditiveScores => ("S", &["Q", "K", "w_a"]),
            Operation::Softmax => ("A", &["S"]),
            Operation::HideWeights => ("A", &["A"]),
            Operation::AddBias => ("S", &["S", "B"]),
            _ => ("S", &["S"]),
        };
        self.make(name, operands, shape, |this, known, [b, g, i]| {
            let keys = this.works_on([b, g, i], operation);
            let mut row = vec![None; shape[3]];
            let made = match operation {
                Operation::Softmax => this.softmax(known[0], [b, g, i], &keys),
                _ => keys
                    .iter()
                    .map(|j| this.cell(operation, known, [b, g, i, *j]))
                    .collect(),
            };
            for (key, number) in keys.into_iter().zip(made) {
                row[key] = Some(number);
            }
            row
        })
    }

    fn cell(&self, operation: Operation, known: &[&Tensor], at: [usize; 4]) -> Number {
        let (config, call, s) = (
            self.request.config(),
            self.request.call(),
            self.request.sizes(),
        );
        let [b, g, i, j] = at;
        let owner = g / (s.heads / s.kv_heads);
        let columns = (0..s.d_k).map(|c| (known[0].at([b, g, i, c]), [b, owner, j, c]));
        let hidden = call.masked_score.map_or(f64::NEG_INFINITY, f64::from);
        match operation {
            Operation::DotScores => sum(Number(0.0), columns.map(|(q, k)| (q, known[1].at(k)))),
            Operation::AdditiveScores => {
                let pair = |(c, (q, k)): (usize, (Number, _))| {
                    ((q + known[1].at(k)).tanh(), known[2].at([0, 0, 0, c]))
                };
                sum(Number(0.0), columns.enumerate().map(pair))
            }
            Operation::Scale => known[0].at(at) * Number(f64::from(config.scale)),
            Operation::Cap => {
                let cap = Number(f64::from(config.cap.expect("a cap")));
                (known[0].at(at) / cap).tanh() * cap
            }
            Operation::Bias => {
                let slope = Number(config.position.penalty(g, s.heads));
                known[0].at(at) - slope * Number(i.abs_diff(j) as f64)
            }
            Operation::AddBias => {
                let [batches, heads, _, _] = known[1].shape;
                known[0].at(at) + known[1].at([b.min(batches - 1), g.min(heads - 1), i, j])
            }
            Operation::Mask | Operation::HideWeights => {
                let number = known[0].at(at);
                match (self.is_visible(at), operation) {
                    (true, _) => number,
                    (false, Operation::Mask) => Number(hidden),
                    (false, _) => Number(0.0),
                }
            }
            _ => panic!("{operation:?} makes no score"),
        }
    }

    fn softmax(&self, scores: &Tensor, [b, g, i]: [usize; 3], keys: &[usize]) -> Vec<Number> {
        let temperature = self.request.call().temperature;
        let row: Vec<_> = keys.iter().map(|j| scores.at([b, g, i, *j])).collect();
        let max = row
            .iter()
            .fold(Number(f64::NEG_INFINITY), |max, s| max.larger(*s));
        let power = |score: &Number| match temperature {
            1.0 => (*score - max).exp(),
            _ => ((*score - max) / Number(f64::from(temperature))).exp(),
        };
        let powers: Vec<_> = row.iter().map(power).collect();
        let sum = powers.iter().fold(Number(0.0), |sum, power| sum + *power);
        // A row that sees nothing is zero, whatever 0/0 gives.
        let share = |power: &Number| match (*power / sum, max.0 == f64::NEG_INFINITY) {
            (_, true) => Number(0.0),
            (share, false) => share,
        };
        powers.iter().map(share).collect()
    }
}
