//! Formulas in MathML, from a short notation; they contain no words and need no translation.

use crate::views::{Markup, html};

/// `<math>` for a formula written as `2P(h) + h n^2 (4d_k + 6)`: letters are symbols, `_` and `^` put the next symbol
/// or number below or above, letters without a space between them are a name.
pub fn math(formula: &str) -> Markup {
    let (mut parts, mut rest) = (Vec::new(), formula);
    while let Some((base, after)) = atom(rest) {
        rest = after;
        let is_below = rest.starts_with('_');
        parts.push(match rest.strip_prefix(['_', '^']).and_then(atom) {
            Some((script, after)) => {
                rest = after;
                if is_below {
                    html! { msub { (base) (script) } }
                } else {
                    html! { msup { (base) (script) } }
                }
            }
            None => base,
        });
    }
    html! { math { @for part in &parts { (part) } } }
}

/// The first symbol, number, name or sign, and what comes after it.
fn atom(text: &str) -> Option<(Markup, &str)> {
    let text = text.trim_start();
    let first = text.chars().next()?;
    let length = |is_in: fn(char) -> bool| text.find(|c| !is_in(c)).unwrap_or(text.len());
    let end = |length: usize| text.split_at(length.max(first.len_utf8()));
    Some(if first.is_ascii_digit() {
        let (digits, after) = end(length(|c| c.is_ascii_digit()));
        (html! { mn { (digits) } }, after)
    } else if first.is_alphabetic() {
        let (letters, after) = end(length(|c| c.is_ascii_alphabetic()));
        (html! { mi { (letters) } }, after)
    } else {
        let (sign, after) = end(0);
        // Parentheses that grew with what they hold would make every row as high as its powers.
        (html! { mo stretchy="false" { (sign) } }, after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_symbols_numbers_and_signs() {
        let cases = [
            ("n^2 d", "<msup><mi>n</mi><mn>2</mn></msup><mi>d</mi>"),
            (
                "4d_k + 16",
                "<mn>4</mn><msub><mi>d</mi><mi>k</mi></msub><mo stretchy=\"false\">+</mo><mn>16</mn>",
            ),
            ("log_κ n", "<msub><mi>log</mi><mi>κ</mi></msub><mi>n</mi>"),
            ("κ·n", "<mi>κ</mi><mo stretchy=\"false\">·</mo><mi>n</mi>"),
            ("", ""),
        ];
        for (formula, inner) in cases {
            assert_eq!(math(formula).0, format!("<math>{inner}</math>"));
        }
    }

    #[test]
    fn a_formula_that_ends_in_the_middle_ends_all_the_same() {
        for odd in ["n^", "_", "^_^", "n_"] {
            assert!(math(odd).0.ends_with("</math>"), "{odd}");
        }
    }
}
