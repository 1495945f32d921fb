//! Whole checkpoints of `tests/golden`, opened piece by piece.

use std::path::PathBuf;

use checkpoint_reader::{FileInfo, Opened, ReadError, Reader};
use model::Words;
use model::infer::Inference;
use serde_json::Value;

const ROOM: u64 = 1 << 20;

fn golden(path: &str) -> Vec<u8> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let path = PathBuf::from(root).join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files by name.
#[derive(Clone)]
struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    fn folder(name: &str) -> Self {
        let of = |file: &str| golden(&format!("tests/golden/checkpoints/{name}/{file}"));
        let tokenizer = golden(&format!(
            "crates/tokenizer/tests/golden/{name}.tokenizer.json"
        ));
        Self(vec![
            ("model.safetensors".to_owned(), of("model.safetensors")),
            ("tokenizer.json".to_owned(), tokenizer),
            ("config.json".to_owned(), of("config.json")),
        ])
    }

    fn gguf() -> Self {
        let file = golden("tests/golden/checkpoints/llama.gguf");
        Self(vec![("tiny.gguf".to_owned(), file)])
    }

    fn infos(&self) -> Vec<FileInfo> {
        let info = |(name, bytes): &(String, Vec<u8>)| FileInfo {
            name: name.clone(),
            bytes: bytes.len() as u64,
        };
        self.0.iter().map(info).collect()
    }

    fn reader(&self) -> Result<Reader, ReadError> {
        Reader::new(self.infos(), ROOM)
    }

    /// Reads everything; also how many bytes were read.
    fn open(&self) -> Result<(Opened, u64), ReadError> {
        let mut reader = self.reader()?;
        let mut read = 0;
        while let Some(piece) = reader.wants() {
            let span = piece.span.start as usize..piece.span.end as usize;
            read += piece.span.end - piece.span.start;
            reader.take(&self.0[piece.file].1[span])?;
        }
        let progress = reader.progress();
        assert_eq!(progress.read, progress.total);
        Ok((reader.opened()?, read))
    }

    fn replaced(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.0.retain(|(own, _)| own != name);
        self.0.push((name.to_owned(), bytes));
        self
    }
}

fn expected(name: &str) -> Vec<Value> {
    let bytes = golden(&format!("tests/golden/checkpoints/{name}/expected.json"));
    let value: Value = serde_json::from_slice(&bytes).expect("JSON");
    value["cases"].as_array().expect("cases").clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

/// Holds ids, offsets and weights of every text to the reference.
fn check(opened: &Opened, name: &str) {
    for case in expected(name) {
        let text = case["text"].as_str().expect("a text");
        let encoding = opened.tokenizer.encode(text).expect("a text");
        let ids: Vec<f64> = encoding.ids.iter().map(|id| f64::from(*id)).collect();
        assert_eq!(ids, numbers(&case["ids"]), "{name}: {text}");
        let offsets: Vec<f64> = encoding
            .offsets
            .iter()
            .flatten()
            .map(|at| *at as f64)
            .collect();
        assert_eq!(offsets, numbers(&case["offsets"]), "{name}: {text}");
        let ids: Vec<usize> = encoding.ids.iter().map(|id| *id as usize).collect();
        let words = Words::new(opened.model.config(), &[ids]).expect("ids of the model");
        let config = opened.model.config();
        let heads =
            (0..config.layers).flat_map(|layer| (0..config.heads).map(move |head| (layer, head)));
        let how = Inference {
            weights: heads.collect(),
            ..Inference::default()
        };
        let found = opened.model.infer(&words, &how).expect("finite");
        let weights: Vec<f64> = found
            .weights
            .iter()
            .flatten()
            .map(|weight| f64::from(*weight))
            .collect();
        let layers = case["attentions"].as_array().expect("layers");
        let wanted: Vec<f64> = layers
            .iter()
            .flat_map(|layer| numbers(&layer["data"]))
            .collect();
        assert_eq!(weights.len(), wanted.len(), "{name}: {text}");
        let apart = weights.iter().zip(&wanted).map(|(a, b)| (a - b).abs());
        let (at, most) = apart.enumerate().fold((0, 0.0), |most, own| {
            if own.1 > most.1 || own.1.is_nan() {
                own
            } else {
                most
            }
        });
        assert!(most < 1e-5, "{name}: {text}: {most} at {at}");
    }
}

#[test]
fn folders_open_with_their_tokenizers() {
    for (name, family) in [("gpt2", "gpt2"), ("bert", "bert"), ("llama", "llama")] {
        let (opened, _) = Files::folder(name).open().expect(name);
        assert_eq!(
            (opened.family.name(), &opened.dtypes[..]),
            (family, &["f32".to_owned()][..])
        );
        check(&opened, name);
    }
}

#[test]
fn one_gguf_file_is_the_same_model() {
    let (opened, read) = Files::gguf().open().expect("a file");
    assert_eq!(opened.family.name(), "llama");
    check(&opened, "llama");
    // Its header is asked for once more at most, its tensors once.
    let all = Files::gguf().infos()[0].bytes;
    assert!(read < 2 * all, "{read} of {all}");
}

#[test]
fn shards_are_one_model_as_the_index_says() {
    let whole = Files::folder("llama");
    let all = formats::read(
        "model.safetensors",
        &whole.0[0].1,
        &formats::Limits::default(),
    )
    .expect("tensors");
    let (first, second) = all.split_at(all.len() / 3);
    let file = |tensors: &[formats::Tensor]| formats::write(formats::Kind::Safetensors, tensors);
    let entry = |tensors: &[formats::Tensor], file: &str| {
        let entry = |tensor: &formats::Tensor| format!("\"{}\":\"{file}\"", tensor.name);
        tensors.iter().map(entry).collect::<Vec<_>>().join(",")
    };
    let index = format!(
        "{{\"weight_map\":{{{},{}}}}}",
        entry(first, "b.safetensors"),
        entry(second, "a.safetensors")
    );
    let mut shards = whole
        .replaced("b.safetensors", file(first))
        .replaced("a.safetensors", file(second));
    // Weights of another form beside them, which the index does not name.
    shards.0[0].0 = "consolidated.safetensors".to_owned();
    assert!(
        shards.open().is_err(),
        "without the index every tensor is there twice"
    );
    let shards = shards.replaced("model.safetensors.index.json", index.into_bytes());
    let (opened, _) = shards.open().expect("shards");
    check(&opened, "llama");
}

#[test]
fn what_does_not_fit_is_refused_before_a_weight_is_read() {
    let files = Files::gguf();
    let mut reader = Reader::new(files.infos(), 100_000).expect("a file");
    let refusal = loop {
        let piece = reader.wants().expect("a header");
        assert_eq!(piece.span.start, 0, "no weight is asked for");
        let bytes = &files.0[0].1[..piece.span.end as usize];
        if let Err(error) = reader.take(bytes) {
            break error.to_string();
        }
    };
    assert!(
        refusal.starts_with("weights: at most 100000 bytes"),
        "{refusal}"
    );
}

#[test]
fn a_file_that_has_changed_is_refused_by_its_name() {
    let mut reader = Files::gguf().reader().expect("a file");
    let error = reader.take(&[0; 7]).expect_err("too short");
    assert!(
        error
            .to_string()
            .starts_with("tiny.gguf: 65536 bytes were asked for"),
        "{error}"
    );
    let not_read = Files::gguf().reader().expect("a file").opened();
    assert!(not_read.is_err_and(|error| error.to_string().starts_with("weights: ")));
}

#[test]
fn a_file_that_ends_anywhere_is_refused_and_never_waits() {
    for files in [Files::gguf(), Files::folder("llama")] {
        let (name, bytes) = files.0[0].clone();
        for length in (0..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
            let cut = files.clone().replaced(&name, bytes[..length].to_vec());
            assert!(cut.open().is_err(), "{length} bytes of {name}");
        }
    }
}
