//! Compares the same run on two backends: the largest difference and where it is.

use ndarray::Array4;

use super::probe::WEIGHTS_ALLOWED;

/// Error bound of weights on the CPU.
const CPU_ALLOWED: f64 = 1e-5;

/// The largest difference of two arrays of weights, and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// How large.
    pub difference: f64,
    /// How large it may be: what both backends promise together.
    pub allowed: f64,
    /// Head, query and key of that weight.
    pub at: [usize; 3],
    /// Both values of that number.
    pub values: [f32; 2],
}

impl Default for Difference {
    /// Of nothing from nothing.
    fn default() -> Self {
        Self {
            difference: 0.0,
            allowed: WEIGHTS_ALLOWED + CPU_ALLOWED,
            at: [0; 3],
            values: [0.0; 2],
        }
    }
}

/// Compares weights `[batch, heads, n, keys]`; `None` where there are none, or not as many.
pub fn differ(one: &Array4<f32>, other: &Array4<f32>) -> Option<Difference> {
    let (_, heads, n, keys) = one.dim();
    if one.shape() != other.shape() {
        return None;
    }
    let cells = one.as_slice()?.iter().zip(other.as_slice()?).enumerate();
    let cells = cells.map(|(cell, (one, other))| Difference {
        difference: (f64::from(*one) - f64::from(*other)).abs(),
        at: [cell / keys / n % heads, cell / keys % n, cell % keys],
        values: [*one, *other],
        ..Difference::default()
    });
    cells.reduce(|most, next| {
        // A difference that is no number is the largest there can be.
        if next.difference > most.difference || next.difference.is_nan() {
            next
        } else {
            most
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_difference_is_found_with_its_place() {
        let one = Array4::from_shape_fn((1, 2, 3, 4), |(_, h, i, j)| (h * 12 + i * 4 + j) as f32);
        let mut other = one.clone();
        other[[0, 1, 0, 3]] += 0.25;
        other[[0, 1, 2, 1]] -= 0.5;
        other[[0, 0, 2, 1]] += 0.125;
        let found = differ(&one, &other).expect("as many");
        assert_eq!((found.difference, found.at), (0.5, [1, 2, 1]));
        assert_eq!(found.values, [21.0, 20.5]);
        other[[0, 0, 0, 1]] = f32::NAN;
        assert!(differ(&one, &other).expect("as many").difference.is_nan());
    }

    #[test]
    fn equal_weights_differ_by_nothing_and_none_not_at_all() {
        let one = Array4::from_elem((1, 1, 1, 2), 0.5);
        assert_eq!(differ(&one, &one).expect("as many").difference, 0.0);
        assert_eq!(differ(&one, &Array4::zeros((1, 1, 2, 1))), None);
        assert_eq!(
            differ(&Array4::zeros((1, 0, 0, 0)), &Array4::zeros((1, 0, 0, 0))),
            None
        );
    }
}
