//! Parsed content of a file, and its detected format.

use crate::tensor::Tensor;

/// Parsed content of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contents {
    /// Its tensors, at least one.
    pub tensors: Vec<Tensor>,
    /// Its detected format.
    pub source: Source,
    /// The names of texts that name no row and no column; they are passed over.
    pub skipped: Vec<String>,
}

/// Detected format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// A table with decimal points.
    #[default]
    Table,
    /// A table with decimal commas, which its separator tells.
    DecimalCommas,
    /// A table as R and pandas print it.
    PrintedTable,
    /// Brackets as NumPy, PyTorch, JAX, MLX, TensorFlow and Python print them.
    Brackets,
    /// JSON by name or as nested arrays.
    Json,
    /// JSON of pandas whose fields are columns.
    JsonColumns,
    /// JSON of pandas whose fields are rows: only so each row sums to 1.
    JsonRows,
    /// JSON of pandas, which includes the names of rows and columns.
    JsonTable,
    /// One NumPy array.
    Npy,
    /// An archive of NumPy arrays.
    Npz,
    /// Tensors behind a JSON header.
    Safetensors,
}

impl Contents {
    /// Tensors without ignored texts.
    pub(crate) fn new(source: Source, tensors: Vec<Tensor>) -> Self {
        Self {
            tensors,
            source,
            skipped: Vec::new(),
        }
    }
}
