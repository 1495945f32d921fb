//! Base64, CRC-32 and zlib, used by links, code export, ZIP and PNG.

pub mod base64;
mod crc32;
mod zlib;

pub use crc32::{Crc32, crc32};
pub use zlib::zlib;
