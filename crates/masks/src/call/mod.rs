//! Reads a line of Python that attends, and says what its mask means.
//!
//! `F.scaled_dot_product_attention(q, k, v, is_causal=True)` and `flash_attn_func(q, k, v, causal=True)` mean two masks where there are more keys
//! than queries; `attn_mask=torch.tril(torch.ones(8, 8))` masks nothing. A call is read as the library computes it, in the versions that
//! [`Library::version`](crate::dialect::Library::version) names.
//!
//! Only what the text says is computed, and nothing is run: numbers, flags, lists, and tensors that are made of `ones`, `zeros`, `full`, `eye`, `tri`,
//! `tril`, `triu`, `arange`, `where`, literals, comparisons and arithmetic. A mask that is a variable is told by its name, with what its numbers would mean.

wasm_chunks::chunk!("code");

mod biases;
mod error;
mod expression;
mod functions;
mod libraries;
mod meaning;
mod python;
mod signatures;
mod tensor;
mod value;

pub use error::{CallError, CallProblem, Expectation, MOST_NUMBERS, Raised};
pub use meaning::{Booleans, Meaning, Numbers, Remark, Usage};

use crate::imported::ImportedTensor;
use error::expected;
use value::Value;

/// A function that attends, of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// `torch.nn.functional.scaled_dot_product_attention`.
    TorchSdpa,
    /// `torch.nn.MultiheadAttention`, and layers that hand masks on to it.
    TorchMultihead,
    /// `flex_attention`, `create_block_mask`, or its function of a cell alone.
    FlexAttention,
    /// `flash_attn_func` and its relatives.
    FlashAttention,
    /// `xformers.ops.memory_efficient_attention`, or a bias of it alone.
    Xformers,
    /// A setting or a model of Hugging Face transformers.
    Transformers,
    /// `jax.nn.dot_product_attention`.
    Jax,
    /// `keras.ops.dot_product_attention`.
    KerasOps,
    /// Keras' layers `MultiHeadAttention` and `Attention`.
    KerasLayer,
    /// ONNX's operator `Attention`.
    Onnx,
    /// `mlx.core.fast.scaled_dot_product_attention`.
    Mlx,
}

/// What a call means.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Which function is called.
    pub function: Function,
    /// Its masks and what it adds to scores; a cell is visible where all show it. Without any, all is visible.
    pub meanings: Vec<Meaning>,
    /// `n` and `m`, if the text says them.
    pub lengths: Option<(usize, usize)>,
    /// What a reader should know.
    pub remarks: Vec<Remark>,
}

/// Reads a call, an assignment of one, `sliding_window=4`, or a function of a cell.
///
/// # Errors
/// [`CallError`] with the place: what is no expression, a function or an argument whose meaning is not known, a tensor that the text does not
/// say, or what the library raises an error for.
pub fn read(text: &str) -> std::result::Result<Call, CallError> {
    let start = text.chars().count() - text.trim_start().chars().count();
    if text.trim_start().starts_with("def ") {
        let rule = value::lambda(&(start..text.chars().count()), text)?;
        return Ok(libraries::of_function(rule));
    }
    let (target, expression) = python::parse(text)?;
    libraries::read(target.as_deref(), &expression, text)
}

/// Reads a tensor that is written out, such as `torch.triu(torch.ones(8, 8), diagonal=1).bool()`; [`readings`](crate::imported::readings) says what it can
/// mean.
///
/// # Errors
/// [`CallError`] as of [`read`].
pub fn tensor(text: &str) -> std::result::Result<ImportedTensor, CallError> {
    let (_, expression) = python::parse(text)?;
    let value = value::evaluate(&expression, text)?;
    let tensor = functions::stacked(value, &expression.at)?;
    if tensor.shape.is_empty() {
        return expected(&expression.at, Expectation::Tensor);
    }
    Ok(tensor.imported())
}

impl Call {
    fn new(function: Function) -> Self {
        Self {
            function,
            meanings: Vec::new(),
            lengths: None,
            remarks: Vec::new(),
        }
    }

    fn mean(&mut self, meaning: Meaning) {
        self.meanings.push(meaning);
    }

    /// Adds a remark once.
    fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// Takes a mask of positions over.
    fn mask(&mut self, value: Value) {
        if let Value::Mask(rule, lengths) = value {
            self.mean(Meaning::Rule(rule));
            self.lengths = self.lengths.or(lengths);
        }
    }
}

#[cfg(test)]
mod tests;
