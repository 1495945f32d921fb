//! Passes over kept keys and values.

use model::infer::{Inference, Inferred, KeyValues, WantedLogits};
use model::{HiddenCells, Model, ModelConfig, Words};
use ndarray::s;

use crate::configs::{all, model, words};
use crate::laws::everything;

fn causal() -> impl Iterator<Item = (&'static str, ModelConfig)> {
    all().into_iter().filter(|(_, config)| config.causal)
}

fn part(config: &ModelConfig, all: &Words, range: std::ops::Range<usize>) -> Words {
    Words::new(config, &[all.all()[range].to_vec()]).expect("words")
}

/// The rows of some words of a whole pass.
fn rows(whole: &Inferred, config: &ModelConfig, range: std::ops::Range<usize>) -> Inferred {
    let of = |rows: &[f32], width| rows[range.start * width..range.end * width].to_vec();
    Inferred {
        weights: whole
            .weights
            .iter()
            .map(|map| map.slice(s![.., range.clone(), ..range.end]).to_owned())
            .collect(),
        contexts: Vec::new(),
        hidden: whole
            .hidden
            .iter()
            .map(|rows| of(rows, config.d_model))
            .collect(),
        logits: of(&whole.logits, config.vocabulary),
    }
}

/// Bit for bit, for several ways to cut nine words, with heads off and cells hidden as well.
#[test]
fn a_pass_in_parts_is_the_whole_pass() {
    assert_eq!(causal().count(), 6);
    for (name, config) in causal() {
        let (model, all) = (model(config), words(&config, 1, 9));
        let cells = vec![(7, 6), (2, 0)];
        let changed = Inference {
            off: vec![(0, 1)],
            hide: vec![HiddenCells {
                layer: 1,
                head: 2,
                cells,
            }],
            ..everything(&config)
        };
        for how in [everything(&config), changed] {
            let whole = model.infer(&all, &how).expect("finite");
            for cuts in [
                &[0, 9][..],
                &[0, 1, 9],
                &[0, 5, 6, 7, 8, 9],
                &[0, 3, 3, 7, 9],
            ] {
                let mut kept = KeyValues::new(&model, &how).expect("causal");
                for pair in cuts.windows(2) {
                    let range = pair[0]..pair[1];
                    let words = part(&config, &all, range.clone());
                    let found = model.infer_next(&words, &how, &mut kept).expect("finite");
                    let wanted = rows(&whole, &config, range.clone());
                    assert!(found == wanted, "{name}: {cuts:?} {range:?}");
                }
                assert_eq!(kept.length(), 9);
            }
        }
    }
}

/// All keys are kept, whatever is wanted of a pass.
#[test]
fn results_that_are_not_wanted_are_kept_all_the_same() {
    for (name, config) in causal() {
        let (model, all) = (model(config), words(&config, 1, 9));
        let whole = model.infer(&all, &everything(&config)).expect("finite");
        let mut kept = KeyValues::new(&model, &Inference::default()).expect("causal");
        let mut infer = |range, how: &Inference| {
            let words = part(&config, &all, range);
            model.infer_next(&words, how, &mut kept).expect("finite")
        };
        assert_eq!(infer(0..4, &Inference::default()), Inferred::default());
        let first = Inference {
            weights: vec![(0, 0)],
            ..Inference::default()
        };
        infer(4..6, &first);
        let last = Inference {
            logits: WantedLogits::Last,
            ..Inference::default()
        };
        let found = infer(6..9, &last);
        let wanted = rows(&whole, &config, 8..9);
        assert_eq!(found.logits, wanted.logits, "{name}");
    }
}

#[test]
fn kept_words_can_be_forgotten() {
    for (name, config) in causal() {
        let (model, all) = (model(config), words(&config, 1, 9));
        let how = everything(&config);
        let mut kept = KeyValues::new(&model, &how).expect("causal");
        let mut once = |range: std::ops::Range<usize>, keep: usize| {
            kept.truncate(keep);
            model
                .infer_next(&part(&config, &all, range), &how, &mut kept)
                .expect("finite")
        };
        let first = once(0..7, 0);
        once(1..3, 4);
        assert!(once(0..7, 0) == first, "{name}");
    }
}

/// A pass that fails leaves what was there.
#[test]
fn nothing_is_kept_of_a_pass_that_fails() {
    let config = ModelConfig {
        causal: true,
        ..ModelConfig::new(5, 6, 4, 2, 2)
    };
    let good = model(config);
    let mut numbers = good.numbers().to_vec();
    // Word 4 is beyond all bounds once it is projected.
    let tokens = good.tensors()[0].range.clone();
    numbers[tokens][4 * 4..].fill(f32::MAX);
    let model = good.with_numbers(&numbers).expect("finite");
    let infer = |kept: &mut KeyValues, words: &[usize]| {
        let words = Words::new(&config, &[words.to_vec()]).expect("words");
        model.infer_next(&words, &everything(&config), kept)
    };
    let mut kept = KeyValues::new(&model, &everything(&config)).expect("causal");
    infer(&mut kept, &[1, 2]).expect("finite");
    let before = kept.clone();
    let error = infer(&mut kept, &[3, 4]).expect_err("beyond the range");
    assert_eq!(error.code, attention::Code::NotFinite);
    assert_eq!(kept, before);
    assert!(infer(&mut kept, &[3]).is_ok());
}

#[test]
fn other_models_and_ways_are_refused() {
    let config = ModelConfig {
        causal: true,
        ..ModelConfig::new(5, 6, 4, 2, 2)
    };
    let own = model(config);
    let how = Inference {
        off: vec![(1, 0)],
        ..Inference::default()
    };
    let field = |model: &Model, how: &Inference, batch, length| {
        let mut kept = KeyValues::new(
            &own,
            &Inference {
                off: vec![(1, 0)],
                ..Inference::default()
            },
        )
        .expect("causal");
        own.infer_next(
            &words(&config, 1, 3),
            &Inference {
                off: vec![(1, 0)],
                ..Inference::default()
            },
            &mut kept,
        )
        .expect("three words");
        let words = words(model.config(), batch, length);
        model
            .infer_next(&words, how, &mut kept)
            .expect_err("it does not belong")
            .field
    };
    let other = model(ModelConfig {
        layers: 1,
        ..config
    });
    assert_eq!(field(&other, &Inference::default(), 1, 1), "model");
    assert_eq!(field(&own, &Inference::default(), 1, 1), "off");
    let cells = vec![(0, 0)];
    let hide = vec![HiddenCells {
        layer: 0,
        head: 0,
        cells,
    }];
    assert_eq!(
        field(
            &own,
            &Inference {
                hide,
                ..how.clone()
            },
            1,
            1
        ),
        "hide"
    );
    assert_eq!(field(&own, &how, 2, 1), "tokens");
    assert_eq!(field(&own, &how, 1, 4), "tokens");
    let both = model(ModelConfig {
        causal: false,
        ..config
    });
    assert_eq!(
        KeyValues::new(&both, &how).expect_err("not causal").field,
        "causal"
    );
}
