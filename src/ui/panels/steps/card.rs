//! One step of the strip: its matrix in small, its name, its formula and its shape.

use std::rc::Rc;

use web_sys::{Element, HtmlCanvasElement, HtmlElement};

use crate::app::StepKind;
use crate::app::steps::explain::Place;
use crate::app::steps::{Axis, axes, formula, spoken_formula};
use crate::ui::dom::{self, Attribute, Text};
use crate::ui::exhibit;
use crate::ui::listen::Listener;
use crate::ui::map::{Look, Palette, Surface};
use crate::ui::names;
use crate::ui::run::Run;
use crate::view::axis::Axis as Pixels;
use crate::view::colour::Lut;
use crate::view::heatmap::{self, Hatch, Style};
use crate::view::layout::Rect;
use crate::view::marks::{Mark, Role};
use crate::view::scale::{ColourScale, Scale};
use crate::words::{Key, Language, fill};

/// The largest picture of a stage with one, two and three lanes, in CSS pixels.
const SIZES: [[f64; 2]; 3] = [[104.0, 88.0], [72.0, 60.0], [72.0, 44.0]];
/// Side of the largest cell, and of the smallest where there is room.
const CELL: [f64; 2] = [16.0, 4.0];
/// Side of the smallest mark on a lit cell.
const LIT: f64 = 3.0;

/// What the look of every picture depends on.
#[derive(Clone, Copy, PartialEq)]
pub struct Frame {
    scale: (ColourScale, Scale),
    dpr: f64,
    /// Two colours that tell one table from another.
    colours: [[u8; 4]; 2],
}

impl Frame {
    pub fn of(look: &Look, dpr: f64) -> Self {
        let colour = |lut: &Lut| lut.colour(255);
        Self {
            scale: (look.scale.kind(), look.scale),
            dpr,
            colours: [colour(&look.lut), colour(&look.palette.signed)],
        }
    }
}

/// A card and its button.
pub struct Card {
    pub step: StepKind,
    button: HtmlElement,
    surface: Surface,
    name: Text,
    formula: (Element, String),
    shape: (Element, String),
    pressed: Attribute,
    disabled: Attribute,
    spoken: Text,
    room: [f64; 2],
    dpr: f64,
    /// The picture without marks, and the pixels of its rows and columns.
    picture: Vec<u8>,
    pixels: [Pixels; 2],
    lit: Vec<(usize, usize)>,
    _listener: Listener,
}

impl Card {
    /// `choose` is called with the step when the card is pressed.
    pub fn new(place: &Element, step: StepKind, choose: &Rc<dyn Fn(StepKind)>) -> Option<Self> {
        let button: HtmlElement = dom::append(place, "button", "step")?;
        dom::set(&button, "type", "button");
        dom::set(&button, "data-step", step.name());
        let name: Element = dom::append(&button, "span", "name")?;
        let frame: Element = dom::append(&button, "span", "picture")?;
        let canvas: HtmlCanvasElement = dom::append(&frame, "canvas", "")?;
        let formula: Element = dom::append(&button, "span", "formula")?;
        let shape: Element = dom::append(&button, "span", "shape")?;
        // What these say to the eye, the last one says aloud.
        for seen in [&frame, &formula, &shape] {
            dom::set(seen, "aria-hidden", "true");
        }
        let spoken: Element = dom::append(&button, "span", "unseen")?;
        let choose = Rc::clone(choose);
        Some(Self {
            step,
            surface: Surface::new(canvas)?,
            name: Text::new(name),
            formula: (formula, String::new()),
            shape: (shape, String::new()),
            pressed: Attribute::new(button.clone(), "aria-pressed"),
            disabled: Attribute::new(button.clone(), "aria-disabled"),
            spoken: Text::new(spoken),
            room: SIZES[0],
            dpr: 1.0,
            picture: Vec::new(),
            pixels: [Pixels::new(0, 0); 2],
            lit: Vec::new(),
            _listener: Listener::new(&button, "click", move |_| choose(step)),
            button,
        })
    }

    /// Stands at the end of `place`, one of `lanes` above each other.
    pub fn stand_in(&mut self, place: &Element, lanes: usize) {
        self.room = SIZES[lanes.clamp(1, SIZES.len()) - 1];
        // Fails only for a parent that cannot hold children.
        let _ = place.append_child(&self.button);
    }

    pub fn has_focus(&self) -> bool {
        self.button.matches(":focus") == Ok(true)
    }

    pub fn focus(&self) {
        // Fails only for elements that cannot have the focus.
        let _ = self.button.focus();
    }

    /// How far it lies to the right of the left end of `list`, and of its right end.
    pub fn beyond(&self, list: &Element) -> (f64, f64) {
        let [own, room] = [&*self.button, list].map(Element::get_bounding_client_rect);
        (own.left() - room.left(), own.right() - room.right())
    }

    pub fn press(&mut self, is_chosen: bool) {
        self.pressed.set(if is_chosen { "true" } else { "false" });
    }

    /// Whether pressing it does nothing but say why: it can still be gone to, and the strip be scrolled by that.
    pub fn lock(&mut self, is_locked: bool) {
        self.disabled.set(if is_locked { "true" } else { "false" });
    }

    /// Writes name, formula and shape.
    pub fn name(&mut self, run: &Run, language: Language) {
        let (step, config) = (self.step, &run.config);
        let is_written = run.is_written();
        let axes = axes(step);
        let [rows, columns] = axes.map(|axis| axis.length(&config.sizes).to_string());
        self.name.say(names::step(step, language));
        put(&mut self.formula, formula(step, config, is_written));
        let [down, across] = axes.map(|axis| symbol(axis, run));
        put(
            &mut self.shape,
            format!("{rows} × {columns} <span>{down} × {across}</span>"),
        );
        let spoken = spoken_formula(step, config, is_written);
        let values = [
            ("formula", spoken.as_str()),
            ("rows", &rows),
            ("columns", &columns),
        ];
        self.spoken.say(&fill(language, Key::StepLabel, &values));
    }

    /// Paints the matrix; nothing where its numbers are not there yet.
    pub fn paint(
        &mut self,
        (run, head): (&Run, usize),
        look: &Look,
        frame: Frame,
        pixels: &mut Vec<u8>,
    ) {
        let Some(matrix) = run.matrix(self.step, head) else {
            return;
        };
        let hidden = exhibit::hidden(run, &matrix);
        let Ok(grid) = heatmap::Grid::new(&matrix.values, &hidden) else {
            return;
        };
        let (dress, dpr) = (look.dress(self.step, &matrix, &hidden), frame.dpr);
        let [width, height] = drawn(matrix.rows, matrix.columns, self.room);
        let device = |css: f64| (css * dpr).round().max(1.0) as u32;
        let [down, across] = [
            Pixels::new(matrix.rows, device(height)),
            Pixels::new(matrix.columns, device(width)),
        ];
        let hatch = Hatch::new(look.palette.ground, dpr);
        let style = Style {
            lut: dress.lut,
            scale: &dress.scale,
            hatch: &hatch,
            pool_by: dress.pool_by,
        };
        heatmap::paint(&grid, &down, &across, &style, pixels);
        self.surface.clear((across.pixels(), down.pixels()), dpr);
        self.surface.set_css_size(width, height);
        self.surface.put(pixels, across.pixels(), (0, 0));
        self.picture.clone_from(pixels);
        (self.pixels, self.dpr) = ([down, across], dpr);
        self.lit.clear();
    }

    /// Marks the cells of this step among `places`, and takes older marks away.
    pub fn light(&mut self, places: &[Place], palette: &Palette) {
        let own = places.iter().filter(|place| place.step == self.step);
        let own: Vec<_> = own.map(|place| (place.row, place.column)).collect();
        if own == self.lit {
            return;
        }
        let [_, across] = &self.pixels;
        self.surface.put(&self.picture, across.pixels(), (0, 0));
        let marks: Vec<Mark> = own.iter().map(|cell| self.mark(*cell)).collect();
        self.surface.draw(&marks, palette);
        self.lit = own;
    }

    /// A small square in the middle of a cell, over all of it where it is smaller.
    fn mark(&self, (row, column): (usize, usize)) -> Mark {
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
        Mark::Rect { rect, role }
    }
}

fn put((element, shown): &mut (Element, String), html: String) {
    if *shown != html {
        element.set_inner_html(&html);
        *shown = html;
    }
}

/// Width and height of a matrix in `room`: square cells where both sides are then large enough to be seen.
fn drawn(rows: usize, columns: usize, [wide, high]: [f64; 2]) -> [f64; 2] {
    let (rows, columns) = (rows.max(1) as f64, columns.max(1) as f64);
    let cell = (wide / columns).min(high / rows).min(CELL[0]);
    let side = |cells: f64, most: f64| (cells * cell).max((cells * CELL[1]).min(most));
    [side(columns, wide), side(rows, high)]
}

/// The letter of an axis's length.
fn symbol(axis: Axis, run: &Run) -> &'static str {
    match axis {
        Axis::N => "<var>n</var>",
        // In self-attention there is one sentence, and one length.
        Axis::M if run.state.second.is_none() => "<var>n</var>",
        Axis::Keys if run.state.linformer => "<var>k</var>",
        Axis::Keys if run.state.second.is_none() => "<var>n</var>",
        Axis::M | Axis::Keys => "<var>m</var>",
        Axis::DK => "<var>d<sub>k</sub></var>",
        Axis::DV => "<var>d<sub>v</sub></var>",
        Axis::Merged => "<var>h d<sub>v</sub></var>",
        _ => "<var>d<sub>model</sub></var>",
    }
}
