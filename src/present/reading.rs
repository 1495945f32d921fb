//! What the reading pane says of the chosen row and its head.

use super::run::Run;
use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language, text};
use crate::scene::bars::{self, Bars, Order};

/// Bars that there is room for; what is left over is summed up below them.
const MOST_BARS: usize = 14;
/// Lines that there is room for; longer sentences show those around the chosen row.
const MOST_LINES: usize = 32;
/// Weights that differ by less than this share are as good as even.
const EVEN: f32 = 1.02;
/// How the weights of bars are written.
pub const BAR: CellStyle = CellStyle::THREE_DECIMALS;
const LINE: CellStyle = CellStyle {
    decimals: 2,
    leading_zero: false,
};

/// Where a row looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// At one key most, with this weight.
    At(usize, f32),
    /// At all keys alike.
    Evenly,
    /// At none.
    Nowhere,
}

/// What can be said of a row in a word.
pub fn look(run: &Run, head: usize, row: usize) -> Look {
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

/// What is said of a row that looks at no key most; empty for one that does.
pub fn unclear(run: &Run, look: Look, row: usize, language: Language) -> String {
    let query = run.query(row);
    let sees = || run.seen.visible().get(row).is_none_or(|seen| *seen > 0);
    match look {
        Look::At(..) => String::new(),
        Look::Nowhere if query.is_empty() => String::new(),
        Look::Nowhere => text::story_empty(language, &query),
        Look::Evenly if sees() => text::story_even(language, &query),
        Look::Evenly => text::story_blind(language, &query),
    }
}

/// A query with the key that it looks at most.
#[derive(Clone, Debug, PartialEq)]
pub struct TopKey {
    pub row: usize,
    pub query: String,
    /// "→ animal"; empty where no key has more weight than the others.
    pub key: String,
    /// The weight, or why there is none.
    pub weight: String,
}

/// A line for each query of a head; where there are too many, those around `chosen`.
pub fn top_keys(run: &Run, head: usize, chosen: usize, language: Language) -> Vec<TopKey> {
    let last = run.queries.len().saturating_sub(MOST_LINES);
    let first = chosen.saturating_sub(MOST_LINES / 2).min(last);
    (first..run.queries.len())
        .take(MOST_LINES)
        .map(|row| top_key(run, head, row, language))
        .collect()
}

fn top_key(run: &Run, head: usize, row: usize, language: Language) -> TopKey {
    let (key, weight) = match (run.most(head, row), look(run, head, row)) {
        (None, _) => (String::new(), Key::LooksNowhere.text(language).to_owned()),
        // Of equal weights the first is no more looked at than the last.
        (_, Look::Evenly) => (String::new(), Key::LooksEvenly.text(language).to_owned()),
        (Some((key, weight)), _) => (format!("→ {}", run.key(key)), LINE.write(weight)),
    };
    TopKey {
        row,
        query: run.query(row).to_owned(),
        key,
        weight,
    }
}

/// The largest weights of a row.
pub fn largest(run: &Run, head: usize, row: usize) -> Bars {
    let is_hidden = |key| run.hidden().is_hidden(row, key);
    bars::bars(run.row(head, row), is_hidden, Order::Weight, MOST_BARS)
}

/// What the bars leave out, in words.
pub fn left_out(list: &Bars, language: Language) -> String {
    list.rest.map_or_else(String::new, |rest| {
        text::bars_rest(language, &rest.keys, &BAR.write(rest.weight))
    })
}

/// Mean entropy of a head, its share of the largest possible, the weight of `row` on itself, and the means on and off the diagonal.
pub fn measures(run: &Run, head: usize, row: usize, language: Language) -> Option<[String; 5]> {
    let stats = run.reply.stats.get(head)?;
    let none = || "–".to_owned();
    let share = run.entropy_share(head);
    let own = stats.self_weight.get(row);
    Some([
        text::nats(language, &fixed(stats.entropy_mean)),
        share.map_or_else(none, |share| format!("{:.0} %", 100.0 * share)),
        own.map_or_else(none, |weight| fixed(f64::from(*weight))),
        fixed(stats.diagonal_mean),
        fixed(stats.off_diagonal_mean),
    ])
}

/// A mean in 0 … 1 or in nats.
pub(super) fn fixed(value: f64) -> String {
    // A mean of a few nothings may come out below zero by a rounding error.
    format!("{:.3}", value.max(0.0))
}
