//! Zooms into a large map, and fills the screen with it.

use super::Page;
use crate::browser::dom;
use crate::browser::map::MapEvent;
use crate::browser::panels::ZoomAction;
use crate::i18n::{Key, text};
use crate::scene::layout::Viewport;

/// What is shown of a large map, and how it is being changed.
#[derive(Default)]
pub(super) struct Zoom {
    /// The part that is shown; `None` for the whole map.
    viewport: Option<Viewport>,
    /// The next drag draws a frame, with Shift or without.
    is_framing: bool,
    /// Both ends of a frame that is being drawn.
    pub frame: Option<[(usize, usize); 2]>,
    /// The click that ends a frame chooses no cell.
    passes_click: bool,
}

impl Page {
    /// The part of the map that is shown; `None` where it is shown whole, as on paper.
    pub(super) fn viewport(&self) -> Option<&Viewport> {
        let (rows, columns) = self.extent();
        let viewport = self.zoom.viewport.as_ref();
        let viewport = viewport.filter(|_| !self.environment.is_printing());
        viewport.filter(|viewport| viewport.is_of(rows, columns))
    }

    /// Another state was opened, which is shown whole.
    pub(super) fn reset_zoom(&mut self) {
        self.zoom = Zoom::default();
        self.show_zoom();
        self.stale.picture = true;
    }

    /// Handles the buttons of the zoom.
    pub(crate) fn on_zoom(&mut self, action: ZoomAction) {
        match action {
            ZoomAction::Frame => self.enable_framing(!self.zoom.is_framing),
            ZoomAction::Whole => self.show_whole(),
            ZoomAction::FullScreen => self.zoom_buttons.toggle_full_screen(),
        }
    }

    /// Does what concerns the zoom alone; whether it was that.
    pub(super) fn zoom(&mut self, event: MapEvent) -> bool {
        match event {
            MapEvent::Frame(x, y) => self.begin_frame(x, y),
            MapEvent::Press(x, y) if self.zoom.is_framing => self.begin_frame(x, y),
            MapEvent::Press(..) => {
                self.zoom.passes_click = false;
                return false;
            }
            MapEvent::Over(x, y) if self.zoom.frame.is_some() => self.draw_frame(x, y),
            MapEvent::Lift if self.zoom.frame.is_some() => self.end_frame(),
            MapEvent::Click(..) if std::mem::take(&mut self.zoom.passes_click) => {}
            MapEvent::ZoomAt(factor, x, y) => {
                self.zoom.frame = None;
                self.zoom_by(factor, self.main_view.map.nearest_cell(x, y));
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

    /// Moves what is shown as little as shows a row and a column.
    pub(super) fn scroll_to(&mut self, row: Option<usize>, column: Option<usize>) {
        if self.viewport().is_some() {
            self.change_viewport(|viewport| viewport.showing(row, column));
        }
    }

    /// Shows which buttons there are, and how they stand.
    pub(super) fn show_zoom(&mut self) {
        let (rows, columns) = self.extent();
        let is_zoomable = Viewport::whole(rows, columns).is_some();
        let is_framing = is_zoomable && self.zoom.is_framing;
        dom::set_flag(&self.element, "data-framing", is_framing);
        let is_zoomed = self.viewport().is_some();
        self.zoom_buttons.update(is_zoomable, is_framing, is_zoomed);
    }

    fn begin_frame(&mut self, x: f64, y: f64) {
        let (rows, columns) = self.extent();
        let cell = self.main_view.map.nearest_cell(x, y);
        let cell = cell.filter(|_| Viewport::whole(rows, columns).is_some());
        self.zoom.frame = cell.map(|cell| [cell; 2]);
        self.zoom.passes_click = cell.is_some();
        self.stale.pointed = true;
    }

    fn draw_frame(&mut self, x: f64, y: f64) {
        let to = self.main_view.map.nearest_cell(x, y);
        if let (Some(to), Some([_, end])) = (to, &mut self.zoom.frame) {
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
        self.show_zoom();
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

    /// The cell that is pointed out, or the middle of what is shown in its place.
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
        self.show_zoom();
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
        self.live_region.set_text(&said.unwrap_or_else(whole));
    }
}
