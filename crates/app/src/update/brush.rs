//! Paints the mask on the map.

use super::{App, View};
use crate::message::BrushAction;
use crate::present::address_history::Change;
use crate::scene::hit::Target;
use crate::state::{
    Action, Field, MapView, Painting, Part, StepKind, Value, request_builder, steps,
};

/// The brush and its stroke.
#[derive(Clone, Debug, Default)]
pub(super) struct Brush {
    is_up: bool,
    stroke: Option<Stroke>,
    /// A cell was painted with the keyboard, and its new value is still to be
    /// announced.
    is_silent: bool,
}

/// A stroke in progress.
#[derive(Clone, Copy, Debug)]
struct Stroke {
    last: (usize, usize),
    is_visible: bool,
}

impl App {
    /// Whether the brush is enabled.
    pub fn has_brush(&self) -> bool {
        self.brush.is_up
    }

    /// Whether pointer and keys paint on the map.
    pub fn can_paint(&self) -> bool {
        let is_map = self.state.view == MapView::Map;
        let is_free = is_map && !self.state.linformer && !self.state.is_locked(Part::Paint);
        self.brush.is_up && is_free && steps::is_over_keys(&self.state)
    }

    /// Disables the brush; returns whether it was enabled.
    pub(super) fn disable_brush(&mut self) -> bool {
        let was_up = self.brush.is_up;
        self.brush.is_up = false;
        self.show(View::Brush);
        was_up
    }

    /// Handles the buttons of the brush.
    #[inline(never)]
    pub(super) fn use_brush(&mut self, action: BrushAction) {
        match action {
            BrushAction::Toggle => self.enable_brush(!self.brush.is_up),
            BrushAction::Clear if self.state.paint.is_empty() => {}
            BrushAction::Clear => self.paint_all(Painting::default()),
        }
        self.show(View::Brush);
    }

    /// Starts a stroke on a cell, whose state decides whether the stroke hides or
    /// shows.
    pub(super) fn press(&mut self, target: Option<Target>) {
        let Some(Target::Cell { query, key }) = target.filter(|_| self.can_paint()) else {
            return;
        };
        let cell = (query, key);
        let (n, m) = request_builder::lengths(&self.state);
        if query >= n || key >= m {
            // The map is still that of a longer text.
            return;
        }
        let mask = request_builder::mask(&self.state, m);
        self.brush.stroke = Some(Stroke {
            last: cell,
            is_visible: !request_builder::is_visible(&mask, query, key),
        });
        self.draw_to(cell);
    }

    /// Continues the stroke.
    pub(super) fn draw_on(&mut self, target: Option<Target>) {
        if let (Some(Target::Cell { query, key }), Some(stroke)) = (target, &self.brush.stroke)
            && stroke.last != (query, key)
        {
            self.draw_to((query, key));
        }
    }

    /// Ends the stroke.
    pub(super) fn end_stroke(&mut self) {
        if self.brush.stroke.take().is_some() {
            self.paint_all(self.state.paint.clone());
        }
    }

    /// Paints the cell selected by keyboard: a stroke of one cell.
    #[inline(never)]
    pub(super) fn paint_cell(&mut self) {
        let pointed = self.pointed();
        if let (Some(query), Some(key)) = (pointed.query, pointed.key) {
            self.press(Some(Target::Cell { query, key }));
            self.end_stroke();
            self.brush.is_silent = true;
        }
    }

    /// Announces the cell painted with the keyboard, once its numbers have arrived.
    pub(super) fn announce_painted_cell(&mut self) {
        if std::mem::take(&mut self.brush.is_silent) {
            self.speak();
        }
    }

    fn draw_to(&mut self, to: (usize, usize)) {
        let Some(stroke) = &mut self.brush.stroke else {
            return;
        };
        let (from, is_visible) = (std::mem::replace(&mut stroke.last, to), stroke.is_visible);
        let action = Action::Paint {
            from,
            to,
            is_visible,
        };
        self.act(action, Change::Input);
    }

    fn paint_all(&mut self, painting: Painting) {
        let action = Action::Set(Field::Paint, Value::Painting(painting));
        self.act(action, Change::Commit);
    }

    fn enable_brush(&mut self, is_up: bool) {
        self.brush.is_up = is_up;
        if is_up && self.state.view != MapView::Map {
            let map = Value::Choice(MapView::Map.name());
            self.act(Action::Set(Field::View, map), Change::Commit);
        }
        if is_up && !steps::is_over_keys(&self.state) {
            let mask = Value::Choice(StepKind::Mask.name());
            self.act(Action::Set(Field::Step, mask), Change::Commit);
        }
    }
}
