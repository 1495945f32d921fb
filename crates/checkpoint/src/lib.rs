//! Published checkpoints as models.
//!
//! A file's settings (`config.json`, or the metadata of a GGUF file) and its list of tensors give a [`Checkpoint`]: the family, the
//! [`ModelConfig`](model::ModelConfig) and, for each tensor of the model, the file's tensor that it is taken from and how ([`Taken`]). Nothing is read but these
//! two. The model of a checkpoint has its numbers in 32 bits ([`Checkpoint::load`]) or as the file stores them ([`Checkpoint::open`]). A family is a table of names (`table`) and a reading of its settings.
//!
//! What a file has and a model does without is passed over by name; a tensor that is missing, too many, of another shape or type is refused by
//! name, and so is every setting that would change a number and is not known here.

#![deny(missing_docs)]

mod checkpoint;
mod decoder;
mod described;
mod divisors;
mod family;
mod gguf;
mod hugging_face;
mod json;
mod matching;
mod rope;
mod settings;
mod stored;
mod table;
mod taken;
mod value;
mod window;

pub use checkpoint::Checkpoint;
pub use family::Family;
pub use stored::StoredBlocks;
pub use taken::{FileTensor, MappedTensor, Origin, Outputs, Taken};
pub use value::{Lookup, Value};
