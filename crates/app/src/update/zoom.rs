//! Zooms into a large map, and fills the screen with it.

use super::{App, Effect, View};
use crate::i18n::{Key, text};
use crate::message::{HitTest, MapEvent, ZoomAction};
use crate::scene::layout::Viewport;

/// Visible part of a large map, and the frame being drawn.
#[derive(Clone, Debug, Default)]
pub struct Zoom {
    /// The visible part; `None` for the whole map.
    viewport: Option<Viewport>,
    /// The next drag draws a frame, with Shift or without.
    is_framing: bool,
    /// Both ends of a frame that is being drawn.
    pub frame: Option<[(usize, usize); 2]>,
    /// The click that ends a frame chooses no cell.
    passes_click: bool,
}

impl App {
    /// The visible part of the map; `None` if it is shown whole, as on paper.
    pub fn viewport(&self) -> Option<&Viewport> {
        let (rows, columns) = self.extent();
        let viewport = self.zoom.viewport.as_ref();
        let viewport = viewport.filter(|_| !self.environment.is_printing);
        viewport.filter(|viewport| viewport.is_of(rows, columns))
    }

    /// Whether the map is large enough to be zoomed into.
    pub fn is_zoomable(&self) -> bool {
        let (rows, columns) = self.extent();
        Viewport::whole(rows, columns).is_some()
    }

    /// Whether the next drag draws a frame.
    pub fn is_framing(&self) -> bool {
        self.is_zoomable() && self.zoom.is_framing
    }

    /// Shows the whole map of a newly opened state.
    pub(super) fn reset_zoom(&mut self) {
        self.zoom = Zoom::default();
        self.show(View::Zoom);
        self.stale.picture = true;
    }

    /// Handles the buttons of the zoom.
    #[inline(never)]
    pub(super) fn use_zoom(&mut self, action: ZoomAction) {
        match action {
            ZoomAction::Frame => self.enable_framing(!self.zoom.is_framing),
            ZoomAction::Whole => self.show_whole(),
            ZoomAction::FullScreen => self.effect(Effect::ToggleFullScreen),
        }
    }

    /// Handles an event if it concerns the zoom alone; returns whether it did.
    #[inline(never)]
    pub(super) fn zooms(&mut self, event: MapEvent<HitTest>) -> bool {
        match event {
            MapEvent::Frame(spot) => self.begin_frame(spot),
            MapEvent::Press(spot) if self.zoom.is_framing => self.begin_frame(spot),
            MapEvent::Press(..) => {
                self.zoom.passes_click = false;
                return false;
            }
            MapEvent::Over(spot) if self.zoom.frame.is_some() => self.draw_frame(spot),
            MapEvent::Lift if self.zoom.frame.is_some() => self.end_frame(),
            MapEvent::Click(..) if std::mem::take(&mut self.zoom.passes_click) => {}
            MapEvent::ZoomAt(factor, spot) => {
                self.zoom.frame = None;
                self.zoom_by(factor, spot.nearest);
            }
            MapEvent::Zoom(factor) => self.zoom_by(factor, self.shown_cell()),
            MapEvent::Pan(down, across) => {
                self.change_viewport(|viewport| viewport.panned(down, across));
            }
            MapEvent::Whole => self.show_whole(),
            MapEvent::Release if self.zoom.is_framing || self.zoom.frame.is_some() => {
                self.zoom.frame = None;
                self.enable_framing(false);
            }
            MapEvent::Release if self.viewport().is_some() && !self.can_paint() => {
                self.show_whole()
            }
            _ => return false,
        }
        true
    }

    /// Scrolls by the least amount that makes a row and a column visible.
    pub(super) fn scroll_to(&mut self, row: Option<usize>, column: Option<usize>) {
        if self.viewport().is_some() {
            self.change_viewport(|viewport| viewport.showing(row, column));
        }
    }

    fn begin_frame(&mut self, spot: HitTest) {
        let cell = spot.nearest.filter(|_| self.is_zoomable());
        self.zoom.frame = cell.map(|cell| [cell; 2]);
        self.zoom.passes_click = cell.is_some();
        self.stale.pointed = true;
    }

    fn draw_frame(&mut self, spot: HitTest) {
        if let (Some(to), Some([_, end])) = (spot.nearest, &mut self.zoom.frame) {
            self.stale.pointed |= *end != to;
            *end = to;
        }
    }

    fn end_frame(&mut self) {
        let Some([from, to]) = self.zoom.frame.take() else {
            return;
        };
        self.stale.pointed = true;
        if from != to {
            self.enable_framing(false);
            self.change_viewport(|viewport| viewport.framed(from, to));
        }
    }

    fn enable_framing(&mut self, is_framing: bool) {
        self.zoom.is_framing = is_framing;
        self.stale.pointed = true;
        self.show(View::Zoom);
    }

    fn show_whole(&mut self) {
        if self.zoom.viewport.take().is_some() {
            self.has_other_viewport();
        }
    }

    fn zoom_by(&mut self, factor: f64, cell: Option<(usize, usize)>) {
        if let Some(cell) = cell {
            self.change_viewport(|viewport| viewport.zoomed(factor, cell));
        }
    }

    /// The highlighted cell, or the middle of the visible part instead.
    fn shown_cell(&self) -> Option<(usize, usize)> {
        let (rows, columns) = self.extent();
        let whole = || Viewport::whole(rows, columns);
        let shown = self.viewport().cloned().or_else(whole)?;
        let pointed = self.pointed();
        let within = |range: std::ops::Range<usize>, cell: Option<usize>| {
            let middle = (range.start + range.end) / 2;
            cell.filter(|cell| range.contains(cell)).unwrap_or(middle)
        };
        Some((
            within(shown.rows(), pointed.query),
            within(shown.columns(), pointed.key),
        ))
    }

    fn change_viewport(&mut self, change: impl FnOnce(&Viewport) -> Viewport) {
        let (rows, columns) = self.extent();
        let whole = || Viewport::whole(rows, columns);
        let Some(before) = self.viewport().cloned().or_else(whole) else {
            return;
        };
        let viewport = change(&before);
        if viewport != before {
            self.zoom.viewport = Some(viewport).filter(|viewport| !viewport.is_whole());
            self.has_other_viewport();
        }
    }

    fn has_other_viewport(&mut self) {
        self.stale.picture = true;
        self.show(View::Zoom);
        let said = self.viewport().map(|shown| {
            let (rows, columns) = (shown.rows(), shown.columns());
            text::announce_zoom(
                self.language,
                &(rows.start + 1),
                &rows.end,
                &(columns.start + 1),
                &columns.end,
            )
        });
        let whole = || Key::ZoomedOut.text(self.language).to_owned();
        let said = said.unwrap_or_else(whole);
        self.effect(Effect::Announce(said));
    }
}
