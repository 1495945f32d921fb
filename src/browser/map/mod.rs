//! The map: the matrix of a step on a canvas, and a second canvas above it for crosshair and highlights.

mod canvas;
mod overview;
mod palette;
mod pointer;

pub(super) use canvas::Surface;
pub(super) use palette::read_palette;
pub(super) use pointer::{listen, listen_zoom};

pub(super) use app::scene::hit::Pointed;

use overview::Overview;
use web_sys::HtmlElement;

use super::dom::{self, Attribute, MissingPart, Root};
use crate::browser::main_view::ViewContext;
use app::i18n::Language;
use app::message::HitTest;
use app::present::colour_style::{ColourStyle, Palette};
use app::present::displayed_matrix::DisplayedMatrix;
use app::present::map_fit;
use app::present::matrix_style::MatrixStyle;
use app::present::run::Run;
use app::scene::heatmap::{self, Hatch, Pooling, Style};
use app::scene::layout::{CellFormat, MapLayout, Request, Side, Viewport};
use app::scene::marks;

/// The room that a map may take, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Room {
    pub width: f64,
    pub plot_height: f64,
    /// Height of the whole map where a frame bounds it.
    pub most_height: Option<f64>,
    pub dpr: f64,
}

/// The map and its canvases.
pub(super) struct Map {
    element: HtmlElement,
    picture: Surface,
    overlay: Surface,
    /// Upper edge of the plot, and both edges of the emphasized row.
    standing_out: Option<[f64; 3]>,
    /// That of the whole map, and what it was made for.
    layout: Option<(Shape, MapLayout)>,
    /// That of the part of the map that is shown alone.
    zoomed: Option<MapLayout>,
    overview: Overview,
    /// How much higher the map would be without a frame around it.
    pub surplus: f64,
    pixels: Vec<u8>,
    described: [Attribute; 6],
}

/// Everything that a layout depends on.
#[derive(PartialEq)]
struct Shape {
    room: Room,
    rows: Vec<String>,
    columns: Vec<String>,
    titles: [&'static str; 2],
    sides: [Side; 2],
    form: CellFormat,
    sans: String,
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
            picture: Surface::find(root, "#map .picture")?,
            overlay: Surface::find(root, "#map .overlay")?,
            layout: None,
            zoomed: None,
            overview: Overview::new(root)?,
            surplus: 0.0,
            pixels: Vec::new(),
        })
    }

    /// Hit test at a point of the map, in CSS pixels from its upper left corner.
    pub(super) fn spot(&self, (x, y): (f64, f64)) -> HitTest {
        let shown = self.shown();
        HitTest {
            target: shown.and_then(|layout| layout.target(x, y)),
            nearest: shown.and_then(|layout| layout.nearest_cell(x, y)),
        }
    }

    /// The layout of the canvas.
    fn shown(&self) -> Option<&MapLayout> {
        let whole = self.layout.as_ref().map(|(_, layout)| layout);
        self.zoomed.as_ref().or(whole)
    }

    /// Paints the matrix that is in sight. Returns how cells were pooled, where there are more of them than pixels.
    pub(super) fn paint(
        &mut self,
        context: &ViewContext<'_>,
        style: &MatrixStyle<'_>,
    ) -> Option<Pooling> {
        let ViewContext {
            displayed,
            colours,
            viewport,
            ..
        } = *context;
        self.lay_out(
            displayed,
            &colours.palette,
            style.form,
            context.room,
            context.language,
        );
        self.zoom_in(viewport, style.form, &colours.palette);
        let whole = self.layout.as_ref().map(|(_, layout)| layout)?;
        let (layout, grid) = (self.zoomed.as_ref().unwrap_or(whole), displayed.grid()?);
        let hatch = Hatch::new(colours.palette.ground, layout.dpr);
        let style = Style {
            lut: style.lut,
            scale: &style.scale,
            hatch: &hatch,
            pool_by: style.pool_by,
        };
        let picture = heatmap::paint(
            &grid,
            &layout.rows,
            &layout.columns,
            &style,
            &mut self.pixels,
        );
        self.picture.clear(layout.size_device(), layout.dpr);
        self.picture
            .put(&self.pixels, picture.width, layout.plot_origin_device());
        let still = marks::still(layout, &grid, style.lut, style.scale);
        self.picture.draw(&still, &colours.palette);
        if let Some(viewport) = viewport {
            let shown = (viewport, context.chosen());
            self.overview.paint(whole, shown, &grid, &style, colours);
        }
        picture.pooling
    }

    /// Draws labels, crosshair and selection; cheap enough for every move of the pointer.
    pub(super) fn point(&mut self, pointed: Pointed, colours: &ColourStyle) {
        let Some(layout) = self.shown() else {
            return;
        };
        let (size, dpr) = (layout.size_device(), layout.dpr);
        let pointed = marks::pointed(layout, pointed.query, pointed.key);
        self.overlay.clear(size, dpr);
        self.overlay.draw(&pointed, &colours.palette);
    }

    /// Sets the position of the emphasized row in the style sheet; `None` for no row.
    pub(super) fn stand_out(&mut self, query: Option<usize>) {
        let row = self.shown().zip(query);
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

    /// Draws a frame around the cells between two.
    pub(super) fn frame(&mut self, [one, other]: [(usize, usize); 2], colours: &ColourStyle) {
        if let Some(layout) = self.shown() {
            let frame = marks::framed(layout, one, other);
            self.overlay.draw(&frame, &colours.palette);
        }
    }

    /// Rings cells, above the highlight.
    pub(super) fn light(&mut self, cells: &[(usize, usize)], colours: &ColourStyle) {
        if let Some(layout) = self.shown().filter(|_| !cells.is_empty()) {
            let lit = marks::lit(layout, cells);
            self.overlay.draw(&lit, &colours.palette);
        }
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.picture.forget_font();
        self.overlay.forget_font();
    }

    fn lay_out(
        &mut self,
        displayed: &DisplayedMatrix<'_>,
        palette: &Palette,
        form: CellFormat,
        room: Room,
        language: Language,
    ) {
        let (titles, sides) = (displayed.titles(language), displayed.sides());
        let is_same = |(shape, _): &(Shape, MapLayout)| {
            (shape.room, shape.titles, shape.sides) == (room, titles, sides)
                && (&shape.rows[..], &shape.columns[..]) == (&displayed.rows, &displayed.columns)
                && (shape.form, &shape.sans) == (form, &palette.sans)
        };
        if self.layout.as_ref().is_some_and(is_same) {
            return;
        }
        let request = Request {
            width: room.width,
            plot_height: room.plot_height,
            dpr: room.dpr,
            queries: &displayed.rows,
            keys: &displayed.columns,
            query_title: titles[0],
            key_title: titles[1],
            sides,
            form,
            measure: &|text, size| self.picture.measure(text, size, palette),
        };
        let (layout, surplus) = map_fit::fit(&request, room.most_height.unwrap_or(f64::INFINITY));
        self.surplus = surplus;
        self.restyle();
        self.size_to(&layout);
        let shape = Shape {
            room,
            rows: displayed.rows.to_vec(),
            columns: displayed.columns.to_vec(),
            titles,
            sides,
            form,
            sans: palette.sans.clone(),
        };
        self.layout = Some((shape, layout));
    }

    /// Lays out the part in `viewport`, where the map is zoomed into.
    fn zoom_in(&mut self, viewport: Option<&Viewport>, form: CellFormat, palette: &Palette) {
        let whole = self.layout.as_ref().map(|(_, layout)| layout);
        let measure = |text: &str, size| self.picture.measure(text, size, palette);
        let zoomed = whole.zip(viewport);
        self.zoomed = zoomed.map(|(whole, viewport)| whole.zoomed(viewport, form, &measure));
        self.overview.set_shown(viewport.is_some());
        if viewport.is_some() {
            self.restyle();
        }
    }

    fn size_to(&self, layout: &MapLayout) {
        self.picture.set_css_size(layout.width, layout.height);
        self.overlay.set_css_size(layout.width, layout.height);
        // A property that every browser knows.
        let _ = self
            .element
            .style()
            .set_property("height", &format!("{}px", layout.height));
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
