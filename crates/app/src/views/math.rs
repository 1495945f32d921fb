//! Formulas in MathML, from the notation in which they are written and read aloud.
//!
//! | notation | MathML |
//! |---|---|
//! | `Q`, `softmax`, `10`, `"−2×10⁻⁸"` | a letter, a name, numbers |
//! | `S_ij`, `q_{i,c}`, `n^2`, `K′ᵀ`, `10⁹` | scripts |
//! | `dQ`, `dq_{i,c}`, `∂L`, `x̂` | an upright d before a letter, a hat above one |
//! | `√d_k`, `Σ_{h,c}` | a root of the next term, a sum over indices |
//! | `a⁄b`, `⦃a + b⦄⁄√c` | a fraction of two terms; `⦃⦄` make one of several |
//! | thin space, en space | space between factors, before a condition |
//!
//! Formulas contain no words and need no translation. Queries and keys have their hue through classes of the style sheet; the
//! letters say the same without colour.

use super::{Markup, html};
use crate::present::steps::{EN_SPACE, FRACTION_SLASH, THIN_SPACE};

/// Whether the letters of queries and keys have their hue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hue {
    /// They have.
    Shown,
    /// Letters are symbols of their own.
    None,
}

/// `<math>` of a formula.
pub fn math(formula: &str, hue: Hue) -> Markup {
    html! { math { (terms(formula, hue)) } }
}

/// Terms of a formula, to stand in one.
pub fn terms(formula: &str, hue: Hue) -> Markup {
    let mut parser = Parser { rest: formula, hue };
    parser.until(None)
}

struct Parser<'a> {
    rest: &'a str,
    hue: Hue,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take(&mut self, is_in: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !is_in(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// All terms before `end`, which is skipped, or before the end of the formula.
    fn until(&mut self, end: Option<char>) -> Markup {
        let mut parts = Vec::new();
        loop {
            self.take(|c| c == ' ');
            match self.peek() {
                None => break,
                sign if sign == end => {
                    self.skip(end.unwrap_or_default());
                    break;
                }
                Some(THIN_SPACE) if self.skip(THIN_SPACE) => {
                    parts.push(html! { mspace width="0.2em" {} });
                }
                Some(EN_SPACE) if self.skip(EN_SPACE) => {
                    parts.push(html! { mspace width="0.5em" {} });
                }
                Some(_) => parts.push(self.quotient()),
            }
        }
        html! { @for part in &parts { (part) } }
    }

    fn quotient(&mut self) -> Markup {
        let above = self.term();
        if !self.skip(FRACTION_SLASH) {
            return above;
        }
        let below = self.term();
        html! { mfrac { mrow { (above) } mrow { (below) } } }
    }

    /// A symbol with its scripts.
    fn term(&mut self) -> Markup {
        if self.skip('√') {
            let inside = self.term();
            return html! { msqrt { (inside) } };
        }
        if self.skip('Σ') {
            let over = self.skip('_').then(|| self.script());
            return match over {
                Some(over) => html! { munder { mo { "∑" } (over) } },
                None => html! { mo { "∑" } },
            };
        }
        if self.skip('∂') {
            let letter = self.term();
            return html! { mi mathvariant="normal" { "∂" } (letter) };
        }
        if self.is_gradient() {
            self.skip('d');
            let letter = self.term();
            return html! { mi mathvariant="normal" { "d" } (letter) };
        }
        let base = self.base();
        if self.skip('\u{302}') {
            let hat = html! { mover accent="true" { (base) (fence("^")) } };
            return self.scripted(&hat);
        }
        self.scripted(&base)
    }

    /// Whether a `d` stands before another letter, and is no letter or part of a name itself.
    fn is_gradient(&self) -> bool {
        let mut signs = self.rest.chars();
        let starts = signs.next() == Some('d') && signs.next().is_some_and(char::is_alphabetic);
        starts && !signs.next().is_some_and(|c| c.is_ascii_alphabetic())
    }

    fn scripted(&mut self, base: &Markup) -> Markup {
        let (mut below, mut above) = (None, Vec::new());
        loop {
            if self.skip('_') {
                below = Some(self.script());
            } else if self.skip('^') {
                above.push(self.script());
            } else if self.skip('′') {
                above.push(html! { mo { "′" } });
            } else if self.skip('ᵀ') {
                above.push(fence("⊤"));
            } else if self.skip('⁹') {
                above.push(html! { mn { "9" } });
            } else {
                break;
            }
        }
        let above = (!above.is_empty()).then(|| row(&above));
        match (below, above) {
            (None, None) => html! { (base) },
            (Some(below), None) => html! { msub { (base) (below) } },
            (None, Some(above)) => html! { msup { (base) (above) } },
            (Some(below), Some(above)) => html! { msubsup { (base) (below) (above) } },
        }
    }

    /// A symbol or number, two letters that are one each, or a group in braces.
    fn script(&mut self) -> Markup {
        if self.skip('{') {
            let inside = self.until(Some('}'));
            return html! { mrow { (inside) } };
        }
        match self.rest.bytes().take_while(u8::is_ascii_lowercase).count() {
            1 | 2 => {
                let letters = self.take(|c| c.is_ascii_lowercase()).chars();
                let letters: Vec<_> = letters.map(|letter| html! { mi { (letter) } }).collect();
                row(&letters)
            }
            _ => self.base(),
        }
    }

    fn base(&mut self) -> Markup {
        let Some(first) = self.peek() else {
            return Markup::default();
        };
        if self.skip('⦃') {
            let inside = self.until(Some('⦄'));
            return html! { mrow { (inside) } };
        }
        if self.skip('"') {
            let number = self.take(|c| c != '"');
            self.skip('"');
            return html! { mn { (number) } };
        }
        let is_negative = |rest: &str| {
            let mut signs = rest.chars();
            signs.next() == Some('-') && signs.next().is_some_and(|c| c.is_ascii_digit())
        };
        if first.is_ascii_digit() || is_negative(self.rest) {
            let digits = self.take(|c| c.is_ascii_digit() || c == '.' || c == '-');
            return html! { mn { (digits) } };
        }
        if first.is_alphabetic() {
            let letters = self.take(|c| c.is_ascii_alphabetic());
            return match letters {
                "" => self.sign(first),
                name if name.len() > 1 => self.name(name),
                letter => html! { mi class=[self.hue_of(letter)] { (letter) } },
            };
        }
        self.sign(first)
    }

    /// A name, with a prime that belongs to it.
    fn name(&mut self, name: &str) -> Markup {
        match name {
            "PE" => html! { mi mathvariant="normal" { (name) } },
            _ if self.skip('′') => html! { mi { (name) "′" } },
            _ => html! { mi { (name) } },
        }
    }

    fn sign(&mut self, sign: char) -> Markup {
        self.skip(sign);
        let text = sign.to_string();
        match sign {
            // Parentheses that grew with what they hold would make every row as high as its powers.
            '(' | ')' | '[' | ']' | '{' | '}' | '|' | '⟨' | '⟩' => fence(&text),
            ',' => html! { mo separator="true" { (text) } },
            '∞' => html! { mi { (text) } },
            letter if letter.is_alphabetic() => html! { mi { (text) } },
            _ => html! { mo { (text) } },
        }
    }

    fn hue_of(&self, letter: &str) -> Option<&'static str> {
        match letter {
            _ if self.hue == Hue::None => None,
            "Q" | "q" => Some("is-query-text"),
            "K" | "k" => Some("is-key-text"),
            _ => None,
        }
    }
}

fn fence(sign: &str) -> Markup {
    html! { mo stretchy="false" { (sign) } }
}

/// Terms as one.
fn row(parts: &[Markup]) -> Markup {
    match parts {
        [one] => html! { (one) },
        several => html! { mrow { @for part in several { (part) } } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inside of `<math>`.
    fn inside(formula: &str) -> String {
        terms(formula, Hue::Shown).0
    }

    #[test]
    fn formulas_become_symbols_numbers_and_signs() {
        let cases = [
            ("n^2 d", "<msup><mi>n</mi><mn>2</mn></msup><mi>d</mi>"),
            (
                "4d_k + 16",
                "<mn>4</mn><msub><mi>d</mi><mi>k</mi></msub><mo>+</mo><mn>16</mn>",
            ),
            ("log_κ n", "<msub><mi>log</mi><mi>κ</mi></msub><mi>n</mi>"),
            ("κ·n", "<mi>κ</mi><mo>·</mo><mi>n</mi>"),
            (
                "S_ij",
                "<msub><mi>S</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>",
            ),
            (
                "K′ᵀ",
                "<msup><mi class=\"is-key-text\">K</mi><mrow><mo>′</mo><mo stretchy=\"false\">⊤</mo></mrow></msup>",
            ),
            (
                "W_Oᵀ",
                "<msubsup><mi>W</mi><mi>O</mi><mo stretchy=\"false\">⊤</mo></msubsup>",
            ),
            ("−10⁹", "<mo>−</mo><msup><mn>10</mn><mn>9</mn></msup>"),
            ("-2.5 m", "<mn>-2.5</mn><mi>m</mi>"),
            ("\"−2×10⁻⁸\"", "<mn>−2×10⁻⁸</mn>"),
            (
                "dQ",
                "<mi mathvariant=\"normal\">d</mi><mi class=\"is-query-text\">Q</mi>",
            ),
            ("norm′", "<mi>norm′</mi>"),
            ("", ""),
        ];
        for (formula, wanted) in cases {
            assert_eq!(inside(formula), wanted, "{formula}");
        }
        assert_eq!(math("Q", Hue::None).0, "<math><mi>Q</mi></math>");
    }

    #[test]
    fn roots_sums_and_fractions_hold_what_is_theirs() {
        let cases = [
            (
                "√d_k n",
                "<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt><mi>n</mi>",
            ),
            (
                "a⁄b c",
                "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac><mi>c</mi>",
            ),
            ("a / b", "<mi>a</mi><mo>/</mo><mi>b</mi>"),
            (
                "Σ_{h,c} a",
                "<munder><mo>∑</mo><mrow><mi>h</mi><mo separator=\"true\">,</mo><mi>c</mi></mrow></munder><mi>a</mi>",
            ),
            (
                "⦃a + b⦄⁄√2",
                "<mfrac><mrow><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mrow><mrow><msqrt><mn>2</mn></msqrt></mrow></mfrac>",
            ),
            (
                "e^{s_{i,j} − max}",
                "<msup><mi>e</mi><mrow><msub><mi>s</mi><mrow><mi>i</mi><mo separator=\"true\">,</mo><mi>j</mi></mrow></msub><mo>−</mo><mi>max</mi></mrow></msup>",
            ),
            (
                "x\u{302}",
                "<mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">^</mo></mover>",
            ),
        ];
        for (formula, wanted) in cases {
            assert_eq!(inside(formula), wanted, "{formula}");
        }
    }

    #[test]
    fn a_formula_that_ends_in_the_middle_ends_all_the_same() {
        for odd in ["n^", "_", "^_^", "n_", "√", "a⁄", "Σ_{", "⦃a", "d", "\"1"] {
            assert!(math(odd, Hue::Shown).0.ends_with("</math>"), "{odd}");
        }
    }
}
