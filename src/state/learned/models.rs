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
    with_run(key.model, |run| {
        while is_behind(run, key) {
            run.step()?;
        }
        LearnedLayer::new(run, key)
    })
}

/// Takes at most so many `steps` towards a layer; whether some are left.
pub(super) fn advance(key: &LearnedKey, steps: usize) -> Result<bool, Error> {
    with_run(key.model, |run| {
        for _ in 0..steps {
            if is_behind(run, key) {
                run.step()?;
            }
        }
        Ok(is_behind(run, key))
    })
}

fn is_behind(run: &TrainingRun, key: &LearnedKey) -> bool {
    run.history().len() < key.trained && !run.is_done()
}

/// Works on the run of a model, which is begun where it is not cached.
fn with_run<T>(
    model: ModelKey,
    work: impl FnOnce(&mut TrainingRun) -> Result<T, Error>,
) -> Result<T, Error> {
    RUNS.with_borrow_mut(|runs| {
        let known = runs.iter().position(|(own, _)| *own == model);
        let mut entry = match known {
            Some(at) => runs.remove(at),
            None => (model, begin(model)?),
        };
        let made = work(&mut entry.1);
        runs.insert(0, entry);
        runs.truncate(CACHED);
        made
    })
}

fn begin(key: ModelKey) -> Result<TrainingRun, Error> {
    let recipe = Recipe::of_task(key.task()).unwrap_or(RECIPES[0]);
    TrainingRun::with_sizes(recipe, key.seed, key.sizes)
}
