//! The order of runs: they share one thread in slices, so that none waits for another to end.

use std::collections::VecDeque;

/// A lane of a page's own runs. In each lane only the newest run matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// What the map shows.
    Main,
    /// The comparison's B: it runs only while every main lane is empty.
    Side,
}

/// A lane of one of the pages that share an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLane {
    /// The page's number.
    pub page: u32,
    /// Its lane.
    pub lane: Lane,
}

/// Runs that take turns, first come first served.
///
/// A page has one run in each [`Lane`]; a new one replaces the one before it, and none of another page. Pages together get
/// every other turn, however many runs of callers wait, and go round among themselves.
#[derive(Debug)]
pub struct RunQueue<T> {
    pages: VecDeque<Entry<T>>,
    waiting: VecDeque<Entry<T>>,
    was_page: bool,
}

/// A run, and the number by which its caller knows it.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry<T> {
    /// The caller's number.
    pub id: u32,
    /// The lane that it is in, where a page is its caller.
    pub track: Option<PageLane>,
    /// The run.
    pub run: T,
}

impl<T> Default for RunQueue<T> {
    fn default() -> Self {
        Self {
            pages: VecDeque::new(),
            waiting: VecDeque::new(),
            was_page: false,
        }
    }
}

impl<T> RunQueue<T> {
    /// Adds a run, or puts one back that is not finished; returns the one of its lane that it replaces.
    pub fn add(&mut self, entry: Entry<T>) -> Option<Entry<T>> {
        let Some(track) = entry.track else {
            self.waiting.push_back(entry);
            return None;
        };
        let replaced = self.take_from(track);
        self.pages.push_back(entry);
        replaced
    }

    /// Takes out the run whose turn it is.
    pub fn take(&mut self) -> Option<Entry<T>> {
        let take_page = !self.pages.is_empty() && (self.waiting.is_empty() || !self.was_page);
        self.was_page = take_page;
        if !take_page {
            return self.waiting.pop_front();
        }
        let is_main = |entry: &Entry<T>| entry.track.is_some_and(|track| track.lane == Lane::Main);
        let main = self.pages.iter().position(is_main);
        self.pages.remove(main.unwrap_or(0))
    }

    /// Takes out the run in a lane, whosever turn it is.
    pub fn take_from(&mut self, track: PageLane) -> Option<Entry<T>> {
        let is_there = |entry: &Entry<T>| entry.track == Some(track);
        let at = self.pages.iter().position(is_there)?;
        self.pages.remove(at)
    }

    /// Drops the run that its caller knows as `id`.
    pub fn cancel(&mut self, id: u32) {
        for runs in [&mut self.pages, &mut self.waiting] {
            runs.retain(|entry| entry.id != id);
        }
    }

    /// Whether nothing is left to do.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Option<PageLane> = None;
    const MAIN: Option<PageLane> = track(7, Lane::Main);
    const SIDE: Option<PageLane> = track(7, Lane::Side);

    const fn track(page: u32, lane: Lane) -> Option<PageLane> {
        Some(PageLane { page, lane })
    }

    fn entry(id: u32, track: Option<PageLane>) -> Entry<()> {
        Entry { id, track, run: () }
    }

    fn take_from(turns: &mut RunQueue<()>, track: Option<PageLane>) -> Option<Entry<()>> {
        track.and_then(|track| turns.take_from(track))
    }

    /// The order of turns, where each run needs as many as its number says in `slices`.
    fn order(turns: &mut RunQueue<()>, mut slices: [usize; 4]) -> Vec<u32> {
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
        let mut turns = RunQueue::default();
        for id in 0..3 {
            turns.add(entry(id, CALL));
        }
        assert_eq!(order(&mut turns, [4, 1, 2, 0]), [0, 1, 2, 0, 2, 0, 0]);
        assert!(turns.is_empty());
    }

    #[test]
    fn the_page_gets_every_other_turn() {
        for track in [MAIN, SIDE] {
            let mut turns = RunQueue::default();
            turns.add(entry(0, CALL));
            turns.add(entry(1, CALL));
            turns.add(entry(3, track));
            assert_eq!(order(&mut turns, [2, 1, 0, 3]), [3, 0, 3, 1, 3, 0]);
        }
    }

    #[test]
    fn the_side_waits_for_the_main_lane_alone() {
        let mut turns = RunQueue::default();
        turns.add(entry(2, SIDE));
        turns.add(entry(0, CALL));
        turns.add(entry(1, MAIN));
        assert_eq!(order(&mut turns, [3, 2, 2, 0]), [1, 0, 1, 0, 2, 0, 2]);
        assert!(turns.is_empty());
    }

    #[test]
    fn a_main_run_that_comes_later_overtakes_the_side_and_leaves_it_where_it_was() {
        let mut turns = RunQueue::default();
        turns.add(entry(2, SIDE));
        let begun = turns.take().expect("one run");
        turns.add(begun);
        assert_eq!(turns.add(entry(1, MAIN)), None);
        assert_eq!(order(&mut turns, [0, 3, 2, 0]), [1, 1, 1, 2, 2]);
    }

    #[test]
    fn the_newest_run_of_a_lane_replaces_the_one_before_and_no_other() {
        let mut turns = RunQueue::default();
        assert_eq!(turns.add(entry(0, MAIN)), None);
        assert_eq!(turns.add(entry(2, SIDE)), None);
        assert_eq!(turns.add(entry(1, MAIN)), Some(entry(0, MAIN)));
        assert_eq!(turns.add(entry(3, SIDE)), Some(entry(2, SIDE)));
        assert_eq!(order(&mut turns, [0, 1, 0, 1]), [1, 3]);
    }

    #[test]
    fn a_lane_can_be_emptied_out_of_turn() {
        let mut turns = RunQueue::default();
        turns.add(entry(0, CALL));
        assert_eq!(take_from(&mut turns, MAIN), None);
        turns.add(entry(1, MAIN));
        turns.add(entry(2, SIDE));
        assert_eq!(take_from(&mut turns, MAIN), Some(entry(1, MAIN)));
        assert_eq!(take_from(&mut turns, SIDE), Some(entry(2, SIDE)));
        assert_eq!(order(&mut turns, [1, 0, 0, 0]), [0]);
    }

    #[test]
    fn a_cancelled_run_is_gone() {
        let mut turns = RunQueue::default();
        turns.add(entry(0, CALL));
        turns.add(entry(1, MAIN));
        turns.add(entry(2, CALL));
        turns.add(entry(3, SIDE));
        for id in [0, 1, 3, 7] {
            turns.cancel(id);
        }
        assert_eq!(order(&mut turns, [0, 0, 1, 0]), [2]);
    }

    #[test]
    fn pages_go_round_and_none_replaces_the_run_of_another() {
        let mut turns = RunQueue::default();
        for page in 0..3 {
            assert_eq!(turns.add(entry(page, track(page, Lane::Main))), None);
        }
        assert_eq!(order(&mut turns, [3, 1, 2, 0]), [0, 1, 2, 0, 2, 0]);
    }

    #[test]
    fn the_side_of_one_page_waits_for_the_main_lane_of_another() {
        let mut turns = RunQueue::default();
        turns.add(entry(0, track(1, Lane::Side)));
        turns.add(entry(1, track(2, Lane::Main)));
        assert_eq!(order(&mut turns, [2, 2, 0, 0]), [1, 1, 0, 0]);
    }
}
