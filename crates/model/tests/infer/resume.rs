//! Passes that begin where another one is still right.

use std::sync::Arc;

use attention::Code;
use model::infer::{Inference, Patch, WantedLogits};
use model::{HiddenCells, Model, ModelConfig};

use crate::configs::{all, heads, model, words};
use crate::laws::everything;
use crate::patch::with_contexts;
use crate::stored::{Lines, stored};

/// Ways to change a layer.
fn changes(config: &ModelConfig, layer: usize) -> [Inference; 3] {
    let start = Inference::default;
    let hidden = HiddenCells {
        layer,
        head: 0,
        cells: vec![(5, 3)],
    };
    let rows = (0..14 * config.d_k).map(|at| (at as f32).sin()).collect();
    let patch = Patch {
        layer,
        head: 2,
        rows,
    };
    [
        Inference {
            off: vec![(layer, 1)],
            ..start()
        },
        Inference {
            hide: vec![hidden],
            ..start()
        },
        Inference {
            patch: vec![patch],
            ..start()
        },
    ]
}

fn with(changes: Inference, results: Inference) -> Inference {
    Inference {
        weights: results.weights,
        contexts: results.contexts,
        hidden: results.hidden,
        logits: results.logits,
        ..changes
    }
}

/// From every change to every other, bit for bit, whatever is wanted.
#[test]
fn a_pass_that_goes_on_is_the_whole_pass() {
    for (name, config) in all() {
        let (model, words) = (model(config), words(&config, 2, 7));
        let last = Inference {
            logits: match config.logits {
                true => WantedLogits::Last,
                false => WantedLogits::None,
            },
            hidden: vec![config.layers],
            ..Inference::default()
        };
        let layers = || (0..config.layers).flat_map(|layer| changes(&config, layer));
        for before in layers().chain([Inference::default()]) {
            let how = with(before, everything(&config));
            let (found, kept) = model.infer_and_keep(&words, &how).expect("finite");
            assert!(
                found == model.infer(&words, &how).expect("finite"),
                "{name}"
            );
            for after in layers().chain([Inference::default()]) {
                for results in [last.clone(), with_contexts(&config)] {
                    let how = with(after.clone(), results);
                    let found = model.infer_again(&how, &kept).expect("finite");
                    let wanted = model.infer(&words, &how).expect("finite");
                    assert!(found == wanted, "{name}: {how:?}");
                }
            }
        }
    }
}

/// Layers before the one that is changed are not read.
#[test]
fn only_what_follows_the_change_is_computed() {
    for (name, config) in all().into_iter().filter(|(_, config)| config.logits) {
        let (stored, lines): (Model, Arc<Lines>) = stored(&model(config));
        let words = words(&config, 1, 5);
        let (_, kept) = stored
            .infer_and_keep(&words, &Inference::default())
            .expect("finite");
        for layer in 0..config.layers {
            lines.read.lock().expect("one thread").clear();
            let how = Inference {
                off: vec![(layer, 0)],
                logits: WantedLogits::Last,
                ..Inference::default()
            };
            stored.infer_again(&how, &kept).expect("finite");
            let read = lines.read.lock().expect("one thread");
            for (tensor, _) in read.iter() {
                let own = &stored.tensors()[*tensor].name;
                let number = own
                    .strip_prefix("layers.")
                    .and_then(|own| own.split('.').next());
                let of = number.and_then(|number| number.parse::<usize>().ok());
                assert!(of.is_none_or(|of| of >= layer), "{name}: {own} for {layer}");
                assert!(own != "positions", "{name}");
            }
            assert!(!read.is_empty());
        }
    }
}

#[test]
fn rows_of_another_model_are_refused() {
    let config = ModelConfig::new(5, 6, 4, 3, 2);
    let (own, words) = (model(config), words(&config, 1, 3));
    let (_, kept) = own
        .infer_and_keep(&words, &Inference::default())
        .expect("finite");
    assert_eq!(kept.words(), &words);
    let wider = model(ModelConfig { mlp: 3, ..config });
    let hidden = own.with_hidden(0, 0, &[(1, 1)]).expect("a cell");
    for other in [wider, hidden] {
        let error = other
            .infer_again(&Inference::default(), &kept)
            .expect_err("another model");
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::NotApplicable, "model")
        );
    }
    let how = Inference {
        weights: heads(&config),
        off: vec![(3, 0)],
        ..Inference::default()
    };
    assert_eq!(
        own.infer_again(&how, &kept).expect_err("no layer").field,
        "off"
    );
}
