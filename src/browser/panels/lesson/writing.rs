//! What is done while a lesson is written.

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Event, File, HtmlInputElement, HtmlTextAreaElement};

use super::taking::at_step;
use super::{Inner, Weak, with};
use crate::bindings::file_bytes;
use crate::present::lesson::writing::written;
use crate::present::lesson::{LessonWalk, files};
use crate::state::{LESSON_LIST, LESSON_OWN, State};
use crate::views::lesson as views;

/// What a lesson that is written from scratch begins as.
const TEMPLATE: &str = "06-masks";

/// The file that was chosen to be read.
pub(super) fn chosen_file(event: &Event) -> Option<File> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let file = input.files()?.get(0);
    file.filter(|_| input.id() == "lesson-file")
}

impl Inner {
    /// Shows the text that is written: at first that of the lesson that is taken.
    pub(super) fn show_draft(&mut self) {
        let Some(mut draft) = self.draft.take() else {
            return;
        };
        let source = draft.source.get_or_insert_with(|| self.source());
        let is_of_list = self.state.lesson == LESSON_LIST;
        self.view.update(views::writing(
            source,
            draft.problem.as_deref(),
            is_of_list,
            self.language,
        ));
        self.draft = Some(draft);
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

    pub(super) fn press_writing(&mut self, tool: &str) -> Option<State> {
        match tool {
            "save" => {
                let text = self.area()?.value();
                self.download
                    .save_file("lesson.md", "text/markdown", text.as_bytes());
                None
            }
            "take" => self.take_written(),
            _ => {
                self.draft = None;
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

    /// Takes what is written as a lesson, or says why it is none.
    fn take_written(&mut self) -> Option<State> {
        let text = self.area()?.value();
        match written(&text, self.language) {
            Ok(lesson) => {
                let mut walk = LessonWalk::new(lesson);
                let mut opened = at_step(walk.opened(&self.state), LESSON_OWN, 0);
                opened.lesson_text = text;
                self.draft = None;
                self.is_called = true;
                Some(opened)
            }
            Err(problem) => {
                if let Some(draft) = &mut self.draft {
                    draft.problem = Some(problem);
                }
                self.show_draft();
                None
            }
        }
    }

    /// Puts the text of a file in the place of what was written.
    pub(super) fn read(&mut self, file: File) {
        let (back, pending) = (Weak::clone(&self.back), self.activity.begin());
        spawn_local(async move {
            let bytes = file_bytes(&file).await;
            with(&back, |inner| {
                let text = bytes
                    .ok()
                    .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                if let (Some(area), Some(text)) = (inner.area(), text) {
                    area.set_value(&text);
                }
                None
            });
            drop(pending);
        });
    }
}
