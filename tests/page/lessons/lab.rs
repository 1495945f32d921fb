//! Facts that claims of lessons refer to: a run, and models that the lab trains for them.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use app::present::lesson::RunFacts;
use engine::training_run::{Recipe, TrainingRun};
use engine::variant::Variant;
use lessons::{Facts, Value};

/// Task, seed and variant of a run of the lab; an empty variant name stands for none.
pub(crate) type Key = (String, u32, String);

/// Runs that have taken all steps: lessons of both languages ask for the same ones, and each takes seconds.
static LEARNED: LazyLock<Mutex<HashMap<Key, Arc<TrainingRun>>>> = LazyLock::new(Mutex::default);

/// A run of the page with what only the lab knows.
pub(super) struct ClaimFacts<'a>(pub(super) RunFacts<'a>);

impl Facts for ClaimFacts<'_> {
    fn setting(&self, name: &str) -> Option<Value> {
        self.0.setting(name)
    }

    fn call(&self, name: &str, values: &[Value]) -> Option<Value> {
        match (name, values) {
            ("right", []) => self.right(None),
            ("right", [Value::Number(layer), Value::Number(head)]) => {
                self.right(Some((*layer as usize - 1, *head as usize - 1)))
            }
            ("right_in_batch", []) => self.right_in_batch(""),
            ("right_in_batch", [Value::Text(variant)]) => self.right_in_batch(variant),
            _ => self.0.call(name, values),
        }
    }
}

impl ClaimFacts<'_> {
    /// Of examples that training never draws, without a head or with all.
    fn right(&self, without: Option<(usize, usize)>) -> Option<Value> {
        let (run, step) = self.lab("")?;
        let score = run.score(step, without).expect("a head of the model");
        Some(Value::Number(score.accuracy))
    }

    /// Of the examples of the step itself.
    fn right_in_batch(&self, variant: &str) -> Option<Value> {
        let (run, step) = self.lab(variant)?;
        let taken = run.history().get(step - 1)?;
        Some(Value::Number(taken.score.accuracy))
    }

    /// The run of the lab, and the step that is looked at.
    fn lab(&self, variant: &str) -> Option<(Arc<TrainingRun>, usize)> {
        let state = self.0.state;
        let Value::Text(task) = self.setting("task")? else {
            return None;
        };
        let run = learned((task, state.task_seed, variant.to_owned()));
        let step = match state.task_step {
            0 => run.recipe().steps,
            step => step,
        };
        Some((run, step))
    }
}

/// The run of a key, after its last step.
pub(crate) fn learned(key: Key) -> Arc<TrainingRun> {
    let mut runs = LEARNED.lock().expect("no test has stopped in here");
    let make = || Arc::new(trained(&key));
    Arc::clone(runs.entry(key.clone()).or_insert_with(make))
}

fn trained((task, seed, variant): &Key) -> TrainingRun {
    let recipe = Recipe::of_task(task).expect("a recipe");
    let variant = Variant::from_name(variant);
    let mut run = TrainingRun::new(recipe, *seed, variant).expect("a task");
    while !run.is_done() {
        run.step().expect("finite");
    }
    run
}
