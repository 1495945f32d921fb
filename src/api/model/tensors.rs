//! Tensors of a model: from plain values and files, and to them.

use std::collections::HashMap;

use ndarray::ArrayD;

use super::{Flags, Tensor};
use app::js_tree::{JsTree, clip};
use attention::{Code, Error};
use formats::FormatError;
use model::{Model, ModelConfig, TensorSpec};

/// The model of `tensors`: an object of tensors by name, or a safetensors file.
pub(super) fn from_tensors(
    config: ModelConfig,
    raw: JsTree,
    say: fn(&FormatError) -> String,
) -> Result<Model, Error> {
    let mut tensors: HashMap<String, ArrayD<f32>> = match raw {
        JsTree::Record(entries) => entries
            .into_iter()
            .filter(|(_, raw)| *raw != JsTree::Absent)
            .map(|(name, raw)| Ok((name.to_string(), named_tensor(&name, raw)?)))
            .collect::<Result<_, Error>>()?,
        JsTree::Doubles(bytes) => file(&bytes, say)?,
        other => {
            let rule = "must be an object of tensors by name, or the bytes of a safetensors file";
            return Err(Error::new(
                Code::UnknownOption,
                "tensors",
                other.describe(),
                rule,
            ));
        }
    };
    let model = Model::from_tensors(config, |name| tensors.remove(name))?;
    match tensors.keys().min() {
        None => Ok(model),
        Some(name) => {
            let field = format!("tensors.{}", clip(name));
            let rule = "the config has no such tensor";
            Err(Error::new(Code::UnknownOption, field, "a tensor", rule))
        }
    }
}

fn named_tensor(name: &str, raw: JsTree) -> Result<ArrayD<f32>, Error> {
    let named = |mut error: Error| {
        let field = format!("tensors.{}", clip(name));
        error.field = error.field.replacen("tensors", &field, 1);
        error
    };
    let tensor = Tensor::read("tensors", raw, Flags::Refused).map_err(named)?;
    let length = tensor.data.len();
    ArrayD::from_shape_vec(tensor.shape, tensor.data).map_err(|_| {
        named(Error::new(
            Code::ShapeMismatch,
            "tensors",
            length,
            "data must fill the shape",
        ))
    })
}

/// The tensors of a safetensors file.
fn file(
    bytes: &[f64],
    say: fn(&FormatError) -> String,
) -> Result<HashMap<String, ArrayD<f32>>, Error> {
    let found = format!("a list of {} numbers", bytes.len());
    let rule = "must be the bytes of a safetensors file";
    let is_byte = |x: &f64| x.fract() == 0.0 && (0.0..256.0).contains(x);
    if !bytes.iter().all(is_byte) {
        return Err(Error::new(Code::UnknownOption, "tensors", found, rule));
    }
    let bytes: Vec<u8> = bytes.iter().map(|x| *x as u8).collect();
    let limits = formats::Limits::default();
    let tensors = formats::read("model.safetensors", &bytes, &limits).map_err(|error| {
        let rule = format!("{rule} ({})", say(&error));
        Error::new(code_named(error.rule.code()), "tensors", found, rule)
    })?;
    tensors
        .into_iter()
        .map(|tensor| {
            // A row of NaN is none of the numbers that a model has.
            if tensor.data.iter().any(|number| number.is_nan()) {
                let rule = "must be finite";
                return Err(Error::new(Code::NotFinite, "tensors", &tensor.name, rule));
            }
            let refused = Error::new(Code::ShapeMismatch, "tensors", &tensor.name, rule);
            let array = ArrayD::from_shape_vec(tensor.shape, tensor.data);
            array.map(|array| (tensor.name, array)).map_err(|_| refused)
        })
        .collect()
}

/// The code of this name, of a rule that a file breaks; of what only files can be, that of a value which an option does not take.
pub(super) fn code_named(name: &str) -> Code {
    let codes = [Code::TooLarge, Code::NotFinite, Code::ShapeMismatch];
    let own = codes.into_iter().find(|code| code.name() == name);
    own.unwrap_or(Code::UnknownOption)
}

/// All tensors by name.
pub(super) fn tensors(specs: &[TensorSpec], numbers: &[f32]) -> JsTree {
    let entry = |spec: &TensorSpec| {
        let numbers = &numbers[spec.range.clone()];
        (spec.name.clone().into(), tensor(&spec.shape, numbers))
    };
    JsTree::Record(specs.iter().map(entry).collect())
}

/// `{ shape, data }`.
pub(super) fn tensor(shape: &[usize], numbers: &[f32]) -> JsTree {
    let shape = shape.iter().map(|axis| *axis as f64).collect();
    JsTree::record([
        ("shape", JsTree::Doubles(shape)),
        ("data", JsTree::Singles(numbers.to_vec())),
    ])
}
