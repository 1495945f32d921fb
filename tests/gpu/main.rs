//! The GPU executor, its device and its shaders.

#[path = "../common/mod.rs"]
mod common;
mod device;
mod runs;
mod shaders;
mod submissions;
