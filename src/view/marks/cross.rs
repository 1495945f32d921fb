//! Crosshair and selection.

use super::{Mark, Role, frame_around, whole_line};
use crate::view::layout::{MapLayout, Rect};

/// Thickness of crosshair lines in CSS pixels.
const CROSS: f64 = 1.0;
/// Thickness of the ring around what is selected, and of its pale edges, in CSS pixels.
const RING: f64 = 2.0;
const HALO: f64 = 1.0;

/// Lines along both sides of the row of `query` and of the column of `key`, and a ring around their cell.
///
/// What lies outside the map gives no mark.
pub fn crosshair(layout: &MapLayout, query: Option<usize>, key: Option<usize>) -> Vec<Mark> {
    let (query, key) = inside(layout, query, key);
    let row = query.map(|query| beside_row(layout, layout.row_rect(query)));
    let column = key.map(|key| beside_column(layout, layout.column_rect(key)));
    let mut marks: Vec<Mark> = row.into_iter().chain(column).flatten().collect();
    if let (Some(query), Some(key)) = (query, key) {
        marks.extend(ring(layout, layout.cell_rect(query, key)));
    }
    marks
}

/// A ring around the cell of `query` and `key`, or around the whole row when there is no `key`.
pub fn selection(layout: &MapLayout, query: usize, key: Option<usize>) -> Vec<Mark> {
    match (inside(layout, Some(query), key), key) {
        ((Some(query), Some(key)), _) => ring(layout, layout.cell_rect(query, key)),
        ((Some(query), None), None) => ring(layout, layout.row_rect(query)),
        _ => Vec::new(),
    }
}

/// A line around each of these cells, given as row and column, inside the cell; a cell that touches its neighbour keeps a
/// line of its own. What lies outside the map gives no mark.
pub fn outlines(layout: &MapLayout, cells: &[(usize, usize)]) -> Vec<Mark> {
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

/// Query and key, each only if the map has it.
fn inside(
    layout: &MapLayout,
    query: Option<usize>,
    key: Option<usize>,
) -> (Option<usize>, Option<usize>) {
    let on = |cells: usize, cell: Option<usize>| cell.filter(|&cell| cell < cells);
    (
        on(layout.rows.cells(), query),
        on(layout.columns.cells(), key),
    )
}

/// Lines above and below a row, through the whole plot.
fn beside_row(layout: &MapLayout, row: Rect) -> [Mark; 2] {
    let height = whole_line(CROSS, layout.dpr);
    [row.y - height, row.y + row.height].map(|y| Mark::Rect {
        rect: Rect {
            y,
            height,
            ..layout.plot
        },
        role: Role::cross(layout.sides[0]),
    })
}

/// Lines to the left and right of a column, through the whole plot.
fn beside_column(layout: &MapLayout, column: Rect) -> [Mark; 2] {
    let width = whole_line(CROSS, layout.dpr);
    [column.x - width, column.x + column.width].map(|x| Mark::Rect {
        rect: Rect {
            x,
            width,
            ..layout.plot
        },
        role: Role::cross(layout.sides[1]),
    })
}

/// A ring around `rect` with a pale edge inside and outside. The pixels of `rect` itself stay as they are.
fn ring(layout: &MapLayout, rect: Rect) -> Vec<Mark> {
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
