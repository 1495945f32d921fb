//! What is done in a lesson.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlInputElement, KeyboardEvent};

use super::Inner;
use crate::present::lesson::{LessonWalk, Outcome, files};
use crate::present::run::Run;
use crate::state::{LESSON_LIST, State};
use crate::views::lesson::{self as views, Around};
use lessons::Task;

/// From this width on a lesson stands beside the map, as in `lesson.css`.
const WIDE: f64 = 1000.0;

/// `state` at a step of a lesson, counted from 0.
fn at_step(mut state: State, name: &str, step: usize) -> State {
    state.lesson = name.to_owned();
    state.lesson_step = step + 1;
    state
}

/// Whether a key has been pressed that ends the typing of a number.
pub(super) fn is_answer(event: &Event) -> bool {
    let is_enter = event
        .dyn_ref::<KeyboardEvent>()
        .is_some_and(|event| event.key() == "Enter");
    let target = event.target().and_then(|target| target.dyn_into().ok());
    is_enter && target.is_some_and(|target: Element| target.id() == "lesson-guess")
}

impl Inner {
    /// Shows what the page asks for: the list, or a lesson at its step, as far as `run` tells.
    pub(super) fn show(&mut self, run: Option<&Run>) {
        let (name, language) = (self.state.lesson.clone(), self.language);
        if name == LESSON_LIST {
            self.taken = None;
            let (all, progress) = (files::all(language), self.progress());
            self.view.update(views::list(&all, &progress, language));
            return self.shown();
        }
        let is_taken = self
            .taken
            .as_ref()
            .is_some_and(|(own, of, _)| (own, of) == (&name, &language));
        if !is_taken {
            self.is_new = self.taken.is_none();
            let lesson = files::lesson(&name, language);
            self.taken = lesson.map(|lesson| (name.clone(), language, LessonWalk::new(lesson)));
        }
        let Some((_, _, walk)) = &mut self.taken else {
            return self.view.update(views::gone(&name, language));
        };
        match self.state.lesson_step.checked_sub(1) {
            None => {
                let opened = at_step(walk.opened(&self.state), &name, 0);
                self.take_later(opened);
            }
            Some(step) if step != walk.at() => {
                walk.go_to(step, &self.state);
            }
            Some(_) => {}
        }
        self.see(run);
        self.shown();
    }

    /// Looks at what has been computed, and shows what has come of the step.
    fn see(&mut self, run: Option<&Run>) {
        let Some((name, language, walk)) = &mut self.taken else {
            return;
        };
        if let Some(run) = run {
            walk.see(&self.state, run);
            // The numbers of another head are on their way: until then what stands there stays.
            self.arithmetic =
                views::arithmetic(&self.state, run, *language).or(self.arithmetic.take());
        }
        let explains = walk.step().task == Task::Explain;
        let all = files::all(*language);
        let own = all.iter().position(|(other, _)| other == name);
        let following = own.and_then(|own| all.get(own + 1));
        let is_alone = self.state.embed;
        let around = Around {
            following: following
                .filter(|_| !is_alone)
                .map(|(name, lesson)| (*name, lesson.title.as_str())),
            is_alone,
            is_folded: self.is_folded,
            arithmetic: self.arithmetic.as_ref().filter(|_| explains),
        };
        self.view.update(views::step(walk, around, *language));
        if !matches!(walk.outcome(), Outcome::Open | Outcome::Waiting) {
            let (name, steps) = (name.clone(), walk.at() + 1);
            self.keep(&name, steps);
        }
    }

    fn is_narrow(&self) -> bool {
        let width = self.window.inner_width().ok();
        width
            .and_then(|width| width.as_f64())
            .is_some_and(|width| width < WIDE)
    }

    /// Hands the focus on to what has been called, and brings the map of a new lesson above it.
    fn shown(&mut self) {
        if std::mem::take(&mut self.is_called) {
            self.place.set_scroll_top(0);
            // Refused by elements that are not there to be seen.
            let _ = self.place.focus();
        }
        let is_new = std::mem::take(&mut self.is_new) && self.taken.is_some();
        // Somebody else's page is not ours to scroll.
        if is_new && self.has_memory && self.is_narrow() {
            // Not into view, which keeps room for a map that is there already.
            let top = self.plate.get_bounding_client_rect().top();
            self.window.scroll_by_with_x_and_y(0.0, top);
        }
    }

    /// Opens a lesson where it was left.
    pub(super) fn open(&mut self, name: &str) -> Option<State> {
        let lesson = files::lesson(name, self.language)?;
        let done = self.progress().done(name);
        let step = if done < lesson.steps.len() { done } else { 0 };
        let mut walk = LessonWalk::new(lesson);
        let opened = at_step(walk.set_up(step, &self.state), name, step);
        self.taken = Some((name.to_owned(), self.language, walk));
        (self.is_called, self.is_new) = (true, true);
        Some(opened)
    }

    /// Answers with a choice.
    pub(super) fn choose(&mut self, choice: usize) -> Option<State> {
        let (_, _, walk) = self.taken.as_mut()?;
        let next = walk.choose(choice, &self.state);
        self.see(None);
        next
    }

    pub(super) fn press(&mut self, tool: &str) -> Option<State> {
        match tool {
            "load" => {
                self.load();
                return None;
            }
            "fold" => {
                self.is_folded = !self.is_folded;
                self.see(None);
                return None;
            }
            "close" | "list" => return Some(self.left(tool == "list")),
            _ => {}
        }
        let (name, _, walk) = self.taken.as_mut()?;
        let (name, at) = (name.clone(), walk.at());
        let next = match tool {
            "previous" if at > 0 => walk.set_up(at - 1, &self.state),
            "next" if at + 1 < walk.lesson().steps.len() => walk.go_to(at + 1, &self.state),
            "again" => walk.set_up(at, &self.state),
            "check" => {
                let typed = self.place.query_selector("#lesson-guess").ok().flatten()?;
                let typed = typed.dyn_into::<HtmlInputElement>().ok()?.value();
                let next = walk.guess(typed.trim().replace(',', ".").parse().ok()?, &self.state);
                self.see(None);
                return next;
            }
            _ => return None,
        };
        self.place.set_scroll_top(0);
        self.arithmetic = None;
        Some(at_step(next, &name, self.taken.as_ref()?.2.at()))
    }

    /// The page without the lesson: with all parts of it, or with the list.
    fn left(&mut self, is_listed: bool) -> State {
        let mut next = self.state.clone();
        next.lesson = if is_listed { LESSON_LIST } else { "" }.to_owned();
        next.lesson_step = 0;
        let standard = State::default();
        (next.show, next.lock) = (standard.show, standard.lock);
        if is_listed {
            self.is_called = true;
        } else {
            self.is_left = true;
        }
        next
    }
}
