//! One NumPy array: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>

mod header;

use std::iter::once;

use crate::PIECE;
use crate::bytes::Bytes;
use crate::dtype;
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::tensor::Tensor;
use header::Header;

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy lets the numbers begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// The array, where `before` numbers of others have been read.
pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    limits: &Limits,
    before: usize,
) -> Result<Tensor, FormatError> {
    let mut file = Bytes::new(bytes, name);
    if file.take(MAGIC.len())? != MAGIC {
        return Err(FormatError::new(name, "", FormatRule::UnknownFormat));
    }
    let version = file.take(2)?;
    let length = match version {
        [1, 0] => u64::from(file.u16()?),
        [2 | 3, 0] => u64::from(file.u32()?),
        _ => {
            let version = format!("{}.{}", version[0], version[1]);
            return Err(FormatError::new(name, version, FormatRule::UnknownFormat));
        }
    };
    let length = limits.header(name, length)?;
    let header = header::parse(name, file.take(length)?)?;
    let Header { kind, shape, .. } = &header;
    let count = limits.count(name, shape, before)?;
    let data = file.take(count.saturating_mul(kind.size()))?;
    if !file.rest().is_empty() {
        return Err(FormatError::new(
            name,
            file.rest().len(),
            FormatRule::Trailing,
        ));
    }
    if !header.is_fortran || shape.len() < 2 {
        let data = dtype::decode(name, shape, data, *kind)?;
        return Ok(Tensor::new(name, header.shape, data));
    }
    let reversed: Vec<_> = shape.iter().rev().copied().collect();
    let data = dtype::decode(name, &reversed, data, *kind)?;
    let data = turned(&reversed, &data);
    Ok(Tensor::new(name, header.shape, data))
}

/// The numbers with their axes in the opposite order.
fn turned(shape: &[usize], data: &[f32]) -> Vec<f32> {
    let mut strides = vec![1; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = strides[at] * shape[at];
    }
    let mut place = vec![0; shape.len()];
    let mut at = 0;
    let mut out = Vec::with_capacity(data.len());
    while out.len() < data.len() {
        out.push(data[at]);
        // The first axis is now the fastest.
        for axis in 0..shape.len() {
            place[axis] += 1;
            at += strides[axis];
            if place[axis] < shape[axis] {
                break;
            }
            at -= strides[axis] * shape[axis];
            place[axis] = 0;
        }
    }
    out
}

/// The file, header first.
pub(crate) fn pieces(tensor: &Tensor) -> impl Iterator<Item = Vec<u8>> {
    let numbers = tensor.data.chunks(PIECE).map(dtype::encode);
    once(head(tensor)).chain(numbers)
}

fn head(tensor: &Tensor) -> Vec<u8> {
    let lengths: Vec<_> = tensor.shape.iter().map(usize::to_string).collect();
    // Python's tuple of one needs its comma.
    let comma = if lengths.len() == 1 { "," } else { "" };
    let mut header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}{comma}), }}",
        lengths.join(", ")
    );
    let before = MAGIC.len() + 4;
    while !(before + header.len() + 1).is_multiple_of(ALIGNMENT) {
        header.push(' ');
    }
    header.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out
}
