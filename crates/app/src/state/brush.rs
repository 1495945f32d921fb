//! How a stroke over the map changes the painted cells.

use super::{Painting, State, request_builder};

/// Painting of `state` after making every cell on a line visible or hidden, ends included. A cell
/// that gets the value of the rules needs no paint.
pub(crate) fn painted(
    state: &State,
    from: (usize, usize),
    to: (usize, usize),
    is_visible: bool,
) -> Painting {
    let mask = request_builder::ruled(state, request_builder::lengths(state));
    let mut painting = state.paint.clone();
    for (query, key) in cells_between(from, to) {
        let is_rule = is_visible == request_builder::is_visible(&mask, query, key);
        painting.set(query, key, (!is_rule).then_some(is_visible));
    }
    painting
}

/// Cells between two, as many as along the longer side.
pub(crate) fn cells_between(
    from: (usize, usize),
    to: (usize, usize),
) -> impl Iterator<Item = (usize, usize)> {
    let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1));
    let between = move |from: usize, to: usize, at: usize| match steps {
        0 => from,
        _ => (from * (steps - at) + to * at + steps / 2) / steps,
    };
    (0..=steps).map(move |at| (between(from.0, to.0, at), between(from.1, to.1, at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Field, reduce};

    fn stroke(state: State, from: (usize, usize), to: (usize, usize), is_visible: bool) -> State {
        let action = Action::Paint {
            from,
            to,
            is_visible,
        };
        let (state, notices) = reduce(state, action);
        assert_eq!((notices, state.check_all()), (vec![], Ok(())));
        state
    }

    #[test]
    fn a_line_leaves_no_gap_and_ends_where_it_ends() {
        let cells = |from, to| cells_between(from, to).collect::<Vec<_>>();
        assert_eq!(cells((2, 3), (2, 3)), [(2, 3)]);
        assert_eq!(
            cells((0, 4), (2, 0)),
            [(0, 4), (1, 3), (1, 2), (2, 1), (2, 0)]
        );
    }

    #[test]
    fn what_the_rule_says_anyway_needs_no_paint() {
        let causal = Action::Include(Field::Masks, "causal", true);
        let (state, _) = reduce(State::default(), causal);
        let state = stroke(state, (1, 0), (1, 3), true);
        let painted: Vec<_> = state.paint.iter().collect();
        assert_eq!(painted, [(1, 2..4, true)]);
        let state = stroke(state, (1, 0), (1, 3), false);
        let painted: Vec<_> = state.paint.iter().collect();
        assert_eq!(painted, [(1, 0..2, false)]);
        let state = stroke(state, (1, 0), (1, 1), true);
        assert!(state.paint.is_empty());
    }

    #[test]
    fn painted_cells_are_what_the_mask_says() {
        let state = stroke(State::default(), (7, 1), (7, 2), false);
        let mask = request_builder::mask(&state, 11);
        for key in 0..11 {
            assert_eq!(
                request_builder::is_visible(&mask, 7, key),
                key != 1 && key != 2
            );
        }
        let far = stroke(State::default(), (900, 0), (900, 0), false);
        assert!(request_builder::mask(&far, 11).is_full());
    }
}
