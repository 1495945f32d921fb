//! Hover, selection and keyboard on the map.

use super::{App, Effect};
use crate::message::{Highlight, HitTest, InspectorAction, MapEvent};
use crate::present::address_history::Change;
use crate::present::run::Run;
use crate::present::steps::explain::CellRef;
use crate::scene::hit::{CellPosition, Move, Pointed, Target};
use crate::state::steps::{self, Axis};
use crate::state::{Action, Cell, Field, StepKind, Value};

impl App {
    /// Handles an event on the map.
    #[inline(never)]
    pub(super) fn point(&mut self, event: MapEvent<HitTest>) {
        if !matches!(event, MapEvent::Over(..) | MapEvent::Away) {
            self.effect(Effect::ForgetCopy);
        }
        if self.zooms(event) {
            return;
        }
        match event {
            MapEvent::Over(HitTest { target, .. }) => {
                self.draw_on(target);
                self.hover_over(target);
            }
            MapEvent::Press(HitTest { target, .. }) => self.press(target),
            MapEvent::Lift => self.end_stroke(),
            MapEvent::Click(..) if self.can_paint() => {}
            MapEvent::Space if self.can_paint() => self.paint_cell(),
            MapEvent::Space => self.lock(),
            MapEvent::Away => self.hover_over(None),
            MapEvent::Click(HitTest { target, .. }) => self.click(target),
            MapEvent::Step(step) => self.step(step),
            MapEvent::Lock => self.lock(),
            MapEvent::Release if self.disable_brush() => {}
            MapEvent::Release => self.release(),
            _ => {}
        }
    }

    /// Highlights or selects what a panel requests, if the large map contains it.
    #[inline(never)]
    pub(super) fn highlight(&mut self, highlight: Highlight) {
        let is_pairs = self.shown().axes() == [Axis::N, Axis::Keys];
        (self.hover, self.lit) = (None, Vec::new());
        self.stale.pointed = true;
        match highlight {
            Highlight::At(pointed) if is_pairs => self.hover = Some(pointed),
            Highlight::At(Pointed { query, .. }) if self.has_queries() => {
                self.hover = Some(Pointed { query, key: None });
            }
            Highlight::Cells(cells) => {
                let shown = self.shown();
                let other = (is_pairs && shown != StepKind::Weights).then_some(shown);
                let steps = [Some(StepKind::Weights), other].into_iter().flatten();
                let places = steps.flat_map(|step| {
                    let place = move |&(row, column): &_| CellRef { step, row, column };
                    cells.iter().map(place)
                });
                self.light(places.collect());
            }
            Highlight::Row(query) if self.has_queries() => self.choose_row(query),
            _ => {}
        }
    }

    /// Handles an action on the numbers of an explanation.
    #[inline(never)]
    pub(super) fn inspect(&mut self, action: InspectorAction) {
        match action {
            InspectorAction::Light(places) => self.light(places),
            InspectorAction::Unfold => self.stale.pointed = true,
            InspectorAction::Go(place) => {
                // The button that was chosen goes with the explanation that it stands in.
                self.effect(Effect::FocusInspector);
                let step = Value::Choice(place.step.name());
                self.act(Action::Set(Field::Step, step), Change::Commit);
                self.choose(place.row, Some(place.column), Change::Commit);
            }
            InspectorAction::Close => {
                self.effect(Effect::FocusMap);
                let row = self.state.cell.map_or(0, |cell| cell.query);
                self.choose(row, None, Change::Commit);
                self.follow_cell();
            }
        }
    }

    /// Selects the head of a thumbnail.
    #[inline(never)]
    pub(super) fn choose_head(&mut self, head: usize) {
        self.act(Action::ChooseHead(head), Change::Commit);
    }

    /// Selects a row.
    #[inline(never)]
    pub(super) fn choose_row(&mut self, query: usize) {
        self.scroll_to(Some(query), None);
        self.choose(query, None, Change::Commit);
    }

    /// Returns the selected row and locked key, regardless of the pointer.
    pub fn selected(&self) -> Pointed {
        let chosen = self.state.cell.map_or(0, |cell| cell.query);
        Pointed {
            query: (self.extent().0 > 0).then_some(chosen),
            key: self.locked_key(),
        }
    }

    /// Cell under the crosshair: a locked cell, otherwise the one under the pointer, otherwise the
    /// selected row (the first one by default).
    pub fn pointed(&self) -> Pointed {
        let selected = self.selected();
        if selected.key.is_some() {
            return selected;
        }
        selected.under(self.hover)
    }

    /// The query shown in the reading pane: always one, if there are any. If the row of the map is
    /// not a query, the last one shown.
    pub fn row(&self) -> usize {
        let Some(run) = &self.main.run else { return 0 };
        let pointed = self.pointed().query.unwrap_or(0);
        let row = if self.has_queries() && pointed < run.queries.len() {
            pointed
        } else {
            self.read
        };
        row.min(run.queries.len().saturating_sub(1))
    }

    /// Rows and columns of the map on screen.
    pub fn extent(&self) -> (usize, usize) {
        let Some(run) = &self.main.run else {
            return (0, 0);
        };
        let length = |axis| steps::length(axis, &run.config.sizes, &run.state);
        let [rows, columns] = self.shown().axes().map(length);
        (rows, columns)
    }

    /// The column of a locked cell.
    pub fn locked_key(&self) -> Option<usize> {
        self.state.cell.and_then(|cell| cell.key)
    }

    /// Whether the rows of the map on screen are queries, of which there is at least one.
    fn has_queries(&self) -> bool {
        let step = self.shown();
        let is_own = |run: &Run| run.state.second.is_none();
        steps::begins_with_queries(step)
            || (step.axes()[0] == Axis::M && self.main.run.as_ref().is_some_and(is_own))
    }

    /// Highlights the given cells on the map and in the strip of steps, in place of those
    /// highlighted before.
    fn light(&mut self, places: Vec<CellRef>) {
        self.stale.pointed |= self.lit != places;
        self.lit = places;
    }

    fn hover_over(&mut self, target: Option<Target>) {
        let hover = target.map(Pointed::from);
        self.scheduler.input_started();
        self.stale.pointed |= self.hover != hover && self.locked_key().is_none();
        self.hover = hover;
    }

    fn click(&mut self, target: Option<Target>) {
        let Some(Pointed { query, key }) = target.map(Pointed::from) else {
            return;
        };
        let query = query.or(self.pointed().query).unwrap_or(0);
        if key.is_some() && self.state.cell == Some(Cell { query, key }) {
            self.release();
        } else {
            self.choose(query, key, Change::Commit);
        }
        self.follow_cell();
    }

    fn step(&mut self, step: Move) {
        let (rows, columns) = self.extent();
        let Pointed { query, key } = self.pointed();
        let from = query.map(|query| CellPosition { query, key });
        let Some(CellPosition { query, key }) = step.apply(from, rows, columns) else {
            return;
        };
        self.scroll_to(Some(query), key);
        if self.locked_key().is_some() {
            self.choose(query, key, Change::Input);
        } else {
            let query = Some(query);
            self.hover = Some(Pointed { query, key });
            self.stale.pointed = true;
        }
        self.speak();
    }

    fn lock(&mut self) {
        let Pointed { query, key } = self.pointed();
        if let Some(query) = query {
            self.choose(query, key, Change::Commit);
        }
        self.follow_cell();
    }

    /// Clears the locked column first, then the keyboard's highlight.
    fn release(&mut self) {
        self.hover = None;
        self.stale.pointed = true;
        if let Some(cell) = self.state.cell.filter(|cell| cell.key.is_some()) {
            self.choose(cell.query, None, Change::Commit);
            self.follow_cell();
        }
    }

    fn choose(&mut self, query: usize, key: Option<usize>, change: Change) {
        let cell = Value::Cell(Cell { query, key });
        self.act(Action::Set(Field::Cell, cell), change);
    }

    pub(super) fn speak(&mut self) {
        let pointed = self.pointed();
        self.effect(Effect::Speak(pointed));
    }
}
