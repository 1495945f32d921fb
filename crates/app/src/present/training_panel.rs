//! The training panel: a lab that learns a share of its steps in each tick, and the controls beside it.

wasm_chunks::chunk!("models");
wasm_chunks::chunk!("engine": impl Problem);

mod input;
mod work;

use super::continuation::DrawnCharacter;
use super::panel::{FRAME_MS, PageOfPanel, PanelContext, PanelEvent, PanelRequest, PanelState};
use super::small_chart::chart_width;
use super::training::TrainingView;
use super::training_lab::{TextProblem, TrainingLab};
use crate::i18n::Language;
use crate::state::{Field, LabTask, State, Value};
use attention::Error;
use engine::training_run::Recipe;
use engine::variant::Variant;
use work::Work;

/// Generated characters while paused, and while training, where each takes time from training.
const DRAWN: usize = 160;
const DRAWN_PLAYING: usize = 24;

/// The panel.
pub struct TrainingPanel {
    /// The training and the step of the state that the lab was last brought to.
    asked: TrainingSettings,
    lab: Option<TrainingLab>,
    /// Why no model can be trained on the user's own text.
    refused: Option<TextProblem>,
    /// Variant of the other run.
    variant: Option<Variant>,
    /// Steps a second that are to be played; as many as there is time for where nothing is chosen.
    pace: Option<i32>,
    /// What stands in the field of the model's input.
    typed: String,
    problem: Option<Problem>,
    /// The file saved last, and whether it was.
    saved: Option<(String, bool)>,
    continuation: Continuation,
    work: Option<Work>,
    /// When steps were last shown that are not looked at.
    shown_at: f64,
    requests: Vec<PanelRequest>,
}

/// Settings of the state that choose the training and the step.
#[derive(Clone, PartialEq, Eq)]
struct TrainingSettings {
    task: LabTask,
    /// Training text of the task with the user's own text.
    text: String,
    seed: u32,
    /// In hundredths.
    temperature: u32,
    step: usize,
}

/// Problem to report.
enum Problem {
    /// The text that was typed cannot be read.
    Text,
    /// Numbers left their range; the error text.
    Numbers(String),
}

/// Generated text, kept since each character takes a pass through the model.
#[derive(Default)]
struct Continuation {
    /// Inputs of the text: step, words before, temperature, and length.
    of: Option<(usize, Vec<usize>, f64, usize)>,
    drawn: Option<Vec<DrawnCharacter>>,
}

impl TrainingSettings {
    fn new(state: &State) -> Self {
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

impl PanelState for TrainingPanel {
    /// A panel with the training of the state before its first step.
    fn new(page: &PageOfPanel<'_>) -> Self {
        let mut panel = Self {
            asked: TrainingSettings {
                step: 0,
                ..TrainingSettings::new(page.state)
            },
            lab: None,
            refused: None,
            variant: None,
            pace: None,
            typed: String::new(),
            problem: None,
            saved: None,
            continuation: Continuation::default(),
            work: None,
            shown_at: 0.0,
            requests: vec![PanelRequest::Show],
        };
        panel.begin();
        panel
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        match event {
            PanelEvent::Follow => self.follow(page.state),
            PanelEvent::Close => {
                self.work = None;
                return Vec::new();
            }
            PanelEvent::Press(name) => self.press(&name),
            PanelEvent::Enter(name, value, change) => self.enter(&name, value, change),
            PanelEvent::Set(..) => self.show(),
            PanelEvent::Paint(event) => self.paint(event),
            PanelEvent::Tick => self.tick(page.clock),
            PanelEvent::Saved(name, is_saved) => {
                self.saved = Some((name, is_saved));
                self.show();
            }
            _ => {}
        }
        self.name_heads();
        if !self.requests.is_empty() {
            self.update_continuation();
        }
        std::mem::take(&mut self.requests)
    }

    fn interval(&self) -> Option<i32> {
        Some(match (self.work?, self.pace) {
            (Work::Playing, Some(pace)) => 1000 / pace,
            _ => FRAME_MS,
        })
    }
}

impl TrainingPanel {
    /// The lab; `None` where no model can be trained on the text.
    pub fn lab(&self) -> Option<&TrainingLab> {
        self.lab.as_ref()
    }

    /// View of the lab, if there is one.
    pub fn view<'a>(&'a self, context: PanelContext<'a>) -> Option<TrainingView<'a>> {
        let width = chart_width(context.room);
        let lab = self.lab.as_ref()?;
        Some(lab.view(&context.colours.lut, width, context.language))
    }

    /// Why no model can be trained on the user's own text; empty if one can.
    pub fn refusal(&self, language: Language) -> String {
        let sentence = |refused: TextProblem| refused.sentence(&self.asked.text, language);
        self.refused.map_or_else(String::new, sentence)
    }

    /// Why what was typed is not read, or why training has ended early.
    pub fn problem(&self, language: Language) -> String {
        match (&self.problem, &self.lab) {
            (Some(Problem::Text), Some(lab)) => lab.known_words(language),
            (Some(Problem::Numbers(said)), _) => said.clone(),
            _ => String::new(),
        }
    }

    /// Variant of the other run.
    pub fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// Steps a second that are to be played; `None` is as many as there is time for.
    pub fn pace(&self) -> Option<i32> {
        self.pace
    }

    /// What stands in the field of the model's input.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// The file saved last, and whether it was.
    pub fn saved(&self) -> Option<(&str, bool)> {
        self.saved.as_ref().map(|(name, is)| (name.as_str(), *is))
    }

    /// Text that the model generates; `None` for a task that generates none.
    pub fn continuation(&self) -> Option<&[DrawnCharacter]> {
        self.continuation.drawn.as_deref()
    }

    fn show(&mut self) {
        self.requests.push(PanelRequest::Show);
    }

    /// Goes to the training and the step of the state.
    fn follow(&mut self, state: &State) {
        let asked = TrainingSettings::new(state);
        if self.asked == asked {
            // What a panel was at when it was closed.
            return;
        }
        let before = std::mem::replace(&mut self.asked, asked);
        let is_same = before.is_same_training(&self.asked);
        if !is_same {
            self.begin();
        }
        let step = self.asked.step;
        if (before.step != step || !is_same) && self.step() != Some(step) {
            self.start(Work::Until(step));
        }
        self.show();
    }

    /// A new run of the chosen task and seed.
    fn begin(&mut self) {
        (self.work, self.saved, self.problem) = (None, None, None);
        self.continuation.of = None;
        let new_lab = self.new_lab();
        self.refused = new_lab.as_ref().err().map(TextProblem::new);
        self.lab = new_lab.ok();
        if let Some(lab) = &self.lab {
            self.typed = lab.text();
        }
    }

    /// A run that has not learned anything.
    fn new_lab(&self) -> Result<TrainingLab, Error> {
        let TrainingSettings {
            task, text, seed, ..
        } = &self.asked;
        match Recipe::of_task(task.name()) {
            Some(recipe) => TrainingLab::new(recipe, *seed, self.variant),
            None => TrainingLab::of_text(text, *seed, self.variant),
        }
    }

    fn step(&self) -> Option<usize> {
        self.lab.as_ref().map(TrainingLab::step)
    }

    fn look_at(&mut self, step: usize) {
        if let Some(lab) = &mut self.lab {
            lab.look_at(step);
        }
    }

    /// Writes the current step to the state, once the user has stopped moving.
    fn write_step(&mut self) {
        if let Some(step) = self.step().filter(|step| *step != self.asked.step) {
            self.asked.step = step;
            let step = PanelRequest::Set(Field::TaskStep, Value::Number(step as u32));
            self.requests.push(step);
        }
    }

    /// Writes the current step to the state once the user has stopped moving, and measures the
    /// effect of the masks there.
    fn end_move(&mut self) {
        self.write_step();
        let has_masks = |lab: &TrainingLab| lab.masks().total() > 0;
        if self.lab.as_ref().is_some_and(has_masks) {
            self.start(Work::Masks);
        }
    }

    /// Generates the text again if its inputs have changed: a head or a row that is chosen changes nothing.
    fn update_continuation(&mut self) {
        let Some(lab) = &mut self.lab else { return };
        lab.temperature = f64::from(self.asked.temperature) / 100.0;
        let count = match self.work {
            Some(Work::Silent | Work::Until(_)) => return,
            Some(Work::Playing) => DRAWN_PLAYING,
            _ => DRAWN,
        };
        let words = lab.reading().words.clone();
        let of = Some((lab.step(), words, lab.temperature, count));
        if self.continuation.of != of {
            let drawn = lab.continuation(count);
            self.continuation = Continuation { of, drawn };
        }
    }
}
