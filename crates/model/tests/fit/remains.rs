//! Remaining distance at each d_k, from several seeds: checks the statements of the page.

use model::fit::{Target, least_on_a_line};

use crate::targets::{
    any_keys, any_order, different, looking_at, options, previous, remaining, reverse,
};

/// The least and the most that remains over the seeds 1 to `seeds`.
fn range(target: &Target, [heads, d_k]: [usize; 2], seeds: u32) -> [f64; 2] {
    let words = different(target.length());
    let mut all: Vec<f64> = (1..=seeds)
        .map(|seed| remaining(&words, target.clone(), options(heads, d_k, seed)))
        .collect();
    all.sort_by(f64::total_cmp);
    let [least, most] = [all[0], all[all.len() - 1]];
    let n = target.length();
    println!("{n} words, heads {heads}, d_k {d_k}: {least:.4} to {most:.4}");
    [least, most]
}

/// Each row looks at one word: impossible at d_k 1, exact at d_k 2.
fn one_to_one_needs_a_circle(n: usize, seeds: u32) {
    for target in [previous(n), reverse(n), any_order(n, 7)] {
        let least = least_on_a_line(target.painted());
        let [on_a_line, _] = range(&target, [1, 1], seeds);
        assert!(on_a_line > least.max(1.0), "{on_a_line} {least}");
        let [_, on_a_circle] = range(&target, [1, 2], seeds);
        assert!(on_a_circle < 0.01, "{on_a_circle}");
    }
}

/// Rows that look at several arbitrary words: twice as many dimensions suffice, two do not.
fn several_words_need_more(n: usize, seeds: u32) {
    for (count, usually) in [(2, 4), (3, 4), (5, 6)] {
        let target = any_keys(n, count, 3);
        assert_eq!(target.most_groups(), count);
        let [flat, _] = range(&target, [1, 2], seeds);
        assert!(flat > 0.05, "{count} words: {flat}");
        for d_k in [usually, 2 * count] {
            let [_, most] = range(&target, [1, d_k], seeds);
            assert!(most < 0.05, "{count} words, d_k {d_k}: {most}");
        }
    }
}

/// Of several heads the mean is compared: they hold one-to-one rows no better at d_k 1, but share out rows of several words.
fn heads_share_what_is_shared(n: usize, seeds: u32) {
    for heads in [2, 4] {
        let [least, _] = range(&reverse(n), [heads, 1], seeds);
        assert!(least > 1.0, "{heads} heads: {least}");
    }
    let pairs = any_keys(n, 2, 3);
    let ([alone, _], [_, shared]) = (range(&pairs, [1, 2], seeds), range(&pairs, [2, 2], seeds));
    assert!(shared < 0.5 * alone, "{shared} {alone}");
}

/// Words with equal targets count as one position.
fn blocks_need_no_more_than_a_circle(n: usize, seeds: u32) {
    let blocks = looking_at(n, |row| (0..n).filter(|key| key / 3 == row / 3).collect());
    let [on_a_line, _] = range(&blocks, [1, 1], seeds);
    let [_, on_a_circle] = range(&blocks, [1, 2], seeds);
    assert!(
        on_a_line > 0.2 && on_a_circle < 0.01,
        "{on_a_line} {on_a_circle}"
    );
}

#[test]
fn eleven_words_from_two_seeds() {
    one_to_one_needs_a_circle(11, 2);
    several_words_need_more(11, 2);
    heads_share_what_is_shared(11, 2);
    blocks_need_no_more_than_a_circle(11, 2);
}

#[test]
fn two_places_are_the_ends_of_a_line() {
    let ends = looking_at(9, |row| vec![if row % 3 == 0 { 2 } else { 7 }]);
    assert_eq!([ends.most_groups(), ends.count_groups()], [1, 2]);
    // Not from every start: keys cannot pass each other on a line.
    let [least, _] = range(&ends, [1, 1], 3);
    assert!(least < 0.01, "{least}");
}

#[test]
#[ignore = "takes some minutes; ./dev soak runs it"]
fn up_to_twenty_four_words_from_ten_seeds() {
    for n in [11, 17, 24] {
        one_to_one_needs_a_circle(n, 10);
        several_words_need_more(n, 10);
        heads_share_what_is_shared(n, 10);
        blocks_need_no_more_than_a_circle(n, 10);
    }
}
