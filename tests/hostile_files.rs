//! Files that went wrong on their way, or were made to do harm: thousands of them, the same every time.

#[path = "common/counting.rs"]
mod counting;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use counting::most_taken;
use formats::gguf::Gguf;
use formats::{ErrorLocation, FormatError, Kind, Labels, Limits, Tensor, read, safetensors, write};

const FILES: usize = 20_000;

const LIMITS: Limits = Limits {
    bytes: 128 << 10,
    tensors: 16,
    elements: 1024,
    axes: 4,
    header: 2048,
};

/// A file, what it unpacks to, its numbers while their list grows, a name for each of them, and the state of deflate.
const MOST_TAKEN: usize = LIMITS.bytes + LIMITS.elements * (3 * 4 + 3 * 32) + (48 << 10);

/// A list of tensors by its file: an entry of 13 bytes takes 16 times as many, and sorting and doubling lists some more.
fn most_listed(file: &[u8]) -> usize {
    24 * file.len() + (4 << 10)
}

/// Numbers that look random, from a seed (splitmix64).
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Valid files, before they are mutated.
fn files() -> Vec<(String, Vec<u8>)> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/samples");
    let mut paths: Vec<_> = fs::read_dir(samples)
        .expect("samples are kept")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end != "py"))
        .collect();
    paths.sort();
    let name = |path: &Path| {
        path.file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned()
    };
    let mut files: Vec<_> = paths
        .iter()
        .map(|path| (name(path), fs::read(path).expect("a file")))
        .collect();
    let labels = |title: &str| Labels {
        title: title.to_owned(),
        names: vec!["the".to_owned(), "=1".to_owned(), "\"".to_owned()],
    };
    let tensors = [
        Tensor {
            labels: vec![labels("query"), labels("key")],
            ..Tensor::new("weights", vec![3, 3], vec![0.25; 9])
        },
        Tensor::new("q", vec![2, 3, 1, 5], vec![-1.5; 30]),
        Tensor::new("b", vec![0], vec![]),
    ];
    for kind in Kind::ALL {
        for first in 0..tensors.len() {
            files.push((
                format!("t.{}", kind.extension()),
                write(kind, &tensors[first..]),
            ));
        }
    }
    files
}

const PIECES: [&[u8]; 27] = [
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b"\"",
    b"'",
    b"(",
    b")",
    b"\n",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"-1",
    b"99999999999999999999",
    b"4294967295",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x00",
    b"PK\x05\x06",
    b"PK\x01\x02",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"../",
    b"\xc3",
    b"# shape: (4096, 4096)\n",
    b"1,",
    b"1\n",
    b"[1],",
];

/// Does something to a file, often more than once.
fn spoil(bytes: &mut Vec<u8>, other: &[u8], seeded: &mut Seeded) {
    for _ in 0..=seeded.below(3) {
        let at = seeded.below(bytes.len() + 1);
        match seeded.below(9) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << seeded.below(8),
            2 if at < bytes.len() => bytes[at] = seeded.one(&[0, 1, 0x7f, 0x80, 0xff, b'0', b'9']),
            3 => drop(bytes.splice(at..at, seeded.one(&PIECES).iter().copied())),
            4 => {
                let piece = seeded.one(&PIECES);
                let end = (at + piece.len()).min(bytes.len());
                drop(bytes.splice(at..end, piece.iter().copied()));
            }
            5 => {
                let end = at + seeded.below(bytes.len() - at + 1);
                drop(bytes.drain(at..end));
            }
            6 => {
                let end = at + seeded.below(bytes.len() - at + 1);
                let copy = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, copy));
            }
            7 => {
                let from = seeded.below(other.len() + 1);
                drop(bytes.splice(at.., other[from..].iter().copied()));
            }
            _ => {
                let piece = seeded.one(&PIECES);
                let many = piece.repeat(seeded.below(LIMITS.bytes / piece.len()));
                drop(bytes.splice(at..at, many));
            }
        }
    }
}

/// Archives and safetensors hold few bytes that decide; here those are met more often.
fn spoil_the_end(bytes: &mut [u8], seeded: &mut Seeded) {
    let start = bytes.len().saturating_sub(120);
    for _ in 0..=seeded.below(4) {
        let at = start + seeded.below(bytes.len() - start);
        if let Some(byte) = bytes.get_mut(at) {
            *byte = seeded.one(&[0, 1, 2, 0x20, 0x7f, 0xff]);
        }
    }
}

fn check(read: &Result<Vec<Tensor>, FormatError>) -> &'static str {
    match read {
        Ok(tensors) => {
            assert!(!tensors.is_empty() && tensors.len() <= LIMITS.tensors);
            let all: usize = tensors.iter().map(|tensor| tensor.data.len()).sum();
            assert!(all <= LIMITS.elements);
            for tensor in tensors {
                assert!(tensor.shape.len() <= LIMITS.axes);
                assert_eq!(tensor.shape.iter().product::<usize>(), tensor.data.len());
                assert!(tensor.data.iter().all(|value| value.is_finite()));
                for (labels, length) in tensor.labels.iter().zip(&tensor.shape) {
                    assert!(labels.names.is_empty() || labels.names.len() == *length);
                }
            }
            "read"
        }
        Err(error) => {
            let place = match &error.place {
                ErrorLocation::Named(name) | ErrorLocation::Element { name, .. } => name,
                _ => "",
            };
            assert!(place.chars().count() < 100 && error.value.chars().count() < 100);
            error.rule.code()
        }
    }
}

/// Lists of tensors, which limits of files do not hold: what they take is held against the file alone.
fn list_what_went_wrong() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let file = |name| fs::read(folder.join(name)).expect("it is kept");
    let gguf = file("golden/gguf/tiny.gguf");
    let headed = file("formats/samples/types.safetensors");
    let (mut seeded, mut met) = (Seeded(7), BTreeMap::new());
    for at in 0..FILES / 4 {
        let is_gguf = at % 2 == 0;
        let mut bytes = if is_gguf { &gguf } else { &headed }.clone();
        spoil(&mut bytes, &gguf, &mut seeded);
        // What a file claims to be long is not what there is of it.
        let length = bytes.len() as u64 + seeded.one(&[0, 1 << 20, 1 << 40]);
        let (taken, code) = most_taken(|| {
            if is_gguf {
                let parsed = Gguf::parse(&bytes, length);
                parsed.map_or_else(|error| error.rule.code(), |_| "read")
            } else {
                let listed = safetensors::list(&bytes, length);
                listed.map_or_else(|error| error.rule.code(), |_| "read")
            }
        });
        assert!(taken <= most_listed(&bytes), "{at}: {taken} bytes, {code}");
        *met.entry((is_gguf, code)).or_insert(0) += 1;
    }
    // Counts of tensors and of keys that a long file could have.
    for at in [8, 16] {
        let mut bytes = gguf.clone();
        bytes[at..at + 8].copy_from_slice(&(1_u64 << 16).to_le_bytes());
        let (taken, _) = most_taken(|| Gguf::parse(&bytes, 1 << 40));
        assert!(taken <= most_listed(&bytes), "{taken} bytes");
    }
    for what in ["read", "malformed", "too_large", "unknown_option"] {
        for is_gguf in [false, true] {
            let count = met.get(&(is_gguf, what));
            assert!(count.is_some_and(|count| *count > 10), "{what}: {met:?}");
        }
    }
}

/// One test alone: others would take memory at the same time.
#[test]
fn any_file_is_read_or_refused_and_takes_no_more_than_it_may() {
    list_what_went_wrong();
    let (files, mut seeded, mut met) = (files(), Seeded(5), BTreeMap::new());
    for at in 0..FILES {
        let (name, mut bytes) = files[at % files.len()].clone();
        let (_, other) = &files[seeded.below(files.len())];
        match seeded.below(4) {
            0 => spoil_the_end(&mut bytes, &mut seeded),
            _ => spoil(&mut bytes, other, &mut seeded),
        }
        let (taken, read) = most_taken(|| read(&name, &bytes, &LIMITS));
        assert!(
            taken <= MOST_TAKEN,
            "{at}: {name} took {taken} bytes: {read:?}"
        );
        *met.entry(check(&read)).or_insert(0) += 1;
    }
    // A watch that sees everything refused for one reason would see nothing.
    for what in [
        "read",
        "malformed",
        "too_large",
        "shape_mismatch",
        "not_finite",
        "unknown_option",
        "missing_field",
    ] {
        assert!(
            met.get(what).is_some_and(|count| *count > 30),
            "{what}: {met:?}"
        );
    }
}
