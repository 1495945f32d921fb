//! A line chart with the names of its curves.

use super::bars::{line, words};
use super::figure_page::{FigurePage, SMALL};
use super::palette::{Colour, Face};
use super::{Shape, Stroke, TextRun};
use crate::scene::chart::{Curve, Layout, Point};
use crate::scene::marks::Anchor;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// As a line.
    Line(Stroke),
    /// As filled circles.
    Discs,
    /// As open squares.
    Squares,
}

/// What is drawn beside the curves.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    /// Where everything is.
    pub layout: &'a Layout,
    /// A style and a name for each series.
    pub series: &'a [(Style, String)],
    /// Places where curves cross.
    pub crossings: &'a [Point],
    /// A place along the horizontal axis that is marked, and what is written there.
    pub here: Option<(f64, &'a str)>,
    /// What the vertical axis counts.
    pub title: &'a str,
}

impl Lines<'_> {
    /// Draws the chart on a sheet.
    pub fn draw(&self, sheet: &mut FigurePage<'_>, (width, height): (f64, f64)) {
        let inks = sheet.inks;
        let mut items = self.axes(sheet);
        for (curve, (style, name)) in self.layout.curves.iter().zip(self.series) {
            curve_of(&mut items, curve, style, inks.ink, inks.paper);
            label(&mut items, curve, name, inks.ink, inks.edge);
        }
        let dot = |Point { x, y }: &Point| Shape::Path {
            path: circle(*x, *y, 3.5),
            fill: Some(inks.paper),
            stroke: Some(Stroke::new(inks.ink, 1.0)),
        };
        items.extend(self.crossings.iter().map(dot));
        if let Some((x, text)) = self.here {
            let plot = self.layout.plot;
            let dashed = Stroke {
                dashes: &[3.0, 3.0],
                ..Stroke::new(inks.edge, 1.0)
            };
            items.push(Shape::Path {
                path: format!("M{x:.1} {:.1}v{:.1}", plot.y, plot.height),
                fill: None,
                stroke: Some(dashed),
            });
            let at = (x + 6.0, plot.y + SMALL);
            items.push(words(at, text, Anchor::Start, 0.0, (SMALL, inks.soft)));
        }
        let title = words(
            (0.0, SMALL),
            self.title,
            Anchor::Start,
            0.0,
            (SMALL, inks.soft),
        );
        sheet.place(0.0, 0.0, (0.0, 0.0), vec![title]);
        sheet.place(0.0, 1.5 * SMALL, (width, height), items);
        sheet.advance(height + 1.5 * SMALL);
    }

    fn axes(&self, sheet: &FigurePage<'_>) -> Vec<Shape> {
        let (plot, inks) = (self.layout.plot, &sheet.inks);
        let (bottom, right) = (plot.y + plot.height, plot.x + plot.width);
        let mut items = Vec::new();
        for tick in &self.layout.y_ticks {
            items.push(line(plot.x, tick.at, plot.width, inks.rule));
            let at = (plot.x - 6.0, tick.at + 0.35 * SMALL);
            items.push(words(at, &tick.label, Anchor::End, 0.0, (SMALL, inks.soft)));
        }
        for tick in &self.layout.x_ticks {
            items.push(Shape::Path {
                path: format!("M{:.1} {bottom:.1}v4", tick.at),
                fill: None,
                stroke: Some(Stroke::new(inks.edge, 1.0)),
            });
            let at = (tick.at, bottom + 1.4 * SMALL);
            items.push(words(
                at,
                &tick.label,
                Anchor::Middle,
                0.0,
                (SMALL, inks.soft),
            ));
        }
        items.push(line(plot.x, bottom, plot.width, inks.edge));
        items.push(Shape::Words(TextRun {
            x: right + 28.0,
            y: bottom + 1.4 * SMALL,
            text: "n".to_owned(),
            anchor: Anchor::Start,
            degrees: 0.0,
            size: SMALL + 1.0,
            face: Face::Serif,
            colour: inks.soft,
        }));
        items
    }
}

fn curve_of(items: &mut Vec<Shape>, curve: &Curve, style: &Style, ink: Colour, paper: Colour) {
    let points = curve.points.iter().flatten();
    match style {
        Style::Line(stroke) => items.push(Shape::Path {
            path: curve.path.clone(),
            fill: None,
            stroke: Some(*stroke),
        }),
        Style::Discs => items.extend(points.map(|Point { x, y }| Shape::Path {
            path: circle(*x, *y, 4.0),
            fill: Some(ink),
            stroke: None,
        })),
        Style::Squares => items.extend(points.map(|Point { x, y }| Shape::Path {
            path: format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0),
            fill: Some(paper),
            stroke: Some(Stroke::new(ink, 2.0)),
        })),
    }
}

/// The name of a curve, with a thin line to its end where it had to move.
fn label(items: &mut Vec<Shape>, curve: &Curve, name: &str, ink: Colour, edge: Colour) {
    let Some(label) = curve.label else { return };
    let (end, at) = (label.end, label.at);
    items.push(Shape::Path {
        path: format!(
            "M{:.1} {:.1}L{:.1} {:.1}",
            end.x + 2.0,
            end.y,
            at.x - 3.0,
            at.y
        ),
        fill: None,
        stroke: Some(Stroke::new(edge, 0.75)),
    });
    let place = (at.x, at.y + 0.35 * SMALL);
    items.push(words(place, name, Anchor::Start, 0.0, (SMALL, ink)));
}

fn circle(x: f64, y: f64, r: f64) -> String {
    let d = 2.0 * r;
    format!(
        "M{:.1} {y:.1}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
        x - r
    )
}
