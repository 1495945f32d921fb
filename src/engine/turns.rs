//! Whose turn it is: runs share one thread in slices, so that none waits for the end of another.

use std::collections::VecDeque;

/// Runs that take turns, first come first served.
///
/// One of them may be urgent: it gets every other turn, however many runs wait. A new urgent run replaces the one
/// before it, because only the newest is of use to whoever is dragging a slider.
#[derive(Debug)]
pub struct Turns<T> {
    urgent: Option<Entry<T>>,
    waiting: VecDeque<Entry<T>>,
    was_urgent: bool,
}

/// A run, and the number by which its caller knows it.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry<T> {
    /// The caller's number.
    pub id: u32,
    /// Whether it gets every other turn.
    pub is_urgent: bool,
    /// The run.
    pub run: T,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self {
            urgent: None,
            waiting: VecDeque::new(),
            was_urgent: false,
        }
    }
}

impl<T> Turns<T> {
    /// Adds a run, or puts one back that is not finished; returns the urgent one that it replaces.
    pub fn add(&mut self, entry: Entry<T>) -> Option<Entry<T>> {
        if entry.is_urgent {
            return self.urgent.replace(entry);
        }
        self.waiting.push_back(entry);
        None
    }

    /// Takes out the run whose turn it is.
    pub fn take(&mut self) -> Option<Entry<T>> {
        let take_urgent = self.urgent.is_some() && (self.waiting.is_empty() || !self.was_urgent);
        self.was_urgent = take_urgent;
        if take_urgent {
            self.urgent.take()
        } else {
            self.waiting.pop_front()
        }
    }

    /// Takes out the urgent run, whosever turn it is.
    pub fn take_urgent(&mut self) -> Option<Entry<T>> {
        self.urgent.take()
    }

    /// Drops the run that its caller knows as `id`.
    pub fn cancel(&mut self, id: u32) {
        self.urgent.take_if(|entry| entry.id == id);
        self.waiting.retain(|entry| entry.id != id);
    }

    /// Whether nothing is left to do.
    pub fn is_empty(&self) -> bool {
        self.urgent.is_none() && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: u32, is_urgent: bool) -> Entry<()> {
        Entry {
            id,
            is_urgent,
            run: (),
        }
    }

    /// The order of turns, where each run needs as many as its number says in `slices`.
    fn order(turns: &mut Turns<()>, mut slices: [usize; 4]) -> Vec<u32> {
        let mut order = Vec::new();
        while let Some(entry) = turns.take() {
            order.push(entry.id);
            slices[entry.id as usize] -= 1;
            if slices[entry.id as usize] > 0 {
                turns.add(entry);
            }
        }
        order
    }

    #[test]
    fn a_long_run_does_not_hold_up_the_others() {
        let mut turns = Turns::default();
        for id in 0..3 {
            turns.add(entry(id, false));
        }
        assert_eq!(order(&mut turns, [4, 1, 2, 0]), [0, 1, 2, 0, 2, 0, 0]);
        assert!(turns.is_empty());
    }

    #[test]
    fn an_urgent_run_gets_every_other_turn() {
        let mut turns = Turns::default();
        turns.add(entry(0, false));
        turns.add(entry(1, false));
        turns.add(entry(3, true));
        assert_eq!(order(&mut turns, [2, 1, 0, 3]), [3, 0, 3, 1, 3, 0]);
    }

    #[test]
    fn the_newest_urgent_run_replaces_the_one_before() {
        let mut turns = Turns::default();
        assert_eq!(turns.add(entry(0, true)), None);
        assert_eq!(turns.add(entry(1, true)), Some(entry(0, true)));
        assert_eq!(order(&mut turns, [0, 1, 0, 0]), [1]);
    }

    #[test]
    fn the_urgent_run_can_be_taken_out_of_turn() {
        let mut turns = Turns::default();
        turns.add(entry(0, false));
        assert_eq!(turns.take_urgent(), None);
        turns.add(entry(1, true));
        assert_eq!(turns.take_urgent(), Some(entry(1, true)));
        assert_eq!(order(&mut turns, [1, 0, 0, 0]), [0]);
    }

    #[test]
    fn a_cancelled_run_is_gone() {
        let mut turns = Turns::default();
        turns.add(entry(0, false));
        turns.add(entry(1, true));
        turns.add(entry(2, false));
        turns.cancel(0);
        turns.cancel(1);
        turns.cancel(3);
        assert_eq!(order(&mut turns, [0, 0, 1, 0]), [2]);
    }
}
