//! Masks that are painted on heads of the lab: what the model makes of them, and what it needs of what they hide.

use super::TrainingLab;
use crate::present::painted_grid::{GridChange, GridEvent, PaintedGrid};
use attention::Error;
use engine::training_run::{Reading, TrainingRun};
use model::Model;

/// Painted mask of each head, and its effect.
#[derive(Default)]
pub struct HeadMasks {
    grids: Vec<PaintedGrid>,
    /// Results without masks; `Some` only while a cell is masked.
    open: Option<Reading>,
    /// Share of right answers with what is hidden.
    right: Option<f64>,
}

impl HeadMasks {
    pub(super) fn new(heads: usize, words: usize) -> Self {
        Self {
            grids: vec![PaintedGrid::new(words); heads],
            ..Self::default()
        }
    }

    /// The cells of a head; heads count on through the layers.
    pub fn of(&self, head: usize) -> Option<&PaintedGrid> {
        self.grids.get(head)
    }

    /// Cells that are hidden from a head.
    pub fn count(&self, head: usize) -> usize {
        self.of(head).map_or(0, |grid| grid.painted().count())
    }

    /// Cells that are hidden from all heads together.
    pub fn total(&self) -> usize {
        (0..self.grids.len()).map(|head| self.count(head)).sum()
    }

    /// Results without masks; `None` if no cell is masked.
    pub fn open(&self) -> Option<&Reading> {
        self.open.as_ref()
    }

    /// Share of right answers with what is hidden, where that has been measured.
    pub fn right(&self) -> Option<f64> {
        self.right
    }

    /// The model that does not see what is hidden.
    pub(super) fn apply(&self, model: Model) -> Result<Model, Error> {
        let heads = model.config().heads;
        let grids = self.grids.iter().enumerate();
        let mut painted = grids.filter(|(_, grid)| !grid.is_empty());
        painted.try_fold(model, |model, (head, grid)| {
            let cells: Vec<_> = grid.painted().collect();
            model.with_hidden(head / heads, head % heads, &cells)
        })
    }

    /// Reads words after `step` steps, with what is hidden and without; the reading with it is returned.
    pub(super) fn read(
        &mut self,
        run: &TrainingRun,
        step: usize,
        words: &[usize],
    ) -> Result<Reading, Error> {
        for grid in &mut self.grids {
            if grid.length() != words.len() {
                grid.resize(words.len());
            }
        }
        let open = run.read(step, words.to_vec())?;
        self.right = None;
        if self.total() == 0 {
            self.open = None;
            return Ok(open);
        }
        self.open = Some(open);
        Reading::new(&self.apply(run.model(step)?)?, words.to_vec())
    }
}

impl TrainingLab {
    /// Returns the masks of the heads.
    pub fn masks(&self) -> &HeadMasks {
        &self.masks
    }

    /// Does on the map of the chosen head what somebody has done: painted cells are hidden from it.
    pub fn paint(&mut self, event: GridEvent) -> GridChange {
        let grid = self.masks.grids.get_mut(self.head);
        let change = grid.map_or(GridChange::Nothing, |grid| grid.take(event));
        if change == GridChange::Painted {
            self.look_at(self.step);
            self.forget_names();
        }
        change
    }

    /// Hides nothing any more.
    pub fn show_all_cells(&mut self) {
        self.masks = HeadMasks::new(self.run.heads(), self.words.len());
        self.look_at(self.step);
        self.forget_names();
    }

    /// Measures how much is right with what is hidden, after what is right with all; whether there is more to measure.
    pub fn measure_masks(&mut self) -> bool {
        if self.masks.total() == 0 {
            return false;
        }
        if self.ablation.whole.is_none() {
            return self.measure_next();
        }
        let model = self.run.model(self.step);
        let model = model.and_then(|model| self.masks.apply(model));
        let score = model.and_then(|model| self.run.score_of(&model));
        self.masks.right = score.ok().map(|score| score.accuracy);
        false
    }
}
