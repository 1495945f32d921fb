//! Detects the format of a file from its bytes.

use crate::error::{FormatError, FormatRule};

/// Whether a file may unpack to more than its size: what begins like an archive.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK")
}

/// A file in one of the formats; those that are text with it.
pub(crate) enum Content<'a> {
    Csv(&'a str),
    Json(&'a str),
    Npy,
    Npz,
    Safetensors,
}

impl<'a> Content<'a> {
    /// What the first bytes say; the name only where they say nothing, since nobody keeps it from being wrong.
    pub(crate) fn detect(name: &str, bytes: &'a [u8]) -> Result<Self, FormatError> {
        let says = |end: &str| name.to_ascii_lowercase().ends_with(end);
        if bytes.is_empty() {
            return Err(FormatError::new(name, "", FormatRule::NoTensors));
        }
        if bytes.starts_with(b"\x93NUMPY") {
            return Ok(Self::Npy);
        }
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Ok(Self::Npz);
        }
        let is_headed = bytes.get(4..9) == Some(b"\0\0\0\0{");
        if is_headed || says(".safetensors") {
            return Ok(Self::Safetensors);
        }
        if says(".npy") || says(".npz") {
            return Err(FormatError::new(name, "", FormatRule::UnknownFormat));
        }
        let text = text(name, bytes)?;
        match text.trim_start().chars().next() {
            Some('{' | '[') => Ok(Self::Json(text)),
            _ if says(".json") => Ok(Self::Json(text)),
            Some(_) => Ok(Self::Csv(text)),
            None => Err(FormatError::new(name, "", FormatRule::NoTensors)),
        }
    }
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
