//! Which key/value head a query head reads: multi-head, grouped-query and multi-query attention.

use crate::{Code, Error};

/// The key/value head that query head `head` reads: `floor(head / (heads / kv_heads))`.
///
/// Adjacent query heads share (Ainslie et al. 2023, GQA, §2.2). `kv_heads = heads` is multi-head attention,
/// `kv_heads = 1` multi-query attention (Shazeer 2019). `kv_heads` divides `heads`, as [`HeadSharing`] checks.
pub const fn kv_head_of(head: usize, heads: usize, kv_heads: usize) -> usize {
    head / (heads / kv_heads)
}

/// A checked pair of head counts: both at least 1, `kv_heads` divides `heads`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadSharing {
    /// Query heads.
    pub heads: usize,
    /// Key/value heads.
    pub kv_heads: usize,
}

impl HeadSharing {
    /// Checks the pair.
    ///
    /// # Errors
    /// [`Code::HeadsDoNotDivide`] for no heads, [`Code::KvHeadsDoNotDivide`] where `kv_heads` is 0 or does not divide `heads`.
    pub fn new(heads: usize, kv_heads: usize) -> Result<Self, Error> {
        if heads == 0 {
            return Err(Error::new(
                Code::HeadsDoNotDivide,
                "heads",
                heads,
                "there must be at least one head",
            ));
        }
        if kv_heads == 0 || !heads.is_multiple_of(kv_heads) {
            let rule = format!("must be at least 1 and divide heads = {heads}");
            return Err(Error::new(
                Code::KvHeadsDoNotDivide,
                "kv_heads",
                kv_heads,
                rule,
            ));
        }
        Ok(Self { heads, kv_heads })
    }

    /// The key/value head that query head `head` reads.
    pub const fn kv_head(self, head: usize) -> usize {
        kv_head_of(head, self.heads, self.kv_heads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_query_heads_share() {
        let owners: Vec<_> = (0..6).map(|head| kv_head_of(head, 6, 2)).collect();
        assert_eq!(owners, [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn heads_that_do_not_divide_are_refused_by_name() {
        assert_eq!(
            HeadSharing::new(6, 4).unwrap_err().code,
            Code::KvHeadsDoNotDivide
        );
        assert_eq!(HeadSharing::new(6, 0).unwrap_err().field, "kv_heads");
        assert_eq!(
            HeadSharing::new(0, 1).unwrap_err().code,
            Code::HeadsDoNotDivide
        );
    }
}
