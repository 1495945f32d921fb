use super::super::{Places, Rows, Visible};
use super::*;

const NO_WORDS: Words<'_> = Words {
    queries: &[],
    keys: &[],
};

/// Reads `n × m` weights that `weight` gives, under a mask.
pub(super) fn read_map(
    (n, m): (usize, usize),
    places: Places,
    words: Words<'_>,
    sees: impl Fn(usize, usize) -> bool,
    weight: impl Fn(usize, usize) -> f32,
) -> PatternMatch {
    let weights: Vec<f32> = (0..n)
        .flat_map(|i| (0..m).map(move |j| (i, j)))
        .map(|(i, j)| if sees(i, j) { weight(i, j) } else { 0.0 })
        .collect();
    let visible = Visible::new(n, m, sees);
    read(&Rows::new(&weights, &visible), places, words)
}

pub(super) fn all(_: usize, _: usize) -> bool {
    true
}

/// `share` on the key that `of` names for a query, the rest evenly on the others.
fn mostly(m: usize, share: f32, of: impl Fn(usize) -> usize) -> impl Fn(usize, usize) -> f32 {
    move |i, j| {
        if j == of(i) {
            share
        } else {
            (1.0 - share) / (m - 1) as f32
        }
    }
}

fn pattern(size: (usize, usize), weight: impl Fn(usize, usize) -> f32) -> Pattern {
    read_map(size, Places::Same, NO_WORDS, all, weight).pattern
}

#[test]
fn nothing_and_no_choice() {
    for size in [(0, 0), (0, 3), (3, 0)] {
        assert_eq!(pattern(size, |_, _| 1.0), Pattern::Nothing, "{size:?}");
    }
    assert_eq!(pattern((3, 3), |_, _| 0.0), Pattern::Nothing);
    assert_eq!(pattern((1, 1), |_, _| 1.0), Pattern::NoChoice);
    let diagonal = read_map((5, 5), Places::Same, NO_WORDS, |i, j| i == j, |_, _| 1.0);
    assert_eq!(diagonal.pattern, Pattern::NoChoice);
}

#[test]
fn places_are_told_apart_with_their_number() {
    for shift in [-3_isize, -1, 0, 1, 2] {
        let of = move |i: usize| i.checked_add_signed(shift).filter(|j| *j < 11);
        let reading = read_map((11, 11), Places::Same, NO_WORDS, all, |i, j| match of(i) {
            Some(key) if key == j => 0.8,
            Some(_) => 0.02,
            None => 1.0 / 11.0,
        });
        assert_eq!(reading.pattern, Pattern::Place(shift));
        assert!((reading.share - 0.8).abs() < 1e-6, "{reading:?}");
        assert_eq!(reading.rows, 11 - shift.unsigned_abs());
        assert_eq!(reading.of, 11);
        let (_, rival) = reading.rival.expect("something comes next");
        assert!(rival < 0.1);
    }
}

#[test]
fn one_key_is_found_wherever_it_is() {
    for key in [0, 4, 6] {
        let reading = read_map(
            (9, 7),
            Places::Other,
            NO_WORDS,
            all,
            mostly(7, 0.7, |_| key),
        );
        assert_eq!(reading.pattern, Pattern::Key(key));
        assert!((reading.share - 0.7).abs() < 1e-6 && reading.rows == 9);
    }
}

#[test]
fn below_a_half_or_beside_a_strong_rival_nothing_is_clear() {
    let weak = read_map((9, 9), Places::Same, NO_WORDS, all, mostly(9, 0.45, |i| i));
    assert_eq!(weak.pattern, Pattern::Unclear);
    let (first, share) = weak.rival.expect("something comes first");
    assert_eq!(first, Pattern::Place(0));
    assert!((share - 0.45).abs() < 1e-6);
    // 0.55 on itself and 0.4 three places ahead (around the end): no span joins them.
    let torn = |i: usize, j: usize| match (j + 9 - i) % 9 {
        0 => 0.55,
        3 => 0.4,
        _ => 0.05 / 7.0,
    };
    assert_eq!(pattern((9, 9), torn), Pattern::Unclear);
}

#[test]
fn evenly_is_judged_by_what_a_row_sees() {
    for n in [2, 3, 7, 30] {
        let causal = read_map(
            (n, n),
            Places::Same,
            NO_WORDS,
            |i, j| j <= i,
            |i, _| 1.0 / (i + 1) as f32,
        );
        assert_eq!(causal.pattern, Pattern::Evenly, "{n}");
        assert!((causal.share - 1.0).abs() < 1e-6);
        assert_eq!((causal.rows, causal.of), (n - 1, n - 1));
    }
}

#[test]
fn up_to_a_quarter_of_the_rows_are_exceptions_of_an_even_head() {
    let with = |odd: usize| {
        read_map((8, 8), Places::Same, NO_WORDS, all, move |i, j| {
            if i < odd {
                f32::from(j == 7 - i)
            } else {
                0.125
            }
        })
    };
    assert_eq!(with(2).pattern, Pattern::Evenly);
    assert_eq!(with(2).exceptions, [0, 1]);
    assert_ne!(with(3).pattern, Pattern::Evenly);
}

#[test]
fn a_word_that_occurs_again_is_told_from_the_token_itself() {
    let ids = [0, 1, 2, 0, 1];
    let words = Words {
        queries: &ids,
        keys: &ids,
    };
    let alike = |i: usize, j: usize| ids[i] == ids[j];
    let count = |i: usize| ids.iter().filter(|id| **id == ids[i]).count() as f32;
    let spread = |i: usize, j: usize| if alike(i, j) { 1.0 / count(i) } else { 0.0 };
    let reading = read_map((5, 5), Places::Same, words, all, spread);
    assert_eq!((reading.pattern, reading.rows), (Pattern::SameWord, 5));
    let itself = read_map((5, 5), Places::Same, words, all, mostly(5, 0.9, |i| i));
    assert_eq!(itself.pattern, Pattern::Place(0));
    let unrepeated = Words {
        queries: &[0, 1, 2, 3, 4],
        keys: &[0, 1, 2, 3, 4],
    };
    let alone = read_map((5, 5), Places::Same, unrepeated, all, mostly(5, 0.9, |i| i));
    assert_eq!(alone.pattern, Pattern::Place(0));
}

#[test]
fn a_few_keys_have_to_be_the_same_for_all_queries() {
    let same = |_: usize, j: usize| if j == 2 || j == 5 { 0.44 } else { 0.12 / 7.0 };
    let reading = read_map((7, 9), Places::Other, NO_WORDS, all, same);
    assert_eq!(reading.pattern, Pattern::Keys(vec![2, 5]));
    assert!((reading.share - 0.88).abs() < 1e-6);
    // Half of the queries look at one pair, half at another.
    let torn = |i: usize, j: usize| match (i % 2, j) {
        (0, 2 | 5) | (1, 1 | 7) => 0.44,
        _ => 0.12 / 7.0,
    };
    let reading = read_map((7, 9), Places::Other, NO_WORDS, all, torn);
    assert_eq!(reading.pattern, Pattern::Unclear);
}

#[test]
fn a_span_is_as_narrow_as_it_can_be() {
    let band = |i: usize, j: usize| match j as isize - i as isize {
        -2 | -1 => 0.45,
        _ => 0.1 / 10.0,
    };
    assert_eq!(pattern((12, 12), band), Pattern::Span(-2, -1));
    let around = |i: usize, j: usize| if i.abs_diff(j) <= 1 { 0.3 } else { 0.01 };
    assert_eq!(pattern((13, 13), around), Pattern::Span(-1, 1));
}

#[test]
fn weights_hidden_after_the_softmax_count_as_shares_of_what_is_left() {
    let half = |i: usize, j: usize| 0.5 * mostly(6, 0.8, |i| i)(i, j);
    let reading = read_map((6, 6), Places::Same, NO_WORDS, all, half);
    assert_eq!(reading.pattern, Pattern::Place(0));
    assert!((reading.share - 0.8).abs() < 1e-6, "{reading:?}");
}

#[test]
fn a_reading_does_not_depend_on_the_order_of_keys_in_cross_attention() {
    let weight = mostly(6, 0.75, |_| 1);
    let turned = |i: usize, j: usize| weight(i, 5 - j);
    let one = read_map((5, 6), Places::Other, NO_WORDS, all, &weight);
    let other = read_map((5, 6), Places::Other, NO_WORDS, all, turned);
    assert_eq!(one.pattern, Pattern::Key(1));
    assert_eq!(other.pattern, Pattern::Key(4));
    assert_eq!(one.share, other.share);
}

#[test]
fn a_pattern_means_certain_keys_of_a_text() {
    let words = [4, 7, 4, 9, 7];
    let keys = |pattern: Pattern, query: usize| {
        let all = 0..words.len();
        all.filter(|key| pattern.means(&words, query, *key))
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(Pattern::PREVIOUS, 0), []);
    assert_eq!(keys(Pattern::PREVIOUS, 3), [2]);
    assert_eq!(keys(Pattern::NEXT, 4), []);
    assert_eq!(keys(Pattern::Span(-2, 1), 2), [0, 1, 2, 3]);
    assert_eq!(keys(Pattern::FIRST, 3), [0]);
    assert_eq!(keys(Pattern::Keys(vec![3, 1]), 0), [1, 3]);
    assert_eq!(keys(Pattern::SameWord, 4), [1, 4]);
    assert_eq!(keys(Pattern::Induction, 4), [2]);
    assert_eq!(keys(Pattern::Induction, 1), []);
    assert_eq!(keys(Pattern::Evenly, 1), []);
}
