//! The header: which tensors there are, and where.

use std::collections::BTreeSet;

use crate::blocks::BlockType;
use crate::dtype::Type;
use crate::error::{ErrorLocation, FormatError, FormatRule};
use crate::json::Scan;
use crate::limits::Limits;
use crate::stored::{Parsed, StoredTensor, StoredType};

const METADATA: &str = "__metadata__";

/// Bytes of the header's length.
const LENGTH: usize = 8;

/// Types by the names that the format has for them.
const TYPES: [(&str, Type); 13] = [
    ("F16", Type::F16),
    ("BF16", Type::BF16),
    ("F32", Type::F32),
    ("F64", Type::F64),
    ("BOOL", Type::Bool),
    ("I8", Type::Signed(1)),
    ("I16", Type::Signed(2)),
    ("I32", Type::Signed(4)),
    ("I64", Type::Signed(8)),
    ("U8", Type::Unsigned(1)),
    ("U16", Type::Unsigned(2)),
    ("U32", Type::Unsigned(4)),
    ("U64", Type::Unsigned(8)),
];

/// What the header says: its entries in the order of their bytes, each checked, and where those begin.
pub(super) struct Header {
    pub(super) entries: Vec<Entry>,
    pub(super) start: usize,
}

/// The header's entry for a tensor.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) kind: (&'static str, Type),
    pub(super) shape: Vec<usize>,
    /// Where its bytes begin and end, after the header.
    pub(super) span: [u64; 2],
}

/// The refusal of a file that ends within its header.
pub(super) fn ends(bytes: u64) -> FormatError {
    FormatError::new(ErrorLocation::Header, bytes, FormatRule::Truncated)
}

impl Header {
    /// The header of a file of `file_bytes` bytes.
    pub(super) fn parse(
        prefix: &[u8],
        file_bytes: u64,
        limits: &Limits,
    ) -> Result<Parsed<Self>, FormatError> {
        let file_bytes = file_bytes.max(prefix.len() as u64);
        if file_bytes < LENGTH as u64 {
            return Err(ends(file_bytes));
        }
        let Some((length, rest)) = prefix.split_first_chunk::<LENGTH>() else {
            return Ok(Parsed::More(LENGTH as u64));
        };
        let length = limits.header(ErrorLocation::Header, u64::from_le_bytes(*length))?;
        let after = file_bytes - LENGTH as u64;
        let held = after
            .checked_sub(length as u64)
            .ok_or_else(|| ends(after))?;
        let start = LENGTH + length;
        let Some(text) = rest.get(..length) else {
            return Ok(Parsed::More(start as u64));
        };
        let text = str::from_utf8(text);
        let text =
            text.map_err(|_| FormatError::new(ErrorLocation::Header, "", FormatRule::NotText))?;
        let mut entries = entries(text, limits)?;
        entries.sort_by_key(|entry| entry.span);
        check(&entries, held, limits)?;
        Ok(Parsed::Whole(Self { entries, start }))
    }
}

/// Whether the entries, sorted, fill `held` bytes without holes, each with as many as its shape and type say.
fn check(entries: &[Entry], held: u64, limits: &Limits) -> Result<(), FormatError> {
    let (mut end, mut before) = (0, 0);
    for Entry {
        name,
        kind,
        shape,
        span,
    } in entries
    {
        let refused = |value: &dyn std::fmt::Debug, rule| {
            Err(FormatError::new(name, format!("{value:?}"), rule))
        };
        if span[0] != end || span[1] < span[0] {
            return refused(span, FormatRule::Overlap);
        }
        let (count, size) = (limits.count(name, shape, before)?, kind.1.size() as u64);
        let bytes = span[1] - span[0];
        if (count as u64).checked_mul(size) != Some(bytes) {
            let held = usize::try_from(bytes / size).unwrap_or(usize::MAX);
            return refused(shape, FormatRule::Length(held));
        }
        if span[1] > held {
            return refused(span, FormatRule::Truncated);
        }
        (end, before) = (span[1], before + count);
    }
    match held - end {
        0 => Ok(()),
        more => Err(FormatError::new("", more, FormatRule::Trailing)),
    }
}

impl Entry {
    /// What it lists, in a file whose tensors begin at `start`.
    pub(super) fn stored(self, start: u64) -> StoredTensor {
        let (name, kind) = self.kind;
        let stored = match kind {
            Type::F32 => StoredType::Blocks(BlockType::F32),
            Type::F16 => StoredType::Blocks(BlockType::F16),
            Type::BF16 => StoredType::Blocks(BlockType::BF16),
            Type::F64 | Type::Signed(_) | Type::Unsigned(_) | Type::Bool => StoredType::Other(name),
        };
        let [begin, end] = self.span.map(|at| start + at);
        StoredTensor {
            name: self.name,
            stored,
            shape: self.shape,
            span: begin..end,
        }
    }
}

fn entries(text: &str, limits: &Limits) -> Result<Vec<Entry>, FormatError> {
    let mut scan = Scan::new(text);
    let (mut entries, mut names) = (Vec::new(), BTreeSet::new());
    scan.consume(b'{')?;
    if scan.took(b'}') {
        return scan.end().map(|()| entries);
    }
    loop {
        let name = scan.key()?;
        if !names.insert(name.clone()) {
            return Err(FormatError::new(
                ErrorLocation::Header,
                name,
                FormatRule::Duplicate,
            ));
        }
        if name == METADATA {
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
    let lengths = shape.ok_or_else(|| missing("shape"))?.into_iter();
    let shape = lengths.map(|length| usize::try_from(length).map_err(|_| length));
    let most = FormatRule::MostElements(limits.elements);
    Ok(Entry {
        kind: kind.ok_or_else(|| missing("dtype"))?,
        shape: shape
            .collect::<Result<_, _>>()
            .map_err(|length| FormatError::new(&name, length, most))?,
        span: span.try_into().map_err(|_| missing("data_offsets"))?,
        name,
    })
}

/// A list of at most `most` whole numbers.
fn wholes(scan: &mut Scan<'_>, name: &str, most: usize) -> Result<Vec<u64>, FormatError> {
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

fn dtype(name: &str, dtype: &str) -> Result<(&'static str, Type), FormatError> {
    let found = TYPES.iter().find(|(own, _)| *own == dtype);
    let refused = || FormatError::new(name, dtype, FormatRule::Dtype);
    found.copied().ok_or_else(refused)
}
