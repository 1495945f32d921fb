//! The queue of messages: how much is processed at once, and what waits.

use std::collections::VecDeque;

/// Limits the load by a host that sends many messages: handling them may take [`Inbox::SHARE`] of
/// the time, and of those that wait meanwhile the newest are kept. Times are milliseconds of any
/// clock.
#[derive(Debug)]
pub struct Inbox<T> {
    waiting: VecDeque<T>,
    since: f64,
    spent: f64,
    dropped: u32,
}

impl<T> Default for Inbox<T> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            since: f64::NEG_INFINITY,
            spent: 0.0,
            dropped: 0,
        }
    }
}

impl<T> Inbox<T> {
    /// The most that waits.
    pub const MOST: usize = 256;
    /// Window in which the time is measured, in milliseconds.
    pub const WINDOW: f64 = 100.0;
    /// How much of it may go into carrying out what others say.
    pub const SHARE: f64 = 0.4;

    /// Adds a message, and returns whether it is the only one: then it may be handled at once.
    /// Otherwise it waits for the turn already scheduled for the first, and the oldest is dropped
    /// if there are too many.
    #[must_use = "nobody else will carry out the first"]
    pub fn put(&mut self, message: T) -> bool {
        if self.waiting.len() >= Self::MOST {
            self.waiting.pop_front();
            self.dropped = self.dropped.saturating_add(1);
        }
        self.waiting.push_back(message);
        self.waiting.len() == 1
    }

    /// So many more were dropped before they came here.
    pub fn add_dropped(&mut self, count: u32) {
        self.dropped = self.dropped.saturating_add(count);
    }

    /// The next message that may be carried out at `now`, the oldest first; `None` where there is none, or none now.
    pub fn next(&mut self, now: f64) -> Option<T> {
        // A clock that runs backwards opens a new window too.
        if !(0.0..Self::WINDOW).contains(&(now - self.since)) {
            (self.since, self.spent) = (now, 0.0);
        }
        let is_open = self.spent < Self::WINDOW * Self::SHARE;
        if is_open {
            self.waiting.pop_front()
        } else {
            None
        }
    }

    /// Records the time that handling a message took.
    pub fn spend(&mut self, time: f64) {
        self.spent += time.max(0.0);
    }

    /// Whether something waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns the number of messages dropped since the last call.
    pub fn dropped(&mut self) -> u32 {
        std::mem::take(&mut self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept_and_the_oldest_come_first() {
        let mut inbox = Inbox::default();
        let first = (0..Inbox::<usize>::MOST + 3).filter(|message| inbox.put(*message));
        assert_eq!(first.collect::<Vec<_>>(), [0]);
        inbox.add_dropped(5);
        assert_eq!((inbox.dropped(), inbox.dropped()), (8, 0));
        assert_eq!((inbox.next(0.0), inbox.next(0.0)), (Some(3), Some(4)));
        inbox.add_dropped(u32::MAX);
        inbox.add_dropped(1);
        assert_eq!(inbox.dropped(), u32::MAX);
    }

    #[test]
    fn what_takes_too_long_waits_for_the_next_window_and_is_not_lost() {
        let mut inbox = Inbox::default();
        (0..4).for_each(|message| assert_eq!(inbox.put(message), message == 0));
        assert_eq!(inbox.next(1000.0), Some(0));
        inbox.spend(39.0);
        assert_eq!(inbox.next(1039.0), Some(1));
        inbox.spend(2.0);
        assert_eq!(inbox.next(1041.0), None);
        assert_eq!(inbox.next(1099.0), None);
        assert!(!inbox.is_empty());
        assert_eq!(inbox.next(1100.0), Some(2));
        inbox.spend(f64::NAN);
        assert_eq!(inbox.next(5.0), Some(3));
        assert!(inbox.is_empty());
    }

    /// Carries out what may be carried out at `clock`, each in `cost`; how many, and how many were dropped.
    fn work(inbox: &mut Inbox<usize>, clock: &mut f64, cost: f64) -> (u32, u32) {
        let mut done = 0;
        while inbox.next(*clock).is_some() {
            *clock += cost;
            inbox.spend(cost);
            done += 1;
        }
        (done, inbox.dropped())
    }

    #[test]
    fn a_flood_costs_its_share_and_is_answered_once_in_a_window() {
        const MESSAGES: usize = 100_000;
        let (came_in, cost) = (0.01, 0.1);
        let mut inbox = Inbox::default();
        let (mut clock, mut timer, mut turns) = (0.0, None, Vec::new());
        for message in 0..MESSAGES {
            clock += came_in;
            let is_due = timer.is_some_and(|at| clock >= at);
            if inbox.put(message) || is_due {
                turns.push(work(&mut inbox, &mut clock, cost));
                timer = (!inbox.is_empty()).then_some(clock + Inbox::<usize>::WINDOW);
            }
        }
        let [done, answers, dropped] = turns.iter().fold([0; 3], |[done, answers, all], turn| {
            [done + turn.0, answers + u32::from(turn.1 > 0), all + turn.1]
        });
        let windows = clock / Inbox::<usize>::WINDOW + 1.0;
        let share = Inbox::<usize>::WINDOW * Inbox::<usize>::SHARE + cost;
        assert!(
            f64::from(done) * cost <= windows * share,
            "{done} of {clock} ms"
        );
        assert!(f64::from(answers) <= windows, "{answers} answers");
        let waiting = MESSAGES as u32 - done - dropped - inbox.dropped();
        assert!(waiting <= Inbox::<usize>::MOST as u32, "{waiting} wait");
    }
}
