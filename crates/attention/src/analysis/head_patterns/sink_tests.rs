//! Heads that combine a sink with another pattern.

use super::tests::{all, read_map};
use super::*;
use crate::analysis::heaviest_key;
use crate::analysis::{Places, Rows, Visible};

/// Twelve words, of which the last six are the first six again, but for the first.
const IDS: [u32; 12] = [9, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5];
const WORDS: Words<'_> = Words {
    queries: &IDS,
    keys: &IDS,
};

fn causal(query: usize, key: usize) -> bool {
    key <= query
}

/// `rest` of each row on the keys that it looks at, alike; what is left, and all of a row that looks at nothing, on `sink`.
fn resting(
    sink: usize,
    rest: f32,
    of: impl Fn(usize) -> Vec<usize>,
) -> impl Fn(usize, usize) -> f32 {
    move |query, key| {
        let keys = of(query);
        let own = if keys.is_empty() { 0.0 } else { rest };
        let on_key = own * keys.iter().filter(|other| **other == key).count() as f32;
        let on_sink = if key == sink { 1.0 - own } else { 0.0 };
        on_key / keys.len().max(1) as f32 + on_sink
    }
}

fn after(query: usize) -> Vec<usize> {
    let earlier = (0..query).filter(|key| IDS[*key] == IDS[query]);
    earlier.map(|key| key + 1).collect()
}

fn alike(query: usize) -> Vec<usize> {
    (0..query).filter(|key| IDS[*key] == IDS[query]).collect()
}

fn before(query: usize) -> Vec<usize> {
    query.checked_sub(1).into_iter().collect()
}

fn causal_map(weight: impl Fn(usize, usize) -> f32) -> PatternMatch {
    read_map((12, 12), Places::Same, WORDS, causal, weight)
}

fn sinks(reading: &PatternMatch) -> Option<(&[usize], f64)> {
    let sinks = reading.sinks.as_ref()?;
    Some((&sinks.keys, (100.0 * sinks.share).round() / 100.0))
}

#[test]
fn a_head_is_named_by_what_it_does_beside_its_sink() {
    for rest in [0.2, 0.4, 0.9] {
        let reading = causal_map(resting(0, rest, after));
        assert_eq!(reading.pattern, Pattern::Induction, "{rest}");
        assert!(
            (reading.share - 1.0).abs() < 1e-6 && reading.rows == 5,
            "{reading:?}"
        );
        let mean = f64::from(6.0 + 5.0 * (1.0 - rest)) / 11.0;
        assert!((reading.sinks.expect("a sink").share - mean).abs() < 1e-6);
        let reading = causal_map(resting(0, rest, alike));
        assert_eq!(
            (reading.pattern, reading.rows),
            (Pattern::SameWord, 5),
            "{rest}"
        );
    }
    let reading = causal_map(resting(0, 0.4, before));
    assert_eq!((&reading.pattern, reading.rows), (&Pattern::Place(-1), 10));
    // The row whose previous key is the sink rests.
    assert_eq!(sinks(&reading), Some((&[0][..], 0.64)));
    let pair = causal_map(resting(0, 0.4, |query| (query.max(2) - 2..query).collect()));
    assert_eq!(pair.pattern, Pattern::Span(-2, -1));
    assert!(pair.sinks.is_some());
}

#[test]
fn a_head_that_rests_and_does_nothing_else_is_named_by_its_sink() {
    for rest in [0.0, 0.05, 0.09] {
        let reading = causal_map(resting(0, rest, before));
        assert_eq!(
            (&reading.pattern, sinks(&reading)),
            (&Pattern::Key(0), None),
            "{rest}"
        );
        // Two rows that see it do not rest, but most do.
        let few = causal_map(resting(0, 0.9, |query| {
            if query < 3 { before(query) } else { vec![] }
        }));
        assert_eq!(few.pattern, Pattern::Key(0));
    }
    let even = read_map((12, 12), Places::Same, WORDS, causal, |query, key| {
        0.4 / (query + 1) as f32 + if key == 0 { 0.6 } else { 0.0 }
    });
    assert_eq!((&even.pattern, sinks(&even)), (&Pattern::Key(0), None));
}

#[test]
fn without_a_clear_name_the_sink_is_still_told() {
    let reading =
        causal_map(|query, key| 0.64 / (query + 1) as f32 + if key == 0 { 0.36 } else { 0.0 });
    assert_eq!(reading.pattern, Pattern::Unclear);
    assert_eq!(sinks(&reading), Some((&[0][..], 0.48)));
}

#[test]
fn sinks_are_the_first_few_keys_or_another_one() {
    let two = |query: usize, key: usize| match (query, key) {
        (0 | 1, _) => 1.0 / (query + 1) as f32,
        (_, 0 | 1) => 0.3,
        _ if key + 1 == query => 0.4,
        _ => 0.0,
    };
    let reading = causal_map(two);
    assert_eq!((&reading.pattern, reading.rows), (&Pattern::Place(-1), 9));
    assert_eq!(sinks(&reading), Some((&[0, 1][..], 0.67)));
    for sink in [0, 5, 11] {
        let reading = read_map(
            (12, 12),
            Places::Same,
            WORDS,
            all,
            resting(sink, 0.3, before),
        );
        assert_eq!(reading.pattern, Pattern::Place(-1), "{sink}");
        assert_eq!(reading.sinks.map(|sinks| sinks.keys), Some(vec![sink]));
    }
    // Half of the rows do not see it.
    let late = causal_map(|query, key| match (query, key) {
        (6.., 6) => 0.6,
        (6.., _) => 0.4 / query as f32,
        _ => 1.0 / (query + 1) as f32,
    });
    assert_eq!(late.sinks, None);
}

#[test]
fn two_rows_and_a_tenth_have_to_show_a_pattern_of_few_rows() {
    let words = |ids: &[u32]| {
        let words = Words {
            queries: ids,
            keys: ids,
        };
        let after = |query: usize| -> Vec<usize> {
            let earlier = (0..query).filter(|key| ids[*key] == ids[query]);
            earlier.map(|key| key + 1).collect()
        };
        let size = (ids.len(), ids.len());
        read_map(size, Places::Same, words, causal, resting(0, 0.8, after)).pattern
    };
    let once = [0, 1, 2, 3, 4, 5, 6, 1];
    assert_eq!(words(&once), Pattern::Key(0));
    let twice = [0, 1, 2, 3, 4, 5, 6, 1, 2];
    assert_eq!(words(&twice), Pattern::Induction);
    let long: Vec<u32> = (0..28).chain([1, 2]).collect();
    assert_eq!(words(&long), Pattern::Key(0));
    assert_eq!(words(&[0]), Pattern::NoChoice);
}

#[test]
fn rows_that_do_something_else_have_no_pattern_of_few_rows() {
    // Each row whose word is new is torn between two keys.
    let torn = causal_map(|query, key| match (after(query).as_slice(), query) {
        ([one], _) => f32::from(*one == key),
        (_, 0 | 1) => 1.0 / (query + 1) as f32,
        _ => 0.5 * f32::from(key == query || key == query / 2),
    });
    assert_eq!(torn.pattern, Pattern::Unclear, "{torn:?}");
    // Of the rows whose word occurs again, most rest.
    let resting = resting(
        0,
        0.8,
        |query| if query > 9 { after(query) } else { vec![] },
    );
    assert_eq!(causal_map(resting).pattern, Pattern::Key(0));
}

#[test]
fn keys_that_rows_of_other_words_look_at_as_well_are_not_looked_at_for_a_word() {
    // Keys 3, 5 and 6 are looked at by all; only rows 3, 5 and 6 have their word.
    let ids = [0, 1, 2, 3, 4, 3, 3, 7];
    let words = Words {
        queries: &ids,
        keys: &ids,
    };
    let weight = |_: usize, key: usize| match key {
        0 => 0.7,
        3 | 5 | 6 => 0.1,
        _ => 0.0,
    };
    let reading = read_map((8, 8), Places::Same, words, all, weight);
    assert_eq!(reading.pattern, Pattern::Key(0));
    let own = |query: usize, key: usize| match key {
        _ if ids[query] != 3 => f32::from(key == 0),
        _ => weight(query, key),
    };
    let reading = read_map((8, 8), Places::Same, words, all, own);
    assert_eq!(reading.pattern, Pattern::SameWord);
}

#[test]
fn of_the_same_keys_a_neighbour_is_said_before_induction_and_it_before_a_further_place() {
    // One after the other, every second or every fourth word is the same.
    for (period, rows, pattern) in [(2, 4, Pattern::Place(-1)), (4, 8, Pattern::Induction)] {
        let ids: Vec<u32> = (0..rows).map(|at| at % period).collect();
        let words = Words {
            queries: &ids,
            keys: &ids,
        };
        let (n, period) = (rows as usize, period as usize);
        let of = |query: usize| {
            (query >= period)
                .then(|| query + 1 - period)
                .into_iter()
                .collect()
        };
        let reading = read_map((n, n), Places::Same, words, causal, resting(0, 0.7, of));
        assert_eq!(reading.pattern, pattern);
    }
}

#[test]
fn between_two_texts_nothing_comes_after_the_same_word_and_a_mixture_is_no_sink() {
    let of = |query: usize| (0..12).filter(|key| IDS[*key] == IDS[query]).collect();
    for places in [Places::Other, Places::None] {
        let reading = read_map((12, 12), places, WORDS, all, resting(0, 0.6, after));
        assert_ne!(reading.pattern, Pattern::Induction);
        let reading = read_map((12, 12), places, WORDS, all, resting(0, 0.2, of));
        assert_eq!(
            reading.pattern == Pattern::SameWord,
            places == Places::Other,
            "{reading:?}"
        );
        assert_eq!(reading.sinks.is_some(), places == Places::Other);
    }
}

#[test]
fn maps_that_do_not_sum_to_1_are_read_by_shares() {
    for scale in [0.2, 1.0, 30.0] {
        let weight = resting(0, 0.4, after);
        let reading = causal_map(|query, key| scale * weight(query, key));
        assert_eq!(reading.pattern, Pattern::Induction, "{scale}");
        assert_eq!(sinks(&reading), Some((&[0][..], 0.82)));
    }
    // A weight below 0 may leave a row less than nothing beside its sink.
    let weight = resting(0, 0.4, after);
    let below = causal_map(|query, key| weight(query, key) - if key == 1 { 0.01 } else { 0.0 });
    assert_eq!(below.pattern, Pattern::Induction);
    assert_eq!(causal_map(|_, _| -1.0).pattern, Pattern::Nothing);
}

#[test]
fn the_heaviest_key_is_one_that_nearly_all_rows_see() {
    let heaviest =
        |n: usize, sees: fn(usize, usize) -> bool, weight: &dyn Fn(usize, usize) -> f32| {
            let cells = (0..n * n).map(|at| (at / n, at % n));
            let weight = |(i, j)| if sees(i, j) { weight(i, j) } else { 0.0 };
            let weights: Vec<f32> = cells.map(weight).collect();
            let visible = Visible::new(n, n, sees);
            heaviest_key(&Rows::new(&weights, &visible))
        };
    let on = |at: usize| move |_: usize, key: usize| if key == at { 0.75 } else { 0.125 };
    assert_eq!(heaviest(3, all, &on(2)), Some((2, 0.75)));
    assert_eq!(heaviest(3, causal, &on(0)), Some((0, 0.75)));
    // The first row has no choice, and of the two others one does not see the last key.
    assert_eq!(heaviest(3, causal, &on(2)), Some((0, 0.125)));
    assert_eq!(
        heaviest(3, all, &|_, _| 0.25),
        Some((0, 0.25)),
        "the first on ties"
    );
    assert_eq!(heaviest(1, all, &|_, _| 1.0), None);
    assert_eq!(heaviest(0, all, &|_, _| 1.0), None);
    assert_eq!(heaviest(3, |_, _| false, &|_, _| 1.0), None);
    assert_eq!(
        heaviest(3, all, &|query, key| f32::from(query == 1 && key == 1)),
        Some((1, 1.0))
    );
}
