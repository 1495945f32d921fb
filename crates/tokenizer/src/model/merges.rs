//! Which pairs of tokens become which token, and in which order.

use super::merge::Joined;
use super::pieces::Pieces;
use crate::error::OpenError;

/// Merges in the order of their pairs.
#[derive(Debug, Clone)]
pub(crate) struct Merges(Vec<Merge>);

#[derive(Debug, Clone, Copy)]
struct Merge {
    left: u32,
    right: u32,
    joined: Joined,
}

impl Merges {
    /// Pairs of strings, the one to be joined first in front. A pair that stands there twice has its first place.
    ///
    /// # Errors
    /// That of a pair, or `field` if a pair or what it becomes is not in the vocabulary.
    pub(crate) fn new<'a>(
        field: &'static str,
        pieces: &Pieces,
        pairs: impl ExactSizeIterator<Item = Result<(&'a str, &'a str), OpenError>>,
    ) -> Result<Self, OpenError> {
        let mut merges = Vec::with_capacity(pairs.len());
        let mut both = String::new();
        for (order, pair) in pairs.enumerate() {
            let (left, right) = pair?;
            both.clear();
            both.push_str(left);
            both.push_str(right);
            let find = |token: &str| {
                let rule = "is not in the vocabulary";
                let missing = || OpenError::field(field, format!("{token:?}"), rule);
                pieces.find(token).ok_or_else(missing)
            };
            let (left, right, id) = (find(left)?, find(right)?, find(&both)?);
            let order = u32::try_from(order)
                .map_err(|_| OpenError::field(field, order, "is too long a list"))?;
            let joined = Joined { order, id };
            merges.push(Merge {
                left,
                right,
                joined,
            });
        }
        merges.sort_unstable_by_key(|merge| (merge.left, merge.right, merge.joined.order));
        merges.dedup_by_key(|merge| (merge.left, merge.right));
        Ok(Self(merges))
    }

    /// What two tokens become.
    pub(crate) fn find(&self, left: u32, right: u32) -> Option<Joined> {
        let pair = |merge: &Merge| (merge.left, merge.right);
        let place = self.0.binary_search_by_key(&(left, right), pair).ok()?;
        Some(self.0[place].joined)
    }
}
