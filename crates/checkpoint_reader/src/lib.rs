//! The files of a checkpoint, read piece by piece.
//!
//! A [`Reader`] says which bytes of which file it wants next, and takes them, until the checkpoint is [`Opened`]: whoever has the files (a worker, a
//! test) reads them. Nothing but headers is read before every tensor has its place in the model and all of them are known to fit, and no byte of a
//! tensor that the model does without.

#![deny(missing_docs)]

mod error;
mod files;
mod metadata;
mod reader;
mod tensors;

pub use error::ReadError;
pub use files::FileInfo;
pub use reader::{Opened, Piece, Progress, Reader};
