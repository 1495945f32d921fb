//! The selected row in one line: its largest weights.

use crate::browser::dom::{MissingPart, Root, Text};
use crate::i18n::{Language, text};
use crate::present::run::Run;

/// Weights that differ by less than this share are as good as even.
const EVEN: f32 = 1.02;

/// The line.
pub(crate) struct RowSummary {
    query: Text,
    arrow: Text,
    key: Text,
    weight: Text,
    rest: Text,
}

impl RowSummary {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            query: Text::find(root, "#story .is-query-text")?,
            arrow: Text::find(root, "#story .arrow")?,
            key: Text::find(root, "#story .is-key-text")?,
            weight: Text::find(root, "#story .value")?,
            rest: Text::find(root, "#story .rest")?,
        })
    }

    /// Shows "it → animal 0.62", or that the row is even or empty.
    pub(crate) fn update(&mut self, run: &Run, head: usize, row: usize, language: Language) {
        let query = run.queries.get(row).map_or("", String::as_str);
        let (most, sentence) = match look(run, head, row) {
            Look::At(key, weight) => (Some((key, weight)), String::new()),
            Look::Evenly => {
                let sees = run.seen.visible().get(row).is_none_or(|seen| *seen > 0);
                let sentence = if sees {
                    text::story_even
                } else {
                    text::story_blind
                };
                (None, sentence(language, &query))
            }
            Look::Nowhere if query.is_empty() => (None, String::new()),
            Look::Nowhere => (None, text::story_empty(language, &query)),
        };
        let key = most
            .and_then(|(key, _)| run.keys.get(key))
            .map_or("", String::as_str);
        self.query.set_text(if most.is_some() { query } else { "" });
        self.arrow.set_text(if most.is_some() { "→" } else { "" });
        self.key.set_text(key);
        self.weight
            .set_text(&most.map_or_else(String::new, |(_, weight)| format!("{weight:.2}")));
        self.rest.set_text(&sentence);
    }
}

/// Where a row looks.
pub(super) enum Look {
    At(usize, f32),
    Evenly,
    Nowhere,
}

/// What can be said of a row in a word.
pub(super) fn look(run: &Run, head: usize, row: usize) -> Look {
    let weights = run.row(head, row).iter().copied().enumerate();
    let visible = weights.filter(|(key, _)| !run.hidden().is_hidden(row, *key));
    let (mut least, mut most, mut count) = (f32::INFINITY, (0, 0.0), 0);
    for (key, weight) in visible {
        least = least.min(weight);
        count += 1;
        if weight > most.1 {
            most = (key, weight);
        }
    }
    match count {
        0 => Look::Nowhere,
        2.. if most.1 < EVEN * least => Look::Evenly,
        _ => Look::At(most.0, most.1),
    }
}
