//! The comparison's setting B, and the pointer on its maps.

use super::panels::setting;
use super::{App, View, WITH_PANELS};
use crate::message::{HitTest, MapEvent, RunError, UndoAction};
use crate::present::address_history::Change;
use crate::present::comparison::Pair;
use crate::present::panel::PanelEvent;
use crate::present::run::Run;
use crate::scene::heatmap::Pooling;
use crate::scene::hit::{CellPosition, Move, Pointed};
use crate::state::comparison::{self, ComparisonAction, ComparisonPreset};
use crate::state::{Action, Cell, Field, Panel, State, StepKind, Value, steps};
use crate::views::{self, Markup};
use engine::{Lane, PageRun};

impl App {
    /// Whether two settings are being compared.
    pub fn is_comparing(&self) -> bool {
        self.state.open_panels().contains(Panel::Compare) && self.chunks.has(WITH_PANELS)
    }

    /// Run of B in the open comparison, if it is that of the requested state.
    pub fn other(&self) -> Option<&Run> {
        let is_shown = self.is_comparing() && self.has_numbers();
        self.run_of_b().filter(|_| is_shown)
    }

    /// Body of the comparison panel; `pooling` is that of its maps.
    pub fn compared_view(&self, pooling: Option<Pooling>) -> Markup {
        let b = comparison::variant(&self.state);
        let both = [&self.state, &b];
        views::comparison::panel(&self.comparison, both, pooling, self.language)
    }

    /// Brings the panel up to date. While B is being computed for a new A, both stay as they are.
    #[inline(never)]
    pub fn follow_compared(&mut self, is_picture: bool) {
        let pointed = self.pointed_compared();
        if let Some(error) = self.side.refusal(&self.wanted_in(Lane::Side)) {
            let sentence = error.sentence(self.language);
            return self.comparison.refuse(&sentence);
        }
        // Taken out, since the pair is that of the app.
        let mut panel = std::mem::take(&mut self.comparison);
        if let Some(pair) = self.pair() {
            if is_picture {
                panel.show(&pair);
            }
            panel.point(&pair, pointed);
        }
        self.comparison = panel;
    }

    /// Handles an event in the panel.
    #[inline(never)]
    pub(super) fn change_compared(&mut self, event: PanelEvent) {
        let (action, change) = match event {
            PanelEvent::Press(name) => {
                let action = match name.as_str() {
                    "swap" => ComparisonAction::Swap,
                    "take" => ComparisonAction::Take,
                    "same" => ComparisonAction::Same,
                    "undo" => return self.undo(UndoAction::Undo),
                    _ => return,
                };
                (action, Change::Commit)
            }
            PanelEvent::Enter(name, value, change) if name == "preset" => {
                return self.set_up_comparison(&value, change);
            }
            PanelEvent::Enter(name, value, change) => match entered(&name, &value) {
                Some(action) => (action, change),
                None => return,
            },
            PanelEvent::Set(field, typed, change) => {
                let b = comparison::variant(&self.state);
                match setting(&b, field, &typed, change) {
                    Some(action) => (ComparisonAction::Edit(Box::new(action)), change),
                    None => return,
                }
            }
            _ => return,
        };
        self.act(Action::Compare(action), change);
    }

    /// Sets up a comparison from what A was before the last one, unless A was changed since.
    fn set_up_comparison(&mut self, name: &str, change: Change) {
        let Some(set_up) = ComparisonPreset::from_name(name) else {
            return;
        };
        let is_unchanged =
            |(_, after): &(State, State)| comparison::diff(after, &self.state).is_empty();
        let before = self.set_up_from.take().filter(is_unchanged);
        let from = before.map_or_else(|| self.state.clone(), |(before, _)| before);
        let action = ComparisonAction::Preset(set_up, Box::new(from.clone()));
        self.act(Action::Compare(action), change);
        self.set_up_from = Some((from, self.state.clone()));
    }

    fn run_of_b(&self) -> Option<&Run> {
        let run = self.side.run.as_ref()?;
        self.side.has(&self.wanted_in(Lane::Side)).then_some(run)
    }

    /// Both runs, if they are those of the requested states.
    pub fn pair(&self) -> Option<Pair<'_>> {
        let (a, b) = (self.main.run.as_ref()?, self.run_of_b()?);
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
        large.under(self.comparison.hover)
    }

    /// Shows B's settings, and requests its run if that of A has arrived. Does nothing for a closed
    /// panel.
    pub(super) fn ask_compared(&mut self) {
        if !self.is_comparing() {
            return;
        }
        self.show(View::Panel(Panel::Compare));
        let b = self.wanted_in(Lane::Side);
        self.outdate_compared(true);
        if self.has_numbers() && !self.side.is_known(&b) {
            self.request(Lane::Side);
        }
    }

    /// Stores B's run, or the error; neither if a newer request has replaced it.
    #[inline(never)]
    pub(super) fn compared_ran(&mut self, state: State, reply: Result<Box<PageRun>, RunError>) {
        match reply {
            Ok(reply) => {
                self.side.store(state, *reply, self.main.run.as_ref());
            }
            Err(error) => self.side.refuse(state, error),
        }
        self.outdate_compared(true);
    }

    /// Handles an event on one of the maps.
    #[inline(never)]
    pub(super) fn point_compared(&mut self, event: MapEvent<HitTest>) {
        let under = |spot: HitTest| spot.target.map(Pointed::from);
        match event {
            MapEvent::Over(spot) => self.set_hover_compared(under(spot)),
            MapEvent::Away | MapEvent::Release => self.set_hover_compared(None),
            MapEvent::Click(spot) => {
                self.set_hover_compared(under(spot));
                self.choose_compared();
            }
            MapEvent::Lock | MapEvent::Space => self.choose_compared(),
            MapEvent::Step(step) => self.step_compared(step),
            _ => {}
        }
    }

    fn outdate_compared(&mut self, is_picture: bool) {
        self.scheduler.outdate_one(Panel::Compare, is_picture);
    }

    fn set_hover_compared(&mut self, hover: Option<Pointed>) {
        if std::mem::replace(&mut self.comparison.hover, hover) != hover {
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
        let mut panel = std::mem::take(&mut self.comparison);
        if let Some(pair) = self.pair() {
            panel.speak(&pair, pointed);
        }
        self.comparison = panel;
        self.set_hover_compared(Some(pointed));
    }
}

/// A rule of the mask that is set or not.
fn entered(name: &str, value: &str) -> Option<ComparisonAction> {
    let (key, name) = name.split_once(' ')?;
    let field = Field::from_key(key)?;
    let include = Action::Include(field, field.name_of(name)?, value == "true");
    Some(ComparisonAction::Edit(Box::new(include)))
}
