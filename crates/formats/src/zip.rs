//! The subset of ZIP that NumPy writes: stored or deflated files one after the other, and a directory of them.
//!
//! The directory decides, and a local header must repeat it exactly. Archives that readers interpret differently (gaps,
//! overlapping files, a comment that hides a second directory) are refused.

use crate::bytes::{Bytes, next};
use crate::encoding::crc32;
use crate::error::{ErrorLocation, FormatError, FormatRule};
use crate::inflate::inflate;
use crate::limits::Limits;

pub(crate) const FILE: u32 = 0x0403_4b50;
pub(crate) const ENTRY: u32 = 0x0201_4b50;
pub(crate) const END: u32 = 0x0605_4b50;
/// Bytes of a header without its name.
const FILE_SIZE: usize = 30;
const ENTRY_SIZE: usize = 46;
const END_SIZE: usize = 22;
/// Placeholder for a size that is given elsewhere.
const ELSEWHERE: u32 = u32::MAX;
/// The extra field with sizes of 64 bit.
const ZIP64: u16 = 1;
const ENCRYPTED: u16 = 1;
/// Sizes and checksum follow the data.
const TOLD_LATER: u16 = 8;
pub(crate) const UTF8: u16 = 1 << 11;
pub(crate) const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// A file in an archive.
pub(crate) struct Member<'a> {
    pub name: &'a str,
    method: u16,
    crc: u32,
    size: usize,
    packed: &'a [u8],
}

/// An entry of the directory.
struct Entry<'a> {
    name: &'a str,
    raw_name: &'a [u8],
    flags: u16,
    method: u16,
    crc: u32,
    packed: u32,
    size: u32,
    start: usize,
}

/// Lists the members of the archive, in the order of their bytes.
pub(crate) fn members<'a>(
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<Vec<Member<'a>>, FormatError> {
    let (directory, count) = directory(bytes)?;
    limits.tensors(count)?;
    let mut list = Bytes::new(directory.1, ErrorLocation::Directory);
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        let entry = entry(&mut list)?;
        if entries
            .iter()
            .any(|other: &Entry<'_>| other.name == entry.name)
        {
            return Err(FormatError::new(entry.name, "", FormatRule::Duplicate));
        }
        entries.push(entry);
    }
    if !list.rest().is_empty() {
        return Err(FormatError::new(
            ErrorLocation::Directory,
            list.rest().len(),
            FormatRule::Trailing,
        ));
    }
    let sizes = entries.iter().map(|entry| entry.size as usize);
    limits.bytes("", sizes.fold(0, usize::saturating_add))?;
    let mut end = 0;
    let mut members = Vec::with_capacity(count);
    while let Some(entry) = next(&mut entries, |entry| entry.start) {
        if entry.start != end {
            return Err(FormatError::new(
                entry.name,
                entry.start,
                FormatRule::Overlap,
            ));
        }
        let (member, length) = member(&entry, &bytes[end..directory.0])?;
        members.push(member);
        end += length;
    }
    if end == directory.0 {
        Ok(members)
    } else {
        Err(FormatError::new(
            ErrorLocation::Directory,
            end,
            FormatRule::Overlap,
        ))
    }
}

/// The directory with the place where it begins, and how many entries it has.
fn directory(bytes: &[u8]) -> Result<((usize, &[u8]), usize), FormatError> {
    let refused = |value: usize, rule| FormatError::new(ErrorLocation::Directory, value, rule);
    let ending = END.to_le_bytes();
    // NumPy writes no comment. With one, anything could stand behind the directory.
    let start = bytes.len().checked_sub(END_SIZE);
    let start = start.filter(|start| bytes[*start..].starts_with(&ending));
    let start = start.ok_or_else(|| refused(bytes.len(), FormatRule::Truncated))?;
    let mut end = Bytes::new(&bytes[start + ending.len()..], ErrorLocation::Directory);
    let disks = [end.u16()?, end.u16()?];
    let counts = [end.u16()?, end.u16()?];
    let (size, offset) = (end.u32()? as usize, end.u32()? as usize);
    let comment = end.u16()?;
    if disks != [0, 0] || counts[0] != counts[1] || counts[0] == u16::MAX || comment != 0 {
        return Err(refused(usize::from(counts[1]), FormatRule::Archive));
    }
    // Where a directory of 64 bit stands between, these do not meet.
    if offset.checked_add(size) != Some(start) {
        return Err(refused(offset, FormatRule::Overlap));
    }
    Ok(((offset, &bytes[offset..start]), usize::from(counts[0])))
}

fn entry<'a>(list: &mut Bytes<'a>) -> Result<Entry<'a>, FormatError> {
    let mut fixed = Bytes::new(list.take(ENTRY_SIZE)?, ErrorLocation::Directory);
    if fixed.u32()? != ENTRY {
        return Err(FormatError::new(
            ErrorLocation::Directory,
            "",
            FormatRule::Malformed,
        ));
    }
    fixed.take(4)?;
    let (flags, method) = (fixed.u16()?, fixed.u16()?);
    fixed.take(4)?;
    let (crc, packed, size) = (fixed.u32()?, fixed.u32()?, fixed.u32()?);
    let lengths = [fixed.u16()?, fixed.u16()?, fixed.u16()?].map(usize::from);
    let disk = fixed.u16()?;
    fixed.take(6)?;
    let start = fixed.u32()?;
    let raw_name = list.take(lengths[0])?;
    list.take(lengths[1] + lengths[2])?;
    let name = name(raw_name, flags)?;
    let is_elsewhere = [packed, size, start].contains(&ELSEWHERE);
    if is_elsewhere || disk != 0 || flags & !(TOLD_LATER | UTF8) != 0 {
        let what = if flags & ENCRYPTED != 0 {
            "encrypted"
        } else {
            ""
        };
        return Err(FormatError::new(name, what, FormatRule::Archive));
    }
    Ok(Entry {
        name,
        raw_name,
        flags,
        method,
        crc,
        packed,
        size,
        start: start as usize,
    })
}

/// Checks that a name stays inside the folder where the archive is unpacked.
fn name(raw: &[u8], flags: u16) -> Result<&str, FormatError> {
    let name = std::str::from_utf8(raw).ok();
    let name = name.filter(|name| flags & UTF8 != 0 || name.is_ascii());
    let name =
        name.ok_or_else(|| FormatError::new(ErrorLocation::Directory, "", FormatRule::NotText))?;
    let is_part = |part: &str| !matches!(part, "" | "." | "..");
    let is_safe = name.split('/').all(is_part) && !name.contains(['\\', ':', '\0']);
    if is_safe {
        Ok(name)
    } else {
        Err(FormatError::new(name, "", FormatRule::UnsafeName))
    }
}

/// The file of an entry at the beginning of `bytes`, and how many of them it takes.
fn member<'a>(entry: &Entry<'a>, bytes: &'a [u8]) -> Result<(Member<'a>, usize), FormatError> {
    let mut file = Bytes::new(bytes, entry.name);
    let mut fixed = Bytes::new(file.take(FILE_SIZE)?, entry.name);
    let (signature, _) = (fixed.u32()?, fixed.u16()?);
    let (flags, method) = (fixed.u16()?, fixed.u16()?);
    fixed.take(4)?;
    let told = [fixed.u32()?, fixed.u32()?, fixed.u32()?];
    let lengths = [fixed.u16()?, fixed.u16()?].map(usize::from);
    let name = file.take(lengths[0])?;
    let extra = file.take(lengths[1])?;
    let disagrees = signature != FILE
        || (flags, method) != (entry.flags, entry.method)
        || name != entry.raw_name
        || !agrees(entry, told, extra)?;
    if disagrees {
        return Err(FormatError::new(entry.name, "", FormatRule::Malformed));
    }
    let packed = file.take(entry.packed as usize)?;
    if entry.flags & TOLD_LATER != 0 {
        descriptor(entry, &mut file)?;
    }
    let member = Member {
        name: entry.name,
        method,
        crc: entry.crc,
        size: entry.size as usize,
        packed,
    };
    Ok((member, bytes.len() - file.rest().len()))
}

/// Whether the checksum and sizes in a file's header match the directory. NumPy always writes
/// 64-bit sizes here.
fn agrees(entry: &Entry<'_>, told: [u32; 3], extra: &[u8]) -> Result<bool, FormatError> {
    if entry.flags & TOLD_LATER != 0 {
        return Ok(true);
    }
    let [crc, packed, size] = told;
    let sizes = if packed == ELSEWHERE && size == ELSEWHERE {
        let mut extra = Bytes::new(extra, entry.name);
        let head = (extra.u16()?, extra.u16()?);
        if head != (ZIP64, 16) {
            return Ok(false);
        }
        let size = extra.u64()?;
        [extra.u64()?, size]
    } else {
        [u64::from(packed), u64::from(size)]
    };
    Ok(crc == entry.crc && sizes == [u64::from(entry.packed), u64::from(entry.size)])
}

/// Checksum and sizes behind the data, with their mark or without, in 32 bit or 64.
fn descriptor(entry: &Entry<'_>, file: &mut Bytes<'_>) -> Result<(), FormatError> {
    let mut narrow = entry.crc.to_le_bytes().to_vec();
    let mut wide = narrow.clone();
    for size in [entry.packed, entry.size] {
        narrow.extend(size.to_le_bytes());
        wide.extend(u64::from(size).to_le_bytes());
    }
    let marked = file.rest().starts_with(b"PK\x07\x08");
    file.take(if marked { 4 } else { 0 })?;
    let is_wide = file.rest().starts_with(&wide);
    if !is_wide && !file.rest().starts_with(&narrow) {
        return Err(FormatError::new(entry.name, "", FormatRule::Malformed));
    }
    file.take(if is_wide { wide.len() } else { narrow.len() })
        .map(drop)
}

/// The bytes of a file, checked against its checksum.
pub(crate) fn unpack(member: &Member<'_>) -> Result<Vec<u8>, FormatError> {
    let Member {
        name, size, packed, ..
    } = *member;
    let bytes = match member.method {
        STORED if size == packed.len() => packed.to_vec(),
        STORED => return Err(FormatError::new(name, size, FormatRule::Malformed)),
        DEFLATED => inflate(name, packed, size)?,
        method => {
            let method = format!("method {method}");
            return Err(FormatError::new(name, method, FormatRule::Archive));
        }
    };
    if crc32(&bytes) == member.crc {
        Ok(bytes)
    } else {
        Err(FormatError::new(name, "", FormatRule::Checksum))
    }
}
