//! Cache of the most recently used models, with all their training steps.

wasm_chunks::chunk!("models");

use std::cell::RefCell;

use super::{LearnedKey, LearnedLayer, ModelKey};
use crate::training_run::{RECIPES, Recipe, TrainingRun};
use attention::Error;
use model::behaviour::Shares;

/// Models that are cached: both of a comparison.
const CACHED: usize = 2;

thread_local! {
    static MODELS: RefCell<Vec<(ModelKey, Learning)>> = const { RefCell::new(Vec::new()) };
}

/// A model that learns.
struct Learning {
    run: TrainingRun,
    /// Step of the last measurement, and the heads' behaviours then.
    shares: Option<(usize, Vec<Shares>)>,
}

/// A layer of a model, which takes the steps that it has not taken yet.
pub(super) fn layer(key: &LearnedKey) -> Result<LearnedLayer, Error> {
    with_model(key.model, |model| {
        while is_behind(&model.run, key) {
            model.run.step()?;
        }
        model.measure(key.trained)?;
        let shares = model.shares.as_ref().map_or(&[][..], |(_, shares)| shares);
        LearnedLayer::new(&model.run, key, shares)
    })
}

/// Trains the model of a layer at most `steps` further, ahead of use; returns whether steps are left.
///
/// # Errors
/// As [`layer`](super::layer()).
pub fn advance(key: &LearnedKey, steps: usize) -> Result<bool, Error> {
    with_model(key.model, |model| {
        for _ in 0..steps {
            if is_behind(&model.run, key) {
                model.run.step()?;
            }
        }
        let is_behind = is_behind(&model.run, key);
        if !is_behind {
            model.measure(key.trained)?;
        }
        Ok(is_behind)
    })
}

impl Learning {
    fn new(key: ModelKey) -> Result<Self, Error> {
        let recipe = Recipe::of_task(key.task()).unwrap_or(RECIPES[0]);
        Ok(Self {
            run: TrainingRun::with_sizes(recipe, key.seed, key.sizes)?,
            shares: None,
        })
    }

    /// Measures the heads' behaviours after `step` steps, which do not depend on the
    /// input.
    fn measure(&mut self, step: usize) -> Result<(), Error> {
        if self.shares.as_ref().is_none_or(|(own, _)| *own != step) {
            self.shares = Some((step, self.run.shares(step)?));
        }
        Ok(())
    }
}

fn is_behind(run: &TrainingRun, key: &LearnedKey) -> bool {
    run.history().len() < key.trained && !run.is_done()
}

/// Runs `work` on a model, which is created if it is not cached.
fn with_model<T>(
    key: ModelKey,
    work: impl FnOnce(&mut Learning) -> Result<T, Error>,
) -> Result<T, Error> {
    MODELS.with_borrow_mut(|models| {
        let known = models.iter().position(|(own, _)| *own == key);
        let mut entry = match known {
            Some(at) => models.remove(at),
            None => (key, Learning::new(key)?),
        };
        let made = work(&mut entry.1);
        models.insert(0, entry);
        models.truncate(CACHED);
        made
    })
}
