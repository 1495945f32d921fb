//! The GPU executor, its device and its shaders.

mod borders;
#[path = "../common/mod.rs"]
mod common;
mod device;
mod double_f32;
mod fused;
mod model_calls;
mod models;
mod products;
mod runs;
mod shaders;
mod submissions;
