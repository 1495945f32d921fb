//! Announces changes to screen readers.

use super::mask_summary;
use super::names;
use super::reading::{Look, look, unclear};
use super::run::Run;
use crate::i18n::{Language, text};
use crate::scene::scale::{Scale, Tick};
use crate::state::{Cell, ColourScale, StepKind};

/// Screen reader summary of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    language: Language,
    head: String,
    /// The chosen row with its largest weight.
    row: String,
    mask: String,
    /// The chosen cell by its words.
    locked: Option<[String; 2]>,
    range: Option<Range>,
}

/// Colour range of a step's map.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    step: StepKind,
    kind: ColourScale,
    /// The numbers at both ends.
    ends: [String; 2],
}

impl Announcement {
    /// Summarises a head and a row of `run`, in which `cell` is chosen.
    pub fn new(run: &Run, head: usize, row: usize, cell: Option<Cell>, language: Language) -> Self {
        let cell = cell.and_then(|cell| Some((cell.query, cell.key?)));
        let words = |(query, key)| [run.query(query), run.key(key)].map(str::to_owned);
        Self {
            language,
            head: names::head(run, head, language),
            row: headline(run, head, row, language),
            mask: mask(run, language),
            locked: cell.map(words),
            range: None,
        }
    }

    /// With the colours in which the map shows `step`.
    #[must_use]
    pub fn coloured(self, step: StepKind, scale: &Scale) -> Self {
        let ticks = scale.ticks(2);
        let end = |tick: Option<&Tick>| tick.map(|tick| tick.label.clone()).unwrap_or_default();
        let range = Range {
            step,
            kind: scale.kind(),
            ends: [end(ticks.first()), end(ticks.last())],
        };
        Self {
            range: Some(range),
            ..self
        }
    }

    /// Returns the parts that differ from `before`; empty after a change of language. A cell that
    /// was deselected in favour of another is not announced, since the key navigation reads out the
    /// new one.
    pub fn since(&self, before: &Self) -> String {
        if self.language != before.language {
            return String::new();
        }
        let is_head = self.head != before.head;
        let new = |is_new: bool, said: &String| is_new.then(|| said.clone());
        let parts = [
            new(is_head, &self.head),
            new(is_head || self.row != before.row, &self.row),
            new(self.mask != before.mask, &self.mask),
            self.of_cell(before),
            // Another head, step or kind of scale is another picture, of which nothing is compared by its colours.
            self.of_range(before).filter(|_| !is_head),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        parts.join("; ")
    }

    fn of_cell(&self, before: &Self) -> Option<String> {
        match (&before.locked, &self.locked) {
            (None, Some([query, key])) => Some(text::announce_locked(self.language, query, key)),
            (Some([query, key]), None) => Some(text::announce_released(self.language, query, key)),
            _ => None,
        }
    }

    fn of_range(&self, before: &Self) -> Option<String> {
        let (Range { step, kind, ends }, before) = (self.range.as_ref()?, before.range.as_ref()?);
        let is_alike = (step, kind) == (&before.step, &before.kind);
        let [least, most] = ends;
        (is_alike && *ends != before.ends).then(|| text::announce_range(self.language, least, most))
    }
}

fn headline(run: &Run, head: usize, row: usize, language: Language) -> String {
    match look(run, head, row) {
        Look::At(key, weight) => format!("{} → {} {weight:.2}", run.query(row), run.key(key)),
        look => unclear(run, &look, row, language),
    }
}

fn mask(run: &Run, language: Language) -> String {
    let visible = run.seen.visible().iter().sum();
    mask_summary::count(language, visible, run.queries.len() * run.keys.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    fn announcement(link: &str) -> Announcement {
        let run = computed(link);
        let row = run.state.cell.map_or(0, |cell| cell.query);
        Announcement::new(&run, run.state.head, row, run.state.cell, Language::En)
    }

    fn news(before: &str, after: &str) -> String {
        announcement(after).since(&announcement(before))
    }

    #[test]
    fn what_a_change_has_done_is_said_and_nothing_else() {
        assert_eq!(news("", ""), "");
        let sharper = news("", "temperature=0.5");
        assert!(
            sharper.starts_with("it → animal 0.") && !sharper.contains(';'),
            "{sharper}"
        );
        let head = news("", "head=2");
        assert!(
            head.starts_with("head 2") && head.contains("; it → "),
            "{head}"
        );
        assert!(news("", "mask=causal").contains("66 of 121 cells are visible"));
        let locked = news("", "cell=8,2");
        assert!(
            locked.contains("it") && locked.contains("animal"),
            "{locked}"
        );
        assert!(!news("cell=8,2", "").is_empty());
        assert_eq!(news("cell=8,2", "cell=8,3"), "");
    }

    #[test]
    fn a_range_of_colours_that_has_settled_is_said() {
        let coloured = |link: &str, step, scale: Scale| announcement(link).coloured(step, &scale);
        let weights = |link: &str, largest| {
            let scale = Scale::new(ColourScale::Linear, largest);
            coloured(link, StepKind::Weights, scale)
        };
        let one = weights("", 1.0);
        assert_eq!(weights("", 0.5).since(&one), "colours now 0 to 0.5");
        assert_eq!(weights("", 1.0).since(&one), "");
        assert!(!weights("head=2", 0.5).since(&one).contains("colours"));
        let scores = coloured("", StepKind::Scores, Scale::symmetric(20.0));
        assert_eq!(scores.since(&one), "");
        let log = Scale::new(ColourScale::Log, 0.5);
        assert_eq!(coloured("", StepKind::Weights, log).since(&one), "");
        let narrower = coloured("", StepKind::Scores, Scale::symmetric(3.0));
        assert_eq!(narrower.since(&scores), "colours now −3 to 3");
    }

    #[test]
    fn another_language_is_no_news() {
        let run = computed("");
        let [one, other] =
            Language::ALL.map(|language| Announcement::new(&run, 0, 7, None, language));
        assert_eq!(other.since(&one), "");
    }
}
