//! How numbers become colours, shared by map, thumbnails, colour bar and figures.

use super::steps::{Matrix, MatrixKind};
use crate::scene::colour::Lut;
use crate::scene::heatmap::{Hatch, Hidden, PoolBy, Style};
use crate::scene::layout::CellFormat;
use crate::scene::scale::Scale;
use crate::state::request_builder::WRITTEN;
use crate::state::{ColourScale, StepKind};

/// Colours and scale of one matrix.
#[derive(Clone, Copy)]
pub struct MatrixStyle<'a> {
    /// Its colours.
    pub lut: &'a Lut,
    /// From numbers to shares of the colours.
    pub scale: Scale,
    /// Which of several cells in one pixel is drawn.
    pub pool_by: PoolBy,
    /// Format of the numbers in the cells.
    pub form: CellFormat,
    /// Kind of numbers.
    pub kind: MatrixKind,
}

impl MatrixStyle<'_> {
    /// How its pixels are painted, with a hatching of hidden cells.
    pub fn pixels<'a>(&'a self, hatch: &'a Hatch) -> Style<'a> {
        Style {
            lut: self.lut,
            scale: &self.scale,
            hatch,
            pool_by: self.pool_by,
        }
    }

    /// The same with another scale of its kind.
    #[must_use]
    pub fn scaled(self, scale: Scale) -> Self {
        let form = match self.form {
            CellFormat::Signed { .. } => CellFormat::Signed { top: scale.top() },
            form => form,
        };
        Self {
            scale,
            form,
            ..self
        }
    }
}

/// The colours of every kind of matrix on one ground.
#[derive(Clone, Copy)]
pub struct Luts<'a> {
    /// Those of weights.
    pub weights: &'a Lut,
    /// Those of signed numbers.
    pub signed: &'a Lut,
    /// The colour of what a mask shows.
    pub mask: &'a Lut,
    /// The one scale of the weights of every head.
    pub scale: Scale,
}

impl<'a> Luts<'a> {
    /// The colours of weights on their scale: those of signed numbers where even is its middle.
    pub fn of_weights(&self) -> &'a Lut {
        if self.scale.is_diverging() {
            self.signed
        } else {
            self.weights
        }
    }

    /// Style of `matrix`, the result of `step`; its `hidden` cells do not affect it.
    pub fn style(&self, step: StepKind, matrix: &Matrix<'_>, hidden: &Hidden) -> MatrixStyle<'a> {
        let kind = matrix.kind;
        let (lut, pool_by) = match kind {
            MatrixKind::Weights => (self.of_weights(), PoolBy::Max),
            MatrixKind::Signed => (self.signed, PoolBy::Peak),
            MatrixKind::Mask => (self.mask, PoolBy::Max),
        };
        let scale = match kind {
            MatrixKind::Weights if step == StepKind::Weights => self.scale,
            MatrixKind::Weights => self.scale.up_to(largest(&matrix.values)),
            MatrixKind::Signed => Scale::symmetric(peak(matrix, hidden)),
            MatrixKind::Mask => Scale::new(ColourScale::Linear, 1.0),
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

/// Largest absolute value of the visible cells. Overwritten scores say nothing about the others.
fn peak(matrix: &Matrix<'_>, hidden: &Hidden) -> f32 {
    let columns = matrix.columns.max(1);
    let all = matrix.values.iter().enumerate();
    let own = all.filter(|(_, value)| **value > WRITTEN / 2.0);
    own.filter(|(at, _)| !matrix.is_masked || !hidden.is_hidden(at / columns, at % columns))
        .fold(0.0, |peak, (_, value)| peak.max(value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::colour::Background;
    use crate::state::ColourMap;
    use crate::state::steps::Axis;

    const TOP: f32 = 0.1;

    fn matrix(kind: MatrixKind, values: &[f32], columns: usize) -> Matrix<'_> {
        Matrix {
            rows: values.len().checked_div(columns).unwrap_or(0),
            columns,
            values: values.into(),
            row_axis: Axis::N,
            column_axis: Axis::Keys,
            kind,
            is_masked: true,
        }
    }

    fn with_luts<T>(act: impl FnOnce(Luts<'_>) -> T) -> T {
        let ground = Background::default();
        let weights = Lut::new(ColourMap::default(), ground);
        let (signed, mask) = (Lut::diverging(ground), Lut::mask(ground));
        act(Luts {
            weights: &weights,
            signed: &signed,
            mask: &mask,
            scale: Scale::new(ColourScale::Log, TOP),
        })
    }

    fn dressed(step: StepKind, matrix: &Matrix<'_>, hidden: &Hidden) -> (f32, CellFormat) {
        with_luts(|luts| {
            let style = luts.style(step, matrix, hidden);
            (style.scale.top(), style.form)
        })
    }

    #[test]
    fn weights_have_the_scale_of_all_heads_and_other_shares_their_own() {
        let own = matrix(MatrixKind::Weights, &[0.25, 0.75], 2);
        let none = Hidden::none(1, 2);
        let top = |largest| Scale::new(ColourScale::Log, largest).top();
        assert_ne!(top(TOP), top(0.75));
        assert_eq!(dressed(StepKind::Weights, &own, &none).0, top(TOP));
        assert_eq!(dressed(StepKind::Softmax, &own, &none).0, top(0.75));
    }

    #[test]
    fn what_is_hidden_or_written_has_no_say_in_the_colours() {
        let hidden = Hidden::new(2, 2, |row, column| (row, column) == (0, 1));
        let values = [1.0, 9.0, -3.0, WRITTEN];
        let scores = matrix(MatrixKind::Signed, &values, 2);
        let top = |largest| Scale::symmetric(largest).top();
        let three = (top(3.0), CellFormat::Signed { top: top(3.0) });
        assert_eq!(dressed(StepKind::Masked, &scores, &hidden), three);
        let whole = Matrix {
            is_masked: false,
            ..scores
        };
        assert_ne!(top(3.0), top(9.0));
        assert_eq!(dressed(StepKind::Scores, &whole, &hidden).0, top(9.0));
    }

    #[test]
    fn a_matrix_without_cells_has_colours() {
        let none = Hidden::none(0, 0);
        for kind in [MatrixKind::Weights, MatrixKind::Signed, MatrixKind::Mask] {
            let (top, _) = dressed(StepKind::Scores, &matrix(kind, &[], 0), &none);
            assert!(top.is_finite() && top > 0.0, "{kind:?}: {top}");
        }
    }

    #[test]
    fn each_kind_has_its_colours() {
        with_luts(|luts| {
            for (kind, lut) in [
                (MatrixKind::Weights, luts.weights),
                (MatrixKind::Signed, luts.signed),
                (MatrixKind::Mask, luts.mask),
            ] {
                let style = luts.style(
                    StepKind::Scores,
                    &matrix(kind, &[1.0], 1),
                    &Hidden::none(1, 1),
                );
                assert!(std::ptr::eq(style.lut, lut) && style.kind == kind);
            }
        });
    }
}
