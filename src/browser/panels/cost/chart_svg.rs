//! The growth chart as SVG on the page; colours and dashes come from the style sheet by class.

use std::fmt::Write as _;

use wasm_bindgen::JsCast as _;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, Window};

use super::Shown;
use crate::browser::dom;
use crate::engine::Backend;
use crate::i18n::number;
use crate::i18n::text;
use crate::present::cost::{Benchmark, CARDS, Choice, HIGH, LOW, Line};
use crate::scene::chart::{Curve, Layout, Point, Room};
use attention::complexity::Crossing;

/// Text size, as in the style sheet.
const SIZE: f64 = 12.0;
/// Height over width, within these heights.
const ASPECT: f64 = 0.42;
const HEIGHTS: (f64, f64) = (300.0, 440.0);

/// A chart as it was drawn.
pub(super) struct Drawing {
    pub layout: Layout,
    pub lines: Vec<Line>,
    pub crossings: Vec<(Line, Line, Crossing)>,
    pub svg: String,
}

/// Measures text as the page sets it.
pub(super) struct TextMeasurer {
    context: Option<CanvasRenderingContext2d>,
}

impl TextMeasurer {
    pub(super) fn new(beside: &Element) -> Self {
        let canvas: Option<HtmlCanvasElement> = dom::create(beside, "canvas");
        let context = canvas.and_then(|canvas| canvas.get_context("2d").ok()??.dyn_into().ok());
        let pen = Self { context };
        pen.set(beside);
        pen
    }

    /// Takes the face of `element`.
    pub(super) fn set(&self, element: &Element) {
        let window: Option<Window> = element
            .owner_document()
            .and_then(|page| page.default_view());
        let style = window.and_then(|window| window.get_computed_style(element).ok()?);
        let face = style.and_then(|style| style.get_property_value("font-family").ok());
        if let (Some(context), Some(face)) = (&self.context, face) {
            context.set_font(&format!("{SIZE}px {face}"));
        }
    }

    fn measure(&self, text: &str) -> f64 {
        let measured = self
            .context
            .as_ref()
            .and_then(|pen| pen.measure_text(text).ok());
        measured.map_or(0.6 * SIZE * text.chars().count() as f64, |text| {
            text.width()
        })
    }
}

impl Drawing {
    pub(super) fn new(
        shown: &Shown,
        choice: &Choice,
        measured: &[Benchmark],
        width: f64,
        pen: &TextMeasurer,
    ) -> Self {
        let language = shown.language;
        let name = |line: Line| line.name(language).to_owned();
        let layout = choice.chart(&shown.setting, measured, &name).layout(&Room {
            width,
            height: (width * ASPECT).clamp(HEIGHTS.0, HEIGHTS.1),
            size: SIZE,
            measure: &|text, _| pen.measure(text),
            x_label: &|n| n.to_string(),
            y_label: &|value| number::short(value as f32),
        });
        let lines = choice.lines(measured.len());
        let mut drawing = Self {
            layout,
            lines,
            crossings: choice.crossings(&shown.setting),
            svg: String::new(),
        };
        drawing.draw(shown, choice, measured, width, &name);
        drawing
    }

    fn draw(
        &mut self,
        shown: &Shown,
        choice: &Choice,
        measured: &[Benchmark],
        width: f64,
        name: &dyn Fn(Line) -> String,
    ) {
        let layout = &self.layout;
        let height = layout.plot.y + layout.plot.height + 2.0 * SIZE;
        let mut svg = format!(
            "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" aria-hidden=\"true\">"
        );
        axes(&mut svg, layout);
        for (curve, line) in layout.curves.iter().zip(&self.lines) {
            match line {
                Line::Measured(at) => points(&mut svg, curve, measured[*at].backend),
                line => path(&mut svg, curve, class(*line)),
            }
            named(&mut svg, curve, &name(*line));
        }
        for (one, _, crossing) in &self.crossings {
            let value = choice.value(*one, crossing.n, &shown.setting);
            let place = value.and_then(|value| layout.place((crossing.n, value)));
            if let Some(Point { x, y }) = place {
                let _ = write!(
                    svg,
                    "<circle class=\"crossing\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
                );
            }
        }
        here(&mut svg, shown, layout);
        svg.push_str("<g class=\"reading\"></g></svg>");
        self.svg = svg;
    }

    /// The line at which curves are read, and a dot on each.
    pub(super) fn reading(&self, shown: &Shown, choice: &Choice, n: f64) -> String {
        let mut svg = String::new();
        let plot = self.layout.plot;
        let dots = self.lines.iter().filter_map(|line| {
            let value = choice.value(*line, n, &shown.setting)?;
            self.layout.place((n, value))
        });
        for (at, Point { x, y }) in dots.enumerate() {
            if at == 0 {
                let _ = write!(svg, "<path d=\"M{x:.1} {}v{}\"/>", plot.y, plot.height);
            }
            let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
        }
        svg
    }
}

/// The class of a line.
fn class(line: Line) -> &'static str {
    let card = |layer| CARDS.iter().find(|card| card.layer == layer);
    match line {
        Line::Layer(layer) => card(layer).map_or("", |card| card.id),
        Line::Own | Line::Measured(_) => "own",
    }
}

fn axes(svg: &mut String, layout: &Layout) {
    let plot = layout.plot;
    let (bottom, right) = (plot.y + plot.height, plot.x + plot.width);
    for tick in &layout.y_ticks {
        let (x, y) = (plot.x - 6.0, tick.at);
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{} {y:.1}H{right:.1}\"/><text class=\"y\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            plot.x, tick.label
        );
    }
    for tick in &layout.x_ticks {
        let (x, y) = (tick.at, bottom + 1.3 * SIZE);
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{x:.1} {bottom:.1}v4\"/><text class=\"x\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            tick.label
        );
    }
    let _ = write!(
        svg,
        "<text class=\"n\" x=\"{:.1}\" y=\"{:.1}\">n</text><path class=\"axis\" d=\"M{} {bottom:.1}H{right:.1}\"/>",
        right + 28.0,
        bottom + 1.3 * SIZE,
        plot.x
    );
}

fn path(svg: &mut String, curve: &Curve, class: &str) {
    let _ = write!(svg, "<path class=\"curve {class}\" d=\"{}\"/>", curve.path);
}

/// Discs are the processor's, squares the graphics card's.
fn points(svg: &mut String, curve: &Curve, backend: Backend) {
    for Point { x, y } in curve.points.iter().flatten() {
        let _ = match backend {
            Backend::Cpu => write!(
                svg,
                "<circle class=\"time\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
            ),
            Backend::WebGpu => {
                let (x, y) = (x - 4.0, y - 4.0);
                write!(
                    svg,
                    "<rect class=\"time\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"8\" height=\"8\"/>"
                )
            }
        };
    }
}

/// The name of a curve, with a thin line to its end where it had to move.
fn named(svg: &mut String, curve: &Curve, name: &str) {
    let Some(label) = curve.label else { return };
    let (end, at) = (label.end, label.at);
    let _ = write!(
        svg,
        "<path class=\"leader\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
        end.x + 2.0,
        end.y,
        at.x - 3.0,
        at.y,
        at.x,
        at.y
    );
}

/// The length of the text on the page.
fn here(svg: &mut String, shown: &Shown, layout: &Layout) {
    let (plot, n) = (layout.plot, shown.lengths.0 as f64);
    let place = layout.place((n, layout.y_ticks.first().map_or(1.0, |tick| tick.value)));
    let x = match place {
        Some(place) if (LOW..=HIGH).contains(&n) => place.x,
        _ => plot.x,
    };
    if n >= LOW {
        let _ = write!(
            svg,
            "<path class=\"here\" d=\"M{x:.1} {}v{}\"/>",
            plot.y, plot.height
        );
    }
    let sentence = if n < LOW {
        text::cost_left
    } else {
        text::cost_here
    };
    let text = sentence(shown.language, &shown.lengths.0);
    let _ = write!(
        svg,
        "<text class=\"here\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
        x + 6.0,
        plot.y + SIZE
    );
}
