//! The task with the user's own text: the training text, and the text that the model generates.

use web_sys::{Element, HtmlInputElement, HtmlSelectElement};

use super::Inner;
use super::follow::TrainingSettings;
use super::work::Work;
use crate::browser::dom::{self, MissingPart, Property, Root, Text};
use crate::browser::view::View;
use app::Message;
use app::i18n::{Key, Language};
use app::present::address_history::Change;
use app::present::training::TrainingView;
use app::present::training_lab::TextProblem;
use app::state::{Action, Field, LabTask, State, Value};
use app::views::training as views;
use attention::Error;

/// Generated characters while paused, and while training, where each takes time from training.
const DRAWN: usize = 160;
const DRAWN_PLAYING: usize = 24;

/// The ends of the temperature's slider.
const COLDEST: f64 = 0.1;
const HOTTEST: f64 = 2.0;

/// Parts of the page for this task alone.
pub(super) struct OwnTextView {
    pub(super) task: HtmlSelectElement,
    pub(super) temperature: HtmlInputElement,
    fill: Property,
    at: Text,
    body: Element,
    problem: Text,
    going_on: Element,
    continuation: View,
    /// Why there is no model of the text.
    refused: Option<TextProblem>,
    /// Inputs of the text shown: step, words before, temperature, and length.
    drawn_for: Option<(usize, Vec<usize>, f64, usize)>,
}

impl OwnTextView {
    pub(super) fn find(root: &Root) -> Result<Self, MissingPart> {
        let temperature: HtmlInputElement = root.find("#training-temperature")?;
        Ok(Self {
            task: root.find("#training-task")?,
            fill: Property::new(temperature.clone(), "--fill"),
            temperature,
            at: Text::find(root, "#training-temperature-at")?,
            body: root.find("#training-own")?,
            problem: Text::find(root, "#training-own-problem")?,
            going_on: root.find("#training-go-on")?,
            continuation: View::find(root, "#training-continuation")?,
            refused: None,
            drawn_for: None,
        })
    }

    /// Shows the training text, and why no model can be trained on it.
    pub(super) fn draw(&mut self, asked: &TrainingSettings, language: Language) {
        dom::set_flag(&self.body, "hidden", asked.task != LabTask::Text);
        let said = |refused: TextProblem| refused.sentence(&asked.text, language);
        let problem = self.refused.map(said);
        self.problem.set_text(&problem.unwrap_or_default());
    }

    /// Starts with another model, or shows why there is none.
    pub(super) fn begin(&mut self, refused: Option<&Error>) {
        self.drawn_for = None;
        self.refused = refused.map(TextProblem::new);
    }

    /// Shows the generated text.
    pub(super) fn draw_continuation(&mut self, view: &TrainingView<'_>, working: Option<Work>) {
        let written = view.temperature.to_string();
        let share = 100.0 * (view.temperature - COLDEST) / (HOTTEST - COLDEST);
        self.temperature.set_value(&written);
        self.fill.set(&format!("{share:.1}%"));
        self.at.set_text(&written);
        let count = match working {
            Some(Work::Playing) => DRAWN_PLAYING,
            _ => DRAWN,
        };
        let words = view.reading.words.clone();
        let drawn_for = Some((view.step, words, view.temperature, count));
        // A head or a row that is chosen changes nothing here, and each character takes a pass through the model.
        if self.drawn_for == drawn_for {
            return;
        }
        self.drawn_for = drawn_for;
        let drawn = view.continuation(count);
        dom::set_flag(&self.going_on, "hidden", drawn.is_none());
        self.continuation
            .update(views::continuation(&drawn.unwrap_or_default()));
    }
}

impl Inner {
    /// Writes the temperature to the state while it is being chosen, or once it was.
    pub(super) fn set_temperature(&mut self, change: Change) {
        let chosen: f64 = self.own_text.temperature.value().parse().unwrap_or(1.0);
        let temperature = Value::Centi((100.0 * chosen).round() as u32);
        let temperature = Action::Set(Field::TaskTemperature, temperature);
        self.sender.post(Message::Act(temperature, change));
    }

    /// Replaces the default training text by the one in the page's language when this task is
    /// chosen: a link then contains it.
    pub(super) fn choose_own_text(&mut self) {
        let is_first = self.wanted.text == State::default().task_text;
        let own = Key::TrainingOwnDefault.text(self.language);
        let is_chosen = self.own_text.task.value() == LabTask::Text.name();
        if !is_chosen || !is_first || own == self.wanted.text {
            return;
        }
        let text = Action::Set(Field::TaskText, Value::Text(own.to_owned()));
        // The page takes the task first.
        self.sender.post(Message::Act(text, Change::Commit));
    }
}
