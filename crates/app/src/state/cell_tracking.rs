//! The chosen cell follows its words while the texts are edited.

wasm_chunks::chunk!("more");

use super::request_builder::{self, Sides};
use super::steps::{self, Axis};
use super::{Action, Field, State, presets};

/// Words that the selected cell refers to, before an action that may edit them.
pub(super) fn words_before(state: &State, action: &Action) -> Option<Sides> {
    let is_edit = matches!(action.field(), Some(Field::Text | Field::Second));
    let has_own_cell = match action {
        Action::Preset(_) => true,
        Action::Cross(is_on) => *is_on && presets::pair_for(state).is_some(),
        _ => false,
    };
    (is_edit && !has_own_cell && state.cell.is_some()).then(|| request_builder::tokens(state))
}

/// Moves the chosen cell to where its words stand now: the row goes where it is lost, and the column alone where only that is.
pub(super) fn move_cell(state: &mut State, before: &Sides) {
    let after = request_builder::tokens(state);
    let is_mixed = state.linformer;
    let [rows, columns] = steps::shown(state).axes();
    let moved = |axis: Axis, at: usize| match axis {
        Axis::N | Axis::Positions => place(&before.queries.words, &after.queries.words, at),
        Axis::Keys if is_mixed => Some(at),
        Axis::M | Axis::Keys => place(&before.keys().words, &after.keys().words, at),
        _ => Some(at),
    };
    state.cell = state.cell.and_then(|mut cell| {
        cell.query = moved(rows, cell.query)?;
        cell.key = cell.key.and_then(|key| moved(columns, key));
        Some(cell)
    });
}

/// Where the token at `at` has come to; `None` where the text is another one, in which it does not occur.
///
/// The common prefix and suffix of both texts stay. Between them, the nearest token with the same
/// spelling is the same token. An edited token keeps its position, unless more than half of the
/// text was replaced with it.
fn place(before: &[String], after: &[String], at: usize) -> Option<usize> {
    let alike = |(one, other): &(&String, &String)| one == other;
    let start = before.iter().zip(after).take_while(alike).count();
    let ends = before[start..]
        .iter()
        .rev()
        .zip(after[start..].iter().rev());
    let end = ends.take_while(alike).count();
    let (gone, come) = (before.len() - start - end, after.len() - start - end);
    if at < start {
        return Some(at);
    }
    if at >= start + gone {
        return Some(at + after.len() - before.len());
    }
    let same = (start..start + come).filter(|place| after[*place] == before[at]);
    let edited = || {
        let is_edit = 2 * gone <= before.len() && !after.is_empty();
        is_edit.then(|| at.min((start + come).saturating_sub(1)))
    };
    same.min_by_key(|place| place.abs_diff(at)).or_else(edited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Cell, Value, reduce, url};

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_word_is_followed_wherever_the_text_is_edited() {
        let goes = |before: &str, at, after: &str| place(&words(before), &words(after), at);
        let cases = [
            ("a b it c", 2, "x a b it c", Some(3)),
            ("a b it c", 2, "a it c", Some(1)),
            ("a b it c", 2, "a b it c d", Some(2)),
            // Around it everything is new, and it may come before what it followed.
            ("a b it c", 2, "x it y z", Some(1)),
            ("a b it c", 2, "it c a b", Some(0)),
            // It is edited itself, becomes two words, or goes.
            ("a b it c", 2, "a b its c", Some(2)),
            ("a b it c", 2, "a b x it c", Some(3)),
            ("a b it c", 2, "a b c", Some(1)),
            // Another text.
            ("a b it c", 2, "x y z", None),
            ("a b it c", 2, "a x", None),
            ("it", 0, "", None),
        ];
        for (before, at, after, expected) in cases {
            assert_eq!(goes(before, at, after), expected, "{before} → {after}");
        }
    }

    fn edited(link: &str, field: Field, text: &str) -> Option<Cell> {
        let (state, notes) = url::parse(link);
        assert_eq!(notes, []);
        let (state, notices) = reduce(state, Action::Set(field, Value::Text(text.to_owned())));
        assert_eq!((notices, state.check_all()), (vec![], Ok(())));
        state.cell
    }

    #[test]
    fn row_and_column_follow_their_own_texts() {
        let cell = |query, key| Some(Cell { query, key });
        let own = |link, text| edited(link, Field::Text, text);
        assert_eq!(own("text=a+b&cell=2,1", "x a b"), cell(2, Some(1)));
        assert_eq!(own("text=a+b+c+d&cell=2,1", "y b c d"), cell(1, Some(0)));
        let two = "text=a+b&source=c+d&cell=2,1";
        assert_eq!(own(two, "x a b"), cell(2, Some(0)));
        assert_eq!(edited(two, Field::Second, "x y c d"), cell(1, Some(2)));
        assert_eq!(edited(two, Field::Second, "x y"), cell(1, None));
        // A component of an embedding is no word.
        assert_eq!(
            own("text=a+b&step=input&cell=2,1", "x a b"),
            cell(2, Some(0))
        );
        assert_eq!(own("text=a+b&step=k&cell=2,1", "x a b"), cell(2, Some(0)));
        assert_eq!(
            own("text=a+b&linformer=1&cell=2,4", "x a b"),
            cell(2, Some(3))
        );
    }

    #[test]
    fn it_stays_chosen_when_something_is_written_in_front() {
        let text = format!("Yesterday {}", State::default().text);
        let cell = edited("", Field::Text, &text);
        assert_eq!(cell.map(|cell| cell.query), Some(8));
    }
}
