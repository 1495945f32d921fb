//! The order of runs: they share one thread in slices, so that none waits for another to end, and start as far as there is memory.

use std::collections::VecDeque;

/// Bytes that running calls may take together: half a gibibyte. A single one may take more.
pub const BUDGET: u64 = 512 << 20;

/// How often a call may be overtaken by smaller ones before it is next.
const MOST_OVERTAKEN: u32 = 32;

/// A lane of a page's own runs. In each lane only the newest run matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Runs for the map.
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

/// Runs that take turns.
///
/// A page has one run in each [`Lane`]; a new one replaces the one before it, and none of another page. Pages together get
/// every other turn, however many runs of callers wait, and go round among themselves.
///
/// Calls start while the running ones take no more than [`BUDGET`]; the others wait. Every other
/// turn of the calls goes to one that has not started, the smallest first, so that a short call
/// waits for two slices and not for one of each running call.
#[derive(Debug)]
pub struct RunQueue<T> {
    pages: VecDeque<Entry<T>>,
    /// Calls that have had a turn.
    started: VecDeque<Entry<T>>,
    waiting: VecDeque<Entry<T>>,
    /// How often the first of those that wait was overtaken.
    overtaken: u32,
    was_page: bool,
    was_new: bool,
}

/// A run, and the number by which its caller knows it.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry<T> {
    /// The caller's number.
    pub id: u32,
    /// The lane that it is in, where a page is its caller.
    pub track: Option<PageLane>,
    /// Memory that it takes once it has started.
    pub bytes: u64,
    /// Whether it has had a turn.
    pub is_started: bool,
    /// The run.
    pub run: T,
}

impl<T> Entry<T> {
    /// A run that has not started.
    pub const fn new(id: u32, track: Option<PageLane>, bytes: u64, run: T) -> Self {
        Self {
            id,
            track,
            bytes,
            is_started: false,
            run,
        }
    }

    /// Marks the run to start only while no other call is running: it ran out of memory.
    #[must_use]
    pub fn alone(self) -> Self {
        Self {
            bytes: u64::MAX,
            is_started: false,
            ..self
        }
    }
}

impl<T> Default for RunQueue<T> {
    fn default() -> Self {
        Self {
            pages: VecDeque::new(),
            started: VecDeque::new(),
            waiting: VecDeque::new(),
            overtaken: 0,
            was_page: false,
            was_new: false,
        }
    }
}

impl<T> RunQueue<T> {
    /// Adds a run, or puts one back that is not finished; returns the one of its lane that it replaces.
    pub fn add(&mut self, entry: Entry<T>) -> Option<Entry<T>> {
        let Some(track) = entry.track else {
            let calls = if entry.is_started {
                &mut self.started
            } else {
                &mut self.waiting
            };
            calls.push_back(entry);
            return None;
        };
        let replaced = self.take_from(track);
        self.pages.push_back(entry);
        replaced
    }

    /// Takes out the run whose turn is next.
    pub fn take(&mut self) -> Option<Entry<T>> {
        let take_page = !self.pages.is_empty() && (self.has_no_call() || !self.was_page);
        self.was_page = take_page;
        let taken = if take_page {
            self.take_page()
        } else {
            self.take_call()
        };
        taken.map(|entry| Entry {
            is_started: true,
            ..entry
        })
    }

    fn take_page(&mut self) -> Option<Entry<T>> {
        let is_main = |entry: &Entry<T>| entry.track.is_some_and(|track| track.lane == Lane::Main);
        let main = self.pages.iter().position(is_main);
        self.pages.remove(main.unwrap_or(0))
    }

    /// Alternates between a running call and a new one.
    fn take_call(&mut self) -> Option<Entry<T>> {
        let is_due = self.started.is_empty() || !self.was_new;
        let new = if is_due { self.next_new() } else { None };
        self.was_new = new.is_some();
        match new {
            Some(place) => {
                self.overtaken = if place == 0 { 0 } else { self.overtaken + 1 };
                self.waiting.remove(place)
            }
            None => self.started.pop_front(),
        }
    }

    /// The place of the smallest call that there is memory for, the first of several; the first call of all once enough others
    /// have overtaken it.
    fn next_new(&self) -> Option<usize> {
        let taken = self.started_bytes();
        let fits = |entry: &Entry<T>| {
            self.started.is_empty() || taken.saturating_add(entry.bytes) <= BUDGET
        };
        let most = if self.overtaken < MOST_OVERTAKEN {
            self.waiting.len()
        } else {
            1
        };
        let new = self.waiting.iter().take(most).enumerate();
        let smallest = new
            .filter(|(_, entry)| fits(entry))
            .min_by_key(|(_, entry)| entry.bytes);
        smallest.map(|(place, _)| place)
    }

    /// Takes out the run in a lane, whosever turn it is.
    pub fn take_from(&mut self, track: PageLane) -> Option<Entry<T>> {
        let is_there = |entry: &Entry<T>| entry.track == Some(track);
        let at = self.pages.iter().position(is_there)?;
        self.pages.remove(at)
    }

    /// Drops the run that its caller knows as `id`.
    pub fn cancel(&mut self, id: u32) {
        if self.waiting.front().is_some_and(|entry| entry.id == id) {
            self.overtaken = 0;
        }
        for runs in [&mut self.pages, &mut self.started, &mut self.waiting] {
            runs.retain(|entry| entry.id != id);
        }
    }

    /// Whether nothing is left to do.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.has_no_call()
    }

    /// Whether a call is running.
    pub fn has_started(&self) -> bool {
        !self.started.is_empty()
    }

    /// All runs, running or waiting.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<T>> {
        [&self.pages, &self.started, &self.waiting]
            .into_iter()
            .flatten()
    }

    fn started_bytes(&self) -> u64 {
        let started = self.started.iter().map(|entry| entry.bytes);
        started.fold(0, u64::saturating_add)
    }

    fn has_no_call(&self) -> bool {
        self.started.is_empty() && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests;
