//! Detects the format of a file from its bytes.

use crate::error::{FormatError, FormatRule};
use crate::foreign::Foreign;
use crate::printed::{Print, detect, is_aligned};

/// Whether a file may unpack to more than its size: what begins like an archive.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK")
}

/// A file in one of the formats; those that are text with it.
pub(crate) enum Content<'a> {
    Csv(&'a str),
    /// A table as R and pandas print it.
    Aligned(&'a str),
    /// Brackets as Python prints them.
    Printed(&'a str),
    Json(&'a str),
    Npy,
    Npz,
    Safetensors,
}

impl<'a> Content<'a> {
    /// Detects the format by the first bytes, and by the name only if they are inconclusive, since
    /// names may be wrong.
    pub(crate) fn detect(name: &str, bytes: &'a [u8]) -> Result<Self, FormatError> {
        let says = |end: &str| name.to_ascii_lowercase().ends_with(end);
        let refused = |rule| Err(FormatError::new(name, "", rule));
        if bytes.is_empty() {
            return refused(FormatRule::NoTensors);
        }
        if bytes.starts_with(b"\x93NUMPY") {
            return Ok(Self::Npy);
        }
        let is_headed = is_headed(bytes);
        if let Some(foreign) = Foreign::detect(name, bytes).filter(|_| !is_headed) {
            return refused(FormatRule::Foreign(foreign));
        }
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Ok(Self::Npz);
        }
        if is_headed || says(".safetensors") {
            return Ok(Self::Safetensors);
        }
        if says(".npy") || says(".npz") {
            return refused(FormatRule::UnknownFormat);
        }
        let text = match (text(name, bytes), Foreign::by_name(name)) {
            (Err(_), Some(foreign)) => return refused(FormatRule::Foreign(foreign)),
            (text, _) => text?,
        };
        if Foreign::is_notebook(name, text) {
            return refused(FormatRule::Foreign(Foreign::Notebook));
        }
        if text.trim().is_empty() {
            return refused(FormatRule::NoTensors);
        }
        if is_aligned(text) {
            return Ok(Self::Aligned(text));
        }
        Ok(match detect(text) {
            Print::Json => Self::Json(text),
            Print::Python => Self::Printed(text),
            Print::Table if says(".json") => Self::Json(text),
            Print::Table => Self::Csv(text),
        })
    }
}

/// Whether a length of less than 2³² and an object follow each other, as in safetensors.
fn is_headed(bytes: &[u8]) -> bool {
    let Some((length, header)) = bytes.split_at_checked(8) else {
        return false;
    };
    length.ends_with(&[0; 4]) && header.trim_ascii_start().starts_with(b"{")
}

/// The text of a file, without the mark that some programs begin it with.
fn text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, FormatError> {
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    // What holds a zero is no text in any encoding but those that say so first.
    if bytes.contains(&0) && !is_utf16 {
        return Err(FormatError::new(name, "", FormatRule::UnknownFormat));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map_err(|error| FormatError::new(name, error.valid_up_to(), FormatRule::Encoding))
}

/// The name of a file without folders and without its extension.
pub(crate) fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}
