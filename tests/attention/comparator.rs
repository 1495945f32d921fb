//! The comparator must fail where it should: a wrong shape, a NaN, a truncation, a swap.

use crate::common::compare::check_close;
use ndarray::{Array2, arr2};

fn matrix() -> Array2<f32> {
    arr2(&[[0.25, 0.5, 0.75], [1.0, -2.0, 3.0]])
}

#[test]
fn equal_arrays_are_close() {
    assert_eq!(
        check_close("x", &matrix(), &matrix().mapv(f64::from), 0.0),
        Ok(())
    );
}

#[test]
fn a_difference_is_named_with_its_place() {
    let mut other = matrix();
    other[[1, 2]] += 0.5;
    other[[0, 0]] += 0.25;
    let message = check_close("x", &other, &matrix(), 0.1).unwrap_err();
    assert!(
        message.contains("[1, 2]") || message.contains("(1, 2)"),
        "{message}"
    );
    assert!(message.contains("3.5"), "{message}");
}

#[test]
fn nan_fails_on_either_side_at_any_tolerance() {
    let mut other = matrix();
    other[[0, 1]] = f32::NAN;
    assert!(check_close("x", &other, &matrix(), 1e30).is_err());
    assert!(check_close("x", &matrix(), &other, 1e30).is_err());
}

#[test]
fn shapes_come_first() {
    let truncated = matrix().slice(ndarray::s![..1, ..]).to_owned();
    assert!(
        check_close("x", &truncated, &matrix(), 1e30)
            .unwrap_err()
            .contains("shape")
    );
    assert!(check_close("x", &matrix().reversed_axes(), &matrix(), 1e30).is_err());
    let empty = Array2::<f32>::zeros((0, 3));
    assert!(check_close("x", &empty, &matrix(), 1e30).is_err());
}
