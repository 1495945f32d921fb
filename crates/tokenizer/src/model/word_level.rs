//! Whole words.

use tokenizers::Token;

use super::pieces::Pieces;

/// A vocabulary of words.
#[derive(Debug, Clone)]
pub(crate) struct WordLevel {
    pub(crate) pieces: Pieces,
    /// Stands for a word that is not in it.
    pub(crate) unknown: u32,
}

impl WordLevel {
    /// The token of a word.
    pub(crate) fn tokens(&self, word: &str) -> Vec<Token> {
        let id = self.pieces.find(word).unwrap_or(self.unknown);
        let piece = self.pieces.get(id).unwrap_or_default();
        vec![Token::new(id, piece.to_owned(), (0, word.len()))]
    }
}
