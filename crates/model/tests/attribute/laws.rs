//! What holds whatever the numbers are: parts beside the weights and logits of a pass, and three ways to split one score.

use std::collections::HashMap;

use model::attribute::{Attribution, By, ScoreCell, Source};
use model::infer::{Inference, Patch, WantedLogits};
use model::{Model, ModelConfig, Words};

use crate::configs::{heads, model, words};
use crate::reference::Net;
use crate::split::{cells, changed, configs};

fn largest<S>(split: &Attribution<S>) -> f64 {
    split
        .parts
        .iter()
        .fold(1.0, |most, part| f64::max(most, part.value.abs()))
}

fn sum<S>(split: &Attribution<S>) -> f64 {
    split.parts.iter().map(|part| part.value).sum()
}

/// The weights that the scores of a row of a head give, keys in order; none where nothing is seen.
fn weights(model: &Model, words: &Words, how: &Inference, cell: ScoreCell, net: &Net) -> Vec<f64> {
    let config = model.config();
    let capped = |score: f64| match config.score_cap.map(f64::from) {
        Some(cap) => cap * (score / cap).tanh(),
        None => score,
    };
    let score = |key: usize| {
        if !net.sees(cell.layer, cell.head, cell.query, key) {
            return f64::NEG_INFINITY;
        }
        let cell = ScoreCell { key, ..cell };
        let found = model
            .attribute_score(words, how, cell, By::Key)
            .expect("a seen cell");
        let distance = found
            .parts
            .iter()
            .find(|part| part.source == Source::Distance);
        let penalty = distance.map_or(0.0, |part| part.value);
        capped(found.score - penalty) + penalty
    };
    let scores: Vec<f64> = (0..words.length()).map(score).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f64 = shares.iter().sum();
    shares.iter().map(|share| share / all).collect()
}

#[test]
fn scores_are_those_that_the_weights_are_made_of() {
    for (name, config) in configs() {
        let (model, words) = (model(config), words(&config, 1, 9));
        let how = Inference {
            weights: heads(&config),
            ..changed(&config)
        };
        let net = Net::new(&model, words.all(), &how);
        let maps = model.infer(&words, &how).expect("finite").weights;
        for ((layer, head), map) in heads(&config).into_iter().zip(maps) {
            for query in [1, 6] {
                let cell = ScoreCell {
                    layer,
                    head,
                    query,
                    key: 0,
                };
                for (key, weight) in weights(&model, &words, &how, cell, &net)
                    .into_iter()
                    .enumerate()
                {
                    let far = (f64::from(map[[0, query, key]]) - weight).abs();
                    assert!(far <= 1e-6, "{name}: {cell:?} {key}: {far}");
                }
            }
        }
    }
}

#[test]
fn logits_are_those_of_the_pass() {
    for (name, config) in configs()
        .into_iter()
        .filter(|(_, config)| config.logits && !config.masked_head)
    {
        let (model, words) = (model(config), words(&config, 1, 7));
        let how = Inference {
            logits: WantedLogits::All,
            ..changed(&config)
        };
        let logits = model.infer(&words, &how).expect("finite").logits;
        for (position, token) in [(0, 10), (3, 4), (6, 0)] {
            let found = model
                .attribute_logit(&words, &how, position, token)
                .expect(name);
            let logit = match config.logit_cap.map(f64::from) {
                Some(cap) => cap * (found.score / cap).tanh(),
                None => found.score,
            };
            let wanted = f64::from(logits[position * config.vocabulary + token]);
            assert!(
                (logit - wanted).abs() <= 2e-6 * largest(&found),
                "{name}: {logit} for {wanted}"
            );
        }
    }
}

/// Pairs summed over the sources of one side are the parts of the other.
#[test]
fn three_ways_to_split_a_score_agree() {
    for (name, config) in configs() {
        let (model, words) = (model(config), words(&config, 1, 9));
        let how = changed(&config);
        let net = Net::new(&model, words.all(), &how);
        for cell in cells(&config, &net, 9) {
            let pairs = model
                .attribute_pairs(&words, &how, cell)
                .expect("a seen cell");
            let most = 2e-6 * largest(&pairs);
            for (side, by) in [(0, By::Query), (1, By::Key)] {
                let split = model
                    .attribute_score(&words, &how, cell, by)
                    .expect("a seen cell");
                assert_eq!(split.score, pairs.score, "{name}: {cell:?}");
                let mut sums = HashMap::<Source, f64>::new();
                for part in &pairs.parts {
                    *sums.entry(part.source[side]).or_default() += part.value;
                }
                assert_eq!(sums.len(), split.parts.len(), "{name}: {cell:?}");
                for part in &split.parts {
                    let far = (sums[&part.source] - part.value).abs();
                    assert!(far <= most, "{name}: {cell:?} {by:?} {part:?}: {far}");
                }
                assert!((sum(&split) - split.score).abs() <= most, "{name}");
            }
        }
    }
}

/// What a head gives to a score that reads it is lost without it, where no norm and no part between the two sees the difference.
#[test]
fn a_head_that_is_off_takes_its_part_away() {
    let config = ModelConfig {
        causal: true,
        ..ModelConfig::new(11, 9, 5, 2, 3)
    };
    let (model, words) = (model(config), words(&config, 1, 7));
    let cell = ScoreCell {
        layer: 1,
        head: 2,
        query: 6,
        key: 3,
    };
    let pairs = |off: Vec<(usize, usize)>| {
        let how = Inference {
            off,
            ..Inference::default()
        };
        model
            .attribute_pairs(&words, &how, cell)
            .expect("a seen cell")
    };
    let (with, without) = (pairs(vec![]), pairs(vec![(0, 1)]));
    let own =
        |part: &&model::attribute::Part<[Source; 2]>| part.source.contains(&Source::Head(0, 1));
    let lost: f64 = with.parts.iter().filter(own).map(|part| part.value).sum();
    assert!(lost.abs() > 1e-3, "{lost}");
    assert!((with.score - without.score - lost).abs() <= 1e-6, "{lost}");
}

#[test]
fn a_patched_head_is_the_source_of_what_it_was_given() {
    let (_, config) = configs().swap_remove(2);
    let (model, words) = (model(config), words(&config, 1, 7));
    let patch = vec![Patch {
        layer: 0,
        head: 2,
        rows: vec![0.0; 7 * config.d_k],
    }];
    let patched = Inference {
        patch,
        ..Inference::default()
    };
    let off = Inference {
        off: vec![(0, 2)],
        ..Inference::default()
    };
    let of = |how: &Inference| model.attribute_logit(&words, how, 4, 3).expect("a logit");
    assert_eq!(of(&patched), of(&off));
    assert_ne!(of(&off), of(&Inference::default()));
}
