//! Single values: head counts, numbers, names.

use super::fields::Fields;
use app::js_tree::JsTree;
use attention::{Code, Error, LayerOptions, Outputs, Position, Scoring};
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

fn position(fields: &mut Fields) -> Result<Position, Error> {
    let choices = [
        Position::None,
        Position::Sinusoidal,
        Position::Rotary,
        Position::Alibi { strength: 1.0 },
    ]
    .map(|position| (position.name(), position));
    let position = fields
        .take("position")
        .map_or(Ok(Position::None), |raw| named("position", &raw, &choices))?;
    let strength = fields.take("alibi_strength");
    match (position, strength) {
        (position, None) => Ok(position),
        (Position::Alibi { .. }, Some(raw)) => {
            finite("alibi_strength", &raw).map(|strength| Position::Alibi { strength })
        }
        (_, Some(raw)) => Err(Error::new(
            Code::NotApplicable,
            "alibi_strength",
            raw.describe(),
            "belongs to position \"alibi\"",
        )),
    }
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
