//! Steps of a lesson.

use crate::error::{ParseError, ParseErrorKind};
use crate::expression::Expression;
use crate::sections::{Line, Section, Setting, joined};

/// The name of lines with what a step's texts say.
pub const CLAIMS: &str = "claims";

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The line of its heading.
    pub line: usize,
    /// Its name.
    pub title: String,
    /// Settings that change when it is opened, as in a link.
    pub set: String,
    /// Task of the step.
    pub task: Task,
    /// Numbers of its texts as conditions, which hold once it is done; only tests compute them.
    pub claims: Vec<Claim>,
    /// Text shown at once.
    pub text: String,
    /// Text shown once the task is done.
    pub rest: String,
}

/// Statement of the text, as a condition to check.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its line.
    pub line: usize,
    /// Condition that has to hold.
    pub condition: Expression,
}

/// Task of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// To look.
    Look,
    /// To see how a number was computed.
    Explain,
    /// To say what will be.
    Predict {
        /// Settings that change once it has been said.
        then: String,
        /// Correct answer.
        answer: Answer,
    },
    /// To bring something about.
    Reach {
        /// Condition that has to hold.
        goal: Expression,
        /// Settings with which it does.
        reaches: String,
    },
}

/// Answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// One of these.
    Choices(Vec<Choice>),
    /// A number.
    Number {
        /// The correct value.
        value: Expression,
        /// How far from it is right as well.
        within: f64,
    },
}

/// One of several answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its line.
    pub line: usize,
    /// Text of the choice.
    pub text: String,
    /// Whether it is right.
    pub condition: Expression,
}

/// Settings of a step by their names.
struct Settings<'a> {
    line: usize,
    all: Vec<Setting<'a>>,
}

impl<'a> Settings<'a> {
    fn find(&self, name: &str) -> Option<&Setting<'a>> {
        self.all.iter().find(|setting| setting.name == name)
    }

    fn value(&self, name: &str) -> String {
        self.find(name)
            .map_or_else(String::new, |setting| setting.value.to_owned())
    }

    fn needed(&self, name: &str) -> Result<&Setting<'a>, ParseError> {
        self.find(name)
            .ok_or_else(|| ParseErrorKind::missing(name).at(self.line))
    }

    fn expression(&self, name: &str) -> Result<Expression, ParseError> {
        let setting = self.needed(name)?;
        Expression::parse(setting.value).map_err(|reason| reason.at(setting.line))
    }

    fn claims(&self) -> Result<Vec<Claim>, ParseError> {
        let written = self.all.iter().filter(|setting| setting.name == CLAIMS);
        let claim = |setting: &Setting<'_>| {
            let condition = Expression::parse(setting.value);
            Ok(Claim {
                line: setting.line,
                condition: condition.map_err(|reason| reason.at(setting.line))?,
            })
        };
        written.map(claim).collect()
    }

    fn allow(&self, names: &[&str]) -> Result<(), ParseError> {
        match self
            .all
            .iter()
            .find(|own| own.name != CLAIMS && !names.contains(&own.name))
        {
            None => Ok(()),
            Some(own) => Err(ParseErrorKind::Unknown(own.name.to_owned()).at(own.line)),
        }
    }
}

impl Step {
    pub(crate) fn read(section: &Section<'_>) -> Result<Self, ParseError> {
        let line = section.line;
        let (kind, title) = section
            .heading
            .split_once(':')
            .unwrap_or((section.heading, ""));
        let (all, body) = section.settings();
        let settings = Settings { line, all };
        let end = body.iter().position(|(_, text)| *text == "***");
        let (text, rest) = body.split_at(end.unwrap_or(body.len()));
        let rest = joined(rest.get(1..).unwrap_or_default());
        let (choices, text) = split_choices(text)?;
        let task = match kind.trim() {
            "look" => {
                settings.allow(&["set"])?;
                Task::Look
            }
            "explain" => {
                settings.allow(&["set"])?;
                settings.needed("set")?;
                Task::Explain
            }
            "predict" => {
                settings.allow(&["set", "then", "number", "within"])?;
                Task::Predict {
                    then: settings.value("then"),
                    answer: answer(&settings, choices)?,
                }
            }
            "reach" => {
                settings.allow(&["set", "goal", "reaches"])?;
                settings.needed("reaches")?;
                Task::Reach {
                    goal: settings.expression("goal")?,
                    reaches: settings.value("reaches"),
                }
            }
            other => return Err(ParseErrorKind::Unknown(other.to_owned()).at(line)),
        };
        Ok(Self {
            line,
            title: title.trim().to_owned(),
            set: settings.value("set"),
            task,
            claims: settings.claims()?,
            text,
            rest,
        })
    }
}

fn answer(settings: &Settings<'_>, choices: Vec<Choice>) -> Result<Answer, ParseError> {
    if settings.find("number").is_some() {
        let within = settings.needed("within")?;
        let parsed = within.value.parse();
        return Ok(Answer::Number {
            value: settings.expression("number")?,
            within: parsed
                .map_err(|_| ParseErrorKind::NotANumber(within.value.to_owned()).at(within.line))?,
        });
    }
    if choices.len() < 2 {
        return Err(ParseErrorKind::missing("- … {…}").at(settings.line));
    }
    Ok(Answer::Choices(choices))
}

/// Items of a list that end in a condition, and the text without them.
fn split_choices(lines: &[Line<'_>]) -> Result<(Vec<Choice>, String), ParseError> {
    let (mut choices, mut rest) = (Vec::new(), Vec::new());
    for (line, text) in lines {
        let item = text
            .strip_prefix("- ")
            .and_then(|item| item.strip_suffix('}'));
        let Some((text, condition)) = item.and_then(|item| item.rsplit_once('{')) else {
            rest.push((*line, *text));
            continue;
        };
        choices.push(Choice {
            line: *line,
            text: text.trim().to_owned(),
            condition: Expression::parse(condition).map_err(|reason| reason.at(*line))?,
        });
    }
    Ok((choices, joined(&rest)))
}
