//! Actions in a lesson.

wasm_chunks::chunk!("lessons");

use std::rc::Rc;

use super::App;
use super::lesson::{NamedLesson, OpenLesson};
use crate::message::{LearningAction, LessonAction};
use crate::present::address_history::{Change, HistoryMode};
use crate::present::lesson::writing::written;
use crate::present::lesson::{Editor, LessonWalk, Outcome, Progress, files};
use crate::share::Qr;
use crate::state::external_settings::laid_out_as;
use crate::state::{Action, LESSON_LIST, LESSON_OWN, State, url};
use crate::views::Markup;
use crate::views::lesson::{self as views, Around};
use crate::{Effect, Message, View};
use lessons::{Lesson, Task};

/// Name of the progress in lessons in what the browser keeps.
const PROGRESS: &str = "attention-playground-lessons";

/// `state` at a step of a lesson, counted from 0.
pub(super) fn at_step(mut state: State, name: &str, step: usize) -> State {
    state.lesson = name.to_owned();
    state.lesson_step = step + 1;
    state
}

impl App {
    /// Takes what the state requests: the list, or a lesson at its step, evaluated on the run.
    #[inline(never)]
    pub(super) fn take_lesson(&mut self) {
        if !self.lesson.editor.as_ref().is_some_and(Editor::is_open) {
            self.recall_draft();
        }
        match &self.lesson.editor {
            Some(editor) if editor.is_of(&self.state) => return self.open_editor(),
            _ => self.lesson.editor = None,
        }
        self.lesson.refused = None;
        let name = self.state.lesson.clone();
        if name == LESSON_LIST {
            self.lesson.taken = None;
            self.all_lessons();
            return self.lesson_shown();
        }
        if !self.is_taken() {
            self.lesson.reveals_map = self.lesson.taken.is_none();
            self.lesson.taken = None;
            match self.lesson_named(&name) {
                Ok(Some(lesson)) => self.open_lesson(&name, LessonWalk::new(lesson)),
                Ok(None) => return,
                Err(problem) => return self.refuse_link(problem),
            }
        }
        let Some(taken) = &mut self.lesson.taken else {
            return;
        };
        match self.state.lesson_step.checked_sub(1) {
            None => {
                let opened = at_step(taken.walk.opened(&self.state), &name, 0);
                let opened = Action::Replace(Box::new(opened));
                self.later.push_back(Message::Act(opened, Change::Commit));
            }
            Some(step) if std::mem::take(&mut self.lesson.sets_up) => {
                let next = at_step(taken.walk.set_up(step, &self.state), &name, taken.walk.at());
                if next != self.state {
                    self.set_state(next);
                    return self.write(Change::Input, HistoryMode::Replace);
                }
            }
            Some(step) if step != taken.walk.at() => {
                taken.walk.go_to(step, &self.state);
            }
            Some(_) => {}
        }
        self.evaluate_lesson();
        self.lesson_shown();
    }

    /// The page of the lesson.
    #[inline(never)]
    pub(super) fn lesson_page(&self, code: Option<&Qr>) -> Markup {
        let (lesson, language) = (&self.lesson, self.language);
        let has_draft = lesson.draft.text().is_some();
        if let Some(written) = self.editor_page() {
            return written;
        }
        if self.state.lesson == LESSON_LIST {
            let all = lesson.all.as_ref().map(|(_, all)| &**all);
            return views::list(
                all.unwrap_or_default(),
                &self.progress_in_lessons(),
                has_draft,
                language,
            );
        }
        let Some(taken) = &lesson.taken else {
            return views::gone(&self.state.lesson, language);
        };
        let is_alone = self.state.embed;
        let following = taken.following.as_ref().filter(|_| !is_alone);
        let explains = taken.walk.step().task == Task::Explain;
        let around = Around {
            following: following.map(|(name, title)| (*name, title.as_str())),
            is_alone,
            is_folded: lesson.is_folded,
            is_lecture: lesson.is_lecture,
            can_lecture: self.environment.has_memory,
            code,
            has_draft,
            arithmetic: taken.arithmetic.as_ref().filter(|_| explains),
        };
        views::step(&taken.walk, around, taken.language)
    }

    /// Handles what is done in the lesson.
    #[inline(never)]
    pub(super) fn act_in_lesson(&mut self, action: LessonAction) {
        self.show(View::Lesson);
        let next = match action {
            LessonAction::Open(name) => self.open_where_left(&name),
            LessonAction::Choose(choice) => {
                let taken = self.lesson.taken.as_mut();
                let next = taken.and_then(|taken| taken.walk.choose(choice, &self.state));
                self.keep_progress();
                next
            }
            LessonAction::Check(typed) => {
                let number = typed.trim().replace(',', ".").parse();
                let taken = self.lesson.taken.as_mut();
                let guess = taken.zip(number.ok());
                let next = guess.and_then(|(taken, number)| taken.walk.guess(number, &self.state));
                self.keep_progress();
                next
            }
            LessonAction::Link(fragment) => Some(self.linked(&fragment)),
            LessonAction::EndLecture => return self.lecture(false),
            LessonAction::Press(tool) => return self.press_in_lesson(&tool),
            action => return self.act_in_editor(action),
        };
        if next.as_ref().is_some_and(|next| self.can_watch_to(next)) {
            return self.learn(LearningAction::Watch);
        }
        self.replace(next);
    }

    /// Moves the focus to the lesson if it was requested, and scrolls the map of a new one into view.
    pub(super) fn lesson_shown(&mut self) {
        if std::mem::take(&mut self.lesson.takes_focus) {
            self.effect(Effect::FocusLesson);
        }
        let reveals_map =
            std::mem::take(&mut self.lesson.reveals_map) && self.lesson.taken.is_some();
        // Somebody else's page is not ours to scroll.
        if reveals_map && self.environment.has_memory {
            self.effect(Effect::RevealMap);
        }
    }

    pub(super) fn replace(&mut self, next: Option<State>) {
        if let Some(next) = next {
            self.act(Action::Replace(Box::new(next)), Change::Commit);
        }
    }

    fn press_in_lesson(&mut self, tool: &str) {
        match tool {
            "lecture" => return self.lecture(!self.lesson.is_lecture),
            "fold" => {
                self.lesson.is_folded = !self.lesson.is_folded;
                return;
            }
            "write" => return self.write_lesson(None),
            "stop" | "take" | "save" | "discard" => return self.press_in_editor(tool),
            "list" => return self.leave_lesson(true),
            _ => {}
        }
        let Some(taken) = &mut self.lesson.taken else {
            return;
        };
        let at = taken.walk.at();
        let walk = &mut taken.walk;
        let next = match tool {
            "previous" if at > 0 => walk.set_up(at - 1, &self.state),
            "next" if at + 1 < walk.lesson().steps.len() => walk.go_to(at + 1, &self.state),
            "again" => walk.set_up(at, &self.state),
            _ => return,
        };
        taken.arithmetic = None;
        let next = at_step(next, &taken.name, taken.walk.at());
        self.effect(Effect::ScrollLesson);
        self.replace(Some(next));
    }

    /// Opens the editor with the link's text, which is not a valid lesson, to be corrected. If
    /// another text is being written, only the problem is shown.
    fn refuse_link(&mut self, problem: String) {
        if self.lesson.draft.text().is_none() {
            return self.write_lesson(Some(problem));
        }
        self.lesson.refused = Some(problem);
        self.lesson_shown();
    }

    /// Opens the editor, or continues; `problem` says why the current text is no lesson.
    fn write_lesson(&mut self, problem: Option<String>) {
        self.lesson.refused = None;
        self.lesson.editor = Some(Editor::new(problem));
        self.lesson.takes_focus = true;
        self.follow_lesson();
    }

    /// All lessons, read once.
    fn all_lessons(&mut self) -> Rc<[NamedLesson]> {
        let language = self.language;
        match &self.lesson.all {
            Some((own, all)) if *own == language => Rc::clone(all),
            _ => {
                let all: Rc<[NamedLesson]> = files::all(language).into();
                self.lesson.all = Some((language, Rc::clone(&all)));
                all
            }
        }
    }

    fn is_taken(&self) -> bool {
        self.lesson.taken.as_ref().is_some_and(|taken| {
            let is_same = (&taken.name, taken.language) == (&self.state.lesson, self.language);
            is_same && (taken.name != LESSON_OWN || taken.text == self.state.lesson_text)
        })
    }

    /// The lesson with a name, or a sentence that says why the user's own text is none.
    fn lesson_named(&self, name: &str) -> Result<Option<Lesson>, String> {
        if name == LESSON_OWN {
            return written(&self.state.lesson_text, self.language).map(Some);
        }
        Ok(files::lesson(name, self.language))
    }

    fn open_lesson(&mut self, name: &str, walk: LessonWalk) {
        let all = self.all_lessons();
        let own = all.iter().position(|(other, _)| *other == name);
        let following = own.and_then(|own| all.get(own + 1));
        self.lesson.taken = Some(Box::new(OpenLesson {
            name: name.to_owned(),
            language: self.language,
            text: self.state.lesson_text.clone(),
            walk,
            kept: 0,
            following: following.map(|(name, lesson)| (*name, lesson.title.clone())),
            arithmetic: None,
        }));
    }

    /// Opens a lesson where it was left.
    fn open_where_left(&mut self, name: &str) -> Option<State> {
        let lesson = files::lesson(name, self.language)?;
        let done = self.progress_in_lessons().done(name);
        let step = if done < lesson.steps.len() { done } else { 0 };
        let mut walk = LessonWalk::new(lesson);
        let opened = at_step(walk.set_up(step, &self.state), name, step);
        self.open_lesson(name, walk);
        (self.lesson.takes_focus, self.lesson.reveals_map) = (true, true);
        Some(opened)
    }

    /// State of a link within the page, where the address belongs to the host.
    fn linked(&self, fragment: &str) -> State {
        let (linked, _) = url::parse(fragment.trim_start_matches('#'));
        let (show, lock) = (linked.show, linked.lock);
        State {
            show,
            lock,
            ..laid_out_as(linked, &self.state)
        }
    }

    /// Evaluates the step on the latest run; while a model is watched that learns, none is the one that was asked about.
    fn evaluate_lesson(&mut self) {
        if self.learning.is_watched() {
            return;
        }
        if let (Some(taken), Some(run)) = (&mut self.lesson.taken, &self.main.run) {
            taken.walk.see(&self.state, run);
            // The numbers of another head are on their way: until then what stands there stays.
            let arithmetic = views::arithmetic(&self.state, run, taken.language);
            taken.arithmetic = arithmetic.or(taken.arithmetic.take());
        }
        self.keep_progress();
    }

    fn progress_in_lessons(&self) -> Progress {
        Progress::parse(&self.recall(PROGRESS).unwrap_or_default())
    }

    /// Keeps that the steps of the lesson up to this one have been done, if it has.
    fn keep_progress(&mut self) {
        let Some(taken) = &mut self.lesson.taken else {
            return;
        };
        let is_done = !matches!(taken.walk.outcome(), Outcome::Open | Outcome::Waiting);
        let steps = taken.walk.at() + 1;
        if is_done && taken.kept < steps {
            taken.kept = steps;
            let name = taken.name.clone();
            let mut progress = self.progress_in_lessons();
            if progress.take(&name, steps) {
                self.keep(PROGRESS, Some(&progress.write()));
            }
        }
    }
}
