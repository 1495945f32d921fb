//! Whose turn it is: runs share one thread in slices, so that none waits for the end of another.

use std::collections::VecDeque;

/// What the page runs for itself. In each lane only the newest run is of use to whoever is dragging a slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// What the map shows.
    Main,
    /// What stands beside it to be compared with: it has a turn only while nothing is in the main lane.
    Side,
}

/// Runs that take turns, first come first served.
///
/// The page has one run in each [`Lane`], and gets every other turn, however many runs of callers wait. A new run in a
/// lane replaces the one before it.
#[derive(Debug)]
pub struct Turns<T> {
    lanes: [Option<Entry<T>>; 2],
    waiting: VecDeque<Entry<T>>,
    was_lane: bool,
}

/// A run, and the number by which its caller knows it.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry<T> {
    /// The caller's number.
    pub id: u32,
    /// The lane that it is in, where the page is its caller.
    pub lane: Option<Lane>,
    /// The run.
    pub run: T,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self {
            lanes: [None, None],
            waiting: VecDeque::new(),
            was_lane: false,
        }
    }
}

impl<T> Turns<T> {
    /// Adds a run, or puts one back that is not finished; returns the one of its lane that it replaces.
    pub fn add(&mut self, entry: Entry<T>) -> Option<Entry<T>> {
        if let Some(lane) = entry.lane {
            return self.lanes[lane as usize].replace(entry);
        }
        self.waiting.push_back(entry);
        None
    }

    /// Takes out the run whose turn it is.
    pub fn take(&mut self) -> Option<Entry<T>> {
        let take_lane = !self.are_lanes_empty() && (self.waiting.is_empty() || !self.was_lane);
        self.was_lane = take_lane;
        if take_lane {
            self.lanes.iter_mut().find_map(Option::take)
        } else {
            self.waiting.pop_front()
        }
    }

    /// Takes out the run in a lane, whosever turn it is.
    pub fn take_from(&mut self, lane: Lane) -> Option<Entry<T>> {
        self.lanes[lane as usize].take()
    }

    /// Drops the run that its caller knows as `id`.
    pub fn cancel(&mut self, id: u32) {
        for lane in &mut self.lanes {
            lane.take_if(|entry| entry.id == id);
        }
        self.waiting.retain(|entry| entry.id != id);
    }

    /// Whether nothing is left to do.
    pub fn is_empty(&self) -> bool {
        self.are_lanes_empty() && self.waiting.is_empty()
    }

    fn are_lanes_empty(&self) -> bool {
        self.lanes.iter().all(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Option<Lane> = None;
    const MAIN: Option<Lane> = Some(Lane::Main);
    const SIDE: Option<Lane> = Some(Lane::Side);

    fn entry(id: u32, lane: Option<Lane>) -> Entry<()> {
        Entry { id, lane, run: () }
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
            turns.add(entry(id, CALL));
        }
        assert_eq!(order(&mut turns, [4, 1, 2, 0]), [0, 1, 2, 0, 2, 0, 0]);
        assert!(turns.is_empty());
    }

    #[test]
    fn the_page_gets_every_other_turn() {
        for lane in [MAIN, SIDE] {
            let mut turns = Turns::default();
            turns.add(entry(0, CALL));
            turns.add(entry(1, CALL));
            turns.add(entry(3, lane));
            assert_eq!(order(&mut turns, [2, 1, 0, 3]), [3, 0, 3, 1, 3, 0]);
        }
    }

    #[test]
    fn the_side_waits_for_the_main_lane_alone() {
        let mut turns = Turns::default();
        turns.add(entry(2, SIDE));
        turns.add(entry(0, CALL));
        turns.add(entry(1, MAIN));
        assert_eq!(order(&mut turns, [3, 2, 2, 0]), [1, 0, 1, 0, 2, 0, 2]);
        assert!(turns.is_empty());
    }

    #[test]
    fn a_main_run_that_comes_later_overtakes_the_side_and_leaves_it_where_it_was() {
        let mut turns = Turns::default();
        turns.add(entry(2, SIDE));
        let begun = turns.take().expect("one run");
        turns.add(begun);
        assert_eq!(turns.add(entry(1, MAIN)), None);
        assert_eq!(order(&mut turns, [0, 3, 2, 0]), [1, 1, 1, 2, 2]);
    }

    #[test]
    fn the_newest_run_of_a_lane_replaces_the_one_before_and_no_other() {
        let mut turns = Turns::default();
        assert_eq!(turns.add(entry(0, MAIN)), None);
        assert_eq!(turns.add(entry(2, SIDE)), None);
        assert_eq!(turns.add(entry(1, MAIN)), Some(entry(0, MAIN)));
        assert_eq!(turns.add(entry(3, SIDE)), Some(entry(2, SIDE)));
        assert_eq!(order(&mut turns, [0, 1, 0, 1]), [1, 3]);
    }

    #[test]
    fn a_lane_can_be_emptied_out_of_turn() {
        let mut turns = Turns::default();
        turns.add(entry(0, CALL));
        assert_eq!(turns.take_from(Lane::Main), None);
        turns.add(entry(1, MAIN));
        turns.add(entry(2, SIDE));
        assert_eq!(turns.take_from(Lane::Main), Some(entry(1, MAIN)));
        assert_eq!(turns.take_from(Lane::Side), Some(entry(2, SIDE)));
        assert_eq!(order(&mut turns, [1, 0, 0, 0]), [0]);
    }

    #[test]
    fn a_cancelled_run_is_gone() {
        let mut turns = Turns::default();
        turns.add(entry(0, CALL));
        turns.add(entry(1, MAIN));
        turns.add(entry(2, CALL));
        turns.add(entry(3, SIDE));
        for id in [0, 1, 3, 7] {
            turns.cancel(id);
        }
        assert_eq!(order(&mut turns, [0, 0, 1, 0]), [2]);
    }
}
