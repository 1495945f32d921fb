//! Tensors behind a header in JSON: <https://huggingface.co/docs/safetensors>

use std::fmt::Write as _;
use std::iter::once;

use crate::PIECE;
use crate::bytes::{Bytes, next};
use crate::dtype::{self, Type};
use crate::error::{ErrorLocation, FormatError, FormatRule};
use crate::json::{self, Scan};
use crate::limits::Limits;
use crate::tensor::Tensor;

/// The library lets the numbers begin at a multiple of this.
const ALIGNMENT: usize = 8;
const METADATA: &str = "__metadata__";

/// The header's entry for a tensor.
struct Entry {
    name: String,
    kind: Type,
    shape: Vec<usize>,
    /// Where its bytes begin and end, after the header.
    span: [usize; 2],
}

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Tensor>, FormatError> {
    let mut file = Bytes::new(bytes, ErrorLocation::Header);
    let length = limits.header(ErrorLocation::Header, file.u64()?)?;
    let text = std::str::from_utf8(file.take(length)?);
    let text =
        text.map_err(|_| FormatError::new(ErrorLocation::Header, "", FormatRule::NotText))?;
    let mut entries = header(text, limits)?;
    let (mut end, mut before) = (0, 0);
    let mut tensors = Vec::with_capacity(entries.len());
    while let Some(entry) = next(&mut entries, |entry| entry.span) {
        let Entry {
            name,
            kind,
            shape,
            span,
        } = entry;
        if span[0] != end || span[1] < span[0] {
            return Err(FormatError::new(
                &name,
                format!("{span:?}"),
                FormatRule::Overlap,
            ));
        }
        let count = limits.count(&name, &shape, before)?;
        if count.checked_mul(kind.size()) != Some(span[1] - span[0]) {
            let held = (span[1] - span[0]) / kind.size();
            return Err(FormatError::new(
                &name,
                format!("{shape:?}"),
                FormatRule::Length(held),
            ));
        }
        let bytes = file.take(span[1] - span[0]);
        let bytes = bytes
            .map_err(|_| FormatError::new(&name, format!("{span:?}"), FormatRule::Truncated))?;
        let data = dtype::decode(&name, &shape, bytes, kind)?;
        (end, before) = (span[1], before + count);
        tensors.push(Tensor::new(name, shape, data));
    }
    match file.rest().len() {
        0 => Ok(tensors),
        more => Err(FormatError::new("", more, FormatRule::Trailing)),
    }
}

fn header(text: &str, limits: &Limits) -> Result<Vec<Entry>, FormatError> {
    let mut scan = Scan::new(text);
    let (mut entries, mut has_metadata) = (Vec::<Entry>::new(), false);
    scan.consume(b'{')?;
    if scan.took(b'}') {
        return scan.end().map(|()| entries);
    }
    loop {
        let name = scan.key()?;
        let is_metadata = name == METADATA;
        if is_metadata && has_metadata || entries.iter().any(|entry| entry.name == name) {
            return Err(FormatError::new(
                ErrorLocation::Header,
                name,
                FormatRule::Duplicate,
            ));
        }
        if is_metadata {
            has_metadata = true;
            metadata(&mut scan)?;
        } else {
            limits.tensors(entries.len() + 1)?;
            entries.push(entry(&mut scan, name, limits)?);
        }
        if !scan.goes_on(b'}')? {
            return scan.end().map(|()| entries);
        }
    }
}

/// Skips the metadata: strings by name, or `null` as MLX writes.
fn metadata(scan: &mut Scan<'_>) -> Result<(), FormatError> {
    let refused = |value: &str| FormatError::new(METADATA, value, FormatRule::Malformed);
    if scan.peek() != Some(b'{') {
        let word = scan.word().map_err(|_| refused(""))?;
        return if word == "null" {
            Ok(())
        } else {
            Err(refused(word))
        };
    }
    scan.consume(b'{')?;
    if scan.took(b'}') {
        return Ok(());
    }
    loop {
        let key = scan.key()?;
        if scan.peek() != Some(b'"') {
            return Err(refused(&key));
        }
        scan.string()?;
        if !scan.goes_on(b'}')? {
            return Ok(());
        }
    }
}

fn entry(scan: &mut Scan<'_>, name: String, limits: &Limits) -> Result<Entry, FormatError> {
    let (mut kind, mut shape, mut span) = (None, None, None);
    scan.consume(b'{')?;
    loop {
        let key = scan.key()?;
        let is_new = match key.as_str() {
            "dtype" => kind.replace(dtype(&name, &scan.string()?)?).is_none(),
            "shape" => shape.replace(wholes(scan, &name, limits.axes)?).is_none(),
            "data_offsets" => span.replace(wholes(scan, &name, 2)?).is_none(),
            _ => return Err(FormatError::new(&name, key, FormatRule::UnknownField)),
        };
        if !is_new {
            return Err(FormatError::new(&name, key, FormatRule::Duplicate));
        }
        if !scan.goes_on(b'}')? {
            break;
        }
    }
    let missing = |field| FormatError::new(&name, field, FormatRule::Missing);
    let span = span.ok_or_else(|| missing("data_offsets"))?;
    Ok(Entry {
        kind: kind.ok_or_else(|| missing("dtype"))?,
        shape: shape.ok_or_else(|| missing("shape"))?,
        span: span.try_into().map_err(|_| missing("data_offsets"))?,
        name,
    })
}

/// A list of at most `most` whole numbers.
fn wholes(scan: &mut Scan<'_>, name: &str, most: usize) -> Result<Vec<usize>, FormatError> {
    let mut list = Vec::new();
    scan.consume(b'[')?;
    if scan.took(b']') {
        return Ok(list);
    }
    loop {
        list.push(scan.whole()?);
        if list.len() > most {
            return Err(FormatError::new(
                name,
                list.len(),
                FormatRule::MostAxes(most),
            ));
        }
        if !scan.goes_on(b']')? {
            return Ok(list);
        }
    }
}

fn dtype(name: &str, dtype: &str) -> Result<Type, FormatError> {
    Ok(match dtype {
        "F16" => Type::F16,
        "BF16" => Type::BF16,
        "F32" => Type::F32,
        "F64" => Type::F64,
        "BOOL" => Type::Bool,
        "I8" => Type::Signed(1),
        "I16" => Type::Signed(2),
        "I32" => Type::Signed(4),
        "I64" => Type::Signed(8),
        "U8" => Type::Unsigned(1),
        "U16" => Type::Unsigned(2),
        "U32" => Type::Unsigned(4),
        "U64" => Type::Unsigned(8),
        _ => return Err(FormatError::new(name, dtype, FormatRule::Dtype)),
    })
}

/// The file, header first.
pub(crate) fn pieces(tensors: &[Tensor]) -> impl Iterator<Item = Vec<u8>> {
    let numbers = tensors.iter().flat_map(|tensor| tensor.data.chunks(PIECE));
    once(head(tensors)).chain(numbers.map(dtype::encode))
}

fn head(tensors: &[Tensor]) -> Vec<u8> {
    let (mut header, mut end) = (String::from("{"), 0);
    for (at, tensor) in tensors.iter().enumerate() {
        let start = end;
        end += 4 * tensor.data.len();
        header.push_str(if at == 0 { "" } else { "," });
        json::write_string(&mut header, &tensor.name);
        // Writing into a string cannot fail.
        let _ = write!(
            header,
            ":{{\"dtype\":\"F32\",\"shape\":{:?},\"data_offsets\":[{start},{end}]}}",
            tensor.shape
        );
    }
    header.push('}');
    while !header.len().is_multiple_of(ALIGNMENT) {
        header.push(' ');
    }
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.extend(header.into_bytes());
    out
}
