//! Marks of crosshair and selection.

use super::{frame_around, labels, whole_line};
use crate::scene::layout::{MapLayout, Rect};
use crate::scene::role::Role;
use crate::scene::shape::Shape;

/// Thickness of crosshair lines in CSS pixels.
const CROSS: f64 = 1.0;
/// Thickness of the ring around what is selected, and of its pale edges, in CSS pixels.
const RING: f64 = 2.0;
const HALO: f64 = 1.0;

/// Lines along both sides of the row of `query` and of the column of `key`, and a ring around their cell.
///
/// What lies outside the map gives no mark.
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

/// What follows the pointer: labels, and a ring around the row of `query` or the crosshair of both. What lies outside the map
/// is passed over.
pub fn pointed(layout: &MapLayout, query: Option<usize>, key: Option<usize>) -> Vec<Shape> {
    let (query, key) = inside(layout, query, key);
    let mut shapes = labels(layout, query, key);
    shapes.extend(match (query, key) {
        (Some(query), None) => selection(layout, query, None),
        _ => crosshair(layout, query, key),
    });
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

/// Lines to the left and right of a column, through the whole plot.
fn beside_column(layout: &MapLayout, column: Rect) -> [Shape; 2] {
    let width = whole_line(CROSS, layout.dpr);
    [column.x - width, column.x + column.width].map(|x| Shape::Rect {
        rect: Rect {
            x,
            width,
            ..layout.plot
        },
        role: Role::cross(layout.sides[1]),
    })
}

/// A ring around `rect` with a pale edge inside and outside. The pixels of `rect` itself stay as they are.
fn ring(layout: &MapLayout, rect: Rect) -> Vec<Shape> {
    let [ring, halo] = [RING, HALO].map(|css| whole_line(css, layout.dpr));
    let grown = |by: f64| Rect {
        x: rect.x - by,
        y: rect.y - by,
        width: rect.width + 2.0 * by,
        height: rect.height + 2.0 * by,
    };
    let inner = frame_around(rect, halo, Role::Halo);
    let middle = frame_around(grown(halo), ring, Role::Ring);
    let outer = frame_around(grown(halo + ring), halo, Role::Halo);
    inner.into_iter().chain(middle).chain(outer).collect()
}
