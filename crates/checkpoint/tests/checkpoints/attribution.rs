//! Scores and logits of every family, split over what they are made of: the parts sum to what the weights and logits are made of, which are
//! those of transformers.

use checkpoint::Checkpoint;
use model::attribute::{Attribution, By, ScoreCell, Source};
use model::infer::{Inference, WantedLogits};
use model::{Model, Words};

use crate::files::{Tensors, text};

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
        let words = Words::new(&config, &[vec![5, 12, 33, 96, 5]]).expect("words");
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
