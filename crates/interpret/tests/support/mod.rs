//! Checkpoints of `tests/golden`, opened as a page opens them.

use std::path::PathBuf;
use std::sync::Arc;

use checkpoint_reader::{FileInfo, Reader};
use model::Model;
use tokenizer::Tokenizer;

/// Families with tokenizers of their own.
const OWN: [&str; 3] = ["gpt2", "bert", "llama"];

/// The largest checkpoint that is opened here has 98 MB.
const ROOM: u64 = 1 << 29;

pub(crate) fn golden(path: &str) -> Vec<u8> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let path = PathBuf::from(root).join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder; those without a tokenizer get one of single words, the first 29 of which their models know.
pub(crate) fn folder(name: &str) -> Vec<(String, Vec<u8>)> {
    let of = |file: &str| golden(&format!("tests/golden/checkpoints/{name}/{file}"));
    let tokenizer = if OWN.contains(&name) { name } else { "words" };
    let tokenizer = format!("crates/tokenizer/tests/golden/{tokenizer}.tokenizer.json");
    vec![
        ("model.safetensors".to_owned(), of("model.safetensors")),
        ("tokenizer.json".to_owned(), golden(&tokenizer)),
        ("config.json".to_owned(), of("config.json")),
    ]
}

/// Reads files whole.
pub(crate) fn open(files: &[(String, Vec<u8>)]) -> (Model, Arc<Tokenizer>) {
    let info = |(name, bytes): &(String, Vec<u8>)| FileInfo {
        name: name.clone(),
        bytes: bytes.len() as u64,
    };
    let mut reader = Reader::new(files.iter().map(info).collect(), ROOM).expect("a checkpoint");
    while let Some(piece) = reader.wants() {
        let span = piece.span.start as usize..piece.span.end as usize;
        reader.take(&files[piece.file].1[span]).expect("a piece");
    }
    let opened = reader.opened().expect("a whole checkpoint");
    (opened.model, Arc::new(opened.tokenizer))
}

/// A folder, or a `.gguf` file.
pub(crate) fn checkpoint(name: &str) -> (Model, Arc<Tokenizer>) {
    match name.ends_with(".gguf") {
        true => open(&[(
            name.to_owned(),
            golden(&format!("tests/golden/checkpoints/{name}")),
        )]),
        false => open(&folder(name)),
    }
}
