//! Masks that are painted on the map of the chosen head.

use super::Inner;
use super::work::Work;
use crate::browser::panels::painting::focus_cell;
use app::present::painted_grid::{GridChange, GridEvent, PaintedGrid};

impl Inner {
    /// Writes the current step to the state once the user has stopped moving, and measures
    /// the effect of the masks there.
    pub(super) fn come_to_rest(&mut self) {
        self.tell_step();
        let has_masks = self.lab.as_ref().is_some_and(|lab| lab.masks().total() > 0);
        if has_masks {
            self.start(Work::Masks);
        }
    }

    /// Hides cells from the chosen head or shows them, and measures once a stroke has ended.
    pub(super) fn paint(&mut self, event: GridEvent<'_>) -> GridChange {
        let Some(lab) = &mut self.lab else {
            return GridChange::Nothing;
        };
        let change = lab.paint(event);
        let is_key = matches!(event, GridEvent::Key(..));
        match change {
            GridChange::Nothing => {}
            GridChange::Painted if is_key => self.start(Work::Masks),
            GridChange::Released => self.start(Work::Masks),
            GridChange::Painted => self.work = None,
            GridChange::Focused | GridChange::Moved => {}
        }
        if change != GridChange::Nothing {
            self.draw();
        }
        if let (GridChange::Moved, Some(grid)) = (change, self.grid()) {
            focus_cell(&self.map, grid.cell(), grid.length());
        }
        change
    }

    fn grid(&self) -> Option<&PaintedGrid> {
        let lab = self.lab.as_ref()?;
        lab.masks().of(lab.head)
    }
}
