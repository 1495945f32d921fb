//! Texts about files: formats, sizes, and why one was refused.

wasm_chunks::chunk!("more");

use std::fmt::Display;

use super::{Key, Language, text};
use formats::{
    Contents, ErrorLocation, Foreign, FormatError, FormatRule, Limits, Source, sanitize,
};

/// The most files at a time: Q, K and V one by one, say.
const MOST_FILES: usize = 16;

/// Texts that are named where they are passed over.
const MOST_NAMED: usize = 6;

/// Why so many files, or so many bytes, are not read at a time.
pub fn refusal_of_amount(language: Language, files: usize, bytes: f64) -> Option<String> {
    let most = Limits::default().bytes;
    if files > MOST_FILES {
        return Some(text::import_too_many(language, &files, &MOST_FILES));
    }
    let megabytes = (bytes / 1_048_576.0).ceil();
    (bytes > most as f64).then(|| text::import_too_large(language, &megabytes, &(most >> 20)))
}

/// Text of an error: its location, and the problem.
fn refusal(language: Language, error: &FormatError) -> String {
    let mut said = rule(language, error.rule, &error.value);
    if !error.value.is_empty() && repeats(error.rule) {
        said = text::file_found(language, &said, &error.value);
    }
    match location_text(language, &error.place) {
        None => said,
        Some(place) => at(language, &place, &said),
    }
}

/// The same where it may be of one of several files, which is named where the place does not do it.
pub fn refusal_of(language: Language, file: Option<&str>, error: &FormatError) -> String {
    let said = refusal(language, error);
    match file.filter(|file| !error.place.is_in(file)) {
        Some(file) => at(language, file, &said),
        None => said,
    }
}

/// Error that the browser could not read a file; `file` is its name if it is one of several.
pub fn unreadable(language: Language, file: Option<&str>) -> String {
    let rule = Key::ImportUnread.text(language);
    file.map_or_else(|| rule.to_owned(), |file| at(language, file, rule))
}

/// Puts a name before a problem.
pub fn at(language: Language, name: &str, rule: &str) -> String {
    text::file_at(language, &sanitize(name), &rule)
}

/// Location of an error, unless it is the whole file. Names of tensors are not translated.
fn location_text(language: Language, place: &ErrorLocation) -> Option<String> {
    Some(match place {
        ErrorLocation::File => return None,
        ErrorLocation::Line(line) => text::file_line(language, line),
        ErrorLocation::Row(row) => text::file_row(language, row),
        ErrorLocation::Cell { row, column } => text::file_row_column(language, row, column),
        ErrorLocation::Header => Key::FilePlaceHeader.text(language).to_owned(),
        ErrorLocation::Directory => Key::FilePlaceDirectory.text(language).to_owned(),
        ErrorLocation::Named(name) => name.clone(),
        ErrorLocation::Element { name, index } => format!("{name}{index:?}"),
    })
}

/// Whether the found value is appended to the rule's text, which does not contain it.
fn repeats(rule: FormatRule) -> bool {
    matches!(rule, FormatRule::Malformed | FormatRule::Duplicate)
}

/// Sentence of a rule about the found value.
fn rule(language: Language, rule: FormatRule, value: &dyn Display) -> String {
    let plain = |key: Key| key.text(language).to_owned();
    match rule {
        FormatRule::MostBytes(most) => text::file_bytes(language, value, &most),
        FormatRule::MostTensors(most) => text::file_tensors(language, value, &most),
        FormatRule::MostElements(most) => text::file_elements(language, value, &most),
        FormatRule::MostAxes(most) => text::file_axes(language, value, &most),
        FormatRule::MostHeader(most) => text::file_header(language, value, &most),
        FormatRule::Ragged(expected) => text::file_ragged(language, value, &expected),
        FormatRule::Length(expected) => text::file_length(language, value, &expected),
        FormatRule::UnknownFormat => plain(Key::FileUnknown),
        FormatRule::NoTensors => plain(Key::FileEmpty),
        FormatRule::Truncated => plain(Key::FileTruncated),
        FormatRule::Trailing => plain(Key::FileTrailing),
        FormatRule::Malformed => plain(Key::FileMalformed),
        FormatRule::NotText => plain(Key::FileNotText),
        FormatRule::Encoding => plain(Key::FileEncoding),
        FormatRule::Duplicate => plain(Key::FileDuplicate),
        FormatRule::Missing => text::file_missing(language, value),
        FormatRule::UnknownField => text::file_unknown_field(language, value),
        FormatRule::Dtype => text::file_dtype(language, value),
        FormatRule::NotFinite => text::file_not_finite(language, value),
        FormatRule::BeyondRange => text::file_beyond(language, value),
        FormatRule::NotNumber => text::file_not_number(language, value),
        FormatRule::EmptyCell => plain(Key::FileEmptyCell),
        FormatRule::DecimalComma => text::file_decimal_comma(language, value),
        FormatRule::BigEndian => text::file_big_endian(language, value),
        FormatRule::Elided => plain(Key::FileElided),
        FormatRule::OtherKeys => plain(Key::FileOtherKeys),
        FormatRule::Foreign(foreign) => plain(self::foreign(foreign)),
        FormatRule::Uneven => plain(Key::FileUneven),
        FormatRule::Overlap => plain(Key::FileOverlap),
        FormatRule::Bomb => plain(Key::FileBomb),
        FormatRule::Checksum => plain(Key::FileChecksum),
        FormatRule::UnsafeName => plain(Key::FileUnsafe),
        FormatRule::Archive => plain(Key::FileArchive),
    }
}

/// Names a file format of another program, and says what to do instead.
const fn foreign(foreign: Foreign) -> Key {
    match foreign {
        Foreign::PyTorch => Key::FilePytorch,
        Foreign::Pickle => Key::FilePickle,
        Foreign::Hdf5 => Key::FileHdf5,
        Foreign::Gguf => Key::FileGguf,
        Foreign::Onnx => Key::FileOnnx,
        Foreign::Columns => Key::FileColumns,
        Foreign::Matlab => Key::FileMatlab,
        Foreign::R => Key::FileR,
        Foreign::Spreadsheet => Key::FileSpreadsheet,
        Foreign::Document => Key::FileDocument,
        Foreign::WebPage => Key::FileWebPage,
        Foreign::Pdf => Key::FilePdf,
        Foreign::Picture => Key::FilePicture,
        Foreign::Notebook => Key::FileNotebook,
        Foreign::Compressed => Key::FileCompressed,
    }
}

/// Detected format of a file, unless its name says so, and its ignored parts.
pub fn source(language: Language, contents: &Contents) -> Vec<String> {
    let source = match contents.source {
        Source::Json | Source::Npy | Source::Npz | Source::Safetensors => None,
        Source::Table => Some(Key::SourceTable),
        Source::DecimalCommas => Some(Key::SourceCommas),
        Source::PrintedTable => Some(Key::SourcePrintedTable),
        Source::Brackets => Some(Key::SourceBrackets),
        Source::JsonColumns => Some(Key::SourceJsonColumns),
        Source::JsonRows => Some(Key::SourceJsonRows),
        Source::JsonTable => Some(Key::SourceJsonTable),
    };
    let source = source.map(|key| key.text(language).to_owned());
    let separator = match language {
        Language::Zh => "、",
        _ => ", ",
    };
    let names = contents.skipped.iter().take(MOST_NAMED);
    let mut names: Vec<&str> = names.map(String::as_str).collect();
    if contents.skipped.len() > MOST_NAMED {
        names.push("…");
    }
    let skipped =
        (!names.is_empty()).then(|| text::source_skipped(language, &names.join(separator)));
    source.into_iter().chain(skipped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::{Limits, read};

    fn said(language: Language, name: &str, bytes: &[u8]) -> String {
        let error = read(name, bytes, &Limits::default()).expect_err("it is refused");
        refusal(language, &error)
    }

    #[test]
    fn too_many_files_or_bytes_are_refused_before_any_is_read() {
        let refused = |files, bytes| refusal_of_amount(Language::En, files, bytes).is_some();
        let most = Limits::default().bytes as f64;
        assert!(!refused(16, most) && refused(17, 0.0) && refused(1, most + 1.0));
    }

    #[test]
    fn names_without_end_or_that_turn_the_line_around_are_told_in_short() {
        let name = format!("attention\u{202e}{}.csv", "A".repeat(150_000));
        let said = at(Language::En, &name, "it is refused");
        let short = format!("attention{}…{}.csv", "A".repeat(11), "A".repeat(35));
        assert_eq!(said, format!("{short}: it is refused"));
    }

    #[test]
    fn a_refusal_says_where_and_what() {
        let table = b"a,b\n1,2\n3,nan\n";
        assert_eq!(
            said(Language::En, "q.csv", table),
            "q[1, 1]: “NaN” is not a finite number."
        );
        assert_eq!(
            said(Language::Zh, "q.csv", table),
            "q[1, 1]：“NaN”不是有限的数。"
        );
        assert_eq!(
            said(Language::En, "q.json", b"[[1, 2], [3]]"),
            "q[1]: Its length is 1, that of the rows before 2."
        );
        assert_eq!(
            said(Language::En, "", b"{\"q\": [1]} 2"),
            "line 1: There is extra data after its end."
        );
    }

    #[test]
    fn of_several_files_the_one_is_named_unless_its_place_does_it() {
        let of = |file: &str, bytes: &[u8]| {
            let error = read("k.csv", bytes, &Limits::default()).expect_err("it is refused");
            refusal_of(Language::En, Some(file), &error)
        };
        assert_eq!(
            of("k.csv", b"1,2\n3,x\n"),
            "k.csv: row 2, column 2: “x” is not a number."
        );
        assert_eq!(of("k.csv", b""), "k.csv: There are no numbers in it.");
        assert_eq!(of("k", b"nan"), "k[0, 0]: “NaN” is not a finite number.");
        // A place that only sounds like the name does not stand for it.
        assert_eq!(
            of("row 2", b"1,2\n3\n"),
            "row 2: row 2: Its length is 1, that of the rows before 2."
        );
        let long = "k".repeat(200);
        let error = read(&long, b"", &Limits::default()).expect_err("it is refused");
        let said = refusal_of(Language::Zh, Some(&long), &error);
        assert_eq!(
            said.matches("kk：").count() + said.matches("…：").count(),
            1
        );
    }

    #[test]
    fn places_are_told_in_the_readers_language_and_names_are_kept() {
        let told = |place: ErrorLocation| {
            Language::ALL.map(|language| super::location_text(language, &place))
        };
        let cell = ErrorLocation::Cell { row: 2, column: 3 };
        for (place, en, zh) in [
            (ErrorLocation::Line(4), "line 4", "第 4 行"),
            (ErrorLocation::Row(12), "row 12", "第 12 行"),
            (cell, "row 2, column 3", "第 2 行第 3 列"),
            (ErrorLocation::Header, "header", "文件头"),
            (ErrorLocation::Directory, "list of files", "文件列表"),
        ] {
            assert_eq!(told(place), [en, zh].map(|place| Some(place.to_owned())));
        }
        assert_eq!(told(ErrorLocation::File), [None, None]);
        // Whatever a tensor is called, it is no place for that.
        for name in ["row 2", "line 4", "row 2, column 3", "<b>"] {
            assert_eq!(
                told(name.into()),
                [Some(name.to_owned()), Some(name.to_owned())]
            );
        }
    }

    #[test]
    fn a_place_in_the_file_is_told_in_the_readers_language() {
        let files: [(&str, &[u8], &str); 4] = [
            ("q.csv", b"1,2\n3,x\n", "第 2 行第 2 列："),
            ("q.json", b"[[1,\n2]", "第 2 行："),
            ("q.npz", b"PK\x03\x04", "文件列表："),
            ("q.safetensors", b"\x01", "文件头："),
        ];
        for (name, bytes, place) in files {
            let said = said(Language::Zh, name, bytes);
            assert!(said.starts_with(place), "{said}");
        }
    }

    #[test]
    fn what_other_programs_write_says_how_to_save_it_again() {
        let big = b"\x93NUMPY\x01\x00\x3c\x00\
            {'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }  ";
        let files: [(&str, &[u8], &str); 6] = [
            ("q.csv", b"0,5;1\n1;0.5", "1234.5"),
            ("q.csv", b"\xff\xfe1\x00,\x002\x00", "UTF-8"),
            ("q.txt", b"[[0. 0. ... 0.]]", "threshold=sys.maxsize"),
            ("q.txt", b"[[0. 0. ... 0.]]", "profile=\"full\""),
            ("q.pkl", b"\x80\x04\x95", "np.save("),
            ("q.npy", big, ".astype('<f4')"),
        ];
        for language in Language::ALL {
            for (name, bytes, remedy) in files {
                let said = said(language, name, bytes);
                assert!(said.contains(remedy), "{said}");
            }
        }
    }

    #[test]
    fn files_of_other_programs_are_named_for_what_they_are() {
        let named: [(&[u8], [&str; 2]); 5] = [
            (b"\x80\x02\x8a\nl\xfc", ["PyTorch", "PyTorch"]),
            (b"\x89HDF\r\n\x1a\n", ["HDF5", "HDF5"]),
            (b"%PDF-1.7", ["PDF", "PDF"]),
            (b"<!doctype html>", ["web page", "网页"]),
            (b"\xd0\xcf\x11\xe0", ["spreadsheet", "电子表格"]),
        ];
        for (bytes, words) in named {
            for (language, word) in Language::ALL.into_iter().zip(words) {
                let said = said(language, "w", bytes);
                assert!(said.contains(word) && said.ends_with(['.', '。']), "{said}");
            }
        }
    }

    #[test]
    fn what_a_file_was_taken_for_is_said_in_every_language() {
        let said = |language, text: &str| {
            let contents = formats::open("t", text.as_bytes(), &Limits::default());
            source(language, &contents.expect("it is read"))
        };
        let map = r#"{"attn": [[0.7, 0.3], [0.4, 0.6]], "model": "<b>"}"#;
        for (text, en, zh) in [
            ("[[0.7 0.3]]", "Read as a printed array", "打印出来的数组"),
            ("a;b\n0,7;0,3", "decimal commas", "逗号是小数点"),
            (
                r#"{"a":{"x":0.7,"y":0.3},"b":{"x":0.1,"y":0.9}}"#,
                "orient=\"index\"",
                "orient=\"index\"",
            ),
            (map, "names no rows or columns: model", "文字：model"),
        ] {
            for (language, word) in [(Language::En, en), (Language::Zh, zh)] {
                let said = said(language, text);
                assert!(said.len() == 1 && said[0].contains(word), "{said:?}");
            }
        }
        assert!(said(Language::En, "[[0.7, 0.3]]").is_empty());
    }

    #[test]
    fn every_rule_is_a_whole_sentence_in_every_language() {
        let files: [(&str, &[u8]); 9] = [
            ("q.csv", b"1,,2"),
            ("q.csv", b"1;2,5\n1.5;3"),
            ("q.csv", b"\xff\xfe1\x00"),
            ("q.json", b"[nan]"),
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
