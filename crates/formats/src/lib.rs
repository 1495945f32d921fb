//! Files of tensors: CSV, JSON, NPY, NPZ and safetensors, read and written.
//!
//! A file is either refused with a reason ([`FormatError`]) or gives tensors whose shapes fit their numbers, all of them finite
//! but for rows that are NaN throughout, as frameworks write attention that sees no key.
//! Reading never panics and allocates no more than its [`Limits`] allow. Numbers are 32-bit floats: other types are converted if they
//! fit, and refused if they do not.
//!
//! | format | holds | read | written |
//! |---|---|---|---|
//! | CSV | one tensor | UTF-8; comma, semicolon, tab or spaces; with or without labels; decimal point, or comma where the separator is none | labels where there are any; `# shape: (2, 3, 4)` where it is no matrix |
//! | JSON | any number | nested arrays, `{shape, data}`, an object of either by name, or a table of pandas | an object of `{shape, data}` |
//! | NPY | one tensor | versions 1 to 3, C and Fortran order, f2 f4 f8, integers, bool, little-endian | version 1, `<f4` |
//! | NPZ | any number | as `np.savez` and `np.savez_compressed` write it | as `np.savez` writes it |
//! | prints | any number | what NumPy, PyTorch, JAX, MLX, TensorFlow, Python, R and pandas print of arrays, where nothing is left out | – |
//! | safetensors | any number | F16 BF16 F32 F64, integers, BOOL | F32 |
//!
//! Checkpoints, which may have gigabytes, are read otherwise: [`safetensors::list`] and [`gguf::Gguf::parse`] take the beginning of a file and
//! give its tensors as [they are stored](StoredTensor), and [`blocks::dequantize()`] widens the bytes of one.

#![deny(missing_docs)]

pub mod blocks;
mod bytes;
mod contents;
mod csv;
mod detect;
mod dtype;
pub mod encoding;
mod error;
mod foreign;
mod format;
pub mod gguf;
mod inflate;
pub mod json;
mod limits;
mod names;
mod nan_rows;
mod nested;
mod npy;
mod npz;
mod numbers;
mod printed;
pub mod safetensors;
mod sanitize;
mod stored;
mod tensor;
mod zip;
mod zip_write;

pub use contents::{Contents, Source};
pub use csv::guarded;
use detect::Content;
pub use detect::is_packed;
pub use error::{ErrorLocation, FormatError, FormatRule};
pub use foreign::Foreign;
pub use format::Kind;
pub use json::write_string;
pub use limits::Limits;
pub use numbers::{NumberKind, Numbers, numbers};
pub use sanitize::sanitize;
pub use stored::{Parsed, StoredTensor, StoredType};
pub use tensor::{Labels, Tensor};

/// The most numbers in a piece of a file that is written.
const PIECE: usize = 4096;

/// Reads the tensors of a file, at least one: [`open`] without the detected format.
///
/// # Errors
/// [`FormatError`] with the location, the value found there, and the violated rule.
pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<Tensor>, FormatError> {
    open(name, bytes, limits).map(|contents| contents.tensors)
}

/// Parses a file. `name` is the file's own: where the format gives tensors no names, its stem is
/// the tensor's. The format is detected from the bytes. Names are sanitized as by [`sanitize()`].
///
/// # Errors
/// [`FormatError`] with the location, the value found there, and the violated rule.
pub fn open(name: &str, bytes: &[u8], limits: &Limits) -> Result<Contents, FormatError> {
    limits.bytes(name, bytes.len())?;
    let stem = detect::stem(name);
    let one = |source, tensor| Contents::new(source, vec![tensor]);
    let mut contents = match Content::detect(name, bytes)? {
        Content::Csv(text) => csv::read(stem, text, limits)?,
        Content::Aligned(text) => {
            let tensor = printed::read_aligned(stem, text, limits)?;
            one(Source::PrintedTable, tensor)
        }
        Content::Printed(text) => printed::read(stem, text, limits)?,
        Content::Json(text) => json::read(stem, text, limits)?,
        Content::Npy => one(Source::Npy, npy::read(stem, bytes, limits, 0)?),
        Content::Npz => npz::read(bytes, limits)?,
        Content::Safetensors => {
            Contents::new(Source::Safetensors, safetensors::read(bytes, limits)?)
        }
    };
    if contents.tensors.is_empty() {
        return Err(FormatError::new(name, "", FormatRule::NoTensors));
    }
    for tensor in &mut contents.tensors {
        nan_rows::check(tensor)?;
        tensor.name = sanitize(&tensor.name);
    }
    for name in &mut contents.skipped {
        *name = sanitize(name);
    }
    Ok(contents)
}

/// A file that holds `tensors`. CSV and NPY hold [one](Kind::holds_many) and take the first; without any the file is
/// empty.
pub fn write(kind: Kind, tensors: &[Tensor]) -> Vec<u8> {
    let mut file = Vec::new();
    pieces(kind, tensors).for_each(|piece| file.extend(piece));
    file
}

/// The same in small pieces, so that a caller can do other work in between. Some are empty.
pub fn pieces(kind: Kind, tensors: &[Tensor]) -> Box<dyn Iterator<Item = Vec<u8>> + '_> {
    let first = tensors.first().into_iter();
    match kind {
        Kind::Csv => Box::new(first.flat_map(csv::pieces)),
        Kind::Json => Box::new(json::pieces(tensors)),
        Kind::Npy => Box::new(first.flat_map(npy::pieces)),
        Kind::Npz => Box::new(npz::pieces(tensors)),
        Kind::Safetensors => Box::new(safetensors::pieces(tensors)),
    }
}
