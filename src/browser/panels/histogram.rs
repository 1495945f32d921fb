//! The histogram of the chosen head's weights, as one path.

use web_sys::Element;

use crate::browser::dom::{Attribute, MissingPart, Root};
use crate::present::head_charts;
use crate::scene::layout::Rect;
use attention::analysis::BINS;

/// The whole drawing in its own coordinates, as in `index.html`.
const PLOT: Rect = Rect {
    x: 0.0,
    y: 0.0,
    width: 200.0,
    height: 48.0,
};

/// The histogram.
pub(crate) struct Histogram {
    path: Attribute,
}

impl Histogram {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            path: Attribute::new(root.find::<Element>("#histogram path")?, "d"),
        })
    }

    pub(crate) fn update(&mut self, counts: &[u32; BINS]) {
        self.path.set(&head_charts::histogram(counts).bars(PLOT));
    }
}
