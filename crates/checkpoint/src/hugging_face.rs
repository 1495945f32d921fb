//! Settings of Hugging Face's files. What a file leaves out is what transformers 5.24 takes for it.

mod decoder;
mod encoder;
mod gpt;

use attention::{Code, Error};
use model::Activation;

use crate::described::Described;
use crate::matching::Index;
use crate::settings::Settings;
use crate::{Family, Value};

/// Reads `config.json`.
pub(crate) fn describe(config: &Value, index: &Index) -> Result<Described, Error> {
    let top = Settings::new(config, "");
    let family = family(&top, index)?;
    match family {
        Family::Bert | Family::Roberta | Family::DistilBert => {
            encoder::describe(family, &top, index)
        }
        Family::Gpt2 => gpt::gpt2(&top, index),
        Family::GptNeoX => gpt::gpt_neox(&top, index),
        _ => decoder::describe(family, &top, index),
    }
}

fn family(top: &Settings, index: &Index) -> Result<Family, Error> {
    let name = top.text("model_type")?;
    let known = Family::ALL.map(Family::name).join(", ");
    let seen = index.sample();
    let rule = format!("must be one of {known}; the file's tensors: {seen}");
    let Some(name) = name else {
        return Err(Error::missing("model_type", rule));
    };
    Family::of_model_type(&name)
        .ok_or_else(|| Error::new(Code::UnknownOption, "model_type", &name, rule))
}

/// An activation by its name; `None` where the settings have none.
fn activation(top: &Settings, key: &str) -> Result<Option<Activation>, Error> {
    let Some(name) = top.text(key)? else {
        return Ok(None);
    };
    match name.as_str() {
        "relu" => Ok(Some(Activation::Relu)),
        "gelu" | "gelu_python" => Ok(Some(Activation::Gelu)),
        "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" | "gelu_python_tanh" => {
            Ok(Some(Activation::GeluTanh))
        }
        "silu" | "swish" => Ok(Some(Activation::Silu)),
        _ => {
            let rule = "must be one of relu, gelu, gelu_new, gelu_pytorch_tanh, silu";
            Err(Error::new(Code::UnknownOption, top.name(key), name, rule))
        }
    }
}

/// How a model ends.
struct Ending {
    tied: bool,
    logits: bool,
}

/// A head that the file has counts, also where the settings call it tied (as in transformers 5.24, which ties only what is absent). Without
/// one it is the embedding by the settings, or missing, except in a file of the bare model (`LlamaModel`), which ends in rows.
fn ending(top: &Settings, tied: bool, index: &Index, heads: &[&str]) -> Result<Ending, Error> {
    let tied = top.flag("tie_word_embeddings", tied)?;
    let is_bare = top
        .texts("architectures")?
        .is_some_and(|names| names.iter().any(|name| name.ends_with("Model")));
    let has_head = heads.iter().any(|head| index.has(head));
    Ok(Ending {
        tied: tied && !has_head,
        logits: tied || has_head || !is_bare,
    })
}
