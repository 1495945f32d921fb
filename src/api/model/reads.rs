//! How a model reads a text.

use std::sync::Arc;

use app::js_tree::JsTree;
use attention::text::vocabulary;
use attention::{Code, Error};
use tokenizer::Tokenizer;

/// What a model makes of a text.
pub(super) enum Reads {
    /// Nothing: it was made without a task.
    Numbers,
    /// The words of the task that it was made for, or learned last.
    Words(Vec<String>),
    /// The tokens of the checkpoint that it was opened from.
    Tokens(Arc<Tokenizer>),
}

impl Reads {
    /// The numbers of the words or tokens of a text.
    ///
    /// # Errors
    /// [`Code::NotApplicable`] without words; [`Code::UnknownOption`] for a word that is not known, or a text that the tokenizer gives up on.
    pub(super) fn read(&self, text: &str) -> Result<Vec<usize>, Error> {
        match self {
            Self::Numbers => {
                let rule = "the model has no words until it is made for a task or has learned one; give tokens";
                Err(Error::new(
                    Code::NotApplicable,
                    "text",
                    format!("{text:?}"),
                    rule,
                ))
            }
            Self::Words(words) => vocabulary::read(words, text),
            Self::Tokens(tokenizer) => {
                let encoding = tokenizer.encode(text).map_err(|error| refused(&error.0))?;
                Ok(encoding.ids.iter().map(|id| *id as usize).collect())
            }
        }
    }
}

impl Reads {
    /// A word or token by its number.
    pub(super) fn token(&self, number: usize) -> Option<String> {
        match self {
            Self::Numbers => None,
            Self::Words(words) => words.get(number).cloned(),
            Self::Tokens(tokenizer) => tokenizer.token(u32::try_from(number).ok()?),
        }
    }

    /// `{ ids, tokens, offsets }`; a token has `[begin, end)` in code points.
    ///
    /// # Errors
    /// [`Code::NotApplicable`] for a model without a tokenizer; as [`read`](Self::read).
    pub(super) fn encoded(&self, text: &str) -> Result<JsTree, Error> {
        let Self::Tokens(tokenizer) = self else {
            let rule = "belongs to models that were opened with a tokenizer";
            return Err(Error::new(Code::NotApplicable, "encode", "a text", rule));
        };
        let encoding = tokenizer.encode(text).map_err(|error| refused(&error.0))?;
        let ids = encoding.ids.iter().map(|id| f64::from(*id)).collect();
        let pair = |[begin, end]: &[usize; 2]| JsTree::Doubles(vec![*begin as f64, *end as f64]);
        Ok(JsTree::record([
            ("ids", JsTree::Doubles(ids)),
            ("tokens", JsTree::texts(&encoding.tokens)),
            (
                "offsets",
                JsTree::List(encoding.offsets.iter().map(pair).collect()),
            ),
        ]))
    }
}

/// The library gives up on a text.
pub(super) fn refused(why: &str) -> Error {
    let rule = format!("the tokenizer must be able to read it ({why})");
    Error::new(Code::UnknownOption, "text", "a text", rule)
}
