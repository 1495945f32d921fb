//! The models that were asked for last, with all steps that they have taken.

use std::cell::RefCell;

use super::{LearnedKey, LearnedLayer, ModelKey};
use crate::engine::training_run::{RECIPES, Recipe, TrainingRun};
use attention::Error;

/// Models that are cached: both of a comparison.
const CACHED: usize = 2;

thread_local! {
    static RUNS: RefCell<Vec<(ModelKey, TrainingRun)>> = const { RefCell::new(Vec::new()) };
}

/// A layer of a model, which takes the steps that it has not taken yet.
pub(super) fn layer(key: &LearnedKey) -> Result<LearnedLayer, Error> {
    RUNS.with_borrow_mut(|runs| {
        let known = runs.iter().position(|(own, _)| *own == key.model);
        let mut entry = match known {
            Some(at) => runs.remove(at),
            None => (key.model, begin(key.model)?),
        };
        let made = read(&mut entry.1, key);
        runs.insert(0, entry);
        runs.truncate(CACHED);
        made
    })
}

fn begin(key: ModelKey) -> Result<TrainingRun, Error> {
    let recipe = Recipe::of_task(key.task()).unwrap_or(RECIPES[0]);
    TrainingRun::with_sizes(recipe, key.seed, key.sizes)
}

fn read(run: &mut TrainingRun, key: &LearnedKey) -> Result<LearnedLayer, Error> {
    while run.history().len() < key.trained && !run.is_done() {
        run.step()?;
    }
    LearnedLayer::new(run, key)
}
