//! Follows a pass, and keeps what every row of it is the sum of, at some positions.

use super::Source;
use super::parts::{Parts, wide};
use crate::infer::product::by_blocks;
use crate::part::embedding;
use crate::plan::ModelStep;
use crate::step::Paths;
use crate::{Model, Words};

/// The rows of a pass at some positions, split.
pub(crate) struct Split(Vec<Place>);

/// The paths of [`Paths`] at one position.
struct Place {
    at: usize,
    x: Parts,
    branch: Parts,
    held: Parts,
}

impl Split {
    pub(super) fn new(at: &[usize]) -> Self {
        let place = |at: &usize| Place {
            at: *at,
            x: Parts::default(),
            branch: Parts::default(),
            held: Parts::default(),
        };
        Self(at.iter().map(place).collect())
    }

    /// The residual path at each position.
    pub(super) fn residual(self) -> impl Iterator<Item = Parts> {
        self.0.into_iter().map(|place| place.x)
    }

    /// Takes a step that is about to be taken from `paths`.
    pub(crate) fn before(&mut self, step: ModelStep, model: &Model, words: &Words, paths: &Paths) {
        let width = model.config.d_model;
        for place in &mut self.0 {
            let row = |path: &[f32]| wide(&path[place.at * width..][..width]);
            match step {
                ModelStep::Embed => place.x = embedded(model, words, place.at),
                ModelStep::Norm(slots) => place.x.norm(&row(&paths.x), slots, model),
                ModelStep::NormBranch(slots) => {
                    place.branch.norm(&row(&paths.branch), slots, model);
                }
                step => place.carry(step),
            }
        }
    }

    /// Takes what a step has given, where it is a source.
    pub(crate) fn after(&mut self, step: ModelStep, model: &Model, paths: &Paths) {
        let ModelStep::Mlp(layer, _) = step else {
            return;
        };
        let width = model.config.d_model;
        for place in &mut self.0 {
            let row = &paths.branch[place.at * width..][..width];
            place.branch = Parts::one(Source::Mlp(layer), row);
        }
    }

    /// Takes what the heads of a layer give, of their outputs `context`, `[n, heads·d_k]`.
    pub(crate) fn attention(&mut self, layer: usize, model: &Model, context: &[f32]) {
        let slots = model.layout.layers[layer].attention.output;
        let (inner, d_k) = (slots.w.rows, model.config.d_k);
        let blank = vec![vec![0.0; slots.w.columns]; model.config.heads];
        let mut heads = vec![blank; self.0.len()];
        let lines = |which, out: &mut [f32]| model.numbers.outputs(slots.w, which, out);
        by_blocks(inner, slots.w.columns, lines, |first, block| {
            for (place, heads) in self.0.iter().zip(&mut heads) {
                let row = &context[place.at * inner..][..inner];
                for (column, line) in block.chunks_exact(inner).enumerate() {
                    let parts = row.chunks_exact(d_k).zip(line.chunks_exact(d_k));
                    for (head, (c, w)) in heads.iter_mut().zip(parts) {
                        head[first + column] = product(c, w);
                    }
                }
            }
        });
        let bias = slots.b.map(|b| wide(&model.numbers.vector(b)));
        for (place, heads) in self.0.iter_mut().zip(heads) {
            place.branch = Parts::default();
            for (head, row) in heads.into_iter().enumerate() {
                place.branch.add(Source::Head(layer, head), row);
            }
            if let Some(bias) = &bias {
                place.branch.add(Source::Bias, bias.clone());
            }
        }
    }
}

impl Place {
    /// As [`Paths::carry`]; what enters a head or an MLP is not needed, only what they give.
    fn carry(&mut self, step: ModelStep) {
        let take = std::mem::take::<Parts>;
        match step {
            ModelStep::Hold => self.held = take(&mut self.branch),
            ModelStep::AddHeld => self.branch.extend(take(&mut self.held)),
            ModelStep::AddBranch => self.x.extend(take(&mut self.branch)),
            ModelStep::TakeBranch => self.x = take(&mut self.branch),
            _ => {}
        }
    }
}

/// The vectors that the embedding adds up.
fn embedded(model: &Model, words: &Words, at: usize) -> Parts {
    let (config, layout, numbers) = (&model.config, &model.layout, &model.numbers);
    let mut token = vec![0.0; config.d_model];
    let word = words.all()[at];
    numbers.rows(layout.tokens, word..word + 1, &mut token);
    let mut parts = Parts::one(Source::Token, &token);
    let scale = f64::from(config.embedding_scale);
    parts.map(|row| row.iter().map(|x| scale * x).collect());
    let place = embedding::places(at..at + 1, config, layout, numbers);
    if !place.is_empty() {
        parts.add(Source::Position, wide(&place));
    }
    if let Some(types) = layout.token_types {
        let mut first = vec![0.0; config.d_model];
        numbers.rows(types, 0..1, &mut first);
        parts.add(Source::TokenType, wide(&first));
    }
    parts
}

fn product(a: &[f32], b: &[f32]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
