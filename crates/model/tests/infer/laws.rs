//! Results are those of the forward pass, whatever is wanted and changed.

use attention::Code;
use model::infer::{Inference, Inferred, WantedLogits};
use model::{HiddenCells, Model, ModelConfig, ModelPositions, Words};
use ndarray::{ArrayD, Axis, IxDyn};

use crate::configs::{all, heads, model, words};

pub(crate) fn everything(config: &ModelConfig) -> Inference {
    Inference {
        weights: heads(config),
        hidden: (0..=config.layers).collect(),
        logits: match config.logits {
            true => WantedLogits::All,
            false => WantedLogits::None,
        },
        ..Inference::default()
    }
}

/// Within `most` of the largest.
fn close(name: &str, found: &[f32], wanted: &[f32], most: f32) {
    assert_eq!(found.len(), wanted.len(), "{name}");
    let largest = wanted.iter().fold(1.0f32, |most, x| most.max(x.abs()));
    for (found, wanted) in found.iter().zip(wanted) {
        let far = (found - wanted).abs();
        assert!(
            far <= most * largest,
            "{name}: {found} for {wanted} of {largest}"
        );
    }
}

fn compare(name: &str, model: &Model, words: &Words, how: &Inference, by: &Model) {
    let found = model.infer(words, how).expect("finite");
    let wanted = by.forward(words).expect("finite");
    let maps: Vec<_> = wanted.weights().collect();
    for ((layer, head), found) in how.weights.iter().zip(&found.weights) {
        let wanted: Vec<f32> = maps[*layer]
            .index_axis(Axis(1), *head)
            .iter()
            .copied()
            .collect();
        let found: Vec<f32> = found.iter().copied().collect();
        close(
            &format!("{name}: weights {layer} {head}"),
            &found,
            &wanted,
            1e-6,
        );
    }
    let rows: Vec<_> = wanted.residual().chain([wanted.hidden()]).collect();
    for (place, found) in how.hidden.iter().zip(&found.hidden) {
        close(
            &format!("{name}: hidden {place}"),
            found,
            rows[*place],
            5e-6,
        );
    }
    if how.logits == WantedLogits::None {
        return;
    }
    close(
        &format!("{name}: logits"),
        &found.logits,
        wanted.logits(),
        5e-6,
    );
}

#[test]
fn results_are_those_of_the_forward_pass() {
    for (name, config) in all() {
        let model = model(config);
        for (batch, length) in [(1, 9), (2, 7), (3, 1)] {
            let words = words(&config, batch, length);
            compare(name, &model, &words, &everything(&config), &model);
        }
    }
}

/// Long enough for three tiles of queries.
#[test]
fn long_sequences_are_computed_in_tiles() {
    let config = ModelConfig {
        causal: true,
        ..ModelConfig::new(11, 139, 6, 2, 3)
    };
    let (model, words) = (model(config), words(&config, 2, 133));
    compare("long", &model, &words, &everything(&config), &model);
}

/// Where only far words are seen, 32 bits would round what distance takes off.
#[test]
fn far_words_are_weighed_as_exactly_as_near_ones() {
    let config = ModelConfig {
        positions: ModelPositions::Alibi,
        ..ModelConfig::new(11, 601, 16, 1, 8)
    };
    let (model, words) = (model(config), words(&config, 1, 601));
    let hide: Vec<HiddenCells> = (0..2)
        .map(|head| HiddenCells {
            layer: 0,
            head,
            cells: (9..601).map(|key| (600, key)).collect(),
        })
        .collect();
    let by = hide.iter().fold(model.clone(), |model, own| {
        let hidden = model.with_hidden(own.layer, own.head, &own.cells);
        hidden.expect("cells")
    });
    let how = Inference {
        weights: vec![(0, 0), (0, 1)],
        hide,
        ..Inference::default()
    };
    compare("far", &model, &words, &how, &by);
}

#[test]
fn no_words_and_no_sequences_give_results_of_length_0() {
    for (_, config) in all() {
        let model = model(config);
        for (batch, length) in [(1, 0), (0, 0)] {
            let found = model.infer(&words(&config, batch, length), &everything(&config));
            let found = found.expect("nothing to compute");
            assert!(found.weights.iter().all(|map| map.is_empty()));
            assert!(found.hidden.iter().all(Vec::is_empty) && found.logits.is_empty());
        }
    }
}

/// What is asked for by itself has the bits that it has among everything.
#[test]
fn parts_are_parts_of_the_whole() {
    for (name, config) in all() {
        let (model, words) = (model(config), words(&config, 2, 7));
        let whole = model.infer(&words, &everything(&config)).expect("finite");
        let infer = |how: Inference| model.infer(&words, &how).expect("finite");
        for (at, own) in heads(&config).into_iter().enumerate() {
            let found = infer(Inference {
                weights: vec![own],
                ..Inference::default()
            });
            assert_eq!(found.weights, [whole.weights[at].clone()], "{name}");
        }
        for place in 0..=config.layers {
            let found = infer(Inference {
                hidden: vec![place],
                ..Inference::default()
            });
            assert_eq!(found.hidden, [whole.hidden[place].clone()], "{name}");
        }
        let nothing = infer(Inference::default());
        assert_eq!(nothing, Inferred::default());
        if config.logits {
            let last = infer(Inference {
                logits: WantedLogits::Last,
                ..Inference::default()
            });
            let rows: Vec<_> = whole.logits.chunks_exact(config.vocabulary).collect();
            assert_eq!(last.logits, [rows[6], rows[13]].concat(), "{name}");
        }
    }
}

#[test]
fn heads_that_are_off_take_no_part() {
    for (name, config) in all() {
        let (model, words) = (model(config), words(&config, 2, 7));
        let off = vec![(0, 1), (config.layers - 1, 2)];
        let without = off.iter().fold(model.clone(), |model, (layer, head)| {
            model.without_head(*layer, *head).expect("a head")
        });
        let how = Inference {
            off,
            ..everything(&config)
        };
        compare(name, &model, &words, &how, &without);
        let found = model.infer(&words, &how).expect("finite");
        let wanted = without.infer(&words, &everything(&config)).expect("finite");
        assert!(found == wanted, "{name}: other bits");
        assert!(
            found != model.infer(&words, &everything(&config)).expect("finite"),
            "{name}"
        );
    }
}

#[test]
fn hidden_cells_are_not_seen() {
    for (name, config) in all() {
        let (model, words) = (model(config), words(&config, 2, 7));
        // Query 4 of the first layer sees nothing.
        let cells = [vec![(1, 0), (6, 5)], (0..9).map(|key| (4, key)).collect()].concat();
        let hide = vec![
            HiddenCells {
                layer: 0,
                head: 2,
                cells,
            },
            HiddenCells {
                layer: config.layers - 1,
                head: 0,
                cells: vec![(3, 3), (3, 2)],
            },
        ];
        let by = hide.iter().fold(model.clone(), |model, own| {
            model
                .with_hidden(own.layer, own.head, &own.cells)
                .expect("cells")
        });
        let how = Inference {
            hide,
            ..everything(&config)
        };
        compare(name, &model, &words, &how, &by);
        let found = model.infer(&words, &how).expect("finite");
        assert_eq!(found.weights[2].index_axis(Axis(1), 4).sum(), 0.0, "{name}");
        let of_model = by.infer(&words, &everything(&config)).expect("finite");
        assert!(found == of_model, "{name}: other bits");
    }
}

/// What the rows that enter a layer say is what the model says without it and those after it.
#[test]
fn rows_are_read_as_if_the_layers_after_them_were_not_there() {
    for (name, config) in all().into_iter().filter(|(_, config)| config.logits) {
        let (model, words) = (model(config), words(&config, 2, 7));
        let rows = &model
            .infer(&words, &everything(&config))
            .expect("finite")
            .hidden[1];
        let short = ModelConfig {
            layers: 1,
            ..config
        };
        let specs = model.tensors().iter();
        let short = Model::from_tensors(short, |name| {
            let spec = specs.clone().find(|spec| spec.name == name)?;
            let numbers = model.numbers()[spec.range.clone()].to_vec();
            ArrayD::from_shape_vec(IxDyn(&spec.shape), numbers).ok()
        });
        let short = short.expect("the tensors of its first layer");
        let how = everything(short.config());
        let wanted = short.infer(&words, &how).expect("finite").logits;
        assert!(model.unembed(rows).expect("finite") == wanted, "{name}");
        assert_eq!(model.unembed(&[]), Ok(vec![]));
        let error = model.unembed(&rows[1..]).expect_err("no whole rows");
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::ShapeMismatch, "rows")
        );
        let error = model.unembed(&[f32::NAN; 5]).expect_err("no numbers");
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::NotFinite, "rows")
        );
    }
}
