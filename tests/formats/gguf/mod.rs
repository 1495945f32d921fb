//! GGUF: what its reference library writes is read to the bit, and what nobody should have written is refused.

mod blocks;
mod hostile;
mod reading;
mod refusals;

use std::fs;
use std::path::Path;

use formats::Parsed;
use formats::gguf::{Gguf, GgufError};

/// A file of `tests/golden/gguf`, which `make.py` there made with gguf 0.19.0.
fn golden(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/gguf");
    fs::read(folder.join(file)).expect("it is kept")
}

fn tiny() -> Vec<u8> {
    golden("tiny.gguf")
}

/// Parses a file that is there as a whole.
fn parsed(bytes: &[u8]) -> Result<Gguf, GgufError> {
    match Gguf::parse(bytes, bytes.len() as u64)? {
        Parsed::Whole(gguf) => Ok(gguf),
        Parsed::More(more) => panic!("{more} bytes are wanted of {}", bytes.len()),
    }
}

fn read(bytes: &[u8]) -> Gguf {
    parsed(bytes).expect("the library wrote it")
}
