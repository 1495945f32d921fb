//! Bind groups for reuse. Buffers come from a pool, so that runs alike bind the same ones again.

use std::collections::HashMap;

use crate::{Kernel, Tier};

/// Groups at most; beyond that all are dropped and made anew as they are needed.
const MOST: usize = 512;

/// Key of a bind group: equal keys can share one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct GroupKey {
    /// Whose layout it has.
    pub(super) kernel: (Kernel, Tier),
    /// Buffers by their ids, each with its offset and its bytes; the uniform first.
    pub(super) buffers: Vec<(u64, u64, u64)>,
}

/// Groups by what they bind. A group keeps its buffers alive, so it goes when one of them is destroyed.
pub(super) struct BindGroups<G>(HashMap<GroupKey, G>);

impl<G> Default for BindGroups<G> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<G: Clone> BindGroups<G> {
    pub(super) fn get(&mut self, key: GroupKey, make: impl FnOnce() -> G) -> G {
        if self.0.len() >= MOST && !self.0.contains_key(&key) {
            self.0.clear();
        }
        self.0.entry(key).or_insert_with(make).clone()
    }

    /// Drops the groups of a buffer.
    pub(super) fn forget(&mut self, buffer: u64) {
        self.0
            .retain(|key, _| key.buffers.iter().all(|(id, ..)| *id != buffer));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn key(id: u64, offset: u64) -> GroupKey {
        GroupKey {
            kernel: (Kernel::Softmax, Tier::Software),
            buffers: vec![(id, offset, 16), (7, 0, 64)],
        }
    }

    #[test]
    fn a_group_is_made_once_for_equal_buffers_and_again_when_one_was_destroyed() {
        let (made, mut groups) = (Cell::new(0), BindGroups::default());
        let get = |groups: &mut BindGroups<i32>, id, offset| {
            groups.get(key(id, offset), || {
                made.set(made.get() + 1);
                made.get()
            })
        };
        assert_eq!(get(&mut groups, 1, 0), 1);
        assert_eq!(get(&mut groups, 1, 256), 2);
        assert_eq!(get(&mut groups, 2, 0), 3);
        assert_eq!(get(&mut groups, 1, 0), 1);
        groups.forget(1);
        assert_eq!(groups.0.len(), 1);
        assert_eq!(get(&mut groups, 2, 0), 3);
        assert_eq!(get(&mut groups, 1, 0), 4);
        groups.forget(7);
        assert_eq!(groups.0.len(), 0);
    }

    #[test]
    fn groups_never_become_more_than_their_bound() {
        let mut groups = BindGroups::default();
        for offset in 0..5_000 {
            groups.get(key(1, offset), || ());
            assert!(groups.0.len() <= MOST);
        }
    }
}
