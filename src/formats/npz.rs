//! Several NumPy arrays in a ZIP archive.

use super::error::{FormatError, Rule};
use super::limits::Limits;
use super::npy;
use super::tensor::Tensor;
use super::zip;

const EXTENSION: &str = ".npy";

pub fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Tensor>, FormatError> {
    let mut before = 0;
    let mut tensors = Vec::new();
    for member in zip::members(bytes, limits)? {
        let Some(name) = member.name.strip_suffix(EXTENSION) else {
            return Err(FormatError::new(member.name, "", Rule::UnknownFormat));
        };
        let tensor = npy::read(name, &zip::unpack(&member)?, limits, before)?;
        before += tensor.data.len();
        tensors.push(tensor);
    }
    Ok(tensors)
}

pub fn write(tensors: &[Tensor]) -> Vec<u8> {
    let members = tensors
        .iter()
        .map(|tensor| (format!("{}{EXTENSION}", tensor.name), npy::write(tensor)));
    zip::write(members)
}
