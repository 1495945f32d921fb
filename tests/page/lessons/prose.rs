//! Numbers in the texts of lessons: each is claimed, so that it is computed, or is another's, who is named.

use std::fs;
use std::ops::Range;
use std::path::Path;

use lessons::{Answer, Expression, Lesson, Step, Task, setting};

use super::{Problems, files, parsed};

/// A number of a text.
#[derive(Debug, PartialEq)]
struct Found {
    /// Where it stands in the file.
    at: usize,
    /// As it is written.
    written: String,
    /// A percentage as a share.
    value: f64,
    /// Half of what its last digit counts; zeros that end a whole number say nothing.
    half: f64,
}

impl Found {
    fn new(at: usize, digits: &str, is_percentage: bool) -> Option<Self> {
        let zeros = digits.len() - digits.trim_end_matches('0').len();
        let decimals = match digits.split_once('.') {
            Some((_, after)) => i32::try_from(after.len()),
            None => i32::try_from(zeros).map(|zeros| -zeros),
        };
        let unit = if is_percentage { 0.01 } else { 1.0 };
        Some(Self {
            at,
            written: format!("{digits}{}", if is_percentage { " %" } else { "" }),
            value: digits.parse::<f64>().ok()? * unit,
            half: 0.5 * unit / 10_f64.powi(decimals.ok()?),
        })
    }

    fn is(&self, number: f64) -> bool {
        (number - self.value).abs() < 1e-9 * self.value.abs().max(1.0)
    }

    /// Whether a condition says it, and as closely as its digits do.
    fn is_in(&self, condition: &Expression) -> bool {
        let numbers = condition.numbers();
        let is_about = condition.shape().contains("abs()");
        let is_close = |number: &f64| *number > 0.0 && *number <= self.half * 1.000_001;
        numbers.iter().any(|number| self.is(*number)) && (!is_about || numbers.iter().any(is_close))
    }
}

/// Decimal numbers and percentages of a text that begins at `start`.
fn written_numbers(text: &str, start: usize) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(|sign: char| sign.is_ascii_digit()) {
        let from = at + offset;
        let is_in = |sign: char| sign.is_ascii_digit() || sign == '.';
        let length = text[from..].find(|sign| !is_in(sign));
        at = length.map_or(text.len(), |length| from + length);
        let digits = text[from..at].trim_end_matches('.');
        let is_percentage = text[at..].trim_start().starts_with('%');
        // Sections of papers have two points.
        if is_percentage || digits.matches('.').count() == 1 {
            found.extend(Found::new(start + from, digits, is_percentage));
        }
    }
    found
}

/// Numbers that formulas of a line come to, but for 0 and 1.
fn results(text: &str, start: usize) -> Vec<Found> {
    let is_display = text.starts_with("$$");
    let mut found = Vec::new();
    let mut at = start;
    for (place, part) in text.split('$').enumerate() {
        let is_formula = if is_display {
            place == 2
        } else {
            place % 2 == 1
        };
        let result = part.rsplit_once("\\approx").or(part.rsplit_once('='));
        if let Some((_, result)) = result.filter(|_| is_formula) {
            found.extend(Found::new(at, result.trim(), false));
        }
        at += part.len() + 1;
    }
    found.retain(|own| own.value != 0.0 && own.value != 1.0);
    found
}

/// Whether the sentence around a place names a source with its year.
fn is_cited(text: &str, at: usize) -> bool {
    let ends = |from: Range<usize>| {
        let marks = [". ", ".\n", "。", "\n\n", "？", "? "];
        let ends = marks.iter().flat_map(|mark| {
            let places = text[from.clone()].match_indices(mark);
            places.map(|(place, mark)| (from.start + place, mark.len()))
        });
        ends.filter(|(place, _)| !text[..*place].ends_with("et al"))
            .collect::<Vec<_>>()
    };
    let begin = ends(0..at).into_iter().map(|(place, long)| place + long);
    let end = ends(at..text.len()).into_iter().map(|(place, _)| place);
    let sentence = &text[begin.max().unwrap_or(0)..end.min().unwrap_or(text.len())];
    let numbers = sentence.split(|sign: char| !sign.is_ascii_digit());
    let mut years = numbers.filter_map(|number| number.parse::<u32>().ok());
    years.any(|year| (1980..2030).contains(&year))
}

/// Conditions of a step.
fn conditions(step: &Step) -> Vec<&Expression> {
    let mut all: Vec<_> = step.claims.iter().map(|claim| &claim.condition).collect();
    match &step.task {
        Task::Look | Task::Explain => {}
        Task::Reach { goal, .. } => all.push(goal),
        Task::Predict { answer, .. } => match answer {
            Answer::Choices(choices) => all.extend(choices.iter().map(|own| &own.condition)),
            Answer::Number { value, .. } => all.push(value),
        },
    }
    all
}

/// Numbers of a step's settings, but for its cells, which are places.
fn settings(step: &Step) -> Vec<f64> {
    let changed = match &step.task {
        Task::Look | Task::Explain => "",
        Task::Reach { reaches, .. } => reaches,
        Task::Predict { then, .. } => then,
    };
    let pairs = [step.set.as_str(), changed].into_iter();
    let pairs = pairs
        .flat_map(|all| all.split('&'))
        .filter_map(|pair| pair.split_once('='));
    pairs
        .filter(|(name, _)| *name != "cell")
        .filter_map(|(_, value)| value.parse().ok())
        .collect()
}

/// The texts of the steps and questions of a file, line by line, with the place of each: no settings, no conditions.
fn texts(source: &str) -> Vec<(usize, usize, &str)> {
    let (mut all, mut at, mut section, mut are_settings) = (Vec::new(), 0, 0, false);
    for (number, line) in source.split_inclusive('\n').enumerate() {
        if line.starts_with("## ") {
            section = number + 1;
        }
        are_settings = line.starts_with("## ") || are_settings && setting(line).is_some();
        let choice = line.trim_end().strip_suffix('}');
        let text = choice.and_then(|line| line.rsplit_once('{'));
        let text = text.map_or(line, |(text, _)| text);
        // What is to be tried at the end was not computed here.
        let is_text = section > 0 && line.trim_end() != "## experiment";
        if !is_text {
            section = 0;
        } else if !are_settings || line.starts_with("## ") {
            all.push((section, at, text));
        }
        at += line.len();
    }
    all
}

fn problems(file: &Path, source: &str, lesson: &Lesson) -> Problems {
    let mut problems = Problems::new();
    for (section, start, text) in texts(source) {
        let own = lesson.steps.iter().filter(|step| step.line == section);
        let mut steps: Vec<_> = own.collect();
        if steps.is_empty() {
            steps = lesson.steps.iter().collect();
        }
        let is_held = |found: &Found| {
            let conditions = || steps.iter().flat_map(|step| conditions(step));
            let settings = || steps.iter().flat_map(|step| settings(step));
            conditions().any(|own| found.is_in(own)) || settings().any(|own| found.is(own))
        };
        let mut found = written_numbers(text, start);
        found.extend(results(text, start));
        found.retain(|found| !is_held(found) && !is_cited(source, found.at));
        problems.extend(found.into_iter().map(|found| {
            let line = source[..found.at].matches('\n').count() + 1;
            let file = file.display();
            format!("{file}:{line}: {} is claimed nowhere", found.written)
        }));
    }
    problems
}

#[test]
fn every_number_of_a_text_is_claimed_or_cites_its_source() {
    let mut all = Problems::new();
    for file in ["en", "zh"].into_iter().flat_map(files) {
        let lesson = parsed(&file).unwrap_or_else(|problem| panic!("{problem}"));
        let source = fs::read_to_string(&file).expect("a text");
        all.extend(problems(&file, &source, &lesson));
    }
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}

#[test]
fn numbers_of_a_text_are_found_where_they_stand() {
    let text = "It is 0.23 or 91 %, see 3.2.1. In 2 of 16: $2 \\cdot 16 = 32$, $x = y$, 1.";
    let values = |found: Vec<Found>| -> Vec<_> {
        let value = |own: Found| (own.at, own.value, own.half);
        found.into_iter().map(value).collect()
    };
    let found = values(written_numbers(text, 100));
    assert_eq!(found, [(106, 0.23, 0.005), (114, 0.91, 0.005)]);
    assert_eq!(values(results(text, 0)), [(44, 32.0, 0.5)]);
    assert_eq!(
        values(results("$$q = 4 + 4 \\approx 8000$$", 0)),
        [(2, 8000.0, 500.0)]
    );
}

#[test]
fn a_claim_is_as_close_as_the_digits_say() {
    let found = &written_numbers("0.23", 0)[0];
    for (source, is_held) in [
        ("abs(max(1) - 0.23) < 0.005", true),
        ("abs(max(1) - 0.23) < 0.05", false),
        ("max(1) > 0.23", true),
        ("max(1) > 0.2", false),
    ] {
        let condition = Expression::parse(source).expect(source);
        assert_eq!(found.is_in(&condition), is_held, "{source}");
    }
}

#[test]
fn a_source_holds_for_its_sentence() {
    let text = "It is 0.1 (Wu et al. 2016). It is 0.2. 是 0.3（Wu 等，2016）。是 0.4。";
    let cited = written_numbers(text, 0).into_iter();
    let cited: Vec<_> = cited.map(|found| is_cited(text, found.at)).collect();
    assert_eq!(cited, [true, false, true, false]);
}
