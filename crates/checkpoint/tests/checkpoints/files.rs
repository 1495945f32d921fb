//! Folders of `tests/golden/checkpoints`.

use std::path::PathBuf;

use attention::Error;
use checkpoint::{Checkpoint, FileTensor, StoredBlocks};
use model::infer::{Inference, Inferred, WantedLogits};
use model::{Model, Words};
use serde_json::Value;

fn path(name: &str) -> PathBuf {
    let root = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/checkpoints"
    );
    PathBuf::from(root).join(name)
}

pub(crate) fn text(name: &str) -> String {
    let path = path(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The tensors of a safetensors file.
#[derive(Clone)]
pub(crate) struct Tensors {
    pub(crate) list: Vec<FileTensor>,
    pub(crate) data: Vec<Vec<u8>>,
}

impl Tensors {
    pub(crate) fn read(name: &str) -> Self {
        let path = path(name);
        let bytes =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (length, rest) = bytes.split_at(8);
        let length = u64::from_le_bytes(length.try_into().expect("8 bytes")) as usize;
        let (header, data) = rest.split_at(length);
        let header: Value = serde_json::from_slice(header).expect("a header");
        let mut all = Self {
            list: Vec::new(),
            data: Vec::new(),
        };
        for (name, entry) in header.as_object().expect("a table") {
            if name == "__metadata__" {
                continue;
            }
            let whole = |value: &Value| value.as_u64().expect("a whole number") as usize;
            let list = |value: &Value| {
                value
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(whole)
                    .collect()
            };
            let place: Vec<usize> = list(&entry["data_offsets"]);
            all.list.push(FileTensor {
                name: name.clone(),
                dtype: entry["dtype"].as_str().expect("a type").to_owned(),
                shape: list(&entry["shape"]),
            });
            all.data.push(data[place[0]..place[1]].to_vec());
        }
        all
    }

    /// The numbers of a tensor in 64 bit.
    pub(crate) fn numbers(&self, at: usize) -> Vec<f64> {
        let data = &self.data[at];
        match self.list[at].dtype.as_str() {
            "F32" => data
                .chunks_exact(4)
                .map(|x| f64::from(f32::from_le_bytes(x.try_into().expect("4 bytes"))))
                .collect(),
            "F64" => data
                .chunks_exact(8)
                .map(|x| f64::from_le_bytes(x.try_into().expect("8 bytes")))
                .collect(),
            "I64" => data
                .chunks_exact(8)
                .map(|x| i64::from_le_bytes(x.try_into().expect("8 bytes")) as f64)
                .collect(),
            other => panic!("{other}"),
        }
    }

    pub(crate) fn named(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.list.iter().position(|tensor| tensor.name == name)?;
        Some(self.numbers(at))
    }

    pub(crate) fn load(&self, checkpoint: &Checkpoint) -> Model {
        let read = |at| Ok(self.numbers(at).into_iter().map(|x| x as f32).collect());
        checkpoint.load(read).expect("a whole model")
    }

    /// A tensor as it is stored.
    pub(crate) fn blocks(&self, at: usize) -> Result<StoredBlocks, Error> {
        StoredBlocks::new(&self.list[at], self.data[at].clone())
    }

    /// Everything that the model of stored numbers gives, which has the bits of the widened one's.
    pub(crate) fn infer(&self, checkpoint: &Checkpoint, ids: &[usize]) -> Inferred {
        let config = checkpoint.config;
        let heads =
            (0..config.layers * config.heads).map(|at| (at / config.heads, at % config.heads));
        let how = Inference {
            weights: heads.collect(),
            hidden: vec![config.layers],
            logits: match config.logits {
                true => WantedLogits::All,
                false => WantedLogits::None,
            },
            ..Inference::default()
        };
        let words = Words::new(&config, &[ids.to_vec()]).expect("tokens of the model");
        let stored = checkpoint
            .open(|at| self.blocks(at))
            .expect("a whole model");
        let found = stored.infer(&words, &how).expect("finite");
        assert!(found == self.load(checkpoint).infer(&words, &how).expect("finite"));
        found
    }

    /// Puts the rows of a tensor, `width` numbers of 32 bits each, into another order.
    pub(crate) fn reorder(&mut self, at: usize, width: usize, rows: impl Iterator<Item = usize>) {
        let stored = &self.data[at];
        self.data[at] = rows
            .flat_map(|row| &stored[4 * row * width..][..4 * width])
            .copied()
            .collect();
    }

    /// Adds one, with numbers of 32 bits that are all 0.
    pub(crate) fn add(&mut self, name: &str, dtype: &str, shape: &[usize]) {
        self.list.push(FileTensor {
            name: name.to_owned(),
            dtype: dtype.to_owned(),
            shape: shape.to_vec(),
        });
        self.data.push(vec![0; 4 * shape.iter().product::<usize>()]);
    }
}

/// A folder as a model.
pub(crate) fn open(name: &str) -> (Checkpoint, Model) {
    let tensors = Tensors::read(&format!("{name}/model.safetensors"));
    let config = text(&format!("{name}/config.json"));
    let checkpoint = Checkpoint::from_hugging_face(&config, &tensors.list);
    let checkpoint = checkpoint.unwrap_or_else(|error| panic!("{name}: {error}"));
    let model = tensors.load(&checkpoint);
    (checkpoint, model)
}

/// Compares what inference gives with `expected.safetensors` of a folder.
pub(crate) fn check_inferred(name: &str, found: &Inferred, expected: &Tensors) {
    let of = |what: &str| expected.named(what).expect(what);
    let weights = found.weights.iter().flatten().copied();
    let of_weights = largest_difference(weights, &of("weights"));
    assert!(of_weights < 1e-5, "{name}: weights {of_weights}");
    let of_rows = largest_difference(found.hidden.concat().into_iter(), &of("hidden"));
    assert!(of_rows < 5e-5, "{name}: rows {of_rows}");
    if let Some(logits) = expected.named("logits") {
        let of_logits = largest_difference(found.logits.iter().copied(), &logits);
        assert!(of_logits < 1e-4, "{name}: logits {of_logits}");
    }
}

pub(crate) fn largest_difference(found: impl Iterator<Item = f32>, wanted: &[f64]) -> f64 {
    let found: Vec<f32> = found.collect();
    assert_eq!(found.len(), wanted.len());
    let pairs = found.iter().zip(wanted);
    let differences = pairs.map(|(a, b)| (f64::from(*a) - b).abs());
    differences.fold(0.0, |most, x| {
        if x.is_nan() {
            f64::INFINITY
        } else {
            most.max(x)
        }
    })
}
