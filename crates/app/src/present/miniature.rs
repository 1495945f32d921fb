//! A small map of a step, with marks on its cells.

use std::rc::Rc;

use super::colour_style::ColourStyle;
use super::displayed_matrix;
use super::run::Run;
use super::steps::explain::CellRef;
use crate::scene::axis::Axis;
use crate::scene::heatmap::{Grid, HeatmapImage};
use crate::scene::layout::{MapLayout, Rect};
use crate::scene::role::Role;
use crate::scene::shape::Shape;
use crate::state::StepKind;
use crate::state::steps::begins_with_queries;

/// Side of the largest cell, and of the smallest where there is room, in CSS pixels.
const CELL: [f64; 2] = [16.0, 4.0];
/// Side of the smallest mark on a lit cell.
const LIT: f64 = 3.0;
/// Thickness of the lines beside a row.
const LINE: f64 = 1.0;

/// The matrix of a step, and how large it may be in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miniature {
    pub step: StepKind,
    pub room: [f64; 2],
}

impl Miniature {
    /// Paints the matrix; `false` where its numbers are not there yet.
    pub fn paint(
        self,
        (run, head): (&Run, usize),
        colours: &ColourStyle,
        dpr: f64,
        image: &mut HeatmapImage,
    ) -> bool {
        let Some(matrix) = run.matrix(self.step, head) else {
            return false;
        };
        let hidden = displayed_matrix::hidden(run, &matrix);
        let Ok(grid) = Grid::new(&matrix.values, &hidden) else {
            return false;
        };
        let (style, hatch) = (
            colours.style(self.step, &matrix, &hidden),
            colours.hatch(dpr),
        );
        let layout = lay_out([matrix.rows, matrix.columns], self.room, dpr);
        image.paint(Rc::new(layout), &grid, &style.pixels(&hatch));
        true
    }

    /// Marks of the cells of a step among `places`, and of the row of `query` where its rows are queries.
    pub fn marks(
        step: StepKind,
        layout: &MapLayout,
        places: &[CellRef],
        query: Option<usize>,
    ) -> Vec<Shape> {
        let row = query.filter(|_| begins_with_queries(step));
        let beside = row.map(|row| beside(layout, row));
        let own = places.iter().filter(|place| place.step == step);
        let cells = own.map(|place| mark(layout.cell_rect(place.row, place.column)));
        beside.into_iter().flatten().chain(cells).collect()
    }
}

/// A line above a row and one below it.
fn beside(layout: &MapLayout, row: usize) -> [Shape; 2] {
    let row = layout.row_rect(row);
    [row.y - LINE, row.y + row.height].map(|y| Shape::Rect {
        rect: Rect {
            y,
            height: LINE,
            ..layout.plot
        },
        role: Role::CrossQuery,
    })
}

/// A small square in the middle of a cell, over all of it where it is smaller.
fn mark(cell: Rect) -> Shape {
    let [width, height] = [cell.width, cell.height].map(|length| (length / 2.0).max(LIT));
    Shape::Rect {
        rect: Rect {
            x: cell.x + cell.width / 2.0 - width / 2.0,
            y: cell.y + cell.height / 2.0 - height / 2.0,
            width,
            height,
        },
        role: Role::Ring,
    }
}

/// A matrix in `room`: square cells where both sides are then large enough to be seen.
fn lay_out([rows, columns]: [usize; 2], [wide, high]: [f64; 2], dpr: f64) -> MapLayout {
    let [down, across] = [rows, columns].map(|cells| cells.max(1) as f64);
    let cell = (wide / across).min(high / down).min(CELL[0]);
    let side = |cells: f64, most: f64| (cells * cell).max((cells * CELL[1]).min(most));
    let (width, height) = (side(across, wide), side(down, high));
    let device = |css: f64| (css * dpr).round().max(1.0) as u32;
    let axes = [
        Axis::new(rows, device(height)),
        Axis::new(columns, device(width)),
    ];
    let plot = Rect {
        width: f64::from(axes[1].pixels()) / dpr,
        height: f64::from(axes[0].pixels()) / dpr,
        ..Rect::default()
    };
    MapLayout {
        width,
        height,
        ..MapLayout::bare(plot, axes, dpr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    const ROOM: [f64; 2] = [72.0, 60.0];

    fn painted(link: &str, step: StepKind) -> Option<HeatmapImage> {
        let run = computed(link);
        let mut image = HeatmapImage::default();
        let own = Miniature { step, room: ROOM };
        let is_there = own.paint((&run, 0), &ColourStyle::plain(), 2.0, &mut image);
        is_there.then_some(image)
    }

    #[test]
    fn cells_are_square_where_there_is_room_and_never_too_thin() {
        let size = |cells| {
            let layout = lay_out(cells, ROOM, 1.0);
            (layout.width, layout.height)
        };
        assert_eq!(size([3, 3]), (48.0, 48.0), "no larger than 16 pixels");
        assert_eq!(size([10, 5]), (30.0, 60.0), "as high as there is room");
        assert_eq!(size([100, 2]), (8.0, 60.0), "at least 4 pixels wide");
        assert_eq!(size([0, 0]), (16.0, 16.0));
    }

    #[test]
    fn every_step_with_numbers_fits_its_room_on_whole_pixels() {
        let run = computed("text=a+b+c+d+e&heads=2&weights=random&mask=causal");
        for step in run.steps.clone() {
            let Some(image) = painted("text=a+b+c+d+e&heads=2&weights=random&mask=causal", step)
            else {
                continue;
            };
            let layout = image.layout().expect("painted");
            assert!(
                layout.width <= ROOM[0] && layout.height <= ROOM[1],
                "{step:?}"
            );
            let (width, height) = layout.size_device();
            assert_eq!(image.pixels().len() as u32, 4 * width * height, "{step:?}");
            assert_eq!(image.css_size(), Some((layout.width, layout.height)));
        }
    }

    #[test]
    fn marks_stand_in_the_middle_of_their_cells_and_beside_a_row_of_queries() {
        let image = painted("text=a+b+c&heads=1", StepKind::Weights).expect("weights");
        let layout = image.layout().expect("painted");
        let place = CellRef {
            step: StepKind::Weights,
            row: 2,
            column: 1,
        };
        let rects = |shapes: &[Shape]| -> Vec<_> {
            let rect = |shape: &Shape| match shape {
                Shape::Rect { rect, .. } => [rect.x, rect.y, rect.width, rect.height],
                _ => panic!("{shape:?}"),
            };
            shapes.iter().map(rect).collect()
        };
        let marks = Miniature::marks(StepKind::Weights, layout, &[place], Some(1));
        let expected = [
            [0.0, 15.0, 48.0, 1.0],
            [0.0, 32.0, 48.0, 1.0],
            [20.0, 36.0, 8.0, 8.0],
        ];
        assert_eq!(rects(&marks), expected);
        // Another step's cells are not its own, and rows of keys are not queries.
        assert!(Miniature::marks(StepKind::Keys, layout, &[place], Some(1)).is_empty());
    }
}
