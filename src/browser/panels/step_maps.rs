//! Small maps of steps on the canvases of a view, named by their steps.

use crate::browser::heatmap_view::Heatmaps;
use crate::browser::view::View;
use app::present::colour_style::{ColourStyle, Palette};
use app::present::miniature::Miniature;
use app::present::run::Run;
use app::present::steps::explain::CellRef;
use app::state::StepKind;

/// The maps.
#[derive(Default)]
pub(super) struct StepMaps {
    heatmaps: Heatmaps,
    painted: Option<Inputs>,
}

/// Inputs that the maps were painted with.
#[derive(PartialEq)]
struct Inputs {
    run: u32,
    has_parts: bool,
    head: usize,
    dpr: f64,
    colours: ColourStyle,
    steps: Vec<StepKind>,
}

impl StepMaps {
    /// Paints the map of each step in its room, unless it looks like this already.
    pub(super) fn paint(
        &mut self,
        view: &View,
        maps: &[Miniature],
        (run, head): (&Run, usize),
        (colours, dpr): (&ColourStyle, f64),
    ) {
        let painted = Some(Inputs {
            run: run.number,
            has_parts: run.reply.parts.is_some(),
            head,
            dpr,
            colours: colours.clone(),
            steps: maps.iter().map(|map| map.step).collect(),
        });
        if self.painted == painted {
            return;
        }
        self.painted = painted;
        self.heatmaps
            .paint(view, &colours.palette, &mut |key, image| {
                let own = maps.iter().find(|map| map.step.name() == key);
                own.is_some_and(|map| map.paint((run, head), colours, dpr, image))
            });
    }

    /// Marks cells, and the row of `query` where rows are queries, in place of what was marked before.
    pub(super) fn mark(&mut self, places: &[CellRef], query: Option<usize>, palette: &Palette) {
        let painted = self.painted.as_ref();
        let steps = painted.map_or(&[][..], |painted| &painted.steps);
        self.heatmaps.mark(palette, &mut |key, layout| {
            let own = steps.iter().find(|step| step.name() == key);
            let marks = |step: &StepKind| Miniature::marks(*step, layout, places, query);
            own.map(marks).unwrap_or_default()
        });
    }

    /// Colours have changed, or canvases were emptied.
    pub(super) fn restyle(&mut self) {
        self.painted = None;
    }
}
