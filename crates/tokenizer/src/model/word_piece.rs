//! WordPiece: the longest token that a word begins with, then the longest that goes on from there.
//!
//! Wu et al., *Google's Neural Machine Translation System* (2016), section 4.1; as the library does it.

use tokenizers::Token;

use super::pieces::Pieces;

/// A vocabulary in which tokens within a word begin with a prefix.
#[derive(Debug, Clone)]
pub(crate) struct WordPiece {
    pub(crate) pieces: Pieces,
    /// Stands for a word that is too long or cannot be put together.
    pub(crate) unknown: u32,
    /// What a token within a word begins with, `##`.
    pub(crate) prefix: String,
    /// The longest word that is read, in code points.
    pub(crate) longest: usize,
}

impl WordPiece {
    /// The tokens of a word.
    pub(crate) fn tokens(&self, word: &str) -> Vec<Token> {
        let known = (word.chars().count() <= self.longest).then(|| self.split(word));
        known.flatten().unwrap_or_else(|| {
            let piece = self.pieces.get(self.unknown).unwrap_or_default();
            vec![Token::new(self.unknown, piece.to_owned(), (0, word.len()))]
        })
    }

    fn split(&self, word: &str) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        let mut start = 0;
        while start < word.len() {
            let token = self.longest_at(word, start)?;
            start = token.offsets.1;
            tokens.push(token);
        }
        Some(tokens)
    }

    /// The longest token at a byte of a word.
    fn longest_at(&self, word: &str, start: usize) -> Option<Token> {
        let mut piece = if start == 0 { "" } else { &self.prefix }.to_owned();
        let before = piece.len();
        piece.push_str(&word[start..]);
        loop {
            if let Some(id) = self.pieces.find(&piece) {
                let end = start + piece.len() - before;
                return Some(Token::new(id, piece, (start, end)));
            }
            piece.pop();
            if piece.len() <= before {
                return None;
            }
        }
    }
}
