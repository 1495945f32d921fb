//! Marks of crosshair and selection.

use super::{frame_around, frame_of, labels, whole_line};
use crate::scene::hit::Pointed;
use crate::scene::layout::{MapLayout, Rect};
use crate::scene::role::Role;
use crate::scene::shape::Shape;

/// Thickness of crosshair lines in CSS pixels.
const CROSS: f64 = 1.0;
/// Thickness of the ring around the selection, and of its pale edges, in CSS pixels.
const RING: f64 = 2.0;
const HALO: f64 = 1.0;
/// Device pixels of a cell beside which a line has room: it covers a quarter of it.
const LEAST_CELL: f64 = 4.0;

/// Lines along both sides of the row of `query` and of the column of `key`, and a ring around their cell.
///
/// Rows and columns outside the map get no marks.
pub fn crosshair(layout: &MapLayout, query: Option<usize>, key: Option<usize>) -> Vec<Shape> {
    let (query, key) = inside(layout, query, key);
    let row = query.map(|query| beside_row(layout, layout.row_rect(query)));
    let column = key.map(|key| beside_column(layout, layout.column_rect(key)));
    let mut marks: Vec<Shape> = row.into_iter().chain(column).flatten().collect();
    if let (Some(query), Some(key)) = (query, key) {
        marks.extend(ring(layout, layout.cell_rect(query, key)));
    }
    marks
}

/// Marks at the pointer: labels, and the crosshair of `query` and `key`, or a ring around the row of `query` with lines from the label of
/// its `link`, the key that it looks at, down to it. Rows and columns outside the map are ignored.
pub fn pointed(layout: &MapLayout, pointed: Pointed, link: Option<usize>) -> Vec<Shape> {
    let (query, key) = inside(layout, pointed.query, pointed.key);
    let (Some(row), None) = (query, key) else {
        let mut shapes = labels(layout, query, key);
        shapes.extend(crosshair(layout, query, key));
        return shapes;
    };
    let (_, link) = inside(layout, None, link);
    let mut shapes = labels(layout, query, link);
    shapes.extend(link.into_iter().flat_map(|link| down_to(layout, link, row)));
    shapes.extend(selection(layout, row, None));
    shapes
}

/// All marks at once: those at the pointer, rings around `cells`, and a frame between two cells.
pub fn highlighted(
    layout: &MapLayout,
    (pointed, link): (Pointed, Option<usize>),
    cells: &[(usize, usize)],
    frame: Option<[(usize, usize); 2]>,
) -> Vec<Shape> {
    let mut shapes = self::pointed(layout, pointed, link);
    shapes.extend(lit(layout, cells));
    shapes.extend(frame.map_or_else(Vec::new, |[one, other]| framed(layout, one, other)));
    shapes
}

/// A ring around the cell of `query` and `key`, or around the whole row when there is no `key`.
pub fn selection(layout: &MapLayout, query: usize, key: Option<usize>) -> Vec<Shape> {
    match (inside(layout, Some(query), key), key) {
        ((Some(query), Some(key)), _) => ring(layout, layout.cell_rect(query, key)),
        ((Some(query), None), None) => ring(layout, layout.row_rect(query)),
        _ => Vec::new(),
    }
}

/// A line around each of these cells, given as row and column, inside the cell; a cell that touches its neighbour keeps a
/// line of its own. What lies outside the map gives no mark.
fn outlines(layout: &MapLayout, cells: &[(usize, usize)]) -> Vec<Shape> {
    let wide = whole_line(RING, layout.dpr);
    let inner = |(row, column): &(usize, usize)| {
        let (Some(row), Some(column)) = inside(layout, Some(*row), Some(*column)) else {
            return None;
        };
        let cell = layout.cell_rect(row, column);
        // A cell that is too small for a line and a middle is filled.
        let wide = wide.min(cell.width / 2.0).min(cell.height / 2.0);
        let rect = Rect {
            x: cell.x + wide,
            y: cell.y + wide,
            width: cell.width - 2.0 * wide,
            height: cell.height - 2.0 * wide,
        };
        Some(frame_around(rect, wide, Role::Ring))
    };
    cells.iter().filter_map(inner).flatten().collect()
}

/// One ring around `cells`, each a row and a column, where they fill a rectangle, else a line inside each. What lies outside
/// the map gives no mark.
pub fn lit(layout: &MapLayout, cells: &[(usize, usize)]) -> Vec<Shape> {
    let is_inside = |&&(row, column): &&(usize, usize)| {
        layout.rows.range().contains(&row) && layout.columns.range().contains(&column)
    };
    let cells: Vec<_> = cells.iter().filter(is_inside).copied().collect();
    let (rows, columns) = (
        extent(cells.iter().map(|cell| cell.0)),
        extent(cells.iter().map(|cell| cell.1)),
    );
    let (Some(rows), Some(columns)) = (rows, columns) else {
        return Vec::new();
    };
    let area = (rows.1 - rows.0 + 1) * (columns.1 - columns.0 + 1);
    if area != cells.len() {
        return outlines(layout, &cells);
    }
    let all = between(layout, (rows.0, columns.0), (rows.1, columns.1));
    ring(layout, all)
}

/// A ring around all cells between two, which the map shows.
pub fn framed(layout: &MapLayout, one: (usize, usize), other: (usize, usize)) -> Vec<Shape> {
    let first = (one.0.min(other.0), one.1.min(other.1));
    let last = (one.0.max(other.0), one.1.max(other.1));
    ring(layout, between(layout, first, last))
}

/// The pixels from one cell to another below and to the right.
fn between(layout: &MapLayout, first: (usize, usize), last: (usize, usize)) -> Rect {
    let (from, to) = (
        layout.cell_rect(first.0, first.1),
        layout.cell_rect(last.0, last.1),
    );
    Rect {
        width: to.x + to.width - from.x,
        height: to.y + to.height - from.y,
        ..from
    }
}

/// The smallest and the largest; `None` of nothing.
fn extent(numbers: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
    numbers.fold(None, |extent, number| {
        let (low, high) = extent.unwrap_or((number, number));
        Some((low.min(number), high.max(number)))
    })
}

/// Query and key, each only if the map has it.
fn inside(
    layout: &MapLayout,
    query: Option<usize>,
    key: Option<usize>,
) -> (Option<usize>, Option<usize>) {
    (
        query.filter(|query| layout.rows.range().contains(query)),
        key.filter(|key| layout.columns.range().contains(key)),
    )
}

/// Lines above and below a row, through the whole plot.
fn beside_row(layout: &MapLayout, row: Rect) -> [Shape; 2] {
    let height = whole_line(CROSS, layout.dpr);
    [row.y - height, row.y + row.height].map(|y| Shape::Rect {
        rect: Rect {
            y,
            height,
            ..layout.plot
        },
        role: Role::cross(layout.sides[0]),
    })
}

/// Lines to the left and right of a column.
fn beside_column(layout: &MapLayout, column: Rect) -> [Shape; 2] {
    let width = whole_line(CROSS, layout.dpr);
    [column.x - width, column.x + column.width].map(|x| Shape::Rect {
        rect: Rect { x, width, ..column },
        role: Role::cross(layout.sides[1]),
    })
}

/// Lines to the left and right of a column, from the top of the plot to a row.
fn down_to(layout: &MapLayout, column: usize, row: usize) -> [Shape; 2] {
    let rect = Rect {
        height: layout.row_rect(row).y - layout.plot.y,
        ..layout.column_rect(column)
    };
    beside_column(layout, rect)
}

/// A ring around `rect` with a pale edge inside and outside. The pixels of `rect` itself stay as they are. Of a cell beside it an eighth is
/// covered, or a pixel where that is a quarter at most: where cells are small the ring is thin, and where they have no room for a line at
/// all, bars at the plot's edges stand for it.
fn ring(layout: &MapLayout, rect: Rect) -> Vec<Shape> {
    let room = |cell: f64| match cell * layout.dpr {
        small if small < LEAST_CELL => 0.0,
        pixels => (pixels / 8.0)
            .max(layout.dpr.min(pixels / 4.0))
            .floor()
            .max(1.0),
    };
    let plot = layout.plot;
    let (across, down) = layout.cell_size();
    let [beside, above] = [across, down].map(room);
    let is_outer = |edge: f64, plot: f64| (edge - plot).abs() < 1e-6;
    let around = [
        (rect.y, plot.y, above),
        (rect.y + rect.height, plot.y + plot.height, above),
        (rect.x, plot.x, beside),
        (rect.x + rect.width, plot.x + plot.width, beside),
    ];
    let sides = around.map(|(edge, plot, room)| {
        let room = if is_outer(edge, plot) {
            f64::INFINITY
        } else {
            room
        };
        layers(room, layout.dpr)
    });
    let mut shapes = Vec::new();
    let mut inner = rect;
    for (at, role) in [Role::Halo, Role::Ring, Role::Halo].into_iter().enumerate() {
        let by = sides.map(|side| side[at]);
        let sides = frame_of(inner, by, role).into_iter().zip(by);
        shapes.extend(sides.filter_map(|(side, by)| (by > 0.0).then_some(side)));
        let [top, bottom, left, right] = by;
        inner = Rect {
            x: inner.x - left,
            y: inner.y - top,
            width: inner.width + left + right,
            height: inner.height + top + bottom,
        };
    }
    shapes.extend(bars(layout, rect, [beside, above]));
    shapes
}

/// Thickness of the inner edge, the ring and the outer edge, in CSS pixels, where there is room for so many device pixels.
fn layers(room: f64, dpr: f64) -> [f64; 3] {
    let [ring, halo] = [RING, HALO].map(|css| whole_line(css, dpr) * dpr);
    let room = room.min(ring + 2.0 * halo);
    let outer = halo.min((room / 2.0).floor());
    let ring = ring.min(room - outer);
    [(room - outer - ring).max(0.0), ring, outer].map(|pixels| pixels / dpr)
}

/// Bars outside the plot, beside the rows and above and below the columns of `rect`, each where no line fits between cells.
fn bars(layout: &MapLayout, rect: Rect, [beside, above]: [f64; 2]) -> Vec<Shape> {
    let (plot, wide) = (layout.plot, whole_line(RING + 2.0 * HALO, layout.dpr));
    let is_part = |length: f64, of: f64| length < of - 1e-6;
    let mut places = Vec::new();
    if above == 0.0 && is_part(rect.height, plot.height) {
        let (y, height) = at_least(rect.y, rect.height, wide);
        places.extend([plot.x - wide, plot.x + plot.width].map(|x| Rect {
            x,
            y,
            width: wide,
            height,
        }));
    }
    if beside == 0.0 && is_part(rect.width, plot.width) {
        let (x, width) = at_least(rect.x, rect.width, wide);
        places.extend([plot.y - wide, plot.y + plot.height].map(|y| Rect {
            x,
            y,
            width,
            height: wide,
        }));
    }
    let role = Role::Ring;
    places
        .into_iter()
        .map(|rect| Shape::Rect { rect, role })
        .collect()
}

/// A place and a length around the same middle, no shorter than `least`.
fn at_least(from: f64, length: f64, least: f64) -> (f64, f64) {
    let longer = length.max(least);
    (from - (longer - length) / 2.0, longer)
}
