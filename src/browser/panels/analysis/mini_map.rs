//! A small copy of the chosen head's map, so that highlights of the charts are visible beside them.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, MouseEvent};

use crate::browser::dom::{Attribute, MissingPart, Property, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::heatmap_view::HeatmapView;
use crate::browser::main_view::ViewContext;
use crate::browser::map::Pointed;
use crate::browser::sender::Sender;
use app::i18n::number::exact;
use app::message::Highlight;
use app::scene::cell_outline;
use app::state::StepKind;

/// Cells per side above which several are drawn as one.
const MOST: u32 = 264;

/// The map and its outlines.
pub(super) struct SmallMap {
    heatmap: HeatmapView,
    shape: [Property; 2],
    view_box: Attribute,
    row: Attribute,
    cell: Attribute,
    lit: Attribute,
    value: Text,
    size: Rc<Cell<(usize, usize)>>,
    _listeners: [Listener; 3],
}

impl SmallMap {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let plot: HtmlElement = root.find("#chart-map .small-map")?;
        let path = |class: &str| -> Result<Attribute, MissingPart> {
            Ok(Attribute::new(
                root.find::<Element>(&format!("#chart-map {class}"))?,
                "d",
            ))
        };
        let size = Rc::new(Cell::new((0, 0)));
        Ok(Self {
            heatmap: HeatmapView::find(root, "#chart-map canvas")?,
            shape: ["--rows", "--columns"].map(|name| Property::new(plot.clone(), name)),
            view_box: Attribute::new(root.find::<Element>("#chart-map svg")?, "viewBox"),
            row: path(".row-of")?,
            cell: path(".cell-of")?,
            lit: path(".lit")?,
            value: Text::find(root, "#chart-map .value")?,
            _listeners: listen(&plot, &size, sender),
            size,
        })
    }

    pub(super) fn update(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run, head, colours, ..
        } = *context;
        let (rows, columns) = (run.queries.len(), run.keys.len());
        self.size.set((rows, columns));
        for (side, length) in self.shape.iter_mut().zip([rows, columns]) {
            side.set(&length.max(1).to_string());
        }
        self.view_box
            .set(&format!("0 0 {} {}", columns.max(1), rows.max(1)));
        let (image, hatch) = (&mut self.heatmap.image, colours.hatch(1.0));
        match run.grid(head).filter(|_| rows * columns > 0) {
            Some(grid) => image.paint_small(&grid, MOST, &colours.of_small(&hatch)),
            None => image.clear(),
        }
        self.heatmap.show(&colours.palette);
    }

    pub(super) fn point(&mut self, context: &ViewContext<'_>) {
        let ViewContext { run, head, row, .. } = *context;
        let size = self.size.get();
        let key = context.pointed.key.filter(|_| context.displayed.is_pairs());
        self.row.set(&cell_outline::place(size, row, None));
        let cell = key.map(|key| cell_outline::place(size, row, Some(key)));
        self.cell.set(&cell.unwrap_or_default());
        let weights = context
            .lit
            .iter()
            .filter(|place| place.step == StepKind::Weights);
        let lit: Vec<_> = weights.map(|place| (place.row, place.column)).collect();
        self.lit.set(&cell_outline::cells(&lit));
        let query = run.query(row);
        let weight = key.and_then(|key| Some((key, run.row(head, row).get(key)?)));
        self.value.set_text(&match weight {
            Some((key, weight)) => {
                format!("{query} → {}: {}", run.key(key), exact(*weight))
            }
            None => query.to_owned(),
        });
    }
}

fn listen(plot: &HtmlElement, size: &Rc<Cell<(usize, usize)>>, sender: &Sender) -> [Listener; 3] {
    let on = |event: &'static str, hint: fn((usize, usize)) -> Highlight| {
        let (plot, size, sender) = (plot.clone(), Rc::clone(size), sender.clone());
        Listener::new(&plot.clone(), event, move |event| {
            if let Some(cell) = under(&plot, size.get(), &event) {
                sender.highlight(hint(cell));
            }
        })
    };
    let away = sender.clone();
    [
        on("pointermove", |(query, key)| {
            Highlight::At(Pointed {
                query: Some(query),
                key: Some(key),
            })
        }),
        on("click", |(query, _)| Highlight::Row(query)),
        Listener::new(plot, "pointerleave", move |_| {
            away.highlight(Highlight::Nothing)
        }),
    ]
}

fn under(plot: &HtmlElement, size: (usize, usize), event: &Event) -> Option<(usize, usize)> {
    let event: &MouseEvent = event.dyn_ref()?;
    let room = plot.get_bounding_client_rect();
    let across = (f64::from(event.client_x()) - room.left()) / room.width();
    let down = (f64::from(event.client_y()) - room.top()) / room.height();
    cell_outline::under(size, (down, across))
}
