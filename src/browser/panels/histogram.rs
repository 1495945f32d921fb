//! The histogram of the chosen head's weights, as one path.

use std::fmt::Write as _;

use web_sys::Element;

use crate::browser::dom::{Attribute, MissingPart, Root};

/// Size of the drawing's own coordinates, as in `index.html`.
const WIDTH: f64 = 200.0;
const HEIGHT: f64 = 48.0;
/// Share of a bin's width that is left free between bars.
const GAP: f64 = 0.12;

/// The histogram. Heights are on a log scale, as almost all cells of a sharp head lie in the first bin.
pub(crate) struct Histogram {
    path: Attribute,
}

impl Histogram {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            path: Attribute::new(root.find::<Element>("#histogram path")?, "d"),
        })
    }

    pub(crate) fn update(&mut self, counts: &[u32]) {
        self.path.set(&outline(counts));
    }
}

/// One rectangle per bin with cells in it.
fn outline(counts: &[u32]) -> String {
    let height = |count: u32| libm::log1p(f64::from(count));
    let top = counts.iter().copied().map(height).fold(1.0, f64::max);
    let step = WIDTH / counts.len().max(1) as f64;
    let mut path = String::new();
    for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (left, wide) = ((bin as f64 + GAP / 2.0) * step, step * (1.0 - GAP));
        let high = HEIGHT * height(count) / top;
        let _ = write!(path, "M{left:.2} {HEIGHT}v-{high:.2}h{wide:.2}v{high:.2}z");
    }
    path
}
