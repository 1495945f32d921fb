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
    let mut worst = (0, 0.0);
    for (place, (a, b)) in found.iter().zip(wanted).enumerate() {
        let distance = distance((*a).into(), (*b).into());
        if distance > worst.1 {
            worst = (place, distance);
        }
    }
    let (place, distance) = worst;
    if distance <= tolerance {
        return Ok(());
    }
    // Its index is asked for only here: these tests are not optimised, and to name each place takes longer than to compare.
    let (at, a) = found.indexed_iter().nth(place).expect("compared above");
    let b = wanted.iter().nth(place).expect("of the same shape");
    let (a, b): (f64, f64) = ((*a).into(), (*b).into());
    Err(format!(
        "{what}: at {at:?} found {a}, wanted {b}; they differ by {distance:e}, more than {tolerance:e}"
    ))
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
    let mut largest = f64::MIN_POSITIVE;
    for value in values {
        largest = largest.max((*value).into().abs());
    }
    largest
}
