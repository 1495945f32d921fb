//! Numbers of binary files as they are stored, infinities among them.

use crate::detect::{self, Content};
use crate::dtype::Type;
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::{npy, npz, safetensors};

/// Of what kind numbers are in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberKind {
    /// Booleans, as 0 and 1.
    Bool,
    /// Whole numbers.
    Integer,
    /// Floating-point numbers.
    Float,
}

/// A tensor whose numbers are as in its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// Its name in the file, or the file's own.
    pub name: String,
    /// Lengths of its axes, the last one fastest.
    pub shape: Vec<usize>,
    /// The numbers, as many as the product of the shape; infinities and NaN as they are.
    pub data: Vec<f64>,
    /// Of what kind they are.
    pub kind: NumberKind,
}

impl Numbers {
    pub(crate) fn new(name: &str, shape: Vec<usize>, data: Vec<f64>, kind: Type) -> Self {
        let name = crate::sanitize(name);
        let kind = match kind {
            Type::Bool => NumberKind::Bool,
            Type::Signed(_) | Type::Unsigned(_) => NumberKind::Integer,
            Type::F16 | Type::BF16 | Type::F32 | Type::F64 => NumberKind::Float,
        };
        Self {
            name,
            shape,
            data,
            kind,
        }
    }
}

/// The tensors of an NPY, NPZ or safetensors file; arrays of texts and of objects in an archive are left out.
///
/// # Errors
/// [`FormatError`] as of [`open`](crate::open()), but for infinities; [`FormatRule::UnknownFormat`] for other formats, and
/// [`FormatRule::NoTensors`] where no array is of numbers.
pub fn numbers(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<Numbers>, FormatError> {
    limits.bytes(name, bytes.len())?;
    let all = match Content::detect(name, bytes)? {
        Content::Npy => vec![npy::stored(detect::stem(name), bytes, limits, 0)?],
        Content::Npz => npz::stored(bytes, limits)?,
        Content::Safetensors => safetensors::stored(bytes, limits)?,
        _ => return Err(FormatError::new(name, "", FormatRule::UnknownFormat)),
    };
    if all.is_empty() {
        return Err(FormatError::new(name, "", FormatRule::NoTensors));
    }
    Ok(all)
}
