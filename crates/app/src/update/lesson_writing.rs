//! Actions in the lesson editor.

wasm_chunks::chunk!("lesson_writing");

use super::App;
use super::lesson_taking::at_step;
use crate::effect::File;
use crate::i18n::text;
use crate::message::LessonAction;
use crate::present::lesson::writing::{refused_size, text_of, written};
use crate::present::lesson::{Draft, LessonWalk, files};
use crate::state::{LESSON_LIST, LESSON_OWN};
use crate::views::Markup;
use crate::views::lesson::writing::{self as views, Written};
use crate::{Effect, View};

/// Name of the lesson that is written in what the browser keeps.
const DRAFT: &str = "attention-playground-draft";

/// Lesson that a new one starts from.
const TEMPLATE: &str = "06-masks";

impl App {
    /// The editor, or why the text of a link is no lesson; `None` where nothing is written.
    pub(super) fn editor_page(&self) -> Option<Markup> {
        if let Some(problem) = &self.lesson.refused {
            return Some(views::unread(problem, self.language));
        }
        let editor = self.lesson.editor.as_ref()?;
        let written = Written {
            text: self.written_text(),
            problem: editor.problem.as_deref(),
            has_draft: self.lesson.draft.text().is_some(),
            is_of_list: self.state.lesson == LESSON_LIST,
        };
        Some(views::editor(&written, self.language))
    }

    /// Opens the editor on the lesson that is taken, unless it is open.
    pub(super) fn open_editor(&mut self) {
        let source = self.lesson_source();
        if let Some(editor) = &mut self.lesson.editor {
            editor.open(&self.state, || source);
            self.lesson_shown();
        }
    }

    /// Takes the draft of the last visit, where nothing is written in this one.
    pub(super) fn recall_draft(&mut self) {
        if self.lesson.draft.text().is_none() {
            let kept = self.recall(DRAFT);
            self.lesson.draft.recall(|| kept);
        }
    }

    pub(super) fn press_in_editor(&mut self, tool: &str) {
        match tool {
            "save" => {
                let file = File {
                    name: "lesson.md".to_owned(),
                    kind: "text/markdown",
                    bytes: self.written_text().as_bytes().to_vec(),
                };
                self.effect(Effect::Download(None, file));
            }
            "take" => self.take_written(),
            "discard" => {
                if let Some(editor) = &mut self.lesson.editor {
                    editor.problem = None;
                }
                self.end_draft();
                // The button that had it is gone.
                self.effect(Effect::FocusLessonText);
            }
            _ => {
                self.lesson.editor = None;
                if self.state.lesson == LESSON_OWN && self.lesson.taken.is_none() {
                    // What the link holds is no lesson.
                    return self.leave_lesson(true);
                }
                self.follow_lesson();
            }
        }
    }

    pub(super) fn act_in_editor(&mut self, action: LessonAction) {
        match action {
            LessonAction::Type(text) => self.type_lesson(text),
            LessonAction::File(size) => match refused_size(size, self.language) {
                Some(problem) => self.show_problem(Some(problem)),
                None => self.effect(Effect::ReadLessonFile),
            },
            LessonAction::Read(_, Some(bytes)) => {
                self.type_lesson(text_of(&bytes));
                self.show_problem(None);
            }
            LessonAction::Read(name, None) => {
                let problem = text::import_dialog_refused(self.language, &name);
                self.show_problem(Some(problem));
            }
            _ => {}
        }
    }

    /// The text in the editor.
    fn written_text(&self) -> &str {
        let editor = self.lesson.editor.as_ref();
        editor.map_or("", |editor| editor.text(&self.lesson.draft))
    }

    fn lesson_source(&self) -> String {
        let name = self.state.lesson.as_str();
        if name == LESSON_OWN {
            return self.state.lesson_text.clone();
        }
        let source = files::source(name, self.language);
        let source = source.or_else(|| files::source(TEMPLATE, self.language));
        source.unwrap_or_default().to_owned()
    }

    /// Applies the text as a lesson, or shows why it is none.
    fn take_written(&mut self) {
        let text = self.written_text().to_owned();
        match written(&text, self.language) {
            Ok(lesson) => {
                let mut walk = LessonWalk::new(lesson);
                let mut opened = at_step(walk.opened(&self.state), LESSON_OWN, 0);
                opened.lesson_text = text;
                self.end_draft();
                self.lesson.editor = None;
                self.lesson.takes_focus = true;
                self.replace(Some(opened));
            }
            Err(problem) => self.show_problem(Some(problem)),
        }
    }

    /// Shows why the text, or a file, is no lesson; `None` if it is one.
    fn show_problem(&mut self, problem: Option<String>) {
        if let Some(editor) = &mut self.lesson.editor {
            editor.problem = problem;
            self.show(View::Lesson);
        }
    }

    /// Stores the text of the field as the draft.
    fn type_lesson(&mut self, text: String) {
        if let Some(editor) = &self.lesson.editor {
            let before = self.lesson.draft.clone();
            self.lesson.draft.write(text, editor.source());
            self.keep_draft(&before);
        }
    }

    /// The draft has been taken as a lesson, or discarded.
    fn end_draft(&mut self) {
        let before = std::mem::take(&mut self.lesson.draft);
        self.keep_draft(&before);
    }

    /// Stores the draft for the next visit, in place of the one before; a draft stored by another
    /// tab since is kept.
    fn keep_draft(&self, before: &Draft) {
        match (self.lesson.draft.kept(), before.kept()) {
            (Some(text), _) => self.keep(DRAFT, Some(text)),
            (None, Some(own)) if self.recall(DRAFT).as_deref() == Some(own) => {
                self.keep(DRAFT, None);
            }
            (None, _) => {}
        }
    }
}
