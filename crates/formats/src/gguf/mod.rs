//! GGUF: the metadata and the list of tensors of a model in one file.
//!
//! Versions 2 and 3 with the lowest byte first. A header with two counts, then so many keys with typed values, then so many tensors by name,
//! shape, type and offset, then their bytes, each tensor at a multiple of `general.alignment` (32 where it is absent). Only the part before
//! the bytes of the tensors is read here; [`Gguf::parse`] takes as much of it as there is.
//!
//! Refused are: other versions; a file that ends within a value or a tensor; a metadata and list of tensors of more than 64 MiB, 65,536 keys
//! or 65,536 tensors; keys and names of more than 65,535 bytes, or that are not UTF-8, or occur twice; arrays of arrays, which no reader of
//! ggml's reads; truth values other than 0 and 1; an alignment that is no power of two; more than 4 axes, or one of length 0; a row that is no
//! whole number of blocks; types of blocks other than [`BlockType`](crate::blocks::BlockType); tensors that are misaligned or overlap.
//! Tensors may stand in any order and leave gaps, and bytes may follow the last.
//!
//! A value that is a text but not UTF-8 is refused when it is asked for: as in the package `gguf` 0.19.0, a file with a broken description
//! opens. Keys and names are refused at once, as there. The 19 vocabularies of llama.cpp (in llama-cpp-python 0.3.36) hold no such text, and 8
//! tokens of three of them begin with a byte order mark, which is kept.
//!
//! Source: [the definition](https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), and what the package `gguf` 0.19.0 writes.

mod cursor;
mod error;
mod metadata;
mod tensors;
mod texts;
mod value;

use cursor::{Cursor, Stop};
pub use error::{GgufError, GgufRule};
pub use metadata::Metadata;
pub use texts::Texts;

use crate::stored::{Parsed, StoredTensor};

const MAGIC: &[u8] = b"GGUF";

/// The most keys, and the most tensors.
const MOST_ENTRIES: u64 = 1 << 16;

/// The least bytes of a key: its length, its type, a value.
const LEAST_KEY: u64 = 8 + 4 + 1;

/// The least bytes of a tensor in the list: length of its name, number of axes, type, offset.
const LEAST_TENSOR: u64 = 8 + 4 + 4 + 8;

/// A GGUF file without the numbers of its tensors.
#[derive(Debug, Clone, PartialEq)]
pub struct Gguf {
    /// 2 or 3, which differ in nothing that is read here.
    pub version: u32,
    /// Values by key.
    pub metadata: Metadata,
    /// The tensors as the file lists them, none for a mere vocabulary. Shapes are row-major: a file lists the fastest axis first, `shape` has it
    /// last, so that a linear layer is `[outputs, inputs]`.
    pub tensors: Vec<StoredTensor>,
}

impl Gguf {
    /// Parses the beginning of a file that has `file_bytes` bytes: as many of them as it takes, or how many more.
    ///
    /// # Errors
    /// [`GgufError`] with the field, the value found there, and the violated rule.
    pub fn parse(prefix: &[u8], file_bytes: u64) -> Result<Parsed<Self>, GgufError> {
        match Self::read(&mut Cursor::new(prefix, file_bytes)) {
            Ok(gguf) => Ok(Parsed::Whole(gguf)),
            Err(Stop::More(bytes)) => Ok(Parsed::More(bytes)),
            Err(Stop::Refused(error)) => Err(error),
        }
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Stop> {
        let magic = cursor.take(&"beginning", 4, 1)?;
        if magic != MAGIC {
            let value = String::from_utf8_lossy(magic);
            return Err(GgufError::new("beginning", value, GgufRule::Magic).into());
        }
        let version = version(cursor.u32(&"version")?)?;
        let tensors = cursor.count("count of tensors", MOST_ENTRIES, LEAST_TENSOR)?;
        let keys = cursor.count("count of keys", MOST_ENTRIES, LEAST_KEY)?;
        let metadata = Metadata::read(cursor, keys)?;
        let alignment = metadata.alignment()?;
        Ok(Self {
            version,
            metadata,
            tensors: tensors::read(cursor, tensors, alignment)?,
        })
    }
}

/// A version that is read.
fn version(version: u32) -> Result<u32, GgufError> {
    let refused = |value, rule| Err(GgufError::new("version", value, rule));
    match version {
        2 | 3 => Ok(version),
        // A small number whose bytes are in the other order.
        _ if version != 0 && version & 0xffff == 0 => {
            refused(version.swap_bytes(), GgufRule::BigEndian)
        }
        _ => refused(version, GgufRule::Version),
    }
}
