//! What another thread holds in a cache of the values that were used last, as far as one that sends it all its uses can know.

use std::collections::VecDeque;

/// Keys in a cache that keeps `ROOM` values.
#[derive(Debug)]
pub struct Known<K, const ROOM: usize> {
    /// The most recently used one last.
    keys: VecDeque<K>,
}

impl<K, const ROOM: usize> Default for Known<K, ROOM> {
    fn default() -> Self {
        Self {
            keys: VecDeque::new(),
        }
    }
}

impl<K: PartialEq, const ROOM: usize> Known<K, ROOM> {
    /// A value is about to be used there; whether it is there already.
    pub fn uses(&mut self, key: K) -> bool {
        let place = self.keys.iter().position(|own| *own == key);
        let is_there = place.and_then(|place| self.keys.remove(place)).is_some();
        self.keys.push_back(key);
        if self.keys.len() > ROOM {
            self.keys.pop_front();
        }
        is_there
    }
}
