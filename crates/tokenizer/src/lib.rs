//! Tokenizers of checkpoints: text to ids, tokens and their places in the text, from Hugging Face's `tokenizer.json` or from the vocabulary of a GGUF file.
//!
//! Normalizers, splitters, special tokens and offsets are those of Hugging Face's library. What a model makes of a word is computed here, from a vocabulary
//! that takes a tenth of the library's memory.
//!
//! | source | model | read |
//! |---|---|---|
//! | `tokenizer.json` | BPE, WordPiece, WordLevel | every normalizer but `Precompiled`, every splitter; truncation and padding are switched off |
//! | GGUF | `gpt2` | byte pairs; the split is named by `tokenizer.ggml.pre` and one of [`split_names`] |
//! | GGUF | `llama` | SentencePiece's byte pairs by scores, with byte fallback |
//! | GGUF | `bert` | WordPiece |

#![deny(missing_docs)]

mod alphabet;
mod encoding;
mod error;
mod gguf;
mod json;
mod model;
mod spelling;
mod tokenizer;

pub use encoding::{Encoding, Origin};
pub use error::{EncodeError, OpenError};
pub use gguf::{GgufVocabulary, split_names};
pub use spelling::{Boundary, Spelling};
pub use tokenizer::Tokenizer;
