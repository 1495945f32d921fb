//! Lists of the tensors of safetensors, from the beginning of a file. What is read here opens with safetensors 0.8.0 (Python) too, and what is
//! refused does not, but where said.

use std::fs;
use std::ops::Range;
use std::path::Path;

use formats::blocks::dequantize;
use formats::safetensors::list;
use formats::{ErrorLocation, FormatError, FormatRule, Limits, Parsed, StoredTensor, StoredType};

fn listed(bytes: &[u8]) -> Result<Vec<StoredTensor>, FormatError> {
    match list(bytes, bytes.len() as u64)? {
        Parsed::Whole(tensors) => Ok(tensors),
        Parsed::More(more) => panic!("{more} bytes are wanted of {}", bytes.len()),
    }
}

fn file(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

fn sample() -> Vec<u8> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/samples");
    fs::read(samples.join("types.safetensors")).expect("it is kept")
}

/// What is listed, places counted from the end of the header.
#[track_caller]
fn lists(header: &str, data: usize, right: &[(&str, &str, &[usize], Range<u64>)]) {
    let bytes = file(header, data);
    let tensors = listed(&bytes).unwrap_or_else(|error| panic!("{header}: {error}"));
    let start = 8 + header.len() as u64;
    let own = tensors.iter().map(|tensor| {
        let span = tensor.span.start - start..tensor.span.end - start;
        let name = tensor.name.as_str();
        (name, tensor.stored.name(), tensor.shape.as_slice(), span)
    });
    assert_eq!(own.collect::<Vec<_>>(), right, "{header}");
    let whole = formats::read("a.safetensors", &bytes, &Limits::default()).expect("as a whole");
    assert_eq!(whole.len(), right.len());
}

const A: &str = r#""a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}"#;

#[test]
fn what_the_library_reads_is_listed() {
    let a: (_, _, &[usize], _) = ("a", "F32", &[1], 0..4);
    let mut odd = 0;
    for header in [
        format!("{{{A}}}"),
        format!("{{\"__metadata__\":null,{A}}}"),
        format!("{{{A},\"__metadata__\":{{\"format\":\"pt\"}}}}"),
        format!("  {{{A}}}"),
        format!("{{{A}}}     "),
        format!("\n\t{{{A}}}\r\n"),
    ] {
        lists(&header, 4, std::slice::from_ref(&a));
        odd += header.len() % 8;
    }
    assert!(odd > 0, "one is no multiple of 8 long");
    let turned = format!(r#"{{"b":{{"dtype":"BF16","shape":[2,3],"data_offsets":[4,16]}},{A}}}"#);
    lists(&turned, 16, &[a.clone(), ("b", "BF16", &[2, 3], 4..16)]);
    let empty = format!(r#"{{"e":{{"dtype":"F16","shape":[0,3],"data_offsets":[4,4]}},{A}}}"#);
    lists(&empty, 4, &[a.clone(), ("e", "F16", &[0, 3], 4..4)]);
    let middle = format!(
        r#"{{{A},"m":{{"dtype":"U8","shape":[0],"data_offsets":[4,4]}},"n":{{"dtype":"F16","shape":[],"data_offsets":[4,6]}}}}"#
    );
    let number: (_, _, &[usize], _) = ("n", "F16", &[], 4..6);
    lists(&middle, 6, &[a, ("m", "U8", &[0], 4..4), number]);
    let ids = r#"{"embeddings.position_ids":{"dtype":"I64","shape":[1,3],"data_offsets":[0,24]}}"#;
    lists(
        ids,
        24,
        &[("embeddings.position_ids", "I64", &[1, 3], 0..24)],
    );
    assert_eq!(listed(&file("{}", 0)), Ok(vec![]));
}

#[track_caller]
fn refuses(
    bytes: &[u8],
    length: u64,
    place: impl Into<ErrorLocation>,
    value: &str,
    rule: FormatRule,
) {
    let error = list(bytes, length).expect_err("nobody should read it");
    let own = (error.place, error.value.as_str(), error.rule);
    assert_eq!(own, (place.into(), value, rule));
}

#[test]
fn what_the_library_refuses_is_refused_by_name() {
    let refuses = |header: &str, data, place: ErrorLocation, value: &str, rule| {
        let bytes = file(header, data);
        refuses(&bytes, bytes.len() as u64, place, value, rule);
    };
    let named = |name: &str| ErrorLocation::from(name);
    for value in ["1", "null", "[]", "{}"] {
        let header = format!("{{\"__metadata__\":{{\"step\":{value}}},{A}}}");
        refuses(
            &header,
            4,
            named("__metadata__"),
            "step",
            FormatRule::Malformed,
        );
    }
    let second = |shape: &str, span: &str| {
        format!(r#"{{{A},"b":{{"dtype":"F16","shape":{shape},"data_offsets":{span}}}}}"#)
    };
    let hole = second("[1]", "[6,8]");
    refuses(&hole, 8, named("b"), "[6, 8]", FormatRule::Overlap);
    let over = second("[1]", "[2,4]");
    refuses(&over, 4, named("b"), "[2, 4]", FormatRule::Overlap);
    let back = second("[1]", "[4,2]");
    refuses(&back, 4, named("b"), "[4, 2]", FormatRule::Overlap);
    let short = second("[3]", "[4,8]");
    refuses(&short, 8, named("b"), "[3]", FormatRule::Length(2));
    let beyond = second("[2]", "[4,8]");
    refuses(&beyond, 7, named("b"), "[4, 8]", FormatRule::Truncated);
    let header = format!("{{{A}}}");
    refuses(&header, 8, ErrorLocation::File, "4", FormatRule::Trailing);
    let packed = header.replace("F32", "F8_E4M3");
    refuses(&packed, 4, named("a"), "F8_E4M3", FormatRule::Dtype);
    // The library takes the last of two, and lets unknown fields be.
    let twice = format!("{{{A},{A}}}");
    refuses(&twice, 4, ErrorLocation::Header, "a", FormatRule::Duplicate);
    let metadata = r#"{"__metadata__":null,"__metadata__":{}}"#;
    refuses(
        metadata,
        0,
        ErrorLocation::Header,
        "__metadata__",
        FormatRule::Duplicate,
    );
    let more = header.replace("\"shape\"", "\"scale\":1,\"shape\"");
    refuses(&more, 4, named("a"), "scale", FormatRule::UnknownField);
    let product = header.replace("[1]", "[4294967296,4294967296]");
    let most = FormatRule::MostElements(usize::MAX - 1);
    refuses(&product, 4, named("a"), &usize::MAX.to_string(), most);
}

#[test]
fn a_header_is_asked_for_and_nothing_behind_it() {
    let bytes = sample();
    let whole = listed(&bytes).expect("the library wrote it");
    let header = u64::from_le_bytes(*bytes.first_chunk().expect("a length"));
    for have in 0..=bytes.len() {
        let right = match have as u64 {
            0..8 => Parsed::More(8),
            have if have < 8 + header => Parsed::More(8 + header),
            _ => Parsed::Whole(whole.clone()),
        };
        assert_eq!(
            list(&bytes[..have], bytes.len() as u64),
            Ok(right),
            "{have}"
        );
    }
    assert_eq!(list(&bytes, 0), Ok(Parsed::Whole(whole)));
    // The same without the rest of the file.
    for length in 0..bytes.len() {
        let error = listed(&bytes[..length]).expect_err("it ends too early");
        assert_eq!(error.rule, FormatRule::Truncated, "{length}");
    }
}

#[test]
fn a_file_of_gigabytes_is_listed_by_its_first_bytes() {
    let header = r#"{"w":{"dtype":"F16","shape":[3,1073741824],"data_offsets":[0,6442450944]}}"#;
    let (bytes, data) = (file(header, 0), 6 << 30);
    let length = bytes.len() as u64;
    // A count of numbers that 32 bits hold; its bytes and places need more.
    let Ok(Parsed::Whole(tensors)) = list(&bytes, length + data) else {
        panic!("{:?}", list(&bytes, length + data));
    };
    assert_eq!(tensors[0].span, length..length + data);
    let value = "[0, 6442450944]";
    refuses(&bytes, length + data - 1, "w", value, FormatRule::Truncated);
    refuses(&bytes, length + data + 4, "", "4", FormatRule::Trailing);
    // A header no longer than any model's.
    const MOST: u64 = 64 << 20;
    let more = list(&MOST.to_le_bytes(), u64::MAX);
    assert_eq!(more, Ok(Parsed::More(8 + MOST)));
    let (long, rule) = (MOST + 1, FormatRule::MostHeader(MOST as usize));
    let value = long.to_string();
    refuses(
        &long.to_le_bytes(),
        u64::MAX,
        ErrorLocation::Header,
        &value,
        rule,
    );
}

#[test]
fn numbers_are_kept_as_stored() {
    let bytes = sample();
    let mut widened = Vec::new();
    for tensor in listed(&bytes).expect("the library wrote it") {
        let StoredType::Blocks(kind) = tensor.stored else {
            continue;
        };
        let stored = &bytes[tensor.span.start as usize..tensor.span.end as usize];
        let mut numbers = vec![0.0; tensor.shape.iter().product()];
        dequantize(kind, stored, &mut numbers).expect("as many as the shape says");
        if tensor.shape != [2, 3] {
            continue;
        }
        assert_eq!(
            numbers,
            [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5],
            "{}",
            tensor.name
        );
        widened.push((tensor.name, kind.name()));
    }
    widened.sort();
    let right = [("brain", "BF16"), ("half", "F16"), ("single", "F32")];
    assert_eq!(widened, right.map(|(name, kind)| (name.to_owned(), kind)));
}

#[test]
fn any_byte_of_a_header_may_be_anything() {
    let bytes = sample();
    let (mut refused, mut differs) = (0, 0);
    let whole = listed(&bytes);
    for at in 0..bytes.len() {
        for value in [0, b'9', b'"', 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            let found = listed(&bytes);
            refused += usize::from(found.is_err());
            differs += usize::from(found.is_ok() && found != whole);
            for tensor in found.unwrap_or_default() {
                assert!(tensor.span.end <= bytes.len() as u64);
            }
        }
    }
    assert!(
        refused > 1000 && differs > 30,
        "{refused} refused, {differs} differ"
    );
}
