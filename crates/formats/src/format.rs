//! Which format a file is in.

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

    /// The format whose files end like this.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.extension() == extension)
    }

    /// As it is written where people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Npy => "NPY",
            Self::Npz => "NPZ",
            Self::Safetensors => "safetensors",
        }
    }

    /// The end of its file names.
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
}
