//! How numbers and marks become colours on the page.

use super::matrix_style::{Luts, MatrixStyle};
use super::steps::Matrix;
use crate::scene::colour::{Background, Lut};
use crate::scene::heatmap::{Hatch, Hidden, PoolBy, Style};
use crate::scene::role::{Face, Tone};
use crate::scene::scale::Scale;
use crate::state::StepKind;

/// Colours and faces of the current theme, as CSS.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    pub ground: Background,
    pub sans: String,
    pub serif: String,
    pub ink: String,
    pub soft: String,
    pub faint: String,
    pub query: String,
    pub key: String,
    pub paper: String,
    pub rule: String,
    pub edge: String,
    pub warn: String,
    /// Colours of signed numbers.
    pub signed: Lut,
    /// The colour of what a mask shows.
    pub mask: Lut,
}

impl Palette {
    /// Reads colours and faces by the names of their properties.
    pub fn read(ground: Background, read: impl Fn(&str, &str) -> String) -> Self {
        let colour = |name: &str| read("color", name);
        Self {
            ground,
            sans: read("font-family", "--sans"),
            serif: read("font-family", "--serif"),
            ink: colour("--ink"),
            soft: colour("--ink-soft"),
            faint: colour("--ink-faint"),
            query: colour("--query"),
            key: colour("--key"),
            paper: colour("--paper"),
            rule: colour("--rule"),
            edge: colour("--edge"),
            warn: colour("--warn"),
            signed: Lut::diverging(ground),
            mask: Lut::mask(ground),
        }
    }

    pub fn colour(&self, tone: Tone) -> &str {
        match tone {
            Tone::Ink => &self.ink,
            Tone::Soft => &self.soft,
            Tone::Faint => &self.faint,
            Tone::Rule => &self.rule,
            Tone::Edge => &self.edge,
            Tone::Query => &self.query,
            Tone::Key => &self.key,
            Tone::Paper => &self.paper,
            Tone::Warn => &self.warn,
            Tone::Black => "#000",
            Tone::White => "#fff",
        }
    }

    /// The font of a text in the notation of CSS.
    pub fn font(&self, face: Face, size: f64) -> String {
        match face {
            Face::Italic => format!("italic {size}px {}", self.serif),
            Face::Serif => format!("{size}px {}", self.serif),
            Face::Strong => format!("600 {size}px {}", self.sans),
            Face::Sans => format!("{size}px {}", self.sans),
        }
    }
}

/// Colours and scale of the weights, with the palette that has those of everything else.
#[derive(Clone, Debug, PartialEq)]
pub struct ColourStyle {
    pub palette: Palette,
    /// Colours of weights.
    pub lut: Lut,
    /// The one scale of the weights of every head.
    pub scale: Scale,
}

impl ColourStyle {
    /// Style of `matrix`, the result of `step`; its `hidden` cells do not affect it.
    pub fn style(&self, step: StepKind, matrix: &Matrix<'_>, hidden: &Hidden) -> MatrixStyle<'_> {
        self.luts().style(step, matrix, hidden)
    }

    /// The colours of weights on their scale.
    pub fn of_weights(&self) -> &Lut {
        self.luts().of_weights()
    }

    /// Hatching of hidden cells.
    pub fn hatch(&self, dpr: f64) -> Hatch {
        Hatch::new(self.palette.ground, dpr)
    }

    /// Style of weights in small, one pixel for each.
    pub fn of_small<'a>(&'a self, hatch: &'a Hatch) -> Style<'a> {
        Style {
            lut: self.of_weights(),
            scale: &self.scale,
            hatch,
            pool_by: PoolBy::Max,
        }
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

#[cfg(test)]
impl ColourStyle {
    /// Colours for tests that look at no colour of the theme.
    pub(crate) fn plain() -> Self {
        let ground = Background::Light;
        Self {
            palette: Palette::read(ground, |_, name| name.to_owned()),
            lut: Lut::mask(ground),
            scale: Scale::new(crate::state::ColourScale::Linear, 1.0),
        }
    }
}
