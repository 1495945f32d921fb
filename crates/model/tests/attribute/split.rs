//! Every part of every score and logit beside the reference.

use std::collections::HashMap;

use model::attribute::{Attribution, By, ScoreCell, Source};
use model::infer::Inference;
use model::{HiddenCells, ModelConfig};

use crate::configs::{all, heads, model, words};
use crate::reference::{Columns, Net, dot};

/// Other families of steps than those that inference is tested with.
pub(crate) fn configs() -> Vec<(&'static str, ModelConfig)> {
    let mut configs = all();
    let named = |name: &str| {
        let found = all().into_iter().find(|(own, _)| *own == name);
        found.expect("a config of that name").1
    };
    let normed = named("alibi, causal, in sequence");
    configs.push((
        "norms on both sides with shifts, three layers",
        ModelConfig {
            norm_place: model::NormPlace::Both,
            layers: 3,
            embedding_scale: 0.7,
            ..normed
        },
    ));
    configs.push((
        "parallel, without a final norm",
        ModelConfig {
            parallel: true,
            final_norm: false,
            embedding_norm: true,
            ..normed
        },
    ));
    configs.push((
        "norms after, no residual path",
        ModelConfig {
            norm_place: model::NormPlace::After,
            residual: false,
            ..normed
        },
    ));
    configs
}

/// Every seen cell of some heads: first, middle and last positions.
pub(crate) fn cells(config: &ModelConfig, net: &Net, n: usize) -> Vec<ScoreCell> {
    let places = [0, n / 2, n - 1];
    let pairs = || places.into_iter().flat_map(move |i| places.map(|j| (i, j)));
    let of_head = |(layer, head): (usize, usize)| {
        pairs().map(move |(query, key)| ScoreCell {
            layer,
            head,
            query,
            key,
        })
    };
    let cells = heads(config).into_iter().flat_map(of_head);
    cells
        .filter(|cell| net.sees(cell.layer, cell.head, cell.query, cell.key))
        .collect()
}

/// Something is off and hidden.
pub(crate) fn changed(config: &ModelConfig) -> Inference {
    let cells = vec![(4, 0), (4, 4), (8, 8)];
    let hide = vec![HiddenCells {
        layer: config.layers - 1,
        head: 0,
        cells,
    }];
    Inference {
        off: vec![(0, 1)],
        hide,
        ..Inference::default()
    }
}

/// Shape first; within 2e-6 of the largest part.
fn compare<S: Copy + Eq + std::hash::Hash + std::fmt::Debug>(
    name: &str,
    found: &Attribution<S>,
    wanted: &HashMap<S, f64>,
) {
    let own: Vec<S> = found.parts.iter().map(|part| part.source).collect();
    assert_eq!(
        own.len(),
        wanted.len(),
        "{name}: {own:?} for {:?}",
        wanted.keys()
    );
    let largest = wanted.values().fold(1.0f64, |most, x| most.max(x.abs()));
    for part in &found.parts {
        let wanted = wanted.get(&part.source).copied().unwrap_or(f64::NAN);
        let far = (part.value - wanted).abs();
        assert!(
            far <= 2e-6 * largest,
            "{name}: {:?} {} for {wanted}",
            part.source,
            part.value
        );
    }
    let (sum, score): (f64, f64) = (found.parts.iter().map(|part| part.value).sum(), found.score);
    assert!(
        (sum - score).abs() <= 2e-6 * largest,
        "{name}: {sum} for {score}"
    );
    let wanted: f64 = wanted.values().sum();
    assert!(
        (wanted - score).abs() <= 2e-6 * largest,
        "{name}: {score} for {wanted}"
    );
    let order = found.parts.windows(2);
    assert!(
        order
            .into_iter()
            .all(|two| two[0].value.abs() >= two[1].value.abs())
    );
}

fn whole(columns: &Columns, d_k: usize) -> Vec<f64> {
    let column = |c: usize| columns.values().map(|row| row[c]).sum();
    (0..d_k).map(column).collect()
}

/// Sources of a bias that is nowhere are none.
fn without_nothing(mut columns: Columns) -> Columns {
    let bias = columns.get(&Source::Bias);
    if bias.is_some_and(|row| row.iter().all(|x| *x == 0.0)) {
        columns.remove(&Source::Bias);
    }
    columns
}

#[test]
fn scores_are_split_as_in_the_reference() {
    for (name, config) in configs() {
        let (model, words) = (model(config), words(&config, 1, 9));
        for how in [Inference::default(), changed(&config)] {
            let net = Net::new(&model, words.all(), &how);
            for cell in cells(&config, &net, 9) {
                let name = format!("{name}: {cell:?}");
                let side =
                    |is_query, at| without_nothing(net.side(cell.layer, cell.head, is_query, at));
                let (query, key) = (side(true, cell.query), side(false, cell.key));
                let scale = f64::from(config.scale());
                let penalty = net.penalty(cell.head, cell.query, cell.key);
                let by = |split: &Columns, whole: Vec<f64>| -> HashMap<Source, f64> {
                    let parts = split
                        .iter()
                        .map(|(source, row)| (*source, dot(row, &whole) * scale));
                    parts
                        .chain(penalty.map(|value| (Source::Distance, value)))
                        .collect()
                };
                let attribute = |by| model.attribute_score(&words, &how, cell, by).expect(&name);
                compare(
                    &name,
                    &attribute(By::Key),
                    &by(&key, whole(&query, config.d_k)),
                );
                compare(
                    &name,
                    &attribute(By::Query),
                    &by(&query, whole(&key, config.d_k)),
                );
                let pairs = query
                    .iter()
                    .flat_map(|(a, q)| key.iter().map(move |(b, k)| ([*a, *b], dot(q, k) * scale)));
                let wanted = pairs.chain(penalty.map(|value| ([Source::Distance; 2], value)));
                let found = model.attribute_pairs(&words, &how, cell).expect(&name);
                compare(&name, &found, &wanted.collect());
            }
        }
    }
}

#[test]
fn logits_are_split_as_in_the_reference() {
    for (name, config) in configs()
        .into_iter()
        .filter(|(_, config)| config.logits && !config.masked_head)
    {
        let (model, words) = (model(config), words(&config, 1, 9));
        for how in [Inference::default(), changed(&config)] {
            let net = Net::new(&model, words.all(), &how);
            for (position, token) in [(0, 3), (5, 0), (8, 10)] {
                let mut wanted = net.logit(position, token);
                if wanted.get(&Source::Bias) == Some(&0.0) {
                    wanted.remove(&Source::Bias);
                }
                let found = model
                    .attribute_logit(&words, &how, position, token)
                    .expect(name);
                compare(&format!("{name}: {position} {token}"), &found, &wanted);
            }
        }
    }
}
