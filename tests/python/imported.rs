//! Settings combined with imported data.

use app::state::imported::{AxisLabels, ImportedData, ImportedTensors, Inputs, cache};
use app::state::url;
use attention::{Linear, Weights};

use super::{Case, HOSTILE};
use crate::common::cases::numbers;

/// Settings combined with the numbers. Each kind of numbers takes the first and every second of the
/// others, so that together an even-numbered kind and an odd-numbered one cover all.
const SETTINGS: [&str; 12] = [
    "",
    "mask=causal&head=2",
    "positions=rotary&mask=causal,local&window=1&hiding=written",
    "positions=alibi&temperature=0.35",
    "scoring=additive&mask=padding&valid=2",
    "scoring=additive&positions=rotary&temperature=3",
    "linformer=1&projected=4&scaled=0",
    "positions=sinusoidal&seed=5&mask=strided&stride=2",
    "mask=causal&hiding=after&temperature=2",
    "mask=local,first&window=0&first=1&paint=AAAA",
    "mask=padding&valid=0&scaled=0",
    "scoring=additive&linformer=1&projected=5&lang=zh",
];

/// Queries, keys and values of `[heads, kv_heads]`, `[n, m]` and `[d_k, d_v]`.
fn heads([h, g]: [usize; 2], [n, m]: [usize; 2], [d_k, d_v]: [usize; 2]) -> ImportedTensors {
    ImportedTensors::Heads {
        q: numbers((h, n, d_k), 1),
        k: numbers((g, m, d_k), 2),
        v: numbers((g, m, d_v), 3),
    }
}

fn inputs(width: usize, n: usize, m: Option<usize>) -> Inputs {
    Inputs {
        queries: numbers((n, width), 5),
        keys_values: m.map(|m| numbers((m, width), 6)),
    }
}

/// Four heads that share two, from a width of 7, with keys of 5 and values of 3; the output has `d_out` columns.
fn weights(has_biases: bool, d_out: Option<usize>) -> Weights {
    let linear = |rows, columns, seed| Linear {
        w: numbers((rows, columns), seed),
        b: has_biases.then(|| numbers(columns, seed + 1)),
    };
    Weights {
        query: linear(7, 4 * 5, 10),
        key: linear(7, 2 * 5, 20),
        value: linear(7, 2 * 3, 30),
        output: d_out.map(|d_out| linear(4 * 3, d_out, 40)),
        additive: None,
    }
}

fn layer(weights: Weights, inputs: Option<Inputs>) -> ImportedTensors {
    ImportedTensors::Layer {
        weights,
        heads: 4,
        kv_heads: 2,
        inputs,
    }
}

/// Five heads of their own, with `w_a`; only the keys have a bias.
fn additive() -> ImportedTensors {
    let linear = |columns, seed| Linear {
        w: numbers((6, columns), seed),
        b: None,
    };
    let key = Linear {
        b: Some(numbers(5 * 3, 55)),
        ..linear(5 * 3, 51)
    };
    let weights = Weights {
        query: linear(5 * 3, 50),
        key,
        value: linear(5 * 3, 52),
        output: None,
        additive: Some(numbers(3, 53)),
    };
    ImportedTensors::Layer {
        weights,
        heads: 5,
        kv_heads: 5,
        inputs: Some(inputs(6, 4, None)),
    }
}

fn every() -> [(&'static str, ImportedTensors); 12] {
    [
        ("Q, K and V", heads([6, 2], [4, 9], [5, 3])),
        ("Q, K and V of one text", heads([3, 3], [7, 7], [4, 4])),
        (
            "Q, K and V of one shared head",
            heads([4, 1], [5, 5], [3, 8]),
        ),
        ("one of everything", heads([2, 1], [1, 1], [1, 1])),
        (
            "embeddings",
            ImportedTensors::Embeddings(inputs(9, 6, None)),
        ),
        (
            "embeddings of two texts",
            ImportedTensors::Embeddings(inputs(9, 6, Some(8))),
        ),
        (
            "a layer for the sentence",
            layer(weights(true, Some(9)), None),
        ),
        (
            "a layer without W_O",
            layer(weights(true, None), Some(inputs(7, 6, None))),
        ),
        (
            "a layer for two texts",
            layer(weights(true, Some(7)), Some(inputs(7, 6, Some(3)))),
        ),
        (
            "a layer without biases",
            layer(weights(false, Some(12)), Some(inputs(7, 3, Some(6)))),
        ),
        ("a layer with w_a", additive()),
        ("many numbers", heads([8, 4], [41, 57], [96, 130])),
    ]
}

/// Names that a file may give to the rows and columns.
fn names(contents: &ImportedTensors) -> AxisLabels {
    let hostile = |count| {
        HOSTILE
            .iter()
            .cycle()
            .take(count)
            .map(|&name| name.to_owned())
            .collect()
    };
    match contents {
        ImportedTensors::Heads { q, k, .. } => AxisLabels {
            rows: hostile(q.dim().1),
            columns: hostile(k.dim().1),
        },
        _ => AxisLabels::default(),
    }
}

fn case(title: &str, imported: &ImportedData, settings: &str) -> Case {
    cache::insert(imported);
    let (state, notes) = url::parse(&format!("v=1&data={}&{settings}", imported.link()));
    assert_eq!(notes, [], "{title}, {settings}");
    assert_eq!(
        state.imported.as_ref(),
        Some(imported),
        "{title}, {settings}"
    );
    Case {
        name: format!("{title} #{settings}"),
        state,
    }
}

/// Every case.
pub(super) fn cases() -> Vec<Case> {
    let of = |(place, (title, contents)): (usize, (&'static str, ImportedTensors))| {
        let names = names(&contents);
        let is_of_heads = matches!(contents, ImportedTensors::Heads { .. });
        let imported =
            ImportedData::new(contents, names, "numbers.npz").expect("these are in order");
        let is_tried = move |at: usize, settings: &str| {
            // They would be added to rows of which nothing is known.
            (at == 0 || (at + place).is_multiple_of(2))
                && !(is_of_heads && settings.contains("sinusoidal"))
        };
        let tried = SETTINGS
            .iter()
            .enumerate()
            .filter(move |(at, settings)| is_tried(*at, settings));
        tried
            .map(move |(_, settings)| case(title, &imported, settings))
            .collect::<Vec<_>>()
    };
    every().into_iter().enumerate().flat_map(of).collect()
}
