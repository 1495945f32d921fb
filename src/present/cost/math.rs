//! Formulas in MathML, from a short notation; they contain no words and need no translation.

use std::fmt::Write as _;

/// `<math>` for a formula written as `2P(h) + h n^2 (4d_k + 6)`: letters are symbols, `_` and `^` put the next symbol
/// or number below or above, letters without a space between them are a name.
pub fn math(formula: &str) -> String {
    let mut out = String::from("<math>");
    let mut rest = formula;
    while let Some((atom, after)) = atom(rest) {
        rest = after;
        let is_below = rest.starts_with('_');
        let tag = if is_below { "msub" } else { "msup" };
        match rest.strip_prefix(['_', '^']).and_then(self::atom) {
            Some((script, after)) => {
                rest = after;
                let _ = write!(out, "<{tag}>{atom}{script}</{tag}>");
            }
            None => out.push_str(&atom),
        }
    }
    out + "</math>"
}

/// The first symbol, number, name or sign, and what comes after it.
fn atom(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let first = text.chars().next()?;
    let run = |is_in: fn(&char) -> bool| text.chars().take_while(is_in).count().max(1);
    let (tag, count) = match first {
        '0'..='9' => ("mn", run(char::is_ascii_digit)),
        _ if first.is_alphabetic() => ("mi", run(char::is_ascii_alphabetic)),
        _ => ("mo", 1),
    };
    let end = text
        .char_indices()
        .nth(count)
        .map_or(text.len(), |(at, _)| at);
    // Parentheses that grew with what they hold would make every row as high as its powers.
    let still = if tag == "mo" {
        " stretchy=\"false\""
    } else {
        ""
    };
    Some((
        format!("<{tag}{still}>{}</{tag}>", &text[..end]),
        &text[end..],
    ))
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
            assert_eq!(math(formula), format!("<math>{inner}</math>"));
        }
    }

    #[test]
    fn a_formula_that_ends_in_the_middle_ends_all_the_same() {
        for odd in ["n^", "_", "^_^", "n_"] {
            assert!(math(odd).ends_with("</math>"), "{odd}");
        }
    }
}
