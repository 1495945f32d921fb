//! What is said of files: formats, sizes, and why one was refused.

use crate::formats::{FormatError, Kind, Rule};
use crate::view::format;
use crate::words::{Key, Language, fill};

/// A format by the name that it goes by.
pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Csv => "CSV",
        Kind::Json => "JSON",
        Kind::Npy => "NPY",
        Kind::Npz => "NPZ",
        Kind::Safetensors => "safetensors",
    }
}

/// A number of bytes.
pub fn size(bytes: u64) -> String {
    format::si(bytes as f64, "B")
}

/// What a refusal says: where, and what is wrong there.
pub fn refusal(language: Language, error: &FormatError) -> String {
    let (key, number) = rule(error.rule);
    let number = number.map(|number| number.to_string()).unwrap_or_default();
    let values = [
        ("value", error.value.as_str()),
        ("most", &number),
        ("expected", &number),
    ];
    let mut said = fill(language, key, &values);
    if !error.value.is_empty() && repeats(error.rule) {
        let values = [("rule", said.as_str()), ("value", &error.value)];
        said = fill(language, Key::FileFound, &values);
    }
    match error.name.is_empty() {
        true => said,
        false => fill(
            language,
            Key::FileAt,
            &[("name", &place(language, &error.name)), ("rule", &said)],
        ),
    }
}

/// The place of a refusal in the reader's language; names of tensors stay what they are.
fn place(language: Language, name: &str) -> String {
    let number = |part: &str, what: &str| {
        let number = part.strip_prefix(what)?.trim_start();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| number.to_owned())
    };
    let told = match name.split_once(", ") {
        Some((row, column)) => {
            number(row, "row ")
                .zip(number(column, "column "))
                .map(|(row, column)| {
                    (
                        Key::FileRowColumn,
                        [("row", row), ("column", column)].to_vec(),
                    )
                })
        }
        None => number(name, "row ")
            .map(|row| (Key::FileRow, [("row", row)].to_vec()))
            .or_else(|| {
                number(name, "line ").map(|line| (Key::FileLine, [("line", line)].to_vec()))
            }),
    };
    told.map_or_else(
        || name.to_owned(),
        |(key, values)| {
            let values: Vec<_> = values
                .iter()
                .map(|(key, value)| (*key, value.as_str()))
                .collect();
            fill(language, key, &values)
        },
    )
}

/// Whether what was found is told after the rule, which does not tell it itself.
fn repeats(rule: Rule) -> bool {
    matches!(rule, Rule::Malformed | Rule::Duplicate)
}

/// The sentence of a rule, and the number in it.
fn rule(rule: Rule) -> (Key, Option<usize>) {
    let key = match rule {
        Rule::MostBytes(most) => return (Key::FileBytes, Some(most)),
        Rule::MostTensors(most) => return (Key::FileTensors, Some(most)),
        Rule::MostElements(most) => return (Key::FileElements, Some(most)),
        Rule::MostAxes(most) => return (Key::FileAxes, Some(most)),
        Rule::MostHeader(most) => return (Key::FileHeader, Some(most)),
        Rule::Ragged(expected) => return (Key::FileRagged, Some(expected)),
        Rule::Length(expected) => return (Key::FileLength, Some(expected)),
        Rule::UnknownFormat => Key::FileUnknown,
        Rule::NoTensors => Key::FileEmpty,
        Rule::Truncated => Key::FileTruncated,
        Rule::Trailing => Key::FileTrailing,
        Rule::Malformed => Key::FileMalformed,
        Rule::NotText => Key::FileNotText,
        Rule::Duplicate => Key::FileDuplicate,
        Rule::Missing => Key::FileMissing,
        Rule::UnknownField => Key::FileUnknownField,
        Rule::Dtype => Key::FileDtype,
        Rule::NotFinite => Key::FileNotFinite,
        Rule::BeyondRange => Key::FileBeyond,
        Rule::NotNumber => Key::FileNotNumber,
        Rule::EmptyCell => Key::FileEmptyCell,
        Rule::MixedDecimals => Key::FileMixed,
        Rule::Overlap => Key::FileOverlap,
        Rule::Bomb => Key::FileBomb,
        Rule::Checksum => Key::FileChecksum,
        Rule::UnsafeName => Key::FileUnsafe,
        Rule::Archive => Key::FileArchive,
    };
    (key, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Limits, read};

    fn said(language: Language, name: &str, bytes: &[u8]) -> String {
        let error = read(name, bytes, &Limits::default()).expect_err("it is refused");
        refusal(language, &error)
    }

    #[test]
    fn a_refusal_says_where_and_what() {
        let table = b"a,b\n1,2\n3,nan\n";
        assert_eq!(
            said(Language::En, "q.csv", table),
            "q[1, 1]: “nan” is no finite number."
        );
        assert_eq!(
            said(Language::Zh, "q.csv", table),
            "q[1, 1]：“nan”不是有限的数。"
        );
        assert_eq!(
            said(Language::En, "q.json", b"[[1, 2], [3]]"),
            "q[1]: There are 1 where the rows before have 2."
        );
        assert_eq!(
            said(Language::En, "", b"[1] 2"),
            "line 1: Something stands after its end."
        );
    }

    #[test]
    fn places_are_told_in_the_readers_language_and_names_are_kept() {
        let zh = |name| place(Language::Zh, name);
        assert_eq!(zh("row 12"), "第 12 行");
        assert_eq!(zh("row 2, column 3"), "第 2 行第 3 列");
        assert_eq!(zh("line 4"), "第 4 行");
        assert_eq!(place(Language::En, "row 2, column 3"), "row 2, column 3");
        for name in ["row", "row x", "rows 2", "q[1, 1]", "row 2, w_q", "<b>"] {
            assert_eq!(zh(name), name);
        }
    }

    #[test]
    fn every_rule_is_a_whole_sentence_in_every_language() {
        let files: [(&str, &[u8]); 7] = [
            ("q.csv", b"1,,2"),
            ("q.csv", b"1;2,5\n1.5;3"),
            ("q.json", b"{\"shape\": [2], \"data\": [1]}"),
            (
                "q.json",
                b"{\"shape\": [2], \"datum\": [1], \"data\": [1, 2]}",
            ),
            ("q.npy", b"\x93NUMPY\x01\x00\x76\x00"),
            ("q.npz", b"PK\x03\x04"),
            ("q.bin", b"\x00\x01"),
        ];
        for language in Language::ALL {
            for (name, bytes) in files {
                let said = said(language, name, bytes);
                assert!(
                    said.ends_with(['.', '。']) && !said.contains(['{', '}']),
                    "{said}"
                );
            }
        }
    }
}
