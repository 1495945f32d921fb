//! Short ways to write raw trees.

use app::js_tree::JsTree;
use attention::Error;
use attention_playground::api::{Devices, ModelAnswer, StoredModel};
use engine::{Backend, BackendChoice, Failure, Reason, Sample, VerifiedGpu, Workload};
use pollster::block_on;

/// A machine without a GPU, whose clock stands still.
pub(super) struct Processor;

impl Devices for Processor {
    fn device(&self, choice: BackendChoice, _: Workload) -> Result<Option<VerifiedGpu>, Error> {
        match choice {
            BackendChoice::WebGpu => Err(Reason::NoAdapter.refusal()),
            BackendChoice::Auto | BackendChoice::Cpu => Ok(None),
        }
    }

    fn learn(&self, _: Backend, _: Sample) {}

    fn failed(&self, _: &Failure, _: Workload) {}

    fn now_ms(&self) -> f64 {
        0.0
    }
}

/// The answer of a model there.
pub(super) fn called(
    model: &mut StoredModel,
    name: &str,
    request: JsTree,
) -> Result<ModelAnswer, Error> {
    block_on(model.call(name, request, &Processor))
}

/// `{ name: value, … }`.
pub(super) fn record<const N: usize>(entries: [(&str, JsTree); N]) -> JsTree {
    JsTree::Record(
        entries
            .map(|(name, value)| (name.to_owned().into(), value))
            .into(),
    )
}

pub(super) fn text(text: &str) -> JsTree {
    JsTree::Text(text.to_owned())
}

pub(super) fn list<const N: usize>(items: [JsTree; N]) -> JsTree {
    JsTree::List(items.into())
}

/// `{ shape, data }` of small numbers that differ from place to place.
pub(super) fn tensor(shape: &[usize]) -> JsTree {
    let length: usize = shape.iter().product();
    let data = (0..length)
        .map(|i| ((i * 7 + 3) % 11) as f32 / 11.0 - 0.4)
        .collect();
    record([("shape", axes(shape)), ("data", JsTree::Singles(data))])
}

pub(super) fn axes(shape: &[usize]) -> JsTree {
    JsTree::Doubles(shape.iter().map(|axis| *axis as f64).collect())
}

/// `{ shape, data }` of ones.
pub(super) fn ones(shape: &[usize]) -> JsTree {
    record([
        ("shape", axes(shape)),
        ("data", JsTree::Doubles(vec![1.0; shape.iter().product()])),
    ])
}

/// `tree` with the value at `path` (names joined by dots) put, replaced, or taken out by [`JsTree::Absent`].
pub(super) fn with(tree: &JsTree, path: &str, value: JsTree) -> JsTree {
    let JsTree::Record(entries) = tree else {
        panic!("{path}: not a record")
    };
    let mut entries = entries.clone();
    let (name, rest) = path
        .split_once('.')
        .map_or((path, None), |(name, rest)| (name, Some(rest)));
    let value = match rest {
        None => value,
        Some(rest) => {
            let inner = entries
                .iter()
                .find(|(entry, _)| entry == name)
                .unwrap_or_else(|| panic!("no {name}"));
            with(&inner.1, rest, value)
        }
    };
    entries.retain(|(entry, _)| entry != name);
    entries.push((name.to_owned().into(), value));
    JsTree::Record(entries)
}

/// Six query heads on two key/value heads; n 5, m 7, d_model 8, d_k 3, d_v 2, d_out 9.
pub(super) fn inputs() -> JsTree {
    record([
        ("queries", tensor(&[5, 8])),
        ("keys_values", tensor(&[7, 8])),
        ("heads", JsTree::Number(6.0)),
        ("kv_heads", JsTree::Number(2.0)),
        ("weights", weights()),
    ])
}

pub(super) fn weights() -> JsTree {
    record([
        ("w_q", tensor(&[8, 18])),
        ("w_k", tensor(&[8, 6])),
        ("w_v", tensor(&[8, 4])),
        ("w_o", tensor(&[12, 9])),
        ("b_q", tensor(&[18])),
        ("b_o", tensor(&[9])),
        ("w_a", tensor(&[3, 1])),
    ])
}

/// The same with three batch entries.
pub(super) fn batched() -> JsTree {
    with(
        &with(&inputs(), "queries", tensor(&[3, 5, 8])),
        "keys_values",
        tensor(&[3, 7, 8]),
    )
}

/// Four query heads on two key/value heads; n 5, m 7, d_k 3, d_v 2.
pub(super) fn heads() -> JsTree {
    record([
        ("q", tensor(&[4, 5, 3])),
        ("k", tensor(&[2, 7, 3])),
        ("v", tensor(&[2, 7, 2])),
    ])
}
