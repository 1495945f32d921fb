//! Files of tensors: what is written can be read, what others wrote too, and what nobody should have written is refused.
//! `tests/hostile_files.rs` tries what nobody thought of.

mod refusals;
mod round_trips;
mod samples;
mod tables;
