//! Checks the limits of a formula before it is parsed.

use std::borrow::Cow;

use lessons::ParseErrorKind;

/// How long a formula may be.
pub(crate) const MOST_CHARACTERS: usize = 500;

/// Commands that give names to others, with which a short formula could stand for an endless one.
const DEFINITIONS: [&str; 12] = [
    "def",
    "edef",
    "gdef",
    "xdef",
    "let",
    "futurelet",
    "newcommand",
    "renewcommand",
    "providecommand",
    "newenvironment",
    "renewenvironment",
    "DeclareMathOperator",
];

/// Environments that say in braces how many pairs of columns they have.
const COUNTED: [&str; 3] = ["alignat", "alignat*", "alignedat"];

/// The formula, with plain spaces for all others, if it is one that the parser may be given.
pub(super) fn check(formula: &str) -> Result<Cow<'_, str>, ParseErrorKind> {
    let characters = formula.chars().count();
    if characters > MOST_CHARACTERS {
        return Err(ParseErrorKind::LongFormula {
            characters,
            most: MOST_CHARACTERS,
        });
    }
    let mut rest = formula;
    while let Some((_, after)) = rest.split_once('\\') {
        let (command, after) = split_command(after);
        if DEFINITIONS.contains(&command) {
            return Err(ParseErrorKind::Definition(command.to_owned()));
        }
        if !is_followed_well(command, after) {
            return Err(ParseErrorKind::Formula(format!("\\{command}")));
        }
        rest = after;
    }
    if !has_plain_colours(formula) {
        return Err(ParseErrorKind::Formula("a colour".to_owned()));
    }
    Ok(with_plain_spaces(formula))
}

/// A command behind its backslash: letters, or one character.
fn split_command(text: &str) -> (&str, &str) {
    let letters = text.find(|sign: char| !sign.is_ascii_alphabetic());
    let first = text.chars().next().map_or(0, char::len_utf8);
    text.split_at(letters.unwrap_or(text.len()).max(first))
}

/// Whether a command has behind it what the parser takes for granted there.
fn is_followed_well(command: &str, after: &str) -> bool {
    let after = after.trim_start();
    match command {
        // A backslash that is the last character.
        "" => false,
        "char" => after.starts_with(|sign: char| sign.is_ascii()),
        "begin" => {
            let environment = after.strip_prefix('{').and_then(|own| own.split_once('}'));
            environment.is_none_or(|(name, after)| !COUNTED.contains(&name) || is_counted(after))
        }
        _ => true,
    }
}

/// Whether a number of one or two digits stands in braces.
fn is_counted(text: &str) -> bool {
    let own = text.trim_start().strip_prefix('{');
    let number = own.and_then(|own| own.split_once('}'));
    number.is_some_and(|(number, _)| {
        (1..=2).contains(&number.len()) && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Whether what may be a colour is written in plain digits.
fn has_plain_colours(formula: &str) -> bool {
    let colours = formula.split("{#").skip(1);
    colours
        .filter_map(|after| after.split_once('}'))
        .all(|(colour, _)| colour.is_ascii())
}

fn with_plain_spaces(formula: &str) -> Cow<'_, str> {
    let is_other = |sign: char| sign.is_whitespace() && !sign.is_ascii();
    if formula.contains(is_other) {
        Cow::Owned(formula.replace(is_other, " "))
    } else {
        Cow::Borrowed(formula)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(formula: &str) -> ParseErrorKind {
        check(formula).expect_err(formula)
    }

    #[test]
    fn a_formula_has_at_most_so_many_characters() {
        let digits = |count: usize| "字".repeat(count);
        assert!(check(&digits(MOST_CHARACTERS)).is_ok());
        assert_eq!(
            reason(&digits(501)),
            ParseErrorKind::LongFormula {
                characters: 501,
                most: 500
            }
        );
    }

    #[test]
    fn commands_are_not_defined() {
        for (formula, command) in [
            ("\\newcommand{\\R}{\\mathbb{R}} \\R", "newcommand"),
            ("\\def\\R{x}", "def"),
            ("a \\let\\b=c", "let"),
            ("\\\\\\def", "def"),
        ] {
            assert_eq!(
                reason(formula),
                ParseErrorKind::Definition(command.to_owned())
            );
        }
        // Other commands begin alike, and behind two backslashes stands a new line.
        for formula in ["\\deg \\leq \\leftarrow", "a \\\\def"] {
            assert!(check(formula).is_ok(), "{formula}");
        }
    }

    #[test]
    fn numbers_and_colours_are_plain() {
        for formula in [
            "\\char 65 \\char`a",
            "\\begin{alignat}{2} a & b \\end{alignat}",
            "\\begin{align} \\text{两} & \\% \\end{align}",
            "\\color{#ff0000} \\text{#1} \\#字",
        ] {
            assert!(check(formula).is_ok(), "{formula}");
        }
        for (formula, said) in [
            ("\\char", "\\char"),
            ("\\begin{alignat}{two}", "\\begin"),
            ("\\begin{alignedat} a", "\\begin"),
            ("a\\", "\\"),
            ("\\color{#红}", "a colour"),
        ] {
            assert_eq!(reason(formula), ParseErrorKind::Formula(said.to_owned()));
        }
    }

    #[test]
    fn every_space_is_a_plain_one() {
        assert_eq!(check("a\u{3000}\u{a0}b").ok().as_deref(), Some("a  b"));
        assert!(matches!(check("a\nb"), Ok(Cow::Borrowed("a\nb"))));
    }
}
