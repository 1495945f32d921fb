//! A model as a file.

wasm_chunks::chunk!("models");

use formats::{Kind, Tensor, write};
use model::Model;

/// A safetensors file of all numbers of a model, by the names of its tensors: `attentionPlayground.model({ config, tensors })` opens it.
pub fn safetensors(model: &Model) -> Vec<u8> {
    let tensor = |spec: &model::TensorSpec| {
        let numbers = model.numbers()[spec.range.clone()].to_vec();
        Tensor::new(&spec.name, spec.shape.clone(), numbers)
    };
    let tensors: Vec<Tensor> = model.tensors().iter().map(tensor).collect();
    write(Kind::Safetensors, &tensors)
}
