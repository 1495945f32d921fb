//! What a link says of brought numbers: the numbers themselves where they are few, or else which they are.
//!
//! `1i` and the packed bytes in base64 (RFC 4648, for addresses, without padding); or `1h`, the hash, and for whoever does
//! not have these numbers their kind, their shape and their file: `1h.0123456789abcdef.matrix.4x11x11.attention.npz`.

use super::{Brought, Contents, pack, shelf};
use crate::app::{Field, Rule, url};

/// The most packed bytes that a link holds.
pub const LARGEST: usize = 12 * 1024;

const INLINE: &str = "1i";
const NAMED: &str = "1h.";
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(super) fn written(contents: &Contents, file: &str, hash: u64, packed: &[u8]) -> String {
    if packed.len() <= LARGEST {
        return format!("{INLINE}{}", encoded(packed));
    }
    let shape: Vec<String> = contents.shape().iter().map(usize::to_string).collect();
    let (kind, shape) = (contents.kind().name(), shape.join("x"));
    format!("{NAMED}{hash:016x}.{kind}.{shape}.{file}")
}

pub(super) fn is_inline(link: &str) -> bool {
    link.starts_with(INLINE)
}

/// Reads what `written` writes; what is only named is looked for on the [`shelf`].
///
/// # Errors
/// [`Rule::DataForm`], [`Rule::DataMissing`] where the numbers are not at hand.
pub fn read(written: &str) -> Result<Brought, Rule> {
    if let Some(bytes) = written.strip_prefix(INLINE) {
        let bytes = decoded(bytes).ok_or(Rule::DataForm)?;
        return pack::unpack(&bytes, "").map_err(|_| Rule::DataForm);
    }
    let missing = Missing::read(written).ok_or(Rule::DataForm)?;
    shelf::find(missing.hash).ok_or(Rule::DataMissing(missing))
}

/// The hash of numbers that a fragment only names.
pub fn named_in(fragment: &str) -> Option<u64> {
    missing_in(fragment).map(|missing| missing.hash)
}

/// The file from which numbers came that a fragment only names.
pub fn file_in(fragment: &str) -> Option<String> {
    missing_in(fragment).map(|missing| missing.file)
}

fn missing_in(fragment: &str) -> Option<Missing> {
    let mut parts = url::split(fragment);
    let (_, raw) = parts.find(|(key, _)| Field::from_key(key) == Some(Field::Data))?;
    Missing::read(&url::decode(raw)?)
}

/// Numbers that a link names and does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What they are known by.
    pub hash: u64,
    /// Their kind, by its name in links.
    pub kind: &'static str,
    /// Their shape, as `4 × 11 × 11`.
    pub shape: String,
    /// The file that they came from; may be empty.
    pub file: String,
}

impl Missing {
    fn read(written: &str) -> Option<Self> {
        let mut parts = written.strip_prefix(NAMED)?.splitn(4, '.');
        let (hash, kind, shape) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = super::Kind::ALL
            .into_iter()
            .find(|own| own.name() == kind)?;
        let lengths: Option<Vec<u32>> = shape.split('x').map(|one| one.parse().ok()).collect();
        let lengths: Vec<String> = lengths?.iter().take(3).map(u32::to_string).collect();
        Some(Self {
            hash: u64::from_str_radix(hash, 16)
                .ok()
                .filter(|_| hash.len() == 16)?,
            kind: kind.name(),
            shape: lengths.join(" × "),
            file: super::check::shown(parts.next().unwrap_or_default()),
        })
    }
}

/// Bytes as letters.
pub fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for letter in 0..=three.len() {
            text.push(char::from(
                LETTERS[(bits >> (18 - 6 * letter) & 63) as usize],
            ));
        }
    }
    text
}

/// Letters as bytes; `None` for any other letter, and for what no bytes become.
pub fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for (place, letter) in four.iter().enumerate() {
            bits |= value(*letter)? << (18 - 6 * place);
        }
        let count = four.len().checked_sub(1).filter(|count| *count > 0)?;
        let (own, rest) = ([(bits >> 16) as u8, (bits >> 8) as u8, bits as u8], count);
        let is_left = bits & ((1 << (24 - 8 * count)) - 1) != 0;
        if is_left {
            return None;
        }
        bytes.extend(&own[..rest]);
    }
    Some(bytes)
}

fn value(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    }))
}
