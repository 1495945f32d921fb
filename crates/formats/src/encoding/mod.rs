//! Bytes as letters, and their check sum: what links, programs and pictures need alike.

pub mod base64;
mod crc32;

pub use crc32::{Crc32, crc32};
