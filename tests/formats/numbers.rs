//! Numbers as they are stored: their kind, infinities, and the order of columns.

use formats::{FormatRule, Limits, NumberKind, Numbers, numbers};

use crate::texts::{npy, zip};

fn stored(name: &str, bytes: &[u8]) -> Vec<Numbers> {
    numbers(name, bytes, &Limits::default()).expect("arrays of numbers")
}

#[test]
fn infinities_stay_in_every_width() {
    for (descr, bytes) in [
        ("<f2", vec![0x00, 0x3C, 0x00, 0xFC]),
        (
            "<f4",
            [1f32, f32::NEG_INFINITY].map(f32::to_le_bytes).concat(),
        ),
        (
            "<f8",
            [1f64, f64::NEG_INFINITY].map(f64::to_le_bytes).concat(),
        ),
    ] {
        let found = stored("mask.npy", &npy(descr, "(1, 2)", &bytes));
        let wanted = Numbers {
            name: "mask".to_owned(),
            shape: vec![1, 2],
            data: vec![1.0, f64::NEG_INFINITY],
            kind: NumberKind::Float,
        };
        assert_eq!(found, [wanted], "{descr}");
    }
}

#[test]
fn an_archive_gives_its_numbers_and_leaves_texts_out() {
    let columns_first = npy("<i2", "(2, 3)", &[1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]);
    let columns_first = String::from_utf8_lossy(&columns_first)
        .replace("False", "True ")
        .into_bytes();
    // The magic number is no text; the header and small numbers are.
    let columns_first = [b"\x93", &columns_first["\u{fffd}".len()..]].concat();
    let files = [
        ("bools.npy", npy("|b1", "(2,)", &[1, 0])),
        ("names.npy", npy("<U1", "(1,)", &[97, 0, 0, 0])),
        ("turned.npy", columns_first),
    ];
    let files = files.map(|(name, bytes)| (name.to_owned(), bytes));
    let found = stored("a.npz", &zip(&files));
    let kinds: Vec<_> = found.iter().map(|own| (&*own.name, own.kind)).collect();
    let wanted = [("bools", NumberKind::Bool), ("turned", NumberKind::Integer)];
    assert_eq!(kinds, wanted);
    assert_eq!(found[1].shape, [2, 3]);
    assert_eq!(found[1].data, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let error = numbers("a.npz", &zip(&files[1..2]), &Limits::default());
    assert_eq!(error.expect_err("no numbers").rule, FormatRule::NoTensors);
}

#[test]
fn other_files_and_arrays_are_refused() {
    let rule = |name: &str, bytes: &[u8]| {
        let found = numbers(name, bytes, &Limits::default());
        found.expect_err("no numbers").rule
    };
    assert_eq!(rule("a.csv", b"1,2\n3,4\n"), FormatRule::UnknownFormat);
    let text = npy("<U1", "(1,)", &[97, 0, 0, 0]);
    assert_eq!(rule("a.npy", &text), FormatRule::Dtype);
    let short = npy("|b1", "(3,)", &[1, 0]);
    assert_eq!(rule("a.npy", &short), FormatRule::Truncated);
}
