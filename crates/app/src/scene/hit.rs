//! Hit tests: from the pointer to a cell and back, and the cell that a key press leads to.

use super::layout::{LABEL_GAP, LabelRotation, MapLayout, Rect, TITLE_LINE};

/// Element under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A cell of the plot.
    Cell {
        /// Its query row.
        query: usize,
        /// Its key column.
        key: usize,
    },
    /// The label of a query row.
    Query(usize),
    /// The label of a key column.
    Key(usize),
}

/// A chosen place on the map: a cell, or a whole query row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPosition {
    /// Query row.
    pub query: usize,
    /// Key column; `None` for the whole row.
    pub key: Option<usize>,
}

/// The row and the column that are pointed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pointed {
    pub query: Option<usize>,
    pub key: Option<usize>,
}

impl From<Target> for Pointed {
    fn from(target: Target) -> Self {
        let (query, key) = match target {
            Target::Cell { query, key } => (Some(query), Some(key)),
            Target::Query(query) => (Some(query), None),
            Target::Key(key) => (None, Some(key)),
        };
        Self { query, key }
    }
}

impl Pointed {
    /// Returns the highlight while the pointer is at `hover`: a column label leaves the row
    /// unchanged.
    #[must_use]
    pub fn under(self, hover: Option<Self>) -> Self {
        match hover {
            Some(Self { query: None, key }) => Self { key, ..self },
            Some(hover) => hover,
            None => self,
        }
    }
}

/// Factor from lengths on screen to lengths in an element's own layout. The element is laid out
/// `laid_out` CSS pixels long (rounded) and appears `shown` long: an ancestor may scale it
/// (`transform`, `zoom`). Returns 1 for a difference that rounding explains.
#[must_use]
pub fn layout_scale(laid_out: f64, shown: f64) -> f64 {
    if shown <= 0.0 || (laid_out - shown).abs() <= 1.0 {
        return 1.0;
    }
    laid_out / shown
}

/// A move with the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// One key to the left.
    Left,
    /// One key to the right.
    Right,
    /// One query up.
    Up,
    /// One query down.
    Down,
    /// The first key of the row.
    RowStart,
    /// The last key of the row.
    RowEnd,
    /// A tenth of the rows up, at least one.
    PageUp,
    /// A tenth of the rows down, at least one.
    PageDown,
    /// The first cell of the map.
    First,
    /// The last cell of the map.
    Last,
}

impl Move {
    /// The move that a key stands for, named as in a keyboard event's `key`; `control` is the modifier key.
    pub fn from_key(key: &str, control: bool) -> Option<Self> {
        Some(match (key, control) {
            ("ArrowLeft", false) => Self::Left,
            ("ArrowRight", false) => Self::Right,
            ("ArrowUp", false) => Self::Up,
            ("ArrowDown", false) => Self::Down,
            ("PageUp", false) => Self::PageUp,
            ("PageDown", false) => Self::PageDown,
            ("Home", false) => Self::RowStart,
            ("End", false) => Self::RowEnd,
            ("Home", true) => Self::First,
            ("End", true) => Self::Last,
            _ => return None,
        })
    }

    /// Where the move leads from `from` on a map of `queries × keys` cells; `None` when it has no rows.
    ///
    /// Movement stops at the edges. From nowhere every move but [`Last`](Self::Last) leads to the first cell. From a
    /// whole row, moves to the right enter it at the first key and moves to the left at the last; moves up and down
    /// keep choosing whole rows.
    pub fn apply(
        self,
        from: Option<CellPosition>,
        queries: usize,
        keys: usize,
    ) -> Option<CellPosition> {
        let (last_query, last_key) = (queries.checked_sub(1)?, keys.checked_sub(1));
        let first = CellPosition {
            query: 0,
            key: last_key.map(|_| 0),
        };
        let last = CellPosition {
            query: last_query,
            key: last_key,
        };
        let Some(from) = from else {
            return Some(if self == Self::Last { last } else { first });
        };
        let (query, key) = (
            from.query.min(last_query),
            from.key.map(|key| key.min(last_key.unwrap_or(0))),
        );
        let page = (queries / 10).max(1);
        let to_query = |query| {
            Some(CellPosition {
                query,
                key: key.and(last_key).and(key),
            })
        };
        let to_key = |key: usize| {
            Some(CellPosition {
                query,
                key: last_key.map(|last| key.min(last)),
            })
        };
        match self {
            Self::Left => to_key(key.map_or(usize::MAX, |key| key.saturating_sub(1))),
            Self::Right => to_key(key.map_or(0, |key| key.saturating_add(1))),
            Self::RowStart => to_key(0),
            Self::RowEnd => to_key(usize::MAX),
            Self::Up => to_query(query.saturating_sub(1)),
            Self::Down => to_query((query + 1).min(last_query)),
            Self::PageUp => to_query(query.saturating_sub(page)),
            Self::PageDown => to_query((query + page).min(last_query)),
            Self::First => Some(first),
            Self::Last => Some(last),
        }
    }
}

impl MapLayout {
    /// Element at `(x, y)`, in CSS pixels from the picture's upper left corner.
    ///
    /// Slanted column labels are followed along their slope.
    pub fn target(&self, x: f64, y: f64) -> Option<Target> {
        let (across, down) = (x - self.plot.x, y - self.plot.y);
        let query = self.rows.cell_at(down * self.dpr);
        let key = |across: f64| self.columns.cell_at(across * self.dpr);
        if across < 0.0 {
            return query.filter(|_| x >= 0.0).map(Target::Query);
        }
        if down >= 0.0 {
            return Some(Target::Cell {
                query: query?,
                key: key(across)?,
            });
        }
        let above = (-down - LABEL_GAP).max(0.0);
        let lean = if self.key_labels.turn == LabelRotation::Slanted {
            above
        } else {
            0.0
        };
        key(across - lean)
            .filter(|_| self.is_stacked || y >= TITLE_LINE)
            .map(Target::Key)
    }

    /// The cell that is nearest to `(x, y)`; `None` on a map without cells.
    pub fn nearest_cell(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let nearest = |axis: &super::axis::Axis, at: f64| {
            let last = f64::from(axis.pixels()) - 0.5;
            axis.cell_at((at * self.dpr).min(last).max(0.0))
        };
        let row = nearest(&self.rows, y - self.plot.y)?;
        Some((row, nearest(&self.columns, x - self.plot.x)?))
    }

    /// The pixels of cell `(query, key)`; of the block that shows it where cells are pooled.
    pub fn cell_rect(&self, query: usize, key: usize) -> Rect {
        let (row, column) = (self.row_rect(query), self.column_rect(key));
        Rect {
            x: column.x,
            y: row.y,
            width: column.width,
            height: row.height,
        }
    }

    /// The pixels of a whole query row. A row that is not there gives an empty rectangle.
    pub fn row_rect(&self, query: usize) -> Rect {
        let (offset, height) = self.extent(&self.rows, query);
        Rect {
            y: self.plot.y + offset,
            height,
            ..self.plot
        }
    }

    /// The pixels of a whole key column. A column that is not there gives an empty rectangle.
    pub fn column_rect(&self, key: usize) -> Rect {
        let (offset, width) = self.extent(&self.columns, key);
        Rect {
            x: self.plot.x + offset,
            width,
            ..self.plot
        }
    }

    /// Offset and length of a cell along `axis`, in CSS pixels.
    fn extent(&self, axis: &super::axis::Axis, cell: usize) -> (f64, f64) {
        let span = axis.span(axis.block_of(cell));
        (
            f64::from(span.start) / self.dpr,
            f64::from(span.end - span.start) / self.dpr,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(query: usize, key: usize) -> Option<CellPosition> {
        Some(CellPosition {
            query,
            key: Some(key),
        })
    }

    #[test]
    fn a_column_is_pointed_out_in_the_row_that_is_read() {
        let read = Pointed {
            query: Some(2),
            key: None,
        };
        let under = |target: Target| read.under(Some(target.into()));
        let both = |query, key| Pointed {
            query: Some(query),
            key,
        };
        assert_eq!(under(Target::Key(4)), both(2, Some(4)));
        assert_eq!(under(Target::Query(1)), both(1, None));
        assert_eq!(under(Target::Cell { query: 0, key: 3 }), both(0, Some(3)));
        assert_eq!(read.under(None), read);
    }

    /// Chromium rounds `offsetWidth`, and the rounding is not the same with `zoom`: 206.5 px are 207, and 206 at 1.5.
    #[test]
    fn only_what_rounding_cannot_explain_is_a_scale() {
        for (laid_out, shown) in [
            (207.0, 206.5),
            (206.0, 206.75),
            (640.0, 640.0),
            (0.0, 0.0),
            (5.0, 0.0),
        ] {
            assert_eq!(layout_scale(laid_out, shown), 1.0, "{laid_out} {shown}");
        }
        assert_eq!(layout_scale(500.0, 750.0), 2.0 / 3.0);
        assert_eq!(layout_scale(500.0, 300.0), 5.0 / 3.0);
    }

    #[test]
    fn moves_stop_at_the_edges() {
        let cases = [
            (Move::Left, (2, 0), (2, 0)),
            (Move::Left, (2, 3), (2, 2)),
            (Move::Right, (2, 6), (2, 6)),
            (Move::Right, (2, 5), (2, 6)),
            (Move::Up, (0, 4), (0, 4)),
            (Move::Up, (3, 4), (2, 4)),
            (Move::Down, (44, 1), (44, 1)),
            (Move::Down, (43, 1), (44, 1)),
            (Move::PageDown, (2, 1), (6, 1)),
            (Move::PageDown, (42, 1), (44, 1)),
            (Move::PageUp, (3, 1), (0, 1)),
            (Move::RowStart, (5, 3), (5, 0)),
            (Move::RowEnd, (5, 3), (5, 6)),
            (Move::First, (5, 3), (0, 0)),
            (Move::Last, (5, 3), (44, 6)),
        ];
        for (step, from, to) in cases {
            assert_eq!(
                step.apply(at(from.0, from.1), 45, 7),
                at(to.0, to.1),
                "{step:?} from {from:?}"
            );
        }
    }

    #[test]
    fn whole_rows_are_entered_from_the_side_and_kept_up_and_down() {
        let row = |query| Some(CellPosition { query, key: None });
        assert_eq!(Move::Right.apply(row(2), 5, 7), at(2, 0));
        assert_eq!(Move::Left.apply(row(2), 5, 7), at(2, 6));
        assert_eq!(Move::Down.apply(row(2), 5, 7), row(3));
    }

    #[test]
    fn odd_places_and_empty_maps_lead_inside_or_nowhere() {
        assert_eq!(Move::Down.apply(None, 5, 7), at(0, 0));
        assert_eq!(Move::Last.apply(None, 5, 7), at(4, 6));
        assert_eq!(Move::Left.apply(at(99, 99), 5, 7), at(4, 5));
        assert_eq!(Move::Down.apply(at(1, 1), 0, 7), None);
        assert_eq!(
            Move::Right.apply(at(1, 1), 3, 0),
            Some(CellPosition {
                query: 1,
                key: None
            })
        );
        assert_eq!(
            Move::Down.apply(at(1, 1), 3, 0),
            Some(CellPosition {
                query: 2,
                key: None
            })
        );
    }
}
