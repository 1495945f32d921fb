//! Actions in a lesson.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlInputElement, KeyboardEvent};

use super::{DRAFT, Inner, NamedLesson, OpenLesson, is_in};
use crate::browser::storage;
use app::present::lesson::writing::written;
use app::present::lesson::{Editor, LessonWalk, Outcome, files};
use app::present::run::Run;
use app::state::external_settings::laid_out_as;
use app::state::{LESSON_LIST, LESSON_OWN, State, url};
use app::views::Markup;
use app::views::lesson::{self as views, Around};
use lessons::{Lesson, Task};

/// From this width on a lesson stands beside the map, and below this height above all, as in `lesson.css`.
const WIDE: f64 = 1000.0;
const HIGH: f64 = 480.0;

/// `state` at a step of a lesson, counted from 0.
pub(super) fn at_step(mut state: State, name: &str, step: usize) -> State {
    state.lesson = name.to_owned();
    state.lesson_step = step + 1;
    state
}

/// Whether a key has been pressed that ends the typing of a number.
pub(super) fn is_answer(event: &Event) -> bool {
    let is_enter = event
        .dyn_ref::<KeyboardEvent>()
        .is_some_and(|event| event.key() == "Enter");
    is_enter && is_in(event, "lesson-guess")
}

impl Inner {
    /// Shows what the state requests: the list, or a lesson at its step, evaluated on `run`.
    pub(super) fn show(&mut self, run: Option<&Run>) {
        if !self.editor.as_ref().is_some_and(Editor::is_open) {
            self.recall_draft();
        }
        match &self.editor {
            Some(editor) if editor.is_of(&self.state) => return self.show_editor(),
            _ => self.editor = None,
        }
        let (name, language) = (self.state.lesson.clone(), self.language);
        if name == LESSON_LIST {
            self.taken = None;
            let (all, progress) = (self.all(), self.progress());
            let has_draft = self.draft.text().is_some();
            let list = views::list(&all, &progress, has_draft, language);
            self.view.update(list);
            return self.shown();
        }
        if !self.is_taken() {
            self.is_new = self.taken.is_none();
            match self.lesson(&name) {
                Ok(Some(lesson)) => self.take(&name, LessonWalk::new(lesson)),
                Ok(None) => {
                    self.taken = None;
                    return self.view.update(views::gone(&name, language));
                }
                Err(problem) => {
                    self.taken = None;
                    return self.refuse_link(problem);
                }
            }
        }
        let Some(OpenLesson { walk, .. }) = &mut self.taken else {
            return;
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

    /// All lessons, read once.
    fn all(&mut self) -> Rc<[NamedLesson]> {
        let language = self.language;
        match &self.all {
            Some((own, all)) if *own == language => Rc::clone(all),
            _ => {
                let all: Rc<[NamedLesson]> = files::all(language).into();
                self.all = Some((language, Rc::clone(&all)));
                all
            }
        }
    }

    fn is_taken(&self) -> bool {
        self.taken.as_ref().is_some_and(|taken| {
            let is_same = (&taken.name, taken.language) == (&self.state.lesson, self.language);
            is_same && (taken.name != LESSON_OWN || taken.text == self.state.lesson_text)
        })
    }

    /// The lesson with a name, or a sentence that says why the user's own text is none.
    fn lesson(&self, name: &str) -> Result<Option<Lesson>, String> {
        if name == LESSON_OWN {
            return written(&self.state.lesson_text, self.language).map(Some);
        }
        Ok(files::lesson(name, self.language))
    }

    pub(super) fn take(&mut self, name: &str, walk: LessonWalk) {
        let all = self.all();
        let own = all.iter().position(|(other, _)| *other == name);
        let following = own.and_then(|own| all.get(own + 1));
        self.taken = Some(OpenLesson {
            name: name.to_owned(),
            language: self.language,
            text: self.state.lesson_text.clone(),
            walk,
            kept: 0,
            following: following.map(|(name, lesson)| (*name, lesson.title.clone())),
        });
        self.arithmetic = None;
    }

    /// Evaluates the step on the latest run, and shows the outcome.
    fn see(&mut self, run: Option<&Run>) {
        let code = self.is_lecture.then(|| self.code()).flatten();
        let Some(taken) = &mut self.taken else {
            return;
        };
        let walk = &mut taken.walk;
        if let Some(run) = run {
            walk.see(&self.state, run);
            // The numbers of another head are on their way: until then what stands there stays.
            self.arithmetic =
                views::arithmetic(&self.state, run, taken.language).or(self.arithmetic.take());
        }
        let explains = walk.step().task == Task::Explain;
        let is_alone = self.state.embed;
        let following = taken.following.as_ref().filter(|_| !is_alone);
        let around = Around {
            following: following.map(|(name, title)| (*name, title.as_str())),
            is_alone,
            is_folded: self.is_folded,
            is_lecture: self.is_lecture,
            can_lecture: self.has_memory,
            code: code.as_ref(),
            has_draft: self.draft.text().is_some(),
            arithmetic: self.arithmetic.as_ref().filter(|_| explains),
        };
        self.view.update(views::step(walk, around, taken.language));
        let is_done = !matches!(walk.outcome(), Outcome::Open | Outcome::Waiting);
        let steps = walk.at() + 1;
        if is_done && taken.kept < steps {
            taken.kept = steps;
            let name = taken.name.clone();
            self.keep(&name, steps);
        }
    }

    /// Opens the editor, or continues; `problem` says why the current text is no lesson.
    pub(super) fn write(&mut self, problem: Option<String>) {
        self.editor = Some(Editor::new(problem));
        self.is_called = true;
        if self.has_come() {
            self.show_editor();
        } else {
            self.load();
        }
    }

    /// Takes the draft of the last visit, where nothing is written in this one.
    fn recall_draft(&mut self) {
        let (has_memory, window) = (self.has_memory, &self.window);
        let kept = || has_memory.then(|| storage::recall(window, DRAFT)).flatten();
        self.draft.recall(kept);
    }

    /// State of a link within the page, where the address belongs to the host.
    pub(super) fn follow_link(&self, event: &Event) -> Option<State> {
        let target: Element = event.target()?.dyn_into().ok()?;
        let link = target.closest("a[href^=\"#\"]").ok().flatten()?;
        event.prevent_default();
        let fragment = link.get_attribute("href")?;
        let (linked, _) = url::parse(fragment.trim_start_matches('#'));
        let (show, lock) = (linked.show, linked.lock);
        let state = laid_out_as(linked, &self.state);
        Some(State {
            show,
            lock,
            ..state
        })
    }

    /// Begins to write what the page is set to, or goes on; where no lesson is shown, once one is.
    pub(super) fn begin_writing(&mut self, is_away: bool) {
        self.is_called = true;
        match self.editor {
            _ if is_away => self.editor = Some(Editor::default()),
            None => self.write(None),
            Some(_) => self.shown(),
        }
    }

    pub(super) fn on_paper(&self) -> Markup {
        let taken = self.taken.as_ref();
        taken.map_or_else(Markup::default, |taken| {
            views::on_paper(&taken.walk, taken.language)
        })
    }

    /// Whether the lesson is at the bottom of the window.
    fn is_below(&self) -> bool {
        let sides = [self.window.inner_width(), self.window.inner_height()];
        let [width, height] = sides.map(|side| side.ok().and_then(|side| side.as_f64()));
        width.is_some_and(|width| width < WIDE) && height.is_some_and(|height| height >= HIGH)
    }

    /// Moves the focus to the requested element, and scrolls the map above a new lesson into view.
    pub(super) fn shown(&mut self) {
        if std::mem::take(&mut self.is_called) {
            self.place.set_scroll_top(0);
            // Refused by elements that are not there to be seen.
            let _ = self.place.focus();
        }
        let is_new = std::mem::take(&mut self.is_new) && self.taken.is_some();
        // Somebody else's page is not ours to scroll.
        if is_new && self.has_memory && self.is_below() {
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
        self.take(name, walk);
        (self.is_called, self.is_new) = (true, true);
        Some(opened)
    }

    /// Answers with a choice.
    pub(super) fn choose(&mut self, choice: usize) -> Option<State> {
        let walk = &mut self.taken.as_mut()?.walk;
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
            "lecture" => {
                self.lecture(!self.is_lecture);
                self.see(None);
                return None;
            }
            "fold" => {
                self.is_folded = !self.is_folded;
                self.see(None);
                return None;
            }
            "write" => {
                self.write(None);
                return None;
            }
            "stop" | "take" | "save" | "discard" => return self.press_writing(tool),
            "close" | "list" => return Some(self.left(tool == "list")),
            _ => {}
        }
        let OpenLesson { name, walk, .. } = self.taken.as_mut()?;
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
        Some(at_step(next, &name, self.taken.as_ref()?.walk.at()))
    }

    /// The page without the lesson: with all parts of it, or with the list.
    pub(super) fn left(&mut self, is_listed: bool) -> State {
        self.editor = None;
        let mut next = self.state.clone();
        next.lesson = if is_listed { LESSON_LIST } else { "" }.to_owned();
        next.lesson_step = 0;
        next.lesson_text = String::new();
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
