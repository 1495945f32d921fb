//! Base64 and CRC-32, used by links, code export, ZIP and PNG.

pub mod base64;
mod crc32;

pub use crc32::{Crc32, crc32};
