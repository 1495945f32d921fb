//! The queue of messages: each is handled once, in the order in which they were sent.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// Messages that wait to be handled.
#[derive(Debug)]
pub struct Queue<M> {
    waiting: RefCell<VecDeque<M>>,
    is_handling: Cell<bool>,
}

impl<M> Default for Queue<M> {
    fn default() -> Self {
        Self {
            waiting: RefCell::default(),
            is_handling: Cell::new(false),
        }
    }
}

impl<M> Queue<M> {
    /// Adds a message without handling it: it is handled with the next one sent, or after those
    /// being handled.
    pub fn add(&self, message: M) {
        self.waiting.borrow_mut().push_back(message);
    }

    /// Handles every waiting message; one that is sent meanwhile comes after them. Does nothing if
    /// messages are being handled already: that call handles these too. Returns whether any was
    /// handled.
    pub fn drain(&self, mut handle: impl FnMut(M)) -> bool {
        if self.is_handling.replace(true) {
            return false;
        }
        let mut has_handled = false;
        while let Some(message) = self.next() {
            handle(message);
            has_handled = true;
        }
        self.is_handling.set(false);
        has_handled
    }

    /// Runs `act`; messages sent meanwhile wait.
    pub fn hold<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = self.is_handling.replace(true);
        let result = act();
        self.is_handling.set(before);
        result
    }

    fn next(&self) -> Option<M> {
        self.waiting.borrow_mut().pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_sent_while_another_is_handled_comes_next_once_and_in_order() {
        let queue = Queue::default();
        let handled = RefCell::new(Vec::new());
        let send = |number: u32| {
            queue.add(number);
            queue.drain(|number| handle(&queue, &handled, number))
        };
        fn handle(queue: &Queue<u32>, handled: &RefCell<Vec<u32>>, number: u32) {
            // Three follow from 1, one of which is sent as every listener does.
            if number == 1 {
                queue.add(2);
                queue.add(3);
                assert!(!queue.drain(|_| panic!("handled inside another")));
                queue.add(4);
            }
            handled.borrow_mut().push(number);
        }
        assert!(send(1));
        assert!(send(5));
        assert!(!queue.drain(|_| panic!("nothing is left")));
        assert_eq!(*handled.borrow(), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn what_is_sent_while_something_else_is_done_waits_for_its_end() {
        let queue = Queue::default();
        let sent = queue.hold(|| {
            queue.add(1);
            queue.drain(|_| panic!("too early"))
        });
        assert!(!sent);
        let mut handled = Vec::new();
        assert!(queue.drain(|number| handled.push(number)));
        assert_eq!(handled, [1]);
    }
}
