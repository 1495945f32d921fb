//! Whether the page selects head and row, as it does for every new text until the user or a host
//! has.

use super::{Field, State};

/// Who has selected head and row of the current text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoSelection {
    is_left_to_page: bool,
    is_by_person: bool,
    /// The text is another one since the page chose.
    is_due: bool,
}

impl AutoSelection {
    /// A state was opened or taken whole, in which the choice is left to the page or not.
    pub fn open(is_left_to_page: bool) -> Self {
        Self {
            is_left_to_page,
            is_by_person: false,
            is_due: is_left_to_page,
        }
    }

    /// Follows an action on `field`, which may select a cell itself, from `before` to `after`. A
    /// text without the selected word is a new one.
    pub fn follow(
        &mut self,
        before: &State,
        after: &State,
        (field, brings_cell): (Option<Field>, bool),
    ) {
        let is_new = (&before.text, &before.second) != (&after.text, &after.second);
        let is_lost = before.cell.is_some() && after.cell.is_none();
        match field {
            Some(Field::Head | Field::Cell) => {
                *self = Self {
                    is_by_person: true,
                    ..Self::default()
                }
            }
            // Numbers of one's own, and the way back from them, leave the place that is looked at.
            Some(Field::Data) => {}
            _ if !is_new => {}
            _ if brings_cell => *self = Self::open(after.cell.is_none()),
            _ if is_lost || (after.cell.is_none() && !self.is_by_person) => {
                *self = Self::open(true)
            }
            // It may still be typed: what is chosen in a part of it is not always what the whole is about.
            _ => self.is_due = self.is_left_to_page,
        }
    }

    /// Whether the page is to choose now, which it does once.
    pub fn take(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    /// Whether nobody else has chosen since the page was to choose.
    pub fn is_left_to_page(self) -> bool {
        self.is_left_to_page
    }

    /// Whether the page is to choose as soon as there are numbers.
    pub fn is_due(self) -> bool {
        self.is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Value, reduce};

    /// Applies actions one after the other, and returns after each whether the page is to select.
    fn due(actions: &[Action]) -> Vec<bool> {
        let (mut state, mut selection) = (State::default(), AutoSelection::default());
        let does = |action: &Action| {
            let (after, _) = reduce(state.clone(), action.clone());
            selection.follow(&state, &after, (action.field(), action.brings_cell()));
            state = after;
            selection.take()
        };
        actions.iter().map(does).collect()
    }

    fn text(text: &str) -> Action {
        Action::Set(Field::Text, Value::Text(text.to_owned()))
    }

    #[test]
    fn the_page_chooses_in_a_new_text_until_somebody_else_has() {
        let edit = text("Yesterday the animal was too tired because it ran");
        let head = Action::Set(Field::Head, Value::Number(2));
        let wide = Action::Set(Field::DK, Value::Number(8));
        assert_eq!(due(&[edit.clone(), wide.clone()]), [false; 2]);
        let typed = [
            text("A"),
            text("A new"),
            wide,
            text("A new text"),
            head,
            text("A new texts"),
        ];
        assert_eq!(due(&typed), [true, true, false, true, false, false]);
        assert_eq!(
            due(&[text("A"), Action::Preset("rose"), text("a rose")]),
            [true, false, false]
        );
    }
}
