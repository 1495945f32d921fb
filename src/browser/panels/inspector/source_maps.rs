//! Small maps of the steps that a number was computed from, with its operands highlighted.

use crate::browser::dom::{MissingPart, Root};
use crate::browser::main_view::ViewContext;
use crate::browser::panels::step_maps::StepMaps;
use crate::browser::view::View;
use app::present::miniature::Miniature;
use app::present::steps::explain::{CellRef, Explanation};
use app::views::Markup;
use app::views::inspector::sources;

/// The largest picture, in CSS pixels: three of them fit beside each other.
const ROOM: [f64; 2] = [96.0, 72.0];

/// The pictures in their row.
pub(super) struct Sources {
    view: View,
    maps: StepMaps,
}

impl Sources {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            view: View::find(root, "#inspector-sources")?,
            maps: StepMaps::default(),
        })
    }

    /// Shows the steps that `explanation` refers to. The hovered number is highlighted, otherwise
    /// all operands.
    pub(super) fn update(&mut self, explanation: &Explanation, context: &ViewContext<'_>) {
        let steps = explanation.sources();
        self.view.update(sources(&steps, context.language));
        let maps = steps.iter().map(|step| Miniature {
            step: *step,
            room: ROOM,
        });
        let maps: Vec<_> = maps.collect();
        let (of, dpr) = ((context.run, context.head), context.room.dpr);
        (self.maps).paint(&self.view, &maps, of, (context.colours, dpr));
        let is_ours = |place: &&CellRef| steps.contains(&place.step);
        let pointed: Vec<CellRef> = context.lit.iter().filter(is_ours).copied().collect();
        let lit = if pointed.is_empty() {
            explanation.places()
        } else {
            pointed
        };
        self.maps.mark(&lit, None, &context.colours.palette);
    }

    pub(super) fn clear(&mut self) {
        self.view.update(Markup::default());
        self.restyle();
    }

    /// Colours have changed.
    pub(super) fn restyle(&mut self) {
        self.maps.restyle();
    }
}
