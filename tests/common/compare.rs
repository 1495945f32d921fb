//! The one comparator: shape first, NaN fails, the worst place is printed.

use ndarray::{ArrayBase, Data, Dimension};

/// Fails unless `found` and `wanted` have the same shape and differ by at most `tolerance` everywhere.
pub(crate) fn check_close<A, B, D>(
    what: &str,
    found: &ArrayBase<A, D>,
    wanted: &ArrayBase<B, D>,
    tolerance: f64,
) -> Result<(), String>
where
    A: Data,
    A::Elem: Copy + Into<f64>,
    B: Data,
    B::Elem: Copy + Into<f64>,
    D: Dimension,
{
    if found.shape() != wanted.shape() {
        return Err(format!(
            "{what}: shape {:?}, wanted {:?}",
            found.shape(),
            wanted.shape()
        ));
    }
    let pairs = found.indexed_iter().zip(wanted.iter());
    let differences = pairs.map(|((at, a), b)| (at, (*a).into(), (*b).into()));
    let worst = differences
        .map(|(at, a, b): (_, f64, f64)| (at, a, b, distance(a, b)))
        .max_by(|x, y| x.3.total_cmp(&y.3));
    match worst {
        Some((at, a, b, distance)) if distance > tolerance => Err(format!(
            "{what}: at {at:?} found {a}, wanted {b}; they differ by {distance:e}, more than {tolerance:e}"
        )),
        _ => Ok(()),
    }
}

/// [`check_close`], failing the test.
#[track_caller]
pub(crate) fn assert_close<A, B, D>(
    what: &str,
    found: &ArrayBase<A, D>,
    wanted: &ArrayBase<B, D>,
    tolerance: f64,
) where
    A: Data,
    A::Elem: Copy + Into<f64>,
    B: Data,
    B::Elem: Copy + Into<f64>,
    D: Dimension,
{
    if let Err(difference) = check_close(what, found, wanted, tolerance) {
        panic!("{difference}");
    }
}

/// `|a − b|`, infinite where either is not a number.
fn distance(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::INFINITY
    } else {
        (a - b).abs()
    }
}

/// The largest magnitude, for tolerances relative to it; at least the smallest normal number.
pub(crate) fn largest<A, D>(values: &ArrayBase<A, D>) -> f64
where
    A: Data,
    A::Elem: Copy + Into<f64>,
    D: Dimension,
{
    values
        .iter()
        .map(|value| (*value).into().abs())
        .fold(f64::MIN_POSITIVE, f64::max)
}
