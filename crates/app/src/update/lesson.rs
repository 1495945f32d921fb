//! The lesson beside the map: what leads to it and away from it, before its code has come and after.

wasm_chunks::chunk!("input": use_lesson, end_lesson);

use std::rc::Rc;

use super::App;
use crate::i18n::Language;
use crate::message::LessonAction;
use crate::present::address_history::Change;
use crate::present::lesson::{Draft, Editor, LessonWalk, files};
use crate::share::Qr;
use crate::state::{Action, Field, LESSON_LIST, LESSON_OWN, State, Value};
use crate::views::{self, Markup};
use crate::{ChunkState, Effect, View};
use lessons::Lesson;

/// The lesson that is taken or written.
#[derive(Default)]
pub(super) struct Lessons {
    /// All lessons of a language.
    pub(super) all: Option<(Language, Rc<[NamedLesson]>)>,
    pub(super) taken: Option<Box<OpenLesson>>,
    /// Text in the editor that was neither applied nor discarded.
    pub(super) draft: Draft,
    /// Where it is written, while it is.
    pub(super) editor: Option<Editor>,
    /// Why the text of a link is no lesson, where something else is being written.
    pub(super) refused: Option<String>,
    pub(super) is_folded: bool,
    pub(super) is_lecture: bool,
    /// Takes the focus when it is shown.
    pub(super) takes_focus: bool,
    /// Hands the focus back once it is gone.
    pub(super) returns_focus: bool,
    /// The step of a link is to be set up, as the link says nothing else.
    pub(super) sets_up: bool,
    /// A lesson begins: the map is to be seen.
    pub(super) reveals_map: bool,
}

pub(super) type NamedLesson = (&'static str, Lesson);

/// The lesson that is taken.
pub(super) struct OpenLesson {
    pub(super) name: String,
    pub(super) language: Language,
    /// Text of the user's own lesson.
    pub(super) text: String,
    pub(super) walk: LessonWalk,
    /// How many steps of it have been kept as done.
    pub(super) kept: usize,
    /// Name and title of the next one.
    pub(super) following: Option<(&'static str, String)>,
    pub(super) arithmetic: Option<Markup>,
}

impl App {
    /// Whether a lesson is shown to an audience.
    pub fn is_lecture(&self) -> bool {
        self.lesson.is_lecture
    }

    /// The lesson beside the map, with the code of a link to it for an audience; `None` while there
    /// is none, or its code is on its way.
    pub fn lesson_view(&self, code: Option<&Qr>) -> Option<Markup> {
        if self.state.lesson.is_empty() {
            return None;
        }
        match self.lesson_code() {
            ChunkState::Loaded => Some(self.lesson_page(code)),
            ChunkState::Coming => None,
            ChunkState::Missing => Some(views::lesson_missing(self.language)),
        }
    }

    /// Text of the lesson for print; empty without one.
    pub fn lesson_on_paper(&self) -> Markup {
        let taken = self.lesson.taken.as_ref();
        taken.map_or_else(Markup::default, |taken| {
            views::lesson::on_paper(&taken.walk, taken.language)
        })
    }

    /// Takes the lesson of the state, once its code has come.
    pub(super) fn follow_lesson(&mut self) {
        self.show(View::Lesson);
        if !self.state.lesson.is_empty() {
            if self.lesson_code() == ChunkState::Loaded {
                self.take_lesson();
            }
        } else if self.lesson.is_begun() {
            self.end_lesson();
        }
    }

    /// The page is taken back to a state, or on again.
    pub(super) fn return_lesson(&mut self, state: &State) {
        if let Some(taken) = &mut self.lesson.taken {
            taken.walk.return_to(state);
        }
    }

    /// Handles what is done in the lesson, and what leads to it.
    #[inline(never)]
    pub(super) fn use_lesson(&mut self, action: LessonAction) {
        match action {
            LessonAction::List => {
                self.lesson.takes_focus = true;
                self.list_lessons();
            }
            LessonAction::Write => self.begin_writing(),
            LessonAction::Press(tool) if tool == "close" => self.leave_lesson(false),
            LessonAction::Painted => self.follow_lesson(),
            action if self.lesson_code() == ChunkState::Loaded => self.act_in_lesson(action),
            _ => {}
        }
    }

    /// The page without the lesson: with all parts of it, or with the list.
    pub(super) fn leave_lesson(&mut self, is_listed: bool) {
        self.lesson.editor = None;
        let mut next = self.state.clone();
        next.lesson = if is_listed { LESSON_LIST } else { "" }.to_owned();
        next.lesson_step = 0;
        next.lesson_text = String::new();
        let standard = State::default();
        (next.show, next.lock) = (standard.show, standard.lock);
        if is_listed {
            self.lesson.takes_focus = true;
        } else {
            self.lesson.returns_focus = true;
        }
        self.act(Action::Replace(Box::new(next)), Change::Commit);
    }

    /// Begins or ends to show the lesson to an audience.
    pub(super) fn lecture(&mut self, is_lecture: bool) {
        if std::mem::replace(&mut self.lesson.is_lecture, is_lecture) != is_lecture {
            self.effect(Effect::Lecture(is_lecture));
            self.show(View::Room);
        }
    }

    /// Begins to write what the page is set to, or goes on; where no lesson is shown, once one is.
    fn begin_writing(&mut self) {
        self.lesson.takes_focus = true;
        let is_away = self.state.lesson.is_empty();
        if self.lesson.editor.is_none() || is_away {
            self.lesson.editor = Some(Editor::default());
        }
        if is_away {
            self.list_lessons();
        } else {
            self.follow_lesson();
        }
    }

    fn list_lessons(&mut self) {
        let list = Value::Text(LESSON_LIST.to_owned());
        self.act(Action::Set(Field::Lesson, list), Change::Commit);
    }

    #[inline(never)]
    fn end_lesson(&mut self) {
        (self.lesson.taken, self.lesson.editor, self.lesson.refused) = (None, None, None);
        self.lecture(false);
        if std::mem::take(&mut self.lesson.returns_focus) {
            self.effect(Effect::FocusLessonOpener);
        }
    }

    /// State of the code that the page's lesson, or what is written, needs.
    fn lesson_code(&self) -> ChunkState {
        let is_written = self.lesson.editor.is_some() || self.state.lesson == LESSON_OWN;
        let needed = files::chunks(self.language).into_iter();
        let needed = needed.chain(is_written.then_some("lesson_writing"));
        // All of them are asked for.
        let states: Vec<ChunkState> = needed.map(|chunk| self.chunks.state(chunk)).collect();
        let of = |state| states.contains(&state).then_some(state);
        let left = of(ChunkState::Coming).or_else(|| of(ChunkState::Missing));
        left.unwrap_or(ChunkState::Loaded)
    }
}

impl Lessons {
    /// Whether something is to be ended when the lesson is left.
    fn is_begun(&self) -> bool {
        let is_shown = self.taken.is_some() || self.editor.is_some() || self.refused.is_some();
        is_shown || self.is_lecture || self.returns_focus
    }
}
