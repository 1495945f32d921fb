//! Patterns of heads in words: what a head does, and the rule that says so.

use super::names;
use super::percent::percent;
use super::run::Run;
use crate::i18n::{Key, Language, text};
use crate::state::Hiding;
use attention::analysis::{
    AGAIN, EACH, EVEN, FEW, HALF, NEAR, Pattern, PatternMatch, Places, REST, Sinks,
};
use attention::sort;

/// Tokens that a sentence names before it says how many more there are.
const MOST_NAMED: usize = 4;

/// Context of a sentence about a pattern.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Tokens of the rows.
    pub queries: &'a [String],
    /// Tokens of the columns.
    pub keys: &'a [String],
    /// Relation between key positions and query positions.
    pub places: Places,
}

impl<'a> Scene<'a> {
    /// The map of a run.
    pub fn from_run(run: &'a Run) -> Self {
        Self {
            queries: &run.queries,
            keys: &run.keys,
            places: run.places(),
        }
    }
}

/// Caveat about the statistics of a run's heads; empty where they mean the usual.
pub fn caveat(run: &Run, language: Language) -> String {
    let after = (run.state.hiding == Hiding::AfterSoftmax).then_some(Key::AnalysisAfter);
    let [places, after] = match run.places() {
        Places::None => [Some(Key::AnalysisLinformer), None],
        Places::Other => [Some(Key::AnalysisCross), after],
        Places::Same => [None, after],
    }
    .map(|key| key.map(|key| key.text(language)));
    match (places, after) {
        (Some(places), Some(after)) => text::why_joined(language, &places, &after),
        (places, after) => places.or(after).unwrap_or_default().to_owned(),
    }
}

/// Names the pattern of a head in a few words: "spread evenly, except “it”", "previous token; 61 %
/// on the first token".
pub fn label(language: Language, reading: &PatternMatch, scene: Scene<'_>) -> String {
    let said = match &reading.pattern {
        Pattern::Evenly if !reading.exceptions.is_empty() => {
            let rows = named(language, &reading.exceptions, scene.queries);
            text::reading_evenly_except(language, &rows)
        }
        Pattern::Induction => Key::ReadingInduction.text(language).to_owned(),
        pattern => match resting(pattern, scene.places) {
            Some(keys) => text::reading_sink(language, &sinks(language, keys, scene)),
            None => name(language, pattern, scene),
        },
    };
    let Some(Sinks { keys, share }) = &reading.sinks else {
        return said;
    };
    let (share, keys) = (percent(*share), sinks(language, keys, scene));
    text::reading_beside(language, &said, &share, &keys)
}

/// The first keys, if a head attends to nothing else.
fn resting(pattern: &Pattern, places: Places) -> Option<&[usize]> {
    let keys = match pattern {
        Pattern::Key(key) => std::slice::from_ref(key),
        Pattern::Keys(keys) => keys,
        _ => return None,
    };
    let are_first = keys.iter().all(|key| *key < keys.len());
    (are_first && places != Places::None).then_some(keys)
}

/// "the first token", "the first 2 tokens", "“.”".
fn sinks(language: Language, keys: &[usize], scene: Scene<'_>) -> String {
    match keys {
        [0] => Key::SinkFirst.text(language).to_owned(),
        [key] => named(language, &[*key], scene.keys),
        keys => text::sink_first_few(language, &keys.len()),
    }
}

/// Evidence for a pattern: its number, how many rows that averages, and the rule that it satisfied.
pub fn why(language: Language, reading: &PatternMatch, scene: Scene<'_>) -> String {
    let (share, rows, of) = (&number(reading.share), &reading.rows, &reading.of);
    let [even, half, again, few, each, near] = &[EVEN, HALF, AGAIN, FEW, EACH, NEAR].map(number);
    let said = match &reading.pattern {
        Pattern::Nothing => Key::WhyNothing.text(language).to_owned(),
        Pattern::NoChoice => Key::WhyNoChoice.text(language).to_owned(),
        Pattern::Evenly => text::why_evenly(language, share, rows, of, even),
        // Between two texts no key is the token itself.
        Pattern::SameWord | Pattern::Induction if scene.places == Places::Same => {
            text::why_same_word(language, share, rows, of, half, again)
        }
        Pattern::SameWord | Pattern::Induction => text::why_words(language, share, rows, of, half),
        Pattern::Place(_) | Pattern::Key(_) => text::why_single(language, share, rows, of, half),
        Pattern::Keys(_) => text::why_keys(language, share, rows, of, few, each),
        Pattern::Span(..) => text::why_span(language, share, rows, of, near),
        Pattern::Unclear => text::why_unclear(language, half),
    };
    [
        rival(language, reading, scene),
        beside(language, reading, scene),
    ]
    .into_iter()
    .flatten()
    .fold(said, |said, next| text::why_joined(language, &said, &next))
}

/// Explains the attention sink, where a head has one.
fn beside(language: Language, reading: &PatternMatch, scene: Scene<'_>) -> Option<String> {
    if resting(&reading.pattern, scene.places).is_some() {
        return Some(Key::WhySink.text(language).to_owned());
    }
    let keys = &reading.sinks.as_ref()?.keys;
    Some(if reading.pattern == Pattern::Unclear {
        Key::WhySink.text(language).to_owned()
    } else {
        text::why_beside_sink(language, &sinks(language, keys, scene), &number(REST))
    })
}

/// Names the runner-up; for a head without a clear pattern, the strongest candidate.
fn rival(language: Language, reading: &PatternMatch, scene: Scene<'_>) -> Option<String> {
    let (pattern, share) = reading.rival.as_ref()?;
    let (name, share) = (name(language, pattern, scene), number(*share));
    let sentence = match reading.pattern {
        Pattern::Unclear => text::why_strongest,
        _ => text::why_rival,
    };
    Some(sentence(language, &name, &share))
}

/// The name of a pattern, whatever a head does besides.
pub fn name(language: Language, pattern: &Pattern, scene: Scene<'_>) -> String {
    let same_everywhere = match (pattern, scene.places) {
        // No place of another text is the same one, and columns of mixtures are no places at all.
        (Pattern::Place(_), Places::Other | Places::None) | (Pattern::Key(_), Places::None) => None,
        _ => names::pattern(pattern),
    };
    if let Some(name) = same_everywhere {
        return name.text(language).to_owned();
    }
    match pattern {
        Pattern::Place(shift) => place(language, *shift, scene.places),
        Pattern::Key(key) => {
            let key = named(language, &[*key], scene.keys);
            text::reading_key(language, &key)
        }
        Pattern::Keys(keys) => {
            let mut keys = keys.clone();
            sort::sort(&mut keys, Ord::cmp);
            let keys = named(language, &keys, scene.keys);
            text::reading_keys(language, &keys)
        }
        Pattern::Span(from, to) => {
            let (from, to) = (offset(*from), offset(*to));
            text::reading_span(language, &from, &to)
        }
        _ => Key::ReadingUnclear.text(language).to_owned(),
    }
}

/// In self-attention a place is so many tokens away; between two texts it is only a number.
fn place(language: Language, shift: isize, places: Places) -> String {
    let count = shift.unsigned_abs();
    match (shift, places) {
        (..0, Places::Same) => text::reading_back(language, &count),
        (_, Places::Same) => text::reading_ahead(language, &count),
        _ => text::reading_place(language, &offset(shift)),
    }
}

/// "i", "i − 1", "i + 2".
fn offset(shift: isize) -> String {
    match shift {
        0 => "i".to_owned(),
        ..0 => format!("i − {}", shift.unsigned_abs()),
        _ => format!("i + {shift}"),
    }
}

/// Tokens in quotation marks, the first few of them; of words that occur again, with their places.
pub fn named(language: Language, at: &[usize], tokens: &[String]) -> String {
    let quote = |at: &usize| {
        let token = tokens.get(*at)?;
        let is_again = tokens.iter().filter(|other| *other == token).count() > 1;
        Some(if is_again {
            format!("“{token}” ({})", at + 1)
        } else {
            format!("“{token}”")
        })
    };
    let quoted = at.iter().take(MOST_NAMED).filter_map(quote);
    let mut said: Vec<String> = quoted.collect();
    if at.len() > MOST_NAMED {
        said.push("…".to_owned());
    }
    said.join(Key::ListSeparator.text(language))
}

fn number(value: f64) -> String {
    format!("{value:.2}")
}

#[cfg(test)]
mod tests;
