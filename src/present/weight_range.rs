//! The ends between which the weights of a head lie, and the sums of its rows.

use super::mask_bits::MaskBits;

/// The smallest and the largest of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightRange {
    /// Of the cells that can have weight; `None` where none can.
    pub weights: Option<[f32; 2]>,
    /// Of the sums of rows; zeros where there are no rows.
    pub sums: [f64; 2],
}

impl WeightRange {
    /// Of the weights of a head with `keys` columns.
    pub fn new(weights: &[f32], keys: usize, mask: &MaskBits) -> Self {
        let rows = weights.chunks_exact(keys.max(1));
        let seen = rows.clone().enumerate().flat_map(|(query, row)| {
            let cells = row.iter().enumerate();
            cells.filter_map(move |(key, weight)| mask.reaches(query, key).then_some(*weight))
        });
        Self {
            weights: ends(seen, f32::min, f32::max),
            sums: ends(rows.map(total), f64::min, f64::max).unwrap_or_default(),
        }
    }
}

/// The sum of a row in 64 bits.
pub fn total(row: &[f32]) -> f64 {
    row.iter().map(|weight| f64::from(*weight)).sum()
}

fn ends<T: Copy>(
    mut numbers: impl Iterator<Item = T>,
    min: fn(T, T) -> T,
    max: fn(T, T) -> T,
) -> Option<[T; 2]> {
    let first = numbers.next()?;
    Some(numbers.fold([first; 2], |[least, most], number| {
        [min(least, number), max(most, number)]
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{State, url};

    #[test]
    fn hidden_weights_have_no_say_and_rows_are_summed_whole() {
        let causal = MaskBits::new(&url::parse("mask=causal").0, 2, 2);
        let range = WeightRange::new(&[1.0, 0.0, 0.25, 0.5], 2, &causal);
        assert_eq!(range.weights, Some([0.25, 1.0]));
        assert_eq!(range.sums, [0.75, 1.0]);
        let none = WeightRange::new(&[], 0, &MaskBits::new(&State::default(), 0, 0));
        assert_eq!((none.weights, none.sums), (None, [0.0; 2]));
    }
}
