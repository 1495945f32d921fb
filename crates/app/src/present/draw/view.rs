//! View of a target and of the weights found for it.

use super::MOST_WORDS;
use super::lab::Found;
use crate::i18n::{Key, Language, text};
use crate::present::painted_grid::{PaintedCell, PaintedGrid};
use crate::present::training::{MOST_WRITTEN, MapCell, map_cell};
use crate::scene::colour::Lut;
use engine::fit_run::Sweep;
use model::fit::{FitOptions, STEPS, Target};

/// View of the drawing panel.
pub struct DrawView<'a> {
    /// The words that are used.
    pub tokens: &'a [String],
    pub(super) total: usize,
    /// Equal words have equal numbers.
    pub(super) words: &'a [usize],
    pub(super) grid: &'a PaintedGrid,
    pub(super) options: FitOptions,
    pub(super) found: Option<&'a Found>,
    pub(super) width: f64,
    pub(super) lut: &'a Lut,
    pub(super) language: Language,
}

impl DrawView<'_> {
    /// Whether there are too many words for numbers and wide cells.
    pub fn is_dense(&self) -> bool {
        self.tokens.len() > MOST_WRITTEN
    }

    /// The cells of the target, row by row. Empty ones are not written in.
    pub fn painted_cells(&self) -> Vec<PaintedCell> {
        let n = self.tokens.len();
        let weights = self.target().map_or(&[][..], Target::weights);
        let cells = self.grid.cells().iter().zip(weights).enumerate();
        let cell = |(at, (is_painted, weight)): (usize, (&bool, &f32))| {
            let (row, key) = (at / n, at % n);
            let mut map = map_cell(*weight, n, self.lut);
            if !is_painted {
                map.value.clear();
            }
            PaintedCell {
                // What is seen in a cell has to stand in its name.
                name: text::training_looks(
                    self.language,
                    &self.tokens[row],
                    &self.tokens[key],
                    &map.value,
                )
                .trim_end()
                .to_owned(),
                is_painted: *is_painted,
                is_stop: (row, key) == self.grid.cell(),
                map,
            }
        };
        cells.map(cell).collect()
    }

    /// The weights that were found, row by row. Those of rows that take no part are not written.
    pub fn found_cells(&self) -> Vec<MapCell> {
        let n = self.tokens.len();
        let weights = self
            .found
            .map_or(&[][..], |found| found.run.fit().weights());
        let cell = |(at, weight): (usize, &f32)| {
            let mut map = map_cell(*weight, n, self.lut);
            if !self.takes_part(at / n) {
                map.value.clear();
            }
            map
        };
        weights.iter().enumerate().map(cell).collect()
    }

    /// Whether something is painted in a row.
    pub fn takes_part(&self, row: usize) -> bool {
        let n = self.tokens.len();
        let cells = self.grid.cells().get(row * n..(row + 1) * n);
        cells.is_some_and(|cells| cells.contains(&true))
    }

    /// Caption of the found weights: of one head, or the mean of several.
    pub fn found_name(&self) -> String {
        match self.options.heads {
            1 => Key::DrawFound.text(self.language).to_owned(),
            heads => text::draw_found_mean(self.language, &heads),
        }
    }

    /// Progress of the descent, as text.
    pub fn progress(&self) -> String {
        self.found.map_or_else(String::new, |found| {
            let distance = nats(found.run.fit().distance());
            text::draw_progress(self.language, &found.run.steps(), &STEPS, &distance)
        })
    }

    /// Note on a sentence that was truncated; empty otherwise.
    pub fn cut(&self) -> String {
        if self.total <= self.tokens.len() {
            return String::new();
        }
        text::draw_cut(self.language, &self.total, &MOST_WORDS)
    }

    /// Remaining distance at each `d_k`, as text.
    pub fn remaining(&self) -> String {
        let swept = self.swept().iter();
        let said: Vec<String> = swept
            .map(|(d_k, distance)| text::draw_remains(self.language, d_k, &nats(*distance)))
            .collect();
        said.join("\u{a0}· ")
    }

    pub(super) fn swept(&self) -> &[(usize, f64)] {
        let sweep = self.found.and_then(|found| found.sweep.as_ref());
        sweep.map_or(&[][..], Sweep::remaining)
    }

    pub(super) fn target(&self) -> Option<&Target> {
        self.found.map(|found| found.run.fit().target())
    }
}

/// Formats a distance; only exactly 0 is written as 0.
pub(super) fn nats(distance: f64) -> String {
    match distance {
        nothing if nothing <= 0.0 => "0".to_owned(),
        few if few < 0.001 => "<0.001".to_owned(),
        distance => format!("{distance:.3}"),
    }
}
