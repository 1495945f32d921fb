//! Files that nobody should have written, built by hand.

use formats::Parsed;
use formats::gguf::{Gguf, GgufError, GgufRule};

use super::{golden, parsed};

/// Parts of a file.
#[derive(Clone, Default)]
struct File {
    keys: Vec<Vec<u8>>,
    tensors: Vec<Vec<u8>>,
    /// Bytes after the list and its padding.
    data: usize,
}

fn text(text: &[u8]) -> Vec<u8> {
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text);
    bytes
}

/// A key with a value of type `id`.
fn key(name: &str, id: u32, value: &[u8]) -> Vec<u8> {
    [&text(name.as_bytes()), &id.to_le_bytes()[..], value].concat()
}

/// A tensor of the list, fastest axis first.
fn tensor(name: &str, axes: &[u64], id: u32, offset: u64) -> Vec<u8> {
    let mut bytes = text(name.as_bytes());
    bytes.extend((axes.len() as u32).to_le_bytes());
    bytes.extend(axes.iter().flat_map(|length| length.to_le_bytes()));
    bytes.extend(id.to_le_bytes());
    bytes.extend(offset.to_le_bytes());
    bytes
}

impl File {
    fn with_key(key: Vec<u8>) -> Self {
        let keys = vec![key];
        Self {
            keys,
            ..Self::default()
        }
    }

    fn with_tensors(tensors: &[Vec<u8>], data: usize) -> Self {
        Self {
            tensors: tensors.to_vec(),
            data,
            ..Self::default()
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend((self.keys.len() as u64).to_le_bytes());
        bytes.extend(self.keys.concat());
        bytes.extend(self.tensors.concat());
        bytes.resize(bytes.len().next_multiple_of(32) + self.data, 0);
        bytes
    }

    fn parsed(&self) -> Result<Gguf, GgufError> {
        parsed(&self.bytes())
    }

    #[track_caller]
    fn refuses(&self, field: &str, value: &str, rule: GgufRule) {
        refuses(&self.bytes(), field, value, rule);
    }
}

#[track_caller]
fn refuses(bytes: &[u8], field: &str, value: &str, rule: GgufRule) {
    let error = parsed(bytes).expect_err("nobody should read it");
    let own = (error.field.as_str(), error.value.as_str(), error.rule);
    assert_eq!(own, (field, value, rule));
}

const F32: u32 = 0;
const Q4_0: u32 = 2;

#[test]
fn other_formats_versions_and_byte_orders_are_refused_by_name() {
    let good = File::default().bytes();
    assert!(parsed(&good).is_ok(), "an empty file is one");
    assert!(parsed(&good[..24]).is_ok(), "without padding, too");
    refuses(b"GGML\x03\0\0\0", "beginning", "GGML", GgufRule::Magic);
    for (version, value, rule) in [
        ([0, 0, 0, 0], "0", GgufRule::Version),
        ([1, 0, 0, 0], "1", GgufRule::Version),
        ([4, 0, 0, 0], "4", GgufRule::Version),
        ([0, 0, 0, 3], "3", GgufRule::BigEndian),
        ([0, 0, 0, 2], "2", GgufRule::BigEndian),
    ] {
        let mut file = good.clone();
        file[4..8].copy_from_slice(&version);
        refuses(&file, "version", value, rule);
    }
}

#[test]
fn counts_are_held_against_the_file() {
    let good = File::with_tensors(&[], 24 * 7).bytes();
    // 200 bytes: 24 of header, then 176 + 8 for 7 tensors of at least 24 each, or 176 for 13 keys of at least 13.
    assert_eq!(good.len(), 200);
    for (at, count, field, most) in [
        (8, 8_u64, "count of tensors", 7),
        (8, u64::MAX, "count of tensors", 7),
        (16, 14, "count of keys", 13),
        (16, 1 << 63, "count of keys", 13),
    ] {
        let mut file = good.clone();
        file[at..at + 8].copy_from_slice(&count.to_le_bytes());
        refuses(&file, field, &count.to_string(), GgufRule::Most(most));
    }
    // However long a file claims to be.
    for at in [8, 16] {
        let mut file = good.clone();
        file[at..at + 8].copy_from_slice(&65_537_u64.to_le_bytes());
        let error = Gguf::parse(&file, u64::MAX).expect_err("too many");
        assert_eq!(error.rule, GgufRule::Most(65_536));
    }
}

#[test]
fn keys_are_short_utf_8_and_differ() {
    let twice = File {
        keys: vec![key("a", 0, &[1]), key("b", 0, &[1]), key("a", 7, &[1])],
        ..File::default()
    };
    twice.refuses("a", "a", GgufRule::Duplicate);
    let mut not_text = key("ab", 0, &[1]);
    not_text[8] = 0xff;
    let field = "key 0 of the metadata";
    File::with_key(not_text).refuses(field, "\u{fffd}b", GgufRule::NotText);
    let longest = "k".repeat(65_535);
    assert!(File::with_key(key(&longest, 0, &[1])).parsed().is_ok());
    let long = key(&(longest + "k"), 0, &[1]);
    File::with_key(long).refuses(field, "65536", GgufRule::Most(65_535));
}

#[test]
fn values_are_of_known_types_and_not_nested() {
    for id in [13, 255, u32::MAX] {
        let value = id.to_string();
        File::with_key(key("k", id, &[0; 16])).refuses("k", &value, GgufRule::ValueType);
        let array = [&id.to_le_bytes()[..], &[0; 16]].concat();
        File::with_key(key("k", 9, &array)).refuses("k", &value, GgufRule::ValueType);
    }
    // An array of one array of one byte.
    let inner = [&0_u32.to_le_bytes()[..], &1_u64.to_le_bytes(), &[5]].concat();
    let outer = [&9_u32.to_le_bytes()[..], &1_u64.to_le_bytes(), &inner].concat();
    let nested = File::with_key(key("k", 9, &outer));
    nested.refuses("k", "an array of arrays", GgufRule::NestedArray);
    File::with_key(key("k", 7, &[2])).refuses("k", "2", GgufRule::TruthValue);
    let flags = [&7_u32.to_le_bytes()[..], &3_u64.to_le_bytes(), &[1, 0, 255]].concat();
    File::with_key(key("k", 9, &flags)).refuses("k", "255", GgufRule::TruthValue);
}

/// An array of `count` values of type `id`, of which none are there.
fn array(id: u32, count: u64) -> File {
    File::with_key(key(
        "k",
        9,
        &[&id.to_le_bytes()[..], &count.to_le_bytes()].concat(),
    ))
}

#[test]
fn arrays_may_be_empty_and_are_no_longer_than_the_file() {
    let empty = array(8, 0).parsed().expect("an empty array");
    let texts = empty.metadata.texts("k").expect("texts").expect("there");
    assert!(texts.is_empty() && texts.get(0).is_none() && texts.iter().next().is_none());
    let empty = array(5, 0).parsed().expect("an empty array");
    assert_eq!(empty.metadata.wholes("k"), Ok(Some(vec![])));
    // 24 of header, 9 of the key, 16 of the array and its types; padded to 64.
    for (id, size, count) in [
        (0, 1, 16),
        (10, 8, 2),
        (10, 8, u64::MAX / 8),
        (12, 8, 1 << 61),
    ] {
        let value = format!("{count} × {size} bytes from byte 49");
        array(id, count).refuses("k", &value, GgufRule::Truncated(64));
    }
    // The padding is the length of the first text, and ends within that of the second.
    let value = "1 × 8 bytes from byte 57";
    array(8, u64::MAX).refuses("k[1]", value, GgufRule::Truncated(64));
}

#[test]
fn a_list_that_no_model_needs_is_not_asked_for() {
    const MOST: u64 = 64 << 20;
    let bytes = array(0, MOST - 49).bytes();
    let more = Gguf::parse(&bytes[..49], u64::MAX);
    assert_eq!(more, Ok(Parsed::More(MOST)));
    let bytes = array(0, MOST - 48).bytes();
    let error = Gguf::parse(&bytes[..49], u64::MAX).expect_err("too long");
    assert_eq!(error.rule, GgufRule::MostHeader(MOST));
    assert_eq!(
        (error.field.as_str(), error.value),
        ("k", (MOST + 1).to_string())
    );
}

#[test]
fn the_alignment_is_a_power_of_two() {
    let with = |id, value: &[u8]| File::with_key(key("general.alignment", id, value));
    for (id, value, found) in [
        (4, &0_u32.to_le_bytes()[..], "0"),
        (4, &48_u32.to_le_bytes(), "48"),
        (10, &32_u64.to_le_bytes(), "UINT64"),
        (8, &text(b"32"), "STRING"),
    ] {
        with(id, value).refuses("general.alignment", found, GgufRule::Alignment);
    }
    // The largest there is, where the tensor would lie far behind the file.
    let mut file = with(4, &(1_u32 << 31).to_le_bytes());
    assert!(file.parsed().is_ok());
    file.tensors = vec![tensor("t", &[3], F32, 0)];
    let length = file.bytes().len() as u64;
    let value = "2147483648 + 0 + 12 bytes";
    file.refuses("end of t", value, GgufRule::Truncated(length));
}

#[test]
fn shapes_are_held_against_types_and_memory() {
    let refuses = |axes: &[u64], id, field: &str, value: &str, rule| {
        File::with_tensors(&[tensor("t", axes, id, 0)], 64).refuses(field, value, rule);
    };
    let shape = "shape of t";
    refuses(&[1; 5], F32, shape, "5 axes", GgufRule::Most(4));
    refuses(&[3, 0, 5], F32, shape, "0", GgufRule::EmptyAxis);
    let row = GgufRule::RowLength(32);
    refuses(&[33, 32], Q4_0, shape, "[32, 33] of Q4_0", row);
    refuses(&[], Q4_0, shape, "[] of Q4_0", row);
    let row = GgufRule::RowLength(256);
    refuses(&[128, 2], 12, shape, "[2, 128] of Q4_K", row);
    let value = "[4294967296, 4294967296]";
    refuses(&[1 << 32; 2], F32, shape, value, GgufRule::Product);
    let value = "[4294967295, 4294967297]";
    // Numbers can be counted, their bytes not.
    refuses(
        &[(1 << 32) + 1, (1 << 32) - 1],
        F32,
        shape,
        value,
        GgufRule::Product,
    );
    let mut file = File::with_tensors(&[tensor("t", &[4, 4], F32, 0)], 64);
    assert_eq!(file.parsed().expect("it fits").tensors[0].shape, [4, 4]);
    file.data = 63;
    let length = file.bytes().len() as u64;
    file.refuses("end of t", "96 + 0 + 64 bytes", GgufRule::Truncated(length));
}

/// By name where the library has one, by number where not.
#[test]
fn types_of_blocks_that_are_not_read_are_refused_by_name() {
    let types = String::from_utf8(golden("types.csv")).expect("it is text");
    let mut read = 0;
    for line in types.lines() {
        let fields: Vec<_> = line.split(',').collect();
        let id = fields[0].parse().expect("a number");
        let length = fields[2].parse().expect("a number");
        let bytes: u64 = fields[3].parse().expect("a number");
        let file = File::with_tensors(&[tensor("t", &[length, 3], id, 0)], 3 * 256);
        match file.parsed() {
            Ok(gguf) => {
                let tensor = &gguf.tensors[0];
                assert_eq!(tensor.stored.name(), fields[1]);
                assert_eq!(tensor.span.end - tensor.span.start, 3 * bytes);
                read += 1;
            }
            Err(_) => file.refuses("type of t", fields[1], GgufRule::BlockType),
        }
    }
    assert_eq!(read, 14 + 5);
    for id in [4, 31, 42, u32::MAX] {
        let file = File::with_tensors(&[tensor("t", &[256], id, 0)], 0);
        file.refuses("type of t", &id.to_string(), GgufRule::BlockType);
    }
}

#[test]
fn tensors_lie_apart_aligned_and_in_the_file() {
    let t = |name, offset| tensor(name, &[9], F32, offset);
    let good = File::with_tensors(&[t("b", 64), t("a", 0)], 100);
    let spans = good.parsed().expect("any order").tensors;
    assert_eq!(
        (spans[0].span.clone(), spans[1].span.clone()),
        (160..196, 96..132)
    );
    let gap = File::with_tensors(&[t("a", 96)], 96 + 36 + 5);
    assert!(gap.parsed().is_ok(), "gaps and what follows are let be");
    let file = |tensors: &[_]| File::with_tensors(tensors, 200);
    file(&[t("a", 0), t("b", 40)]).refuses("offset of b", "40", GgufRule::Misaligned(32));
    let value = "128..164 and 96..132 of a";
    file(&[t("b", 32), t("a", 0)]).refuses("span of b", value, GgufRule::Overlap);
    let value = "96..132 and 96..132 of a";
    let same = file(&[t("a", 0), t("b", 0)])
        .parsed()
        .expect_err("they overlap");
    assert_eq!((same.rule, same.value.as_str()), (GgufRule::Overlap, value));
    file(&[t("a", 0), t("a", 64)]).refuses("name of a", "a", GgufRule::Duplicate);
    let one_byte = file(&[tensor("c", &[33], 24, 0), t("d", 32)]);
    one_byte.refuses("span of d", "128..164 and 96..129 of c", GgufRule::Overlap);
    let beyond = u64::MAX - 31;
    let value = format!("64 + {beyond} + 36 bytes");
    let file = file(&[t("a", beyond)]);
    let length = file.bytes().len() as u64;
    file.refuses("end of a", &value, GgufRule::Truncated(length));
}

#[test]
fn names_of_tensors_are_shown_short_and_plain() {
    let name = format!("\u{202e}{}", "x".repeat(1000));
    let error = File::with_tensors(&[tensor(&name, &[0], F32, 0)], 0).parsed();
    let error = error.expect_err("it is empty");
    assert_eq!(error.field.chars().count(), 60);
    assert!(error.field.starts_with("shape of xxx"));
    let mut bytes = tensor("ab", &[1], F32, 0);
    bytes[9] = 0xc3;
    let file = File::with_tensors(&[bytes], 8);
    file.refuses("name of tensor 0", "a\u{fffd}", GgufRule::NotText);
}
