//! What is done about a model that learns: it is watched, taken to the lab, loses a head.

wasm_chunks::chunk!("input");

use super::head_of;
use crate::message::LearningAction;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::learned::answer;
use crate::present::run::Run;
use crate::protocol::ChangeSource;
use crate::state::learned::{grammar, model};
use crate::state::{Action, Field, LabTask, Origin, Panel, Part, State};
use crate::update::{App, Effect, View};
use attention::text::vocabulary;

/// How long a model is watched that learns, in milliseconds.
const WATCHED_MS: f64 = 1500.0;

/// From one picture to the next: as long as a screen needs for two.
const PICTURE_MS: i32 = 33;

/// Steps from one picture to the next, at most: where pictures are slow the whole takes longer.
const MOST_STEPS: usize = 10;

/// The same where motion is reduced: still pictures, each long enough to be looked at.
const STILL: (i32, usize) = (600, 30);

impl App {
    /// An action on `field` has made another model of the one before, so that its heads do other things.
    pub(in crate::update) fn leave_head(&mut self, before: &State, field: Option<Field>) {
        let sizes = [
            Field::Seed,
            Field::Layers,
            Field::DModel,
            Field::DK,
            Field::Heads,
            Field::KvHeads,
        ];
        let were_learned = [before, &self.state].map(|state| state.origin == Origin::Learned);
        if were_learned == [true; 2] && field.is_some_and(|field| sizes.contains(&field)) {
            self.learning.chooses_head |= self.learning.is_begun;
        }
    }

    /// Handles what is done about the learning.
    #[inline(never)]
    pub(in crate::update) fn learn(&mut self, action: LearningAction) {
        match action {
            LearningAction::Watch if self.learning.is_watched() => self.end_watching(false),
            LearningAction::Watch => self.begin_watching(),
            LearningAction::Tick => self.watch_on(),
            LearningAction::OpenLab => self.open_lab(),
            LearningAction::SwitchHead => self.switch_head(),
        }
    }

    /// Whether `next` is the model of the page once it has learned all, from its first step: what is watched leads there.
    pub(in crate::update) fn can_watch_to(&self, next: &State) -> bool {
        let learned = State {
            trained: State::default().trained,
            ..self.state.clone()
        };
        self.can_watch() && self.state.trained == 0 && *next == learned
    }

    fn can_watch(&self) -> bool {
        self.state.origin == Origin::Learned && !self.state.is_locked(Part::Trained)
    }

    /// Plays the training from its beginning.
    fn begin_watching(&mut self) {
        if !self.can_watch() {
            return;
        }
        self.learning.watched = Some((Box::new(self.state.clone()), (self.clock)()));
        self.held_range.follow(true);
        self.held_range.reach_all();
        self.scheduler.input_started();
        self.set_trained(0);
        let interval = if self.environment.is_motion_reduced {
            STILL.0
        } else {
            PICTURE_MS
        };
        self.effect(Effect::Watch(Some(interval)));
        self.show(View::Learning);
    }

    /// Goes on to the step that is due, once the one before is on the map.
    fn watch_on(&mut self) {
        let Some((_, since)) = &self.learning.watched else {
            return;
        };
        let (last, at) = (State::default().trained, self.state.trained);
        let share = ((self.clock)() - since) / WATCHED_MS;
        if self.main.refusal(&self.state).is_some() {
            return self.end_watching(false);
        }
        if !self.has_numbers() {
            return;
        }
        if at >= last {
            return self.end_watching(true);
        }
        self.scheduler.input_started();
        let next = if self.environment.is_motion_reduced {
            at + STILL.1
        } else {
            ((share * last as f64) as usize).clamp(at + 1, at + MOST_STEPS)
        };
        self.set_trained(next.min(last));
    }

    /// Ends it at the last step, or where it is, as one step of the history.
    pub(in crate::update) fn end_watching(&mut self, is_whole: bool) {
        let Some((before, _)) = self.learning.watched.take() else {
            return;
        };
        if is_whole {
            self.set_trained(State::default().trained);
        }
        self.stop_watching();
        self.by = ChangeSource::Person;
        if *before != self.state {
            self.record(&before, Some(Field::Trained), Change::Commit);
            self.write(Change::Commit, HistoryMode::Push);
        }
        self.follow_lesson();
    }

    /// Another state was set, of which this is no picture.
    #[inline(never)]
    pub(in crate::update) fn leave_watching(&mut self) {
        let shown = &self.state;
        let is_left = |(before, _): &mut (Box<State>, f64)| {
            let same = State {
                trained: shown.trained,
                ..(**before).clone()
            };
            same != *shown
        };
        if self.learning.watched.take_if(is_left).is_some() {
            self.stop_watching();
        }
    }

    fn stop_watching(&mut self) {
        self.stale.picture |= self.held_range.follow(false);
        self.scheduler.input_ended();
        self.effect(Effect::Watch(None));
        self.show(View::Learning);
    }

    /// Switches the chosen head off or on for the answer, and says what it is then.
    fn switch_head(&mut self) {
        self.learning.off = match self.learning.off {
            Some(_) => None,
            None => Some(head_of(&self.state)),
        };
        self.stale.pointed = true;
        let (head, language) = (self.head(), self.language);
        let run = self.main.run.as_ref();
        let said = run.and_then(|run| answer(run, head, self.learning.is_head_off(run), language));
        if let Some(said) = said {
            let said = format!("{}: {} {}", said.title, said.word, said.share);
            self.effect(Effect::Announce(said));
        }
    }

    fn set_trained(&mut self, trained: usize) {
        self.set_state(State {
            trained,
            ..self.state.clone()
        });
    }

    /// Shows the model in the training lab, at the step that is on the map.
    fn open_lab(&mut self) {
        let task = if model(&self.state).is_chinese {
            LabTask::PronounZh
        } else {
            LabTask::Pronoun
        };
        let state = State {
            task,
            task_seed: self.state.seed,
            task_step: self.state.trained,
            panels: self.state.panels.with(Panel::Training, true),
            ..self.state.clone()
        };
        self.act(Action::Replace(Box::new(state)), Change::Commit);
    }

    /// Shows the head of the last layer that looks most from the pronoun at the noun that the model answers, in the current history entry.
    #[inline(never)]
    pub(super) fn choose_best_head(&mut self) {
        let best = self.main.run.as_ref().and_then(best_head);
        let Some(head) = best.filter(|_| !self.state.is_locked(Part::Small)) else {
            return;
        };
        let state = State {
            layer: self.state.layers,
            head,
            ..self.state.clone()
        };
        if state != self.state {
            self.set_state(state);
            self.write(Change::Input, HistoryMode::Replace);
        }
    }
}

/// The head of the last layer with the largest weight from the pronoun to the noun that the model answers; `None` where it is asked for none,
/// or answers with a word that is not there.
fn best_head(run: &Run) -> Option<usize> {
    let learned = run.learned()?;
    let (row, state) = (learned.loss()?.row, &run.state);
    let words = vocabulary::read(&grammar(&state.text).words(), &state.text).ok()?;
    let answer = learned.answers(row).first()?.word;
    let key = words.iter().position(|word| *word == answer)?;
    let first = (state.layers - 1) * state.heads;
    let weight = |head: &usize| {
        let cell = row * words.len() + key;
        learned.map(first + head).get(cell).copied().unwrap_or(0.0)
    };
    (0..state.heads).max_by(|one, other| weight(one).total_cmp(&weight(other)))
}
