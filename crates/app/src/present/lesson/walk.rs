//! A lesson in progress: the state of the page at each step, the answers, and the outcome.

use super::RunFacts;
use super::answers::{Answered, Answers, Said};
use crate::present::run::Run;
use crate::state::external_settings::{apply_written, laid_out_as};
use crate::state::request_builder::same_anywhere;
use crate::state::{Field, Part, Parts, State, url};
use lessons::{Answer, Expression, Lesson, Step, Task};

/// Parts around a lesson on a page of its own, whichever parts it shows.
const AROUND: [Part; 6] = [
    Part::Title,
    Part::Language,
    Part::Theme,
    Part::Undo,
    Part::Save,
    Part::Share,
];

/// A lesson, and the progress in it.
pub struct LessonWalk {
    lesson: Lesson,
    at: usize,
    /// The possible answers to the question, once the values before the step are known.
    ready: Option<Vec<Expression>>,
    said: Option<Said>,
    outcome: Outcome,
    answers: Answers,
}

/// Outcome of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The task is not done.
    Open,
    /// The answer was given, and its run is pending.
    Waiting,
    /// The step has no task, or its goal holds.
    Done,
    /// Which choice is right, and whether it was chosen.
    Choice {
        /// The correct choice, where it can be determined.
        right: Option<usize>,
        /// Whether it was chosen.
        is_right: bool,
    },
    /// Correct value, and whether the answer is within the tolerance.
    Number {
        /// The correct value.
        value: f64,
        /// Whether the answer was near enough.
        is_right: bool,
    },
}

impl LessonWalk {
    /// A lesson at its first step.
    pub fn new(lesson: Lesson) -> Self {
        let mut walk = Self {
            lesson,
            at: 0,
            ready: None,
            said: None,
            outcome: Outcome::Open,
            answers: Answers::default(),
        };
        walk.begin_step(0);
        walk
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The step that is being taken, counted from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The step that is being taken.
    pub fn step(&self) -> &Step {
        &self.lesson.steps[self.at]
    }

    /// Returns the outcome of the step.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the chosen option.
    pub fn chosen(&self) -> Option<usize> {
        match self.said {
            Some(Said::Choice(chosen)) => Some(chosen),
            _ => None,
        }
    }

    /// The state of the page in which the lesson begins, laid out as it is, in the language, theme and colours of the reader.
    pub fn opened(&mut self, state: &State) -> State {
        self.set_up(0, state)
    }

    /// Goes to a step, and returns the state in which it begins where everything before it was done as the lesson has it.
    pub fn set_up(&mut self, step: usize, state: &State) -> State {
        let mut next = self.before_all(state);
        for at in 0..step.min(self.lesson.steps.len() - 1) {
            next = self.go_to(at, &next);
            let done = match &self.step().task {
                Task::Predict { then, .. } => then,
                Task::Reach { reaches, .. } => reaches,
                Task::Look | Task::Explain => "",
            };
            next = apply_written(&next, done).0;
        }
        self.go_to(step, &next)
    }

    /// State that the lesson opens with.
    fn before_all(&self, state: &State) -> State {
        let mut opened = laid_out_as(url::parse(&self.lesson.opens).0, state);
        for field in [
            Field::Language,
            Field::Theme,
            Field::Colours,
            Field::Backend,
        ] {
            // Possible in any state.
            let _ = opened.set(field, state.get(field));
        }
        let around = if state.embed { &[][..] } else { &AROUND };
        let named = |names: &[String]| {
            Parts::from_iter(names.iter().filter_map(|name| Part::from_name(name)))
        };
        // A lesson that names no parts shows all; one that names others than there are does not pass its test.
        opened.show = (!self.lesson.shows.is_empty()).then(|| {
            around
                .iter()
                .fold(named(&self.lesson.shows), |parts, part| {
                    parts.with(*part, true)
                })
        });
        opened.lock = named(&self.lesson.locks);
        // A lesson that somebody has written goes along.
        opened.lesson_text.clone_from(&state.lesson_text);
        opened
    }

    /// The state in which the step begins that is being taken.
    pub fn entered(&self, state: &State) -> State {
        apply_written(state, &self.step().set).0
    }

    /// Goes to a step, or the last one, and returns the state in which it begins.
    pub fn go_to(&mut self, step: usize, state: &State) -> State {
        self.begin_step(step.min(self.lesson.steps.len() - 1));
        self.entered(state)
    }

    fn begin_step(&mut self, at: usize) {
        (self.at, self.said, self.ready) = (at, None, None);
        self.outcome = match self.step().task {
            Task::Look | Task::Explain => Outcome::Done,
            Task::Predict { .. } | Task::Reach { .. } => Outcome::Open,
        };
    }

    /// Answers with a choice, and returns the state that shows the correct one. `None` if the step
    /// asks nothing, was answered already, or needs values that are not computed yet.
    pub fn choose(&mut self, choice: usize, state: &State) -> Option<State> {
        let is_there = self
            .ready
            .as_ref()
            .is_some_and(|ready| choice < ready.len());
        is_there.then(|| self.say(Said::Choice(choice), state))?
    }

    /// Answers with a number; otherwise as [`choose`](Self::choose).
    pub fn guess(&mut self, number: f64, state: &State) -> Option<State> {
        let is_asked = self.ready.is_some() && number.is_finite();
        is_asked.then(|| self.say(Said::Number(number), state))?
    }

    fn say(&mut self, said: Said, state: &State) -> Option<State> {
        let Task::Predict { then, .. } = &self.step().task else {
            return None;
        };
        let after = apply_written(state, then).0;
        if self.outcome != Outcome::Open {
            return None;
        }
        let ready = self.ready.clone()?;
        (self.said, self.outcome) = (Some(said), Outcome::Waiting);
        self.answers.keep(Answered {
            step: self.at,
            asked: state.clone(),
            after: after.clone(),
            said,
            ready,
        });
        Some(after)
    }

    /// Handles undo and redo: an answer is removed and restored with the state after it.
    pub fn return_to(&mut self, state: &State) {
        let Some((step, standing)) = self.answers.in_state(state) else {
            return;
        };
        let standing = standing.map(|own| (own.said, own.ready.clone()));
        self.begin_step(step);
        if let Some((said, ready)) = standing {
            (self.said, self.ready) = (Some(said), Some(ready));
            self.outcome = Outcome::Waiting;
        }
    }

    /// Evaluates the step on a run, if that is the run of `state`.
    pub fn see(&mut self, state: &State, run: &Run) {
        if !same_anywhere(&run.state, state) {
            return;
        }
        let facts = RunFacts { state, run };
        match (&self.step().task, &self.outcome) {
            (Task::Predict { answer, .. }, Outcome::Open) => {
                let ready = conditions(answer).map(|own| own.remembering(&facts));
                self.ready = ready.collect::<Result<_, _>>().ok();
            }
            (Task::Reach { goal, .. }, Outcome::Open) if goal.holds(&facts) == Ok(true) => {
                self.outcome = Outcome::Done;
            }
            (Task::Predict { answer, .. }, Outcome::Waiting) => {
                if let Some(outcome) = self.found(answer, &facts) {
                    self.outcome = outcome;
                }
            }
            _ => {}
        }
    }

    /// Compares the given answer with the correct one.
    fn found(&self, answer: &Answer, facts: &RunFacts<'_>) -> Option<Outcome> {
        let ready = self.ready.as_ref()?;
        Some(match (answer, self.said?) {
            (Answer::Number { within, .. }, Said::Number(said)) => {
                let value = ready.first()?.number(facts).ok()?;
                let is_right = (value - said).abs() <= *within;
                Outcome::Number { value, is_right }
            }
            (_, Said::Choice(chosen)) => {
                let holds = |condition: &Expression| condition.holds(facts) == Ok(true);
                let right = ready.iter().position(holds);
                let is_right = right == Some(chosen);
                Outcome::Choice { right, is_right }
            }
            _ => return None,
        })
    }
}

/// The conditions of all choices, or what a number is.
fn conditions(answer: &Answer) -> impl Iterator<Item = &Expression> {
    let (choices, value) = match answer {
        Answer::Choices(choices) => (choices.as_slice(), None),
        Answer::Number { value, .. } => (&[][..], Some(value)),
    };
    choices.iter().map(|choice| &choice.condition).chain(value)
}

#[cfg(test)]
mod tests;
