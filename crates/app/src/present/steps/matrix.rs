//! The numbers of a step, for one head.

use std::borrow::Cow;

use super::backward::{gradient, logits};
use crate::state::StepKind;
use crate::state::StepOwner;
use crate::state::steps::{Axis, steps};
use attention::plan::Side;
use attention::{CellIndex, Request, Rotation, Scoring, Source, sinusoidal_encoding_at};
use engine::learned::LearnedLayer;

/// Kind of numbers in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixKind {
    /// From 0 to 1, each row summing to 1 at most.
    Weights,
    /// Of either sign.
    Signed,
    /// 1 where visible, 0 where hidden.
    Mask,
}

/// A matrix with named axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<'a> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// `[rows, columns]`, row by row.
    pub values: Cow<'a, [f32]>,
    /// Axis of the rows.
    pub row_axis: Axis,
    /// Axis of the columns.
    pub column_axis: Axis,
    /// Kind of these numbers.
    pub kind: MatrixKind,
    /// Whether cells that the mask hides are to be shown as hidden.
    pub is_masked: bool,
}

impl Matrix<'_> {
    /// The number at a place; `None` outside.
    pub fn at(&self, row: usize, column: usize) -> Option<f32> {
        (row < self.rows && column < self.columns).then(|| self.values[row * self.columns + column])
    }

    /// The same, with its numbers where they are.
    pub fn borrowed(&self) -> Matrix<'_> {
        Matrix {
            values: Cow::Borrowed(&self.values),
            ..*self
        }
    }
}

/// Results of one head with the request. All matrices are row-major.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a> {
    /// Request that was computed.
    pub request: &'a Request,
    /// The query head that the rest belongs to.
    pub head: usize,
    /// `[n, d_k]`, as it enters the scores.
    pub q: &'a [f32],
    /// `[m, d_k]` of the head's key/value head, as it enters the scores but before Linformer.
    pub k: &'a [f32],
    /// `[m, d_v]` of the head's key/value head, before Linformer.
    pub v: &'a [f32],
    /// `[n, keys]`, scaled and biased, before mask and temperature.
    pub scores: &'a [f32],
    /// `[n, keys]`.
    pub weights: &'a [f32],
    /// `[heads, n, d_v]`, of every head.
    pub context: &'a [f32],
    /// `[n, d_out]`.
    pub output: &'a [f32],
    /// The layer with what its model has around it, where it is one of a model.
    pub learned: Option<&'a LearnedLayer>,
}

/// The matrix of `step`; `None` where the mechanism has no such step, or the numbers are not of its size.
pub fn matrix<'a>(step: StepKind, numbers: &Numbers<'a>) -> Option<Matrix<'a>> {
    let config = numbers.request.config();
    if !(steps(config).contains(&step) || step.owner() != StepOwner::Layer) || !numbers.fit() {
        return None;
    }
    let [row_axis, column_axis] = step.axes();
    let [rows, columns] = [row_axis, column_axis].map(|axis| numbers.length(axis));
    let values = numbers.values(step)?;
    // A number written over hidden scores is a score like any other.
    let leaves_out = config.masked && numbers.request.call().masked_score.is_none();
    Some(Matrix {
        rows,
        columns,
        values,
        row_axis,
        column_axis,
        kind: match step {
            StepKind::Weights | StepKind::Softmax => MatrixKind::Weights,
            StepKind::Mask => MatrixKind::Mask,
            _ => MatrixKind::Signed,
        },
        is_masked: match step {
            StepKind::Mask => config.masked,
            StepKind::Masked | StepKind::Weights => leaves_out,
            _ => false,
        },
    })
    .filter(|matrix| matrix.values.len() == rows * columns)
}

impl<'a> Numbers<'a> {
    /// Whether every part is as large as the request says.
    fn fit(&self) -> bool {
        let s = self.request.sizes();
        let wanted = [
            (self.q, s.n * s.d_k),
            (self.k, s.m * s.d_k),
            (self.v, s.m * s.d_v),
            (self.scores, s.n * s.keys),
            (self.weights, s.n * s.keys),
            (self.context, s.heads * s.n * s.d_v),
            (self.output, s.n * s.d_out),
        ];
        self.head < s.heads && wanted.iter().all(|(part, length)| part.len() == *length)
    }

    fn length(&self, axis: Axis) -> usize {
        let unembedding = self.learned.and_then(|own| own.unembedding.as_ref());
        match (axis, unembedding) {
            (Axis::Vocabulary, Some(unembedding)) => unembedding.ncols(),
            _ => axis.length(self.request.sizes()),
        }
    }

    fn values(&self, step: StepKind) -> Option<Cow<'a, [f32]>> {
        let config = self.request.config();
        let turn = config.position.rotation();
        Some(match step {
            StepKind::Input => Cow::Borrowed(self.input()?.0),
            StepKind::Source => Cow::Borrowed(self.input()?.1?),
            StepKind::Positions => self.encoding()?,
            StepKind::Queries if let Some(turn) = turn => {
                self.turned_back(turn, Side::Queries, self.q)
            }
            StepKind::Keys if let Some(turn) = turn => {
                self.turned_back(turn, Side::KeysValues, self.k)
            }
            StepKind::Queries | StepKind::RotatedQueries => Cow::Borrowed(self.q),
            StepKind::Keys | StepKind::RotatedKeys => Cow::Borrowed(self.k),
            StepKind::Values => Cow::Borrowed(self.v),
            StepKind::ShortKeys => self.shortened(self.k, config.sizes.d_k, |pair| &pair.e)?,
            StepKind::ShortValues => self.shortened(self.v, config.sizes.d_v, |pair| &pair.f)?,
            StepKind::Scores => self.raw_scores(1.0),
            StepKind::Scaled => self.raw_scores(config.scale),
            StepKind::Biased if self.request.call().bias.is_some() => self.penalised(),
            StepKind::Biased => Cow::Borrowed(self.scores),
            StepKind::Mask => Cow::Owned(self.mask()),
            StepKind::Masked => self.masked(),
            StepKind::Softmax => Cow::Owned(self.softmax()),
            StepKind::Weights => Cow::Borrowed(self.weights),
            StepKind::Context => {
                let rows = config.sizes.n * config.sizes.d_v;
                Cow::Borrowed(&self.context[self.head * rows..(self.head + 1) * rows])
            }
            StepKind::Merged => Cow::Owned(self.merged()),
            StepKind::Output => Cow::Borrowed(self.output),
            StepKind::Residual => Cow::Borrowed(self.learned?.residual.as_slice()?),
            StepKind::Normed => Cow::Borrowed(self.learned.and(self.input())?.0),
            StepKind::Sum => {
                let residual = &self.learned?.residual;
                residual
                    .iter()
                    .zip(self.output)
                    .map(|(h, o)| h + o)
                    .collect()
            }
            StepKind::Logits => Cow::Owned(logits(self)?.into_raw_vec_and_offset().0),
            StepKind::LogitsGradient
            | StepKind::OutputGradient
            | StepKind::ContextGradient
            | StepKind::OutputWeightsGradient
            | StepKind::WeightsGradient
            | StepKind::ValuesGradient
            | StepKind::ScoresGradient
            | StepKind::QueriesGradient
            | StepKind::KeysGradient
            | StepKind::QueryWeightsGradient
            | StepKind::KeyWeightsGradient
            | StepKind::ValueWeightsGradient
            | StepKind::NormedGradient
            | StepKind::ResidualGradient => {
                Cow::Owned(gradient(step, self)?.into_raw_vec_and_offset().0)
            }
        })
    }

    /// X, and Y where it is another one.
    fn input(&self) -> Option<(&'a [f32], Option<&'a [f32]>)> {
        let Source::Layer {
            queries,
            keys_values,
            ..
        } = self.request.source()
        else {
            return None;
        };
        let source = keys_values.as_ref().and_then(|rows| rows.as_slice());
        Some((queries.as_slice()?, source))
    }

    fn encoding(&self) -> Option<Cow<'a, [f32]>> {
        let sizes = self.request.sizes();
        let places = &self.request.call().places;
        let places = places.from_first(Axis::Positions.length(sizes));
        let rows = sinusoidal_encoding_at(&places, sizes.d_model?);
        Some(Cow::Owned(rows.into_raw_vec_and_offset().0))
    }

    /// Queries or keys as they were before each row was turned by its position.
    fn turned_back(&self, turn: Rotation, side: Side, rows: &[f32]) -> Cow<'a, [f32]> {
        let (width, places) = (self.request.sizes().d_k, &self.request.call().places);
        let mut back = rows.to_vec();
        for (at, row) in back.chunks_exact_mut(width.max(1)).enumerate() {
            let position = places.of(side, 0, at);
            for pair in 0..turn.pair_count(width) {
                let angle = turn.angle(position, pair, width);
                let (sin, cos) = (libm::sin(angle), libm::cos(angle));
                let columns = turn.columns_of(pair, width);
                let [x, y] = columns.map(|column| f64::from(row[column]));
                row[columns[0]] = (x * cos + y * sin) as f32;
                row[columns[1]] = (y * cos - x * sin) as f32;
            }
        }
        Cow::Owned(back)
    }

    /// `E·K` or `F·V`.
    fn shortened(
        &self,
        rows: &[f32],
        width: usize,
        of: impl Fn(&attention::Linformer) -> &ndarray::Array2<f32>,
    ) -> Option<Cow<'a, [f32]>> {
        let mixture = of(self.request.call().linformer.as_ref()?);
        let mut short = vec![0.0_f32; mixture.nrows() * width];
        let mut sum = vec![0.0_f64; width];
        for (mixed, out) in mixture
            .rows()
            .into_iter()
            .zip(short.chunks_exact_mut(width))
        {
            sum.fill(0.0);
            for (share, row) in mixed.iter().zip(rows.chunks_exact(width)) {
                for (sum, value) in sum.iter_mut().zip(row) {
                    *sum += f64::from(*share) * f64::from(*value);
                }
            }
            for (out, sum) in out.iter_mut().zip(&sum) {
                *out = *sum as f32;
            }
        }
        Some(Cow::Owned(short))
    }

    /// Scores times `factor`, before any bias. Where nothing was taken off them they are those of the run; taking a bias
    /// back out of a rounded sum would leave its rounding error, so then they are made again.
    fn raw_scores(&self, factor: f32) -> Cow<'a, [f32]> {
        let config = self.request.config();
        if self.is_biased() || (config.scoring == Scoring::Dot && config.scale == 0.0) {
            return self.made_again(factor);
        }
        if factor == config.scale || config.scoring == Scoring::Additive {
            return Cow::Borrowed(self.scores);
        }
        let back = |score: &f32| (f64::from(*score) / f64::from(config.scale)) as f32;
        Cow::Owned(self.scores.iter().map(back).collect())
    }

    fn is_biased(&self) -> bool {
        self.request.config().position.has_penalty() || self.request.call().bias.is_some()
    }

    /// The scores with what distance takes off, before anything is added.
    fn penalised(&self) -> Cow<'a, [f32]> {
        let (config, places) = (self.request.config(), &self.request.call().places);
        let penalty = config.position.penalty(self.head, config.sizes.heads);
        let mut scores = self.made_again(config.scale).into_owned();
        for (query, row) in scores
            .chunks_exact_mut(config.sizes.keys.max(1))
            .enumerate()
        {
            for (key, score) in row.iter_mut().enumerate() {
                let distance = places.query(0, query).abs_diff(places.key(0, key));
                *score = (f64::from(*score) - penalty * distance as f64) as f32;
            }
        }
        Cow::Owned(scores)
    }

    fn made_again(&self, factor: f32) -> Cow<'a, [f32]> {
        let width = self.request.sizes().d_k.max(1);
        let row = |q| {
            let keys = self.k.chunks_exact(width);
            keys.map(move |k| self.score(q, k, factor))
        };
        Cow::Owned(self.q.chunks_exact(width).flat_map(row).collect())
    }

    /// Score of one query and one key: `factor` times the dot product, or the additive score.
    fn score(&self, q: &[f32], k: &[f32], factor: f32) -> f32 {
        let pairs = q.iter().zip(k).map(|(q, k)| (f64::from(*q), f64::from(*k)));
        let sum: f64 = match self.request.additive() {
            Some(w_a) => {
                let terms = pairs.zip(w_a);
                terms
                    .map(|((q, k), w)| f64::from(*w) * libm::tanh(q + k))
                    .sum()
            }
            None => pairs.map(|(q, k)| q * k).sum(),
        };
        (sum * f64::from(factor)) as f32
    }

    /// One number of a step; where its whole matrix would have to be made for that, it alone is made.
    pub(super) fn at(&self, step: StepKind, row: usize, column: usize) -> Option<f32> {
        let config = self.request.config();
        let factor = match step {
            StepKind::Scores => 1.0,
            StepKind::Scaled => config.scale,
            _ => return matrix(step, self)?.at(row, column),
        };
        if !self.is_biased() || !steps(config).contains(&step) || !self.fit() {
            return matrix(step, self)?.at(row, column);
        }
        let vector = |of: &'a [f32], at: usize| of.chunks_exact(config.sizes.d_k.max(1)).nth(at);
        Some(self.score(vector(self.q, row)?, vector(self.k, column)?, factor))
    }

    fn mask(&self) -> Vec<f32> {
        let sizes = self.request.sizes();
        if let Some(bias) = &self.request.call().bias {
            let rows = (0..sizes.n).map(|query| bias.row(0, self.head, query));
            return rows.flat_map(|row| row.to_vec()).collect();
        }
        let mut cells = vec![1.0; sizes.n * sizes.keys];
        for (query, row) in cells.chunks_exact_mut(sizes.keys.max(1)).enumerate() {
            let first = CellIndex {
                batch: 0,
                head: self.head,
                query,
                key: 0,
            };
            self.request.call().mask.write_row(first, row);
        }
        cells
    }

    /// The scores, with the number that is written over hidden ones where there is one.
    fn masked(&self) -> Cow<'a, [f32]> {
        let Some(written) = self.request.call().masked_score else {
            return Cow::Borrowed(self.scores);
        };
        let mask = self.mask();
        let cell = |(score, seen): (&f32, &f32)| if *seen > 0.0 { *score } else { written };
        Cow::Owned(self.scores.iter().zip(&mask).map(cell).collect())
    }

    /// The softmax over all keys, as it is where hidden weights are taken away only afterwards.
    fn softmax(&self) -> Vec<f32> {
        let temperature = f64::from(self.request.call().temperature);
        let mut weights = Vec::with_capacity(self.scores.len());
        for row in self.scores.chunks_exact(self.request.sizes().keys.max(1)) {
            let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let power = |score: &f32| libm::exp((f64::from(*score) - f64::from(top)) / temperature);
            let sum: f64 = row.iter().map(power).sum();
            weights.extend(row.iter().map(|score| (power(score) / sum) as f32));
        }
        weights
    }

    fn merged(&self) -> Vec<f32> {
        let s = self.request.sizes();
        let cell = |query: usize, column: usize| {
            self.context[(column / s.d_v * s.n + query) * s.d_v + column % s.d_v]
        };
        let columns = s.heads * s.d_v;
        (0..s.n)
            .flat_map(|query| (0..columns).map(move |column| cell(query, column)))
            .collect()
    }
}
