//! A text with an element for each of its tokens.

use super::{Markup, html};

/// The text letter for letter; its tokens stand in it in this order, as it is spelled.
pub fn token_spans(text: &str, tokens: &[String]) -> Markup {
    let mut rest = text;
    let found = tokens.iter().map_while(|token| {
        let (before, after) = rest.split_once(token.as_str())?;
        rest = after;
        Some((before, token))
    });
    let found: Vec<(&str, &String)> = found.collect();
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
        assert_eq!(markup, expected);
    }
}
