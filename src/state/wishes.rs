//! What a person has chosen and is not there for the moment, to be chosen again when it is.

use super::{Field, State};

/// The head that is wished for while there are not so many.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    head: Option<usize>,
}

impl Wishes {
    /// An action about `field` made `after` of `before`: chooses what is wished for, as far as it is there again.
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
        let mut wishes = Wishes::default();
        let done = actions.iter().fold(state, |before, (field, number)| {
            let action = Action::Set(*field, Value::Number(*number));
            let (mut state, notices) = reduce(before.clone(), action);
            assert_eq!(notices, [], "{field:?}");
            wishes.follow(&before, &mut state, Some(*field));
            state
        });
        assert_eq!(done.check_all(), Ok(()));
        done.head
    }

    #[test]
    fn the_wished_head_comes_back_with_the_heads() {
        let heads = |count| (Field::Heads, count);
        assert_eq!(after(&[heads(1), heads(4)]), 2);
        assert_eq!(after(&[heads(2), heads(1), heads(2), heads(3)]), 2);
        assert_eq!(after(&[heads(1), (Field::DK, 8), heads(4)]), 2);
        assert_eq!(after(&[heads(2), (Field::Head, 1), heads(4)]), 0);
    }
}
