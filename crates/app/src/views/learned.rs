//! Parts of the page for a learned model: words to exchange, and its answer.

use super::{Markup, html};
use crate::i18n::{Language, text};
use crate::present::learned::{Exchangeable, ModelAnswer};

/// The sentence letter for letter, as it stands in the field below, with a menu on each word that
/// can be exchanged; empty without such words.
pub fn exchange(sentence: &str, words: &[Exchangeable], language: Language) -> Markup {
    if words.is_empty() {
        return Markup::default();
    }
    let mut from = 0;
    html! {
        @for own in words {
            span aria-hidden="true" { (sentence.get(from..own.range.start).unwrap_or_default()) }
            (word(sentence, own, language))
            ({ from = own.range.end; "" })
        }
        span aria-hidden="true" { (sentence.get(from..).unwrap_or_default()) }
    }
}

/// A word as it is spelled, under a menu of what can stand for it.
fn word(sentence: &str, own: &Exchangeable, language: Language) -> Markup {
    let value = |word: &str| format!("{}:{word}", own.at);
    html! {
        span class=(if own.is_decisive { "word is-decisive" } else { "word" }) {
            span aria-hidden="true" { (sentence.get(own.range.clone()).unwrap_or(own.word)) }
            select aria-label=(text::exchange_of(language, &own.word)) {
                @for word in &own.others {
                    option value=(value(word)) selected[*word == own.word] { (word) }
                }
            }
        }
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
    use crate::views::tests::between;

    #[test]
    fn the_sentence_is_as_it_is_spelled_with_a_menu_on_each_word_that_can_be_exchanged() {
        let state = url::parse("weights=learned&text=The+Fox+wasn't+tired.").0;
        let words = exchangeable(&state);
        let written = exchange(&state.text, &words, Language::En).into_string();
        assert_eq!(written.matches("<select").count(), 2, "{written}");
        assert!(written.contains("value=\"1:fox\" selected"), "{written}");
        assert!(written.contains("value=\"3:wide\""), "{written}");
        assert_eq!(written.matches("is-decisive").count(), 1);
        let shown = between(&written, "aria-hidden=\"true\">", "<").concat();
        assert_eq!(shown, "The Fox wasn't tired.");
        assert_eq!(exchange("a < b", &[], Language::En).into_string(), "");
    }
}
