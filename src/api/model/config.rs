//! `config`, `init` and `optimizer`: from plain values to those of the core.

use super::{
    Fields, named,
    options::{PAIRS, SLOPES, finite, flag},
    whole,
};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::task::Task;
use model::{
    Activation, Init, Local, LocalLayers, ModelConfig, ModelPositions, Norm, NormPlace,
    OptimizerKind, OptimizerOptions,
};

const CONFIG: &[&str] = &[
    "vocabulary",
    "length",
    "d_model",
    "layers",
    "heads",
    "kv_heads",
    "d_k",
    "mask",
    "positions",
    "rotary_base",
    "base",
    "pairs",
    "slopes",
    "norm",
    "norm_place",
    "final_norm",
    "epsilon",
    "mlp",
    "activation",
    "gated",
    "biases",
    "tied",
    "residual",
    "scaled",
    "score_scale",
    "score_cap",
    "logit_cap",
    "qk_norm",
    "rotary_columns",
    "rotary_divisors",
    "window",
    "full_every",
    "full_before",
    "local_base",
    "parallel",
    "qkv_biases",
    "embedding_scale",
    "embedding_norm",
    "token_types",
    "first_position",
    "masked_head",
    "logits",
];

const MASKS: &[(&str, bool)] = &[("none", false), ("causal", true)];
const NORMS: &[(&str, Norm)] = &[
    ("none", Norm::None),
    ("layer", Norm::Layer),
    ("rms", Norm::Rms),
];
const PLACES: &[(&str, NormPlace)] = &[
    ("before", NormPlace::Before),
    ("after", NormPlace::After),
    ("both", NormPlace::Both),
];
const ACTIVATIONS: &[(&str, Activation)] = &[
    ("relu", Activation::Relu),
    ("gelu", Activation::Gelu),
    ("gelu_tanh", Activation::GeluTanh),
    ("silu", Activation::Silu),
];

/// `config`; what a task knows may be left out.
pub(super) fn config(raw: JsTree, task: Option<&Task>) -> Result<ModelConfig, Error> {
    let mut fields = Fields::parse("config", raw, CONFIG)?;
    let mut size = |field: &str, least| {
        let raw = fields.take(field);
        let size = raw.map(|raw| whole(field, &raw, least, Code::ShapeMismatch));
        size.transpose()
    };
    let needed = |size: Option<usize>, field: &str| {
        size.ok_or_else(|| Error::missing(field, "a model has to have it in its config"))
    };
    let vocabulary = size("vocabulary", 1)?.or(task.map(|task| task.words().len()));
    let length = size("length", 1)?.or(task.map(Task::length));
    let heads = needed(size("heads", 1)?, "heads")?;
    let d_model = needed(size("d_model", 1)?, "d_model")?;
    let layers = needed(size("layers", 1)?, "layers")?;
    let [kv_heads, d_k, mlp] = [size("kv_heads", 1)?, size("d_k", 1)?, size("mlp", 0)?];
    let start = ModelConfig::new(
        needed(vocabulary, "vocabulary")?,
        needed(length, "length")?,
        d_model,
        layers,
        heads,
    );
    if d_k.is_none() && !d_model.is_multiple_of(heads) {
        let rule = format!("must divide d_model, {d_model}, where d_k is left out");
        return Err(Error::new(Code::HeadsDoNotDivide, "heads", heads, rule));
    }
    let config = ModelConfig {
        kv_heads: kv_heads.unwrap_or(start.kv_heads),
        d_k: d_k.unwrap_or(start.d_k),
        mlp: mlp.unwrap_or(start.mlp),
        causal: one_of(&mut fields, "mask", MASKS, start.causal)?,
        positions: positions(&mut fields)?,
        norm: one_of(&mut fields, "norm", NORMS, start.norm)?,
        norm_place: one_of(&mut fields, "norm_place", PLACES, start.norm_place)?,
        activation: one_of(&mut fields, "activation", ACTIVATIONS, start.activation)?,
        epsilon: number(&mut fields, "epsilon", start.epsilon)?,
        final_norm: switch(&mut fields, "final_norm", start.final_norm)?,
        gated: switch(&mut fields, "gated", start.gated)?,
        biases: switch(&mut fields, "biases", start.biases)?,
        tied: switch(&mut fields, "tied", start.tied)?,
        residual: switch(&mut fields, "residual", start.residual)?,
        scaled: switch(&mut fields, "scaled", start.scaled)?,
        score_scale: maybe(&mut fields, "score_scale")?,
        score_cap: maybe(&mut fields, "score_cap")?,
        logit_cap: maybe(&mut fields, "logit_cap")?,
        qk_norm: switch(&mut fields, "qk_norm", start.qk_norm)?,
        rotary_pairs: one_of(&mut fields, "pairs", PAIRS, start.rotary_pairs)?,
        alibi_slopes: one_of(&mut fields, "slopes", SLOPES, start.alibi_slopes)?,
        rotary_columns: count(&mut fields, "rotary_columns")?,
        rotary_divisors: switch(&mut fields, "rotary_divisors", start.rotary_divisors)?,
        local: local(&mut fields)?,
        parallel: switch(&mut fields, "parallel", start.parallel)?,
        qkv_biases: switch(&mut fields, "qkv_biases", start.qkv_biases)?,
        embedding_scale: number(&mut fields, "embedding_scale", start.embedding_scale)?,
        embedding_norm: switch(&mut fields, "embedding_norm", start.embedding_norm)?,
        token_types: count(&mut fields, "token_types")?.unwrap_or(start.token_types),
        first_position: count(&mut fields, "first_position")?.unwrap_or(start.first_position),
        masked_head: switch(&mut fields, "masked_head", start.masked_head)?,
        logits: switch(&mut fields, "logits", start.logits)?,
        ..start
    };
    config.check()?;
    Ok(config)
}

fn positions(fields: &mut Fields) -> Result<ModelPositions, Error> {
    let named = number(fields, "rotary_base", 10_000.0)?;
    let base = number(fields, "base", named)?;
    let choices = [
        ("none", ModelPositions::None),
        ("learned", ModelPositions::Learned),
        ("sinusoidal", ModelPositions::Sinusoidal),
        ("rotary", ModelPositions::Rotary { base }),
        ("alibi", ModelPositions::Alibi),
    ];
    one_of(fields, "positions", &choices, ModelPositions::default())
}

/// Layers that see only near words: `window`, and which layers they are, all without `full_every` and `full_before`.
fn local(fields: &mut Fields) -> Result<Option<Local>, Error> {
    let rotary_base = maybe(fields, "local_base")?;
    let every = count(fields, "full_every")?;
    let before = count(fields, "full_before")?;
    let layers = match (every, before) {
        (None, None) => LocalLayers::All,
        (Some(every), None) => LocalLayers::AllButEvery(every),
        (None, Some(before)) => LocalLayers::From(before),
        (Some(_), Some(before)) => {
            let rule = "full_every says already which layers see everything";
            return Err(Error::new(Code::NotApplicable, "full_before", before, rule));
        }
    };
    let window = count(fields, "window")?;
    let local = |window| Local {
        layers,
        window,
        rotary_base,
    };
    Ok(window.map(local))
}

/// A config as calls give it, with every field.
pub(super) fn described(config: &ModelConfig) -> JsTree {
    let of = |number: Option<f32>| number.map_or(JsTree::Absent, |own| JsTree::Number(own.into()));
    let sized = |size: Option<usize>| size.map_or(JsTree::Absent, JsTree::index);
    let (positions, base) = match config.positions {
        ModelPositions::None => ("none", None),
        ModelPositions::Learned => ("learned", None),
        ModelPositions::Sinusoidal => ("sinusoidal", None),
        ModelPositions::Rotary { base } => ("rotary", Some(base)),
        ModelPositions::Alibi => ("alibi", None),
    };
    let (every, before) = match config.local.map(|local| local.layers) {
        Some(LocalLayers::AllButEvery(every)) => (Some(every), None),
        Some(LocalLayers::From(before)) => (None, Some(before)),
        Some(LocalLayers::All) | None => (None, None),
    };
    JsTree::record([
        ("vocabulary", JsTree::index(config.vocabulary)),
        ("length", JsTree::index(config.length)),
        ("d_model", JsTree::index(config.d_model)),
        ("layers", JsTree::index(config.layers)),
        ("heads", JsTree::index(config.heads)),
        ("kv_heads", JsTree::index(config.kv_heads)),
        ("d_k", JsTree::index(config.d_k)),
        ("mask", name_of(config.causal, MASKS)),
        ("positions", JsTree::text(positions)),
        ("rotary_base", of(base)),
        ("pairs", name_of(config.rotary_pairs, PAIRS)),
        ("slopes", name_of(config.alibi_slopes, SLOPES)),
        ("norm", name_of(config.norm, NORMS)),
        ("norm_place", name_of(config.norm_place, PLACES)),
        ("final_norm", JsTree::Flag(config.final_norm)),
        ("epsilon", JsTree::Number(config.epsilon.into())),
        ("mlp", JsTree::index(config.mlp)),
        ("activation", name_of(config.activation, ACTIVATIONS)),
        ("gated", JsTree::Flag(config.gated)),
        ("biases", JsTree::Flag(config.biases)),
        ("tied", JsTree::Flag(config.tied)),
        ("residual", JsTree::Flag(config.residual)),
        ("scaled", JsTree::Flag(config.scaled)),
        ("score_scale", of(config.score_scale)),
        ("score_cap", of(config.score_cap)),
        ("logit_cap", of(config.logit_cap)),
        ("qk_norm", JsTree::Flag(config.qk_norm)),
        ("rotary_columns", sized(config.rotary_columns)),
        ("rotary_divisors", JsTree::Flag(config.rotary_divisors)),
        ("window", sized(config.local.map(|local| local.window))),
        ("full_every", sized(every)),
        ("full_before", sized(before)),
        (
            "local_base",
            of(config.local.and_then(|local| local.rotary_base)),
        ),
        ("parallel", JsTree::Flag(config.parallel)),
        ("qkv_biases", JsTree::Flag(config.qkv_biases)),
        (
            "embedding_scale",
            JsTree::Number(config.embedding_scale.into()),
        ),
        ("embedding_norm", JsTree::Flag(config.embedding_norm)),
        ("token_types", JsTree::index(config.token_types)),
        ("first_position", JsTree::index(config.first_position)),
        ("masked_head", JsTree::Flag(config.masked_head)),
        ("logits", JsTree::Flag(config.logits)),
    ])
}

fn name_of<T: Copy + PartialEq>(value: T, choices: &[(&str, T)]) -> JsTree {
    let found = choices.iter().find(|(_, own)| *own == value);
    found.map_or(JsTree::Absent, |(name, _)| JsTree::text(name))
}

/// How the first numbers are drawn: `init` and `std`.
pub(super) fn init(fields: &mut Fields) -> Result<Init, Error> {
    let is_normal = one_of(
        fields,
        "init",
        &[("xavier", false), ("normal", true)],
        false,
    )?;
    match (is_normal, fields.take("std")) {
        (true, raw) => {
            let std = raw.map_or(Ok(0.02), |raw| finite("std", &raw))?;
            Ok(Init::Normal { std })
        }
        (false, None) => Ok(Init::Xavier),
        (false, Some(raw)) => {
            let rule = "belongs to init \"normal\"";
            Err(Error::new(Code::NotApplicable, "std", raw.describe(), rule))
        }
    }
}

/// `optimizer`.
pub(super) fn optimizer(raw: JsTree) -> Result<OptimizerOptions, Error> {
    let known = [
        "kind",
        "rate",
        "betas",
        "epsilon",
        "weight_decay",
        "warmup",
        "clip",
    ];
    let mut fields = Fields::parse("optimizer", raw, &known)?;
    let start = OptimizerOptions::default();
    let kinds = [("adamw", OptimizerKind::AdamW), ("sgd", OptimizerKind::Sgd)];
    let kind = fields.take("kind");
    let mut exact = |field: &'static str| {
        let raw = fields.take(field);
        raw.map(|raw| double(&format!("optimizer.{field}"), &raw))
            .transpose()
    };
    Ok(OptimizerOptions {
        kind: kind.map_or(Ok(start.kind), |raw| named("optimizer.kind", &raw, &kinds))?,
        rate: exact("rate")?.unwrap_or(start.rate),
        epsilon: exact("epsilon")?.unwrap_or(start.epsilon),
        weight_decay: exact("weight_decay")?.unwrap_or(start.weight_decay),
        clip: exact("clip")?,
        betas: fields
            .take("betas")
            .map_or(Ok(start.betas), |raw| betas(&raw))?,
        warmup: match fields.take("warmup") {
            None => start.warmup,
            Some(raw) => {
                let steps = whole("optimizer.warmup", &raw, 0, Code::UnknownOption)?;
                u32::try_from(steps).unwrap_or(u32::MAX)
            }
        },
    })
}

fn betas(raw: &JsTree) -> Result<[f64; 2], Error> {
    let numbers: Vec<f64> = match raw {
        JsTree::Doubles(numbers) => numbers.clone(),
        JsTree::Singles(numbers) => numbers.iter().map(|x| f64::from(*x)).collect(),
        _ => Vec::new(),
    };
    numbers.try_into().map_err(|_| {
        let rule = "must be a list of two numbers";
        Error::new(Code::UnknownOption, "optimizer.betas", raw.describe(), rule)
    })
}

fn double(field: &str, raw: &JsTree) -> Result<f64, Error> {
    match raw {
        JsTree::Number(number) if number.is_finite() => Ok(*number),
        other => finite(field, other).map(f64::from),
    }
}

fn one_of<T: Copy>(
    fields: &mut Fields,
    field: &str,
    choices: &[(&str, T)],
    otherwise: T,
) -> Result<T, Error> {
    let raw = fields.take(field);
    raw.map_or(Ok(otherwise), |raw| named(field, &raw, choices))
}

fn number(fields: &mut Fields, field: &str, otherwise: f32) -> Result<f32, Error> {
    let raw = fields.take(field);
    raw.map_or(Ok(otherwise), |raw| finite(field, &raw))
}

fn maybe(fields: &mut Fields, field: &str) -> Result<Option<f32>, Error> {
    let raw = fields.take(field);
    raw.map(|raw| finite(field, &raw)).transpose()
}

fn count(fields: &mut Fields, field: &str) -> Result<Option<usize>, Error> {
    let raw = fields.take(field);
    let count = raw.map(|raw| whole(field, &raw, 0, Code::ShapeMismatch));
    count.transpose()
}

fn switch(fields: &mut Fields, field: &str, otherwise: bool) -> Result<bool, Error> {
    let raw = fields.take(field);
    raw.map_or(Ok(otherwise), |raw| flag(field, &raw))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_config_makes_it_again() {
        let layers = [
            LocalLayers::All,
            LocalLayers::AllButEvery(6),
            LocalLayers::From(2),
        ];
        let positions = [
            ModelPositions::None,
            ModelPositions::Learned,
            ModelPositions::Sinusoidal,
            ModelPositions::Rotary { base: 500.0 },
            ModelPositions::Alibi,
        ];
        let start = ModelConfig::new(29, 13, 24, 3, 4);
        let rotary = ModelConfig {
            positions: ModelPositions::Rotary { base: 70.0 },
            kv_heads: 2,
            d_k: 10,
            causal: true,
            norm: Norm::Rms,
            norm_place: NormPlace::Both,
            final_norm: true,
            epsilon: 1e-6,
            mlp: 17,
            activation: Activation::GeluTanh,
            gated: true,
            biases: true,
            tied: true,
            score_scale: Some(0.25),
            score_cap: Some(50.0),
            logit_cap: Some(30.0),
            qk_norm: true,
            rotary_columns: Some(4),
            rotary_divisors: true,
            qkv_biases: true,
            embedding_scale: 4.5,
            embedding_norm: true,
            token_types: 2,
            ..start
        };
        let masked = ModelConfig {
            masked_head: true,
            ..start
        };
        let rows = ModelConfig {
            logits: false,
            ..start
        };
        let parallel = ModelConfig {
            norm: Norm::Layer,
            parallel: true,
            mlp: 5,
            scaled: false,
            first_position: 2,
            ..start
        };
        let local = layers.map(|layers| ModelConfig {
            local: Some(Local {
                layers,
                window: 3,
                rotary_base: Some(20.0),
            }),
            ..rotary
        });
        let placed = positions.map(|positions| ModelConfig { positions, ..start });
        let all = local
            .into_iter()
            .chain(placed)
            .chain([rotary, masked, rows, parallel]);
        for own in all {
            assert_eq!(config(described(&own), None), Ok(own));
        }
    }

    #[test]
    fn every_field_of_a_config_is_one_that_is_read() {
        let JsTree::Record(entries) = described(&ModelConfig::new(2, 3, 4, 1, 2)) else {
            panic!("a record");
        };
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_ref()).collect();
        // One field has two names: that of a layer, and its own.
        let read: Vec<&str> = CONFIG
            .iter()
            .copied()
            .filter(|name| *name != "base")
            .collect();
        assert_eq!(names, read);
    }
}
