//! A score or a logit, split over what it is made of.

use super::devices;
use super::reads::Reads;
use super::{Fields, changes, inputs, named, whole};
use app::js_tree::JsTree;
use attention::{Code, Error};
use model::Model;
use model::attribute::{Attribution, By, ScoreCell, Source};

/// Fields of a call beside its words and changes.
const FIELDS: [&str; 10] = [
    "tokens", "text", "backend", "layer", "head", "query", "key", "by", "position", "token",
];

/// The most pairs of a call, of some hundred bytes each.
const MOST_PAIRS: usize = 1 << 18;

/// How a score is split.
#[derive(Clone, Copy)]
enum Split {
    One(By),
    Pairs,
}

/// `{ score, parts }` of a cell, or `{ logit, score, parts }` of a word at a position.
pub(super) fn answer(raw: JsTree, model: &Model, reads: &Reads) -> Result<JsTree, Error> {
    let known = [&FIELDS[..], &changes::FIELDS].concat();
    let fields = &mut Fields::parse("", raw, &known)?;
    devices::processor_only(fields, "what a score is made of")?;
    let words = inputs::words(fields, model.config(), reads)?;
    let how = changes::read(fields, model, reads, &words)?;
    if fields.has("position") || fields.has("token") {
        let rule = "belongs to a score, and position and token to a logit";
        fields.refuse(&["layer", "head", "query", "key", "by"], rule)?;
        let position = number(fields, "position")?;
        let token = number(fields, "token")?;
        let split = model.attribute_logit(&words, &how, position, token)?;
        let logit = ("logit", JsTree::Number(split.score));
        let [score, parts] = entries(split, source);
        return Ok(JsTree::record([logit, score, parts]));
    }
    let cell = ScoreCell {
        layer: number(fields, "layer")?,
        head: number(fields, "head")?,
        query: number(fields, "query")?,
        key: number(fields, "key")?,
    };
    Ok(match by(fields)? {
        Split::One(by) => {
            let split = model.attribute_score(&words, &how, cell, by)?;
            JsTree::record(entries(split, source))
        }
        Split::Pairs => {
            check_pairs(model, cell.layer)?;
            let split = model.attribute_pairs(&words, &how, cell)?;
            JsTree::record(entries(split, pair))
        }
    })
}

fn number(fields: &mut Fields, field: &str) -> Result<usize, Error> {
    let rule = "a score needs layer, head, query and key, a logit position and token";
    let raw = fields
        .take(field)
        .ok_or_else(|| Error::missing(field, rule))?;
    whole(field, &raw, 0, Code::ShapeMismatch)
}

fn by(fields: &mut Fields) -> Result<Split, Error> {
    let choices = [
        ("key", Split::One(By::Key)),
        ("query", Split::One(By::Query)),
        ("pairs", Split::Pairs),
    ];
    let raw = fields.take("by");
    raw.map_or(Ok(choices[0].1), |raw| named("by", &raw, &choices))
}

/// Refuses more pairs of sources before a layer than a call may hold.
fn check_pairs(model: &Model, layer: usize) -> Result<(), Error> {
    let sources = layer.saturating_mul(model.config().heads + 1);
    let pairs = sources.saturating_mul(sources);
    if pairs <= MOST_PAIRS {
        return Ok(());
    }
    let rule = format!("a call gives at most {MOST_PAIRS} pairs; split by key or by query");
    Err(Error::new(Code::TooLarge, "by", pairs, rule))
}

/// `score` and `parts`.
fn entries<S>(split: Attribution<S>, named: fn(S) -> JsTree) -> [(&'static str, JsTree); 2] {
    let part = |part: model::attribute::Part<S>| {
        JsTree::record([
            ("source", named(part.source)),
            ("value", JsTree::Number(part.value)),
        ])
    };
    [
        ("score", JsTree::Number(split.score)),
        (
            "parts",
            JsTree::List(split.parts.into_iter().map(part).collect()),
        ),
    ]
}

/// `{ kind, layer, head }`.
fn source(source: Source) -> JsTree {
    let kind = |name| ("kind", JsTree::text(name));
    let layer = |layer| ("layer", JsTree::index(layer));
    match source {
        Source::Token => JsTree::record([kind("token")]),
        Source::Position => JsTree::record([kind("position")]),
        Source::TokenType => JsTree::record([kind("token_type")]),
        Source::Head(of, head) => {
            JsTree::record([kind("head"), layer(of), ("head", JsTree::index(head))])
        }
        Source::Mlp(of) => JsTree::record([kind("mlp"), layer(of)]),
        Source::Bias => JsTree::record([kind("bias")]),
        Source::Distance => JsTree::record([kind("distance")]),
    }
}

/// `{ query, key }`.
fn pair([query, key]: [Source; 2]) -> JsTree {
    JsTree::record([("query", source(query)), ("key", source(key))])
}
