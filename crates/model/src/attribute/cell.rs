//! The cell whose score is split.

use super::check_place;
use crate::hidden::own_range;
use crate::infer::Inference;
use crate::{Model, Words};
use attention::{Code, Error};

/// A cell of a head's map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreCell {
    /// The layer.
    pub layer: usize,
    /// One of its heads.
    pub head: usize,
    /// Position of the query.
    pub query: usize,
    /// Position of the key.
    pub key: usize,
}

impl ScoreCell {
    /// Refuses a cell that the model does not have, or whose key the query does not see.
    pub(super) fn check(self, model: &Model, words: &Words, how: &Inference) -> Result<(), Error> {
        let Self {
            layer,
            head,
            query,
            key,
        } = self;
        model.check_head(layer, head)?;
        check_place(words, "query", query)?;
        check_place(words, "key", key)?;
        let is_hidden = model.hides(layer, head, (query, key))
            || how.hide.iter().any(|hidden| {
                (hidden.layer, hidden.head) == (layer, head) && hidden.cells.contains(&(query, key))
            });
        let seen = own_range(&model.config, layer, query, words.length());
        if seen.contains(&key) && !is_hidden {
            return Ok(());
        }
        let rule = "the query does not see this key, so it has no score";
        Err(Error::new(Code::NotApplicable, "key", key, rule))
    }
}
