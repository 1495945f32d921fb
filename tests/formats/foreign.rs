//! Files of other programs are told by their bytes: here only by how they begin.

use formats::{Foreign, FormatRule, Kind, Limits, Tensor, read, write};

#[track_caller]
fn is(name: &str, bytes: &[u8], foreign: Foreign) {
    let error = read(name, bytes, &Limits::default()).expect_err(name);
    assert_eq!(error.rule, FormatRule::Foreign(foreign), "{name}");
}

/// An archive with files of these names, as any program begins one.
fn archive(names: &[&str]) -> Vec<u8> {
    let tensors: Vec<Tensor> = names
        .iter()
        .map(|name| Tensor::new(*name, vec![1], vec![0.0]))
        .collect();
    let mut bytes = write(Kind::Npz, &tensors);
    // Names as long as those of arrays.
    while let Some(at) = bytes.windows(4).position(|own| own == b".npy") {
        bytes[at..at + 4].copy_from_slice(b".xyz");
    }
    bytes
}

#[test]
fn what_other_programs_write_is_named() {
    for (name, bytes, foreign) in [
        (
            "w",
            &b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."[..],
            Foreign::PyTorch,
        ),
        ("w.pkl", b"\x80\x04\x95\x10\0\0\0", Foreign::Pickle),
        ("w.joblib", b"\x78\x9c\x01\xff", Foreign::Pickle),
        ("w.h5", b"\x89HDF\r\n\x1a\n\0", Foreign::Hdf5),
        ("w", b"GGUF\x03\0\0\0", Foreign::Gguf),
        ("w.onnx", b"\x08\x08\x12\x07pytorch\0\xff", Foreign::Onnx),
        ("w.parquet", b"PAR1\x15\x04", Foreign::Columns),
        (
            "w.mat",
            b"MATLAB 5.0 MAT-file, Platform: x",
            Foreign::Matlab,
        ),
        ("w.rds", b"\x1f\x8b\x08\0", Foreign::R),
        ("w.rda", b"RDX3\nX\n", Foreign::R),
        ("w.xls", b"\xd0\xcf\x11\xe0\xa1\xb1", Foreign::Spreadsheet),
        ("w.csv", b"\n<!DOCTYPE html><html><body>", Foreign::WebPage),
        ("w", b"%PDF-1.7\n", Foreign::Pdf),
        ("w", b"\x89PNG\r\n\x1a\n", Foreign::Picture),
        ("w.jpg", b"\xff\xd8\xff\xe0\0", Foreign::Picture),
        (
            "w.svg",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            Foreign::Picture,
        ),
        ("w.npy.gz", b"\x1f\x8b\x08\0", Foreign::Compressed),
        (
            "w.ipynb",
            b"{\"cells\": [], \"metadata\": {}}",
            Foreign::Notebook,
        ),
        (
            "w.json",
            b"{\n \"cells\": [{\"cell_type\": \"code\"}]}",
            Foreign::Notebook,
        ),
    ] {
        is(name, bytes, foreign);
    }
    for (names, foreign) in [
        (&["w/data.pkl", "w/byteorder"][..], Foreign::PyTorch),
        (
            &["[Content_Types].xml", "xl/workbook"],
            Foreign::Spreadsheet,
        ),
        (&["word/document"], Foreign::Document),
        (&["config", "model.weights.h5"], Foreign::Hdf5),
    ] {
        is("w", &archive(names), foreign);
    }
}

#[test]
fn names_alone_make_nothing_foreign() {
    for name in ["w.pt", "w.xls", "w.bin", "w.h5", "w.rds"] {
        assert!(
            read(name, b"0.7,0.3\n0.4,0.6\n", &Limits::default()).is_ok(),
            "{name}"
        );
    }
    let npz = write(Kind::Npz, &[Tensor::new("data.pkl", vec![1], vec![0.5])]);
    assert!(read("w.npz", &npz, &Limits::default()).is_ok());
}
