//! Texts that are kept for the next visit.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::Memory;

/// What the browser keeps for the next visit.
#[derive(Default)]
pub(super) struct Kept(RefCell<BTreeMap<String, String>>);

impl Memory for Kept {
    fn recall(&self, name: &str) -> Option<String> {
        self.0.borrow().get(name).cloned()
    }

    fn remember(&self, name: &str, text: Option<&str>) {
        let name = name.to_owned();
        match text {
            Some(text) => drop(self.0.borrow_mut().insert(name, text.to_owned())),
            None => drop(self.0.borrow_mut().remove(&name)),
        }
    }
}
