//! Scores and logits of every family, split over what they are made of: the parts sum to what the weights and logits are made of, which are
//! those of transformers.

use std::time::Instant;

use checkpoint::Checkpoint;
use model::attribute::{Attribution, By, ScoreCell, Source};
use model::infer::{Inference, WantedLogits};
use model::{Model, Words, likeliest};

use crate::files::{Tensors, text};
use crate::real::smollm2;

const FAMILIES: [&str; 15] = [
    "bert",
    "distilbert",
    "gemma2",
    "gemma3",
    "gemma3_both_sides",
    "gpt2",
    "gpt_neox",
    "gpt_neox_serial",
    "llama",
    "llama3",
    "mistral",
    "qwen2",
    "qwen2_window",
    "qwen3",
    "roberta",
];

fn stored(name: &str) -> Model {
    let tensors = Tensors::read(&format!("{name}/model.safetensors"));
    let config = text(&format!("{name}/config.json"));
    let checkpoint = Checkpoint::from_hugging_face(&config, &tensors.list).expect(name);
    let model = checkpoint.open(|at| tensors.blocks(at));
    model.expect("a whole model")
}

/// Within 1e-5 of the largest part, as the API says.
fn assert_sum<S>(name: &str, split: &Attribution<S>) {
    let largest = split.parts[0].value.abs();
    let sum: f64 = split.parts.iter().map(|part| part.value).sum();
    let far = (sum - split.score).abs() / largest;
    assert!(far <= 1e-5, "{name}: {sum} for {}", split.score);
}

/// The score of a cell as the softmax takes it; none for a key that is not seen.
fn score(model: &Model, words: &Words, cell: ScoreCell) -> Option<f64> {
    let how = Inference::default();
    let split = model.attribute_score(words, &how, cell, By::Key).ok()?;
    assert_sum("by key", &split);
    let cap = model.config().score_cap.map(f64::from);
    Some(cap.map_or(split.score, |cap| cap * (split.score / cap).tanh()))
}

#[test]
fn scores_are_those_that_the_weights_are_made_of() {
    for name in FAMILIES {
        let model = stored(name);
        let config = *model.config();
        let ids = (0..9).map(|at| (at * at * 7 + 5) % config.vocabulary);
        let words = Words::new(&config, &[ids.collect()]).expect("words");
        let how = Inference {
            weights: vec![(config.layers - 1, config.heads - 1), (0, 0)],
            ..Inference::default()
        };
        let maps = model.infer(&words, &how).expect("finite").weights;
        for ((layer, head), map) in how.weights.iter().zip(&maps) {
            for query in [0, 4, 8] {
                let cell = |key| ScoreCell {
                    layer: *layer,
                    head: *head,
                    query,
                    key,
                };
                let scores: Vec<_> = (0..9)
                    .map(|key| score(&model, &words, cell(key)).unwrap_or(f64::NEG_INFINITY))
                    .collect();
                let sum: f64 = scores.iter().map(|score| score.exp()).sum();
                for (key, score) in scores.iter().enumerate() {
                    let weight = f64::from(map[[0, query, key]]);
                    let far = (score.exp() / sum - weight).abs();
                    assert!(far < 1e-5, "{name}: {:?} {far}", cell(key));
                }
            }
        }
    }
}

#[test]
fn logits_are_those_of_the_model() {
    for name in FAMILIES {
        let model = stored(name);
        let config = *model.config();
        if !config.logits {
            continue;
        }
        let words = Words::new(&config, &[vec![5, 12, 23, 9, 5]]).expect("words");
        let how = Inference {
            logits: WantedLogits::Last,
            ..Inference::default()
        };
        let logits = model.infer(&words, &how).expect("finite").logits;
        for token in [0, 17, config.vocabulary - 1] {
            let split = model.attribute_logit(&words, &Inference::default(), 4, token);
            let split = split.expect("a logit");
            assert_sum(name, &split);
            let cap = config.logit_cap.map(f64::from);
            let logit = cap.map_or(split.score, |cap| cap * (split.score / cap).tanh());
            let far = (logit - f64::from(logits[token])).abs();
            assert!(
                far < 1e-5 * split.parts[0].value.abs().max(1.0),
                "{name}: {far}"
            );
            let heads = split.parts.iter().map(|part| part.source);
            let heads = heads.filter(|source| matches!(source, Source::Head(..)));
            assert_eq!(heads.count(), config.layers * config.heads, "{name}");
        }
    }
}

/// *When Mary and John went to the store, John gave a drink to*: the second *John* looks at *went* because layer 16 head 0 (from 0) wrote there what
/// stood before it, which was *John*.
#[test]
#[ignore = "needs a file of 98 MB: see the head of real.rs"]
fn an_induction_circuit_is_found_in_a_real_model() {
    let model = smollm2();
    let ids = [
        2427, 5099, 284, 2322, 3514, 288, 260, 4249, 28, 2322, 4502, 253, 5968, 288,
    ];
    let mary = ids[1];
    let words = Words::new(model.config(), &[ids.to_vec()]).expect("tokens of the model");
    let how = Inference::default();
    let timed = |name: &str, work: &dyn Fn()| {
        let start = Instant::now();
        work();
        println!("{name}: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    };
    let cell = ScoreCell {
        layer: 17,
        head: 4,
        query: 9,
        key: 4,
    };
    let by = |by| model.attribute_score(&words, &how, cell, by).expect("seen");
    let parts = |split: &Attribution| -> Vec<(Source, f64)> {
        let parts = split.parts.iter().take(3);
        parts.map(|part| (part.source, part.value)).collect()
    };
    let (key, query) = (by(By::Key), by(By::Query));
    println!("{} {:?} {:?}", key.score, parts(&key), parts(&query));
    assert!((key.score - 7.26).abs() < 0.005);
    assert_eq!(key.parts[0].source, Source::Head(16, 0));
    assert!((key.parts[0].value - 9.04).abs() < 0.005);
    let of_query = [
        (Source::Mlp(0), 3.21),
        (Source::Head(8, 1), 2.71),
        (Source::Head(8, 0), 2.66),
    ];
    let most = query.parts.iter().filter(|part| part.value > 0.0);
    for (part, wanted) in most.zip(of_query) {
        assert_eq!(part.source, wanted.0);
        assert!(
            (part.value - wanted.1).abs() < 0.005,
            "{part:?} for {wanted:?}"
        );
    }
    assert_sum("by key", &key);
    assert_sum("by query", &query);
    assert_sum(
        "logit",
        &model
            .attribute_logit(&words, &how, 13, mary)
            .expect("a logit"),
    );

    let last = Inference {
        logits: WantedLogits::Last,
        ..Inference::default()
    };
    let kept = model.infer_and_keep(&words, &last).expect("finite").1;
    let off = |layer, head| Inference {
        off: vec![(layer, head)],
        ..last.clone()
    };
    let share = |how: &Inference| {
        let logits = model.infer_again(how, &kept).expect("finite").logits;
        let all = likeliest(&logits, 1.0, logits.len()).expect("a temperature");
        all.iter()
            .find(|own| own.word == mary)
            .map_or(0.0, |own| own.share)
    };
    let whole = share(&last);
    assert!((whole - 0.92).abs() < 0.005, "{whole}");
    for ((layer, head), lost) in [
        ((1, 5), 0.27),
        ((1, 3), 0.21),
        ((0, 0), 0.15),
        ((17, 4), 0.02),
    ] {
        let found = whole - share(&off(layer, head));
        println!("without {layer}/{head}: {found:.3} less");
        assert!((found - lost).abs() < 0.011, "{layer}/{head}: {found}");
    }
    timed("a pass", &|| drop(model.infer(&words, &last)));
    timed("a score", &|| drop(by(By::Key)));
    timed("pairs", &|| drop(model.attribute_pairs(&words, &how, cell)));
    timed("a logit", &|| {
        drop(model.attribute_logit(&words, &how, 13, mary))
    });
    for layer in [0, 15, 29] {
        let how = off(layer, 0);
        timed(&format!("without {layer}/0"), &|| {
            drop(model.infer_again(&how, &kept))
        });
    }
}
