//! Lists that keep their elements between updates and rewrite only what changed.

use web_sys::Element;

/// Items of one list, each made once.
pub(super) struct Rows<T> {
    parent: Element,
    items: Vec<T>,
    shown: usize,
}

/// An item of a [`Rows`].
pub(super) trait Row: Sized {
    /// Makes the item at place `at`, at the end of `parent`.
    fn make(parent: &Element, at: usize) -> Option<Self>;
    /// The element that stands in the list.
    fn element(&self) -> &Element;
}

impl<T: Row> Rows<T> {
    pub(super) fn new(parent: Element) -> Self {
        Self {
            parent,
            items: Vec::new(),
            shown: 0,
        }
    }

    /// The first `count` items, made where there are not so many yet; later ones are taken off the page and kept.
    pub(super) fn take(&mut self, count: usize) -> &mut [T] {
        for item in self.items.iter().take(count).skip(self.shown) {
            // Fails only for a parent that cannot hold children.
            let _ = self.parent.append_child(item.element());
        }
        for item in self.items.iter().take(self.shown).skip(count) {
            item.element().remove();
        }
        while self.items.len() < count {
            let Some(item) = T::make(&self.parent, self.items.len()) else {
                break;
            };
            self.items.push(item);
        }
        self.shown = count.min(self.items.len());
        &mut self.items[..self.shown]
    }
}
