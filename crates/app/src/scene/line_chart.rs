//! A chart of named curves and measured points as shapes.

use super::chart::{Curve, LINE, Layout, Point, SAMPLE};
use super::layout::Rect;
use super::role::Role;
use super::shape::{Anchor, MIDDLE, Shape, Type};

/// Text size of everything written on a chart.
pub const SIZE: f64 = 12.0;
/// Radius of a measured point and of a crossing, and of a point where a curve is read.
const RADIUS: (f64, f64) = (4.0, 3.0);

/// Data of a line chart.
#[derive(Clone, Copy)]
pub struct LineChart<'a> {
    /// Where everything is.
    pub layout: &'a Layout,
    /// A role for each series.
    pub series: &'a [Role],
    /// Places where curves cross.
    pub crossings: &'a [Point],
    /// Position of the page's own setting, if the axis includes it, and its label.
    pub here: (Option<f64>, &'a str),
    /// Variable of the horizontal axis.
    pub letter: &'a str,
}

impl LineChart<'_> {
    /// The chart, from the upper left corner of its room.
    pub fn shapes(&self) -> Vec<Shape> {
        let mut shapes = self.axes();
        for (curve, role) in self.layout.curves.iter().zip(self.series) {
            shapes.extend(curve_of(curve, *role));
            shapes.extend(named(curve, *role));
        }
        let crossings = self.crossings.iter();
        shapes.extend(crossings.map(|at| dot(at, RADIUS.0, Role::Crossing)));
        shapes.extend(self.here());
        shapes
    }

    fn axes(&self) -> Vec<Shape> {
        let plot = self.layout.plot;
        let (bottom, right) = (plot.y + plot.height, plot.x + plot.width);
        let below = bottom + 1.3 * SIZE;
        let mut shapes = Vec::new();
        for tick in &self.layout.y_ticks {
            let style = Type::new(SIZE, Role::YLabel).anchor(Anchor::End);
            shapes.push(Shape::level_line(plot.x, tick.at, plot.width, Role::Grid));
            shapes.push(style.at(plot.x - 6.0, tick.at + MIDDLE * SIZE, &*tick.label));
        }
        for tick in &self.layout.x_ticks {
            let style = Type::new(SIZE, Role::XLabel).anchor(Anchor::Middle);
            shapes.push(Shape::Path {
                path: format!("M{:.1} {bottom:.1}v4", tick.at),
                role: Role::Grid,
            });
            shapes.push(style.at(tick.at, below, &*tick.label));
        }
        shapes.push(Type::new(SIZE, Role::AxisLetter).at(right + 28.0, below, self.letter));
        shapes.push(Shape::level_line(plot.x, bottom, plot.width, Role::Axis));
        shapes
    }

    fn here(&self) -> impl Iterator<Item = Shape> {
        let (plot, (x, text)) = (self.layout.plot, self.here);
        let line = x.map(|x| upright(x, plot, Role::Here));
        let x = x.unwrap_or(plot.x) + 6.0;
        let words = Type::new(SIZE, Role::Here).at(x, plot.y + SIZE, text);
        line.into_iter().chain([words])
    }
}

/// The line at which curves are read, and a point on each.
pub fn reading(layout: &Layout, points: &[Point]) -> Vec<Shape> {
    let role = Role::Reading;
    let line = points.first().map(|at| upright(at.x, layout.plot, role));
    let dots = points.iter().map(|at| dot(at, RADIUS.1, role));
    line.into_iter().chain(dots).collect()
}

fn dot(at: &Point, r: f64, role: Role) -> Shape {
    let Point { x, y } = *at;
    Shape::Circle { x, y, r, role }
}

/// A line through the whole height of the plot.
fn upright(x: f64, plot: Rect, role: Role) -> Shape {
    Shape::Path {
        path: format!("M{x:.1} {:.1}v{:.1}", plot.y, plot.height),
        role,
    }
}

/// Discs are the processor's times, squares the graphics card's.
fn curve_of(curve: &Curve, role: Role) -> Vec<Shape> {
    let points = curve.points.iter().flatten();
    let r = RADIUS.0;
    match role {
        Role::ProcessorTime => points.map(|at| dot(at, r, role)).collect(),
        Role::GraphicsTime => points
            .map(|Point { x, y }| Shape::Rect {
                rect: Rect {
                    x: x - r,
                    y: y - r,
                    width: 2.0 * r,
                    height: 2.0 * r,
                },
                role,
            })
            .collect(),
        _ => vec![Shape::Path {
            path: curve.path.clone(),
            role,
        }],
    }
}

/// The name of a curve, with a thin line to its end where it had to move, or after a piece of the line where it stands below the plot.
fn named(curve: &Curve, role: Role) -> Vec<Shape> {
    let Some(label) = &curve.label else {
        return Vec::new();
    };
    let Point { x, y } = label.at;
    let mut shapes = match label.end {
        Some(end) => vec![Shape::Path {
            path: format!("M{:.1} {:.1}L{:.1} {y:.1}", end.x + 2.0, end.y, x - 3.0),
            role: Role::Leader,
        }],
        None => sample(Point { x: x - SAMPLE, y }, role),
    };
    let style = Type::new(SIZE, Role::Name);
    for (at, line) in label.lines.iter().enumerate() {
        let down = LINE * SIZE * at as f64;
        shapes.push(style.at(x, y + down + MIDDLE * SIZE, &**line));
    }
    shapes
}

/// How a series is drawn, from the left end of the room before its name.
fn sample(Point { x, y }: Point, role: Role) -> Vec<Shape> {
    let middle = Point { x: x + 9.0, y };
    let curve = Curve {
        path: format!("M{x:.1} {y:.1}h18"),
        points: vec![Some(middle)],
        label: None,
    };
    curve_of(&curve, role)
}
