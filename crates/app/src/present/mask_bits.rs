//! The mask of a run, cell by cell and row by row.

use crate::scene::heatmap::Hidden;
use crate::state::request_builder;
use crate::state::{Hiding, State};

/// Which cells a mask hides, and how many keys it leaves to each query.
pub struct MaskBits {
    /// Cells hatched on the map; none where hidden scores are overwritten or a mask is added, since all weights then
    /// take part.
    pub hidden: Hidden,
    /// Cells hidden by the mask, whichever hiding is chosen.
    pub masked: Hidden,
    visible: Vec<usize>,
    reachable: Vec<usize>,
}

impl MaskBits {
    /// The mask of `state` over so many queries and keys.
    pub fn new(state: &State, queries: usize, keys: usize) -> Self {
        let mask = request_builder::mask(state, keys);
        let is_masked = |query, key| !request_builder::is_visible(&mask, query, key);
        let masked = Hidden::new(queries, keys, is_masked);
        let visible = |query| {
            (0..keys)
                .filter(|&key| !masked.is_hidden(query, key))
                .count()
        };
        let visible: Vec<usize> = (0..queries).map(visible).collect();
        let hidden = match state.hiding {
            Hiding::LeftOut | Hiding::AfterSoftmax => masked.clone(),
            Hiding::Written | Hiding::Added => Hidden::none(queries, keys),
        };
        let reachable = |&visible: &usize| match state.hiding {
            Hiding::Added => keys,
            Hiding::Written if visible == 0 => keys,
            _ => visible,
        };
        Self {
            reachable: visible.iter().map(reachable).collect(),
            visible,
            hidden,
            masked,
        }
    }

    /// How many keys each query sees.
    pub fn visible(&self) -> &[usize] {
        &self.visible
    }

    /// To how many keys the weight of each query may go: those that it sees, and to all where a mask is added, or where the query sees
    /// none and hidden scores are overwritten.
    pub fn reachable(&self) -> &[usize] {
        &self.reachable
    }

    /// Whether the weight of a query may go to a key; `false` off the map.
    pub fn reaches(&self, query: usize, key: usize) -> bool {
        let count = |of: &[usize]| of.get(query).copied().unwrap_or(0);
        let is_open = count(&self.visible) < count(&self.reachable);
        is_open || !self.masked.is_hidden(query, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    fn bits(link: &str, queries: usize, keys: usize) -> MaskBits {
        MaskBits::new(&url::parse(link).0, queries, keys)
    }

    #[test]
    fn a_causal_mask_leaves_a_key_more_to_each_query() {
        let causal = bits("mask=causal", 3, 5);
        assert_eq!(causal.visible(), [1, 2, 3]);
        assert_eq!(causal.reachable(), causal.visible());
        assert!(causal.hidden.is_hidden(0, 1) && !causal.hidden.is_hidden(1, 1));
    }

    #[test]
    fn nothing_is_hatched_where_hidden_scores_are_overwritten() {
        let written = bits("mask=causal&hiding=written", 3, 3);
        assert!(!written.hidden.is_hidden(0, 2));
        assert!(written.masked.is_hidden(0, 2));
        assert_eq!(written.visible(), [1, 2, 3]);
    }

    /// A query that is painted over sees no key. Where a number is written over its scores they are all equal, and its weight
    /// goes to every key.
    #[test]
    fn a_row_that_sees_nothing_reaches_nothing_or_all() {
        let (mut state, _) = url::parse("text=a+b+c");
        for key in 0..3 {
            state.paint.set(1, key, Some(false));
        }
        let left_out = MaskBits::new(&state, 3, 3);
        assert_eq!(
            (left_out.visible(), left_out.reachable()),
            (&[3, 0, 3][..], &[3, 0, 3][..])
        );
        state.hiding = Hiding::Written;
        let written = MaskBits::new(&state, 3, 3);
        assert_eq!(
            (written.visible(), written.reachable()),
            (&[3, 0, 3][..], &[3, 3, 3][..])
        );
        for key in 0..3 {
            assert!(!left_out.reaches(1, key) && written.reaches(1, key));
            assert!(left_out.reaches(0, key) && written.reaches(0, key));
        }
    }

    #[test]
    fn a_map_without_rows_or_columns_has_no_cells() {
        assert_eq!(bits("mask=causal", 0, 0).visible(), [0; 0]);
        assert_eq!(bits("mask=causal", 2, 0).visible(), [0, 0]);
        assert_eq!(bits("", 0, 3).visible(), [0; 0]);
        assert_eq!(bits("mask=causal", 1, 1).reachable(), [1]);
    }
}
