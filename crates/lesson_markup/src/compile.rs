//! Files of lessons, line by line.

use lessons::{CLAIMS, Lesson, ParseError, setting};

use crate::markup::{self, BadMarkup};

/// The lesson of a file with HTML in place of Markdown: each text on a line of its own, everything else as it was.
///
/// # Errors
/// Those of [`Lesson::parse`], and what cannot be shown: formulas, what is nested too deep, and what becomes too large.
pub fn compile(source: &str) -> Result<String, ParseError> {
    Lesson::parse(source)?;
    let mut compiler = Compiler::default();
    for (at, text) in source.lines().enumerate() {
        compiler.take(at + 1, text.trim_end())?;
    }
    compiler.end_block()?;
    Ok(compiler.written)
}

/// Where a line stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Head,
    /// Right below the heading of a step, where its settings are.
    Settings,
    /// A step's text before it is done, where its choices are.
    Task,
    Text,
}

#[derive(Default)]
struct Compiler<'a> {
    written: String,
    place: Place,
    /// How many `---` have been there.
    fences: usize,
    /// A text that has not ended, and its first line.
    block: Option<(usize, Vec<&'a str>)>,
}

impl<'a> Compiler<'a> {
    fn take(&mut self, line: usize, text: &'a str) -> Result<(), ParseError> {
        if self.place == Place::Head {
            return self.take_head(line, text);
        }
        if self.place == Place::Settings && setting(text).is_none() {
            self.place = Place::Task;
        }
        if let Some(heading) = text.strip_prefix("## ") {
            self.end_block()?;
            let (kind, title) = heading.split_once(':').unwrap_or((heading, ""));
            let is_step = heading.contains(':');
            self.place = if is_step {
                Place::Settings
            } else {
                Place::Text
            };
            let sign = if is_step { ": " } else { "" };
            self.line(&format!("## {kind}{sign}"), title, line)
        } else if let Some(question) = text.strip_prefix("### ") {
            self.end_block()?;
            self.line("### ", question, line)
        } else if text == "***" {
            self.end_block()?;
            self.place = Place::Text;
            self.copy(text);
            Ok(())
        } else if self.place == Place::Settings {
            // Only tests compute claims, from the files as they were written: no reader loads them.
            if setting(text).is_none_or(|(name, _)| name != CLAIMS) {
                self.copy(text);
            }
            Ok(())
        } else if let Some((choice, condition)) = self.choice(text) {
            self.end_block()?;
            self.line("- ", choice, line)?;
            self.written.truncate(self.written.trim_end().len());
            self.copy(&format!(" {{{condition}}}"));
            Ok(())
        } else {
            let (_, block) = self.block.get_or_insert_with(|| (line, Vec::new()));
            block.push(text);
            Ok(())
        }
    }

    fn take_head(&mut self, line: usize, text: &str) -> Result<(), ParseError> {
        self.fences += usize::from(text == "---");
        if self.fences == 2 {
            self.place = Place::Text;
        }
        match text.strip_prefix("title:") {
            Some(title) => self.line("title: ", title, line),
            None => {
                self.copy(text);
                Ok(())
            }
        }
    }

    /// A choice and its condition, as [`Lesson::parse`] takes them.
    fn choice(&self, text: &'a str) -> Option<(&'a str, &'a str)> {
        let item = text.strip_prefix("- ")?.strip_suffix('}')?;
        let choice = item.rsplit_once('{')?;
        (self.place == Place::Task).then_some(choice)
    }

    fn copy(&mut self, text: &str) {
        self.written += text;
        self.written.push('\n');
    }

    /// How many bytes more the lesson may become.
    fn room(&self) -> usize {
        markup::MOST_BYTES.saturating_sub(self.written.len())
    }

    /// A line of Markdown behind a sign.
    fn line(&mut self, sign: &str, text: &str, line: usize) -> Result<(), ParseError> {
        let html = markup::line_to_html(text.trim(), self.room()).map_err(|bad| at(line, bad))?;
        self.copy(&format!("{sign}{html}"));
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), ParseError> {
        if let Some((line, lines)) = self.block.take() {
            let text = lines.join("\n");
            let html = markup::to_html(&text, self.room()).map_err(|bad| {
                let before = text[..bad.offset].matches('\n').count();
                at(line + before, bad)
            })?;
            self.copy(&html);
        }
        Ok(())
    }
}

fn at(line: usize, bad: BadMarkup) -> ParseError {
    ParseError {
        line,
        reason: bad.reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula;
    use lessons::{Answer, ParseErrorKind, Task};

    const FILE: &str = include_str!("../../../docs/lessons.md");

    /// The example of the documentation.
    fn example() -> &'static str {
        let (_, rest) = FILE.split_once("````markdown\n").expect("an example");
        rest.split_once("````").expect("its end").0
    }

    #[test]
    fn a_compiled_lesson_is_the_same_lesson_with_html() {
        let source = example()
            .replacen("title: Masks", "title: *Masks*", 1)
            .replacen("- less than 1 {", "- less than $\\{1\\}$ {", 1);
        let [lesson, compiled] =
            [source.clone(), compile(&source).expect("a lesson")].map(|source| {
                Lesson::parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}"))
            });
        assert_eq!(
            (compiled.minutes, &compiled.opens, &compiled.shows),
            (lesson.minutes, &lesson.opens, &lesson.shows)
        );
        assert_eq!(compiled.title, "<em>Masks</em>");
        assert!(!lesson.steps[1].claims.is_empty());
        assert_eq!(compiled.steps.len(), lesson.steps.len());
        for (step, compiled) in lesson.steps.iter().zip(&compiled.steps) {
            assert_eq!((&step.set, &step.title), (&compiled.set, &compiled.title));
            assert!(compiled.claims.is_empty());
            match (&step.task, &compiled.task) {
                (
                    Task::Predict {
                        answer: Answer::Choices(choices),
                        ..
                    },
                    Task::Predict {
                        answer: Answer::Choices(compiled),
                        ..
                    },
                ) => {
                    let conditions = |of: &[lessons::Choice]| {
                        of.iter()
                            .map(|choice| choice.condition.clone())
                            .collect::<Vec<_>>()
                    };
                    assert_eq!(conditions(choices), conditions(compiled));
                    assert_eq!(compiled[0].text, "1");
                    assert!(
                        compiled[1].text.starts_with("less than <math"),
                        "{}",
                        compiled[1].text
                    );
                }
                (one, other) => assert_eq!(one, other),
            }
        }
        assert!(
            compiled.steps[0].text.starts_with("<p>A decoder"),
            "{}",
            compiled.steps[0].text
        );
        assert!(compiled.steps[1].rest.contains("<math"));
        assert_eq!(compiled.questions[0].question, lesson.questions[0].question);
        assert!(compiled.questions[0].answer.starts_with("<p>The rest"));
        assert!(compiled.experiment.starts_with("<p>Hide your own word"));
    }

    #[test]
    fn lines_that_look_like_others_are_text_where_they_stand() {
        let source = example().replacen("Hide your own word", "set: nothing\n\n- {no choice}", 1);
        let compiled = Lesson::parse(&compile(&source).expect("a lesson")).expect("a lesson");
        assert!(
            compiled.experiment.contains("<p>set: nothing</p>")
                && compiled.experiment.contains("<li>{no choice}"),
            "{}",
            compiled.experiment
        );
    }

    #[test]
    fn a_formula_that_cannot_be_read_is_said_with_its_line() {
        for (from, to, said) in [
            ("\\quad", "\\nothing", "36: a formula cannot be read"),
            (
                "$$A_{ij} = 0 \\quad",
                "$$A_{ij}\n= 0 \\nothing",
                "36: a formula",
            ),
            ("title: Masks", "title: $\\nothing$", "2: a formula"),
            ("less than 1", "less than $\\nothing$", "22: a formula"),
        ] {
            let source = example().replacen(from, to, 1);
            let found = compile(&source).expect_err(to).to_string();
            assert!(found.starts_with(said), "{to}: {found}");
        }
        let missing = compile("---\n").expect_err("no lesson").to_string();
        assert_eq!(missing, "1: --- is missing");
    }

    #[test]
    fn the_documentation_says_the_limits() {
        for limit in [
            format!(
                "A formula has at most {} characters",
                formula::MOST_CHARACTERS
            ),
            format!("at most {} kB of HTML", markup::MOST_BYTES / 1_000),
        ] {
            assert!(FILE.replace('\n', " ").contains(&limit), "{limit}");
        }
    }

    /// The example with this formula in its second step, in line 18.
    fn with_formula(formula: &str) -> String {
        example().replacen(
            "What is the weight",
            &format!("${formula}$ is the weight"),
            1,
        )
    }

    #[test]
    fn a_formula_has_at_most_500_characters() {
        let compiled = compile(&with_formula(&"1".repeat(500))).expect("a lesson");
        assert!(compiled.contains(&format!("<mn>{}</mn>", "1".repeat(500))));
        let refused = compile(&with_formula(&"1".repeat(501))).expect_err("is refused");
        assert_eq!(
            refused.to_string(),
            "19: a formula has 501 characters, and at most 500 are read"
        );
        let refused = compile(&with_formula("\\newcommand{\\R}{x}")).expect_err("is refused");
        assert_eq!(
            refused.to_string(),
            "19: a formula cannot define commands, as \\newcommand does"
        );
    }

    #[test]
    fn a_lesson_becomes_at_most_so_many_bytes() {
        let formulas = |count: usize| with_formula(&format!("a${} $b", " $a$".repeat(count)));
        let compiled = compile(&formulas(5_000)).expect("a lesson");
        assert!((200_000..markup::MOST_BYTES).contains(&compiled.len()));
        let refused = compile(&formulas(7_000)).expect_err("is refused");
        let reason = ParseErrorKind::TooLarge(markup::MOST_BYTES);
        assert_eq!((refused.line, refused.reason), (19, reason));
    }
}
