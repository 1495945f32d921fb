//! From a sentence to tokens, embeddings and weights.
//!
//! Embeddings and weights come from one of two sources and are computed with in the same way:
//!
//! - *random*: [`embedding`] and [`xavier`] draw everything from a seed;
//! - *hand-built*: [`teaching`] builds embeddings and projections by hand, so that each head does one thing a reader can
//!   recognise. Nothing here was learned from data.
//!
//! Both are exact on every platform: a seed in a link gives the same numbers everywhere.

pub mod embedding;
pub mod grammar;
pub mod lexicon;
pub mod random;
pub mod tagger;
pub mod teaching;
pub mod tokens;
pub mod vocabulary;
pub mod xavier;

pub use tokens::{MAX_TOKENS, Tokens, tokenize};

/// The sizes that embeddings and weights are made for.
///
/// `kv_heads` divides `heads`; query head `g` reads key/value head `g / (heads / kv_heads)`.
/// The page has `d_v = d_k`. Every size is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Numbers per token, the width of the embeddings.
    pub d_model: usize,
    /// Numbers per query and key in one head.
    pub d_k: usize,
    /// Query heads.
    pub heads: usize,
    /// Key/value heads.
    pub kv_heads: usize,
}
