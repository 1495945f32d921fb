//! The histogram of the chosen head's weights, as one path.

use web_sys::Element;

use crate::browser::dom::{Attribute, MissingPart, Root};
use app::present::head_charts;
use attention::analysis::BINS;

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
        self.path
            .set(&head_charts::histogram(counts).bars(head_charts::HISTOGRAM));
    }
}
