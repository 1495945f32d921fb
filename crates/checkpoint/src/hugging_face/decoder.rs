//! Llama, Mistral, Qwen and Gemma.

use attention::{Code, Error};
use model::{Activation, Local, LocalLayers, ModelConfig};

use super::{activation, ending};
use crate::decoder::{self, Sizes};
use crate::described::{Described, head_width};
use crate::matching::Index;
use crate::rope::{self, Rope, RopeDefaults};
use crate::settings::Settings;
use crate::window::local;
use crate::{Family, Lookup, Value};

pub(super) fn describe(family: Family, top: &Settings, index: &Index) -> Result<Described, Error> {
    let sizes = sizes(family, top)?;
    let ropes = Ropes::read(family, top)?;
    let ending = ending(top, family.is_gemma(), index, &["lm_head.weight"])?;
    let epsilon = top.positive("rms_norm_eps")?.unwrap_or(1e-6);
    let start = decoder::config(family, &sizes, epsilon, ropes.others.base);
    let mut local = windows(family, top, sizes.layers)?;
    if let Some(local) = &mut local {
        local.rotary_base = ropes.local_base.map(|base| base as f32);
    }
    let columns = ropes.others.columns(sizes.d_k);
    let mut config = ModelConfig {
        local,
        rotary_columns: (columns != sizes.d_k).then_some(columns),
        activation: mlp_activation(family, top)?,
        tied: ending.tied,
        logits: ending.logits,
        ..start
    };
    if family.is_gemma() {
        config = gemma(family, top, config)?;
    }
    let (attention, mlp) = (
        top.flag("attention_bias", false)?,
        top.flag("mlp_bias", false)?,
    );
    let described = Described::new(family, config).with_divisors(ropes.others.divisors);
    // Qwen 2 has its biases whatever the settings say, and no others.
    Ok(match family {
        Family::Qwen2 | Family::Mistral => described,
        Family::Llama => described.with_biases(attention, mlp),
        _ => described.with_biases(attention, false),
    })
}

fn sizes(family: Family, top: &Settings) -> Result<Sizes, Error> {
    let d_model = top.size("hidden_size")?;
    let heads = top.size("num_attention_heads")?;
    let kv_heads = match (top.whole("num_key_value_heads", 1)?, family) {
        (Some(heads), _) => heads,
        (None, _) if top.is_null("num_key_value_heads") => heads,
        (None, Family::Qwen2 | Family::Qwen3) => 32,
        (None, Family::Mistral) => 8,
        (None, Family::Gemma2 | Family::Gemma3) => 4,
        (None, _) => heads,
    };
    let d_k = match (top.whole("head_dim", 1)?, family) {
        (Some(d_k), _) => d_k,
        (None, Family::Qwen3) => 128,
        (None, Family::Gemma2 | Family::Gemma3) => 256,
        (None, _) => head_width(top.name("num_attention_heads"), d_model, heads)?,
    };
    Ok(Sizes {
        vocabulary: top.size("vocab_size")?,
        length: top.size("max_position_embeddings")?,
        d_model,
        layers: top.size("num_hidden_layers")?,
        heads,
        kv_heads,
        d_k,
        mlp: top.size("intermediate_size")?,
    })
}

fn mlp_activation(family: Family, top: &Settings) -> Result<Activation, Error> {
    // Gemma's files have a `hidden_act` too, which says nothing.
    Ok(match family.is_gemma() {
        true => activation(top, "hidden_activation")?.unwrap_or(Activation::GeluTanh),
        false => activation(top, "hidden_act")?.unwrap_or(Activation::Silu),
    })
}

/// Gemma's scale, caps and, in a model of sentences, words that see those after them.
fn gemma(family: Family, top: &Settings, config: ModelConfig) -> Result<ModelConfig, Error> {
    let cap = |key: &str, otherwise: f64| {
        let absent = (family == Family::Gemma2 && !top.is_null(key)).then_some(otherwise);
        Ok::<_, Error>(top.positive(key)?.or(absent).map(|cap| cap as f32))
    };
    let scalar = top.positive("query_pre_attn_scalar")?.unwrap_or(256.0);
    let mut config = ModelConfig {
        score_scale: Some((1.0 / scalar.sqrt()) as f32),
        score_cap: cap("attn_logit_softcapping", 50.0)?,
        logit_cap: cap("final_logit_softcapping", 30.0)?,
        ..config
    };
    let key = "use_bidirectional_attention";
    if family == Family::Gemma2 {
        top.refuse_true(key, "must be false: this family is read as a decoder")?;
    } else if top.flag(key, false)? {
        (config.causal, config.logits) = (false, false);
        // The file counts the words of both sides.
        config.local = config.local.map(|local| Local {
            window: local.window.div_ceil(2),
            ..local
        });
    }
    // A model that ends in rows has no logits to cap.
    config.logit_cap = config.logit_cap.filter(|_| config.logits);
    Ok(config)
}

/// Layers with a sliding window.
fn windows(family: Family, top: &Settings, layers: usize) -> Result<Option<Local>, Error> {
    let key = "sliding_window";
    let keys = match (top.whole(key, 1)?, top.is_null(key)) {
        (None, false) => Some(4096),
        (keys, _) => keys,
    };
    match family {
        Family::Mistral => Ok(keys.map(|keys| Local {
            layers: LocalLayers::All,
            window: keys - 1,
            rotary_base: None,
        })),
        Family::Qwen2 | Family::Qwen3 => {
            let is_used = top.flag("use_sliding_window", false)?;
            let keys = keys.filter(|_| is_used);
            let first = top.whole("max_window_layers", 0)?.unwrap_or(28);
            local(top, keys, layers, LocalLayers::From(first))
        }
        Family::Gemma2 => local(top, keys, layers, LocalLayers::AllButEvery(2)),
        Family::Gemma3 => {
            let every = top.whole("sliding_window_pattern", 1)?.unwrap_or(6);
            local(top, keys, layers, LocalLayers::AllButEvery(every))
        }
        _ => Ok(None),
    }
}

/// How the layers rotate: Gemma 3's local ones have a base of their own.
struct Ropes {
    others: Rope,
    local_base: Option<f64>,
}

impl Ropes {
    fn read(family: Family, top: &Settings) -> Result<Self, Error> {
        if family != Family::Gemma3 {
            let others = Rope::read(&rope::table(top)?, top, RopeDefaults::USUAL)?;
            return Ok(Self {
                others,
                local_base: None,
            });
        }
        let nested = top
            .table("rope_parameters")?
            .unwrap_or(Value::Table(Vec::new()));
        let of = |kind: &str| match nested.value(kind) {
            Some(table @ Value::Table(_)) => table,
            _ => Value::Table(Vec::new()),
        };
        let others = Rope::read(
            &merged(of("full_attention"), top.table("rope_scaling")?),
            top,
            RopeDefaults {
                base: 1_000_000.0,
                ..RopeDefaults::USUAL
            },
        )?;
        let near = Rope::read(
            &of("sliding_attention"),
            top,
            RopeDefaults {
                base_name: "rope_local_base_freq",
                ..RopeDefaults::USUAL
            },
        )?;
        if near.divisors.is_some() {
            let field = "rope_parameters.sliding_attention.rope_type";
            let rule = "must be default: only layers without a window divide their angles";
            return Err(Error::new(Code::UnknownOption, field, "another", rule));
        }
        Ok(Self {
            others,
            local_base: Some(near.base),
        })
    }
}

/// A table with the entries of another, which count where both have one.
fn merged(table: Value, more: Option<Value>) -> Value {
    match (table, more) {
        (Value::Table(mut entries), Some(Value::Table(more))) => {
            entries.extend(more);
            Value::Table(entries)
        }
        (table, _) => table,
    }
}
