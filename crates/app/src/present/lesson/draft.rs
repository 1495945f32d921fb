//! A lesson being written. Its text is a draft from the first change on, until it is applied as a
//! lesson or discarded.

use crate::state::State;

/// Longer drafts are not kept for the next visit, so that they leave room for other things.
const MOST_BYTES: usize = 200_000;

/// Text in the editor that was neither applied nor discarded, whether the editor is open or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft(Option<String>);

impl Draft {
    /// The text.
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Restores the draft stored on another visit, if there is none now.
    pub fn recall(&mut self, kept: impl FnOnce() -> Option<String>) {
        if self.0.is_none() {
            self.0 = kept();
        }
    }

    /// Sets the text, which replaces `source`. Returns whether there is a draft now where there was
    /// none, or the other way round.
    pub fn write(&mut self, text: String, source: &str) -> bool {
        let had_text = self.0.is_some();
        self.0 = Some(text).filter(|text| text != source);
        had_text != self.0.is_some()
    }

    /// Removes and returns the draft.
    pub fn take(&mut self) -> Option<String> {
        self.0.take()
    }

    /// Returns the text to store for the next visit; `None` if it is too long.
    pub fn kept(&self) -> Option<&str> {
        self.text().filter(|text| text.len() <= MOST_BYTES)
    }
}

/// The editor, shown in place of the page's lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Editor {
    open: Option<Open>,
    /// Why the text is no lesson.
    pub problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    /// Name and text of the page's lesson.
    lesson: [String; 2],
    /// The text without the draft.
    source: String,
}

impl Editor {
    /// An editor that is opened once it can be shown; `problem` says why what it opens with is no lesson.
    pub fn new(problem: Option<String>) -> Self {
        Self {
            open: None,
            problem,
        }
    }

    /// Whether it has been opened.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether it stays open on a page: as long as that has the same lesson.
    pub fn is_of(&self, state: &State) -> bool {
        let open = self.open.as_ref();
        open.is_none_or(|open| open.lesson == lesson(state))
    }

    /// Opens it on the lesson of the page, unless it is open.
    pub fn open(&mut self, state: &State, source: impl FnOnce() -> String) {
        self.open.get_or_insert_with(|| Open {
            lesson: lesson(state),
            source: source(),
        });
    }

    /// The text in it: the draft, or else the source.
    pub fn text<'a>(&'a self, draft: &'a Draft) -> &'a str {
        draft.text().unwrap_or(self.source())
    }

    /// The text without the draft.
    pub fn source(&self) -> &str {
        self.open.as_ref().map_or("", |open| &open.source)
    }
}

fn lesson(state: &State) -> [String; 2] {
    [state.lesson.clone(), state.lesson_text.clone()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(lesson: &str) -> State {
        State {
            lesson: lesson.to_owned(),
            ..State::default()
        }
    }

    fn opened(on: &State, draft: &Draft) -> (Editor, String) {
        let mut editor = Editor::new(None);
        editor.open(on, || format!("source of {}", on.lesson));
        let shown = editor.text(draft).to_owned();
        (editor, shown)
    }

    #[test]
    fn what_is_typed_is_kept_until_it_is_taken() {
        let mut draft = Draft::default();
        let (editor, shown) = opened(&on("06-masks"), &draft);
        assert_eq!(shown, "source of 06-masks");
        assert!(draft.write("mine".to_owned(), editor.source()));
        assert!(!draft.write("mine too".to_owned(), editor.source()));
        // Opened anew, wherever the page is.
        for lesson in ["06-masks", "list", "own"] {
            let (_, shown) = opened(&on(lesson), &draft);
            assert_eq!(shown, "mine too", "{lesson}");
        }
        assert_eq!(draft.take().as_deref(), Some("mine too"));
        let (_, shown) = opened(&on("list"), &draft);
        assert_eq!(shown, "source of list");
    }

    #[test]
    fn a_text_that_has_not_been_changed_is_no_draft() {
        let mut draft = Draft::default();
        let (editor, shown) = opened(&on("06-masks"), &draft);
        assert!(!draft.write(shown.clone(), editor.source()));
        assert!(draft.write("mine".to_owned(), editor.source()));
        assert!(draft.write(shown, editor.source()), "it is as it was");
        assert_eq!(draft, Draft::default());
    }

    #[test]
    fn another_lesson_closes_the_editor_and_nothing_else_does() {
        let mut state = on("06-masks");
        let editor = Editor::new(None);
        assert!(editor.is_of(&state) && !editor.is_open());
        let (editor, _) = opened(&state, &Draft::default());
        assert!(editor.is_open());
        (state.lesson_step, state.temperature) = (3, 2);
        assert!(editor.is_of(&state));
        assert!(!editor.is_of(&on("07-positions")) && !editor.is_of(&on("")));
        state.lesson_text = "another".to_owned();
        assert!(!editor.is_of(&state));
    }

    #[test]
    fn discarding_leads_back_to_the_source() {
        let mut draft = Draft::default();
        draft.recall(|| Some("mine".to_owned()));
        let (mut editor, shown) = opened(&on("06-masks"), &draft);
        assert_eq!(shown, "mine");
        draft.take();
        editor.open(&on("06-masks"), String::new);
        assert_eq!(editor.text(&draft), "source of 06-masks");
    }

    #[test]
    fn the_next_visit_has_it_and_what_is_written_here_stays() {
        let mut draft = Draft::default();
        draft.recall(|| Some("kept".to_owned()));
        draft.recall(|| Some("of another tab".to_owned()));
        assert_eq!((draft.text(), draft.kept()), (Some("kept"), Some("kept")));
        let long = "x".repeat(MOST_BYTES + 1);
        draft.write(long.clone(), "");
        assert_eq!((draft.text(), draft.kept()), (Some(long.as_str()), None));
    }
}
