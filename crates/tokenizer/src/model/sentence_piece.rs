//! Byte pair encoding by scores: of all neighbours that are a token together, those with the highest score are joined first.
//!
//! Kudo and Richardson, *SentencePiece* (2018), with byte fallback, as llama.cpp reads it for `tokenizer.ggml.model` of `llama`: every token of the
//! vocabulary can be the result of a pair, whatever its type.

use tokenizers::Token;

use super::bytes::ByteTokens;
use super::merge::{Joined, Symbol, merge};
use super::pieces::Pieces;
use crate::error::OpenError;

/// A vocabulary with scores.
#[derive(Debug, Clone)]
pub(crate) struct SentencePiece {
    pieces: Pieces,
    /// By id; the highest score has the smallest.
    orders: Vec<u32>,
    bytes: ByteTokens,
    /// Stands for characters that have neither a token nor tokens for their bytes.
    unknown: Option<u32>,
}

impl SentencePiece {
    /// # Errors
    /// `tokenizer.ggml.scores` if there are not as many as tokens, or one is no number.
    pub(crate) fn new(
        pieces: Pieces,
        scores: &[f32],
        unknown: Option<u32>,
    ) -> Result<Self, OpenError> {
        const FIELD: &str = "tokenizer.ggml.scores";
        if scores.len() != pieces.len() {
            let rule = "is not the number of tokens";
            return Err(OpenError::field(FIELD, scores.len(), rule));
        }
        if let Some(score) = scores.iter().find(|score| score.is_nan()) {
            return Err(OpenError::field(FIELD, score, "is not a number"));
        }
        Ok(Self {
            orders: scores.iter().map(|&score| descending(score)).collect(),
            bytes: ByteTokens::new(&pieces),
            pieces,
            unknown,
        })
    }

    pub(crate) fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// The tokens of a text in which spaces are `▁`.
    pub(crate) fn tokens(&self, text: &str) -> Vec<Token> {
        let symbol = |(start, character): (usize, char)| {
            let length = character.len_utf8();
            let id = self.pieces.find(&text[start..start + length]);
            Symbol { start, length, id }
        };
        let symbols = text.char_indices().map(symbol).collect();
        let joined = merge(symbols, |left, right| self.join(text, left, right));
        let tokens = joined.iter().flat_map(|symbol| self.token(text, symbol));
        tokens.collect()
    }

    fn join(&self, text: &str, left: &Symbol, right: &Symbol) -> Option<Joined> {
        let end = left.start + left.length + right.length;
        let id = self.pieces.find(&text[left.start..end])?;
        let order = self.orders[id as usize];
        Some(Joined { order, id })
    }

    /// A symbol as a token, or a character without one as its bytes, each at the character's place.
    fn token(&self, text: &str, symbol: &Symbol) -> Vec<Token> {
        let place = (symbol.start, symbol.start + symbol.length);
        let ids = match symbol.id {
            Some(id) => vec![id],
            None => self
                .bytes
                .of_text(&text[place.0..place.1])
                .unwrap_or_else(|| Vec::from_iter(self.unknown)),
        };
        let token = |id| {
            let piece = self.pieces.get(id).unwrap_or_default();
            Token::new(id, piece.to_owned(), place)
        };
        ids.into_iter().map(token).collect()
    }
}

/// Smaller for larger numbers, and equal for 0 and −0.
fn descending(score: f32) -> u32 {
    let bits = (score + 0.0).to_bits();
    let negative = bits >> 31 == 1;
    let ascending = if negative { !bits } else { bits | 1 << 31 };
    !ascending
}
