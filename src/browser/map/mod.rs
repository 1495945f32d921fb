//! The map: the matrix of a step on a canvas, and a second canvas above it for crosshair and highlights.

mod canvas;
mod overview;
mod palette;
mod pointer;

pub(super) use canvas::Surface;
pub(super) use palette::read_palette;
pub(super) use pointer::{listen, listen_zoom};

pub(super) use app::scene::hit::Pointed;
pub(super) use app::scene::layout::Room;

use std::rc::Rc;

use overview::Overview;
use web_sys::HtmlElement;

use super::dom::{self, Attribute, MissingPart, Root};
use super::heatmap_view::HeatmapView;
use crate::browser::main_view::ViewContext;
use app::message::HitTest;
use app::present::displayed_matrix::DisplayedMatrix;
use app::present::matrix_style::MatrixStyle;
use app::present::run::Run;
use app::scene::heatmap::Pooling;
use app::scene::layout::Viewport;
use app::scene::marks;

/// The map and its canvases.
pub(super) struct Map {
    element: HtmlElement,
    view: HeatmapView,
    /// Upper edge of the plot, and both edges of the emphasized row.
    standing_out: Option<[f64; 3]>,
    overview: Overview,
    described: [Attribute; 6],
}

impl Map {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let element: HtmlElement = root.find("#map")?;
        let names = [
            "data-head",
            "data-rows",
            "data-columns",
            "data-backend",
            "data-step",
            "aria-label",
        ];
        Ok(Self {
            standing_out: None,
            described: names.map(|name| Attribute::new(element.clone(), name)),
            element,
            view: HeatmapView::find_map(root, "#map")?,
            overview: Overview::new(root)?,
        })
    }

    /// Hit test at a point of the map, in CSS pixels from its upper left corner.
    pub(super) fn spot(&self, (x, y): (f64, f64)) -> HitTest {
        let shown = self.view.image.layout();
        HitTest {
            target: shown.and_then(|layout| layout.target(x, y)),
            nearest: shown.and_then(|layout| layout.nearest_cell(x, y)),
        }
    }

    /// How much higher the page would be without a frame around it.
    pub(super) fn surplus(&self) -> f64 {
        let surplus = self.view.image.layouts.surplus();
        if surplus > 0.0 {
            (surplus - self.slack()).max(0.0)
        } else {
            0.0
        }
    }

    /// How far what stands beside the map reaches below the map and what belongs to it.
    fn slack(&self) -> f64 {
        let section = self.element.closest(".map").ok().flatten();
        let Some(section) = section else { return 0.0 };
        let bottom = section.get_bounding_client_rect().bottom();
        let mut other = section
            .parent_element()
            .and_then(|plate| plate.first_element_child());
        let mut slack = 0.0_f64;
        while let Some(element) = other {
            let rect = element.get_bounding_client_rect();
            if rect.height() > 0.0 && rect.top() < bottom {
                slack = slack.max(rect.bottom() - bottom);
            }
            other = element.next_element_sibling();
        }
        slack
    }

    /// Paints the matrix that is in sight. Returns how cells were pooled, where there are more of them than pixels.
    pub(super) fn paint(
        &mut self,
        context: &ViewContext<'_>,
        style: &MatrixStyle<'_>,
    ) -> Option<Pooling> {
        let ViewContext {
            displayed,
            viewport,
            room,
            ..
        } = *context;
        let palette = &context.colours.palette;
        let request = displayed.request(style.form, room, context.language);
        let most = room.most_height.unwrap_or(f64::INFINITY);
        let whole = self.view.lay_out(&request, most, palette);
        let layout = viewport.map_or_else(
            || Rc::clone(&whole),
            |viewport| {
                let measure = |text: &str, size| self.view.measure(text, size, palette);
                Rc::new(whole.zoomed(viewport, style.form, &measure))
            },
        );
        self.overview.set_shown(viewport.is_some());
        let (grid, hatch) = (displayed.grid()?, context.colours.hatch(layout.dpr));
        let pixels = style.pixels(&hatch);
        let pooling = self.view.image.paint_map(layout, &grid, &pixels);
        if self.view.show(palette) {
            let height = format!("{}px", whole.height);
            // A property that every browser knows.
            let _ = self.element.style().set_property("height", &height);
        }
        if let Some(viewport) = viewport {
            let shown = (viewport, context.chosen());
            self.overview.paint(&whole, shown, &grid, &pixels, palette);
        }
        pooling
    }

    /// Draws labels, crosshair, selection, and rings around cells of the step; cheap enough for every move of the pointer.
    pub(super) fn point(&mut self, context: &ViewContext<'_>) {
        let Some(layout) = self.view.image.layout() else {
            return;
        };
        let step = context.displayed.step;
        let lit = context.lit.iter().filter(|place| place.step == step);
        let lit: Vec<_> = lit.map(|place| (place.row, place.column)).collect();
        let pointed = (context.pointed, context.link());
        let marks = marks::highlighted(layout, pointed, &lit, context.frame);
        self.view.mark(marks, &context.colours.palette);
    }

    /// Sets the position of the emphasized row in the style sheet; `None` for no row.
    pub(super) fn stand_out(&mut self, query: Option<usize>) {
        let row = self.view.image.layout().zip(query);
        let row = row.filter(|(layout, query)| layout.rows.range().contains(query));
        let edges = row.map(|(layout, query)| {
            let rect = layout.row_rect(query);
            [layout.plot.y, rect.y, rect.y + rect.height]
        });
        if std::mem::replace(&mut self.standing_out, edges) == edges {
            return;
        }
        let properties = ["--plot-top", "--row-top", "--row-bottom"];
        for (at, property) in properties.into_iter().enumerate() {
            let value = edges.map(|edges| format!("{}px", edges[at]));
            // An empty value takes the property away.
            let _ = self
                .element
                .style()
                .set_property(property, &value.unwrap_or_default());
        }
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.view.restyle();
    }

    /// Sets the accessible description of the picture.
    pub(super) fn describe(
        &mut self,
        run: &Run,
        displayed: &DisplayedMatrix<'_>,
        head: usize,
        label: &str,
    ) {
        let [chosen, rows, columns, backend, step, name] = &mut self.described;
        let size = displayed.size();
        let is_zoomable = Viewport::whole(size.0, size.1).is_some();
        dom::set_flag(&self.element, pointer::ZOOMABLE, is_zoomable);
        chosen.set(&head.to_string());
        rows.set(&size.0.to_string());
        columns.set(&size.1.to_string());
        backend.set(run.reply.ran.backend.name());
        step.set(displayed.step.name());
        name.set(label);
    }
}
