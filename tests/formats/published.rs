//! Files that other readers were found to read wrongly, byte by byte.

use formats::{ErrorLocation, FormatRule, Limits, Tensor, read};

/// An array of NumPy with a header of this version.
fn npy(version: u8, [descr, order, shape]: [&str; 3], data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let length = (header.len() as u32).to_le_bytes();
    let width = if version == 1 { 2 } else { 4 };
    let parts = [b"\x93NUMPY", &[version, 0][..], &length[..width]];
    [&parts.concat(), header.as_bytes(), data].concat()
}

fn numbers(bytes: &[u8]) -> Tensor {
    let mut tensors = read("a.npy", bytes, &Limits::default()).expect("an array");
    assert_eq!(tensors.len(), 1);
    tensors.remove(0)
}

/// <https://github.com/haochengxia/vscode-numpy-viewer/issues/1>: columns first.
#[test]
fn columns_first_are_the_same_array() {
    let found = numbers(&npy(1, ["|u1", "True", "(2, 3)"], &[1, 4, 2, 5, 3, 6]));
    assert_eq!(found.shape, [2, 3]);
    assert_eq!(found.data, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    // The number at `[i, j, k]` is 100 i + 10 j + k.
    let deep = [0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121];
    let found = numbers(&npy(1, ["|u1", "True", "(2, 3, 2)"], &deep));
    let wanted = [0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121];
    assert_eq!(found.data, wanted.map(|one: u8| f32::from(one)));
}

/// <https://github.com/aplbrain/npyjs/issues/44>: numbers of 16 bits, the least of them too.
#[test]
fn sixteen_bits_are_read_exactly() {
    let bytes = [0x00, 0x3C, 0xFF, 0x7B, 0x01, 0x00, 0x01, 0x80];
    let found = numbers(&npy(1, ["<f2", "False", "(4,)"], &bytes));
    let least = 2f32.powi(-24);
    assert_eq!(found.data, [1.0, 65504.0, least, -least]);
}

/// <https://github.com/aplbrain/npyjs/issues/3>, and arrays without axes or numbers, under each version of the header.
#[test]
fn bytes_truths_and_empty_shapes_are_read() {
    for version in [1, 2, 3] {
        let of = |descr, shape, data: &[u8]| {
            let found = numbers(&npy(version, [descr, "False", shape], data));
            (found.shape, found.data)
        };
        assert_eq!(
            of("|u1", "(3,)", &[0, 128, 255]),
            (vec![3], vec![0.0, 128.0, 255.0])
        );
        let truths = (vec![2, 2], vec![1.0, 0.0, 0.0, 1.0]);
        assert_eq!(of("|b1", "(2, 2)", &[1, 0, 0, 1]), truths);
        assert_eq!(of("<f4", "()", &1.5f32.to_le_bytes()), (vec![], vec![1.5]));
        assert_eq!(of("<f4", "(0, 5)", &[]), (vec![0, 5], vec![]));
    }
}

/// <https://github.com/visgl/loaders.gl/pull/986>: the other byte order is refused, not read as 4.6·10⁻⁴¹; pickled objects are never opened.
#[test]
fn the_other_byte_order_and_objects_are_refused_by_type() {
    let refused = |descr, data: &[u8]| {
        let bytes = npy(1, [descr, "False", "(1,)"], data);
        let error = read("a.npy", &bytes, &Limits::default()).expect_err(descr);
        (error.rule, error.value)
    };
    let big = refused(">f4", &[0x3F, 0x80, 0, 0]);
    assert_eq!(big, (FormatRule::BigEndian, ">f4".to_owned()));
    let objects = refused("|O", b"\x80\x04N.");
    assert_eq!(objects, (FormatRule::Dtype, "|O".to_owned()));
}

fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length, header.as_bytes(), data].concat()
}

/// <https://github.com/foundation-model-stack/fastsafetensors/pull/89>: metadata may be empty or null, and so may a tensor.
#[test]
fn empty_metadata_and_tensors_of_safetensors_are_read() {
    let none = r#""none":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]}"#;
    let brain = r#""brain":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}"#;
    for metadata in [r#""__metadata__":{},"#, r#""__metadata__":null,"#, ""] {
        let bytes = safetensors(
            &format!("{{{metadata}{none},{brain}}}"),
            &[0x80, 0x3F, 0xCD, 0x3D],
        );
        let found = read("a.safetensors", &bytes, &Limits::default()).expect("two tensors");
        let wanted = [
            Tensor::new("none", vec![0, 3], vec![]),
            Tensor::new("brain", vec![2], vec![1.0, f32::from_bits(0x3DCD_0000)]),
        ];
        assert_eq!(found, wanted, "{metadata}");
    }
}

/// <https://github.com/safetensors/safetensors/issues/466>, types of 8 bits and fewer, and bytes that belong to two tensors.
#[test]
fn what_is_no_safetensors_is_refused_with_its_place() {
    let of = |header: &str, bytes| {
        let file = safetensors(header, &vec![0; bytes]);
        let error = read("a.safetensors", &file, &Limits::default()).expect_err(header);
        (error.place, error.rule, error.value)
    };
    let named = |name: &str| ErrorLocation::Named(name.to_owned());
    let (_, rule, _) = of(r#"{},"__metadata__":{"format":"pt"}}"#, 0);
    assert_eq!(rule, FormatRule::Trailing);
    for dtype in ["F8_E4M3", "F8_E5M2", "F8_E8M0", "F4", "I4"] {
        let header = format!(r#"{{"q":{{"dtype":"{dtype}","shape":[4],"data_offsets":[0,4]}}}}"#);
        let refused = (named("q"), FormatRule::Dtype, dtype.to_owned());
        assert_eq!(of(&header, 4), refused);
    }
    let two = r#"{"q":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"k":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}"#;
    let overlap = (named("k"), FormatRule::Overlap, "[4, 12]".to_owned());
    assert_eq!(of(two, 12), overlap);
}
