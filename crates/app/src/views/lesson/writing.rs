//! Where a lesson is written, and a link to one that is none.

wasm_chunks::chunk!("lesson_writing");

use super::{close, head};
use crate::i18n::{Key, Language};
use crate::views::{Markup, html};

/// The text of a lesson, to be written.
pub struct Written<'a> {
    /// The text in the editor.
    pub text: &'a str,
    /// Why it is no lesson.
    pub problem: Option<&'a str>,
    /// It has been changed, and can be discarded.
    pub has_draft: bool,
    /// Leads back to the list of lessons.
    pub is_of_list: bool,
}

/// Text field of the editor, with its buttons.
pub fn editor(written: &Written<'_>, language: Language) -> Markup {
    let back = if written.is_of_list {
        Key::LessonList
    } else {
        Key::LessonBack
    };
    html! {
        (head(Key::LessonWriteOwn.text(language), html! {
            button type="button" class="bare" data-lesson-do="stop" { (back.text(language)) }
            (close(language))
        }))
        p { (Key::LessonWritingAbout.text(language)) }
        textarea id="lesson-source" rows="18" autocomplete="off" spellcheck="false" translate="no" aria-label=(Key::LessonSource.text(language))
            aria-describedby="lesson-problem" data-value=(written.text) {}
        p class="lesson-problem" id="lesson-problem" role="status" { (written.problem.unwrap_or_default()) }
        p class="lesson-tools" {
            button type="button" class="plain" data-lesson-do="take" { (Key::LessonTake.text(language)) }
            " "
            button type="button" class="plain" data-lesson-do="save" { (Key::LessonSave.text(language)) }
            " "
            label class="plain lesson-file" { span { (Key::LessonFile.text(language)) } input type="file" id="lesson-file" accept=".md,text/markdown,text/plain"; }
            @if written.has_draft {
                " "
                button type="button" class="bare" data-lesson-do="discard" { (Key::LessonDiscard.text(language)) }
            }
        }
    }
}

/// Why the text of a link is no lesson, where something else is being written.
pub fn unread(problem: &str, language: Language) -> Markup {
    html! {
        (head(Key::Lessons.text(language), close(language)))
        p { (Key::LessonUnread.text(language)) }
        p class="lesson-problem" role="status" { (problem) }
        p class="lesson-tools" {
            button type="button" class="plain" data-lesson-do="write" { (Key::LessonGoOn.text(language)) }
            " "
            button type="button" class="plain" data-lesson-do="list" { (Key::LessonList.text(language)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_been_changed_can_be_discarded() {
        for (has_draft, ways) in [(false, 0), (true, 1)] {
            let written = Written {
                text: "<b>mine</b>",
                problem: None,
                has_draft,
                is_of_list: true,
            };
            let markup = editor(&written, Language::En).into_string();
            assert_eq!(markup.matches("data-lesson-do=\"discard\"").count(), ways);
            assert!(markup.contains("&lt;b&gt;mine&lt;/b&gt;"), "{markup}");
        }
    }

    #[test]
    fn a_link_that_is_no_lesson_says_why_and_leads_back_to_the_draft() {
        let markup = unread("Line 1: --- is missing.", Language::En).into_string();
        assert!(markup.contains("Line 1: --- is missing."), "{markup}");
        assert!(markup.contains("data-lesson-do=\"write\""), "{markup}");
    }
}
