//! Properties of every fit.

use model::fit::{D_MODEL, Fit, FitOptions, Target, least_on_a_line};

use crate::targets::{
    any_keys, any_order, different, looking_at, options, previous, remaining, reverse,
};

#[test]
fn the_same_seed_gives_the_same_bits_and_another_one_others() {
    let bits = |seed, steps| {
        let mut fit = Fit::new(&different(7), reverse(7), options(2, 3, seed)).expect("fits");
        (0..steps).for_each(|_| fit.step().expect("finite"));
        let numbers = fit.numbers().iter().map(|x| x.to_bits());
        numbers.collect::<Vec<_>>()
    };
    for steps in [0, 25] {
        assert_eq!(bits(5, steps), bits(5, steps));
        assert_ne!(bits(5, steps), bits(6, steps), "after {steps} steps");
    }
}

#[test]
fn where_nothing_is_painted_nothing_is_done() {
    let nothing = Target::from_cells(5, &[false; 25]).expect("square");
    assert_eq!([nothing.painted(), nothing.most_groups()], [0, 0]);
    let mut fit = Fit::new(&different(5), nothing, options(1, 2, 1)).expect("fits");
    let before = fit.numbers().to_vec();
    fit.step().expect("finite");
    assert_eq!(fit.numbers(), before);
    assert_eq!(fit.distance(), 0.0);
}

#[test]
fn rows_sum_to_one_and_the_distance_falls() {
    let mut fit = Fit::new(&different(11), any_keys(11, 3, 4), options(2, 5, 8)).expect("fits");
    let before = fit.distance();
    (0..60).for_each(|_| fit.step().expect("finite"));
    assert!(fit.distance() < 0.5 * before, "{} {before}", fit.distance());
    for row in fit.weights().chunks(11) {
        let sum: f32 = row.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    }
}

#[test]
fn equal_words_have_equal_vectors_and_places_add_their_own() {
    let words = [0, 1, 0, 2, 1];
    let rows = |has_positions| {
        let options = FitOptions {
            has_positions,
            ..options(1, 2, 4)
        };
        let fit = Fit::new(&words, previous(5), options).expect("fits");
        fit.rows().to_vec()
    };
    let is_same = |rows: &[f32], one: usize, other: usize| {
        rows[one * D_MODEL..][..D_MODEL] == rows[other * D_MODEL..][..D_MODEL]
    };
    let plain = rows(false);
    assert!(is_same(&plain, 0, 2) && is_same(&plain, 1, 4) && !is_same(&plain, 0, 3));
    let placed = rows(true);
    assert!(!is_same(&placed, 0, 2) && !is_same(&placed, 1, 4));
    let length: f32 = plain[..D_MODEL].iter().map(|x| x * x).sum();
    assert!((0.7..1.3).contains(&length), "{length}");
}

#[test]
fn groups_are_words_that_every_row_wants_alike() {
    let blocks = looking_at(7, |row| (0..7).filter(|key| key / 3 == row / 3).collect());
    assert_eq!([blocks.most_groups(), blocks.count_groups()], [1, 3]);
    assert!(!blocks.is_one_to_one());
    assert_eq!(
        [previous(7).most_groups(), previous(7).count_groups()],
        [1, 6]
    );
    assert!(previous(7).is_one_to_one() && any_order(9, 3).is_one_to_one());
    let both = looking_at(5, |row| if row == 1 { vec![0, 2, 4] } else { vec![0] });
    assert_eq!([both.most_groups(), both.count_groups()], [2, 2]);
    let all_at_one = looking_at(5, |_| vec![3]);
    assert!(!all_at_one.is_one_to_one());
    assert_eq!(
        [all_at_one.most_groups(), all_at_one.count_groups()],
        [1, 1]
    );
}

#[test]
fn on_a_line_only_the_ends_are_free() {
    assert_eq!(
        [least_on_a_line(0), least_on_a_line(1), least_on_a_line(2)],
        [0.0; 3]
    );
    // Of five keys the middle one has two on its nearer side, its neighbours one.
    let wanted = (2.0 * 2.0_f64.ln() + 3.0_f64.ln()) / 5.0;
    assert!((least_on_a_line(5) - wanted).abs() < 1e-12);
}

#[test]
fn what_equal_words_cost_is_the_distance_to_the_mean_of_what_they_want() {
    // Places 0 and 2 hold one word; rows 0 and 2 want 1 and 3, which a mean of the two halves.
    let words = [0, 1, 0, 2, 3];
    let target = looking_at(5, |row| match row {
        0 => vec![1],
        2 => vec![3],
        _ => vec![],
    });
    assert!((target.least_for_equal_words(&words) - 2.0_f64.ln()).abs() < 1e-6);
    assert_eq!(target.least_for_equal_words(&different(5)), 0.0);
    // A row that wants one of two equal keys gives each a half.
    let one_of_two = looking_at(5, |row| if row == 4 { vec![2] } else { vec![] });
    assert!((one_of_two.least_for_equal_words(&words) - 2.0_f64.ln()).abs() < 1e-6);
    // One that wants both loses nothing.
    let both = looking_at(5, |row| if row == 4 { vec![0, 2] } else { vec![] });
    assert!(both.least_for_equal_words(&words) < 1e-6);
}

#[test]
fn equal_words_need_positions() {
    let words = [0, 1, 2, 3, 0, 4, 5];
    let least = previous(7).least_for_equal_words(&words);
    assert!(least > 0.1, "{least}");
    for seed in 1..=3 {
        let with = |has_positions| FitOptions {
            has_positions,
            ..options(1, 4, seed)
        };
        let mut fit = Fit::new(&words, previous(7), with(false)).expect("fits");
        (0..300).for_each(|_| fit.step().expect("finite"));
        let rows: Vec<&[f32]> = fit.weights().chunks(7).collect();
        assert_eq!(rows[0], rows[4], "rows of equal words");
        assert!(rows.iter().all(|row| row[0] == row[4]), "equal keys");
        let without = remaining(&words, previous(7), with(false));
        assert!(
            without > least - 1e-6 && without < least + 0.02,
            "{without} {least}"
        );
        let placed = remaining(&words, previous(7), with(true));
        assert!(placed < 0.01, "{placed}");
    }
}
