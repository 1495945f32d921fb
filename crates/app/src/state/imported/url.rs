//! Imported numbers in a link: the numbers themselves if they are few, else their hash.
//!
//! `1i` and the packed bytes in base64 (RFC 4648, URL-safe, without padding); or `1h`, the hash, and for readers without these numbers
//! their kind, shape and file: `1h.0123456789abcdef.matrix.4x11x11.attention.npz`.

wasm_chunks::chunk!("more": MissingData);

use super::{AxisLabels, ImportedData, ImportedTensors, cache, serialize};
use crate::state::{Field, LinkWarning, SettingError, url};
use formats::encoding::base64;

/// The most packed bytes that a link holds.
pub const LARGEST: usize = 12 * 1024;

const INLINE: &str = "1i";
const NAMED: &str = "1h.";

pub(super) fn to_param(
    contents: &ImportedTensors,
    names: &AxisLabels,
    file: &str,
    hash: u64,
) -> String {
    if serialize::size(contents, names) <= LARGEST {
        let packed = serialize::pack(contents, names);
        return format!("{INLINE}{}", base64::url(&packed));
    }
    let shape: Vec<String> = contents.shape().iter().map(usize::to_string).collect();
    let (kind, shape) = (contents.kind().name(), shape.join("x"));
    format!("{NAMED}{hash:016x}.{kind}.{shape}.{file}")
}

pub(super) fn is_inline(link: &str) -> bool {
    link.starts_with(INLINE)
}

/// Parses the output of `written`; data that are only named are looked up in the [`cache`].
///
/// # Errors
/// [`SettingError::DataForm`], [`SettingError::DataMissing`] where the numbers are not cached.
pub fn parse(written: &str) -> Result<ImportedData, SettingError> {
    if let Some(bytes) = written.strip_prefix(INLINE) {
        let bytes = base64::from_url(bytes).ok_or(SettingError::DataForm)?;
        return serialize::unpack(&bytes, "").map_err(|_| SettingError::DataForm);
    }
    let missing = MissingData::read(written).ok_or(SettingError::DataForm)?;
    cache::find(missing.hash).ok_or(SettingError::DataMissing(missing))
}

/// The file from which numbers came that a fragment only names.
pub fn file_in(fragment: &str) -> Option<String> {
    missing_in(fragment).map(|missing| missing.file)
}

fn missing_in(fragment: &str) -> Option<MissingData> {
    let mut parts = url::split(fragment);
    let (_, raw) = parts.find(|(key, _)| Field::from_key(key) == Some(Field::Data))?;
    MissingData::read(&url::decode(raw)?)
}

/// Numbers that a link names and does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingData {
    /// Their hash.
    pub hash: u64,
    /// Their kind, by its name in links.
    pub kind: &'static str,
    /// Their shape, as `4 × 11 × 11`.
    pub shape: String,
    /// The file that they came from; may be empty.
    pub file: String,
}

impl MissingData {
    fn read(written: &str) -> Option<Self> {
        let mut parts = written.strip_prefix(NAMED)?.splitn(4, '.');
        let (hash, kind, shape) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = super::ImportedKind::ALL
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
            file: super::validate::shown(parts.next().unwrap_or_default()),
        })
    }
}

/// A link whose data have not arrived yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingLink {
    hash: u64,
    pub fragment: String,
}

impl PendingLink {
    /// Finds the data that `fragment` lacks, by its warnings.
    pub fn new(fragment: &str, notes: &[LinkWarning]) -> Option<Self> {
        let hash = notes.iter().find_map(|note| match &note.rule {
            SettingError::DataMissing(missing) => Some(missing.hash),
            _ => None,
        })?;
        let fragment = fragment.to_owned();
        Some(Self { hash, fragment })
    }

    /// Whether these are its numbers.
    pub fn waits_for(&self, imported: &ImportedData) -> bool {
        self.hash == imported.hash()
    }
}
