//! Average behaviours of the heads of a run's models.

use super::TrainingRun;
use attention::Error;
use model::Model;
use model::behaviour::{Shares, Tally};

/// Examples that are counted at once.
const AT_ONCE: usize = 32;

/// Behaviours of heads on the held-out examples, counted in slices.
#[derive(Default)]
pub struct Measure {
    tally: Tally,
    counted: usize,
}

impl Measure {
    /// Returns the shares of each head over the examples counted so far; heads count on through the
    /// layers.
    pub fn shares(&self) -> Vec<Shares> {
        self.tally.shares()
    }
}

impl TrainingRun {
    /// Counts some more of the held-out examples, for a model of the run's sizes; whether some are left.
    ///
    /// # Errors
    /// As [`Model::forward`].
    pub fn measure(&self, model: &Model, measure: &mut Measure) -> Result<bool, Error> {
        let all = self.held_out()?;
        let last = all.words().batch().min(measure.counted + AT_ONCE);
        measure.tally.add(model, &all.part(measure.counted..last))?;
        measure.counted = last;
        Ok(last < all.words().batch())
    }

    /// Behaviours of each head of the model after `step` steps on the held-out examples.
    ///
    /// # Errors
    /// As [`measure`](Self::measure).
    pub fn shares(&self, step: usize) -> Result<Vec<Shares>, Error> {
        let (model, mut measure) = (self.model(step)?, Measure::default());
        while self.measure(&model, &mut measure)? {}
        Ok(measure.shares())
    }
}
