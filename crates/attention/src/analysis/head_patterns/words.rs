//! Patterns of words: the keys with the query's word, and those after an earlier one.

use super::candidate::Candidate;
use super::rest::Rest;
use super::{AGAIN, CLEAR, HALF, Pattern};
use crate::analysis::{Mean, Places, Words};

/// The patterns of words that hold beside `others`, which are of places and keys.
pub(super) fn candidates(
    rest: &Rest<'_>,
    places: Places,
    words: Words<'_>,
    others: &[Candidate],
) -> Vec<Candidate> {
    let after = (places == Places::Same).then(|| induction(rest, words));
    let alike = (places != Places::None).then(|| same_word(rest, places, words));
    let all = [after, alike].into_iter().flatten().flatten();
    all.filter(|own| is_said_of_words(own, rest, words) && holds(own, rest, others))
        .collect()
}

/// Whether a pattern of words is another than those of places and keys.
fn holds(own: &Candidate, rest: &Rest<'_>, others: &[Candidate]) -> bool {
    let is_place = |other: &&Candidate| matches!(other.pattern, Pattern::Place(_));
    let is_more = |other: &Candidate| {
        let shares = own.around(other);
        shares.is_none_or(|(own, one)| own >= AGAIN * one)
    };
    let is_other = |other: &Candidate| other.share >= HALF && !other.is_within(own);
    others.iter().filter(is_place).all(is_more)
        && (2 * own.count() >= rest.of() || !others.iter().any(is_other) && own.others_rest(rest))
}

fn induction(rest: &Rest<'_>, words: Words<'_>) -> Option<Candidate> {
    let keys = |query: usize| {
        let word = words.queries.get(query)?;
        let earlier = words.keys.iter().take(query).zip(1..);
        let after = earlier.filter(|(other, key)| *other == word && rest.sees(query, *key));
        Some(after.map(|(_, key)| key).collect())
    };
    let keys = rest.queries().map(|query| keys(query).unwrap_or_default());
    of_few_rows(Pattern::Induction, rest, keys.collect())
}

/// `None` where no word occurs again, or another text has none of them.
fn same_word(rest: &Rest<'_>, places: Places, words: Words<'_>) -> Option<Candidate> {
    let keys = |query: usize| {
        let word = words.queries.get(query)?;
        let alike = words.keys.iter().enumerate();
        let seen = alike.filter(|(key, other)| *other == word && rest.sees(query, *key));
        Some(seen.map(|(key, _)| key).collect::<Vec<_>>())
    };
    let mut keys: Vec<_> = rest
        .queries()
        .map(|query| keys(query).unwrap_or_default())
        .collect();
    if places == Places::Same {
        let is_alone = |query: usize, keys: &[usize]| keys == [query];
        let mut alone = Mean::default();
        let itself = |query: usize, left: f64| Some(rest.on(query, &[query]) / left);
        for ((query, keys), itself) in rest.queries().zip(&keys).zip(rest.each(itself)) {
            if let Some(share) = itself.filter(|_| is_alone(query, keys)) {
                alone.add(share);
            }
        }
        if alone.value().is_none_or(|share| share < HALF) {
            for (query, keys) in rest.queries().zip(&mut keys) {
                if is_alone(query, keys) {
                    keys.clear();
                }
            }
        }
        let is_again = |(query, keys): (usize, &Vec<usize>)| keys.iter().any(|key| *key != query);
        rest.queries().zip(&keys).any(is_again).then_some(())?;
    }
    of_few_rows(Pattern::SameWord, rest, keys)
}

/// A pattern that need not apply to half of the rows: two and a tenth of all have to decide, and half of those that it applies to.
fn of_few_rows(pattern: Pattern, rest: &Rest<'_>, keys: Vec<Vec<usize>>) -> Option<Candidate> {
    let applies = keys.iter().filter(|keys| !keys.is_empty()).count();
    let candidate = Candidate::of_keys(pattern, rest, keys)?;
    let count = candidate.count();
    (count >= 2 && 10 * count >= rest.of() && 2 * count >= applies).then_some(candidate)
}

/// Whether the keys have [`CLEAR`] times what rows of other words give them.
fn is_said_of_words(own: &Candidate, rest: &Rest<'_>, words: Words<'_>) -> bool {
    let word = |query: usize| words.queries.get(query);
    let rows: Vec<_> = own.keys(rest).collect();
    let mut others = Mean::default();
    for (at, (query, _)) in rows.iter().enumerate() {
        let is_of_word = |row: &&(usize, &[usize])| word(row.0) == word(*query);
        if rows[..at].iter().any(|row| is_of_word(&row)) {
            continue;
        }
        let of_word = || rows.iter().filter(is_of_word);
        let mut keys: Vec<usize> = of_word().flat_map(|(_, keys)| keys.to_vec()).collect();
        keys.sort_unstable();
        keys.dedup();
        let share = rest.each(|other, left| {
            let seen = |key: &usize| rest.sees(other, *key);
            let keys: Vec<usize> = keys.iter().copied().filter(seen).collect();
            (word(other) != word(*query) && !keys.is_empty()).then(|| rest.on(other, &keys) / left)
        });
        let mut mean = Mean::default();
        share
            .into_iter()
            .flatten()
            .for_each(|share| mean.add(share));
        let count = of_word().count();
        others.add_all(mean.value().unwrap_or(0.0) * count as f64, count);
    }
    own.share >= CLEAR * others.value().unwrap_or(0.0)
}
