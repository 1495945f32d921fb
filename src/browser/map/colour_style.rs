//! How numbers become colours on the page.

use super::Palette;
use app::present::matrix_style::{Luts, MatrixStyle};
use app::present::steps::Matrix;
use app::scene::colour::Lut;
use app::scene::heatmap::Hidden;
use app::scene::scale::Scale;
use app::state::StepKind;

/// Colours and scale of the weights, with the palette that has those of everything else.
pub(crate) struct ColourStyle {
    pub palette: Palette,
    /// Colours of weights.
    pub lut: Lut,
    /// The one scale of the weights of every head.
    pub scale: Scale,
}

impl ColourStyle {
    /// Style of `matrix`, the result of `step`; its `hidden` cells do not affect it.
    pub(crate) fn style(
        &self,
        step: StepKind,
        matrix: &Matrix<'_>,
        hidden: &Hidden,
    ) -> MatrixStyle<'_> {
        self.luts().style(step, matrix, hidden)
    }

    /// The colours of weights on their scale.
    pub(crate) fn of_weights(&self) -> &Lut {
        self.luts().of_weights()
    }

    fn luts(&self) -> Luts<'_> {
        Luts {
            weights: &self.lut,
            signed: &self.palette.signed,
            mask: &self.palette.mask,
            scale: self.scale,
        }
    }
}
