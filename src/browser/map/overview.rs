//! The whole map in small while a part of it is shown; dragging in it moves the part.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlElement, PointerEvent};

use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::heatmap_view::HeatmapView;
use app::message::MapEvent;
use app::present::colour_style::Palette;
use app::scene::heatmap::{Grid, Style};
use app::scene::layout::{MapLayout, OVERVIEW_MARGIN as MARGIN, Viewport};
use app::scene::marks;

/// Events that the map handles too.
const EVENTS: [&str; 5] = [
    "pointerdown",
    "pointermove",
    "pointerup",
    "click",
    "dblclick",
];

/// The canvas of the overview.
pub(super) struct Overview {
    canvas: HtmlElement,
    view: HeatmapView,
}

impl Overview {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            canvas: root.find("#map .overview")?,
            view: HeatmapView::find(root, "#map .overview")?,
        })
    }

    /// Paints it where the layout of the whole map has room for it, away from a `chosen` cell.
    pub(super) fn paint(
        &mut self,
        whole: &MapLayout,
        (viewport, chosen): (&Viewport, Option<(usize, usize)>),
        grid: &Grid<'_>,
        style: &Style<'_>,
        palette: &Palette,
    ) {
        let place = whole.overview(viewport, chosen);
        let layout = Rc::new(whole.in_overview(place, [grid.queries(), grid.keys()]));
        self.view.image.paint(Rc::clone(&layout), grid, style);
        self.view.show(palette);
        let (rows, columns) = (viewport.rows(), viewport.columns());
        let last = (rows.end - 1, columns.end - 1);
        let frame = marks::framed(&layout, (rows.start, columns.start), last);
        self.view.mark(frame, palette);
        let style = self.canvas.style();
        // Properties that every browser knows.
        let _ = style.set_property("left", &format!("{}px", place.x));
        let _ = style.set_property("top", &format!("{}px", place.y));
    }

    pub(super) fn set_shown(&self, is_shown: bool) {
        dom::set_flag(&self.canvas, "hidden", !is_shown);
    }
}

/// Calls `done` when the overview of `root` is pressed or dragged. These events, and those of its
/// buttons, do not reach the map below.
pub(super) fn listen<F: Fn(MapEvent<(f64, f64)>) + 'static>(
    root: &Root,
    done: &Rc<F>,
) -> Vec<Listener> {
    let mut listeners = Vec::new();
    for element in root.all::<HtmlElement>("#map .overview, #map .map-tools") {
        listeners.extend(EVENTS.map(|event| {
            let (own, done) = (element.clone(), Rc::clone(done));
            Listener::new(&element, event, move |event| {
                event.stop_propagation();
                if let Some(pan) = panned(&own, &event) {
                    done(pan);
                }
            })
        }));
    }
    listeners
}

fn panned(canvas: &HtmlElement, event: &Event) -> Option<MapEvent<(f64, f64)>> {
    let event: &PointerEvent = event.dyn_ref()?;
    let is_moved = event.type_() == "pointermove";
    if canvas.tag_name() != "CANVAS"
        || event.buttons() & 1 == 0
        || !(is_moved || event.type_() == "pointerdown")
    {
        return None;
    }
    // Refused only for a pointer that is gone already.
    let _ = canvas.set_pointer_capture(event.pointer_id());
    let at = (f64::from(event.client_x()), f64::from(event.client_y()));
    let (x, y) = dom::place_in(canvas, at);
    let share = |at: f64, length: i32| (at - MARGIN) / (f64::from(length) - 2.0 * MARGIN).max(1.0);
    Some(MapEvent::Pan(
        share(y, canvas.offset_height()),
        share(x, canvas.offset_width()),
    ))
}
