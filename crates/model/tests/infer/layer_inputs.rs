//! Queries, keys and values of single layers, and logits of single rows.

use attention::Code;
use model::infer::LayerInputs;
use model::{ModelConfig, ModelPositions};

use crate::configs::{all, model, words};
use crate::laws::everything;

/// The scores of a layer's queries and keys, masked and turned into weights, are those of the pass.
#[test]
fn queries_and_keys_of_a_layer_give_its_weights() {
    for (name, config) in all() {
        let uncapped = ModelConfig {
            score_cap: None,
            local: None,
            positions: match config.positions {
                ModelPositions::Alibi => ModelPositions::None,
                own => own,
            },
            ..config
        };
        let (model, words) = (model(uncapped), words(&uncapped, 1, 7));
        let found = model.infer(&words, &everything(&uncapped)).expect("finite");
        for layer in 0..config.layers {
            let own = model
                .layer_inputs(&words, layer, &found.hidden[layer])
                .expect("rows of the pass");
            assert_eq!(own.q.dim(), (config.heads, 7, config.d_k), "{name}");
            assert_eq!(own.v.dim(), (config.kv_heads, 7, config.d_k), "{name}");
            for head in 0..config.heads {
                let wanted = &found.weights[layer * config.heads + head];
                let weights = weights_of(&own, (head, config.causal));
                for ((place, wanted), weight) in wanted.indexed_iter().zip(weights) {
                    let far = (f64::from(*wanted) - weight).abs();
                    assert!(far < 1e-6, "{name}, {layer}, {head}, {place:?}: {far}");
                }
            }
        }
    }
}

/// `softmax(q·kᵀ/√d_k)` of a head, row by row, in 64 bits.
fn weights_of(own: &LayerInputs, (head, is_causal): (usize, bool)) -> Vec<f64> {
    let (heads, n, d_k) = own.q.dim();
    let kv_head = head * own.k.dim().0 / heads;
    let score = |query: usize, key: usize| -> f64 {
        let terms = (0..d_k)
            .map(|c| f64::from(own.q[[head, query, c]]) * f64::from(own.k[[kv_head, key, c]]));
        terms.sum::<f64>() / (d_k as f64).sqrt()
    };
    let row = |query: usize| {
        let seen = if is_causal { query + 1 } else { n };
        let powers: Vec<f64> = (0..seen).map(|key| score(query, key).exp()).collect();
        let sum: f64 = powers.iter().sum();
        let weights = powers.into_iter().map(move |power| power / sum);
        weights
            .chain(std::iter::repeat_n(0.0, n - seen))
            .collect::<Vec<_>>()
    };
    (0..n).flat_map(row).collect()
}

#[test]
fn rows_of_another_number_than_words_are_refused() {
    let (_, config) = all().remove(0);
    let (model, words) = (model(config), words(&config, 1, 7));
    let error = model
        .layer_inputs(&words, 0, &[0.5; 5])
        .expect_err("one row of seven");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::ShapeMismatch, "rows")
    );
    let error = model
        .layer_inputs(&words, 9, &[0.5; 35])
        .expect_err("no such layer");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::ShapeMismatch, "layer")
    );
}

/// Rows behind the final norm give the logits of the pass, bit for bit.
#[test]
fn last_rows_give_the_logits() {
    for (name, config) in all().into_iter().filter(|(_, config)| config.logits) {
        let (model, words) = (model(config), words(&config, 1, 5));
        let found = model.infer(&words, &everything(&config)).expect("finite");
        let rows = found.hidden.last().expect("the last rows");
        assert!(
            model.logits_of(rows).expect("finite") == found.logits,
            "{name}"
        );
    }
}
