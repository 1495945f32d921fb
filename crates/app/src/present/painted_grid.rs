//! A square of cells that are painted with a pointer or by keys: targets of *Draw the attention you want*, masks of the lab.

wasm_chunks::chunk!("models");

use super::roving;
use super::training::MapCell;
use crate::state::cells_between;

/// A cell: its row and its key.
pub type GridCell = (usize, usize);

/// Selector of the cell with a number.
pub fn place_of(cell: usize) -> String {
    format!("[data-paint-cell=\"{cell}\"]")
}

/// Keys that the grid handles.
pub const GRID_KEYS: [&str; 8] = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    " ",
    "Enter",
];

/// Cells, the stroke in progress, and the cell of the keyboard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaintedGrid {
    length: usize,
    cells: Vec<bool>,
    stroke: Option<Stroke>,
    cell: GridCell,
}

/// A cell as it is shown.
pub struct PaintedCell {
    /// Its row, its key, and what is written in it.
    pub name: String,
    /// Whether it is painted.
    pub is_painted: bool,
    /// Whether it is where Tab stops.
    pub is_stop: bool,
    /// Its appearance.
    pub map: MapCell,
}

/// A stroke of the pointer.
#[derive(Clone, Debug, PartialEq)]
struct Stroke {
    last: GridCell,
    paints: bool,
    /// The cells as they were before it.
    before: Vec<bool>,
}

/// Input events of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridEvent {
    /// A pointer goes down on a cell, by its number.
    Press(usize),
    /// The pointer has come to a cell.
    Drag(GridCell),
    /// The pointer goes up.
    Release,
    /// The pointer is lost, as to a finger that scrolls: what it painted is taken back.
    Cancel,
    /// One of [`GRID_KEYS`] is pressed on a cell.
    Key(usize, &'static str),
    /// A cell gets the focus.
    Focus(usize),
}

/// Result of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridChange {
    /// Nothing.
    Nothing,
    /// Cells are painted or cleared.
    Painted,
    /// A stroke has ended.
    Released,
    /// The keyboard's cell has changed, and has the focus.
    Focused,
    /// The focus is to move to another cell.
    Moved,
}

impl PaintedGrid {
    /// Of `length` rows and keys, with nothing painted.
    pub fn new(length: usize) -> Self {
        Self {
            length,
            cells: vec![false; length * length],
            ..Self::default()
        }
    }

    /// Rows and keys.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether each cell is painted, row by row.
    pub fn cells(&self) -> &[bool] {
        &self.cells
    }

    /// The painted cells.
    pub fn painted(&self) -> impl Iterator<Item = GridCell> {
        let painted = self.cells.iter().enumerate().filter(|(_, is)| **is);
        painted.map(|(at, _)| (at / self.length, at % self.length))
    }

    /// Whether nothing is painted.
    pub fn is_empty(&self) -> bool {
        !self.cells.contains(&true)
    }

    /// Whether a cell is painted; not where there is none.
    pub fn is_painted(&self, (row, key): GridCell) -> bool {
        let is_there = row < self.length && key < self.length;
        is_there && self.cells[row * self.length + key]
    }

    /// The keyboard's cell, which is the Tab stop.
    pub fn cell(&self) -> GridCell {
        self.cell
    }

    /// The number of the keyboard's cell, row by row.
    pub fn place(&self) -> usize {
        self.cell.0 * self.length + self.cell.1
    }

    /// Replaces the cells by as many others.
    pub fn set_cells(&mut self, cells: Vec<bool>) {
        if cells.len() == self.cells.len() {
            self.cells = cells;
        }
    }

    /// Sets the number of rows and keys; painted cells stay where the grid still has them.
    pub fn resize(&mut self, length: usize) {
        let all = (0..length).flat_map(|row| (0..length).map(move |key| (row, key)));
        let cells = all.map(|cell| self.is_painted(cell)).collect();
        let last = length.saturating_sub(1);
        *self = Self {
            length,
            cells,
            stroke: None,
            cell: (self.cell.0.min(last), self.cell.1.min(last)),
        };
    }

    /// Handles an event.
    pub fn take(&mut self, event: GridEvent) -> GridChange {
        match event {
            GridEvent::Press(cell) => self.press(cell),
            GridEvent::Drag(cell) => self.drag(cell),
            GridEvent::Release if self.stroke.take().is_some() => GridChange::Released,
            GridEvent::Cancel => self.take_back(),
            GridEvent::Key(cell, " " | "Enter") => {
                let change = self.press(cell);
                self.stroke = None;
                change
            }
            GridEvent::Key(cell, key) => self.move_from(cell, key),
            GridEvent::Focus(cell) if self.stand_on(cell) => GridChange::Focused,
            GridEvent::Release | GridEvent::Focus(_) => GridChange::Nothing,
        }
    }

    /// A stroke paints where its first cell is empty, and clears where it is painted.
    fn press(&mut self, cell: usize) -> GridChange {
        if !self.stand_on(cell) {
            return GridChange::Nothing;
        }
        self.stroke = Some(Stroke {
            last: self.cell,
            paints: !self.is_painted(self.cell),
            before: self.cells.clone(),
        });
        self.paint_to(self.cell)
    }

    fn drag(&mut self, cell: GridCell) -> GridChange {
        match &self.stroke {
            Some(stroke) if stroke.last != cell => self.paint_to(cell),
            _ => GridChange::Nothing,
        }
    }

    /// Paints from the last cell of the stroke to another one.
    fn paint_to(&mut self, cell: GridCell) -> GridChange {
        let n = self.length;
        let Some(stroke) = self.stroke.as_mut().filter(|_| cell.0 < n && cell.1 < n) else {
            return GridChange::Nothing;
        };
        for (row, key) in cells_between(stroke.last, cell) {
            self.cells[row * n + key] = stroke.paints;
        }
        stroke.last = cell;
        GridChange::Painted
    }

    fn take_back(&mut self) -> GridChange {
        let Some(stroke) = self.stroke.take() else {
            return GridChange::Nothing;
        };
        self.cells = stroke.before;
        GridChange::Painted
    }

    fn stand_on(&mut self, cell: usize) -> bool {
        let is_there = cell < self.cells.len();
        if is_there {
            self.cell = (cell / self.length, cell % self.length);
        }
        is_there
    }

    fn move_from(&mut self, cell: usize, key: &str) -> GridChange {
        self.stand_on(cell);
        let ((row, column), n) = (self.cell, self.length);
        let across = roving::target(key, ["ArrowLeft", "ArrowRight"], column, n);
        let down = roving::target(key, ["ArrowUp", "ArrowDown"], row, n);
        match (across, down) {
            // Home and End lead along the row.
            (Some(column), _) => self.cell.1 = column,
            (None, Some(row)) => self.cell.0 = row,
            (None, None) => return GridChange::Nothing,
        }
        GridChange::Moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(grid: &PaintedGrid) -> Vec<GridCell> {
        grid.painted().collect()
    }

    #[test]
    fn a_stroke_paints_or_clears_as_its_first_cell_says() {
        let mut grid = PaintedGrid::new(5);
        assert_eq!(grid.take(GridEvent::Drag((0, 0))), GridChange::Nothing);
        assert_eq!(grid.take(GridEvent::Press(1)), GridChange::Painted);
        assert_eq!(grid.take(GridEvent::Drag((0, 1))), GridChange::Nothing);
        assert_eq!(grid.take(GridEvent::Drag((0, 4))), GridChange::Painted);
        assert_eq!(grid.take(GridEvent::Drag((0, 5))), GridChange::Nothing);
        assert_eq!(grid.take(GridEvent::Release), GridChange::Released);
        assert_eq!(grid.take(GridEvent::Release), GridChange::Nothing);
        assert_eq!(grid.take(GridEvent::Drag((3, 3))), GridChange::Nothing);
        assert_eq!(painted(&grid), [(0, 1), (0, 2), (0, 3), (0, 4)]);
        assert_eq!(grid.cell(), (0, 1), "where the focus is");
        grid.take(GridEvent::Press(3));
        grid.take(GridEvent::Drag((2, 3)));
        assert_eq!(painted(&grid), [(0, 1), (0, 2), (0, 4)]);
        assert_eq!(grid.take(GridEvent::Cancel), GridChange::Painted);
        assert_eq!(painted(&grid), [(0, 1), (0, 2), (0, 3), (0, 4)]);
        assert_eq!(grid.take(GridEvent::Cancel), GridChange::Nothing);
        assert_eq!(grid.take(GridEvent::Press(25)), GridChange::Nothing);
        assert_eq!(
            PaintedGrid::new(0).take(GridEvent::Press(0)),
            GridChange::Nothing
        );
    }

    #[test]
    fn keys_move_along_rows_and_columns_and_stop_at_the_ends() {
        let mut grid = PaintedGrid::new(3);
        let keys = [
            "ArrowDown",
            "End",
            "ArrowRight",
            "ArrowUp",
            "ArrowUp",
            "Home",
        ];
        let cells = keys.map(|key| {
            let (row, column) = grid.cell();
            let change = grid.take(GridEvent::Key(row * 3 + column, key));
            assert_eq!(change, GridChange::Moved, "{key}");
            grid.cell()
        });
        assert_eq!(cells, [(1, 0), (1, 2), (1, 2), (0, 2), (0, 2), (0, 0)]);
        assert_eq!(grid.take(GridEvent::Key(0, "a")), GridChange::Nothing);
        assert_eq!(grid.take(GridEvent::Focus(7)), GridChange::Focused);
        assert_eq!(grid.take(GridEvent::Focus(9)), GridChange::Nothing);
        assert_eq!(grid.cell(), (2, 1));
        assert_eq!(grid.take(GridEvent::Key(7, " ")), GridChange::Painted);
        assert_eq!(
            grid.take(GridEvent::Drag((0, 0))),
            GridChange::Nothing,
            "no stroke"
        );
        assert_eq!(painted(&grid), [(2, 1)]);
        assert_eq!(grid.take(GridEvent::Key(7, "Enter")), GridChange::Painted);
        assert!(grid.is_empty());
        let none = PaintedGrid::new(0).take(GridEvent::Key(0, "ArrowDown"));
        assert_eq!(none, GridChange::Nothing);
    }

    #[test]
    fn what_is_painted_stays_where_there_are_still_cells() {
        let mut grid = PaintedGrid::new(3);
        for cell in [0, 5, 7] {
            grid.take(GridEvent::Press(cell));
        }
        grid.resize(4);
        assert_eq!(painted(&grid), [(0, 0), (1, 2), (2, 1)]);
        grid.resize(2);
        assert_eq!(painted(&grid), [(0, 0)]);
        assert_eq!(grid.cell(), (1, 1));
        grid.set_cells(vec![true; 3]);
        assert_eq!(painted(&grid), [(0, 0)], "cells of another size");
        grid.set_cells(vec![true; 4]);
        assert_eq!(painted(&grid).len(), 4);
        grid.resize(0);
        assert!(grid.is_empty() && grid.length() == 0);
    }
}
