//! Undo history: the states before each step of the user.
//!
//! A step is what the browser's own Back takes back as well: a drag is one, and a chosen cell is none but goes with the step before it.
//! Only a text that is typed for long has several. Whoever goes back by the address ([`UndoHistory::visit`]) is where undoing would
//! have led, so both can be mixed. It knows no clock: times are given.

use super::external_settings::laid_out_as;
use super::reduce::clamp_dependents;
use super::setting::ValueKind;
use super::{Field, State, locks};

/// The most steps that can be undone.
const MOST: usize = 100;

/// After so many milliseconds without a key a text that is typed on is another step.
const PAUSE_MS: f64 = 1000.0;

/// Undo and redo stacks.
#[derive(Clone, Debug, Default)]
pub struct UndoHistory {
    /// The newest last.
    past: Vec<State>,
    /// Undone states; the next one to redo comes last.
    future: Vec<State>,
    /// The step in progress: its field, and when it was last changed.
    open: Option<(Option<Field>, f64)>,
}

impl UndoHistory {
    /// Whether there is a step to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is a step to do again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// An action about `field` has made `after` of `before` at `now`; unless it `is_done`, more of the same may follow. Returns whether
    /// a step has begun or ended: only then can something else be undone.
    pub fn record(
        &mut self,
        (before, after): (&State, &State),
        field: Option<Field>,
        is_done: bool,
        now: f64,
    ) -> bool {
        let is_change = !is_same_step(before, after);
        let is_begun = is_change && !self.goes_on(field, now);
        if is_begun {
            self.push(before.clone());
        }
        if is_change {
            self.open = Some((field, now));
        }
        if is_done {
            self.open = None;
        }
        is_begun || is_done
    }

    /// Returns the state before the last step; `now` can be redone.
    pub fn undo(&mut self, now: &State) -> Option<State> {
        let state = self.past.pop()?;
        self.future.push(now.clone());
        self.open = None;
        Some(allowed(state, now))
    }

    /// The state that was undone last.
    pub fn redo(&mut self, now: &State) -> Option<State> {
        let state = self.future.pop()?;
        self.past.push(now.clone());
        self.open = None;
        Some(allowed(state, now))
    }

    /// The address has led from `before` to `after`: to a state that is known, or by a new step.
    pub fn visit(&mut self, before: &State, after: &State) {
        self.open = None;
        if is_same_step(before, after) {
            return;
        }
        let is_there = |state: &State| is_same_step(state, after);
        if let Some(at) = self.past.iter().rposition(is_there) {
            self.future.push(before.clone());
            self.future.extend(self.past.drain(at..).skip(1).rev());
        } else if let Some(at) = self.future.iter().rposition(is_there) {
            self.past.push(before.clone());
            self.past.extend(self.future.drain(at..).skip(1).rev());
        } else {
            self.push(before.clone());
        }
    }

    /// Whether a change at `now` belongs to the step before it.
    fn goes_on(&self, field: Option<Field>, now: f64) -> bool {
        let is_text = field
            .is_some_and(|field| matches!(field.kind(), ValueKind::Text | ValueKind::OptionalText));
        self.open
            .is_some_and(|(of, last)| of == field && (!is_text || now - last <= PAUSE_MS))
    }

    fn push(&mut self, before: State) {
        self.future.clear();
        self.past.push(before);
        let surplus = self.past.len().saturating_sub(MOST);
        self.past.drain(..surplus);
    }
}

/// Whether two states differ in the chosen cell at most.
fn is_same_step(one: &State, other: &State) -> bool {
    let mut looked = one.clone();
    looked.cell = other.cell;
    looked == *other
}

/// A state of before as far as it may be gone back to: what is locked now and what a host or a link alone decides stays.
fn allowed(state: State, now: &State) -> State {
    let mut state = laid_out_as(state, now);
    let heads = (state.heads, state.kv_heads);
    let _ = locks::restore_locked(now, &mut state);
    let _ = clamp_dependents(&mut state, heads);
    state
}

/// End of the part of `after` that differs from `before`, in UTF-16 units as browsers count.
pub fn end_of_change(before: &str, after: &str) -> u32 {
    let alike = before.chars().rev().zip(after.chars().rev());
    let same = alike.take_while(|(one, other)| one == other);
    let end: usize = same.map(|(c, _)| c.len_utf16()).sum();
    (after.encode_utf16().count() - end) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Value, reduce, url};
    use proptest::prelude::*;

    /// A page whose clock the test moves.
    struct Page {
        state: State,
        undo: UndoHistory,
        now: f64,
    }

    impl Page {
        fn new() -> Self {
            Self {
                state: State::default(),
                undo: UndoHistory::default(),
                now: 0.0,
            }
        }

        /// Returns whether a step has begun or ended.
        fn does(&mut self, action: Action, is_done: bool, later: f64) -> bool {
            self.now += later;
            let field = action.field();
            let (after, _) = reduce(self.state.clone(), action);
            let change = (&self.state, &after);
            let is_news = self.undo.record(change, field, is_done, self.now);
            self.state = after;
            is_news
        }

        fn sets(&mut self, field: Field, number: u32, is_done: bool) {
            self.does(Action::Set(field, Value::Number(number)), is_done, 100.0);
        }

        fn types(&mut self, text: &str, later: f64) {
            let text = Value::Text(text.to_owned());
            self.does(Action::Set(Field::Text, text), false, later);
        }

        fn undo(&mut self) -> bool {
            let state = self.undo.undo(&self.state);
            let is_done = state.is_some();
            self.state = state.unwrap_or_else(|| self.state.clone());
            is_done
        }

        fn redo(&mut self) -> bool {
            let state = self.undo.redo(&self.state);
            let is_done = state.is_some();
            self.state = state.unwrap_or_else(|| self.state.clone());
            is_done
        }

        fn goes(&mut self, fragment: &str) {
            let (state, _) = url::parse(fragment);
            self.undo.visit(&self.state, &state);
            self.state = state;
        }
    }

    #[test]
    fn a_drag_is_one_step_however_long_it_takes() {
        let mut page = Page::new();
        let drag = [8, 4, 2]
            .map(|d_k| page.does(Action::Set(Field::DK, Value::Number(d_k)), false, 5000.0));
        assert_eq!(drag, [true, false, false]);
        page.sets(Field::DK, 2, true);
        page.sets(Field::DK, 32, true);
        assert!(page.undo() && page.state.d_k == 2);
        assert!(page.undo() && page.state == State::default());
        assert!(!page.undo() && page.redo() && page.state.d_k == 2);
        assert!(page.redo() && page.state.d_k == 32 && !page.redo());
    }

    #[test]
    fn typing_is_a_step_until_it_pauses() {
        let mut page = Page::new();
        for (text, later) in [
            ("a", 0.0),
            ("a b", 900.0),
            ("a b c", 900.0),
            ("a b", 1100.0),
        ] {
            page.types(text, later);
        }
        assert!(page.undo());
        assert_eq!(page.state.text, "a b c");
        assert!(page.undo() && page.state == State::default() && !page.undo());
    }

    #[test]
    fn a_change_forgets_what_was_undone_and_a_chosen_cell_does_not() {
        let mut page = Page::new();
        page.sets(Field::DK, 8, true);
        assert!(page.undo());
        let down = Action::Move {
            rows: 1,
            columns: 0,
        };
        page.does(down, true, 10.0);
        assert!(!page.undo.can_undo() && page.undo.can_redo());
        page.sets(Field::DModel, 8, true);
        assert!(page.undo.can_undo() && !page.undo.can_redo());
        assert!(page.undo());
        assert_eq!(page.state.cell.map(|cell| cell.query), Some(8));
    }

    #[test]
    fn back_and_forward_are_undone_and_done_again() {
        let mut page = Page::new();
        page.sets(Field::DK, 8, true);
        page.sets(Field::DK, 4, true);
        page.goes("v=1&d_k=8");
        assert!(page.redo() && page.state.d_k == 4);
        page.goes("v=1");
        assert!(!page.undo.can_undo());
        page.goes("v=1&d_k=4");
        assert!(page.undo() && page.state.d_k == 8 && page.undo());
        page.goes("v=1&seed=7");
        assert!(!page.undo.can_redo() && page.undo() && page.state == State::default());
    }

    #[test]
    fn what_is_locked_by_now_stays() {
        let mut page = Page::new();
        page.sets(Field::DK, 8, true);
        page.sets(Field::DModel, 8, true);
        page.state.lock = [crate::state::Part::DK].into_iter().collect();
        assert!(page.undo() && page.undo());
        assert_eq!((page.state.d_k, page.state.d_model), (8, 64));
        assert!(!page.state.lock.is_empty());
    }

    #[test]
    fn the_caret_stands_after_what_has_changed() {
        assert_eq!(end_of_change("one two three", "one three"), 3);
        assert_eq!(end_of_change("a😀b", "a😀😀b"), 3);
        assert_eq!(end_of_change("a", "a b"), 3);
        assert_eq!(end_of_change("", ""), 0);
    }

    #[test]
    fn the_oldest_steps_are_forgotten() {
        let mut page = Page::new();
        for seed in 0..MOST as u32 + 5 {
            page.sets(Field::Seed, seed, true);
        }
        let count = std::iter::from_fn(|| page.undo().then_some(())).count();
        assert_eq!((count, page.state.seed), (MOST, 4));
    }

    proptest! {
        /// Whatever is done: undoing all of it and doing it again leads through the same states.
        #[test]
        fn undo_and_redo_are_each_others_inverse(
            steps in proptest::collection::vec((0..3_usize, 4..20_u32, any::<bool>(), 0..2000_u32), 1..30),
        ) {
            let mut page = Page::new();
            for (field, number, is_done, later) in steps {
                let field = [Field::DK, Field::DModel, Field::Seed][field];
                page.does(Action::Set(field, Value::Number(number)), is_done, later.into());
            }
            let end = page.state.clone();
            let mut passed = vec![end];
            while page.undo() {
                passed.push(page.state.clone());
            }
            prop_assert_eq!(&page.state, &State::default());
            for state in passed.iter().rev().skip(1) {
                prop_assert!(page.redo());
                prop_assert_eq!(&page.state, state);
            }
            prop_assert!(!page.redo());
        }
    }
}
