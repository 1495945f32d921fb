//! The field `model` of `tokenizer.json`.
//!
//! Fields and their defaults are those of the library, version 0.23.2, with these differences: `dropout` is not applied; a vocabulary that gives one id to two
//! tokens, or has no unknown token where one is needed, is refused; `Unigram` and byte pairs with marks within or at the ends of words are not read.

use serde::Deserialize;

use super::strings::{Ids, Pairs, Vocabulary};
use crate::error::OpenError;
use crate::model::{BytePair, ByteTokens, Merges, Model, Pieces, WordLevel, WordPiece};

/// All fields of all models that are read.
#[derive(Deserialize)]
pub(crate) struct ModelFile {
    #[serde(rename = "type")]
    kind: Option<String>,
    vocab: Vocabulary,
    merges: Option<Pairs>,
    unk_token: Option<String>,
    continuing_subword_prefix: Option<String>,
    end_of_word_suffix: Option<String>,
    max_input_chars_per_word: Option<usize>,
    fuse_unk: Option<bool>,
    byte_fallback: Option<bool>,
    ignore_merges: Option<bool>,
}

impl ModelFile {
    /// # Errors
    /// The field that is broken, or asks for what is not read.
    pub(crate) fn open(mut self) -> Result<Model, OpenError> {
        let kind = self.kind.take().unwrap_or_else(|| self.guess().to_owned());
        let empty = Vocabulary::Scores;
        match (kind.as_str(), std::mem::replace(&mut self.vocab, empty)) {
            ("BPE", Vocabulary::Ids(ids)) => self.byte_pair(ids),
            ("WordPiece", Vocabulary::Ids(ids)) => self.word_piece(ids),
            ("WordLevel", Vocabulary::Ids(ids)) => self.word_level(ids),
            ("BPE" | "WordPiece" | "WordLevel", Vocabulary::Scores) => {
                let rule = "is not of the model's type";
                Err(OpenError::field("model.vocab", "a list", rule))
            }
            _ => Err(OpenError::field("model.type", kind, "is not known")),
        }
    }

    /// Old files don't say their type.
    fn guess(&self) -> &'static str {
        match (&self.vocab, &self.merges, &self.continuing_subword_prefix) {
            (Vocabulary::Scores, _, _) => "Unigram",
            (_, Some(_), _) => "BPE",
            (_, _, Some(_)) => "WordPiece",
            _ => "WordLevel",
        }
    }

    fn byte_pair(self, ids: Ids) -> Result<Model, OpenError> {
        unmarked(
            "model.continuing_subword_prefix",
            self.continuing_subword_prefix,
        )?;
        unmarked("model.end_of_word_suffix", self.end_of_word_suffix)?;
        let pieces = pieces(ids)?;
        let pairs = self.merges.unwrap_or_default();
        let unknown = self.unk_token.and_then(|token| pieces.find(&token));
        let bytes = self.byte_fallback.unwrap_or(false);
        Ok(Model::BytePair(BytePair {
            merges: Merges::new("model.merges", &pieces, pairs.iter().map(Ok))?,
            bytes: bytes.then(|| ByteTokens::new(&pieces)),
            pieces,
            unknown,
            fuse_unknown: self.fuse_unk.unwrap_or(false),
            whole_words: self.ignore_merges.unwrap_or(false),
        }))
    }

    fn word_piece(self, ids: Ids) -> Result<Model, OpenError> {
        let pieces = pieces(ids)?;
        let prefix = self.continuing_subword_prefix;
        Ok(Model::WordPiece(WordPiece {
            unknown: unknown(&pieces, self.unk_token.as_deref().unwrap_or("[UNK]"))?,
            pieces,
            prefix: prefix.unwrap_or_else(|| "##".to_owned()),
            longest: self.max_input_chars_per_word.unwrap_or(100),
        }))
    }

    fn word_level(self, ids: Ids) -> Result<Model, OpenError> {
        let pieces = pieces(ids)?;
        Ok(Model::WordLevel(WordLevel {
            unknown: unknown(&pieces, self.unk_token.as_deref().unwrap_or("<unk>"))?,
            pieces,
        }))
    }
}

fn pieces(mut ids: Ids) -> Result<Pieces, OpenError> {
    const FIELD: &str = "model.vocab";
    let count = ids.len();
    let tokens = ids.by_id();
    let tokens = tokens.map_err(|rule| OpenError::field(FIELD, count, rule))?;
    Pieces::new(FIELD, tokens)
}

fn unknown(pieces: &Pieces, token: &str) -> Result<u32, OpenError> {
    let missing = || OpenError::field("model.unk_token", token, "is not in the vocabulary");
    pieces.find(token).ok_or_else(missing)
}

fn unmarked(field: &'static str, mark: Option<String>) -> Result<(), OpenError> {
    match mark.filter(|mark| !mark.is_empty()) {
        Some(mark) => Err(OpenError::field(field, mark, "is not read for BPE")),
        None => Ok(()),
    }
}
