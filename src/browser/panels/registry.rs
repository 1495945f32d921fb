//! The panels below the map. A closed panel is never updated, so it costs nothing; the [`PanelScheduler`] decides which open one is
//! updated when.

use std::rc::Rc;

use super::{Analysis, Code, Cost, Data, Draw, Steps, Streaming, Training};
use crate::bindings::Client;
use crate::browser::controls::Act;
use crate::browser::dom::{MissingPart, Root, not_inlined};
use crate::browser::main_view::ViewContext;
use crate::browser::map::Pointed;
use crate::export::figures::{GrowthPanel, Measure};
use crate::present::cost::GrowthChart;
use crate::present::panel_scheduler::{Dirty, PanelScheduler};
use crate::state::{Panel, Panels};

/// The body of a panel. Whatever it was shown last stays on screen while it is closed and open again.
pub(crate) trait PanelView {
    /// Shows another picture: other numbers, settings, colours or words.
    fn update(&mut self, sight: &ViewContext<'_>);

    /// Shows what is pointed out; called after [`update`](Self::update) as well.
    fn point(&mut self, _sight: &ViewContext<'_>) {}

    /// Fonts and colours have changed, or a canvas was emptied by the browser.
    fn restyle(&mut self) {}

    /// It has just been closed: whatever it still does ends.
    fn close(&mut self) {}

    /// The panel's chart to take away, in a room of this width and height; `None` for a panel that has none or has not been
    /// shown anything yet.
    fn chart(&self, _size: (f64, f64), _measure: Measure<'_>) -> Option<GrowthChart> {
        None
    }
}

/// What a panel points out on the map, as long as it is pointed at itself. The map passes over what it does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Highlight {
    /// A query, or a query and a key, as if the pointer were there.
    At(Pointed),
    /// Pairs of a query and a key that are outlined.
    Cells(Vec<(usize, usize)>),
    /// A query that is chosen.
    Row(usize),
    /// Nothing any more.
    Nothing,
}

/// Says on the map what a panel points out.
pub(crate) type Hints = Rc<dyn Fn(Highlight)>;

/// Every panel of the page that shows something.
pub(crate) struct PanelRegistry {
    folds: Vec<(Panel, Box<dyn PanelView>)>,
    /// Whose turn it is: that of a fold by its place, or of the comparison, which stands after them and which the page
    /// shows itself.
    pub agenda: PanelScheduler,
}

impl PanelRegistry {
    /// Binds the bodies of all panels. What they do goes through `act`, as with any control; what they point out on the
    /// map goes to `hints`.
    pub(crate) fn new(
        root: &Root,
        act: &Act,
        hints: &Hints,
        client: &Client,
    ) -> Result<Self, MissingPart> {
        let folds: Vec<(Panel, Box<dyn PanelView>)> = vec![
            (
                Panel::Steps,
                Box::new(not_inlined(|| Steps::new(root, act))?),
            ),
            (
                Panel::Streaming,
                Box::new(not_inlined(|| Streaming::new(root))?),
            ),
            (
                Panel::Training,
                Box::new(not_inlined(|| Training::new(root, act))?),
            ),
            (Panel::Draw, Box::new(not_inlined(|| Draw::new(root))?)),
            (
                Panel::Analysis,
                Box::new(not_inlined(|| Analysis::new(root, act, hints))?),
            ),
            (
                Panel::Cost,
                Box::new(not_inlined(|| Cost::new(root, client.clone()))?),
            ),
            (Panel::Code, Box::new(not_inlined(|| Code::new(root))?)),
            (
                Panel::Data,
                Box::new(not_inlined(|| Data::new(root, client.clone()))?),
            ),
        ];
        let panels = folds.iter().map(|(panel, _)| *panel);
        Ok(Self {
            agenda: PanelScheduler::new(panels.chain([Panel::Compare])),
            folds,
        })
    }

    /// Takes which panels are open, and ends what is still done in those that no longer are.
    pub(crate) fn open(&mut self, open: Panels) {
        let agenda = &self.agenda;
        let closed = (self.folds.iter_mut())
            .filter(|(panel, _)| agenda.is_open(*panel) && !open.contains(*panel));
        closed.for_each(|(_, fold)| fold.close());
        self.agenda.open(open);
    }

    /// Shows the fold at a place what it has missed; `false` where there is none.
    pub(crate) fn update(&mut self, at: usize, missed: Dirty, sight: &ViewContext<'_>) -> bool {
        let Some((_, fold)) = self.folds.get_mut(at) else {
            return false;
        };
        if missed.picture {
            fold.update(sight);
        }
        fold.point(sight);
        true
    }

    /// Fonts and colours have changed, or canvases were emptied.
    pub(crate) fn restyle(&mut self) {
        self.folds.iter_mut().for_each(|(_, fold)| fold.restyle());
    }
}

impl GrowthPanel for PanelRegistry {
    fn has_chart(&self) -> bool {
        self.agenda.is_open(Panel::Cost)
    }

    fn chart(&self, size: (f64, f64), measure: Measure<'_>) -> Option<GrowthChart> {
        let folds = self.folds.iter();
        let open = folds.filter(|(panel, _)| self.agenda.is_open(*panel));
        open.filter_map(|(_, fold)| fold.chart(size, measure))
            .next()
    }
}
