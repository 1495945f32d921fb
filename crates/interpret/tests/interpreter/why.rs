//! Scores and logits as sums.

use model::attribute::{Attribution, ScoreCell};
use model::infer::{Inference, WantedLogits};

use crate::common::{CASES, assert_close, ids, infer, open, with_logits};

/// Parts sum to the score, within 1e-5 of the largest of them.
fn assert_sum(what: &str, split: &Attribution, score: f64) {
    let largest = split.parts.first().expect(what).value.abs();
    let sum: f64 = split.parts.iter().map(|part| part.value).sum();
    let most = 1e-5 * largest.max(1.0);
    assert_close(what, &[sum, split.score], &[score, score], most);
}

/// `q·k/√d_k` of a cell, as the layer gives them.
fn score(own: &mut interpret::Interpreter, text: &str, cell: ScoreCell) -> f64 {
    let layer = own.layer(text, cell.layer).expect("a layer");
    let (q, k) = (&layer.inputs.q, &layer.inputs.k);
    let (heads, _, d_k) = q.dim();
    let kv_head = cell.head * k.dim().0 / heads;
    let products = (0..d_k)
        .map(|c| f64::from(q[[cell.head, cell.query, c]]) * f64::from(k[[kv_head, cell.key, c]]));
    products.sum::<f64>() / (d_k as f64).sqrt()
}

#[test]
fn parts_of_a_score_sum_to_it() {
    for (name, text) in CASES {
        let mut own = open(name);
        for (layer, head, query, key) in [(0, 3, 3, 1), (1, 0, 4, 4), (1, 2, 2, 1)] {
            let cell = ScoreCell {
                layer,
                head,
                query,
                key,
            };
            let (why, score) = (
                own.why(text, cell).expect(name),
                score(&mut own, text, cell),
            );
            let what = format!("{name}: {cell:?}");
            assert_sum(&what, &why.by_key, score);
            assert_sum(&what, &why.by_query, score);
            assert_eq!(why.by_key.score, why.by_query.score, "{what}");
            // Before the first layer there may be one source alone.
            assert!(layer == 0 || why.by_key.parts != why.by_query.parts);
        }
    }
}

#[test]
fn parts_of_a_logit_sum_to_it() {
    for (name, text, mut own) in with_logits() {
        let how = Inference {
            logits: WantedLogits::All,
            ..Inference::default()
        };
        let logits = infer(own.model(), &ids(name, text), &how).logits;
        let config = *own.model().config();
        for (place, word) in [(0, 5), (3, 28)] {
            let split = own.parts(text, place, word).expect(name);
            // The sum is the logit before its cap.
            let cap = config.logit_cap.map(f64::from);
            let capped = cap.map_or(split.score, |cap| cap * (split.score / cap).tanh());
            let wanted = f64::from(logits[place * config.vocabulary + word]);
            assert_close(name, &[capped], &[wanted], 1e-5);
            assert_sum(name, &split, split.score);
        }
    }
}
