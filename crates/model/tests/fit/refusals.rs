//! Rejected inputs, by field and rule.

use attention::{Code, Error};
use model::fit::{D_MODEL, Fit, Target};

use crate::targets::{different, options, reverse};

fn refused<T>(result: Result<T, Error>) -> (Code, String) {
    match result {
        Ok(_) => panic!("it was taken"),
        Err(error) => (error.code, error.field),
    }
}

#[test]
fn a_target_is_square_finite_and_of_shares() {
    let refused = |length, weights: &[f32]| refused(Target::new(length, weights.to_vec())).0;
    assert_eq!(refused(0, &[]), Code::ShapeMismatch);
    assert_eq!(refused(2, &[1.0, 0.0, 0.0]), Code::ShapeMismatch);
    assert_eq!(refused(usize::MAX, &[1.0]), Code::ShapeMismatch);
    for odd in [f32::NAN, f32::INFINITY] {
        assert_eq!(refused(2, &[1.0, 0.0, odd, 0.0]), Code::NotFinite);
    }
    assert_eq!(refused(2, &[1.5, -0.5, 1.0, 0.0]), Code::UnknownOption);
    assert_eq!(refused(2, &[0.5, 0.4, 1.0, 0.0]), Code::UnknownOption);
    assert!(Target::new(2, vec![0.5, 0.5, 0.0, 0.0]).is_ok());
    assert!(Target::from_cells(3, &[true; 8]).is_err());
}

#[test]
fn a_fit_takes_as_many_words_as_rows_and_sizes_within_limits() {
    let refused = |words: &[usize], n, heads, d_k| {
        refused(Fit::new(words, reverse(n), options(heads, d_k, 1)))
    };
    let named = |code, field: &str| (code, field.to_owned());
    let mismatch = Code::ShapeMismatch;
    assert_eq!(refused(&different(4), 5, 1, 1), named(mismatch, "words"));
    assert_eq!(refused(&different(5), 5, 0, 1), named(mismatch, "heads"));
    assert_eq!(refused(&different(5), 5, 17, 1), named(mismatch, "heads"));
    assert_eq!(refused(&different(5), 5, 1, 0), named(mismatch, "d_k"));
    assert_eq!(refused(&different(5), 5, 1, 65), named(mismatch, "d_k"));
    let many = D_MODEL + 1;
    assert_eq!(
        refused(&different(many), many, 1, 1),
        named(Code::TooLarge, "words")
    );
}
