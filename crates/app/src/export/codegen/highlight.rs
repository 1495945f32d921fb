//! Minimal Python tokenizer for syntax highlighting of generated code; names of queries and keys keep their hues.

/// Token kinds for syntax highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Names, operators, spaces.
    Plain,
    /// A word of the language.
    Keyword,
    /// A name on the side of the queries.
    Query,
    /// A name on the side of the keys.
    Key,
    /// A text in quotes.
    Text,
    /// A long string literal: numbers in base64, or a long list.
    Data,
    /// A remark up to the end of its line.
    Remark,
}

/// A stretch of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked<'a> {
    /// Kind of the token.
    pub mark: Mark,
    /// Its text.
    pub text: &'a str,
}

const KEYWORDS: [&str; 11] = [
    "import", "as", "def", "return", "for", "in", "with", "True", "False", "None", "if",
];

/// Texts longer than this are data.
const LONG: usize = 200;

/// The stretches of a program; together they are all of it.
pub fn marked(program: &str) -> Vec<Marked<'_>> {
    let mut list: Vec<Marked<'_>> = Vec::new();
    let mut rest = program;
    while let Some(first) = rest.chars().next() {
        let (mark, length) = next(rest, first);
        let (text, after) = rest.split_at(length);
        match list.last_mut() {
            Some(last) if last.mark == mark && mark == Mark::Plain => {
                let length = last.text.len() + text.len();
                last.text = &program[program.len() - rest.len() - last.text.len()..][..length];
            }
            _ => list.push(Marked { mark, text }),
        }
        rest = after;
    }
    list
}

/// Kind and length of the next token, at least one character.
fn next(rest: &str, first: char) -> (Mark, usize) {
    let until = |is_over: &dyn Fn(char) -> bool| rest.find(is_over).unwrap_or(rest.len());
    match first {
        '#' => (Mark::Remark, until(&|c| c == '\n')),
        '"' => {
            let length = quoted(rest);
            let is_long = length > LONG;
            (if is_long { Mark::Data } else { Mark::Text }, length)
        }
        c if is_of_word(c) => {
            let length = until(&|c| !is_of_word(c));
            (named(&rest[..length]), length)
        }
        _ => (
            Mark::Plain,
            until(&|c| c == '#' || c == '"' || is_of_word(c)).max(first.len_utf8()),
        ),
    }
}

fn named(word: &str) -> Mark {
    match word {
        _ if KEYWORDS.contains(&word) => Mark::Keyword,
        "Q" | "W_Q" | "b_Q" | "queries" | "query" | "i" | "n" => Mark::Query,
        "K" | "W_K" | "b_K" | "keys" | "j" | "m" => Mark::Key,
        _ => Mark::Plain,
    }
}

fn is_of_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of a text in quotes, quotes included.
fn quoted(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
