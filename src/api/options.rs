//! Single values: head counts, numbers, names.

use std::sync::Arc;

use ndarray::Array2;

use super::fields::Fields;
use super::tensor::{Flags, Tensor};
use app::js_tree::JsTree;
use attention::{
    Bias, Code, Error, LayerOptions, MOST_QUERY_START, Outputs, Pairs, Places, Position, Rotation,
    Scoring, Slopes,
};
use engine::BackendChoice;

/// The largest integer that is accepted: what 32 bits hold.
const LARGEST: f64 = u32::MAX as f64;

/// Names of results, and whether each is a switch: the others are always there.
const RESULTS: &[&str] = &[
    "q",
    "k",
    "v",
    "scores",
    "weights",
    "context",
    "output",
    "stats",
    "backend",
    "empty_rows",
    "elapsed_ms",
];

/// A whole number of at least `least`, refused as `code`.
pub(super) fn whole(field: &str, raw: &JsTree, least: usize, code: Code) -> Result<usize, Error> {
    match raw {
        JsTree::Number(number)
            if number.fract() == 0.0 && (least as f64..=LARGEST).contains(number) =>
        {
            Ok(*number as usize)
        }
        other => {
            let code = if matches!(other, JsTree::Number(_)) {
                code
            } else {
                Code::UnknownOption
            };
            Err(Error::new(
                code,
                field,
                other.describe(),
                format!("must be a whole number of at least {least}"),
            ))
        }
    }
}

/// A number that is finite in 32 bits.
pub(super) fn finite(field: &str, raw: &JsTree) -> Result<f32, Error> {
    match raw {
        JsTree::Number(number) if (*number as f32).is_finite() => Ok(*number as f32),
        JsTree::Number(number) => Err(Error::new(
            Code::NotFinite,
            field,
            number,
            "must be finite as a 32-bit number",
        )),
        other => Err(Error::new(
            Code::UnknownOption,
            field,
            other.describe(),
            "must be a number",
        )),
    }
}

/// A switch.
pub(super) fn flag(field: &str, raw: &JsTree) -> Result<bool, Error> {
    match raw {
        JsTree::Flag(flag) => Ok(*flag),
        other => Err(Error::new(
            Code::UnknownOption,
            field,
            other.describe(),
            "must be true or false",
        )),
    }
}

/// One of a few names.
pub(super) fn named<T: Copy>(field: &str, raw: &JsTree, choices: &[(&str, T)]) -> Result<T, Error> {
    let found = match raw {
        JsTree::Text(text) => choices.iter().find(|(name, _)| name == text),
        _ => None,
    };
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<_> = choices
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        Error::new(
            Code::UnknownOption,
            field,
            raw.describe(),
            format!("must be one of {}", names.join(", ")),
        )
    })
}

/// The requested backend. Whether it is available is decided where the request runs.
pub(super) fn backend(fields: &mut Fields) -> Result<BackendChoice, Error> {
    let Some(raw) = fields.take("backend") else {
        return Ok(BackendChoice::Auto);
    };
    named(
        "backend",
        &raw,
        &BackendChoice::ALL.map(|choice| (choice.name(), choice)),
    )
}

/// The settings that stay with a layer; head counts that were left out are `heads` and `kv_heads`.
pub(super) fn layer_options(
    fields: &mut Fields,
    heads: usize,
    kv_heads: Option<usize>,
) -> Result<LayerOptions, Error> {
    let mut count = |field, code| {
        fields
            .take(field)
            .map(|raw| whole(field, &raw, 1, code))
            .transpose()
    };
    let heads = count("heads", Code::HeadsDoNotDivide)?.unwrap_or(heads);
    let kv_heads = count("kv_heads", Code::KvHeadsDoNotDivide)?.or(kv_heads);
    let scoring = [("dot", Scoring::Dot), ("additive", Scoring::Additive)];
    Ok(LayerOptions {
        heads,
        kv_heads,
        scoring: fields
            .take("scoring")
            .map_or(Ok(Scoring::Dot), |raw| named("scoring", &raw, &scoring))?,
        scale: fields
            .take("scale")
            .map(|raw| finite("scale", &raw))
            .transpose()?,
        position: position(fields)?,
    })
}

/// Names of the columns that rotary positions rotate together.
pub(super) const PAIRS: &[(&str, Pairs)] =
    &[("neighbours", Pairs::Neighbours), ("halves", Pairs::Halves)];
/// Names of slopes of ALiBi.
pub(super) const SLOPES: &[(&str, Slopes)] = &[("paper", Slopes::Paper), ("power", Slopes::Power)];
/// Fields that belong to one kind of position, and its name.
const OF_POSITION: [(&str, &str); 5] = [
    ("alibi_strength", "alibi"),
    ("slopes", "alibi"),
    ("pairs", "rotary"),
    ("base", "rotary"),
    ("rotary_columns", "rotary"),
];

fn position(fields: &mut Fields) -> Result<Position, Error> {
    let choices = [
        Position::None,
        Position::Sinusoidal,
        Position::ROTARY,
        Position::ALIBI,
    ]
    .map(|position| (position.name(), position));
    let position = fields
        .take("position")
        .map_or(Ok(Position::None), |raw| named("position", &raw, &choices))?;
    for (field, of) in OF_POSITION {
        if of != position.name() {
            fields.refuse(&[field], &format!("belongs to position \"{of}\""))?;
        }
    }
    match position {
        Position::Rotary(paper) => rotation(fields, paper).map(Position::Rotary),
        Position::Alibi { strength, slopes } => Ok(Position::Alibi {
            strength: fields
                .take("alibi_strength")
                .map_or(Ok(strength), |raw| finite("alibi_strength", &raw))?,
            slopes: fields
                .take("slopes")
                .map_or(Ok(slopes), |raw| named("slopes", &raw, SLOPES))?,
        }),
        Position::None | Position::Sinusoidal => Ok(position),
    }
}

fn rotation(fields: &mut Fields, paper: Rotation) -> Result<Rotation, Error> {
    Ok(Rotation {
        pairs: fields
            .take("pairs")
            .map_or(Ok(paper.pairs), |raw| named("pairs", &raw, PAIRS))?,
        base: fields
            .take("base")
            .map_or(Ok(paper.base), |raw| finite("base", &raw))?,
        columns: fields
            .take("rotary_columns")
            .map(|raw| whole("rotary_columns", &raw, 0, Code::UnknownOption))
            .transpose()?,
    })
}

/// Where queries and keys stand: `query_start` and `positions`, for `n` queries and `m` keys.
pub(super) fn places(fields: &mut Fields, [n, m]: [usize; 2]) -> Result<Places, Error> {
    let query_start = fields
        .take("query_start")
        .map_or(Ok(0), |raw| query_start(&raw, [n, m]))?;
    let positions = fields.take("positions").map(positions).transpose()?;
    Ok(Places {
        query_start,
        positions: positions.map(Arc::new),
    })
}

/// A whole number of either sign, or `"end"`: `m − n`, the last query at the last key.
fn query_start(raw: &JsTree, [n, m]: [usize; 2]) -> Result<i64, Error> {
    let most = MOST_QUERY_START as f64;
    match raw {
        JsTree::Text(name) if name == "end" => Ok(m as i64 - n as i64),
        JsTree::Number(start) if start.fract() == 0.0 && start.abs() <= most => Ok(*start as i64),
        other => {
            let rule = format!(
                "must be \"end\" or a whole number between -{MOST_QUERY_START} and {MOST_QUERY_START}"
            );
            let code = Code::UnknownOption;
            Err(Error::new(code, "query_start", other.describe(), rule))
        }
    }
}

/// `[m]` for all batch entries, or `[batch, m]`.
fn positions(raw: JsTree) -> Result<Array2<u32>, Error> {
    let mut tensor = Tensor::read("positions", raw, Flags::Refused)?;
    if tensor.shape.len() == 1 {
        tensor.shape.insert(0, 1);
    }
    let numbers = tensor.into_array::<2, _>("batch, m; the batch may be left out")?;
    let is_place = |at: &f32| at.fract() == 0.0 && (0.0..=MOST_QUERY_START as f32).contains(at);
    if let Some(at) = numbers.iter().find(|at| !is_place(at)) {
        let rule =
            format!("every position must be a whole number between 0 and {MOST_QUERY_START}");
        return Err(Error::new(Code::UnknownOption, "positions", at, rule));
    }
    Ok(numbers.mapv(|at| at as u32))
}

/// A bias of the scores: `[n, m]`, `[heads, n, m]`, or with a batch `[batch, heads, n, m]`, where either of the first two may be 1.
pub(super) fn bias(raw: JsTree) -> Result<Bias, Error> {
    let mut tensor = Tensor::read("bias", raw, Flags::Refused)?;
    while (2..4).contains(&tensor.shape.len()) {
        tensor.shape.insert(0, 1);
    }
    let numbers = tensor.into_array::<4, _>("batch, heads, n, m; the first two may be left out")?;
    Ok(Bias::new(numbers))
}

/// Parses the requested results; all by default.
pub(super) fn want(fields: &mut Fields) -> Result<Outputs, Error> {
    let names = match fields.take("want") {
        None => return Ok(Outputs::ALL),
        Some(JsTree::List(names)) => names,
        Some(JsTree::Doubles(numbers)) if numbers.is_empty() => Vec::new(),
        Some(other) => {
            let rule = format!("must be a list of results: {}", RESULTS.join(", "));
            return Err(Error::new(
                Code::UnknownOption,
                "want",
                other.describe(),
                rule,
            ));
        }
    };
    let choices: Vec<_> = RESULTS.iter().map(|name| (*name, *name)).collect();
    let mut want = Outputs::NOTHING;
    for name in &names {
        match named("want", name, &choices)? {
            "q" => want.q = true,
            "k" => want.k = true,
            "v" => want.v = true,
            "scores" => want.scores = true,
            "weights" => want.weights = true,
            "context" => want.context = true,
            "output" => want.output = true,
            "stats" => want.stats = true,
            // Returned whatever is wanted; naming them is no mistake.
            _ => {}
        }
    }
    Ok(want)
}
