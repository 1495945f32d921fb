//! Blocks of ggml: numbers as the library `gguf` gives them. `tests/golden/gguf/make.py` made the files.

use formats::blocks::{BlockError, BlockType, dequantize};

use super::golden;

fn widened(kind: BlockType, blocks: &[u8]) -> Vec<f32> {
    let count = blocks.len() / kind.bytes() * kind.length();
    let mut out = vec![f32::MAX; count];
    dequantize(kind, blocks, &mut out).expect("as many as there are");
    out
}

/// NaN is a class: machines differ in its sign.
fn same(one: f32, other: f32) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

#[test]
fn every_type_gives_the_bits_of_the_library() {
    for kind in BlockType::ALL {
        let file = golden(&format!("blocks/{}.bin", kind.name()));
        let count = file.len() / (kind.bytes() + 4 * kind.length());
        let (blocks, right) = file.split_at(count * kind.bytes());
        assert!(count >= 14 && right.len() == 4 * count * kind.length());
        let right = right.as_chunks::<4>().0.iter();
        let right: Vec<f32> = right.map(|bytes| f32::from_le_bytes(*bytes)).collect();
        for (at, (got, right)) in widened(kind, blocks).into_iter().zip(&right).enumerate() {
            assert!(
                same(got, *right),
                "{kind:?}, number {at}: {got:e}, the library has {right:e}"
            );
        }
        let finite = right.iter().filter(|value| value.is_finite()).count();
        assert!(
            finite > right.len() / 3,
            "{kind:?}: {finite} numbers are compared"
        );
    }
}

/// A block that begins with these bytes and ends in zeros.
fn block(kind: BlockType, start: &[u8]) -> Vec<f32> {
    let mut bytes = start.to_vec();
    bytes.resize(kind.bytes(), 0);
    widened(kind, &bytes)
}

#[test]
fn blocks_made_by_hand_give_the_numbers_of_the_definition() {
    // d = 0.5; 0x9a: q = 10 for number 0, 9 for number 16; 8 stands for zero.
    let mut start = vec![0x00, 0x38, 0x9a];
    start.extend([0x88; 15]);
    let mut right = [0.0; 32];
    (right[0], right[16]) = (1.0, 0.5);
    assert_eq!(block(BlockType::Q4_0, &start), right);

    // d = 0.25; -128 and 127.
    let mut right = [0.0; 32];
    (right[0], right[1]) = (-32.0, 31.75);
    assert_eq!(block(BlockType::Q8_0, &[0x00, 0x34, 0x80, 0x7f]), right);

    // d = 1; fifth bits of numbers 0 and 16; 0x21: low bits 1 and 2.
    let mut right = [-16.0; 32];
    (right[0], right[16]) = (1.0, 2.0);
    let start = [0x00, 0x3c, 0x01, 0x00, 0x01, 0x00, 0x21];
    assert_eq!(block(BlockType::Q5_0, &start), right);
}

#[test]
fn blocks_fill_their_room_exactly_or_not_at_all() {
    for kind in BlockType::ALL {
        for (blocks, more, numbers) in [(3, 0, 4), (3, 1, 3), (0, 1, 0), (0, 0, 1), (1, 0, 0)] {
            let (bytes, numbers) = (blocks * kind.bytes() + more, numbers * kind.length());
            let mut out = vec![7.0; numbers];
            let refused = dequantize(kind, &vec![0; bytes], &mut out);
            let error = BlockError {
                kind,
                bytes,
                numbers,
            };
            assert_eq!(refused, Err(error), "{kind:?}");
            assert!(out.iter().all(|value| *value == 7.0), "{kind:?}");
        }
        assert_eq!(dequantize(kind, &[], &mut []), Ok(()));
    }
    let error = dequantize(BlockType::Q4_K, &[0; 143], &mut [0.0; 256]).unwrap_err();
    let text = "Q4_K of 143 bytes: 144 bytes hold 256 numbers; got room for 256";
    assert_eq!(error.to_string(), text);
}

#[test]
fn ids_names_and_sizes_are_those_of_the_library() {
    let types = String::from_utf8(golden("types.csv")).expect("it is text");
    let mut known = 0;
    for line in types.lines() {
        let fields: Vec<_> = line.split(',').collect();
        let [id, name, length, bytes] = fields[..] else {
            panic!("{line}");
        };
        let Some(kind) = BlockType::from_id(id.parse().expect("a number")) else {
            assert!(
                BlockType::ALL.iter().all(|kind| kind.name() != name),
                "{name}"
            );
            continue;
        };
        assert_eq!(kind.id().to_string(), id);
        let own = (
            kind.name(),
            kind.length().to_string(),
            kind.bytes().to_string(),
        );
        assert_eq!(own, (name, length.to_owned(), bytes.to_owned()));
        known += 1;
    }
    assert_eq!(known, BlockType::ALL.len());
    assert_eq!(BlockType::from_id(4), None);
}
