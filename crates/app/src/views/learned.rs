//! Parts of the page for a learned model: words to exchange (`data-exchange`), why it cannot read a
//! text (`data-hand-built` switches back to hand-built weights), and its answer.

use super::{Markup, html};
use crate::i18n::{Key, Language, text};
use crate::present::learned::{Exchangeable, ModelAnswer};

/// Attribute of a word to exchange: its index in the sentence, a colon, and the replacement.
pub const EXCHANGE: &str = "data-exchange";
/// Attribute of the button that returns to hand-built heads.
pub const HAND_BUILT: &str = "data-hand-built";

/// Number of alternatives from which they are buttons in a row instead of a menu: those that change
/// the meaning.
const IN_A_ROW: usize = 9;

/// The words that can be exchanged: those that change what the pronoun means as buttons, others in menus.
pub fn exchange(words: &[Exchangeable], language: Language) -> Markup {
    html! {
        @for own in words.iter().filter(|own| !is_in_a_row(own)) { (menu(own, language)) }
        @for own in words.iter().filter(|own| is_in_a_row(own)) { (row(own, language)) }
    }
}

fn is_in_a_row(word: &Exchangeable) -> bool {
    word.others.len() >= IN_A_ROW
}

fn value(at: usize, word: &str) -> String {
    format!("{at}:{word}")
}

fn menu(own: &Exchangeable, language: Language) -> Markup {
    html! {
        select translate="no" aria-label=(text::exchange_of(language, &own.word)) {
            @for word in &own.others {
                option value=(value(own.at, word)) selected[*word == own.word] { (word) }
            }
        }
    }
}

fn row(own: &Exchangeable, language: Language) -> Markup {
    html! {
        span class="words" role="group" translate="no" aria-label=(text::exchange_of(language, &own.word)) {
            @for word in &own.others {
                button type="button" data-exchange=(value(own.at, word)) aria-pressed=(*word == own.word) { (word) }
            }
        }
    }
}

/// Why the model cannot read the text, with the way to heads that can.
pub fn problem(sentence: &str, language: Language) -> Markup {
    html! {
        span { (sentence) } " "
        button type="button" class="plain" data-hand-built="" { (Key::LearnedHandBuilt.text(language)) }
    }
}

/// Answer of the model at the pronoun; nothing where it is asked nothing.
pub fn answer(answer: Option<&ModelAnswer>) -> Markup {
    html! {
        @if let Some(answer) = answer {
            h3 { (answer.title) }
            p class="training-answer" {
                span class="likeliest" translate="no" { (answer.word) }
                " "
                span class="share" { (answer.share) }
                span class="next" { (answer.beside) }
            }
            @if let Some(switch) = &answer.switch {
                button type="button" class="plain" data-switch-head="0" aria-pressed=(answer.is_off) { (switch) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::learned::exchangeable;
    use crate::state::url;

    #[test]
    fn adjectives_are_buttons_and_other_words_are_in_menus() {
        let link = "weights=learned&text=the+fox+wasn't+tired";
        let words = exchangeable(&url::parse(link).0);
        let written = exchange(&words, Language::En).into_string();
        assert_eq!(written.matches("<select").count(), 1, "{written}");
        assert!(written.contains("value=\"1:fox\" selected"), "{written}");
        assert_eq!(written.matches("<button").count(), 12);
        assert!(written.contains("data-exchange=\"3:tired\" aria-pressed=\"true\""));
        assert_eq!(written.matches("aria-pressed=\"true\"").count(), 1);
    }

    #[test]
    fn a_problem_is_text_and_has_a_way_out() {
        let written = problem("<i>", Language::En).into_string();
        assert!(
            written.contains("&lt;i&gt;") && written.contains(HAND_BUILT),
            "{written}"
        );
    }
}
