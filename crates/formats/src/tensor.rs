//! The tensors that files hold.

/// A named tensor in row-major order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tensor {
    /// Its name in the file, or the file's own; of one that was read, what may be [sanitized](crate::sanitize()).
    pub name: String,
    /// Lengths of its axes, the last one fastest. A single number has none.
    pub shape: Vec<usize>,
    /// The numbers, as many as the product of the shape; finite, or NaN along a whole last axis.
    pub data: Vec<f32>,
    /// Labels along each axis, if known; empty otherwise. Only CSV and JSON have them.
    pub labels: Vec<Labels>,
}

/// Labels along an axis.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// Name of the axis, e.g. `query`.
    pub title: String,
    /// One for each place; empty where places have no names of their own.
    pub names: Vec<String>,
}

impl Tensor {
    /// A tensor without labels.
    pub fn new(name: impl Into<String>, shape: Vec<usize>, data: Vec<f32>) -> Self {
        Self {
            name: name.into(),
            shape,
            data,
            labels: Vec::new(),
        }
    }
}
