//! Decides what is written to the address, and when: one history entry for each user action, however many steps it took.
//!
//! During a drag or while typing the entry is rewritten, with a pause between two writes: browsers refuse or delay pages that write
//! their address more often than about three times a second. A frame shares its host's history and adds no entries. It knows neither
//! clock nor browser: the end of a pause is reported.

/// Whether a change is one step of several, or done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// More of the same follows: a slider that is still held, a text that is still typed.
    Input,
    /// A person is done with it.
    Commit,
}

/// Where in the history a change goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryMode {
    /// A new entry: back undoes it.
    Push,
    /// The present entry: too small a change to go back to.
    Replace,
}

/// Whose address it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// The page's own.
    Own,
    /// That of a frame, whose entries are the host's.
    Framed,
    /// There is none.
    Absent,
}

/// Writes to the address, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Add an entry with this fragment.
    Push(String),
    /// Give the present entry this fragment.
    Replace(String),
    /// Report the end of a pause that begins now.
    Pause,
}

/// Written fragments, and those still to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressHistory {
    address: Address,
    /// The fragment of the last change, in our own spelling.
    said: String,
    /// The address as the browser spells it.
    stands: String,
    pending: Option<String>,
    /// The newest entry belongs to a change that is not done.
    is_open: bool,
    is_paused: bool,
}

impl AddressHistory {
    /// `stands` is the fragment that the address has at the start.
    pub fn new(address: Address, stands: String) -> Self {
        Self {
            address,
            said: String::new(),
            stands,
            pending: None,
            is_open: false,
            is_paused: false,
        }
    }

    /// The state has this `fragment` from now on.
    #[must_use = "the address has to be written"]
    pub fn on_change(&mut self, fragment: &str, change: Change, mode: HistoryMode) -> Vec<Write> {
        let mut writes = Vec::new();
        let is_same = self.said == fragment;
        fragment.clone_into(&mut self.said);
        if !is_same && self.address != Address::Absent {
            if mode == HistoryMode::Push && self.address == Address::Own && !self.is_open {
                self.is_open = true;
                // What waits belongs to the entry that is left.
                writes.extend(self.rewrite());
                writes.push(Write::Push(fragment.to_owned()));
            } else {
                self.pending = Some(fragment.to_owned());
                if !self.is_paused {
                    self.is_paused = true;
                    writes.push(Write::Pause);
                }
            }
        }
        if change == Change::Commit {
            writes.extend(self.rewrite());
            self.is_open = false;
        }
        writes
    }

    /// The pause is over.
    #[must_use = "the address may have to be written"]
    pub fn on_pause_end(&mut self) -> Option<Write> {
        self.is_paused = false;
        self.rewrite()
    }

    /// The window refused the pause: the next change tries again.
    pub fn on_pause_refused(&mut self) {
        self.is_paused = false;
    }

    /// The address was written, and is `now` this.
    pub fn on_written(&mut self, now: String) {
        self.stands = now;
    }

    /// Whether something else has written the address, which is `now` this; from then on it counts as known, and what was to be
    /// written is dropped.
    pub fn is_foreign(&mut self, now: String) -> bool {
        if self.stands == now {
            return false;
        }
        self.pending = None;
        self.is_open = false;
        self.said.clear();
        self.stands = now;
        true
    }

    /// Whether something waits for the end of a pause.
    pub fn has_pending(&self) -> bool {
        self.pending.is_some()
    }

    fn rewrite(&mut self) -> Option<Write> {
        self.pending.take().map(Write::Replace)
    }
}

#[cfg(test)]
mod tests {
    use super::Change::{Commit, Input};
    use super::HistoryMode::{Push, Replace};
    use super::*;
    use proptest::prelude::*;

    const PAUSE: u32 = 400;

    /// A window with a history, whose clock the test moves.
    struct Window {
        history: AddressHistory,
        entries: Vec<String>,
        now: u32,
        pause_ends: Option<u32>,
        /// When the present entry was rewritten for a change that goes on.
        rewritten: Vec<u32>,
    }

    impl Window {
        fn new(address: Address) -> Self {
            Self {
                history: AddressHistory::new(address, "start".to_owned()),
                entries: vec!["start".to_owned()],
                now: 0,
                pause_ends: None,
                rewritten: Vec::new(),
            }
        }

        fn change(&mut self, fragment: &str, change: Change, mode: HistoryMode) {
            for write in self.history.on_change(fragment, change, mode) {
                self.write(write);
            }
        }

        fn write(&mut self, write: Write) {
            let fragment = match write {
                Write::Pause => {
                    assert!(self.pause_ends.is_none(), "one pause at a time");
                    self.pause_ends = Some(self.now + PAUSE);
                    return;
                }
                Write::Push(fragment) => {
                    self.entries.push(fragment.clone());
                    fragment
                }
                Write::Replace(fragment) => {
                    *self.entries.last_mut().expect("an entry") = fragment.clone();
                    fragment
                }
            };
            self.history.on_written(fragment);
        }

        fn run_until(&mut self, end: u32) {
            while let Some(at) = self.pause_ends.filter(|at| *at <= end) {
                (self.now, self.pause_ends) = (at, None);
                if let Some(write) = self.history.on_pause_end() {
                    self.rewritten.push(at);
                    self.write(write);
                }
            }
            self.now = end;
        }
    }

    #[test]
    fn a_drag_is_one_entry_rewritten_after_pauses() {
        let mut window = Window::new(Address::Own);
        for step in 1..=10 {
            window.run_until(100 * step);
            window.change(&step.to_string(), Input, Push);
        }
        // The first step at once; the rest no more often than every pause.
        assert_eq!(window.rewritten, [600, 1000]);
        window.change("10", Commit, Push);
        assert_eq!(window.entries, ["start", "10"]);
        window.run_until(5000);
        assert_eq!(window.entries, ["start", "10"]);
    }

    #[test]
    fn every_action_that_is_done_has_its_entry() {
        let mut window = Window::new(Address::Own);
        for fragment in ["a", "b", "b", "c"] {
            window.change(fragment, Commit, Push);
        }
        assert_eq!(window.entries, ["start", "a", "b", "c"]);
        assert!(!window.history.has_pending());
    }

    #[test]
    fn what_waits_is_written_to_the_entry_that_is_left() {
        let mut window = Window::new(Address::Own);
        window.change("a", Commit, Push);
        window.change("a and a cell", Input, Replace);
        assert!(window.history.has_pending());
        window.change("b", Commit, Push);
        assert_eq!(window.entries, ["start", "a and a cell", "b"]);
        assert!(!window.history.has_pending());
        window.run_until(1000);
        assert_eq!(window.entries, ["start", "a and a cell", "b"]);
    }

    #[test]
    fn a_small_change_that_is_done_is_written_at_once() {
        let mut window = Window::new(Address::Own);
        window.change("cell", Commit, Replace);
        assert_eq!(window.entries, ["cell"]);
    }

    #[test]
    fn a_frame_adds_no_entries() {
        let mut window = Window::new(Address::Framed);
        window.change("a", Input, Push);
        assert_eq!(window.entries, ["start"]);
        window.run_until(PAUSE);
        assert_eq!(window.entries, ["a"]);
        window.change("b", Commit, Push);
        assert_eq!(window.entries, ["b"]);
    }

    #[test]
    fn without_an_address_nothing_is_written() {
        let mut window = Window::new(Address::Absent);
        for mode in [Push, Replace] {
            for change in [Input, Commit] {
                window.change("a", change, mode);
                window.change("b", change, mode);
            }
        }
        assert!(!window.history.has_pending() && window.pause_ends.is_none());
        assert_eq!(window.entries, ["start"]);
    }

    #[test]
    fn what_others_write_stays() {
        let mut window = Window::new(Address::Own);
        window.change("a", Input, Push);
        window.change("b", Input, Push);
        assert!(!window.history.is_foreign("a".to_owned()));
        assert!(window.history.is_foreign("theirs".to_owned()));
        assert!(!window.history.is_foreign("theirs".to_owned()));
        window.run_until(1000);
        assert_eq!(window.entries, ["start", "a"]);
        // Their entry is closed, and our last fragment is news again.
        window.change("b", Input, Push);
        assert_eq!(window.entries, ["start", "a", "b"]);
    }

    #[test]
    fn a_pause_that_is_refused_is_asked_for_again() {
        let mut history = AddressHistory::new(Address::Framed, String::new());
        assert_eq!(history.on_change("a", Input, Push), [Write::Pause]);
        assert_eq!(history.on_change("b", Input, Push), []);
        history.on_pause_refused();
        assert_eq!(history.on_change("c", Input, Push), [Write::Pause]);
        assert_eq!(history.on_pause_end(), Some(Write::Replace("c".to_owned())));
    }

    proptest! {
        /// Whatever is changed when: the address says the last change once a pause has passed, and a drag writes no more often
        /// than its pauses let it.
        #[test]
        fn the_last_change_stands_in_the_address(
            changes in proptest::collection::vec((0..300_u32, 0..5_u8, any::<bool>(), any::<bool>()), 1..40),
            is_own in any::<bool>(),
        ) {
            let mut window = Window::new(if is_own { Address::Own } else { Address::Framed });
            let mut last = String::new();
            for (gap, fragment, is_done, is_new) in changes {
                window.run_until(window.now + gap);
                last = fragment.to_string();
                let (change, mode) = (if is_done { Commit } else { Input }, if is_new { Push } else { Replace });
                window.change(&last, change, mode);
            }
            window.run_until(window.now + PAUSE);
            prop_assert_eq!(window.entries.last(), Some(&last));
            prop_assert!(!window.history.has_pending());
            prop_assert!(window.rewritten.windows(2).all(|pair| pair[1] - pair[0] >= PAUSE));
            prop_assert!(is_own || window.entries.len() == 1);
        }
    }
}
