//! A small map of a step, with marks on its cells.

use web_sys::HtmlCanvasElement;

use crate::browser::main_view::ViewContext;
use crate::browser::map::Surface;
use app::i18n::Language;
use app::present::colour_style::{ColourStyle, Palette};
use app::present::displayed_matrix;
use app::present::run::Run;
use app::present::steps::explain::CellRef;
use app::scene::axis::Axis as Pixels;
use app::scene::colour::Lut;
use app::scene::heatmap::{self, Hatch, Style};
use app::scene::layout::Rect;
use app::scene::role::Role;
use app::scene::scale::Scale;
use app::scene::shape::Shape;
use app::state::ColourScale;
use app::state::StepKind;
use app::state::steps::begins_with_queries;

/// Side of the largest cell, and of the smallest where there is room.
const CELL: [f64; 2] = [16.0, 4.0];
/// Side of the smallest mark on a lit cell.
const LIT: f64 = 3.0;
/// Thickness of the lines beside a row.
const LINE: f64 = 1.0;

/// Inputs of every thumbnail's appearance.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Frame {
    scale: (ColourScale, Scale),
    dpr: f64,
    /// Two colours that tell one table from another.
    colours: [[u8; 4]; 2],
}

impl Frame {
    fn from_style(colours: &ColourStyle, dpr: f64) -> Self {
        let colour = |lut: &Lut| lut.colour(255);
        Self {
            scale: (colours.scale.kind(), colours.scale),
            dpr,
            colours: [colour(&colours.lut), colour(&colours.palette.signed)],
        }
    }
}

/// Inputs that the thumbnail was painted with.
#[derive(PartialEq)]
pub(super) struct PaintedThumbnail {
    run: u32,
    head: usize,
    pub frame: Frame,
    language: Language,
}

impl PaintedThumbnail {
    pub(super) fn from_state(head: usize, context: &ViewContext<'_>) -> Self {
        Self {
            run: context.run.number,
            head,
            frame: Frame::from_style(context.colours, context.room.dpr),
            language: context.language,
        }
    }
}

/// A canvas and what is on it.
pub(super) struct Miniature {
    pub step: StepKind,
    surface: Surface,
    /// The largest picture, in CSS pixels.
    pub room: [f64; 2],
    dpr: f64,
    /// The picture without marks, and the pixels of its rows and columns.
    picture: Vec<u8>,
    pixels: [Pixels; 2],
    lit: Vec<(usize, usize)>,
    row: Option<usize>,
}

impl Miniature {
    pub(super) fn new(canvas: HtmlCanvasElement, step: StepKind, room: [f64; 2]) -> Option<Self> {
        Some(Self {
            step,
            surface: Surface::new(canvas)?,
            room,
            dpr: 1.0,
            picture: Vec::new(),
            pixels: [Pixels::new(0, 0); 2],
            lit: Vec::new(),
            row: None,
        })
    }

    /// Paints the matrix; nothing where its numbers are not there yet.
    pub(super) fn paint(
        &mut self,
        (run, head): (&Run, usize),
        colours: &ColourStyle,
        frame: Frame,
        pixels: &mut Vec<u8>,
    ) {
        let Some(matrix) = run.matrix(self.step, head) else {
            return;
        };
        let hidden = displayed_matrix::hidden(run, &matrix);
        let Ok(grid) = heatmap::Grid::new(&matrix.values, &hidden) else {
            return;
        };
        let (style, dpr) = (colours.style(self.step, &matrix, &hidden), frame.dpr);
        let [width, height] = drawn(matrix.rows, matrix.columns, self.room);
        let device = |css: f64| (css * dpr).round().max(1.0) as u32;
        let [down, across] = [
            Pixels::new(matrix.rows, device(height)),
            Pixels::new(matrix.columns, device(width)),
        ];
        let hatch = Hatch::new(colours.palette.ground, dpr);
        let style = Style {
            lut: style.lut,
            scale: &style.scale,
            hatch: &hatch,
            pool_by: style.pool_by,
        };
        heatmap::paint(&grid, &down, &across, &style, pixels);
        self.surface.clear((across.pixels(), down.pixels()), dpr);
        self.surface.set_css_size(width, height);
        self.surface.put(pixels, across.pixels(), (0, 0));
        self.picture.clone_from(pixels);
        (self.pixels, self.dpr) = ([down, across], dpr);
        (self.lit, self.row) = (Vec::new(), None);
    }

    /// Marks the cells of this step among `places`, and the row of `query` where its rows are queries, and takes older marks
    /// away.
    pub(super) fn light(&mut self, places: &[CellRef], query: Option<usize>, palette: &Palette) {
        let own = places.iter().filter(|place| place.step == self.step);
        let own: Vec<_> = own.map(|place| (place.row, place.column)).collect();
        let row = query.filter(|_| begins_with_queries(self.step));
        if (&own, row) == (&self.lit, self.row) {
            return;
        }
        let [_, across] = &self.pixels;
        self.surface.put(&self.picture, across.pixels(), (0, 0));
        let mut marks: Vec<Shape> = row.map_or_else(Vec::new, |row| self.beside(row).into());
        marks.extend(own.iter().map(|cell| self.mark(*cell)));
        self.surface.draw(&marks, palette);
        (self.lit, self.row) = (own, row);
    }

    /// A line above a row and one below it.
    fn beside(&self, row: usize) -> [Shape; 2] {
        let [down, across] = &self.pixels;
        let span = down.span(down.block_of(row));
        let [above, below] = [span.start, span.end].map(|edge| f64::from(edge) / self.dpr);
        [above - LINE, below].map(|y| Shape::Rect {
            rect: Rect {
                x: 0.0,
                y,
                width: f64::from(across.pixels()) / self.dpr,
                height: LINE,
            },
            role: Role::CrossQuery,
        })
    }

    /// A small square in the middle of a cell, over all of it where it is smaller.
    fn mark(&self, (row, column): (usize, usize)) -> Shape {
        let [down, across] = &self.pixels;
        let middle = |axis: &Pixels, cell: usize| {
            let span = axis.span(axis.block_of(cell));
            let length = f64::from(span.end - span.start) / self.dpr;
            let side = (length / 2.0).max(LIT);
            (
                f64::from(span.start + span.end) / 2.0 / self.dpr - side / 2.0,
                side,
            )
        };
        let ((y, height), (x, width)) = (middle(down, row), middle(across, column));
        let rect = Rect {
            x,
            y,
            width,
            height,
        };
        let role = Role::Ring;
        Shape::Rect { rect, role }
    }
}

/// Width and height of a matrix in `room`: square cells where both sides are then large enough to be seen.
fn drawn(rows: usize, columns: usize, [wide, high]: [f64; 2]) -> [f64; 2] {
    let (rows, columns) = (rows.max(1) as f64, columns.max(1) as f64);
    let cell = (wide / columns).min(high / rows).min(CELL[0]);
    let side = |cells: f64, most: f64| (cells * cell).max((cells * CELL[1]).min(most));
    [side(columns, wide), side(rows, high)]
}
