//! A cell of a grid that is painted (`data-paint-cell`), with one stop of the grid for Tab.

wasm_chunks::chunk!("models");

use super::{Markup, html};
use crate::present::painted_grid::PaintedCell;
use crate::present::training::MapCell;

/// The cell with its number.
pub fn painted_cell(at: usize, cell: &PaintedCell) -> Markup {
    let MapCell { value, colours } = &cell.map;
    html! {
        td role="gridcell" data-paint-cell=(at) tabindex=(if cell.is_stop { "0" } else { "-1" }) aria-selected=(cell.is_painted)
            aria-label=(cell.name) data-ground=(colours[0]) data-ink=(colours[1]) { (value) }
    }
}
