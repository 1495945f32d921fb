//! Rows in 64 bits by what gave them.

use super::Source;
use crate::Model;
use crate::layout::NormSlots;

/// What adds up to a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts(Vec<(Source, Vec<f64>)>);

impl Parts {
    pub(super) fn one(source: Source, row: &[f32]) -> Self {
        Self(vec![(source, wide(row))])
    }

    /// Adds a row; those of one source are one.
    pub(super) fn add(&mut self, source: Source, row: Vec<f64>) {
        match self.0.iter_mut().find(|(own, _)| *own == source) {
            Some((_, all)) => all.iter_mut().zip(row).for_each(|(all, x)| *all += x),
            None => self.0.push((source, row)),
        }
    }

    pub(super) fn extend(&mut self, more: Self) {
        for (source, row) in more.0 {
            self.add(source, row);
        }
    }

    /// Every row by a linear map.
    pub(super) fn map(&mut self, linear: impl Fn(&[f64]) -> Vec<f64>) {
        for (_, row) in &mut self.0 {
            *row = linear(row);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Source, &[f64])> {
        self.0.iter().map(|(source, row)| (*source, &row[..]))
    }

    /// The norm with the factor that the whole `row` gives.
    pub(super) fn norm(&mut self, row: &[f64], slots: NormSlots, model: &Model) {
        let norm = FrozenNorm::new(row, slots, model);
        self.map(|row| norm.of(row));
        if let Some(shift) = norm.shift {
            self.add(Source::Bias, shift);
        }
    }
}

/// A norm whose factor is that of one row.
pub(super) struct FrozenNorm {
    factor: f64,
    scale: Vec<f64>,
    pub(super) shift: Option<Vec<f64>>,
}

impl FrozenNorm {
    pub(super) fn new(row: &[f64], slots: NormSlots, model: &Model) -> Self {
        let vector = |slot| wide(&model.numbers.vector(slot));
        let mean = slots.shift.map_or(0.0, |_| mean(row));
        let square = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / row.len() as f64;
        Self {
            factor: 1.0 / (square + f64::from(model.config.epsilon)).sqrt(),
            scale: vector(slots.scale),
            shift: slots.shift.map(vector),
        }
    }

    /// Of a part of the row, without the shift.
    pub(super) fn of(&self, part: &[f64]) -> Vec<f64> {
        let mean = self.shift.as_ref().map_or(0.0, |_| mean(part));
        let pairs = part.iter().zip(&self.scale);
        pairs
            .map(|(x, scale)| (x - mean) * self.factor * scale)
            .collect()
    }
}

pub(super) fn wide(row: &[f32]) -> Vec<f64> {
    row.iter().copied().map(f64::from).collect()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn mean(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}
