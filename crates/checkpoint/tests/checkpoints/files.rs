//! Folders of `tests/golden/checkpoints`.

use std::path::PathBuf;

use checkpoint::{Checkpoint, FileTensor};
use model::Model;
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
    data: Vec<Vec<u8>>,
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
