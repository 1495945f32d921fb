//! Texts with values in them: a function per text, named as its key, whose parameters are its placeholders in English order.
//!
//! A value that is missing or misspelt does not compile. Values are shown as they are, so numbers are written by the caller where they
//! need rounding or units (see [`super::number`]).

#![allow(
    clippy::too_many_arguments,
    reason = "a text has as many values as it has"
)]

use std::fmt::{Display, Write as _};

use super::{KEYS, Language, lines};

include!(concat!(env!("OUT_DIR"), "/text.rs"));

/// One function for all templates, since each copy would be downloaded.
fn format(language: Language, template: usize, values: &[&dyn Display]) -> String {
    filled(lines::text(language, KEYS.len() + template), values)
}

/// `template` with every `{place}` replaced by the value at that place; a value may itself hold braces, they stay as they are.
fn filled(template: &str, values: &[&dyn Display]) -> String {
    let mut out = String::new();
    for (at, piece) in template.split(['{', '}']).enumerate() {
        let is_place = at % 2 == 1;
        if !is_place {
            out.push_str(piece);
        } else if let Some(value) = piece
            .parse()
            .ok()
            .and_then(|place: usize| values.get(place))
        {
            // Writing into a `String` cannot fail.
            let _ = write!(out, "{value}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_at_their_places() {
        let values: [&dyn Display; 2] = [&3, &"rows"];
        assert_eq!(filled("{1}: {0}, {0}", &values), "rows: 3, 3");
        assert_eq!(filled("{0}{1}", &values), "3rows");
        assert_eq!(filled("as it is", &values), "as it is");
    }

    #[test]
    fn braces_of_a_value_stay() {
        let values: [&dyn Display; 2] = [&"{1}", &"}{"];
        assert_eq!(filled("{0} and {1}", &values), "{1} and }{");
    }

    #[test]
    fn a_language_that_orders_the_values_otherwise_shows_the_same_ones() {
        let said = |language| tokens_cut(language, &"Text", &3, &7);
        let en = "Text: the first 3 of 7 tokens are used";
        assert!(said(Language::En).starts_with(en), "{}", said(Language::En));
        let zh = "Text：共 7 个词元，使用前 3 个";
        assert!(said(Language::Zh).starts_with(zh), "{}", said(Language::Zh));
    }
}
