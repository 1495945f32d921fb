//! What the panel holds: words, painted cells, sizes, and the descent towards them.

use super::MOST_WORDS;
use super::pattern::Pattern;
use super::view::DrawView;
use crate::engine::fit_run::{D_KS, FitRun, Sweep};
use crate::i18n::Language;
use crate::present::roving;
use crate::scene::colour::Lut;
use crate::state::cells_between;
use attention::Error;
use attention::fit::{FitOptions, Target};
use attention::text::embedding::fold;

/// A cell of the target: its row and its key.
pub type TargetCell = (usize, usize);

/// A stroke over the target.
#[derive(Clone, Copy)]
struct Stroke {
    last: TargetCell,
    paints: bool,
}

/// The sentence, the target, and what has been found for it.
pub struct DrawLab {
    tokens: Vec<String>,
    total: usize,
    words: Vec<usize>,
    pattern: Pattern,
    cells: Vec<bool>,
    options: FitOptions,
    found: Option<Found>,
    stroke: Option<Stroke>,
    cell: TargetCell,
}

/// What a target has come to.
pub(super) struct Found {
    pub(super) run: FitRun,
    pub(super) sweep: Option<Sweep>,
}

impl DrawLab {
    /// One for a sentence.
    pub fn new(tokens: &[String]) -> Self {
        let mut lab = Self {
            tokens: Vec::new(),
            total: 0,
            words: Vec::new(),
            pattern: Pattern::Previous,
            cells: Vec::new(),
            options: FitOptions {
                heads: 1,
                d_k: 2,
                has_positions: true,
                seed: 1,
            },
            found: None,
            stroke: None,
            cell: (0, 0),
        };
        lab.read(tokens);
        lab
    }

    /// Takes another sentence, as far as its words are used; what was painted by hand stays where there are still cells.
    pub fn read(&mut self, tokens: &[String]) {
        let used = &tokens[..tokens.len().min(MOST_WORDS)];
        if self.tokens == used && self.total == tokens.len() {
            return;
        }
        let before = self.tokens.len();
        let folded: Vec<String> = used.iter().map(|token| fold(token)).collect();
        let first = |word: &String| folded.iter().position(|other| other == word).unwrap_or(0);
        self.words = folded.iter().map(first).collect();
        (self.tokens, self.total) = (used.to_vec(), tokens.len());
        let n = used.len();
        let last = n.saturating_sub(1);
        let painted = |(row, key): TargetCell| {
            let is_there = row < before && key < before;
            is_there && self.cells.get(row * before + key) == Some(&true)
        };
        let all = (0..n).flat_map(|row| (0..n).map(move |key| (row, key)));
        let kept = all.map(painted).collect();
        self.cells = self.pattern.cells(&self.words).unwrap_or(kept);
        self.cell = (self.cell.0.min(last), self.cell.1.min(last));
        self.stroke = None;
        self.begin();
    }

    /// Takes another pattern; the reader's own begins with what is there.
    pub fn choose(&mut self, pattern: Pattern) {
        self.pattern = pattern;
        if let Some(cells) = pattern.cells(&self.words) {
            self.cells = cells;
            self.begin();
        }
    }

    /// Takes away all that is painted.
    pub fn clear(&mut self) {
        self.pattern = Pattern::Own;
        self.cells.fill(false);
        self.begin();
    }

    /// Begins a stroke, which paints where the cell is empty and clears where it is painted.
    pub fn begin_stroke(&mut self, cell: TargetCell) {
        let paints = !self.is_painted(cell);
        self.stroke = Some(Stroke { last: cell, paints });
        self.cell = cell;
        self.extend_stroke(cell);
    }

    /// Whether there is a stroke, and its last cell is another one.
    pub fn extends_stroke(&self, cell: TargetCell) -> bool {
        self.stroke.is_some_and(|stroke| stroke.last != cell)
    }

    /// Paints from the last cell of a stroke to another one, if there is a stroke.
    pub fn extend_stroke(&mut self, cell: TargetCell) {
        let n = self.tokens.len();
        let Some(stroke) = self.stroke.filter(|_| cell.0 < n && cell.1 < n) else {
            return;
        };
        for (row, key) in cells_between(stroke.last, cell) {
            self.cells[row * n + key] = stroke.paints;
        }
        self.stroke = Some(Stroke {
            last: cell,
            ..stroke
        });
        self.pattern = Pattern::Own;
        self.begin();
    }

    /// Ends a stroke.
    pub fn end_stroke(&mut self) {
        self.stroke = None;
    }

    /// Moves between cells by a key; whether it is one that does.
    pub fn move_by(&mut self, key: &str) -> bool {
        let n = self.tokens.len();
        let (row, column) = self.cell;
        let across = roving::target(key, ["ArrowLeft", "ArrowRight"], column, n);
        let down = roving::target(key, ["ArrowUp", "ArrowDown"], row, n);
        match (across, down) {
            // Home and End lead along the row.
            (Some(column), _) => self.cell.1 = column,
            (None, Some(row)) => self.cell.0 = row,
            (None, None) => return false,
        }
        true
    }

    /// Takes another cell as the one of the keyboard.
    pub fn set_cell(&mut self, cell: usize) {
        let n = self.tokens.len();
        if cell < n * n {
            self.cell = (cell / n, cell % n);
        }
    }

    /// How many words are used.
    pub fn length(&self) -> usize {
        self.tokens.len()
    }

    /// The cell that the keyboard stands on.
    pub fn cell(&self) -> TargetCell {
        self.cell
    }

    /// The chosen pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// How the target is aimed at.
    pub fn options(&self) -> FitOptions {
        self.options
    }

    /// Aims at the target in another way. What remains at each `d_k` stays where that is all that differs.
    pub fn set_options(&mut self, options: FitOptions) {
        let at_other = FitOptions {
            d_k: self.options.d_k,
            ..options
        };
        let sweep = self.found.take().and_then(|found| found.sweep);
        let sweep = sweep.filter(|_| at_other == self.options);
        self.options = options;
        self.begin();
        if let Some(found) = &mut self.found {
            found.sweep = sweep;
        }
    }

    /// Begins once more from other random numbers.
    pub fn start_again(&mut self) {
        let seed = self.options.seed.wrapping_add(1);
        self.set_options(FitOptions {
            seed,
            ..self.options
        });
    }

    /// Whether a step has been taken towards this target.
    pub fn is_begun(&self) -> bool {
        self.found
            .as_ref()
            .is_some_and(|found| found.run.steps() > 0)
    }

    /// Whether there is nothing left to do for this target.
    pub fn is_done(&self) -> bool {
        self.found.as_ref().is_none_or(|found| found.run.is_done())
    }

    /// Whether nothing is painted.
    pub fn is_empty(&self) -> bool {
        !self.cells.contains(&true)
    }

    /// Takes a step; whether there are more to take.
    ///
    /// # Errors
    /// As [`FitRun::step`].
    pub fn step(&mut self) -> Result<bool, Error> {
        self.found
            .as_mut()
            .map_or(Ok(false), |found| found.run.step())
    }

    /// Begins to find what remains at each `d_k`.
    pub fn begin_sweep(&mut self) {
        if let Some(found) = &mut self.found {
            let target = found.run.fit().target().clone();
            found.sweep = Some(Sweep::new(&self.words, target, self.options));
        }
    }

    /// Takes a step towards what remains at each `d_k`; whether there are more to take.
    ///
    /// # Errors
    /// As [`Sweep::step`].
    pub fn step_sweep(&mut self) -> Result<bool, Error> {
        let sweep = self.found.as_mut().and_then(|found| found.sweep.as_mut());
        sweep.map_or(Ok(false), Sweep::step)
    }

    /// Whether what remains at each `d_k` is known, or being found.
    pub fn has_sweep(&self) -> bool {
        self.found
            .as_ref()
            .is_some_and(|found| found.sweep.is_some())
    }

    /// Whether what remains at each `d_k` is known.
    pub fn is_swept(&self) -> bool {
        self.swept() == D_KS.len()
    }

    /// How many `d_k` are done.
    pub fn swept(&self) -> usize {
        let sweep = self.found.as_ref().and_then(|found| found.sweep.as_ref());
        sweep.map_or(0, |sweep| sweep.remaining().len())
    }

    /// What is to be seen, with charts `width` CSS pixels across.
    pub fn view<'a>(&'a self, lut: &'a Lut, width: f64, language: Language) -> DrawView<'a> {
        DrawView {
            tokens: &self.tokens,
            total: self.total,
            words: &self.words,
            cells: &self.cells,
            cell: self.cell,
            options: self.options,
            found: self.found.as_ref(),
            width,
            lut,
            language,
        }
    }

    fn is_painted(&self, (row, key): TargetCell) -> bool {
        self.cells.get(row * self.tokens.len() + key) == Some(&true)
    }

    /// A descent that has done nothing yet; none where there are no words.
    fn begin(&mut self) {
        let target = Target::from_cells(self.tokens.len(), &self.cells);
        let run = target.and_then(|target| FitRun::new(&self.words, target, self.options));
        self.found = run.ok().map(|run| Found { run, sweep: None });
    }
}

#[cfg(test)]
mod tests;
