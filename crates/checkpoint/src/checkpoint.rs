//! A checkpoint: what a file's settings and tensors make.

use std::sync::Arc;

use attention::{Code, Error};
use model::{Model, ModelConfig};
use ndarray::ArrayD;

use crate::described::Described;
use crate::matching::{Index, matched};
use crate::stored::CheckpointNumbers;
use crate::table::{self, Table};
use crate::{
    Family, FileTensor, Lookup, MappedTensor, Origin, StoredBlocks, gguf, hugging_face, json,
};

/// A model in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The family.
    pub family: Family,
    /// The model's config.
    pub config: ModelConfig,
    /// Where each tensor of the model comes from, in the order of the model's numbers.
    pub tensors: Vec<MappedTensor>,
    /// Places in the file's list of the tensors that the model does without.
    pub passed_over: Vec<usize>,
    /// Types of the tensors that are taken, in lower case, in the order in which the model first has them.
    pub dtypes: Vec<String>,
}

/// Types of tensors that Hugging Face's files may have.
const HUGGING_FACE_TYPES: &[&str] = &["F32", "F16", "BF16"];
/// Types of tensors that GGUF files may have.
const GGUF_TYPES: &[&str] = &[
    "F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K",
    "Q6_K", "IQ4_NL",
];

impl Checkpoint {
    /// A Hugging Face folder: the text of `config.json`, and the tensors of `model.safetensors` or of all its shards.
    ///
    /// # Errors
    /// By the setting: [`Code::UnknownOption`] for text that is no JSON, a family or an option that is not known and a number that is none,
    /// [`Code::MissingField`], [`Code::HeadsDoNotDivide`]; those of [`ModelConfig::check`]. By the tensor: [`Code::MissingField`],
    /// [`Code::ShapeMismatch`], [`Code::UnknownOption`] for its type, [`Code::NotApplicable`] for one that has no place in the model or
    /// stands there twice.
    pub fn from_hugging_face(config: &str, tensors: &[FileTensor]) -> Result<Self, Error> {
        let index = Index::new(tensors)?;
        let described = hugging_face::describe(&json::parse(config)?, &index)?;
        let table = table::hugging_face::table(described.family);
        Self::new(described, tensors, &index, &table, HUGGING_FACE_TYPES)
    }

    /// A GGUF file: its metadata and its tensors, the axes of each with the last one first, as [`FileTensor::shape`] says.
    ///
    /// # Errors
    /// As [`from_hugging_face`](Self::from_hugging_face).
    pub fn from_gguf(metadata: &dyn Lookup, tensors: &[FileTensor]) -> Result<Self, Error> {
        let index = Index::new(tensors)?;
        let described = gguf::describe(metadata, &index)?;
        let table = table::gguf::table(described.family);
        Self::new(described, tensors, &index, &table, GGUF_TYPES)
    }

    fn new(
        described: Described,
        tensors: &[FileTensor],
        index: &Index,
        table: &Table,
        types: &[&str],
    ) -> Result<Self, Error> {
        described.config.check()?;
        let found = matched(index, &described, table, types)?;
        let mut dtypes: Vec<String> = Vec::new();
        for tensor in &found.mapped {
            if let Origin::File(taken) = &tensor.origin {
                let own = tensors[taken.tensor].dtype.to_lowercase();
                if !dtypes.contains(&own) {
                    dtypes.push(own);
                }
            }
        }
        Ok(Self {
            family: described.family,
            config: described.config,
            tensors: found.mapped,
            passed_over: found.passed_over,
            dtypes,
        })
    }

    /// The model, with all its numbers in 32 bits. `read` gives those of the tensor at a place of the file's list, in its order; it is called
    /// three times for one that holds queries, keys and values.
    ///
    /// # Errors
    /// Those of `read`; [`Code::ShapeMismatch`] for another count of numbers than the tensor's shape has; those of [`Model::from_tensors`].
    pub fn load(
        &self,
        mut read: impl FnMut(usize) -> Result<Vec<f32>, Error>,
    ) -> Result<Model, Error> {
        let mut tensors = self.tensors.iter();
        let mut refusal = None;
        // The model asks for its tensors in the order of its numbers, which is that of the list.
        let model = Model::from_tensors(self.config, |name| {
            let tensor = tensors.next().filter(|tensor| tensor.name == name)?;
            match tensor.numbers(&mut read) {
                Ok(numbers) => ArrayD::from_shape_vec(tensor.shape.clone(), numbers).ok(),
                Err(error) => {
                    refusal = Some(error);
                    None
                }
            }
        });
        refusal.map_or(model, Err)
    }
}

impl Checkpoint {
    /// The model, with its numbers as the file stores them; it only [infers](Model::infer). `read` gives the tensor at a place of the file's list,
    /// and is called once for each that is taken.
    ///
    /// # Errors
    /// Those of `read`; [`Code::ShapeMismatch`] for blocks of another shape than the tensor's; [`Code::NotApplicable`] for blocks of more
    /// than one number in a linear map that is stored input by input; those of [`Model::stored`].
    pub fn open(
        &self,
        read: impl FnMut(usize) -> Result<StoredBlocks, Error>,
    ) -> Result<Model, Error> {
        let numbers = CheckpointNumbers::new(&self.tensors, read)?;
        Model::stored(self.config, Arc::new(numbers))
    }
}

impl MappedTensor {
    /// Its numbers in row-major order; `read` as in [`Checkpoint::load`].
    ///
    /// # Errors
    /// As [`Checkpoint::load`].
    pub fn numbers(
        &self,
        read: impl FnOnce(usize) -> Result<Vec<f32>, Error>,
    ) -> Result<Vec<f32>, Error> {
        match &self.origin {
            Origin::File(taken) => taken.arrange(&self.name, &self.shape, &read(taken.tensor)?),
            Origin::Given(numbers) => Ok(numbers.clone()),
            Origin::Zeros => {
                let length = self.shape.iter().try_fold(1usize, |a, b| a.checked_mul(*b));
                let rule = "must be a shape that a machine can hold";
                let refuse = || Error::new(Code::TooLarge, &self.name, "its shape", rule);
                Ok(vec![0.0; length.ok_or_else(refuse)?])
            }
        }
    }
}
