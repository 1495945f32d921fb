//! Masks that show what they should hide.

use ndarray::{Array4, ArrayView2, Axis};

/// How a mask looks inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Inverted {
    /// Each query sees exactly its future: the complement of a causal mask, aligned at the start or at the end.
    FutureAlone,
    /// As many queries as keys, and none sees its own.
    OwnHidden,
}

/// Whether every map of `cells`, `[batch, heads, n, m]` with `true` = visible, shows what a mask should hide. Masks of fewer than two queries or
/// keys, and those that show nothing, look like nothing.
pub fn looks_inverted(cells: &Array4<bool>) -> Option<Inverted> {
    let (_, _, n, m) = cells.dim();
    if n < 2 || m < 2 || !cells.iter().any(|seen| *seen) {
        return None;
    }
    let every = |is: &dyn Fn(ArrayView2<'_, bool>) -> bool| {
        let mut batches = cells.axis_iter(Axis(0));
        batches.all(|heads| heads.axis_iter(Axis(0)).all(is))
    };
    let shows_future = |map: ArrayView2<'_, bool>, queries: usize, keys: usize| {
        let mut cells = map.indexed_iter();
        cells.all(|((query, key), seen)| *seen == (key + queries > query + keys))
    };
    if every(&|map| shows_future(map, 0, 0)) || every(&|map| shows_future(map, n, m)) {
        return Some(Inverted::FutureAlone);
    }
    let hides_own = |map: ArrayView2<'_, bool>| map.diag().iter().all(|seen| !seen);
    (n == m && every(&hides_own)).then_some(Inverted::OwnHidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(n: usize, m: usize, shows: impl Fn(usize, usize) -> bool) -> Array4<bool> {
        Array4::from_shape_fn((2, 3, n, m), |(_, _, i, j)| shows(i, j))
    }

    #[test]
    fn the_complement_of_causal_is_seen_in_both_alignments() {
        let future = Some(Inverted::FutureAlone);
        assert_eq!(looks_inverted(&cells(5, 5, |i, j| j > i)), future);
        assert_eq!(looks_inverted(&cells(2, 5, |i, j| j > i)), future);
        assert_eq!(looks_inverted(&cells(2, 5, |i, j| j > i + 3)), future);
        assert_eq!(looks_inverted(&cells(5, 2, |i, j| j > i)), future);
        assert_eq!(looks_inverted(&cells(5, 2, |i, j| j + 3 > i)), future);
    }

    #[test]
    fn a_hidden_diagonal_is_seen_where_it_means_something() {
        let own = Some(Inverted::OwnHidden);
        assert_eq!(looks_inverted(&cells(4, 4, |i, j| j < i)), own);
        assert_eq!(looks_inverted(&cells(3, 4, |i, j| j != i)), None);
        assert_eq!(looks_inverted(&cells(4, 4, |_, _| false)), None);
        assert_eq!(looks_inverted(&cells(1, 4, |_, j| j > 0)), None);
        assert_eq!(looks_inverted(&cells(5, 5, |_, j| j >= 3)), None);
    }

    #[test]
    fn one_map_that_is_in_order_is_enough() {
        let one = Array4::from_shape_fn(
            (2, 2, 3, 3),
            |(b, h, i, j)| {
                if b + h == 2 { j <= i } else { j > i }
            },
        );
        assert_eq!(looks_inverted(&one), None);
    }
}
