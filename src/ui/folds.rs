//! The panels below the map. A closed panel is never shown anything, so it costs nothing; an open one is shown what has
//! changed in the frame after the map, so that the map never waits for it.

use std::rc::Rc;

use super::controls::Act;
use super::dom::{MissingPart, Root};
use super::map::Pointed;
use super::panels::{Analysis, Code, Cost, CostChart, Curves, Data, Player, Steps, Streaming};
use super::sights::Sight;
use crate::app::{Panel, Panels};
use crate::bindings::Client;
use crate::view::figure::inks::Inks;

/// The body of a panel. Whatever it was shown last stays on screen while it is closed and open again.
pub trait Fold {
    /// Shows another picture: other numbers, settings, colours or words.
    fn show(&mut self, sight: &Sight<'_>);

    /// Shows what is pointed out; called after [`show`](Self::show) as well.
    fn point(&mut self, _sight: &Sight<'_>) {}

    /// Fonts and colours have changed, or a canvas was emptied by the browser.
    fn restyle(&mut self) {}

    /// The panel's chart to take away, in a room of this width and height; `None` for a panel that has none or has not been
    /// shown anything yet.
    fn chart(&self, _size: (f64, f64), _measure: Measure<'_>, _inks: &Inks) -> Option<CostChart> {
        None
    }
}

/// What a panel points out on the map, as long as it is pointed at itself. The map passes over what it does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A query, or a query and a key, as if the pointer were there.
    At(Pointed),
    /// Pairs of a query and a key that are outlined.
    Cells(Vec<(usize, usize)>),
    /// A query that is chosen.
    Row(usize),
    /// Nothing any more.
    Nothing,
}

/// Width of a text set in a size, both in CSS pixels.
pub type Measure<'a> = &'a dyn Fn(&str, f64) -> f64;

/// Says on the map what a panel points out.
pub type Hints = Rc<dyn Fn(Hint)>;

/// How many pictures may come and go before an open panel follows: while something is dragged each frame has a new one.
const MOST_BEHIND: u8 = 6;

/// Every panel of the page that shows something.
#[derive(Default)]
pub struct Folds {
    parts: Vec<Part>,
    open: Panels,
    behind: u8,
}

struct Part {
    panel: Panel,
    fold: Box<dyn Fold>,
    is_picture_stale: bool,
    is_pointed_stale: bool,
}

impl Folds {
    /// Binds the bodies of all panels. What they do goes through `act`, as with any control; what they point out on the
    /// map goes to `hints`.
    pub fn new(
        root: &Root,
        act: &Act,
        hints: &Hints,
        client: &Client,
    ) -> Result<Self, MissingPart> {
        let folds: Vec<(Panel, Box<dyn Fold>)> = vec![
            (Panel::Steps, Box::new(Player::new(root, act)?)),
            (Panel::Steps, Box::new(Steps::new(root, act)?)),
            (Panel::Curves, Box::new(Curves::new(root, act, hints)?)),
            (Panel::Streaming, Box::new(Streaming::new(root)?)),
            (Panel::Analysis, Box::new(Analysis::new(root, act, hints)?)),
            (Panel::Cost, Box::new(Cost::new(root, client.clone())?)),
            (Panel::Code, Box::new(Code::new(root)?)),
            (Panel::Data, Box::new(Data::new(root, client.clone())?)),
        ];
        let part = |(panel, fold)| Part {
            panel,
            fold,
            is_picture_stale: true,
            is_pointed_stale: true,
        };
        Ok(Self {
            parts: folds.into_iter().map(part).collect(),
            ..Self::default()
        })
    }

    /// Takes which panels are open.
    pub fn open(&mut self, open: Panels) {
        self.open = open;
    }

    /// Another picture, or something else pointed out on it.
    pub fn outdate(&mut self, is_picture: bool) {
        for part in &mut self.parts {
            part.is_picture_stale |= is_picture;
            part.is_pointed_stale = true;
        }
    }

    /// Whether an open panel is out of date.
    pub fn is_stale(&self) -> bool {
        self.parts.iter().any(|part| part.is_due(self.open))
    }

    /// Whether open panels are too far behind to wait for another frame. Asked once for each picture.
    pub fn is_overdue(&mut self) -> bool {
        self.behind += u8::from(self.is_stale());
        self.behind > MOST_BEHIND
    }

    /// Shows open panels what they have missed.
    pub fn show(&mut self, sight: &Sight<'_>) {
        self.behind = 0;
        let open = sight.state.open_panels();
        for part in self.parts.iter_mut().filter(|part| part.is_due(open)) {
            if std::mem::take(&mut part.is_picture_stale) {
                part.fold.show(sight);
            }
            part.is_pointed_stale = false;
            part.fold.point(sight);
        }
    }

    /// Whether an open panel has a chart to take away.
    pub fn has_chart(&self) -> bool {
        self.open.contains(Panel::Cost)
    }

    /// The chart of an open panel to take away.
    pub fn chart(&self, size: (f64, f64), measure: Measure<'_>, inks: &Inks) -> Option<CostChart> {
        let open = (self.parts.iter()).filter(|part| self.open.contains(part.panel));
        open.filter_map(|part| part.fold.chart(size, measure, inks))
            .next()
    }

    /// Fonts and colours have changed, or canvases were emptied.
    pub fn restyle(&mut self) {
        self.parts.iter_mut().for_each(|part| part.fold.restyle());
    }
}

impl Part {
    fn is_due(&self, open: Panels) -> bool {
        open.contains(self.panel) && (self.is_picture_stale || self.is_pointed_stale)
    }
}
