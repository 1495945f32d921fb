//! How numbers become colours, shared by map, thumbnails and colour bar.

use super::Palette;
use crate::present::steps::{Matrix, MatrixKind};
use crate::scene::colour::Lut;
use crate::scene::heatmap::{Hidden, PoolBy};
use crate::scene::layout::CellFormat;
use crate::scene::scale::Scale;
use crate::state::StepKind;
use crate::state::request_builder::WRITTEN;

/// Colours and scale of the weights, with the palette that has those of everything else.
pub struct ColourStyle {
    pub palette: Palette,
    /// Colours of weights.
    pub lut: Lut,
    /// Scale of the weights of all heads.
    pub scale: Scale,
}

/// Colours and scale of one matrix.
#[derive(Clone, Copy)]
pub struct MatrixStyle<'a> {
    pub lut: &'a Lut,
    pub scale: Scale,
    pub pool_by: PoolBy,
    /// What is written into its cells.
    pub form: CellFormat,
    pub kind: MatrixKind,
}

/// The colours of every kind of matrix on one ground.
#[derive(Clone, Copy)]
pub struct Luts<'a> {
    pub weights: &'a Lut,
    pub signed: &'a Lut,
    pub mask: &'a Lut,
    /// Scale of the weights of all heads.
    pub scale: Scale,
}

impl ColourStyle {
    /// How `matrix`, which `step` made, is coloured; its `hidden` cells have no say in that.
    pub fn dress(&self, step: StepKind, matrix: &Matrix<'_>, hidden: &Hidden) -> MatrixStyle<'_> {
        let luts = Luts {
            weights: &self.lut,
            signed: &self.palette.signed,
            mask: &self.palette.mask,
            scale: self.scale,
        };
        luts.dress(step, matrix, hidden)
    }
}

impl<'a> Luts<'a> {
    /// How `matrix`, which `step` made, is coloured; its `hidden` cells have no say in that.
    pub fn dress(&self, step: StepKind, matrix: &Matrix<'_>, hidden: &Hidden) -> MatrixStyle<'a> {
        let kind = matrix.kind;
        let (lut, pool_by) = match kind {
            MatrixKind::Weights => (self.weights, PoolBy::Max),
            MatrixKind::Signed => (self.signed, PoolBy::Peak),
            MatrixKind::Mask => (self.mask, PoolBy::Max),
        };
        let scale = match kind {
            MatrixKind::Weights if step == StepKind::Weights => self.scale,
            MatrixKind::Weights => Scale::new(self.scale.kind(), largest(&matrix.values)),
            MatrixKind::Signed => Scale::symmetric(peak(matrix, hidden)),
            MatrixKind::Mask => Scale::new(self.scale.kind(), 1.0),
        };
        let form = match kind {
            MatrixKind::Weights => CellFormat::Weights,
            MatrixKind::Signed => CellFormat::Signed { top: scale.top() },
            MatrixKind::Mask => CellFormat::Unwritten,
        };
        MatrixStyle {
            lut,
            scale,
            pool_by,
            form,
            kind,
        }
    }
}

fn largest(values: &[f32]) -> f32 {
    values.iter().copied().fold(0.0, f32::max)
}

/// The largest distance from zero among what is seen. What was written over hidden scores says nothing of the others.
fn peak(matrix: &Matrix<'_>, hidden: &Hidden) -> f32 {
    let columns = matrix.columns.max(1);
    let all = matrix.values.iter().enumerate();
    let own = all.filter(|(_, value)| **value > WRITTEN / 2.0);
    own.filter(|(at, _)| !matrix.is_masked || !hidden.is_hidden(at / columns, at % columns))
        .fold(0.0, |peak, (_, value)| peak.max(value.abs()))
}
