//! The comparison's setting B, its run, and the pointer on its maps.

use super::{App, Effect, View, WITH_PANELS};
use crate::message::{HitTest, MapEvent};
use crate::present::address_history::Change;
use crate::present::comparison::Pair;
use crate::present::run::Run;
use crate::scene::hit::{CellPosition, Move, Pointed};
use crate::state::learned::Progress;
use crate::state::{Action, Cell, Field, Panel, State, StepKind, Value, comparison, steps};
use engine::{Backend, PageRun};

/// Setting B and its run.
#[derive(Default)]
pub struct Compared {
    run: Option<Run>,
    /// The run used another backend than that of A, as before a graphics card is ready.
    is_elsewhere: bool,
    /// Training progress of B's model.
    progress: Progress,
    /// State to show.
    wanted: Option<State>,
    /// State being computed.
    asked: Option<State>,
    /// State that could not be computed, and the error text.
    refused: Option<(State, String)>,
    hover: Option<Pointed>,
}

impl Compared {
    /// Marks the run as outdated if it used another backend than a new run of A, so that it is
    /// requested again.
    pub(super) fn follow(&mut self, backend: Backend) {
        let elsewhere = |run: &Run| run.reply.ran.backend != backend;
        self.is_elsewhere = self.run.as_ref().is_some_and(elsewhere);
    }

    /// Why the requested state could not be computed.
    pub fn refusal(&self) -> Option<&str> {
        let refused = self.refused.as_ref();
        refused
            .filter(|(state, _)| Some(state) == self.wanted.as_ref())
            .map(|(_, cause)| cause.as_str())
    }

    fn has(&self, state: &State) -> bool {
        let run = self.run.as_ref().filter(|_| !self.is_elsewhere);
        run.is_some_and(|run| run.state == *state)
            || self.asked.as_ref() == Some(state)
            || self.refused.as_ref().is_some_and(|(own, _)| own == state)
    }

    /// The run, if it is that of the requested state.
    fn run(&self) -> Option<&Run> {
        let run = self.run.as_ref()?;
        (Some(&run.state) == self.wanted.as_ref()).then_some(run)
    }
}

impl App {
    /// Whether two settings are being compared.
    pub fn is_comparing(&self) -> bool {
        self.state.open_panels().contains(Panel::Compare) && self.chunks.has(WITH_PANELS)
    }

    /// Run of B in the open comparison, if it is that of the requested state.
    pub fn other(&self) -> Option<&Run> {
        let is_shown = self.is_comparing() && self.has_numbers();
        self.compared.run().filter(|_| is_shown)
    }

    /// Both runs, if they are those of the requested states.
    pub fn pair(&self) -> Option<Pair<'_>> {
        let (a, b) = (self.run.as_ref()?, self.compared.run()?);
        let pair = Pair {
            a,
            b,
            head: self.state.head.min(a.heads().saturating_sub(1)),
            range: self.state.range,
            language: self.language,
        };
        self.has_numbers().then_some(pair)
    }

    /// Cell under the crosshair: the one under the pointer, otherwise the one highlighted on the
    /// large map if that shows weights too.
    pub fn pointed_compared(&self) -> Pointed {
        let large = match steps::asked(&self.state) {
            StepKind::Weights => self.pointed(),
            _ => Pointed::default(),
        };
        large.under(self.compared.hover)
    }

    /// Shows B's settings, and requests its run if that of A has arrived. Does nothing for a closed
    /// panel.
    pub(super) fn ask_compared(&mut self) {
        if !self.is_comparing() {
            return;
        }
        self.show(View::Compared);
        let b = comparison::compute_state(&comparison::variant(&self.state));
        self.compared.wanted = Some(b.clone());
        self.outdate_compared(true);
        if self.has_numbers() && !self.compared.has(&b) {
            self.compared.asked = Some(b.clone());
            self.request_compared(&b);
        }
    }

    /// Stores B's run, or the error text; neither if a newer request has replaced it.
    #[inline(never)]
    pub(super) fn compared_ran(
        &mut self,
        state: State,
        reply: Result<Box<PageRun>, Option<String>>,
    ) {
        let b = comparison::compute_state(&comparison::variant(&self.state));
        if reply.is_ok() && self.compared.progress.record(&state, &b) {
            // Its model learns on; both maps stay as they are meanwhile.
            return self.request_compared(&b);
        }
        let is_refused = matches!(reply, Err(Some(_)));
        let asked = self
            .compared
            .asked
            .take_if(|asked| is_refused || *asked == state);
        match reply {
            Ok(reply) => {
                let run = Run::new(state, *reply, self.run.as_ref());
                self.compared.run = run.or(self.compared.run.take());
                self.compared.refused = None;
                self.compared.is_elsewhere = false;
            }
            Err(Some(cause)) => self.compared.refused = Some((asked.unwrap_or(state), cause)),
            Err(None) => {}
        }
        self.outdate_compared(true);
    }

    /// Handles an event on one of the maps.
    #[inline(never)]
    pub(super) fn point_compared(&mut self, event: MapEvent<HitTest>) {
        let under = |spot: HitTest| spot.target.map(Pointed::from);
        match event {
            MapEvent::Over(spot) => self.hover_compared(under(spot)),
            MapEvent::Away | MapEvent::Release => self.hover_compared(None),
            MapEvent::Click(spot) => {
                self.hover_compared(under(spot));
                self.choose_compared();
            }
            MapEvent::Lock | MapEvent::Space => self.choose_compared(),
            MapEvent::Step(step) => self.step_compared(step),
            _ => {}
        }
    }

    /// Requests a run of B, or the next training step towards it.
    #[inline(never)]
    fn request_compared(&mut self, b: &State) {
        let at_once = self.environment.is_motion_reduced;
        let next = self.compared.progress.next(b, at_once);
        self.effect(Effect::AskCompared(Box::new(next)));
    }

    fn outdate_compared(&mut self, is_picture: bool) {
        self.scheduler.outdate_one(Panel::Compare, is_picture);
    }

    fn hover_compared(&mut self, hover: Option<Pointed>) {
        if std::mem::replace(&mut self.compared.hover, hover) != hover {
            self.outdate_compared(false);
        }
    }

    /// Selects the cell on the large map too, if that shows weights.
    fn choose_compared(&mut self) {
        let Pointed { query, key } = self.pointed_compared();
        if let Some(query) = query.filter(|_| steps::asked(&self.state) == StepKind::Weights) {
            let cell = Value::Cell(Cell { query, key });
            self.act(Action::Set(Field::Cell, cell), Change::Commit);
        }
    }

    fn step_compared(&mut self, step: Move) {
        let Pointed { query, key } = self.pointed_compared();
        let Some(pair) = self.pair() else { return };
        let columns = pair.a.keys.len().max(pair.b.keys.len());
        let from = query.map(|query| CellPosition { query, key });
        let Some(to) = step.apply(from, pair.a.queries.len(), columns) else {
            return;
        };
        let pointed = Pointed {
            query: Some(to.query),
            key: to.key,
        };
        self.effect(Effect::SpeakCompared(pointed));
        self.hover_compared(Some(pointed));
    }
}
