//! Checkpoints of every family, beside what transformers computes from them.

mod attribution;
mod files;
mod folders;
mod gguf;
mod gguf_refusals;
mod hostile;
mod quirks;
mod real;
mod refusals;
mod stored;
mod tensors;
