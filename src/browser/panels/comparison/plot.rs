//! A small map with the same marks as the large one.

use web_sys::{HtmlCanvasElement, HtmlElement};

use crate::browser::dom::{MissingPart, Root};
use crate::browser::map::{Pointed, Surface};
use app::i18n::{Key, Language};
use app::present::colour_style::ColourStyle;
use app::scene::heatmap::{self, Grid, Hatch, PoolBy, Pooling, Style};
use app::scene::hit::Target;
use app::scene::layout::{CellFormat, MapLayout, Request, Side};
use app::scene::marks;

/// A map and its canvases.
pub(super) struct Plot {
    pub element: HtmlElement,
    picture: Surface,
    overlay: Surface,
    layout: Option<(Shape, MapLayout)>,
    pixels: Vec<u8>,
}

/// Data of the map.
pub(super) struct Cells<'a> {
    pub grid: Grid<'a>,
    pub queries: &'a [String],
    pub keys: &'a [String],
    /// Whether the columns are mixtures of keys.
    pub is_mixed: bool,
    pub colours: &'a ColourStyle,
}

/// Where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlotPosition {
    pub dpr: f64,
    pub language: Language,
}

/// Everything that a layout depends on.
#[derive(PartialEq)]
struct Shape {
    width: f64,
    place: PlotPosition,
    queries: Vec<String>,
    keys: Vec<String>,
    is_mixed: bool,
    form: CellFormat,
    sans: String,
}

impl Plot {
    pub(super) fn new(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        let surface = |class: &str| {
            let canvas: HtmlCanvasElement = root.find(&format!("{selector} {class}"))?;
            Surface::new(canvas).ok_or(MissingPart::Canvas)
        };
        Ok(Self {
            element: root.find(selector)?,
            picture: surface(".picture")?,
            overlay: surface(".overlay")?,
            layout: None,
            pixels: Vec::new(),
        })
    }

    /// Hit test at a point of the map, in CSS pixels from its upper left corner.
    pub(super) fn target(&self, x: f64, y: f64) -> Option<Target> {
        self.layout.as_ref()?.1.target(x, y)
    }

    /// Paints the map. Returns how cells were pooled, where there are more of them than pixels.
    pub(super) fn paint(&mut self, cells: &Cells<'_>, place: PlotPosition) -> Option<Pooling> {
        self.lay_out(cells, place);
        let (_, layout) = self.layout.as_ref()?;
        let (colours, grid) = (cells.colours, &cells.grid);
        let style = Style {
            lut: &colours.lut,
            scale: &colours.scale,
            hatch: &Hatch::new(colours.palette.ground, layout.dpr),
            pool_by: if colours.scale.is_symmetric() {
                PoolBy::Peak
            } else {
                PoolBy::Max
            },
        };
        let (rows, columns) = (&layout.rows, &layout.columns);
        let picture = heatmap::paint(grid, rows, columns, &style, &mut self.pixels);
        self.picture.clear(layout.size_device(), layout.dpr);
        let origin = layout.plot_origin_device();
        self.picture.put(&self.pixels, picture.width, origin);
        let still = marks::still(layout, grid, &colours.lut, &colours.scale);
        self.picture.draw(&still, &colours.palette);
        picture.pooling
    }

    /// Draws labels and crosshair; cheap enough for every move of the pointer.
    pub(super) fn point(&mut self, pointed: Pointed, colours: &ColourStyle) {
        let Some((_, layout)) = &self.layout else {
            return;
        };
        self.overlay.clear(layout.size_device(), layout.dpr);
        let pointed = marks::pointed(layout, pointed.query, pointed.key);
        self.overlay.draw(&pointed, &colours.palette);
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.picture.forget_font();
        self.overlay.forget_font();
    }

    fn lay_out(&mut self, cells: &Cells<'_>, place: PlotPosition) {
        let palette = &cells.colours.palette;
        let shape = Shape {
            width: f64::from(self.element.client_width()),
            place,
            queries: cells.queries.to_vec(),
            keys: cells.keys.to_vec(),
            is_mixed: cells.is_mixed,
            form: if cells.colours.scale.is_symmetric() {
                CellFormat::Signed {
                    top: cells.colours.scale.top(),
                }
            } else {
                CellFormat::Weights
            },
            sans: palette.sans.clone(),
        };
        if self.layout.as_ref().is_some_and(|(old, _)| *old == shape) {
            return;
        }
        let (key_title, key_side) = if cells.is_mixed {
            (Key::AxisProjected, Side::Neither)
        } else {
            (Key::AxisKeys, Side::Keys)
        };
        let layout = MapLayout::new(&Request {
            width: shape.width,
            plot_height: f64::INFINITY,
            dpr: place.dpr,
            queries: cells.queries,
            keys: cells.keys,
            query_title: Key::AxisQueries.text(place.language),
            key_title: key_title.text(place.language),
            sides: [Side::Queries, key_side],
            form: shape.form,
            measure: &|text, size| self.picture.measure(text, size, palette),
        });
        self.restyle();
        for surface in [&self.picture, &self.overlay] {
            surface.set_css_size(layout.width, layout.height);
        }
        // A property that every browser knows.
        let height = format!("{}px", layout.height);
        let _ = self.element.style().set_property("height", &height);
        self.layout = Some((shape, layout));
    }
}
