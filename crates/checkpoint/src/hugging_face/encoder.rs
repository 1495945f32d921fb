//! BERT, RoBERTa and DistilBERT: encoders that end in rows, or in the words that are masked.

use attention::{Code, Error};
use model::{Activation, ModelConfig, ModelPositions, Norm, NormPlace};

use super::{activation, ending};
use crate::Family;
use crate::described::{Described, head_width};
use crate::matching::Index;
use crate::settings::Settings;

/// Names of the settings in a family.
struct Names {
    d_model: &'static str,
    layers: &'static str,
    heads: &'static str,
    mlp: &'static str,
    activation: &'static str,
    /// The map, the norm and the bias of the head for masked words; where one is missing there is none.
    masked: [&'static str; 3],
    /// The matrix after it, where it is not the embedding.
    words: &'static str,
}

const BERT: Names = Names {
    d_model: "hidden_size",
    layers: "num_hidden_layers",
    heads: "num_attention_heads",
    mlp: "intermediate_size",
    activation: "hidden_act",
    masked: [
        "cls.predictions.transform.dense.weight",
        "cls.predictions.transform.LayerNorm.weight",
        "cls.predictions.bias",
    ],
    words: "cls.predictions.decoder.weight",
};

const ROBERTA: Names = Names {
    masked: [
        "lm_head.dense.weight",
        "lm_head.layer_norm.weight",
        "lm_head.bias",
    ],
    words: "lm_head.decoder.weight",
    ..BERT
};

const DISTILBERT: Names = Names {
    d_model: "dim",
    layers: "n_layers",
    heads: "n_heads",
    mlp: "hidden_dim",
    activation: "activation",
    masked: [
        "vocab_transform.weight",
        "vocab_layer_norm.weight",
        "vocab_projector.bias",
    ],
    words: "vocab_projector.weight",
};

pub(super) fn describe(family: Family, top: &Settings, index: &Index) -> Result<Described, Error> {
    let names = match family {
        Family::DistilBert => DISTILBERT,
        Family::Roberta => ROBERTA,
        _ => BERT,
    };
    top.refuse_true(
        "is_decoder",
        "must be false: this family is read as an encoder",
    )?;
    let kind = top.text("position_embedding_type")?;
    if let Some(kind) = kind.filter(|kind| kind != "absolute") {
        let (code, field) = (Code::UnknownOption, "position_embedding_type");
        return Err(Error::new(code, field, kind, "must be absolute"));
    }
    let d_model = top.size(names.d_model)?;
    let heads = top.size(names.heads)?;
    let d_k = head_width(top.name(names.heads), d_model, heads)?;
    let first_position = first_position(family, top)?;
    let length = top.size("max_position_embeddings")?;
    let Some(length) = length
        .checked_sub(first_position)
        .filter(|length| *length > 0)
    else {
        let rule = format!("must be above {first_position}, the place of the first word");
        let (code, field) = (Code::ShapeMismatch, "max_position_embeddings");
        return Err(Error::new(code, field, length, rule));
    };
    let epsilon = match family {
        Family::DistilBert => 1e-12,
        _ => top.positive("layer_norm_eps")?.unwrap_or(1e-12),
    };
    let start = ModelConfig::new(
        top.size("vocab_size")?,
        length,
        d_model,
        top.size(names.layers)?,
        heads,
    );
    let activation = activation(top, names.activation)?.unwrap_or_default();
    // RoBERTa's head has GELU whatever the layers have.
    let fits = family != Family::Roberta || activation == Activation::Gelu;
    let has_head = fits && names.masked.iter().all(|name| index.has(name));
    let config = ModelConfig {
        d_k,
        positions: ModelPositions::Learned,
        norm: Norm::Layer,
        norm_place: NormPlace::After,
        epsilon: epsilon as f32,
        mlp: top.size(names.mlp)?,
        activation,
        biases: true,
        embedding_norm: true,
        token_types: match family {
            Family::DistilBert => 0,
            _ => top.whole("type_vocab_size", 0)?.unwrap_or(2),
        },
        first_position,
        masked_head: has_head,
        logits: has_head,
        tied: has_head && ending(top, true, index, &[names.words])?.tied,
        ..start
    };
    Ok(Described::new(family, config))
}

/// RoBERTa's places count from the one after that of its padding.
fn first_position(family: Family, top: &Settings) -> Result<usize, Error> {
    match family {
        Family::Roberta => Ok(1 + top.whole("pad_token_id", 0)?.unwrap_or(1)),
        _ => Ok(0),
    }
}
