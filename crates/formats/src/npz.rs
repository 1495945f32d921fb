//! Several NumPy arrays in a ZIP archive.

use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::npy;
use crate::tensor::Tensor;
use crate::{zip, zip_write};

const EXTENSION: &str = ".npy";

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Tensor>, FormatError> {
    let mut before = 0;
    let mut tensors = Vec::new();
    for member in zip::members(bytes, limits)? {
        let Some(name) = member.name.strip_suffix(EXTENSION) else {
            return Err(FormatError::new(member.name, "", FormatRule::UnknownFormat));
        };
        let tensor = npy::read(name, &zip::unpack(&member)?, limits, before)?;
        before += tensor.data.len();
        tensors.push(tensor);
    }
    Ok(tensors)
}

/// The archive, an array after the other.
pub(crate) fn pieces(tensors: &[Tensor]) -> impl Iterator<Item = Vec<u8>> {
    let file = |tensor: &Tensor| format!("{}{EXTENSION}", tensor.name);
    let files = tensors.iter();
    zip_write::pieces(files.map(move |tensor| (file(tensor), move || npy::pieces(tensor))))
}
