//! Byte pair encoding by a list of merges, as `tokenizer.json` and the `gpt2` vocabularies of GGUF have it.

use tokenizers::Token;

use super::bytes::ByteTokens;
use super::merge::{Joined, Symbol, merge};
use super::merges::Merges;
use super::pieces::Pieces;

/// A vocabulary, its merges, and what becomes of characters that are not in it.
#[derive(Debug, Clone)]
pub(crate) struct BytePair {
    pub(crate) pieces: Pieces,
    pub(crate) merges: Merges,
    /// Stands for characters that have no token; without it they are left out.
    pub(crate) unknown: Option<u32>,
    /// Whether unknown characters next to each other are one token.
    pub(crate) fuse_unknown: bool,
    /// Writes unknown characters as bytes, where all bytes of a character have a token.
    pub(crate) bytes: Option<ByteTokens>,
    /// Whether a word that is a token is taken as it is.
    pub(crate) whole_words: bool,
}

impl BytePair {
    /// The tokens of a word.
    pub(crate) fn tokens(&self, word: &str) -> Vec<Token> {
        if self.whole_words
            && let Some(id) = self.pieces.find(word)
        {
            return vec![Token::new(id, word.to_owned(), (0, word.len()))];
        }
        let joined = merge(self.symbols(word), |left, right| self.join(left, right));
        let token = |symbol: Symbol| {
            let id = symbol.id?;
            let end = symbol.start + symbol.length;
            let piece = self.pieces.get(id)?.to_owned();
            Some(Token::new(id, piece, (symbol.start, end)))
        };
        joined.into_iter().filter_map(token).collect()
    }

    fn join(&self, left: &Symbol, right: &Symbol) -> Option<Joined> {
        self.merges.find(left.id?, right.id?)
    }

    fn symbols(&self, word: &str) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = Vec::with_capacity(word.len());
        let mut buffer = [0; 4];
        let mut after_unknown = false;
        for character in word.chars() {
            let text = &*character.encode_utf8(&mut buffer);
            // Characters that are left out take no place: the library's offsets behind them are too small, and Python's with them.
            let last = symbols.last();
            let start = last.map_or(0, |last| last.start + last.length);
            if let Some(known) = self.known(start, text) {
                symbols.extend(known);
                after_unknown = false;
            } else if let Some(id) = self.unknown {
                match symbols.last_mut() {
                    Some(last) if after_unknown && self.fuse_unknown => last.length += text.len(),
                    _ => symbols.push(Symbol {
                        start,
                        length: text.len(),
                        id: Some(id),
                    }),
                }
                after_unknown = true;
            }
        }
        symbols
    }

    /// A character as its token or as its bytes.
    fn known(&self, start: usize, text: &str) -> Option<Vec<Symbol>> {
        if let Some(id) = self.pieces.find(text) {
            let length = text.len();
            let id = Some(id);
            return Some(vec![Symbol { start, length, id }]);
        }
        let ids = self.bytes.as_ref()?.of_text(text)?;
        let byte = |(place, id): (usize, u32)| Symbol {
            start: start + place,
            length: 1,
            id: Some(id),
        };
        Some(ids.into_iter().enumerate().map(byte).collect())
    }
}
