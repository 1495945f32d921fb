//! The head that the user has chosen: kept while there are fewer heads, and chosen again once it
//! exists.

use super::{Field, State};

/// The chosen head while the number of heads is too small for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PreferredHead {
    head: Option<usize>,
}

impl PreferredHead {
    /// An action about `field` made `after` of `before`: chooses the preferred head again as soon as there are enough heads.
    pub fn follow(&mut self, before: &State, after: &mut State, field: Option<Field>) {
        let is_chosen_anew = matches!(field, None | Some(Field::Head | Field::Text | Field::Data));
        if is_chosen_anew {
            self.head = None;
        } else if after.head < before.head && after.heads <= before.head {
            self.head = self.head.or(Some(before.head));
        }
        if let Some(head) = self.head.take_if(|head| *head < after.heads) {
            after.head = head;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Value, reduce, url};

    fn after(actions: &[(Field, u32)]) -> usize {
        let (state, _) = url::parse("head=3");
        let mut preferred = PreferredHead::default();
        let done = actions.iter().fold(state, |before, (field, number)| {
            let action = Action::Set(*field, Value::Number(*number));
            let (mut state, notices) = reduce(before.clone(), action);
            assert_eq!(notices, [], "{field:?}");
            preferred.follow(&before, &mut state, Some(*field));
            state
        });
        assert_eq!(done.check_all(), Ok(()));
        done.head
    }

    #[test]
    fn the_preferred_head_comes_back_with_the_heads() {
        let heads = |count| (Field::Heads, count);
        assert_eq!(after(&[heads(1), heads(4)]), 2);
        assert_eq!(after(&[heads(2), heads(1), heads(2), heads(3)]), 2);
        assert_eq!(after(&[heads(1), (Field::DK, 8), heads(4)]), 2);
        assert_eq!(after(&[heads(2), (Field::Head, 1), heads(4)]), 0);
    }
}
