//! Outlines of rows and cells of a map as SVG paths, one unit per row and column.

use std::fmt::Write as _;

/// The outline of a whole row, or of one cell in it, on a map of `rows × columns`; nothing for a place off the map.
pub fn place((rows, columns): (usize, usize), row: usize, column: Option<usize>) -> String {
    if row >= rows || column.is_some_and(|column| column >= columns) || columns == 0 {
        return String::new();
    }
    match column {
        Some(column) => format!("M{column} {row}h1v1h-1z"),
        None => format!("M0 {row}h{columns}v1h-{columns}z"),
    }
}

/// The outlines of these cells, each a row and a column.
pub fn cells(cells: &[(usize, usize)]) -> String {
    let mut path = String::new();
    for (row, column) in cells {
        // Writing to a string cannot fail.
        let _ = write!(path, "M{column} {row}h1v1h-1z");
    }
    path
}

/// The row and the column at these shares (0…1) of the height and the width; `None` beside the map.
pub fn under(
    (rows, columns): (usize, usize),
    (down, across): (f64, f64),
) -> Option<(usize, usize)> {
    let at = |share: f64, count: usize| super::bar_chart::under(share, count);
    Some((at(down, rows)?, at(across, columns)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_as_wide_as_the_map_and_a_cell_is_one_unit() {
        assert_eq!(place((3, 5), 2, None), "M0 2h5v1h-5z");
        assert_eq!(place((3, 5), 2, Some(4)), "M4 2h1v1h-1z");
        for (row, column) in [(3, None), (0, Some(5))] {
            assert_eq!(place((3, 5), row, column), "");
        }
        assert_eq!(place((3, 0), 0, None), "");
        assert_eq!(cells(&[(1, 2), (0, 4)]), "M2 1h1v1h-1zM4 0h1v1h-1z");
        assert_eq!(cells(&[]), "");
    }

    #[test]
    fn the_pointer_finds_the_cell_below_it() {
        assert_eq!(under((3, 5), (0.99, 0.0)), Some((2, 0)));
        assert_eq!(under((3, 5), (0.34, 0.79)), Some((1, 3)));
        assert_eq!(under((3, 5), (0.5, 1.0)), None);
        assert_eq!(under((0, 5), (0.5, 0.5)), None);
    }
}
