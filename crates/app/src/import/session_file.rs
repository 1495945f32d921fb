//! A setting file: a link together with the numbers that it names.

use crate::state::imported::{ImportedData, serialize, url};
use formats::encoding::base64;

/// First bytes of the file, before the link.
const HEAD: &str = "{\"attention_playground\":";
const DATA: &str = ",\"numbers\":";

/// A setting that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingFile {
    /// The link's fragment.
    pub fragment: String,
    /// The numbers.
    pub imported: ImportedData,
}

/// The setting of `fragment` with its numbers, as JSON: the numbers packed, in base64 for addresses.
pub fn write_setting(fragment: &str, imported: &ImportedData) -> Vec<u8> {
    let numbers = base64::url(&imported.packed());
    // No fragment has a quotation mark or a backslash in it: links percent-encode both.
    format!("{HEAD} \"{fragment}\"\n{DATA} \"{numbers}\"\n}}\n").into_bytes()
}

/// Whether a file that begins so is a setting file, or looks like one.
pub fn begins_setting(bytes: &[u8]) -> bool {
    after_name(bytes).is_some()
}

fn after_name(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.trim_ascii_start().strip_prefix(b"{")?;
    rest.trim_ascii_start()
        .strip_prefix(b"\"attention_playground\"")
}

/// Parses the output of [`write_setting`], with any white space; `None` for anything else.
pub fn read_setting(bytes: &[u8], file: &str) -> Option<SettingFile> {
    // Most files are something else, and not looked through to find that out.
    let rest = std::str::from_utf8(after_name(bytes)?).ok()?;
    let (fragment, rest) = value(rest)?;
    let rest = rest.trim_start().strip_prefix(',')?.trim_start();
    let (numbers, rest) = value(rest.strip_prefix("\"numbers\"")?)?;
    if rest.trim() != "}" {
        return None;
    }
    // The numbers keep the name of the file that they were first brought in.
    let first = url::file_in(fragment);
    let file = first.as_deref().unwrap_or(file);
    let imported = serialize::unpack(&base64::from_url(numbers)?, file).ok()?;
    Some(SettingFile {
        fragment: fragment.to_owned(),
        imported,
    })
}

/// `: "…"`, and what follows it.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().strip_prefix(':')?.trim_start();
    let (value, rest) = text.strip_prefix('"')?.split_once('"')?;
    (!value.contains('\\')).then_some((value, rest))
}
