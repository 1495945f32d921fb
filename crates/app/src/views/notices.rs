//! The list of notices: each with a button that dismisses it, some with one that undoes the change, or that goes to an example.

use super::{Markup, html, symbols};
use crate::i18n::{Key, Language};
use crate::present::notices::{Notice, NoticeKind};

/// The attribute of the button that takes a notice away, with the notice's number.
pub const DISMISS: &str = "data-dismiss";
/// Attribute of the button that undoes the change a notice reports.
pub const UNDO: &str = "data-undo";
/// Attribute of the button for an example, with the example's id.
pub const EXAMPLE: &str = "data-example";

/// A list item for each notice.
///
/// The id identifies a notice, so that those that stay are not rewritten, and not read out again.
pub fn notices(notices: &[Notice], language: Language) -> Markup {
    html! {
        @for notice in notices {
            li id=(format!("notice-{}", notice.id)) class=[(notice.kind == NoticeKind::Kept).then_some("kept")] {
                span { (symbols(&notice.sentence)) }
                // What it offers is read before how to do without.
                @if matches!(notice.kind, NoticeKind::Undoable | NoticeKind::WithExample(_)) {
                    button type="button" class="bare" data-undo="" data-t=(Key::Undo.name()) { (Key::Undo.text(language)) }
                }
                @if let NoticeKind::WithExample(id) = notice.kind {
                    button type="button" class="bare" data-example=(id) data-t=(Key::LearnedBack.name()) { (Key::LearnedBack.text(language)) }
                }
                button type="button" class="bare" data-dismiss=(notice.id) data-t=(Key::NoticeDismiss.name()) { (Key::NoticeDismiss.text(language)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::notices::Notices;
    use crate::views::patch::{Edit, diff};

    #[test]
    fn a_sentence_is_text_and_its_buttons_name_it() {
        let mut all = Notices::default();
        all.add("<b>");
        all.offer_undo("changed");
        let written = notices(all.shown(), Language::En).into_string();
        assert!(written.contains("<span>&lt;b&gt;</span>"), "{written}");
        assert!(written.contains("data-dismiss=\"0\"") && written.contains("data-dismiss=\"1\""));
        let (undo, dismiss) = (written.find(UNDO), written.rfind(DISMISS));
        assert!(undo.is_some() && undo < dismiss, "{written}");
        assert_eq!(written.matches(UNDO).count(), 1, "{written}");
        all.offer_example("left", "learned");
        let written = notices(all.shown(), Language::En).into_string();
        assert_eq!(written.matches(UNDO).count(), 2, "{written}");
        assert!(
            written.contains("data-example=\"learned\"") && written.contains("learned model<"),
            "{written}"
        );
    }

    #[test]
    fn those_that_stay_are_left_alone() {
        let mut all = Notices::default();
        for sentence in ["a", "b", "c", "d"] {
            all.add(sentence);
        }
        let before = notices(all.shown(), Language::En).into_string();
        all.remove(1);
        let after = notices(all.shown(), Language::En).into_string();
        assert_eq!(
            diff(&before, &after),
            Some(vec![Edit::Replace(1..2, String::new())])
        );
    }
}
