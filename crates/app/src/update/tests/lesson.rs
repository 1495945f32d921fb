//! Lessons, from their list to a link that leads to a step.

use super::*;
use crate::views::tests::between;

impl Page {
    fn lesson(&mut self, action: LessonAction) {
        self.send(Message::Lesson(action));
        self.compute_all();
    }

    fn press_tool(&mut self, tool: &str) {
        let wanted = format!("data-lesson-do=\"{tool}\"");
        assert!(
            self.lesson_page().contains(&wanted),
            "no button leads to {tool}"
        );
        self.lesson(LessonAction::Press(tool.to_owned()));
    }

    fn lesson_page(&self) -> String {
        let markup = self.app.lesson_view(None);
        markup.expect("a lesson").into_string()
    }

    /// The first text of a class in the lesson.
    fn in_lesson(&self, class: &str) -> Option<String> {
        let page = self.lesson_page();
        let found = between(&page, &format!("class=\"{class}\""), "</");
        found
            .first()
            .map(|text| text.rsplit('>').next().unwrap_or_default().to_owned())
    }

    fn has(&self, effect: &Effect) -> bool {
        self.effects.contains(effect)
    }
}

fn opened(fragment: &str) -> Page {
    let mut page = Page::opened(fragment);
    page.compute_all();
    page
}

const RIGHT: &str = "Right: that is what the page computes.";

#[test]
fn a_lesson_is_chosen_taken_undone_and_left() {
    let mut page = opened("v=1&text=a+b");
    assert!(page.app.lesson_view(None).is_none());
    page.lesson(LessonAction::List);
    assert!(page.lesson_page().matches("data-lesson-open").count() > 10);
    assert!(page.has(&Effect::FocusLesson));
    page.lesson(LessonAction::Open("06-masks".to_owned()));
    assert_eq!(
        (page.app.state.lesson_step, &*page.app.state.text),
        (1, "the cat sat on the mat PAD PAD")
    );
    assert!(page.has(&Effect::RevealMap));
    // A question about what is on the map is answered at once.
    page.send(Message::Lesson(LessonAction::Choose(1)));
    assert_eq!(page.in_lesson("lesson-outcome").as_deref(), Some(RIGHT));
    page.press_tool("next");
    let before = page.app.state.clone();
    assert_eq!(
        (before.lesson_step, page.in_lesson("lesson-outcome")),
        (2, None)
    );
    // What is right is computed, and an answer stands.
    page.lesson(LessonAction::Choose(0));
    let said = page.in_lesson("lesson-outcome");
    assert_eq!(
        said.as_deref(),
        Some("The page computes something else: All grow by the same factor.")
    );
    page.lesson(LessonAction::Choose(1));
    assert_eq!(page.in_lesson("lesson-outcome"), said);
    page.press_tool("again");
    assert_eq!(page.app.state, before);
    page.lesson(LessonAction::Choose(1));
    assert_eq!(page.in_lesson("lesson-outcome").as_deref(), Some(RIGHT));
    // It goes with what came of it, and comes again.
    page.send(Message::Undo(UndoAction::Undo));
    page.compute_all();
    assert_eq!(
        (page.app.state.clone(), page.in_lesson("lesson-outcome")),
        (before, None)
    );
    page.send(Message::Undo(UndoAction::Redo));
    page.compute_all();
    assert_eq!(page.in_lesson("lesson-outcome").as_deref(), Some(RIGHT));
    // The list says how far one has come, and the lesson is opened there.
    page.press_tool("list");
    assert!(page.lesson_page().contains("Step 3 of 7"));
    page.lesson(LessonAction::Open("06-masks".to_owned()));
    assert_eq!(page.app.state.lesson_step, 3);
    // Left, all parts of the page are there again.
    page.press_tool("close");
    assert!(page.app.lesson_view(None).is_none());
    assert!(page.app.state.lesson.is_empty() && page.app.state.lock.is_empty());
    assert!(page.has(&Effect::FocusLessonOpener));
}

#[test]
fn a_link_leads_to_the_step_and_one_without_a_step_to_the_first() {
    let mut page = opened("v=1&lesson=02-query-key-value");
    page.compute_all();
    assert_eq!(page.app.state.lesson_step, 1);
    page.press_tool("next");
    page.press_tool("next");
    let other = opened(&page.app.fragment());
    assert_eq!(other.app.state, page.app.state);
    assert_eq!(other.lesson_page(), page.lesson_page());
    // Nobody has done anything on the other page, and back leads out of the lesson.
    assert_eq!(other.address, []);
    assert!(page.app.undo_steps()[0]);
    page.set(Field::Language, Value::Choice("zh"));
    page.compute_all();
    assert!(page.lesson_page().contains("第 3 步"));
    let gone = opened("v=1&lesson=%3Cimg%3E");
    assert!(
        gone.lesson_page()
            .contains("There is no lesson “&lt;img&gt;”.")
    );
}

#[test]
fn goals_and_typed_numbers_are_watched() {
    let mut page = opened("v=1&lesson=04-softmax-by-hand");
    for _ in 1..4 {
        page.press_tool("next");
    }
    assert!(
        page.in_lesson("lesson-goal")
            .expect("a goal")
            .contains("Your turn")
    );
    page.set(Field::Temperature, Value::Centi(5));
    page.compute_all();
    assert_eq!(page.in_lesson("lesson-goal").as_deref(), Some("Reached."));
    let mut page = opened("v=1&lesson=04-softmax-by-hand");
    while !page.lesson_page().contains("lesson-guess") {
        page.press_tool("next");
    }
    page.lesson(LessonAction::Check("many".to_owned()));
    assert_eq!(page.in_lesson("lesson-outcome"), None);
    page.lesson(LessonAction::Check(" 99,5 ".to_owned()));
    assert!(
        page.in_lesson("lesson-outcome")
            .expect("said")
            .contains("something else: ")
    );
}

#[test]
fn a_lesson_waits_for_its_code_and_says_where_it_does_not_come() {
    let mut page = Page::with_code(Code(&["lessons_en"]));
    page.send(Message::Open("v=1&lesson=06-masks".to_owned()));
    assert!(page.app.lesson_view(None).is_none() && page.app.state.lesson_step == 0);
    page.app.chunks = Rc::new(Code(&[]));
    page.send(Message::ChunkCame);
    page.compute_all();
    assert_eq!(page.app.state.lesson_step, 1);
    assert!(page.lesson_page().contains("Masks"));

    struct Gone;
    impl Chunks for Gone {
        fn state(&self, name: &'static str) -> ChunkState {
            match name {
                "lessons" => ChunkState::Missing,
                _ => ChunkState::Loaded,
            }
        }
    }
    let mut page = Page::with_code(Gone);
    page.send(Message::Open("v=1&lesson=06-masks".to_owned()));
    assert!(page.lesson_page().contains("could not be loaded"));
    page.press_tool("close");
    assert!(page.app.state.lesson.is_empty());
}

#[test]
fn a_lesson_is_written_refused_with_its_line_and_goes_along_in_the_link() {
    let mut page = opened("v=1&lesson=06-masks");
    page.press_tool("write");
    let text = |page: &Page| {
        let shown = page.lesson_page();
        let value = between(&shown, "data-value=\"", "\"")[0];
        value
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    };
    let source = text(&page);
    assert!(source.starts_with("---\ntitle: Masks\n"), "{source}");
    let own = source.replace("title: Masks", "title: My own");
    page.lesson(LessonAction::Type(
        own.replace("minutes: 8", "minutes: few"),
    ));
    assert!(page.kept.recall("attention-playground-draft").is_some());
    page.press_tool("take");
    assert_eq!(
        page.in_lesson("lesson-problem").as_deref(),
        Some("Line 3: few is not a number.")
    );
    // What is written stays wherever the page goes.
    page.press_tool("stop");
    page.lesson(LessonAction::List);
    page.press_tool("write");
    assert!(text(&page).contains("minutes: few"));
    page.lesson(LessonAction::Type(own.clone()));
    page.press_tool("take");
    assert_eq!(
        (&*page.app.state.lesson, page.app.state.lesson_step),
        ("own", 1)
    );
    assert_eq!(page.app.state.lesson_text, own);
    assert!(page.kept.recall("attention-playground-draft").is_none());
    let other = opened(&page.app.fragment());
    assert_eq!(other.lesson_page(), page.lesson_page());
    // Saved, and read from a file that is small enough.
    page.press_tool("write");
    page.press_tool("save");
    assert!(
        matches!(page.effects.last(), Some(Effect::Download(None, file)) if file.bytes == own.as_bytes())
    );
    page.lesson(LessonAction::File(1e9));
    assert!(!page.has(&Effect::ReadLessonFile));
    assert_ne!(page.in_lesson("lesson-problem").as_deref(), Some(""));
    page.lesson(LessonAction::File(10.0));
    assert!(page.has(&Effect::ReadLessonFile));
    page.lesson(LessonAction::Read(
        "mine.md".to_owned(),
        Some(b"mine".to_vec()),
    ));
    assert_eq!(
        (text(&page), page.in_lesson("lesson-problem")),
        ("mine".to_owned(), Some(String::new()))
    );
    page.press_tool("discard");
    assert_eq!(text(&page), own);
    assert!(page.has(&Effect::FocusLessonText));
}

#[test]
fn a_link_that_is_no_lesson_is_shown_to_be_mended_and_gives_way_to_what_is_written() {
    let broken = "v=1&lesson=own&lesson_text=---%0Atitle%3A+Mine";
    let mut page = opened(broken);
    assert_eq!(
        page.in_lesson("lesson-problem").as_deref(),
        Some("Line 1: --- is missing.")
    );
    page.press_tool("stop");
    assert_eq!(page.app.state.lesson, "list");
    page.press_tool("write");
    page.lesson(LessonAction::Type("mine".to_owned()));
    page.send(Message::Reopen(broken.to_owned()));
    assert!(
        page.lesson_page().contains("Line 1: --- is missing.")
            && !page.lesson_page().contains("lesson-source")
    );
    page.press_tool("write");
    assert!(page.lesson_page().contains("data-value=\"mine\""));
}

#[test]
fn an_audience_is_shown_it_until_the_lesson_or_the_full_screen_ends() {
    let mut page = opened("v=1&lesson=06-masks");
    page.press_tool("lecture");
    assert!(page.app.is_lecture() && page.has(&Effect::Lecture(true)));
    page.lesson(LessonAction::EndLecture);
    assert!(!page.app.is_lecture() && page.has(&Effect::Lecture(false)));
    page.press_tool("lecture");
    page.press_tool("close");
    assert!(!page.app.is_lecture());
    // Folded, only the button says so.
    let mut page = opened("v=1&lesson=06-masks");
    page.press_tool("fold");
    assert!(page.lesson_page().contains("aria-expanded=\"false\""));
    assert!(page.app.lesson_on_paper().into_string().contains("<ol>"));
}

#[test]
fn a_link_to_a_step_that_says_nothing_else_sets_it_up_as_the_button_does() {
    let mut page = opened("v=1&lesson=06-masks&lesson_step=2");
    page.compute_all();
    let linked = page.app.state.clone();
    assert_eq!(
        (linked.lesson_step, &*linked.text),
        (2, "the cat sat on the mat PAD PAD")
    );
    assert!(!page.app.undo_steps()[0], "there is nothing behind it");
    page.press_tool("again");
    assert_eq!(page.app.state, linked);
    // One that says what the page is set to is opened as it was sent.
    let own = opened("v=1&lesson=06-masks&lesson_step=2&text=a+b+c");
    assert_eq!(own.app.state.text, "a b c");
}
