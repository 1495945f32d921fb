//! The steps: which of them are painted in the strip, and the walk through them beside the map.

use super::{App, Effect, View};
use crate::i18n::text;
use crate::present::address_history::Change;
use crate::present::names;
use crate::present::panel::PanelEvent;
use crate::present::run::Run;
use crate::present::steps::strip::Strip;
use crate::state::{Action, Field, Panel, Part, StepKind, Value, steps};
use crate::views::{self, Markup};

/// Time of a step while playing: enough to read its sentence.
const PACE_MS: i32 = 2600;

/// What the panel and the walk remember.
#[derive(Debug, Default)]
pub struct StepsPanel {
    /// Whether the walk goes on by itself.
    pub is_playing: bool,
    /// The step that was in view last.
    revealed: StepKind,
}

/// An action on the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WalkAction {
    Previous,
    Next,
    /// Plays from where it stands, or anew where it has ended; or pauses.
    PlayOrPause,
    /// The timer's.
    Tick,
}

impl App {
    /// Handles an event in the strip of steps, or in the walk.
    pub(super) fn steps(&mut self, event: PanelEvent) {
        match event {
            PanelEvent::Follow => self.reveal_step(),
            PanelEvent::Press(name) => match (StepKind::from_name(&name), &*name) {
                (Some(step), _) => self.go_to_step(step),
                (None, "previous") => self.walk(WalkAction::Previous),
                (None, "next") => self.walk(WalkAction::Next),
                (None, "play") => self.walk(WalkAction::PlayOrPause),
                (None, _) => {}
            },
            PanelEvent::Tick => self.walk(WalkAction::Tick),
            _ => {}
        }
    }

    /// Brings the step that is shown into view, if it was another one.
    fn reveal_step(&mut self) {
        let shown = self.shown();
        if std::mem::replace(&mut self.steps.revealed, shown) != shown {
            self.effect(Effect::RevealStep("[aria-pressed=true]"));
        }
    }

    /// The head whose matrices are in the strip: while the chosen head's own are on their way, those of the one before stay.
    pub fn head_of_steps(&self) -> usize {
        let parts = self
            .main
            .run
            .as_ref()
            .and_then(|run| run.reply.parts.as_ref());
        parts.map_or_else(|| self.head(), |parts| parts.head)
    }

    /// The strip.
    pub fn steps_view(&self) -> Option<Markup> {
        let run = self.main.run.as_ref()?;
        let is_locked = self.state.is_locked(Part::Pager);
        let strip = Strip::new(run, self.shown(), is_locked, self.language);
        Some(views::steps::strip(&strip))
    }

    /// Whose matrices are in the strip.
    pub fn whose_steps(&self) -> Option<String> {
        let (run, language) = (self.main.run.as_ref()?, self.language);
        let name = names::head(run, self.head_of_steps(), language);
        Some(text::steps_whose(language, &names::unparted(&name)))
    }

    fn go_to_step(&mut self, step: StepKind) {
        let choice = Value::Choice(step.name());
        self.act(Action::Set(Field::Step, choice), Change::Commit);
    }

    #[inline(never)]
    fn walk(&mut self, action: WalkAction) {
        let all = self
            .main
            .run
            .as_ref()
            .map_or(&[][..], |run: &Run| &run.steps);
        let Some(last) = all.len().checked_sub(1) else {
            return;
        };
        let step = steps::shown(&self.state);
        let at = all.iter().position(|own| *own == step);
        let was_playing = self.steps.is_playing;
        let is_over = at.is_none_or(|at| at + 1 >= last);
        let is_motion_reduced = self.environment.is_motion_reduced;
        let next = match action {
            WalkAction::PlayOrPause if was_playing => None,
            WalkAction::PlayOrPause => Some(at.filter(|at| *at < last).map_or(0, |at| at + 1)),
            WalkAction::Tick if is_motion_reduced => None,
            WalkAction::Previous => at.and_then(|at| at.checked_sub(1)),
            WalkAction::Next | WalkAction::Tick => at.map(|at| at + 1),
        };
        let next = next.and_then(|next| all.get(next).copied());
        let is_playing = match action {
            WalkAction::PlayOrPause => !was_playing,
            WalkAction::Tick => was_playing && !is_over,
            WalkAction::Previous | WalkAction::Next => false,
        };
        self.play_steps(is_playing && !is_motion_reduced);
        if let Some(step) = next {
            self.go_to_step(step);
        }
    }

    fn play_steps(&mut self, is_playing: bool) {
        if std::mem::replace(&mut self.steps.is_playing, is_playing) != is_playing {
            let interval = is_playing.then_some(PACE_MS);
            self.effect(Effect::Tick(Panel::Steps, interval));
        }
        self.show(View::Walk);
    }
}
