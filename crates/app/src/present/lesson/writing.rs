//! Lessons that somebody writes on the page or in a file: read, or refused in a sentence.

wasm_chunks::chunk!("lesson_writing");

use crate::i18n::{Key, Language, text};
use crate::state::LONGEST_TEXT;
use lesson_markup::compile;
use lessons::{Lesson, ParseError, ParseErrorKind};

/// How large a file may be: no character takes more than four bytes.
const MOST_FILE_BYTES: usize = 4 * LONGEST_TEXT;

/// Why a file of so many bytes is no lesson, whatever is in it.
pub fn refused_size(bytes: f64, language: Language) -> Option<String> {
    let is_large = bytes > MOST_FILE_BYTES as f64;
    is_large.then(|| text::lesson_bad_long(language, &LONGEST_TEXT))
}

/// The text of a file, without the mark that some editors begin it with.
pub fn text_of(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

/// The lesson of a text, or a sentence that says why it is none.
pub fn written(source: &str, language: Language) -> Result<Lesson, String> {
    if source.chars().nth(LONGEST_TEXT).is_some() {
        return Err(text::lesson_bad_long(language, &LONGEST_TEXT));
    }
    let lesson = compile(source).and_then(|compiled| Lesson::parse(&compiled));
    lesson.map_err(|error| sentence(&error, language))
}

fn sentence(error: &ParseError, language: Language) -> String {
    let reason = match &error.reason {
        ParseErrorKind::Missing(what) => text::lesson_bad_missing(language, what),
        ParseErrorKind::Unknown(name) => text::lesson_bad_unknown(language, name),
        ParseErrorKind::NotANumber(written) => text::lesson_bad_number(language, written),
        ParseErrorKind::Expression(rest) => text::lesson_bad_expression(language, rest),
        ParseErrorKind::Formula(_) => Key::LessonBadFormula.text(language).to_owned(),
        ParseErrorKind::LongFormula { characters, most } => {
            text::lesson_bad_formula_long(language, characters, most)
        }
        ParseErrorKind::Definition(command) => text::lesson_bad_definition(language, command),
        ParseErrorKind::TooLarge(most) => text::lesson_bad_large(language, &(most / 1_000)),
        ParseErrorKind::TooDeep => Key::LessonBadDeep.text(language).to_owned(),
    };
    text::lesson_bad(language, &error.line, &reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::lesson::files;

    #[test]
    fn every_lesson_can_be_taken_as_ones_own() {
        for language in Language::ALL {
            for (name, lesson) in files::all(language) {
                let source = files::source(name, language).expect(name);
                assert_eq!(written(source, language), Ok(lesson), "{name}");
            }
        }
    }

    #[test]
    fn what_is_no_lesson_is_refused_in_a_sentence() {
        let source = files::source("06-masks", Language::En).expect("a lesson");
        for (from, to, said) in [
            ("minutes: 8", "minutes: few", "Line 3: few is not a number."),
            ("minutes: 8\n", "", "minutes is missing."),
            ("## explain:", "## watch:", "there is no watch."),
            (
                "sum(6)",
                "sum(6",
                "the expression cannot be read from here on",
            ),
            ("\\frac", "\\fracture", "the formula cannot be read."),
            (
                "title: Masks",
                &format!("title: ${}$", "1".repeat(501)),
                "Line 2: the formula has 501 characters, and at most 500 are read.",
            ),
            (
                "title: Masks",
                "title: $\\newcommand{\\R}{x}$",
                "Line 2: a formula cannot define commands, as \\newcommand does.",
            ),
            (
                "title: Masks",
                &format!("title: {}", "$()$ ".repeat(2_600)),
                "Line 2: with its formulas and tables the lesson is larger than 256 kB here.",
            ),
            (
                "title: Masks",
                &format!("title: ${}x{}$", "{".repeat(99), "}".repeat(99)),
                "Line 2: too much stands in each other.",
            ),
            (
                "title: Masks",
                &format!("title: {}", "x".repeat(LONGEST_TEXT)),
                "at most 20000 characters",
            ),
        ] {
            assert!(source.contains(from), "{from}");
            let found = written(&source.replacen(from, to, 1), Language::En).expect_err(to);
            assert!(found.contains(said), "{to}: {found}");
        }
        let long = source.replacen("title: Masks", &format!("title: ${}$", "1".repeat(501)), 1);
        assert_eq!(
            written(&long, Language::Zh).expect_err("a long formula"),
            "第 2 行：公式有 501 个字符，最多只读 500 个。"
        );
        let chinese = written("", Language::Zh).expect_err("nothing");
        assert_eq!(chinese, "第 1 行：缺少 ---。");
    }

    #[test]
    fn a_file_is_refused_by_its_size_and_read_without_its_mark() {
        let docs = include_str!("../../../../../docs/lessons.md");
        let limit = format!("a file at most {} kB", MOST_FILE_BYTES / 1_000);
        assert!(docs.contains(&limit), "{limit}");
        assert_eq!(refused_size(80_000.0, Language::En), None);
        assert_eq!(
            refused_size(81_000.0, Language::En).as_deref(),
            Some("A lesson has at most 20000 characters.")
        );
        let source = files::source("06-masks", Language::En).expect("a lesson");
        let marked = format!("\u{feff}{source}");
        assert_eq!(text_of(marked.as_bytes()), source);
        assert_eq!(text_of(source.as_bytes()), source);
        assert!(written(&text_of(marked.as_bytes()), Language::En).is_ok());
    }
}
