//! A future for one value that a callback delivers, possibly from another thread.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// The waiting end and the arriving end at once; clones share the value.
pub(super) struct Signal<T>(Arc<Mutex<Slot<T>>>);

struct Slot<T> {
    value: Option<T>,
    waiting: Vec<Waker>,
}

impl<T> Clone for Signal<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Clone> Signal<T> {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Slot {
            value: None,
            waiting: Vec::new(),
        })))
    }

    /// The first value stays; later ones are dropped.
    pub(super) fn set(&self, value: T) {
        let waiting = {
            let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            slot.value.get_or_insert(value);
            std::mem::take(&mut slot.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// The value, where it has arrived.
    pub(super) fn get(&self) -> Option<T> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.value.clone()
    }
}

impl<T: Clone> Future for Signal<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &slot.value {
            Some(value) => Poll::Ready(value.clone()),
            None => {
                slot.waiting.push(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
