//! GGUF: what its reference library writes is read to the bit, and what nobody should have written is refused.

mod blocks;

use std::fs;
use std::path::Path;

/// A file of `tests/golden/gguf`.
fn golden(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/gguf");
    fs::read(folder.join(file)).expect("it is kept")
}
