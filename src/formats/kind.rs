//! Which format a file is in.

use super::error::{FormatError, Rule};

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A table as text.
    Csv,
    /// Arrays and objects as text.
    Json,
    /// One NumPy array.
    Npy,
    /// Several NumPy arrays in a ZIP archive.
    Npz,
    /// Tensors behind a JSON header.
    Safetensors,
}

impl Kind {
    /// Every format.
    pub const ALL: [Self; 5] = [
        Self::Csv,
        Self::Json,
        Self::Npy,
        Self::Npz,
        Self::Safetensors,
    ];

    /// The end of its file names, which is also its name.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Safetensors => "safetensors",
        }
    }

    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv;charset=utf-8",
            Self::Json => "application/json",
            Self::Npz => "application/zip",
            Self::Npy | Self::Safetensors => "application/octet-stream",
        }
    }

    /// Whether a file holds more than one tensor.
    pub const fn holds_many(self) -> bool {
        matches!(self, Self::Json | Self::Npz | Self::Safetensors)
    }

    /// What the first bytes say; the name only where they say nothing, since nobody keeps it from being wrong.
    pub(super) fn of(name: &str, bytes: &[u8]) -> Result<Self, FormatError> {
        let says = |end: &str| name.to_ascii_lowercase().ends_with(end);
        if bytes.is_empty() {
            return Err(FormatError::new(name, "", Rule::NoTensors));
        }
        if bytes.starts_with(b"\x93NUMPY") {
            return Ok(Self::Npy);
        }
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Ok(Self::Npz);
        }
        if bytes.get(8) == Some(&b'{') && bytes[..8].contains(&0) || says(".safetensors") {
            return Ok(Self::Safetensors);
        }
        if says(".npy") || says(".npz") {
            return Err(FormatError::new(name, "", Rule::UnknownFormat));
        }
        let text = text(name, bytes)?;
        match text.trim_start().chars().next() {
            Some('{' | '[') => Ok(Self::Json),
            _ if says(".json") => Ok(Self::Json),
            Some(_) => Ok(Self::Csv),
            None => Err(FormatError::new(name, "", Rule::NoTensors)),
        }
    }
}

/// The text of a file, without the mark that some programs begin it with.
pub(super) fn text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.contains(&0) {
        return Err(FormatError::new(name, "", Rule::UnknownFormat));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = format!("byte {}", error.valid_up_to());
        FormatError::new(name, at, Rule::NotText)
    })
}

/// The name of a file without folders and without its extension.
pub(super) fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}
