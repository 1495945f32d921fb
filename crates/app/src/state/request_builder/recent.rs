//! A small cache of the most recently used values, by their inputs.

/// How many values stay: those of both settings of a comparison, and of the settings before them.
const ROOM: usize = 4;

/// How many numbers of 32 bits they hold together, 16 MiB: two layers of 512 columns, packed copies included. WebAssembly's memory never
/// shrinks, so more would stay with the page; a run with larger values takes far longer than to make them.
const MOST_NUMBERS: usize = 4 << 20;

/// The values that were used last.
#[derive(Debug)]
pub(super) struct Recent<K, V> {
    /// Entries by last use, the most recent last.
    entries: Vec<Entry<K, V>>,
}

#[derive(Debug)]
struct Entry<K, V> {
    key: K,
    value: V,
    numbers: usize,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<K: PartialEq, V: Clone> Recent<K, V> {
    /// The value that was made from `key`.
    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        let place = self.entries.iter().position(|entry| entry.key == *key)?;
        self.entries[place..].rotate_left(1);
        self.entries.last().map(|entry| entry.value.clone())
    }

    /// A value whose key passes `test`.
    pub(super) fn find(&self, test: impl Fn(&K) -> bool) -> Option<&V> {
        let entry = self.entries.iter().find(|entry| test(&entry.key))?;
        Some(&entry.value)
    }

    /// Keeps a value of so many numbers, which was made from `key`; one that alone is beyond the bound is not kept.
    pub(super) fn insert(&mut self, key: K, value: V, numbers: usize) {
        if numbers > MOST_NUMBERS {
            return;
        }
        self.entries.push(Entry {
            key,
            value,
            numbers,
        });
        while self.entries.len() > ROOM || self.numbers() > MOST_NUMBERS {
            self.entries.remove(0);
        }
    }

    fn numbers(&self) -> usize {
        let numbers = self.entries.iter().map(|entry| entry.numbers);
        numbers.fold(0, usize::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(sizes: &[usize]) -> Recent<usize, char> {
        let mut recent = Recent::default();
        for (key, size) in sizes.iter().enumerate() {
            recent.insert(key, 'a', *size);
        }
        recent
    }

    fn held(recent: &mut Recent<usize, char>, keys: usize) -> Vec<usize> {
        let all: Vec<usize> = (0..keys).collect();
        let held = all.into_iter().filter(|key| recent.get(key).is_some());
        held.collect()
    }

    #[test]
    fn the_value_that_was_not_used_for_longest_goes_first() {
        let mut recent = holding(&[1; ROOM]);
        assert_eq!(recent.get(&0), Some('a'));
        recent.insert(ROOM, 'b', 1);
        assert_eq!(held(&mut recent, ROOM + 1), [0, 2, 3, 4]);
    }

    #[test]
    fn memory_is_bounded() {
        let half = MOST_NUMBERS / 2;
        assert_eq!(held(&mut holding(&[1, half, half]), 3), [1, 2]);
        assert_eq!(held(&mut holding(&[half, half, 1]), 3), [1, 2]);
        let mut recent = holding(&[1, MOST_NUMBERS + 1]);
        assert_eq!(held(&mut recent, 2), [0]);
        recent.insert(1, 'd', usize::MAX);
        assert_eq!(held(&mut recent, 2), [0]);
    }
}
