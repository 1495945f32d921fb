//! A lesson as a whole.

use crate::error::{ParseError, ParseErrorKind};
use crate::head::Head;
use crate::sections::{Line, Section, joined, sections};
use crate::step::Step;

/// Parsed lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its name.
    pub title: String,
    /// How long it takes.
    pub minutes: u32,
    /// Lessons that help before it.
    pub after: Vec<String>,
    /// Settings as in a link.
    pub opens: String,
    /// Parts of the page that are there; all of them where none is named.
    pub shows: Vec<String>,
    /// Parts that cannot be changed.
    pub locks: Vec<String>,
    /// In their order; at least one.
    pub steps: Vec<Step>,
    /// Asked at its end.
    pub questions: Vec<Question>,
    /// Something to go on with.
    pub experiment: String,
}

/// A question at the end of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

impl Lesson {
    /// Reads a file.
    ///
    /// # Errors
    /// For what is missing, names that do not exist, and expressions that cannot be read; the first of them.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        let lines = source.lines().map(str::trim_end).enumerate();
        let lines: Vec<Line<'_>> = lines.map(|(at, text)| (at + 1, text)).collect();
        let (head, body) = Head::read(&lines)?;
        let mut lesson = Self {
            title: head.title,
            minutes: head.minutes,
            after: head.after,
            opens: head.opens,
            shows: head.shows,
            locks: head.locks,
            steps: Vec::new(),
            questions: Vec::new(),
            experiment: String::new(),
        };
        for section in sections(body, "## ") {
            match section.heading {
                "questions" => lesson.questions = questions(&section.lines)?,
                "experiment" => lesson.experiment = joined(&section.lines),
                _ => lesson.steps.push(Step::read(&section)?),
            }
        }
        if lesson.steps.is_empty() {
            return Err(ParseErrorKind::missing("## look").at(lines.len()));
        }
        Ok(lesson)
    }
}

fn questions(lines: &[Line<'_>]) -> Result<Vec<Question>, ParseError> {
    let question = |section: Section<'_>| {
        let answer = joined(&section.lines);
        if answer.is_empty() {
            return Err(ParseErrorKind::missing(section.heading).at(section.line));
        }
        Ok(Question {
            question: section.heading.to_owned(),
            answer,
        })
    };
    sections(lines, "### ").into_iter().map(question).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::{Answer, Task};

    const FILE: &str = include_str!("../../../docs/lessons.md");

    /// The example of the documentation.
    fn example() -> &'static str {
        let (_, rest) = FILE.split_once("````markdown\n").expect("an example");
        rest.split_once("````").expect("its end").0
    }

    fn refusal(from: &str, to: &str) -> String {
        assert!(example().contains(from), "{from}");
        let changed = example().replacen(from, to, 1);
        Lesson::parse(&changed).expect_err(to).to_string()
    }

    #[test]
    fn the_example_of_the_documentation_is_a_lesson() {
        let lesson = Lesson::parse(example()).expect("a lesson");
        assert_eq!((lesson.title.as_str(), lesson.minutes), ("Masks", 5));
        assert_eq!(
            lesson.shows,
            ["sentence", "map", "reading", "mask", "weights"]
        );
        assert_eq!((lesson.steps.len(), lesson.questions.len()), (4, 1));
        assert_eq!(lesson.steps[0].set, "mask=causal");
        assert!(lesson.steps[0].text.starts_with("A decoder"));
        let Task::Predict {
            answer: Answer::Choices(choices),
            ..
        } = &lesson.steps[1].task
        else {
            panic!("{:?}", lesson.steps[1]);
        };
        assert_eq!(choices[1].text, "less than 1");
        assert!(lesson.steps[1].rest.starts_with("A row sums"));
        assert!(
            matches!(&lesson.steps[2].task, Task::Reach { reaches, .. } if reaches == "mask=local&window=1")
        );
        assert_eq!(lesson.steps[3].task, Task::Explain);
        assert!(lesson.experiment.starts_with("Hide your own word"));
        let claims = |step: &crate::Step| step.claims.iter().map(|claim| claim.line).collect();
        let lines: Vec<Vec<usize>> = lesson.steps.iter().map(claims).collect();
        assert_eq!(lines, [vec![], vec![17], vec![], vec![]]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (from, to, said) in [
            ("---\ntitle", "title", "1: --- is missing"),
            ("minutes: 5", "minutes: few", "3: few is not a number"),
            ("minutes: 5\n", "", "7: minutes is missing"),
            ("locks: text", "looks: text", "7: there is no looks"),
            ("locks: text", "locks", "7: name: value is missing"),
            ("## look:", "## watch:", "10: there is no watch"),
            ("set: mask", "sets: mask", "11: there is no sets"),
            ("{weight(1, 1) == 1}", "", "15: - … {…} is missing"),
            (
                "weight(1, 1) == 1}",
                "weigth(1, 1) == 1}",
                "21: there is no weigth()",
            ),
            (
                "and hidden(1, 3)",
                "and",
                "29: an expression cannot be read from here on: ",
            ),
            ("reaches: ", "then: ", "30: there is no then"),
            ("set: cell=3,5", "", "38: set is missing"),
            (
                "set: mask",
                "claims: maks() > 1\nset: mask",
                "11: there is no maks()",
            ),
        ] {
            let found = refusal(from, to);
            assert!(found.starts_with(said), "{to}: {found}");
        }
        assert!(Lesson::parse("---\ntitle: a\nminutes: 1\nopens: text=a\n---\n").is_err());
        assert!(Lesson::parse("").is_err());
    }

    #[test]
    fn a_number_can_be_asked_for() {
        let asks = "## predict: How much?\nnumber: max(\"it\")\nwithin: 0.05\n\nGuess.\n";
        let lesson =
            Lesson::parse(&example().replacen("## explain", &format!("{asks}\n## explain"), 1));
        let step = &lesson.expect("a lesson").steps[3];
        assert!(
            matches!(&step.task, Task::Predict { answer: Answer::Number { within, .. }, .. } if *within == 0.05)
        );
        assert_eq!(
            (step.title.as_str(), step.text.as_str()),
            ("How much?", "Guess.")
        );
    }
}
