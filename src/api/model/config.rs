//! `config`, `init` and `optimizer`: from plain values to those of the core.

use super::{Fields, named, options::finite, options::flag, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::task::Task;
use model::{
    Activation, Init, ModelConfig, ModelPositions, Norm, NormPlace, OptimizerKind, OptimizerOptions,
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
        causal: one_of(
            &mut fields,
            "mask",
            &[("none", false), ("causal", true)],
            false,
        )?,
        positions: positions(&mut fields)?,
        norm: one_of(
            &mut fields,
            "norm",
            &[
                ("none", Norm::None),
                ("layer", Norm::Layer),
                ("rms", Norm::Rms),
            ],
            start.norm,
        )?,
        norm_place: one_of(
            &mut fields,
            "norm_place",
            &[("before", NormPlace::Before), ("after", NormPlace::After)],
            start.norm_place,
        )?,
        activation: one_of(
            &mut fields,
            "activation",
            &[
                ("relu", Activation::Relu),
                ("gelu", Activation::Gelu),
                ("gelu_tanh", Activation::GeluTanh),
                ("silu", Activation::Silu),
            ],
            start.activation,
        )?,
        epsilon: number(&mut fields, "epsilon", start.epsilon)?,
        final_norm: switch(&mut fields, "final_norm", start.final_norm)?,
        gated: switch(&mut fields, "gated", start.gated)?,
        biases: switch(&mut fields, "biases", start.biases)?,
        tied: switch(&mut fields, "tied", start.tied)?,
        residual: switch(&mut fields, "residual", start.residual)?,
        scaled: switch(&mut fields, "scaled", start.scaled)?,
        ..start
    };
    config.check()?;
    Ok(config)
}

fn positions(fields: &mut Fields) -> Result<ModelPositions, Error> {
    let base = number(fields, "rotary_base", 10_000.0)?;
    let choices = [
        ("none", ModelPositions::None),
        ("learned", ModelPositions::Learned),
        ("sinusoidal", ModelPositions::Sinusoidal),
        ("rotary", ModelPositions::Rotary { base }),
        ("alibi", ModelPositions::Alibi),
    ];
    one_of(fields, "positions", &choices, ModelPositions::default())
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

fn switch(fields: &mut Fields, field: &str, otherwise: bool) -> Result<bool, Error> {
    let raw = fields.take(field);
    raw.map_or(Ok(otherwise), |raw| flag(field, &raw))
}
