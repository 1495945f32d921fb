//! Settings of GGUF files: metadata under the name of the architecture (`gguf` 0.19.0 on PyPI, `constants.py`).

use attention::{Code, Error};
use model::{Activation, Local, LocalLayers, ModelConfig, ModelPositions, Norm, NormPlace};

use crate::decoder::{self, Sizes};
use crate::described::{Described, head_width};
use crate::divisors::Divisors;
use crate::matching::Index;
use crate::settings::Settings;
use crate::value::excerpt;
use crate::{Family, Lookup, Value};

/// Reads the metadata.
pub(crate) fn describe(metadata: &dyn Lookup, index: &Index) -> Result<Described, Error> {
    let family = family(metadata, index)?;
    let prefix = format!("{}.", family.architecture().unwrap_or_default());
    let own = Settings::new(metadata, &prefix);
    check_experts(&own)?;
    let sizes = sizes(&own, index)?;
    match family {
        Family::Bert => bert(&own, &sizes, index),
        Family::Gpt2 | Family::GptNeoX => gpt(family, &own, &sizes, index),
        _ => decoder(family, &own, &sizes, index),
    }
}

fn family(metadata: &dyn Lookup, index: &Index) -> Result<Family, Error> {
    let (field, known) = (
        "general.architecture",
        Family::ALL.into_iter().filter_map(Family::architecture),
    );
    let known: Vec<&str> = known.collect();
    let seen = index.sample();
    let rule = format!(
        "must be one of {}; the file's tensors: {seen}",
        known.join(", ")
    );
    match metadata.value(field) {
        None => Err(Error::missing(field, rule)),
        Some(Value::Text(name)) => Family::ALL
            .into_iter()
            .find(|family| family.architecture() == Some(&name))
            .ok_or_else(|| Error::new(Code::UnknownOption, field, excerpt(&name), rule)),
        Some(other) => Err(Error::new(Code::UnknownOption, field, other, rule)),
    }
}

/// Refuses mixtures of experts, which have the architecture of the model that they are made of.
fn check_experts(own: &Settings) -> Result<(), Error> {
    match own.whole("expert_count", 0)? {
        None | Some(0) => Ok(()),
        Some(count) => {
            let (code, rule) = (Code::UnknownOption, "must be 0: experts are not known here");
            Err(Error::new(code, own.name("expert_count"), count, rule))
        }
    }
}

fn sizes(own: &Settings, index: &Index) -> Result<Sizes, Error> {
    let d_model = own.size("embedding_length")?;
    let heads = own.size("attention.head_count")?;
    let d_k = match own.whole("attention.key_length", 1)? {
        Some(d_k) => d_k,
        None => head_width(own.name("attention.head_count"), d_model, heads)?,
    };
    if let Some(values) = own
        .whole("attention.value_length", 1)?
        .filter(|values| *values != d_k)
    {
        let rule = format!("must be {d_k}, the width of keys");
        let field = own.name("attention.value_length");
        return Err(Error::new(Code::ShapeMismatch, field, values, rule));
    }
    let table = index.shape("token_embd.weight").and_then(<[usize]>::first);
    let wanted = || Error::missing("token_embd.weight", "the file must have it");
    Ok(Sizes {
        vocabulary: *table.ok_or_else(wanted)?,
        length: own.size("context_length")?,
        d_model,
        layers: own.size("block_count")?,
        heads,
        kv_heads: own.whole("attention.head_count_kv", 1)?.unwrap_or(heads),
        d_k,
        mlp: own.size("feed_forward_length")?,
    })
}

fn start(sizes: &Sizes) -> ModelConfig {
    ModelConfig {
        kv_heads: sizes.kv_heads,
        d_k: sizes.d_k,
        mlp: sizes.mlp,
        norm: Norm::Layer,
        biases: true,
        ..ModelConfig::new(
            sizes.vocabulary,
            sizes.length,
            sizes.d_model,
            sizes.layers,
            sizes.heads,
        )
    }
}

fn epsilon(own: &Settings, key: &str) -> Result<f64, Error> {
    own.positive(key)?.ok_or_else(|| own.missing(key))
}

fn bert(own: &Settings, sizes: &Sizes, index: &Index) -> Result<Described, Error> {
    if own.flag("attention.causal", false)? {
        let (code, field) = (Code::UnknownOption, own.name("attention.causal"));
        return Err(Error::new(code, field, "true", "must be false: an encoder"));
    }
    let types = index.shape("token_types.weight").and_then(<[usize]>::first);
    let config = ModelConfig {
        positions: ModelPositions::Learned,
        norm_place: NormPlace::After,
        epsilon: epsilon(own, "attention.layer_norm_epsilon")? as f32,
        embedding_norm: true,
        token_types: types.copied().unwrap_or(0),
        logits: false,
        ..start(sizes)
    };
    Ok(Described::new(Family::Bert, config))
}

fn gpt(family: Family, own: &Settings, sizes: &Sizes, index: &Index) -> Result<Described, Error> {
    let is_neox = family == Family::GptNeoX;
    let config = ModelConfig {
        causal: true,
        positions: ModelPositions::Learned,
        final_norm: true,
        epsilon: epsilon(own, "attention.layer_norm_epsilon")? as f32,
        activation: match is_neox {
            true => Activation::Gelu,
            false => Activation::GeluTanh,
        },
        tied: !index.has("output.weight"),
        ..start(sizes)
    };
    if !is_neox {
        return Ok(Described::new(family, config));
    }
    let rotary = Rotary::read(own, sizes.d_k, index)?;
    let config = ModelConfig {
        parallel: own.flag("use_parallel_residual", true)?,
        ..rotary.set(config)
    };
    let has_bias = index.has("blk.0.attn_qkv.bias");
    Ok(rotary.divide(Described::new(family, config).with_biases(has_bias, true)))
}

fn decoder(
    family: Family,
    own: &Settings,
    sizes: &Sizes,
    index: &Index,
) -> Result<Described, Error> {
    let rotary = Rotary::read(own, sizes.d_k, index)?;
    let epsilon = epsilon(own, "attention.layer_norm_rms_epsilon")?;
    let config = rotary.set(decoder::config(family, sizes, epsilon, rotary.base));
    let mut config = ModelConfig {
        tied: !index.has("output.weight"),
        local: windows(family, own)?,
        ..config
    };
    let has = |part: &str| index.has(&format!("blk.0.{part}.bias"));
    config.qkv_biases = has("attn_q");
    if family.is_gemma() {
        // Caps that a file of Gemma 2 leaves out are those of its paper.
        let cap = |key: &str, usual: f64| {
            let absent = (family == Family::Gemma2).then_some(usual);
            Ok::<_, Error>(own.positive(key)?.or(absent).map(|cap| cap as f32))
        };
        config.score_cap = cap("attn_logit_softcapping", 50.0)?;
        config.logit_cap = cap("final_logit_softcapping", 30.0)?;
    }
    let mut described = rotary.divide(Described::new(family, config));
    if has("attn_output") || has("ffn_down") {
        described = described.with_biases(has("attn_output"), has("ffn_down"));
    }
    Ok(described)
}

/// Layers with a sliding window. The files of Gemma say its width and not which layers have one, nor the base of those of Gemma 3.
fn windows(family: Family, own: &Settings) -> Result<Option<Local>, Error> {
    let keys = own
        .whole("attention.sliding_window", 0)?
        .filter(|keys| *keys > 0);
    let Some(keys) = keys.filter(|_| family.is_gemma()) else {
        return Ok(None);
    };
    let is_third = family == Family::Gemma3;
    let base = own.positive("rope.freq_base_swa")?.unwrap_or(10_000.0);
    Ok(Some(Local {
        layers: LocalLayers::AllButEvery(if is_third { 6 } else { 2 }),
        window: keys - 1,
        rotary_base: is_third.then_some(base as f32),
    }))
}

/// How queries and keys are rotated.
struct Rotary {
    base: f64,
    columns: Option<usize>,
    /// The file has a tensor of divisors.
    has_divisors: bool,
    divisors: Option<Divisors>,
}

impl Rotary {
    fn read(own: &Settings, d_k: usize, index: &Index) -> Result<Self, Error> {
        let columns = own
            .whole("rope.dimension_count", 1)?
            .filter(|columns| *columns != d_k);
        let factor = match own.text("rope.scaling.type")?.as_deref() {
            None => own.positive("rope.scale_linear")?,
            Some("none") => None,
            Some("linear") => own.positive("rope.scaling.factor")?,
            Some(other) => {
                let (code, field) = (Code::UnknownOption, own.name("rope.scaling.type"));
                let rule = "must be one of none, linear";
                return Err(Error::new(code, field, excerpt(other), rule));
            }
        };
        let factor = factor.filter(|factor| *factor != 1.0);
        let has_divisors = index.has("rope_freqs.weight");
        if let Some(factor) = factor.filter(|_| has_divisors) {
            let (code, field) = (Code::NotApplicable, own.name("rope.scaling.factor"));
            let rule = "must be 1 beside rope_freqs.weight";
            return Err(Error::new(code, field, factor, rule));
        }
        Ok(Self {
            base: own.positive("rope.freq_base")?.unwrap_or(10_000.0),
            columns,
            has_divisors,
            divisors: factor.map(Divisors::Linear),
        })
    }

    fn set(&self, config: ModelConfig) -> ModelConfig {
        ModelConfig {
            positions: ModelPositions::Rotary {
                base: self.base as f32,
            },
            rotary_columns: self.columns,
            ..config
        }
    }

    fn divide(self, described: Described) -> Described {
        let mut described = described.with_divisors(self.divisors);
        described.config.rotary_divisors |= self.has_divisors;
        described
    }
}
