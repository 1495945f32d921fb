//! Queries and keys of a layer, and the maps that they make.

use interpret::{Interpreter, LayerOfText};
use model::infer::Inference;
use ndarray::Array3;

use crate::common::{CASES, assert_close, heads, ids, infer, open, softmax, wide};

/// `softmax(q·k/√d_k)` over the keys that a query sees, by loops.
fn maps(layer: &LayerOfText, is_causal: bool) -> Vec<f64> {
    let (q, k) = (&layer.inputs.q, &layer.inputs.k);
    let (heads, n, d_k) = q.dim();
    let mut all = Vec::new();
    for head in 0..heads {
        let kv_head = head * k.dim().0 / heads;
        for query in 0..n {
            let score = |key: usize| {
                let is_near = layer.window.is_none_or(|most| query.abs_diff(key) <= most);
                if !is_near || (is_causal && key > query) {
                    return f64::NEG_INFINITY;
                }
                let products = (0..d_k)
                    .map(|c| f64::from(q[[head, query, c]]) * f64::from(k[[kv_head, key, c]]));
                products.sum::<f64>() / (d_k as f64).sqrt()
            };
            all.extend(softmax((0..n).map(score)));
        }
    }
    all
}

fn given(weights: &Array3<f32>) -> Vec<f64> {
    weights.iter().map(|own| f64::from(*own)).collect()
}

fn check(name: &str, text: &str, interpreter: &mut Interpreter) -> usize {
    let config = *interpreter.model().config();
    let reading = interpreter.read(text).expect(name);
    let one = config.heads * reading.tokens.len().pow(2);
    let mut windows = 0;
    for (at, wanted) in reading.maps.chunks_exact(one).enumerate() {
        let layer = interpreter.layer(text, at).expect(name);
        assert_eq!(layer.tokens, reading.tokens, "{name}");
        let kv = (config.kv_heads, reading.tokens.len(), config.d_k);
        assert_eq!((layer.inputs.k.dim(), layer.inputs.v.dim()), (kv, kv));
        windows += usize::from(layer.window.is_some());
        assert_eq!(layer.weights.is_some(), config.score_cap.is_some());
        let what = format!("{name}: layer {at}");
        match &layer.weights {
            Some(weights) => assert_close(&what, &given(weights), &wide(wanted), 0.0),
            None => assert_close(&what, &maps(&layer, config.causal), &wide(wanted), 1e-5),
        }
    }
    windows
}

#[test]
fn queries_and_keys_of_every_layer_make_its_maps() {
    for (name, text) in CASES {
        let windows = check(name, text, &mut open(name));
        let wanted = match name {
            "gemma2" | "gemma3" | "gemma3_both_sides" | "qwen2_window" => 2,
            _ => 0,
        };
        assert_eq!(windows, wanted, "{name}");
    }
}

/// `C = A·V` of every head.
#[test]
fn values_are_those_that_heads_carry() {
    for (name, text) in CASES {
        let mut interpreter = open(name);
        let layer = interpreter.layer(text, 1).expect(name);
        let model = interpreter.model();
        let config = *model.config();
        let how = Inference {
            weights: heads(model),
            contexts: heads(model),
            ..Inference::default()
        };
        let found = infer(model, &ids(name, text), &how);
        for head in 0..config.heads {
            let (map, context) = (config.heads + head, &found.contexts[config.heads + head]);
            let kv_head = head * config.kv_heads / config.heads;
            let value = |at: usize| {
                let (query, c) = (at / config.d_k, at % config.d_k);
                let map = &found.weights[map];
                let terms = (0..map.dim().2).map(|key| {
                    f64::from(map[[0, query, key]]) * f64::from(layer.inputs.v[[kv_head, key, c]])
                });
                terms.sum::<f64>()
            };
            let wanted: Vec<f64> = (0..context.len()).map(value).collect();
            assert_close(name, &wide(context), &wanted, 1e-5);
        }
    }
}
