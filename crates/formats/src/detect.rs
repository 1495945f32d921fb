//! Detects the format of a file from its bytes.

use std::borrow::Cow;

use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;

/// A file in one of the formats; those that are text with it.
pub enum Content<'a> {
    Csv(Cow<'a, str>),
    Json(Cow<'a, str>),
    Npy,
    Npz,
    Safetensors,
}

impl<'a> Content<'a> {
    /// What the first bytes say; the name only where they say nothing, since nobody keeps it from being wrong.
    pub fn detect(name: &str, bytes: &'a [u8], limits: &Limits) -> Result<Self, FormatError> {
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
        let is_headed = bytes.get(8) == Some(&b'{') && bytes[..8].contains(&0);
        if is_headed && utf16(bytes).is_none() || says(".safetensors") {
            return Ok(Self::Safetensors);
        }
        if says(".npy") || says(".npz") {
            return Err(FormatError::new(name, "", FormatRule::UnknownFormat));
        }
        let text = text(name, bytes, limits)?;
        match text.trim_start().chars().next() {
            Some('{' | '[') => Ok(Self::Json(text)),
            _ if says(".json") => Ok(Self::Json(text)),
            Some(_) => Ok(Self::Csv(text)),
            None => Err(FormatError::new(name, "", FormatRule::NoTensors)),
        }
    }
}

/// The text of a file, without the mark that some programs begin it with.
fn text<'a>(name: &str, bytes: &'a [u8], limits: &Limits) -> Result<Cow<'a, str>, FormatError> {
    let text = match utf16(bytes) {
        Some(unit) => Cow::Owned(wide(name, &bytes[2..], unit, limits)?),
        None => Cow::Borrowed(narrow(name, bytes)?),
    };
    match text.contains('\0') {
        true => Err(FormatError::new(name, "", FormatRule::UnknownFormat)),
        false => Ok(text),
    }
}

fn narrow<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // What holds a zero is no text in any encoding but those that say so first.
    let rule = match bytes.contains(&0) {
        true => FormatRule::UnknownFormat,
        false => FormatRule::Encoding,
    };
    std::str::from_utf8(bytes).map_err(|error| FormatError::new(name, error.valid_up_to(), rule))
}

type Unit = fn([u8; 2]) -> u16;

/// How the mark at its beginning says that a text of 16-bit units is written, as spreadsheets save "Unicode text". The
/// length of a header of safetensors may begin with the same bytes, but ends with zeros.
fn utf16(bytes: &[u8]) -> Option<Unit> {
    let unit: Unit = match bytes.first_chunk()? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    (bytes.get(4..8) != Some(&[0; 4])).then_some(unit)
}

/// A text of 16-bit units, which may take more room than these.
fn wide(name: &str, bytes: &[u8], unit: Unit, limits: &Limits) -> Result<String, FormatError> {
    let refused = |at: usize| FormatError::new(name, at, FormatRule::Encoding);
    if !bytes.len().is_multiple_of(2) {
        return Err(refused(bytes.len()));
    }
    let units = || bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let length = char::decode_utf16(units()).map(|c| c.map_or(0, char::len_utf8));
    let length: usize = length.sum();
    limits.bytes(name, length)?;
    let mut text = String::with_capacity(length);
    for c in char::decode_utf16(units()) {
        text.push(c.map_err(|_| refused(text.len()))?);
    }
    Ok(text)
}

/// The name of a file without folders and without its extension.
pub fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}
