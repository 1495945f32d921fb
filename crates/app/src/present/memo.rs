//! Values that are computed once for each key.

use std::cell::RefCell;
use std::rc::Rc;

/// The value of the last key.
pub struct Memo<K, V>(RefCell<Option<(K, Rc<V>)>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<K: PartialEq, V> Memo<K, V> {
    /// The value of a key; `make` is called for another key than the last one.
    pub fn get(&self, key: K, make: impl FnOnce() -> V) -> Rc<V> {
        if let Some((own, value)) = &*self.0.borrow()
            && *own == key
        {
            return Rc::clone(value);
        }
        let value = Rc::new(make());
        self.0.replace(Some((key, Rc::clone(&value))));
        value
    }

    /// Forgets the value.
    pub fn clear(&mut self) {
        self.0.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_for_another_key_or_once_it_was_forgotten() {
        let mut memo = Memo::default();
        assert_eq!(*memo.get(1, || "one"), "one");
        assert_eq!(*memo.get(1, || "again"), "one");
        assert_eq!(*memo.get(2, || "two"), "two");
        memo.clear();
        assert_eq!(*memo.get(2, || "new"), "new");
    }
}
