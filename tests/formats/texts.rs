//! Texts beside the numbers: names of rows and columns, or passed over.

use formats::{Contents, Kind, Limits, Tensor, open, write};

/// An array of NumPy of this type, shape and these bytes.
pub(super) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

/// An archive of a map `attn` and what else is named, as `np.savez` writes it.
fn npz(others: &[(&str, Vec<u8>)]) -> Contents {
    let map = Tensor::new("attn", vec![2, 2], vec![0.7, 0.3, 0.4, 0.6]);
    let mut files = vec![("attn.npy".to_owned(), write(Kind::Npy, &[map]))];
    files.extend(
        others
            .iter()
            .map(|(name, bytes)| (format!("{name}.npy"), bytes.clone())),
    );
    open("a.npz", &zip(&files), &Limits::default()).expect("it holds a map")
}

/// Stored files, one after the other, and their directory.
pub(super) fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in files {
        let start = bytes.len() as u32;
        let length = (data.len() as u32).to_le_bytes();
        let mut head = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend(formats::encoding::crc32(data).to_le_bytes());
        head.extend([length, length].concat());
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&head);
        bytes.extend(name.as_bytes());
        bytes.extend(data);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    let count = (files.len() as u16).to_le_bytes();
    bytes.extend([count, count].concat());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn letters(texts: &[&str], width: usize) -> Vec<u8> {
    let codes = texts.iter().flat_map(|text| {
        let letters = text.chars().map(u32::from).chain(std::iter::repeat(0));
        letters.take(width).flat_map(u32::to_le_bytes)
    });
    codes.collect()
}

fn names(contents: &Contents) -> Vec<&[String]> {
    let labels = contents.tensors[0].labels.iter();
    labels.map(|axis| &axis.names[..]).collect()
}

#[test]
fn texts_of_numpy_name_what_they_fit() {
    let tokens = npy("<U3", "(2,)", &letters(&["the", "猫"], 3));
    let named = npz(&[("tokens", tokens)]);
    assert_eq!(names(&named), [["the", "猫"], ["the", "猫"]]);
    assert!(named.skipped.is_empty());
    let named = npz(&[("tokens", npy("|S3", "(2,)", b"thea\0\0"))]);
    assert_eq!(names(&named), [["the", "a"], ["the", "a"]]);
    // A batch of one.
    let named = npz(&[("tokens", npy("|S3", "(1, 2)", b"thea\0\0"))]);
    assert_eq!(names(&named)[0], ["the", "a"]);
}

#[test]
fn texts_that_name_nothing_are_passed_over_by_name() {
    let passed = npz(&[
        ("tokens", npy("|S1", "(3,)", b"abc")),
        ("model", npy("<U4", "()", &letters(&["bert"], 4))),
        ("config", npy("|O", "()", b"\x80\x04N.")),
    ]);
    assert_eq!(passed.tensors.len(), 1);
    assert!(passed.tensors[0].labels.is_empty());
    assert_eq!(passed.skipped, ["config", "tokens", "model"]);
}

#[test]
fn lists_of_texts_in_json_name_what_they_fit() {
    let read = |text: &str| open("a.json", text.as_bytes(), &Limits::default()).expect("a map");
    let map = r#""attn": [[0.7, 0.3], [0.4, 0.6]]"#;
    let bertviz = read(&format!(
        r#"{{{map}, "left_text": ["a", "b"], "right_text": ["c", "d"]}}"#
    ));
    assert_eq!(names(&bertviz), [["a", "b"], ["c", "d"]]);
    let batch = read(&format!(r#"{{{map}, "tokens": [["a", "b"]]}}"#));
    assert_eq!(names(&batch), [["a", "b"], ["a", "b"]]);
    let beside = read(&format!(
        r#"{{"model": "bert", {map}, "tokens": ["a", "b", "c"], "causal": true, "note": null, "about": {{"layer": 3, "name": "x"}}}}"#
    ));
    assert_eq!(beside.tensors.len(), 1);
    assert_eq!(
        beside.skipped,
        ["model", "causal", "note", "about", "tokens"]
    );
    let number = read(&format!(r#"{{{map}, "layer": 3}}"#));
    assert_eq!(number.tensors[1], Tensor::new("layer", vec![], vec![3.0]));
}
