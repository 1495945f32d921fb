//! One NumPy array: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>

mod header;

use std::iter::once;

use crate::PIECE;
use crate::bytes::Bytes;
use crate::dtype::{self, Type};
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::names::MOST;
use crate::numbers::Numbers;
use crate::tensor::Tensor;
use header::{ElementType, Header};

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy lets the numbers begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// An array of numbers, or of what stands beside them.
pub(crate) enum Array {
    Tensor(Tensor),
    Texts(Vec<String>),
    /// Objects that are not looked into.
    Objects,
}

/// The array of numbers, where `before` numbers of others have been read.
pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    limits: &Limits,
    before: usize,
) -> Result<Tensor, FormatError> {
    let mut file = Bytes::new(bytes, name);
    let header = header(name, &mut file, limits)?;
    let kind = number_type(name, &header)?;
    numbers(name, file, header, kind, limits, before)
}

fn number_type(name: &str, header: &Header<'_>) -> Result<Type, FormatError> {
    match header.kind {
        ElementType::Numbers(kind) => Ok(kind),
        ElementType::Letters(_, descr)
        | ElementType::Bytes(_, descr)
        | ElementType::Objects(descr) => Err(FormatError::new(name, descr, FormatRule::Dtype)),
    }
}

/// The array of numbers as they are stored.
pub(crate) fn stored(
    name: &str,
    bytes: &[u8],
    limits: &Limits,
    before: usize,
) -> Result<Numbers, FormatError> {
    let mut file = Bytes::new(bytes, name);
    let header = header(name, &mut file, limits)?;
    let kind = number_type(name, &header)?;
    let bytes = body(name, file, &header, kind, limits, before)?;
    let data = dtype::stored(bytes, kind);
    let data = match reversed(&header) {
        Some(reversed) => turned(&reversed, &data),
        None => data,
    };
    Ok(Numbers::new(name, header.shape, data, kind))
}

/// Whether it is an array of numbers.
pub(crate) fn holds_numbers(
    name: &str,
    bytes: &[u8],
    limits: &Limits,
) -> Result<bool, FormatError> {
    let header = header(name, &mut Bytes::new(bytes, name), limits)?;
    Ok(matches!(header.kind, ElementType::Numbers(_)))
}

/// Whatever array it is, in an archive.
pub(crate) fn read_any(
    name: &str,
    bytes: &[u8],
    limits: &Limits,
    before: usize,
) -> Result<Array, FormatError> {
    let mut file = Bytes::new(bytes, name);
    let header = header(name, &mut file, limits)?;
    let count = header
        .shape
        .iter()
        .fold(1, |all: usize, one| all.saturating_mul(*one));
    let texts = |width: usize, text: fn(&[u8]) -> String| {
        let chunks = file.rest().chunks_exact(width.max(1));
        let list = chunks.take(count.min(MOST + 1)).map(text);
        Ok(Array::Texts(list.collect()))
    };
    match header.kind {
        ElementType::Numbers(kind) => {
            numbers(name, file, header, kind, limits, before).map(Array::Tensor)
        }
        ElementType::Letters(width, _) => texts(width.saturating_mul(4), letters),
        ElementType::Bytes(width, _) => texts(width, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            text.trim_end_matches('\0').to_owned()
        }),
        ElementType::Objects(_) => Ok(Array::Objects),
    }
}

/// A text of characters of 32 bit, filled up with zeros.
fn letters(bytes: &[u8]) -> String {
    let letter = |bytes: &[u8]| {
        let code = bytes.try_into().map(u32::from_le_bytes);
        char::from_u32(code.unwrap_or_default()).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    let text: String = bytes.chunks_exact(4).map(letter).collect();
    text.trim_end_matches('\0').to_owned()
}

fn header<'a>(
    name: &'a str,
    file: &mut Bytes<'a>,
    limits: &Limits,
) -> Result<Header<'a>, FormatError> {
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
    header::parse(name, file.take(length)?)
}

fn numbers(
    name: &str,
    file: Bytes<'_>,
    header: Header<'_>,
    kind: Type,
    limits: &Limits,
    before: usize,
) -> Result<Tensor, FormatError> {
    let bytes = body(name, file, &header, kind, limits, before)?;
    let data = match reversed(&header) {
        Some(reversed) => turned(&reversed, &dtype::decode(name, &reversed, bytes, kind)?),
        None => dtype::decode(name, &header.shape, bytes, kind)?,
    };
    Ok(Tensor::new(name, header.shape, data))
}

/// The bytes of the numbers, behind the header.
fn body<'a>(
    name: &str,
    mut file: Bytes<'a>,
    header: &Header<'_>,
    kind: Type,
    limits: &Limits,
    before: usize,
) -> Result<&'a [u8], FormatError> {
    let count = limits.count(name, &header.shape, before)?;
    let bytes = file.take(count.saturating_mul(kind.size()))?;
    if !file.rest().is_empty() {
        return Err(FormatError::new(
            name,
            file.rest().len(),
            FormatRule::Trailing,
        ));
    }
    Ok(bytes)
}

/// The axes in the order of the bytes, where that is not their own.
fn reversed(header: &Header<'_>) -> Option<Vec<usize>> {
    let is_turned = header.is_fortran && header.shape.len() > 1;
    is_turned.then(|| header.shape.iter().rev().copied().collect())
}

/// The numbers with their axes in the opposite order.
fn turned<T: Copy>(shape: &[usize], data: &[T]) -> Vec<T> {
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
