//! Rotary positions and ALiBi.

use attention::{CallOptions, Mask, Position, reference};
use ndarray::{Array1, Array3, Array4, Axis, array, s};

use super::{alibi, one_head, positioned, scores, weights};
use crate::common::cases::Numbers;
use crate::common::compare::assert_close;
use crate::common::place::Place;

/// The same row at every position.
fn repeated(row: &Array1<f32>, rows: usize) -> Array3<f32> {
    Array3::from_shape_fn((1, rows, row.len()), |(_, _, c)| row[c])
}

#[test]
fn rotary_scores_of_equal_rows_depend_on_their_distance_alone() {
    for width in [1, 2, 3, 8, 13] {
        let mut numbers = Numbers::new(width as u64);
        let (q, k) = (numbers.vector(width), numbers.vector(width));
        let request = one_head(
            repeated(&q, 9),
            repeated(&k, 11),
            Position::ROTARY,
            CallOptions::default(),
        );
        let exact = reference::compute(&request).scores.expect("kept");
        let shifted = |scores: &Array4<f64>| scores.slice(s![.., .., 1.., 1..]).to_owned();
        let unshifted = exact.slice(s![.., .., ..-1, ..-1]);
        assert_close("reference", &shifted(&exact), &unshifted, 1e-13);
        for place in Place::all() {
            let found = scores(place, &request).mapv(f64::from);
            let what = format!("{place:?}, width {width}");
            assert_close(&what, &shifted(&found), &unshifted, 10.0 * place.alike());
        }
        let is_constant = (exact[[0, 0, 0, 0]] - exact[[0, 0, 0, 5]]).abs() < 1e-13;
        assert_eq!(is_constant, width == 1, "a single column is left alone");
    }
}

/// Moving all tokens by the same number of places changes no score.
#[test]
fn rotary_scores_do_not_change_when_all_rows_move() {
    let mut numbers = Numbers::new(5);
    let (q, k) = (numbers.rows(2, 6, 7), numbers.rows(2, 8, 7));
    let moved = |rows: &Array3<f32>, by: usize| {
        let before = Array3::from_elem((2, by, 7), 0.5);
        ndarray::concatenate(Axis(1), &[before.view(), rows.view()]).expect("as wide")
    };
    let request = |by| {
        one_head(
            moved(&q, by),
            moved(&k, by),
            Position::ROTARY,
            CallOptions::default(),
        )
    };
    for by in [1, 40] {
        for place in Place::all() {
            let far = scores(place, &request(by));
            let near = scores(place, &request(0));
            let what = format!("{place:?}, {by} places");
            assert_close(
                &what,
                &far.slice(s![.., .., by.., by..]),
                &near,
                30.0 * place.alike(),
            );
        }
    }
}

#[test]
fn rotary_positions_leave_lengths_and_the_first_row() {
    let [plain, turned] = [Position::None, Position::ROTARY]
        .map(|position| positioned(position).request(CallOptions::default()));
    for place in Place::all() {
        let (plain, turned) = (place.compute(&plain).trace, place.compute(&turned).trace);
        assert_eq!(turned.v, plain.v);
        for (turned, plain) in [(turned.q, plain.q), (turned.k, plain.k)] {
            let (turned, plain) = (turned.expect("wanted"), plain.expect("wanted"));
            let first = |rows: &Array4<f32>| rows.index_axis(Axis(2), 0).to_owned();
            assert_eq!(first(&turned), first(&plain));
            // An odd last column is left alone, too.
            let last = |rows: &Array4<f32>| rows.index_axis(Axis(3), 4).to_owned();
            assert_eq!(last(&turned), last(&plain));
            assert_ne!(turned, plain);
            let lengths = |rows: &Array4<f32>| (rows * rows).sum_axis(Axis(3));
            assert_close(
                &format!("{place:?}"),
                &lengths(&turned),
                &lengths(&plain),
                30.0 * place.alike(),
            );
        }
    }
}

/// By hand: a unit vector turned by `i` radians; the second of two pairs turns a hundredth as fast.
#[test]
fn rotary_positions_turn_by_known_angles() {
    let unit = array![1.0, 0.0, 0.0, 2.0];
    let request = one_head(
        repeated(&unit, 4),
        repeated(&unit, 6),
        Position::ROTARY,
        CallOptions::default(),
    );
    let exact = reference::compute(&request);
    let (q, scores) = (exact.q.expect("kept"), exact.scores.expect("kept"));
    let cos_1 = 0.540_302_305_868_139_8;
    let sin_1 = 0.841_470_984_807_896_5;
    let (sin_hundredth, cos_hundredth) = (0.009_999_833_334_166_664, 0.999_950_000_416_665_3);
    let wanted = array![cos_1, sin_1, -2.0 * sin_hundredth, 2.0 * cos_hundredth];
    assert_close("q", &q.slice(s![0, 0, 1, ..]), &wanted, 1e-15);
    // cos 1 + 4 cos 0.01, at a distance of one in either direction.
    for (i, j) in [(0, 1), (1, 0), (3, 4)] {
        let wanted = cos_1 + 4.0 * cos_hundredth;
        assert!((scores[[0, 0, i, j]] - wanted).abs() < 1e-14);
    }
}

#[test]
fn alibi_of_no_strength_is_plain() {
    for mask in [Mask::Full, Mask::Causal] {
        let call = || CallOptions {
            mask: mask.clone(),
            ..CallOptions::default()
        };
        let plain = positioned(Position::None).request(call());
        let none = positioned(alibi(0.0)).request(call());
        for place in Place::all() {
            assert_close(
                &format!("{place:?}"),
                &weights(place, &none),
                &weights(place, &plain),
                place.alike(),
            );
        }
    }
}

/// Two heads have slopes 1/16 and 1/256 (Press et al. 2022, §3). With queries of zero nothing else is left.
#[test]
fn alibi_takes_known_numbers_off() {
    let zeros = |rows| Array3::zeros((2, rows, 3));
    for strength in [1.0, -2.5] {
        let request = one_head(zeros(4), zeros(6), alibi(strength), CallOptions::default());
        let wanted = Array4::from_shape_fn((1, 2, 4, 6), |(_, head, i, j)| {
            let slope = [1.0 / 16.0, 1.0 / 256.0][head];
            -f64::from(strength) * slope * i.abs_diff(j) as f64
        });
        let exact = reference::compute(&request);
        assert_close("reference", &exact.scores.expect("kept"), &wanted, 0.0);
        for place in Place::all() {
            assert_close("scores", &scores(place, &request), &wanted, place.alike());
        }
        let weights = exact.weights.expect("kept");
        let ratio = weights[[0, 0, 2, 5]] / weights[[0, 0, 2, 2]];
        assert!((ratio.ln() + f64::from(strength) * 3.0 / 16.0).abs() < 1e-14);
    }
}
