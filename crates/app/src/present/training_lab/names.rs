//! Average behaviours of the lab's heads. Measuring takes as long as several training steps, so it
//! runs while training is paused.

use super::TrainingLab;
use attention::Error;
use engine::training_run::{Measure, TrainingRun};
use model::Model;
use model::behaviour::{Behaviour, Shares, named};

/// Behaviours of the heads at the current step.
#[derive(Default)]
pub struct HeadNames {
    measure: Measure,
    /// Nothing before all is counted, and nothing of a model that makes no numbers.
    shares: Option<Vec<Shares>>,
}

impl HeadNames {
    /// Named behaviour of a head and its share; `None` if unnamed or not measured. Heads count on
    /// through the layers.
    pub fn of(&self, head: usize) -> Option<(Behaviour, f64)> {
        named(self.shares.as_ref()?.get(head)?)
    }

    /// Whether all has been counted.
    fn is_measured(&self) -> bool {
        self.shares.is_some()
    }

    /// Counts some more examples; whether some are left.
    fn go_on(&mut self, run: &TrainingRun, model: Result<Model, Error>) -> bool {
        let more = model.and_then(|model| run.measure(&model, &mut self.measure));
        match more {
            Ok(true) => return true,
            Ok(false) => self.shares = Some(self.measure.shares()),
            Err(_) => self.shares = Some(Vec::new()),
        }
        false
    }
}

impl TrainingLab {
    /// Whether it is known what the heads do at the step that is looked at.
    pub fn has_names(&self) -> bool {
        let others = self.other.iter().map(|other| &other.names);
        others.chain([&self.names]).all(HeadNames::is_measured)
    }

    /// Measures what heads do, with what is hidden from them, and then those of the other run; whether there is more to measure.
    pub fn measure_names(&mut self) -> bool {
        if !self.names.is_measured() {
            let model = self.run.model(self.step);
            let model = model.and_then(|model| self.masks.apply(model));
            return self.names.go_on(&self.run, model) || self.other.is_some();
        }
        let step = self.step;
        let others = self
            .other
            .as_mut()
            .filter(|other| !other.names.is_measured());
        others.is_some_and(|other| {
            let model = other.run.model(step);
            other.names.go_on(&other.run, model)
        })
    }

    /// Forgets what heads do, as with other cells hidden from them.
    pub(super) fn forget_names(&mut self) {
        self.names = HeadNames::default();
        if let Some(other) = &mut self.other {
            other.names = HeadNames::default();
        }
    }
}
