//! Actions in the lesson editor.

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::{File, HtmlInputElement, HtmlTextAreaElement};

use super::taking::at_step;
use super::{DRAFT, Inner, Weak, with};
use crate::bindings::file_bytes;
use crate::browser::storage;
use app::i18n::text;
use app::present::lesson::writing::{refused_size, text_of, written};
use app::present::lesson::{Draft, LessonWalk, files};
use app::state::{LESSON_LIST, LESSON_OWN, State};
use app::views::lesson::writing::{self as views, Written};

/// Lesson that a new one starts from.
const TEMPLATE: &str = "06-masks";

impl Inner {
    /// Shows the text that is written: at first the draft, or else that of the lesson that is taken.
    pub(super) fn show_editor(&mut self) {
        let Some(mut editor) = self.editor.take() else {
            return;
        };
        let text = editor.open(&self.state, &self.draft, || self.source());
        let text = text.to_owned();
        let written = Written {
            text: &text,
            problem: editor.problem.as_deref(),
            has_draft: self.draft.text().is_some(),
            is_of_list: self.state.lesson == LESSON_LIST,
        };
        self.view.update(views::editor(&written, self.language));
        self.editor = Some(editor);
        self.shown();
    }

    fn source(&self) -> String {
        let name = self.state.lesson.as_str();
        if name == LESSON_OWN {
            return self.state.lesson_text.clone();
        }
        let source = files::source(name, self.language);
        let source = source.or_else(|| files::source(TEMPLATE, self.language));
        source.unwrap_or_default().to_owned()
    }

    /// Opens the editor with the link's text, which is not a valid lesson, to be corrected. If
    /// another text is being written, only the problem is shown.
    pub(super) fn refuse_link(&mut self, problem: String) {
        if self.draft.text().is_none() {
            return self.write(Some(problem));
        }
        self.view.update(views::unread(&problem, self.language));
        self.shown();
    }

    pub(super) fn press_writing(&mut self, tool: &str) -> Option<State> {
        match tool {
            "save" => {
                let text = self.area()?.value();
                self.download
                    .save_file("lesson.md", "text/markdown", text.as_bytes());
                None
            }
            "take" => self.take_written(),
            "discard" => {
                let (area, editor) = (self.area()?, self.editor.as_mut()?);
                editor.begin_again();
                area.set_value(editor.source());
                self.end_draft();
                self.show_editor();
                // The button that had it is gone.
                let _ = area.focus();
                None
            }
            _ => {
                self.editor = None;
                if self.state.lesson == LESSON_OWN && self.taken.is_none() {
                    // What the link holds is no lesson.
                    return Some(self.left(true));
                }
                self.show(None);
                None
            }
        }
    }

    fn area(&self) -> Option<HtmlTextAreaElement> {
        let found = self.place.query_selector("#lesson-source").ok().flatten();
        found?.dyn_into().ok()
    }

    /// Applies the text as a lesson, or shows why it is none.
    fn take_written(&mut self) -> Option<State> {
        let text = self.area()?.value();
        match written(&text, self.language) {
            Ok(lesson) => {
                let mut walk = LessonWalk::new(lesson);
                let mut opened = at_step(walk.opened(&self.state), LESSON_OWN, 0);
                opened.lesson_text = text;
                self.end_draft();
                self.editor = None;
                self.is_called = true;
                Some(opened)
            }
            Err(problem) => {
                self.say(Some(problem));
                None
            }
        }
    }

    /// Shows why the text, or a file, is no lesson; `None` if it is one.
    fn say(&mut self, problem: Option<String>) {
        if let Some(editor) = &mut self.editor {
            editor.problem = problem;
            self.show_editor();
        }
    }

    /// Stores the text of the field as the draft.
    pub(super) fn typed(&mut self) {
        let (Some(area), Some(editor)) = (self.area(), &self.editor) else {
            return;
        };
        let before = self.draft.clone();
        let is_other = self.draft.write(area.value(), editor.source());
        self.keep_draft(&before);
        if is_other {
            self.show_editor();
        }
    }

    /// The draft has been taken as a lesson, or discarded.
    fn end_draft(&mut self) {
        let before = std::mem::take(&mut self.draft);
        self.keep_draft(&before);
    }

    /// Stores the draft for the next visit, in place of the one before; a draft stored by another
    /// tab since is kept.
    fn keep_draft(&self, before: &Draft) {
        if !self.has_memory {
            return;
        }
        match (self.draft.kept(), before.kept()) {
            (Some(text), _) => storage::remember(&self.window, DRAFT, Some(text)),
            (None, Some(own)) if storage::recall(&self.window, DRAFT).as_deref() == Some(own) => {
                storage::remember(&self.window, DRAFT, None);
            }
            (None, _) => {}
        }
    }

    /// Replaces the text by that of the chosen file.
    pub(super) fn read_chosen(&mut self) {
        let Some(file) = self.chosen_file() else {
            return;
        };
        if let Some(problem) = refused_size(file.size(), self.language) {
            return self.say(Some(problem));
        }
        let (back, pending) = (Weak::clone(&self.back), self.activity.begin());
        spawn_local(async move {
            let bytes = file_bytes(&file).await;
            with(&back, |inner| {
                match (bytes, inner.area()) {
                    (Ok(bytes), Some(area)) => {
                        area.set_value(&text_of(&bytes));
                        inner.typed();
                        inner.say(None);
                    }
                    (Err(_), _) => {
                        let problem = text::import_dialog_refused(inner.language, &file.name());
                        inner.say(Some(problem));
                    }
                    (Ok(_), None) => {}
                }
                None
            });
            drop(pending);
        });
    }

    /// The file that has been chosen; the same one can be chosen again after that.
    fn chosen_file(&self) -> Option<File> {
        let input = self.place.query_selector("#lesson-file").ok().flatten()?;
        let input: HtmlInputElement = input.dyn_into().ok()?;
        let file = input.files()?.get(0);
        input.set_value("");
        file
    }
}
