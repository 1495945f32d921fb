//! Binary files and JSON that nobody should have written.

use formats::{ErrorLocation, FormatError, FormatRule, Kind, Limits, Tensor, read, write};

use super::element;

fn refused(name: &str, bytes: &[u8]) -> FormatError {
    match read(name, bytes, &Limits::default()) {
        Ok(tensors) => panic!("{name} was read: {tensors:?}"),
        Err(error) => error,
    }
}

#[track_caller]
fn refuses(name: &str, bytes: &[u8], rule: FormatRule) {
    let error = refused(name, bytes);
    assert_eq!(error.rule, rule, "{name}: {error}");
}

fn tensor() -> Tensor {
    Tensor::new("q", vec![2, 3], (0..6).map(|at| at as f32).collect())
}

/// An NPY file of this version with this header and these bytes of data.
fn npy(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

#[test]
fn headers_of_npy_are_read_to_the_letter() {
    let header = |text: &str, data| npy(text, data);
    let good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
    assert!(read("q.npy", &header(good, 24), &Limits::default()).is_ok());
    for (text, data, rule) in [
        (good, 23, FormatRule::Truncated),
        (good, 25, FormatRule::Trailing),
        ("", 0, FormatRule::Malformed),
        ("{}", 0, FormatRule::Missing),
        (
            "{'descr': '<f4', 'fortran_order': False}",
            0,
            FormatRule::Missing,
        ),
        (
            "{'descr': '<f4', 'shape': (2,), 'shape': (2,)}",
            0,
            FormatRule::Duplicate,
        ),
        ("{'descr': '<f4', 'evil': 1}", 0, FormatRule::UnknownField),
        (
            "{'descr': __import__('os').system('x')}",
            0,
            FormatRule::Malformed,
        ),
        (
            "{'descr': '<f4', 'fortran_order': 1, 'shape': (2,)}",
            0,
            FormatRule::Malformed,
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
            0,
            FormatRule::Malformed,
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}",
            0,
            FormatRule::Malformed,
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}",
            0,
            FormatRule::Malformed,
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + {}",
            8,
            FormatRule::Malformed,
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}",
            0,
            FormatRule::Malformed,
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
            0,
            FormatRule::MostElements(16 << 20),
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9999999999)}",
            0,
            FormatRule::MostElements(16 << 20),
        ),
        (
            "{'descr': '<f4', 'fortran_order': True, 'shape': (0, 16777216, 16777216, 16777216)}",
            0,
            FormatRule::MostElements(16 << 20),
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}",
            4,
            FormatRule::MostAxes(8),
        ),
        (
            "{'descr': '|f4', 'fortran_order': False, 'shape': (2,)}",
            8,
            FormatRule::Dtype,
        ),
        (
            "{'descr': '', 'fortran_order': False, 'shape': (2,)}",
            8,
            FormatRule::Dtype,
        ),
        (
            "{'descr': 'é4', 'fortran_order': False, 'shape': (2,)}",
            8,
            FormatRule::Dtype,
        ),
    ] {
        refuses(text, &header(text, data), rule);
    }
    refuses(
        "v9",
        b"\x93NUMPY\x09\x00\x00\x00",
        FormatRule::UnknownFormat,
    );
    refuses(
        "long",
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        FormatRule::MostHeader(1 << 20),
    );
    refuses("short", b"\x93NUMPY\x02", FormatRule::Truncated);
    refuses("q.npy", b"not NumPy", FormatRule::UnknownFormat);
}

/// A safetensors file with this header and these bytes of data.
fn safetensors(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

#[test]
fn headers_of_safetensors_are_read_to_the_letter() {
    let q = r#""q":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#;
    let with = |rest: &str| format!("{{{q}{rest}}}");
    assert!(read("a", &safetensors(&with(""), 8), &Limits::default()).is_ok());
    for (header, data, rule) in [
        (with(""), 7, FormatRule::Truncated),
        (with(""), 9, FormatRule::Trailing),
        (with(&format!(",{q}")), 8, FormatRule::Duplicate),
        (
            with(r#","k":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}"#),
            12,
            FormatRule::Overlap,
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}"#),
            20,
            FormatRule::Overlap,
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}"#),
            20,
            FormatRule::Overlap,
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[3],"data_offsets":[8,16]}"#),
            16,
            FormatRule::Length(2),
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[2],"data_offsets":[8,15]}"#),
            15,
            FormatRule::Length(1),
        ),
        (
            with(r#","k":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[8,10]}"#),
            10,
            FormatRule::Dtype,
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[2]}"#),
            8,
            FormatRule::Missing,
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[2],"data_offsets":[8]}"#),
            8,
            FormatRule::Missing,
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[-2],"data_offsets":[8,16]}"#),
            16,
            FormatRule::Malformed,
        ),
        (
            with(r#","k":{"dtype":"F32","shape":[2e0],"data_offsets":[8,16]}"#),
            16,
            FormatRule::Malformed,
        ),
        (
            with(
                r#","k":{"dtype":"F32","shape":[18446744073709551615,18446744073709551615],"data_offsets":[8,8]}"#,
            ),
            8,
            FormatRule::MostElements(16 << 20),
        ),
        (with(r#","__metadata__":{"a":1}"#), 8, FormatRule::Malformed),
        (
            with(r#","k":{"dtype":"F32","evil":[2]}"#),
            8,
            FormatRule::UnknownField,
        ),
        (with("} {"), 8, FormatRule::Trailing),
        ("{}".to_owned(), 0, FormatRule::NoTensors),
        ("{".to_owned(), 0, FormatRule::Malformed),
    ] {
        refuses(&header, &safetensors(&header, data), rule);
    }
    refuses(
        "huge",
        b"\xff\xff\xff\x7f\x00\x00\x00\x00{",
        FormatRule::MostHeader(1 << 20),
    );
    refuses(
        "beyond",
        b"\x7b\x00\x00\x00\x00\x00\x00\x00{",
        FormatRule::Truncated,
    );
    refuses("f.safetensors", b"\x01", FormatRule::Truncated);
}

/// Headers that safetensors 0.8.0 itself opens.
#[test]
fn headers_that_other_libraries_write_are_read() {
    let q = r#""q":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#;
    for (header, data, names) in [
        // As MLX writes it, whose length is no multiple of 8.
        (format!(r#"{{"__metadata__":null,{q}}}"#), 8, &["q"][..]),
        (format!("  \n{{ {q} }} \n"), 8, &["q"]),
        (r#"{"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]},"a":{"shape":[1],"dtype":"F32","data_offsets":[0,4]}}"#.to_owned(), 8, &["a", "b"]),
        (r#"{"z":{"dtype":"F32","shape":[0,3],"data_offsets":[4,4]},"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#.to_owned(), 8, &["a", "z", "b"]),
        (r#"{"embeddings.position_ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}"#.to_owned(), 8, &["embeddings.position_ids"]),
    ] {
        // Its name says nothing of what it is.
        let tensors = read("a", &safetensors(&header, data), &Limits::default());
        let tensors = tensors.unwrap_or_else(|error| panic!("{header}: {error}"));
        assert!(tensors.iter().map(|tensor| &tensor.name).eq(names), "{header}");
    }
    for value in ["1", "null", "[]"] {
        let header = format!(r#"{{"__metadata__":{{"a":{value}}},{q}}}"#);
        let error = refused("a", &safetensors(&header, 8));
        let place = ErrorLocation::from("__metadata__");
        assert_eq!((error.place, error.rule), (place, FormatRule::Malformed));
    }
}

/// The archive with `change` done to it.
fn archive(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = write(Kind::Npz, &[tensor(), Tensor::new("k", vec![1], vec![1.0])]);
    change(&mut bytes);
    bytes
}

/// Where the `at`-th place begins that holds `mark`.
fn place(bytes: &[u8], mark: &[u8], at: usize) -> usize {
    let mut places = (0..bytes.len()).filter(|start| bytes[*start..].starts_with(mark));
    places.nth(at).expect("it is there")
}

const FILE: &[u8] = b"PK\x03\x04";
const ENTRY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

#[test]
fn archives_that_readers_would_disagree_about_are_refused() {
    let put = |mark: &'static [u8], at: usize, from: usize, with: &'static [u8]| {
        archive(move |bytes| {
            let start = place(bytes, mark, at) + from;
            bytes[start..start + with.len()].copy_from_slice(with);
        })
    };
    let cases = [
        (
            "a comment",
            archive(|bytes| bytes.push(0)),
            FormatRule::Truncated,
        ),
        (
            "bytes in front",
            archive(|bytes| bytes.insert(0, b'P')),
            FormatRule::UnknownFormat,
        ),
        (
            "a gap",
            archive(|bytes| {
                let at = place(bytes, ENTRY, 0);
                bytes.insert(at, 0);
            }),
            FormatRule::Overlap,
        ),
        (
            "more entries",
            put(END, 0, 8, b"\x03\x00\x03\x00"),
            FormatRule::Truncated,
        ),
        (
            "fewer entries",
            put(END, 0, 8, b"\x01\x00\x01\x00"),
            FormatRule::Trailing,
        ),
        (
            "many entries",
            put(END, 0, 8, b"\xff\x7f\xff\x7f"),
            FormatRule::MostTensors(256),
        ),
        (
            "sizes of 64 bit",
            put(END, 0, 8, b"\xff\xff\xff\xff"),
            FormatRule::Archive,
        ),
        ("another disk", put(END, 0, 4, b"\x01"), FormatRule::Archive),
        (
            "one file over the other",
            put(ENTRY, 1, 42, b"\x00\x00\x00\x00"),
            FormatRule::Overlap,
        ),
        (
            "a place of 64 bit",
            put(ENTRY, 1, 42, b"\xff\xff\xff\xff"),
            FormatRule::Archive,
        ),
        (
            "a size that is another",
            put(FILE, 0, 22, b"\x01\x00\x00\x00"),
            FormatRule::Malformed,
        ),
        (
            "a name that is another",
            put(FILE, 0, 30, b"x"),
            FormatRule::Malformed,
        ),
        ("encryption", put(ENTRY, 0, 8, b"\x01"), FormatRule::Archive),
        (
            "a wrong checksum",
            archive(|bytes| bytes[170] ^= 1),
            FormatRule::Checksum,
        ),
        (
            "all of it stored, said to be larger",
            put(ENTRY, 0, 24, b"\x00\x00\x00\x02"),
            FormatRule::Malformed,
        ),
        (
            "64 MiB and more",
            put(ENTRY, 0, 24, b"\x00\x00\x00\x7f"),
            FormatRule::MostBytes(64 << 20),
        ),
    ];
    for (what, bytes, rule) in cases {
        let error = read("a.npz", &bytes, &Limits::default()).expect_err(what);
        assert_eq!(error.rule, rule, "{what}: {error}");
    }
    assert!(read("a.npz", &archive(|_| ()), &Limits::default()).is_ok());
}

#[test]
fn names_stay_in_their_archive() {
    for name in [
        "../q", "/q", "a/../q", "a\\q", "c:q", "a//q", "a\0q", ".", "a/./q",
    ] {
        let bytes = write(Kind::Npz, &[Tensor::new(name, vec![1], vec![1.0])]);
        if name == "." {
            // "..npy" is a name like any other.
            continue;
        }
        refuses(name, &bytes, FormatRule::UnsafeName);
    }
    let inside = write(Kind::Npz, &[Tensor::new("layer/w_q", vec![1], vec![1.0])]);
    assert_eq!(
        read("a.npz", &inside, &Limits::default()).expect("it is inside")[0].name,
        "layer/w_q"
    );
    let twice = write(Kind::Npz, &[tensor(), tensor()]);
    refuses("twice", &twice, FormatRule::Duplicate);
}

/// An archive of one deflated file, which is said to have `size` bytes.
fn deflated(packed: &[u8], size: u32) -> Vec<u8> {
    let mut common = b"\x14\x00\x00\x00\x08\x00\x00\x00\x21\x00\x00\x00\x00\x00".to_vec();
    common.extend((packed.len() as u32).to_le_bytes());
    common.extend(size.to_le_bytes());
    common.extend(b"\x05\x00\x00\x00");
    let mut bytes = [FILE, &common, b"q.npy", packed].concat();
    let start = bytes.len() as u32;
    bytes.extend([ENTRY, b"\x14\x00", &common, &[0; 14], b"q.npy"].concat());
    let size = bytes.len() as u32 - start;
    bytes.extend([END, b"\x00\x00\x00\x00\x01\x00\x01\x00"].concat());
    bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0; 2]);
    bytes
}

#[test]
fn bombs_do_not_go_off() {
    // A stored block of one byte, and a last empty one.
    let packed = b"\x00\x01\x00\xfe\xffX\x01\x00\x00\xff\xff";
    refuses(
        "more than can be",
        &deflated(packed, 60 << 20),
        FormatRule::Bomb,
    );
    refuses("less than there is", &deflated(packed, 0), FormatRule::Bomb);
    refuses(
        "more than there is",
        &deflated(packed, 2),
        FormatRule::Malformed,
    );
    refuses(
        "with something behind",
        &deflated(&[&packed[..], b"x"].concat(), 1),
        FormatRule::Malformed,
    );
    refuses("no deflate", &deflated(b"\x07", 1), FormatRule::Malformed);
    refuses(
        "a wrong checksum",
        &deflated(packed, 1),
        FormatRule::Checksum,
    );
}

#[test]
fn json_that_is_no_tensor_is_refused_where_it_is_not() {
    for (text, place, rule) in [
        ("[[1, 2], [3]]", element("q", &[1]), FormatRule::Ragged(2)),
        ("[[1, 2], 3]", element("q", &[1]), FormatRule::Uneven),
        ("[1, [2]]", element("q", &[1]), FormatRule::Uneven),
        ("[[], [[]]]", element("q", &[1, 0]), FormatRule::Uneven),
        ("[[[1]], [1]]", element("q", &[1]), FormatRule::Uneven),
        ("[1, null]", element("q", &[1]), FormatRule::NotFinite),
        ("[1, -Infinity]", element("q", &[1]), FormatRule::NotFinite),
        ("[1, 1e39]", element("q", &[1]), FormatRule::BeyondRange),
        ("[1, +1]", element("q", &[1]), FormatRule::NotNumber),
        ("[1, 0x10]", element("q", &[1]), FormatRule::NotNumber),
        ("[1, \"2\"]", element("q", &[1]), FormatRule::NotNumber),
        ("[1, 2", ErrorLocation::Line(1), FormatRule::Malformed),
        ("[1,,]", ErrorLocation::Line(1), FormatRule::Malformed),
        ("[,]", ErrorLocation::Line(1), FormatRule::Malformed),
        ("[1, none]", element("q", &[1]), FormatRule::NotNumber),
        (
            "{\"a\": [1],}",
            ErrorLocation::Line(1),
            FormatRule::Malformed,
        ),
        (
            "{\"a\": None}",
            ErrorLocation::from("a"),
            FormatRule::NotNumber,
        ),
        ("[1, -inf]", element("q", &[1]), FormatRule::NotFinite),
        ("[1, nan]", element("q", &[1]), FormatRule::NotFinite),
        ("[1, NaN]", element("q", &[1]), FormatRule::NotFinite),
        (
            "['1']",
            ErrorLocation::from("q.json"),
            FormatRule::NoTensors,
        ),
        (
            "{\"a\": 'b'}",
            ErrorLocation::Line(1),
            FormatRule::Malformed,
        ),
        ("[1] x", ErrorLocation::Line(1), FormatRule::Trailing),
        ("{}", ErrorLocation::from("q.json"), FormatRule::NoTensors),
        (
            "{\"a\": [1], \"a\": [2]}",
            ErrorLocation::File,
            FormatRule::Duplicate,
        ),
        (
            "{\"a\": {\"b\": {\"c\": [1]}}}",
            ErrorLocation::Line(1),
            FormatRule::Malformed,
        ),
        (
            "{\"a\": \"b\"}",
            ErrorLocation::from("q.json"),
            FormatRule::NoTensors,
        ),
        (
            "{\"shape\": [2], \"data\": [1]}",
            ErrorLocation::from("q"),
            FormatRule::Length(1),
        ),
        (
            "{\"shape\": [-2], \"data\": [1]}",
            ErrorLocation::from("q"),
            FormatRule::Malformed,
        ),
        (
            "{\"shape\": [1.5], \"data\": [1]}",
            ErrorLocation::from("q"),
            FormatRule::Malformed,
        ),
        (
            "{\"shape\": [9999999999], \"data\": [1]}",
            ErrorLocation::from("q"),
            FormatRule::MostElements(16 << 20),
        ),
        (
            "{\"shape\": [1], \"data\": [1], \"evil\": [1]}",
            ErrorLocation::from("q"),
            FormatRule::UnknownField,
        ),
        (
            "{\"a\": {\"shape\": [1]}}",
            ErrorLocation::from("a"),
            FormatRule::Missing,
        ),
        (
            "{\"\\ud800\": [1]}",
            ErrorLocation::Line(1),
            FormatRule::Malformed,
        ),
    ] {
        let error = refused("q.json", text.as_bytes());
        assert_eq!(
            (&error.place, error.rule),
            (&place, rule),
            "{text}: {error}"
        );
    }
    let deep = "[".repeat(1_000_000);
    refuses("deep.json", deep.as_bytes(), FormatRule::MostAxes(8));
    let deep = "{\"a\":".repeat(1_000_000);
    refuses("deep.json", deep.as_bytes(), FormatRule::Malformed);
}

#[test]
fn limits_are_kept_to() {
    let limits = Limits {
        bytes: 4096,
        tensors: 2,
        elements: 6,
        axes: 2,
        header: 128,
    };
    for kind in Kind::ALL {
        let bytes = write(kind, &[tensor()]);
        assert!(read("q", &bytes, &limits).is_ok(), "{kind:?}");
        let less = Limits {
            elements: 5,
            ..limits
        };
        let error = read("q", &bytes, &less).expect_err("it is one too many");
        assert_eq!(error.rule, FormatRule::MostElements(5), "{kind:?}");
        let less = Limits { axes: 1, ..limits };
        let error = read("q", &bytes, &less).expect_err("it is one too many");
        assert_eq!(error.rule, FormatRule::MostAxes(1), "{kind:?}");
        let less = Limits {
            bytes: 10,
            ..limits
        };
        let error = read("q", &bytes, &less).expect_err("it is too much");
        assert_eq!(error.rule, FormatRule::MostBytes(10), "{kind:?}");
        if !kind.holds_many() {
            continue;
        }
        let one = |name: &str| Tensor::new(name, vec![1], vec![1.0]);
        let error = read(
            "q",
            &write(kind, &[one("a"), one("b"), one("c")]),
            &Limits {
                header: 999,
                ..limits
            },
        );
        assert_eq!(
            error.expect_err("three").rule,
            FormatRule::MostTensors(2),
            "{kind:?}"
        );
        let error = read(
            "q",
            &write(kind, &[tensor(), one("a")]),
            &Limits {
                header: 999,
                ..limits
            },
        );
        assert!(
            matches!(error.expect_err("seven").rule, FormatRule::MostElements(_)),
            "{kind:?}"
        );
    }
}

#[test]
fn what_a_refusal_repeats_of_a_file_is_short_and_plain() {
    let name = "x\u{202e}\u{0}\n".repeat(100);
    let bytes = write(Kind::Json, &[Tensor::new(name, vec![1], vec![f32::NAN])]);
    let error = refused("q.json", &bytes);
    assert_eq!(error.rule, FormatRule::NotFinite);
    let name = format!("{}…{}", "x".repeat(20), "x".repeat(39));
    assert_eq!(error.place, element(&name, &[0]));
}

#[test]
fn names_of_what_is_read_are_as_short_and_plain() {
    let name = "x\u{202e}\u{0}\n".repeat(50_000);
    let tensor = Tensor::new(name, vec![1], vec![0.5]);
    for kind in [Kind::Json, Kind::Safetensors] {
        let bytes = write(kind, std::slice::from_ref(&tensor));
        let tensors = read("file", &bytes, &Limits::default()).expect("a tensor");
        let name = format!("{}…{}", "x".repeat(20), "x".repeat(39));
        assert_eq!(tensors[0].name, name, "{kind:?}");
    }
    let of_file = read(&"y".repeat(1000), b"1,2", &Limits::default()).expect("a table");
    assert_eq!(of_file[0].name.chars().count(), 60);
}

#[test]
fn the_length_of_a_header_is_told_as_it_stands_there() {
    let error = refused("a.safetensors", &(1_u64 << 63).to_le_bytes());
    assert_eq!(error.rule, FormatRule::MostHeader(1 << 20));
    assert_eq!(error.value, (1_u64 << 63).to_string());
}

#[test]
fn what_may_unpack_to_more_is_known_by_its_beginning() {
    let tensors = [tensor()];
    for kind in Kind::ALL {
        let is_packed = formats::is_packed(&write(kind, &tensors));
        assert_eq!(is_packed, kind == Kind::Npz, "{kind:?}");
    }
    assert!(formats::is_packed(b"PK\x05\x06") && !formats::is_packed(b""));
}

#[test]
fn rows_of_nan_stay_and_a_single_one_is_refused() {
    let nan = f32::NAN;
    let map = |data: &[f32]| Tensor::new("attn", vec![1, 2, 3], data.to_vec());
    let whole = map(&[0.25, 0.25, 0.5, nan, nan, nan]);
    for kind in Kind::ALL {
        let bytes = write(kind, std::slice::from_ref(&whole));
        let read = read("attn", &bytes, &Limits::default()).expect("a row that sees nothing");
        assert_eq!(read[0].data[..3], whole.data[..3], "{kind:?}");
        assert!(read[0].data[3..].iter().all(|number| number.is_nan()));
        for (data, at) in [
            ([0.25, 0.25, 0.5, nan, nan, 0.5], [0, 1, 0]),
            ([0.25, nan, 0.5, nan, nan, nan], [0, 0, 1]),
            ([nan; 6], [0, 0, 0]),
        ] {
            let error = refused("attn", &write(kind, &[map(&data)]));
            let wanted = (element("attn", &at), FormatRule::NotFinite);
            assert_eq!((error.place, error.rule), wanted, "{kind:?} {data:?}");
        }
    }
    // A column of one has no whole rows.
    let column = Tensor::new("attn", vec![2, 1], vec![0.5, nan]);
    assert_eq!(
        refused("attn", &write(Kind::Npy, &[column])).place,
        element("attn", &[1, 0])
    );
}
