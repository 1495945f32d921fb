//! A text with an element for each of its tokens.

use super::{Markup, html};
use crate::state::request_builder::place_of_token;

/// The text letter for letter; its tokens stand in it in this order, as it is spelled. One that does not stand in it, as a control token of a model,
/// gets an element with nothing in it.
pub fn token_spans(text: &str, tokens: &[String]) -> Markup {
    let mut rest = text;
    let found = tokens.iter().map(|token| {
        let Some(place) = place_of_token(rest, token) else {
            return ("", "");
        };
        let (all, after) = rest.split_at(place.end);
        rest = after;
        all.split_at(place.start)
    });
    let found: Vec<(&str, &str)> = found.collect();
    html! {
        @for (before, token) in found { (before) span { (token) } }
        // A line break at the end opens a line in the field; here it takes a character to do so.
        (rest) "\u{200b}"
    }
}

/// How strongly a token of this weight is tinted: half at most, so that the words stay readable.
pub fn tint(weight: f32) -> String {
    format!("{:.0}%", 50.0 * weight.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_as_it_is_spelled_with_its_tokens_in_order() {
        let tokens = ["a", "a", "<", "b"].map(str::to_owned);
        let markup = token_spans("  a, a<!\n", &tokens).0;
        let expected = "  <span>a</span>, <span>a</span><span>&lt;</span>!\n\u{200b}";
        assert!(markup.starts_with("  <span>a</span>, <span>a</span><span>&lt;</span>"));
        assert_eq!(markup.replace("<span></span>", ""), expected);
    }

    #[test]
    fn tokens_of_a_model_stand_where_they_are_spelled() {
        let tokens = ["[CLS]", "un", "·known", "words"].map(str::to_owned);
        let markup = token_spans("unknown words", &tokens).0;
        let expected = "<span></span><span>un</span><span>known</span> <span>words</span>\u{200b}";
        assert_eq!(markup, expected);
    }
}
