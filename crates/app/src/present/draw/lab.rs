//! State of the drawing panel: words, painted cells, sizes, and the gradient descent towards the
//! target.

use super::MOST_WORDS;
use super::pattern::Pattern;
use super::view::DrawView;
use crate::i18n::Language;
use crate::present::names;
use crate::present::painted_grid::{GridChange, GridEvent, PaintedGrid};
use crate::scene::colour::Lut;
use attention::Error;
use attention::text::embedding::fold;
use engine::fit_run::{D_KS, FitRun, Sweep};
use model::fit::{FitOptions, Target};

/// The sentence, the target, and what has been found for it.
pub struct DrawLab {
    tokens: Vec<String>,
    /// Displayed words.
    names: Vec<String>,
    total: usize,
    words: Vec<usize>,
    pattern: Pattern,
    grid: PaintedGrid,
    options: FitOptions,
    found: Option<Found>,
}

/// Result for a target.
pub(super) struct Found {
    pub(super) run: FitRun,
    pub(super) sweep: Option<Sweep>,
}

impl DrawLab {
    /// Lab for a sentence.
    pub fn new(tokens: &[String]) -> Self {
        let mut lab = Self {
            tokens: Vec::new(),
            names: Vec::new(),
            total: 0,
            words: Vec::new(),
            pattern: Pattern::Previous,
            grid: PaintedGrid::default(),
            options: FitOptions {
                heads: 1,
                d_k: 2,
                has_positions: true,
                seed: 1,
            },
            found: None,
        };
        lab.read(tokens);
        lab
    }

    /// Sets the sentence, truncated to [`MOST_WORDS`]; cells painted by hand stay where the grid
    /// still has them.
    pub fn read(&mut self, tokens: &[String]) {
        if self.reads(tokens) {
            return;
        }
        let used = &tokens[..tokens.len().min(MOST_WORDS)];
        let folded: Vec<String> = used.iter().map(|token| fold(token)).collect();
        let first = |word: &String| folded.iter().position(|other| other == word).unwrap_or(0);
        self.words = folded.iter().map(first).collect();
        (self.tokens, self.total) = (used.to_vec(), tokens.len());
        self.names = names::tokens(used);
        self.grid.resize(used.len());
        self.take_pattern();
        self.begin();
    }

    /// Whether these tokens are those of the sentence.
    pub fn reads(&self, tokens: &[String]) -> bool {
        self.tokens == tokens[..tokens.len().min(MOST_WORDS)] && self.total == tokens.len()
    }

    /// Sets the pattern; the user's own starts from the current cells.
    pub fn choose(&mut self, pattern: Pattern) {
        self.pattern = pattern;
        if self.take_pattern() {
            self.begin();
        }
    }

    /// Paints the cells of the pattern; `false` for the user's own, which has none.
    fn take_pattern(&mut self) -> bool {
        let Some(cells) = self.pattern.cells(&self.words) else {
            return false;
        };
        self.grid.set_cells(cells);
        true
    }

    /// Clears all painted cells.
    pub fn clear(&mut self) {
        self.pattern = Pattern::Own;
        self.grid = PaintedGrid::new(self.tokens.len());
        self.begin();
    }

    /// Handles an event of the grid; a changed target restarts the descent.
    pub fn take(&mut self, event: GridEvent) -> GridChange {
        let change = self.grid.take(event);
        if change == GridChange::Painted {
            self.pattern = Pattern::Own;
            self.begin();
        }
        change
    }

    /// The cells of the target.
    pub fn grid(&self) -> &PaintedGrid {
        &self.grid
    }

    /// The chosen pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// Returns the options of the fit.
    pub fn options(&self) -> FitOptions {
        self.options
    }

    /// Sets the options and restarts the descent. The remaining distances at each `d_k` are kept if
    /// only `d_k` differs.
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

    /// Restarts with other random numbers.
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

    /// Takes a step; returns whether there are more.
    ///
    /// # Errors
    /// As [`FitRun::step`].
    pub fn step(&mut self) -> Result<bool, Error> {
        self.found
            .as_mut()
            .map_or(Ok(false), |found| found.run.step())
    }

    /// Starts to compute the remaining distance at each `d_k`.
    pub fn begin_sweep(&mut self) {
        if let Some(found) = &mut self.found {
            let target = found.run.fit().target().clone();
            found.sweep = Some(Sweep::new(&self.words, target, self.options));
        }
    }

    /// Takes a step of the sweep over `d_k`; returns whether there are more.
    ///
    /// # Errors
    /// As [`Sweep::step`].
    pub fn step_sweep(&mut self) -> Result<bool, Error> {
        let sweep = self.found.as_mut().and_then(|found| found.sweep.as_mut());
        sweep.map_or(Ok(false), Sweep::step)
    }

    /// Whether the remaining distance at each `d_k` is known, or being computed.
    pub fn has_sweep(&self) -> bool {
        self.found
            .as_ref()
            .is_some_and(|found| found.sweep.is_some())
    }

    /// Whether the remaining distance at each `d_k` is known.
    pub fn is_swept(&self) -> bool {
        self.swept() == D_KS.len()
    }

    /// How many `d_k` are done.
    pub fn swept(&self) -> usize {
        let sweep = self.found.as_ref().and_then(|found| found.sweep.as_ref());
        sweep.map_or(0, |sweep| sweep.remaining().len())
    }

    /// View of the panel, with charts `width` CSS pixels wide.
    pub fn view<'a>(&'a self, lut: &'a Lut, width: f64, language: Language) -> DrawView<'a> {
        DrawView {
            tokens: &self.names,
            total: self.total,
            words: &self.words,
            grid: &self.grid,
            options: self.options,
            found: self.found.as_ref(),
            width,
            lut,
            language,
        }
    }

    /// Prepares a descent; none without words.
    fn begin(&mut self) {
        let target = Target::from_cells(self.tokens.len(), self.grid.cells());
        let run = target.and_then(|target| FitRun::new(&self.words, target, self.options));
        self.found = run.ok().map(|run| Found { run, sweep: None });
    }
}

#[cfg(test)]
mod tests;
