//! The lab and the state of the page: the current training and step, and the layer that is shown on
//! the map.

use wasm_bindgen_futures::spawn_local;

use super::Inner;
use super::work::Work;
use app::Message;
use app::present::address_history::Change;
use app::present::training_lab::TrainingLab;
use app::state::{Action, Field, LabTask, State, Value};
use attention::Error;
use engine::training_run::Recipe;
use engine::variant::Variant;

/// Settings of the lab.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct TrainingSettings {
    pub(super) task: LabTask,
    /// Training text of the task with the user's own text.
    pub(super) text: String,
    pub(super) seed: u32,
    /// In hundredths.
    pub(super) temperature: u32,
    pub(super) step: usize,
}

impl TrainingSettings {
    pub(super) fn new(state: &State) -> Self {
        Self {
            task: state.task,
            text: state.task_text.clone(),
            seed: state.task_seed,
            temperature: state.task_temperature,
            step: state.task_step,
        }
    }

    /// Whether both ask for the same training.
    fn is_same_training(&self, other: &Self) -> bool {
        let is_same_text = self.task != LabTask::Text || self.text == other.text;
        (self.task, self.seed) == (other.task, other.seed) && is_same_text
    }
}

impl Inner {
    /// Goes to the training and the step of the state.
    pub(super) fn follow(&mut self) {
        let before = std::mem::replace(&mut self.asked, self.wanted.clone());
        if !before.is_same_training(&self.asked) {
            self.begin();
        }
        let step = self.asked.step;
        let goes_elsewhere = before.step != step || !before.is_same_training(&self.asked);
        if goes_elsewhere && self.shown_step() != Some(step) {
            self.start(Work::Until(step));
        }
        self.draw();
    }

    /// Restarts the same training, e.g. with another variant beside it.
    pub(super) fn begin_again(&mut self) {
        self.begin();
        self.tell_step();
        self.draw();
    }

    /// Stops the running work.
    pub(super) fn rest(&mut self) {
        self.work = None;
        self.tell_step();
    }

    fn shown_step(&self) -> Option<usize> {
        self.lab.as_ref().map(TrainingLab::step)
    }

    /// Writes the current step to the state, once the user has stopped moving.
    pub(super) fn tell_step(&mut self) {
        let Some(step) = self.shown_step().filter(|step| *step != self.asked.step) else {
            return;
        };
        (self.asked.step, self.wanted.step) = (step, step);
        let step = Action::Set(Field::TaskStep, Value::Number(step as u32));
        self.sender.post(Message::Act(step, Change::Commit));
    }

    /// A new run of the chosen task and seed.
    pub(super) fn begin(&mut self) {
        self.work = None;
        self.model_files.forget();
        self.problem = None;
        let made = self.made();
        self.own_text.begin(made.as_ref().err());
        self.lab = made.ok();
        if let Some(lab) = &self.lab {
            self.typed.set_value(&lab.text());
        }
        self.draw();
    }

    /// A run that has not learned anything.
    fn made(&self) -> Result<TrainingLab, Error> {
        let TrainingSettings {
            task, text, seed, ..
        } = &self.asked;
        let variant = Variant::from_name(&self.variant.value());
        match Recipe::of_task(task.name()) {
            Some(recipe) => TrainingLab::new(recipe, *seed, variant),
            None => TrainingLab::of_text(text, *seed, variant),
        }
    }

    /// Shows the layer of the chosen head on the map.
    pub(super) fn show_on_map(&mut self) {
        let Some(layer) = self.lab.as_ref().and_then(|lab| lab.layer().ok()) else {
            return;
        };
        self.work = None;
        let layer = Action::Layer(Box::new(layer));
        self.sender.post(Message::Act(layer, Change::Commit));
        let banner = self.banner.clone();
        // Shown by then.
        spawn_local(async move { banner.scroll_into_view() });
    }
}
