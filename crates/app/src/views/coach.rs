//! The hint beside the sentence, whose words act (`data-coach`).

use super::{Markup, html};
use crate::i18n::{Key, Language};
use crate::present::coach::CoachLine;

/// Attribute of its buttons: what they do.
pub const COACH: &str = "data-coach";

/// The sentence with its words as a button, and the way out.
pub fn line(line: &CoachLine, language: Language) -> Markup {
    let (before, after) = line
        .sentence
        .split_once(CoachLine::PLACE)
        .unwrap_or((&line.sentence, ""));
    let leave = Key::CoachLeave.text(language);
    html! {
        (before)
        button type="button" class="act" data-coach="act" { (line.act) }
        (after)
        " "
        button type="button" class="leave" data-coach="leave" aria-label=(leave) title=(leave) { "×" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_act_are_a_button_in_their_sentence() {
        let own = CoachLine {
            sentence: format!("Make it {}, now.", CoachLine::PLACE),
            act: "<wide>".to_owned(),
        };
        let written = line(&own, Language::En).0;
        assert!(written.starts_with("Make it <button"), "{written}");
        assert!(
            written.contains("data-coach=\"act\">&lt;wide&gt;</button>, now."),
            "{written}"
        );
        assert!(written.contains("data-coach=\"leave\""), "{written}");
    }
}
