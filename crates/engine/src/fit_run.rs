//! A descent towards wanted attention with all its distances, and the same for several `d_k`.

wasm_chunks::chunk!("models");

use attention::Error;
use model::fit::{Fit, FitOptions, STEPS, Target};

/// The sizes that are tried one after the other.
pub const D_KS: [usize; 6] = [1, 2, 3, 4, 6, 8];

/// A descent, and how far it was from the target before its first step and after each.
pub struct FitRun {
    fit: Fit,
    distances: Vec<f64>,
}

impl FitRun {
    /// One that has taken no step.
    ///
    /// # Errors
    /// As [`Fit::new`].
    pub fn new(words: &[usize], target: Target, options: FitOptions) -> Result<Self, Error> {
        let fit = Fit::new(words, target, options)?;
        Ok(Self {
            distances: vec![fit.distance()],
            fit,
        })
    }

    /// Takes a step, if there are any left; whether there are more to take.
    ///
    /// # Errors
    /// As [`Fit::step`].
    pub fn step(&mut self) -> Result<bool, Error> {
        if !self.is_done() {
            self.fit.step()?;
            self.distances.push(self.fit.distance());
        }
        Ok(!self.is_done())
    }

    /// How many steps have been taken.
    pub fn steps(&self) -> usize {
        self.distances.len() - 1
    }

    /// Whether all steps have been taken, or none is to be taken.
    pub fn is_done(&self) -> bool {
        self.steps() >= STEPS || self.fit.target().painted() == 0
    }

    /// Returns the best fit so far.
    pub fn fit(&self) -> &Fit {
        &self.fit
    }

    /// Distances in nats, before the first step and after each.
    pub fn distances(&self) -> &[f64] {
        &self.distances
    }
}

/// Remaining distance at each of [`D_KS`].
pub struct Sweep {
    words: Vec<usize>,
    target: Target,
    options: FitOptions,
    run: Option<FitRun>,
    remaining: Vec<(usize, f64)>,
}

impl Sweep {
    /// One that has done nothing; the `d_k` of `options` is not used.
    pub fn new(words: &[usize], target: Target, options: FitOptions) -> Self {
        Self {
            words: words.to_vec(),
            target,
            options,
            run: None,
            remaining: Vec::new(),
        }
    }

    /// Takes a step of the next size; whether there are more to take.
    ///
    /// # Errors
    /// As [`FitRun::new`] and [`FitRun::step`].
    pub fn step(&mut self) -> Result<bool, Error> {
        let Some(d_k) = D_KS.get(self.remaining.len()).copied() else {
            return Ok(false);
        };
        let mut run = match self.run.take() {
            Some(run) => run,
            None => self.begin(d_k)?,
        };
        if run.step()? {
            self.run = Some(run);
        } else {
            self.remaining.push((d_k, run.fit().distance()));
        }
        Ok(self.remaining.len() < D_KS.len())
    }

    /// Each `d_k` that is done, with the distance that remains.
    pub fn remaining(&self) -> &[(usize, f64)] {
        &self.remaining
    }

    fn begin(&self, d_k: usize) -> Result<FitRun, Error> {
        let options = FitOptions {
            d_k,
            ..self.options
        };
        FitRun::new(&self.words, self.target.clone(), options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of five words looks at the one before it.
    fn target() -> Target {
        let cells: Vec<bool> = (0..25).map(|at| at / 5 == at % 5 + 1).collect();
        Target::from_cells(5, &cells).expect("square")
    }

    fn options(d_k: usize) -> FitOptions {
        FitOptions {
            heads: 1,
            d_k,
            has_positions: true,
            seed: 2,
        }
    }

    #[test]
    fn a_sweep_ends_where_each_size_ends_by_itself() {
        let words = [0, 1, 2, 3, 4];
        let mut sweep = Sweep::new(&words, target(), options(7));
        let mut steps = 1;
        while sweep.step().expect("finite") {
            steps += 1;
        }
        assert_eq!(steps, D_KS.len() * STEPS);
        assert!(!sweep.step().expect("finite"));
        for (d_k, remains) in [sweep.remaining()[0], sweep.remaining()[2]] {
            let mut run = FitRun::new(&words, target(), options(d_k)).expect("fits");
            while run.step().expect("finite") {}
            assert_eq!(run.distances().len(), STEPS + 1);
            assert_eq!(run.distances().last(), Some(&remains), "d_k {d_k}");
        }
    }

    #[test]
    fn nothing_painted_is_done_at_once() {
        let nothing = Target::from_cells(3, &[false; 9]).expect("square");
        let mut run = FitRun::new(&[0, 1, 2], nothing.clone(), options(2)).expect("fits");
        assert!(run.is_done());
        assert!(!run.step().expect("finite"));
        assert_eq!(run.steps(), 0);
        let mut sweep = Sweep::new(&[0, 1, 2], nothing, options(2));
        while sweep.step().expect("finite") {}
        assert!(sweep.remaining().iter().all(|(_, remains)| *remains == 0.0));
    }
}
