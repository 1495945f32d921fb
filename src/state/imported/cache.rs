//! A cache of numbers seen recently, by hash.
//!
//! A link may name numbers only by hash, and links are read in many places: at the start and in the history; the worker gets settings that name them. The content
//! of a hash never changes, so one cache per thread is no hidden state: it only decides whether numbers have to be requested.

use std::cell::RefCell;

use super::ImportedData;

/// How many are kept; the worker's own cache has as many.
pub const ROOM: usize = 4;

thread_local! {
    static SHELF: RefCell<Vec<ImportedData>> = const { RefCell::new(Vec::new()) };
}

/// Caches numbers; the least recently used ones are dropped.
pub fn insert(brought: &ImportedData) {
    SHELF.with_borrow_mut(|shelf| {
        shelf.retain(|own| own != brought);
        shelf.push(brought.clone());
        if shelf.len() > ROOM {
            shelf.remove(0);
        }
    });
}

/// The numbers with this hash, if they are cached.
pub fn find(hash: u64) -> Option<ImportedData> {
    let found = SHELF.with_borrow(|shelf| shelf.iter().find(|own| own.hash() == hash).cloned())?;
    insert(&found);
    Some(found)
}
