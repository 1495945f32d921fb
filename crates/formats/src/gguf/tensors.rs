//! The list of tensors.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::cursor::{Cursor, Stop};
use super::error::{GgufError, GgufRule};
use crate::blocks::BlockType;
use crate::stored::{StoredTensor, StoredType};

/// The most axes that ggml knows.
const MOST_AXES: u32 = 4;

/// Types that are no blocks: number, name, bytes.
const PLAIN: [(u32, &str, usize); 5] = [
    (24, "I8", 1),
    (25, "I16", 2),
    (26, "I32", 4),
    (27, "I64", 8),
    (28, "F64", 8),
];

/// Types of blocks that are not read, so that they can be named.
const UNREAD: [(u32, &str); 15] = [
    (9, "Q8_1"),
    (15, "Q8_K"),
    (16, "IQ2_XXS"),
    (17, "IQ2_XS"),
    (18, "IQ3_XXS"),
    (19, "IQ1_S"),
    (21, "IQ3_S"),
    (22, "IQ2_S"),
    (23, "IQ4_XS"),
    (29, "IQ1_M"),
    (34, "TQ1_0"),
    (35, "TQ2_0"),
    (39, "MXFP4"),
    (40, "NVFP4"),
    (41, "Q1_0"),
];

/// A tensor of the list, before it is known where the first begins.
struct Info {
    name: String,
    shape: Vec<usize>,
    stored: StoredType,
    bytes: u64,
    /// Where it begins, from where the first may.
    offset: u64,
}

/// `count` tensors, and whether each lies where it may.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    count: u64,
    alignment: u64,
) -> Result<Vec<StoredTensor>, Stop> {
    let mut infos = Vec::new();
    for at in 0..count {
        infos.push(info(cursor, at)?);
    }
    names_differ(&infos)?;
    let start = cursor.at().next_multiple_of(alignment);
    let place = |info| place(info, start, alignment, cursor.file_bytes());
    let tensors = infos.into_iter().map(place);
    let tensors = tensors.collect::<Result<Vec<_>, _>>()?;
    lie_apart(&tensors)?;
    Ok(tensors)
}

fn info(cursor: &mut Cursor<'_>, at: u64) -> Result<Info, Stop> {
    let name = cursor.name(&format_args!("name of tensor {at}"))?;
    let shape = shape(cursor, &name)?;
    let id = cursor.u32(&Part(&name, "type"))?;
    let offset = cursor.u64(&Part(&name, "offset"))?;
    let (stored, length, size) = stored(&name, id)?;
    let row = shape.last().copied().unwrap_or(1);
    if !row.is_multiple_of(length) {
        let value = format!("{shape:?} of {}", stored.name());
        let rule = GgufRule::RowLength(length);
        return Err(GgufError::new(Part(&name, "shape"), value, rule).into());
    }
    let bytes = bytes(&shape, length, size);
    let refused = || {
        GgufError::new(
            Part(&name, "shape"),
            format!("{shape:?}"),
            GgufRule::Product,
        )
    };
    Ok(Info {
        bytes: bytes.ok_or_else(refused)?,
        name,
        shape,
        stored,
        offset,
    })
}

/// The lengths of the axes, turned around: a file lists the fastest first.
fn shape(cursor: &mut Cursor<'_>, name: &str) -> Result<Vec<usize>, Stop> {
    let field = Part(name, "shape");
    let axes = cursor.u32(&field)?;
    if axes > MOST_AXES {
        let value = format!("{axes} axes");
        return Err(GgufError::new(field, value, GgufRule::Most(MOST_AXES.into())).into());
    }
    let mut shape = Vec::new();
    for _ in 0..axes {
        let length = cursor.u64(&field)?;
        let refused = |rule| GgufError::new(&field, length, rule);
        if length == 0 {
            return Err(refused(GgufRule::EmptyAxis).into());
        }
        shape.push(usize::try_from(length).map_err(|_| refused(GgufRule::Product))?);
    }
    shape.reverse();
    Ok(shape)
}

/// A type, with numbers and bytes of a block.
fn stored(name: &str, id: u32) -> Result<(StoredType, usize, usize), GgufError> {
    if let Some(kind) = BlockType::from_id(id) {
        return Ok((StoredType::Blocks(kind), kind.length(), kind.bytes()));
    }
    if let Some((_, name, size)) = PLAIN.iter().find(|(own, ..)| *own == id) {
        return Ok((StoredType::Other(name), 1, *size));
    }
    let named = UNREAD.iter().find(|(own, _)| *own == id);
    let value = named.map_or_else(|| id.to_string(), |(_, name)| (*name).to_owned());
    Err(GgufError::new(
        Part(name, "type"),
        value,
        GgufRule::BlockType,
    ))
}

/// How many bytes rows of whole blocks take; `None` for more numbers than memory could have.
fn bytes(shape: &[usize], length: usize, size: usize) -> Option<u64> {
    let mut lengths = shape.iter();
    let count = lengths.try_fold(1_usize, |product, length| product.checked_mul(*length))?;
    ((count / length) as u64).checked_mul(size as u64)
}

fn place(
    info: Info,
    start: u64,
    alignment: u64,
    file_bytes: u64,
) -> Result<StoredTensor, GgufError> {
    let refused =
        |part, value: &dyn Display, rule| GgufError::new(Part(&info.name, part), value, rule);
    if !info.offset.is_multiple_of(alignment) {
        return Err(refused(
            "offset",
            &info.offset,
            GgufRule::Misaligned(alignment),
        ));
    }
    let begin = start.checked_add(info.offset);
    let end = begin.and_then(|begin| begin.checked_add(info.bytes));
    let (Some(begin), Some(end)) = (begin, end.filter(|end| *end <= file_bytes)) else {
        let value = format!("{start} + {} + {} bytes", info.offset, info.bytes);
        return Err(refused("end", &value, GgufRule::Truncated(file_bytes)));
    };
    Ok(StoredTensor {
        name: info.name,
        stored: info.stored,
        shape: info.shape,
        span: begin..end,
    })
}

fn names_differ(infos: &[Info]) -> Result<(), GgufError> {
    let mut names = BTreeSet::new();
    match infos.iter().find(|info| !names.insert(&info.name)) {
        Some(twice) => Err(GgufError::new(
            Part(&twice.name, "name"),
            &twice.name,
            GgufRule::Duplicate,
        )),
        None => Ok(()),
    }
}

fn lie_apart(tensors: &[StoredTensor]) -> Result<(), GgufError> {
    let mut sorted: Vec<_> = tensors.iter().collect();
    sorted.sort_unstable_by_key(|tensor| tensor.span.start);
    for pair in sorted.windows(2) {
        if pair[1].span.start < pair[0].span.end {
            let value = format!(
                "{:?} and {:?} of {}",
                pair[1].span, pair[0].span, pair[0].name
            );
            let field = Part(&pair[1].name, "span");
            return Err(GgufError::new(field, value, GgufRule::Overlap));
        }
    }
    Ok(())
}

/// A part of what the list says of a tensor.
struct Part<'a>(&'a str, &'static str);

impl Display for Part<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{} of {}", self.1, self.0)
    }
}
