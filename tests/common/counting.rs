//! An allocator that counts, for suites that hold memory to a promise. Each of them takes it in by its path: it is there for a whole program.

#![expect(unsafe_code, reason = "an allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

/// Counts what is taken and given back.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), SeqCst) + layout.size();
        MOST.fetch_max(held, SeqCst);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), SeqCst);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that are taken at most while `act` runs, beyond those that were held before it.
pub(crate) fn most_taken<T>(act: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.load(SeqCst);
    MOST.store(before, SeqCst);
    let made = act();
    (MOST.load(SeqCst) - before, made)
}
