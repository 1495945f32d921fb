//! The comparison: requests B once the map has the numbers of A, and shows both.

use web_sys::HtmlElement;

use super::Page;
use crate::browser::controls::Act;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::map::{ColourStyle, MapEvent, Pointed};
use crate::browser::panels::registry::WITH_PANELS;
use crate::browser::panels::{self, ComparedMap, ComparedRuns, PlotPosition};
use crate::engine::{Backend, PageRun};
use crate::i18n::text;
use crate::present::address_history::Change;
use crate::present::comparison::Pair;
use crate::present::panel_scheduler::Dirty;
use crate::present::run::Run;
use crate::scene::hit::{self, Move};
use crate::state::learned::Progress;
use crate::state::request_builder::same_computation;
use crate::state::{Action, Cell, Field, Panel, State, StepKind, Value, comparison, steps, url};

/// B's numbers and the panel that shows them.
pub(super) struct ComparisonLane {
    panel: panels::ComparisonPanel,
    run: Option<Run>,
    /// The run was computed elsewhere than that of A, as before a graphics card is ready.
    is_elsewhere: bool,
    /// How far a model of B that learns has come.
    progress: Progress,
    /// The fragment of B, as it is to be shown.
    wanted: String,
    /// The fragment that is being computed.
    asked: Option<String>,
    /// A fragment that could not be computed, and why.
    refused: Option<(String, String)>,
    hover: Option<Pointed>,
}

impl ComparisonLane {
    pub(super) fn new(root: &Root, act: &Act) -> Result<Self, MissingPart> {
        Ok(Self {
            panel: panels::ComparisonPanel::new(root, act)?,
            run: None,
            is_elsewhere: false,
            progress: Progress::default(),
            wanted: String::new(),
            asked: None,
            refused: None,
            hover: None,
        })
    }

    /// Numbers of A have come from `backend`: those of B from another one are asked for once more.
    pub(super) fn follow(&mut self, backend: Backend) {
        let elsewhere = |run: &Run| run.reply.ran.backend != backend;
        self.is_elsewhere = self.run.as_ref().is_some_and(elsewhere);
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.panel.restyle();
    }

    fn has(&self, fragment: &str) -> bool {
        let is = |other: Option<&String>| other.is_some_and(|other| other == fragment);
        let run = self.run.as_ref().filter(|_| !self.is_elsewhere);
        is(run.map(|run| &run.fragment))
            || is(self.asked.as_ref())
            || is(self.refused.as_ref().map(|(refused, _)| refused))
    }

    /// Why what is wanted could not be computed.
    fn refusal(&self) -> Option<&str> {
        let refused = self.refused.as_ref();
        refused
            .filter(|(fragment, _)| *fragment == self.wanted)
            .map(|(_, cause)| cause.as_str())
    }

    /// The panel, and both runs as soon as they are those that are wanted.
    fn pair<'a>(
        &'a mut self,
        a: &'a Run,
        state: &State,
        colours: &'a ColourStyle,
        place: PlotPosition,
    ) -> Option<(&'a mut panels::ComparisonPanel, ComparedRuns<'a>)> {
        let b = self.run.as_ref().filter(|b| b.fragment == self.wanted)?;
        let pair = Pair {
            a,
            b,
            head: state.head.min(a.heads().saturating_sub(1)),
            range: state.range,
            language: place.language,
        };
        let beside = ComparedRuns {
            pair,
            colours,
            place,
        };
        same_computation(&a.state, state).then_some((&mut self.panel, beside))
    }
}

impl Page {
    /// The elements of the comparison's maps.
    pub(crate) fn beside_elements(&self) -> Vec<(ComparedMap, HtmlElement)> {
        self.beside.panel.elements().collect()
    }

    /// Shows B's settings, and asks for its numbers if those of A are there. Nothing is done for a closed panel.
    pub(super) fn ask_beside(&mut self) {
        if !self.is_comparing() {
            return;
        }
        let b = comparison::variant(&self.state);
        self.beside.panel.set(&self.state, &b, self.language);
        let b = comparison::compute_state(&b);
        self.beside.wanted = url::to_fragment(&b);
        self.outdate_beside(true);
        let has_main = self
            .run
            .as_ref()
            .is_some_and(|run| same_computation(&run.state, &self.state));
        if has_main && !self.beside.has(&self.beside.wanted) {
            self.beside.asked = Some(self.beside.wanted.clone());
            self.request_beside(&b);
        }
    }

    /// Asks for the numbers of B, or for the next ones on the way there.
    fn request_beside(&self, b: &State) {
        let at_once = self.environment.is_motion_reduced();
        self.engine
            .ask_beside(self.beside.progress.next(b, at_once));
    }

    /// Takes B's numbers, or the sentence that says why there are none; neither where it was overtaken.
    pub(crate) fn on_comparison_result(
        &mut self,
        state: State,
        reply: Result<PageRun, Option<String>>,
    ) {
        let b = comparison::compute_state(&comparison::variant(&self.state));
        if reply.is_ok() && self.beside.progress.record(&state, &b) {
            // Its model learns on; both maps stay as they are meanwhile.
            return self.request_beside(&b);
        }
        let fragment = url::to_fragment(&state);
        let is_refused = matches!(reply, Err(Some(_)));
        let asked = self
            .beside
            .asked
            .take_if(|asked| is_refused || *asked == fragment);
        let fragment = asked.unwrap_or(fragment);
        match reply {
            Ok(reply) => {
                let run = Run::new(state, reply, self.run.as_ref());
                self.beside.run = run.or(self.beside.run.take());
                self.beside.refused = None;
                self.beside.is_elsewhere = false;
            }
            Err(Some(cause)) => self.beside.refused = Some((fragment, cause)),
            Err(None) => {}
        }
        self.outdate_beside(true);
    }

    /// The other setting of the open comparison, as long as its numbers are those that are wanted.
    pub(super) fn other(&self) -> Option<&Run> {
        let a = self.run.as_ref().filter(|_| self.is_comparing())?;
        let is_wanted = |b: &&Run| b.fragment == self.beside.wanted;
        let b = self.beside.run.as_ref().filter(is_wanted)?;
        same_computation(&a.state, &self.state).then_some(b)
    }

    /// Does what was done on one of the maps.
    pub(crate) fn point_beside(&mut self, which: ComparedMap, action: MapEvent) {
        let under = |page: &Self, x, y| page.beside.panel.target(which, x, y).map(Pointed::from);
        match action {
            MapEvent::Over(x, y) => self.hover_beside(under(self, x, y)),
            MapEvent::Away | MapEvent::Release => self.hover_beside(None),
            MapEvent::Click(x, y) => {
                self.hover_beside(under(self, x, y));
                self.choose_beside();
            }
            MapEvent::Lock | MapEvent::Space => self.choose_beside(),
            MapEvent::Step(step) => self.step_beside(step),
            _ => {}
        }
    }

    /// Paints what the comparison has missed. While B is being computed for a new A, both stay as they are.
    pub(super) fn paint_beside(&mut self, missed: Dirty) {
        if let Some(cause) = self.beside.refusal() {
            let sentence = text::compute_refused(self.language, &cause);
            return self.beside.panel.refuse(&sentence);
        }
        let (pointed, place) = (self.pointed_beside(), self.place_beside());
        let Some(a) = &self.run else { return };
        let Some((panel, beside)) = self.beside.pair(a, &self.state, &self.colours, place) else {
            return;
        };
        if missed.picture {
            panel.update(&beside);
        }
        panel.point(&beside.pair, pointed);
    }

    fn outdate_beside(&mut self, is_picture: bool) {
        let scheduler = &mut self.panels.scheduler;
        scheduler.outdate_one(Panel::Compare, is_picture);
    }

    fn is_comparing(&self) -> bool {
        self.state.open_panels().contains(Panel::Compare) && self.chunks.has(WITH_PANELS)
    }

    fn place_beside(&self) -> PlotPosition {
        PlotPosition {
            dpr: self.room.dpr,
            language: self.language,
        }
    }

    fn hover_beside(&mut self, hover: Option<Pointed>) {
        if std::mem::replace(&mut self.beside.hover, hover) != hover {
            self.outdate_beside(false);
        }
    }

    /// What the crosshair stands on: what lies under the pointer, or else what is pointed out on the large map while
    /// that shows weights as well.
    fn pointed_beside(&self) -> Pointed {
        let large = match steps::asked(&self.state) {
            StepKind::Weights => self.pointed(),
            _ => Pointed::default(),
        };
        large.under(self.beside.hover)
    }

    /// Chooses the cell for the large map too, where that shows weights.
    fn choose_beside(&mut self) {
        let Pointed { query, key } = self.pointed_beside();
        if let Some(query) = query.filter(|_| steps::asked(&self.state) == StepKind::Weights) {
            let cell = Value::Cell(Cell { query, key });
            self.act(Action::Set(Field::Cell, cell), Change::Commit);
        }
    }

    fn step_beside(&mut self, step: Move) {
        let Pointed { query, key } = self.pointed_beside();
        let place = self.place_beside();
        let Some(a) = &self.run else { return };
        let Some((panel, ComparedRuns { pair, .. })) =
            self.beside.pair(a, &self.state, &self.colours, place)
        else {
            return;
        };
        let columns = pair.a.keys.len().max(pair.b.keys.len());
        let from = query.map(|query| hit::CellPosition { query, key });
        let Some(to) = step.apply(from, pair.a.queries.len(), columns) else {
            return;
        };
        let pointed = Pointed {
            query: Some(to.query),
            key: to.key,
        };
        panel.speak(&pair, pointed);
        self.hover_beside(Some(pointed));
    }
}
