//! The part of a large map that is shown while it is zoomed into.
//!
//! A viewport has the proportions of the whole map, so that its cells are as square and its plot as large as those of the whole:
//! zooming moves nothing on the page.

use std::ops::Range;

use super::labels::LabelRotation;
use super::plot::{self, LEVEL_PADDING};
use super::{Axis, CellFormat, MapLayout, Rect};

/// Rows or columns above which a map can be zoomed into.
const LARGE: usize = 32;
/// The fewest cells that its longer side has then.
const FEWEST: usize = 4;
/// Longest side of the overview in CSS pixels, and as a share of the plot.
const OVERVIEW: (f64, f64) = (96.0, 0.25);
/// Its shortest side, and its distance to the edges of the plot.
const THINNEST: f64 = 16.0;
const INSET: f64 = 6.0;
/// Margin around the overview for the frame of the visible part.
pub const OVERVIEW_MARGIN: f64 = 4.0;

/// Rows and columns of a map that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// The first row and the first column.
    first: [usize; 2],
    /// How many rows and columns.
    shown: [usize; 2],
    /// Rows and columns of the whole map.
    whole: [usize; 2],
}

impl Viewport {
    /// All of a map of so many rows and columns; `None` where it is too small to be zoomed into.
    pub fn whole(rows: usize, columns: usize) -> Option<Self> {
        let is_large = rows.min(columns) > 0 && rows.max(columns) > LARGE;
        is_large.then_some(Self {
            first: [0; 2],
            shown: [rows, columns],
            whole: [rows, columns],
        })
    }

    /// Whether it is of a map of this size.
    pub fn is_of(&self, rows: usize, columns: usize) -> bool {
        self.whole == [rows, columns]
    }

    /// Whether all cells are shown.
    pub fn is_whole(&self) -> bool {
        self.shown == self.whole
    }

    /// The rows that are shown.
    pub fn rows(&self) -> Range<usize> {
        self.first[0]..self.first[0] + self.shown[0]
    }

    /// The columns that are shown.
    pub fn columns(&self) -> Range<usize> {
        self.first[1]..self.first[1] + self.shown[1]
    }

    /// As many cells divided by `factor` along each side, with `cell` where it is.
    #[must_use]
    pub fn zoomed(&self, factor: f64, cell: (usize, usize)) -> Self {
        let long = self.longer_side();
        let length = (self.shown[long] as f64 / factor).round().max(0.0) as usize;
        let next = if factor > 1.0 {
            length.min(self.shown[long].saturating_sub(1))
        } else {
            length.max(self.shown[long] + 1)
        };
        let shown = self.with_length(next);
        let first = |axis: usize, cell: usize| {
            let share = (cell as f64 + 0.5 - self.first[axis] as f64) / self.shown[axis] as f64;
            cell as f64 + 0.5 - share.clamp(0.0, 1.0) * shown[axis] as f64
        };
        self.placed([first(0, cell.0), first(1, cell.1)], shown)
    }

    /// The cells between two and, where they have other proportions, some around them.
    #[must_use]
    pub fn framed(&self, one: (usize, usize), other: (usize, usize)) -> Self {
        let ends = [(one.0, other.0), (one.1, other.1)];
        let long = self.longer_side();
        // As many along the longer side as show all of both.
        let needed = |axis: usize| {
            let cells = ends[axis].0.abs_diff(ends[axis].1) + 1;
            (cells * self.whole[long]).div_ceil(self.whole[axis])
        };
        let shown = self.with_length(needed(0).max(needed(1)));
        let middle = ends.map(|(one, other)| (one + other + 1) as f64 / 2.0);
        self.centred(middle, shown)
    }

    /// As many cells around a place of the whole map, given as shares of its height and its width.
    #[must_use]
    pub fn panned(&self, down: f64, across: f64) -> Self {
        let [rows, columns] = self.whole.map(|cells| cells as f64);
        self.centred([down * rows, across * columns], self.shown)
    }

    /// Moved as little as shows this row and this column.
    #[must_use]
    pub fn showing(&self, row: Option<usize>, column: Option<usize>) -> Self {
        let first = |axis: usize, cell: Option<usize>| {
            let first = self.first[axis];
            cell.map_or(first, |cell| {
                first.clamp((cell + 1).saturating_sub(self.shown[axis]), cell)
            }) as f64
        };
        self.placed([first(0, row), first(1, column)], self.shown)
    }

    fn has_overview_above(&self, chosen: Option<(usize, usize)>) -> bool {
        let (rows, columns) = (self.rows(), self.columns());
        let is_at_end = [rows.end, columns.end] == self.whole;
        let is_below = |range: Range<usize>, cell| 2 * cell >= range.start + range.end;
        let covers =
            chosen.is_some_and(|(row, column)| is_below(rows, row) && is_below(columns, column));
        is_at_end || (covers && self.first != [0; 2])
    }

    fn longer_side(&self) -> usize {
        usize::from(self.whole[1] > self.whole[0])
    }

    /// How many rows and columns there are where the longer side has so many cells.
    fn with_length(&self, length: usize) -> [usize; 2] {
        let most = self.whole[self.longer_side()];
        let length = length.clamp(FEWEST.min(most), most);
        let share = |cells: usize| (cells * length + most / 2) / most;
        self.whole.map(|cells| share(cells).max(1))
    }

    fn centred(&self, middle: [f64; 2], shown: [usize; 2]) -> Self {
        let first = |axis: usize| middle[axis] - shown[axis] as f64 / 2.0;
        self.placed([first(0), first(1)], shown)
    }

    fn placed(&self, first: [f64; 2], shown: [usize; 2]) -> Self {
        let first = |axis: usize| {
            let last = self.whole[axis] - shown[axis];
            (first[axis].round().max(0.0) as usize).min(last)
        };
        Self {
            first: [first(0), first(1)],
            shown,
            whole: self.whole,
        }
    }
}

impl MapLayout {
    /// The layout of the whole map with only the cells of `viewport` on its plot, which stays where it is. Labels are turned as
    /// there is room for now.
    #[must_use]
    pub fn zoomed(
        &self,
        viewport: &Viewport,
        form: CellFormat,
        measure: &dyn Fn(&str, f64) -> f64,
    ) -> Self {
        let (rows, columns) = (
            Axis::part(viewport.rows(), self.rows.pixels()),
            Axis::part(viewport.columns(), self.columns.pixels()),
        );
        let mut layout = Self {
            values: plot::values(form, measure, [&rows, &columns], self.dpr),
            rows,
            columns,
            ..self.clone()
        };
        let (across, down) = layout.cell_size();
        let keys = self.key_labels.clone().part(viewport.columns());
        let turn = if keys.widest() + LEVEL_PADDING <= across {
            LabelRotation::Level
        } else {
            self.key_labels.turn
        };
        layout.key_labels = keys.fit(across, turn);
        let queries = self.query_labels.clone().part(viewport.rows());
        layout.query_labels = queries.fit(down, LabelRotation::Level);
        layout
    }

    /// Where the whole map stands in small while `viewport` is shown: in the lower right corner of the plot; in the upper left one
    /// where the viewport ends in the lower right of the map, and away from a `chosen` cell. What lies below it can be moved away
    /// from there.
    pub fn overview(&self, viewport: &Viewport, chosen: Option<(usize, usize)>) -> Rect {
        let [rows, columns] = viewport.whole.map(|cells| cells as f64);
        let most = OVERVIEW
            .0
            .min(OVERVIEW.1 * self.plot.width.max(self.plot.height));
        let side = |cells: f64| (most * cells / rows.max(columns)).max(THINNEST);
        let (width, height) = (side(columns), side(rows));
        let (x, y) = if viewport.has_overview_above(chosen) {
            (INSET, INSET)
        } else {
            (
                self.plot.width - width - INSET,
                self.plot.height - height - INSET,
            )
        };
        Rect {
            x: self.plot.x + x,
            y: self.plot.y + y,
            width,
            height,
        }
    }

    /// Layout of the overview that takes `place`.
    pub fn in_overview(&self, place: Rect, [rows, columns]: [usize; 2]) -> Self {
        let axis = |cells, css: f64| {
            let pixels = ((css - 2.0 * OVERVIEW_MARGIN) * self.dpr).round().max(1.0);
            Axis::new(cells, pixels as u32)
        };
        let axes = [axis(rows, place.height), axis(columns, place.width)];
        let plot = Rect {
            x: OVERVIEW_MARGIN,
            y: OVERVIEW_MARGIN,
            ..place
        };
        Self {
            width: place.width,
            height: place.height,
            ..Self::bare(plot, axes, self.dpr)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole() -> Viewport {
        Viewport::whole(64, 64).expect("large enough")
    }

    #[test]
    fn small_maps_are_not_zoomed_into() {
        assert_eq!(Viewport::whole(32, 32), None);
        assert_eq!(Viewport::whole(0, 99), None);
        assert!(Viewport::whole(1, 33).is_some_and(|whole| whole.is_whole()));
    }

    #[test]
    fn a_frame_is_shown_with_the_proportions_of_the_map() {
        let framed = whole().framed((39, 2), (11, 30));
        assert_eq!((framed.rows(), framed.columns()), (11..40, 2..31));
        let wide = whole().framed((20, 10), (21, 29));
        assert_eq!((wide.rows(), wide.columns()), (11..31, 10..30));
        let cell = whole().framed((63, 0), (63, 0));
        assert_eq!((cell.rows(), cell.columns()), (60..64, 0..4));
        let flat = Viewport::whole(10, 100).expect("large enough");
        let framed = flat.framed((2, 50), (4, 52));
        assert_eq!((framed.rows(), framed.columns()), (2..5, 37..67));
    }

    #[test]
    fn zooming_keeps_the_cell_under_the_pointer() {
        let near = whole().zoomed(2.0, (40, 10));
        assert_eq!((near.rows(), near.columns()), (20..52, 5..37));
        let back = near.zoomed(0.5, (40, 10));
        assert!(back.is_whole());
        let closest = (0..40).fold(whole(), |at, _| at.zoomed(1.25, (63, 63)));
        assert_eq!((closest.rows(), closest.columns()), (60..64, 60..64));
    }

    #[test]
    fn what_is_moved_stays_on_the_map() {
        let near = whole().framed((0, 0), (15, 15));
        let to = |down, across| {
            let panned = near.panned(down, across);
            (panned.rows(), panned.columns())
        };
        assert_eq!(to(0.5, 0.25), (24..40, 8..24));
        assert_eq!(to(2.0, -1.0), (48..64, 0..16));
        let shown = near.showing(Some(20), Some(3));
        assert_eq!((shown.rows(), shown.columns()), (5..21, 0..16));
        assert_eq!(shown.showing(None, Some(15)), shown);
    }

    proptest! {
        #[test]
        fn viewports_lie_on_their_map_and_keep_their_cell(
            (rows, columns) in (1_usize..300, 33_usize..300),
            steps in proptest::collection::vec((0.2_f64..5.0, 0.0_f64..1.0, 0.0_f64..1.0), 1..12),
        ) {
            let mut at = Viewport::whole(rows, columns).expect("large enough");
            for (factor, down, across) in steps {
                let cell = |range: Range<usize>, share: f64| {
                    range.start + ((range.len() - 1) as f64 * share).round() as usize
                };
                let cell = (cell(at.rows(), down), cell(at.columns(), across));
                at = at.zoomed(factor, cell);
                prop_assert!(at.rows().end <= rows && at.columns().end <= columns);
                prop_assert!(at.rows().contains(&cell.0) && at.columns().contains(&cell.1), "{cell:?} in {at:?}");
                prop_assert!(at.panned(down, across).is_of(rows, columns));
            }
        }
    }
}
