//! A cache of numbers seen recently, by hash.
//!
//! A link may name numbers only by hash, and links are read in many places: at the start and in the history; the worker gets settings that name them. The content
//! of a hash never changes, so one cache per thread is no hidden state: it only decides whether numbers have to be requested.

wasm_chunks::chunk!("more");

use std::cell::RefCell;

use super::ImportedData;

/// How many are kept; the worker's own cache has as many.
pub const ROOM: usize = 4;

thread_local! {
    static CACHE: RefCell<Vec<ImportedData>> = const { RefCell::new(Vec::new()) };
}

/// Caches numbers; the least recently used ones are dropped.
pub fn insert(imported: &ImportedData) {
    CACHE.with_borrow_mut(|cache| {
        cache.retain(|own| own != imported);
        cache.push(imported.clone());
        if cache.len() > ROOM {
            cache.remove(0);
        }
    });
}

/// The numbers with this hash, if they are cached.
pub fn find(hash: u64) -> Option<ImportedData> {
    let found = CACHE.with_borrow(|cache| cache.iter().find(|own| own.hash() == hash).cloned())?;
    insert(&found);
    Some(found)
}
