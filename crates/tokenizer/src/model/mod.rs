//! How words become tokens.
//!
//! The library's own models hold two hash maps of strings, built from a tree of JSON values: 28 MB for a file of 3.5 MB. These hold what the file holds
//! (see [`Pieces`]).

mod byte_pair;
mod bytes;
mod merge;
mod merges;
mod pieces;
mod sentence_piece;
#[cfg(test)]
mod tests;
mod untrained;
mod word_level;
mod word_piece;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tokenizers::{Result, Token};

pub(crate) use byte_pair::BytePair;
pub(crate) use bytes::{ByteTokens, of_token};
pub(crate) use merges::Merges;
pub(crate) use pieces::Pieces;
pub(crate) use sentence_piece::SentencePiece;
pub(crate) use untrained::{Undecoded, Untrained};
pub(crate) use word_level::WordLevel;
pub(crate) use word_piece::WordPiece;

/// What makes tokens of a word.
#[derive(Debug, Clone)]
pub(crate) enum Model {
    /// By a list of merges.
    BytePair(BytePair),
    /// By scores.
    SentencePiece(SentencePiece),
    /// By the longest token.
    WordPiece(WordPiece),
    /// By the whole word.
    WordLevel(WordLevel),
}

impl Model {
    /// The vocabulary.
    pub(crate) fn pieces(&self) -> &Pieces {
        match self {
            Self::BytePair(model) => &model.pieces,
            Self::SentencePiece(model) => model.pieces(),
            Self::WordPiece(model) => &model.pieces,
            Self::WordLevel(model) => &model.pieces,
        }
    }
}

impl tokenizers::Model for Model {
    type Trainer = Untrained;

    fn tokenize(&self, word: &str) -> Result<Vec<Token>> {
        Ok(match self {
            Self::BytePair(model) => model.tokens(word),
            Self::SentencePiece(model) => model.tokens(word),
            Self::WordPiece(model) => model.tokens(word),
            Self::WordLevel(model) => model.tokens(word),
        })
    }

    fn token_to_id(&self, token: &str) -> Option<u32> {
        self.pieces().find(token)
    }

    fn id_to_token(&self, id: u32) -> Option<String> {
        self.pieces().get(id).map(str::to_owned)
    }

    fn get_vocab(&self) -> HashMap<String, u32> {
        let owned = |(string, id): (&str, u32)| (string.to_owned(), id);
        self.pieces().iter().map(owned).collect()
    }

    fn get_vocab_size(&self) -> usize {
        self.pieces().iter().len()
    }

    fn save(&self, _: &Path, _: Option<&str>) -> Result<Vec<PathBuf>> {
        Err("a tokenizer is only read".into())
    }

    fn get_trainer(&self) -> Untrained {
        Untrained
    }
}
