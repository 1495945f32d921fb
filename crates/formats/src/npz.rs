//! Several NumPy arrays in a ZIP archive.

use crate::contents::{Contents, Source};
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::names::Names;
use crate::npy::{self, Array};
use crate::numbers::Numbers;
use crate::tensor::Tensor;
use crate::{zip, zip_write};

const EXTENSION: &str = ".npy";

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Contents, FormatError> {
    let mut before = 0;
    let mut contents = Contents::new(Source::Npz, Vec::new());
    let mut names = Names::default();
    for member in zip::members(bytes, limits)? {
        let Some(name) = member.name.strip_suffix(EXTENSION) else {
            return Err(FormatError::new(member.name, "", FormatRule::UnknownFormat));
        };
        match npy::read_any(name, &zip::unpack(&member)?, limits, before)? {
            Array::Tensor(tensor) => {
                before += tensor.data.len();
                contents.tensors.push(tensor);
            }
            Array::Texts(list) => names.take(name, list),
            Array::Objects => contents.skipped.push(name.to_owned()),
        }
    }
    contents.skipped.extend(names.label(&mut contents.tensors));
    Ok(contents)
}

/// The arrays of numbers, as they are stored.
pub(crate) fn stored(bytes: &[u8], limits: &Limits) -> Result<Vec<Numbers>, FormatError> {
    let (mut all, mut before) = (Vec::new(), 0);
    for member in zip::members(bytes, limits)? {
        let Some(name) = member.name.strip_suffix(EXTENSION) else {
            return Err(FormatError::new(member.name, "", FormatRule::UnknownFormat));
        };
        let bytes = zip::unpack(&member)?;
        if npy::holds_numbers(name, &bytes, limits)? {
            let own = npy::stored(name, &bytes, limits, before)?;
            before += own.data.len();
            all.push(own);
        }
    }
    Ok(all)
}

/// The archive, an array after the other.
pub(crate) fn pieces(tensors: &[Tensor]) -> impl Iterator<Item = Vec<u8>> {
    let file = |tensor: &Tensor| format!("{}{EXTENSION}", tensor.name);
    let files = tensors.iter();
    zip_write::pieces(files.map(move |tensor| (file(tensor), move || npy::pieces(tensor))))
}
