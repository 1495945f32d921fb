//! Properties of every model.

use std::sync::Arc;

use attention::{CallOptions, Request, reference};
use model::{
    Examples, Init, Model, ModelConfig, ModelPositions, Optimizer, OptimizerOptions, Words,
};
use ndarray::{Array1, Array3, ArrayD, IxDyn};

use crate::compare::assert_close;
use crate::config::{all_mechanisms, examples, model};

/// The rows that leave the attention of a model without residual path and norms, unembedded by the identity, are the layer's.
#[test]
fn one_layer_without_the_rest_is_the_layer() {
    let config = ModelConfig {
        residual: false,
        positions: ModelPositions::None,
        d_k: 3,
        ..ModelConfig::new(5, 7, 5, 1, 2)
    };
    let drawn = model(config, 5);
    let identity = ArrayD::from_shape_fn(IxDyn(&[5, 5]), |at| f32::from(u8::from(at[0] == at[1])));
    let plain = Model::from_tensors(config, |name| match name {
        "tokens" | "unembedding" => Some(identity.clone()),
        _ => drawn
            .tensors()
            .iter()
            .find(|spec| spec.name == name)
            .map(|spec| {
                let numbers = drawn.numbers()[spec.range.clone()].to_vec();
                ArrayD::from_shape_vec(IxDyn(&spec.shape), numbers).expect("its own shape")
            }),
    })
    .expect("a model");
    let tokens = vec![vec![3, 1, 4, 1, 0, 2, 2]];
    let words = Words::new(&config, &tokens).expect("words");
    let forward = plain.forward(&words).expect("finite");
    let x = Array3::from_shape_fn((1, 7, 5), |(_, i, c)| {
        f32::from(u8::from(tokens[0][i] == c))
    });
    let layer = Arc::new(plain.layer(0).expect("the first layer"));
    let request = Request::new(layer, x, None, CallOptions::default()).expect("a request");
    let exact = reference::compute(&request);
    let wanted = Array1::from_iter(exact.output.expect("computed"));
    let found = Array1::from(forward.logits().to_vec());
    assert_close("logits", &found, &wanted, 1e-6);
}

#[test]
fn causal_models_never_see_later_words() {
    for (name, config) in all_mechanisms() {
        let config = ModelConfig {
            causal: true,
            ..config
        };
        let model = model(config, 7);
        let logits = |last: usize| {
            let words = Words::new(&config, &[vec![1, 2, 3, 4, last]]).expect("words");
            model.forward(&words).expect("finite").logits()[..4 * config.vocabulary].to_vec()
        };
        assert_eq!(logits(5), logits(6), "{name}");
    }
}

/// Weights alone are those of the whole pass, hidden cells and all.
#[test]
fn weights_alone_are_those_of_a_pass_that_goes_on() {
    for (name, config) in all_mechanisms() {
        let model = model(config, 12);
        let last = (config.layers - 1, config.heads - 1);
        let masked = model.with_hidden(last.0, last.1, &[(2, 1), (0, 0)]);
        for model in [model, masked.expect("a head")] {
            let tokens = [vec![1, 2, 3], vec![5, 0, 5]];
            let words = Words::new(&config, &tokens).expect("words");
            let weights = model.weights(&words).expect("finite");
            let forward = model.forward(&words).expect("finite");
            assert_eq!(weights.len(), config.layers, "{name}");
            let all = forward.weights().zip(&weights);
            assert!(all.into_iter().all(|(one, other)| one == other), "{name}");
        }
    }
}

/// A word that stands only after every target has no gradient.
#[test]
fn later_words_get_no_gradient_in_causal_models() {
    for (name, config) in all_mechanisms() {
        let config = ModelConfig {
            causal: true,
            tied: false,
            ..config
        };
        let model = model(config, 8);
        let words = Words::new(&config, &[vec![1, 2, 3, 4, 9]]).expect("words");
        let targets = [vec![Some(0), Some(5), None, Some(1), None]];
        let examples = Examples::new(&config, words, &targets).expect("examples");
        let gradients = model.gradients(&examples).expect("finite");
        let width = config.d_model;
        let of_word = |word: usize| &gradients.numbers[word * width..][..width];
        assert!(of_word(9).iter().all(|g| *g == 0.0), "{name}: a later word");
        assert!(
            of_word(3).iter().any(|g| *g != 0.0),
            "{name}: a word that is seen"
        );
    }
}

/// Without positions and mask, words in another order have their logits in that order.
#[test]
fn permuted_words_permute_logits_where_no_position_enters() {
    let config = ModelConfig {
        positions: ModelPositions::None,
        ..all_mechanisms()[9].1
    };
    let model = model(config, 9);
    let logits = |tokens: Vec<usize>| {
        let words = Words::new(&config, &[tokens]).expect("words");
        model.forward(&words).expect("finite").logits().to_vec()
    };
    let (plain, turned) = (logits(vec![4, 0, 7, 2]), logits(vec![2, 7, 0, 4]));
    let rows =
        |logits: &[f32]| -> Vec<Vec<f32>> { logits.chunks(11).map(<[f32]>::to_vec).collect() };
    let reversed: Vec<f32> = rows(&turned).into_iter().rev().flatten().collect();
    assert_close(
        "logits",
        &Array1::from(plain),
        &Array1::from(reversed),
        1e-5,
    );
}

/// Sequences of a batch know nothing of each other.
#[test]
fn a_batch_is_its_sequences_one_by_one() {
    for (name, config) in all_mechanisms() {
        let model = model(config, 10);
        let tokens = [vec![1, 2, 3], vec![5, 0, 5], vec![9, 9, 9]];
        let logits = |tokens: &[Vec<usize>]| {
            let words = Words::new(&config, tokens).expect("words");
            model.forward(&words).expect("finite").logits().to_vec()
        };
        let alone: Vec<f32> = tokens
            .iter()
            .flat_map(|row| logits(std::slice::from_ref(row)))
            .collect();
        assert_eq!(logits(&tokens), alone, "{name}");
    }
}

#[test]
fn no_words_have_no_logits() {
    for (name, config) in all_mechanisms() {
        let model = model(config, 11);
        for tokens in [vec![], vec![vec![]], vec![vec![], vec![]]] {
            let words = Words::new(&config, &tokens).expect("nothing is allowed");
            let forward = model.forward(&words).expect("nothing is finite");
            assert!(forward.logits().is_empty(), "{name}");
        }
        let words = Words::new(&config, &[vec![3]]).expect("one word");
        assert_eq!(
            model.forward(&words).expect("finite").logits().len(),
            config.vocabulary
        );
    }
}

/// Scores of ±1e4 and more leave weights that sum to 1, and gradients that are numbers.
#[test]
fn large_scores_are_numbers() {
    let config = all_mechanisms()[0].1;
    let drawn = model(config, 12);
    let large = Model::from_tensors(config, |name| {
        let spec = drawn.tensors().iter().find(|spec| spec.name == name)?;
        let factor = if name.ends_with("w_q") || name.ends_with("w_k") {
            200.0
        } else {
            1.0
        };
        let numbers = drawn.numbers()[spec.range.clone()]
            .iter()
            .map(|x| x * factor)
            .collect();
        Some(ArrayD::from_shape_vec(IxDyn(&spec.shape), numbers).expect("its own shape"))
    })
    .expect("finite");
    let examples = examples(&config);
    let forward = large.forward(examples.words()).expect("finite");
    for weights in forward.weights() {
        for row in weights.rows() {
            assert!((row.sum() - 1.0).abs() < 1e-5);
        }
    }
    assert!(large.gradients(&examples).expect("finite").norm.is_finite());
}

/// Plain descent is `w − rate·g` whatever the settings of AdamW are: a golden of PyTorch (`one_layer_sinusoidal`) gives it a weight decay that
/// does nothing.
#[test]
fn plain_descent_takes_no_notice_of_what_is_adam_s() {
    let config = all_mechanisms()[0].1;
    let examples = examples(&config);
    let start = model(config, 15);
    let stepped = |weight_decay, betas, epsilon| {
        let options = OptimizerOptions {
            kind: model::OptimizerKind::Sgd,
            rate: 0.1,
            weight_decay,
            betas,
            epsilon,
            ..OptimizerOptions::default()
        };
        let mut model = start.clone();
        let mut optimizer = Optimizer::new(options, &model).expect("valid");
        optimizer.step(&mut model, &examples).expect("finite");
        model.numbers().to_vec()
    };
    let plain = stepped(0.0, [0.9, 0.999], 1e-8);
    assert_eq!(plain, stepped(0.1, [0.5, 0.6], 1e-3));
    let gradients = start.gradients(&examples).expect("finite").numbers;
    let pairs = start.numbers().iter().zip(&gradients);
    let wanted: Vec<f32> = pairs
        .map(|(w, g)| (f64::from(*w) - 0.1 * f64::from(*g)) as f32)
        .collect();
    let [found, wanted] = [plain, wanted].map(Array1::from);
    assert_close("numbers", &found, &wanted, 1e-7);
}

#[test]
fn a_step_that_overflows_leaves_model_and_optimizer_as_they_were() {
    let config = all_mechanisms()[0].1;
    let mut model = model(config, 13);
    let before = model.numbers().to_vec();
    let options = OptimizerOptions {
        kind: model::OptimizerKind::Sgd,
        rate: 3e38,
        ..OptimizerOptions::default()
    };
    let mut optimizer = Optimizer::new(options, &model).expect("valid");
    let examples = examples(&config);
    let error = optimizer
        .step(&mut model, &examples)
        .expect_err("beyond 32 bits");
    assert_eq!(error.code, attention::Code::NotFinite);
    assert_eq!(model.numbers(), before);
}

#[test]
fn training_falls_and_is_the_same_twice() {
    let config = all_mechanisms()[9].1;
    let examples = examples(&config);
    let run = || {
        let mut model = model(config, 14);
        let options = OptimizerOptions {
            rate: 1e-2,
            ..OptimizerOptions::default()
        };
        let mut optimizer = Optimizer::new(options, &model).expect("valid");
        let losses: Vec<f64> = (0..200)
            .map(|_| {
                optimizer
                    .step(&mut model, &examples)
                    .expect("finite")
                    .score
                    .loss
            })
            .collect();
        (losses, model.numbers().to_vec())
    };
    let (losses, numbers) = run();
    assert!(losses[199] < 0.1 * losses[0], "{losses:?}");
    assert_eq!(run(), (losses, numbers));
}

/// Without norms and MLPs logits are linear in what each head adds, so what all heads add is the sum of what each does.
#[test]
fn what_a_head_adds_goes_with_it() {
    let config = ModelConfig {
        d_k: 3,
        biases: false,
        ..ModelConfig::new(5, 7, 4, 1, 3)
    };
    let whole = model(config, 11);
    let words = Words::new(&config, &[vec![3, 1, 4, 0, 2]]).expect("words");
    let logits = |model: &Model| model.forward(&words).expect("finite").logits().to_vec();
    let without = |heads: &[usize]| {
        let model = heads
            .iter()
            .try_fold(whole.clone(), |model, head| model.without_head(0, *head));
        logits(&model.expect("a head"))
    };
    let (all, none) = (logits(&whole), without(&[0, 1, 2]));
    let each = [0, 1, 2].map(|head| without(&[head]));
    for (at, (all, none)) in all.iter().zip(&none).enumerate() {
        let sum: f32 = each.iter().map(|without| all - without[at]).sum();
        assert!(
            (all - none - sum).abs() < 1e-5,
            "logit {at}: {all}, {none}, {sum}"
        );
        assert!((all - none).abs() > 1e-4 || at > 0, "heads add nothing");
    }
    assert!(whole.without_head(1, 0).is_err() && whole.without_head(0, 3).is_err());
    let again = whole
        .with_numbers(whole.numbers())
        .expect("its own numbers");
    assert_eq!(logits(&again), all);
    assert!(whole.with_numbers(&whole.numbers()[1..]).is_err());
    let broken = vec![f32::NAN; whole.numbers().len()];
    assert!(whole.with_numbers(&broken).is_err());
}

/// A causal model of random numbers, large enough that no word is nearly certain.
fn going_on() -> Model {
    let config = ModelConfig {
        causal: true,
        ..ModelConfig::new(11, 5, 6, 2, 3)
    };
    Model::random(config, Init::Normal { std: 0.3 }, 4).expect("valid")
}

fn drawn(words: &[usize], count: usize, temperature: f64, seed: u32) -> Vec<usize> {
    let drawn = going_on().go_on(words, count, temperature, seed);
    let drawn = drawn.expect("valid");
    assert!(drawn.iter().all(|drawn| (0.0..=1.0).contains(&drawn.share)));
    drawn.into_iter().map(|drawn| drawn.word).collect()
}

#[test]
fn a_continuation_follows_from_words_temperature_and_seed() {
    let words = [3, 1, 4, 1, 5, 9, 2];
    let usual = drawn(&words, 23, 1.0, 7);
    assert_eq!(usual, drawn(&words, 23, 1.0, 7));
    assert_eq!(usual[..9], drawn(&words, 9, 1.0, 7));
    // No more is read than the model takes.
    assert_eq!(usual, drawn(&words[2..], 23, 1.0, 7));
    assert_ne!(usual, drawn(&words, 23, 1.0, 8));
    assert_ne!(usual, drawn(&words, 23, 5.0, 7));
}

#[test]
fn at_a_temperature_of_0_the_likeliest_word_is_taken() {
    let model = going_on();
    let mut words = vec![3, 1];
    for word in drawn(&words, 13, 0.0, 7) {
        let read = words[words.len().saturating_sub(5)..].to_vec();
        let forward = model.forward(&Words::new(model.config(), &[read]).expect("known"));
        let forward = forward.expect("finite");
        let last = forward.logits().chunks(11).next_back().expect("a row");
        assert!(
            last.iter().all(|logit| *logit <= last[word]),
            "{words:?} {word}"
        );
        words.push(word);
    }
    assert_eq!(drawn(&[3, 1], 13, 0.0, 7), drawn(&[3, 1], 13, 1e-6, 8));
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_by_name() {
    let field = |model: &Model, words: &[usize], temperature| {
        let found = model.go_on(words, 1, temperature, 1);
        found.expect_err("refused").field
    };
    let model = going_on();
    assert_eq!(field(&model, &[], 1.0), "tokens");
    assert_eq!(field(&model, &[11], 1.0), "tokens[0][0]");
    for temperature in [-0.1, f64::NAN, f64::INFINITY] {
        assert_eq!(field(&model, &[1], temperature), "temperature");
    }
    let open = Model::random(ModelConfig::new(11, 5, 6, 2, 3), Init::Xavier, 4);
    assert_eq!(field(&open.expect("valid"), &[1], 1.0), "mask");
}

/// A head that sees nothing adds nothing, and one that does not see later words is causal; other heads and layers are as they were.
#[test]
fn hidden_cells_are_those_of_one_head() {
    let config = ModelConfig {
        d_k: 3,
        biases: false,
        causal: false,
        ..ModelConfig::new(5, 7, 4, 2, 3)
    };
    let whole = model(config, 12);
    let words = Words::new(&config, &[vec![3, 1, 4, 0, 2], vec![2, 2, 0, 1, 3]]).expect("words");
    let logits = |model: &Model| {
        let forward = model.forward(&words).expect("finite");
        ArrayD::from_shape_vec(IxDyn(&[10, 5]), forward.logits().to_vec()).expect("as many")
    };
    let cells = |is: fn(usize, usize) -> bool| {
        let all = (0..7).flat_map(|i| (0..7).map(move |j| (i, j)));
        all.filter(|(i, j)| is(*i, *j)).collect::<Vec<_>>()
    };
    let (all, later) = (cells(|_, _| true), cells(|i, j| j > i));

    let blind = whole.with_hidden(1, 2, &all).expect("a head");
    let without = whole.without_head(1, 2).expect("a head");
    let without = logits(&without).mapv(f64::from);
    assert_close("a head that sees nothing", &logits(&blind), &without, 1e-6);

    let heads = (0..2).flat_map(|layer| (0..3).map(move |head| (layer, head)));
    let masked = heads.fold(whole.clone(), |model, (layer, head)| {
        model.with_hidden(layer, head, &later).expect("a head")
    });
    let causal = ModelConfig {
        causal: true,
        ..config
    };
    let causal = model(causal, 12);
    let causal = causal.with_numbers(whole.numbers()).expect("its numbers");
    let wanted = logits(&causal).mapv(f64::from);
    assert_close("no later word", &logits(&masked), &wanted, 1e-6);

    let one = whole.with_hidden(0, 1, &[(4, 2), (4, 0)]).expect("a head");
    let [before, after] = [&whole, &one].map(|model| {
        let forward = model.forward(&words).expect("finite");
        forward.weights().cloned().collect::<Vec<_>>()
    });
    for ((layer, before), after) in before.iter().enumerate().zip(&after) {
        for ((at, before), after) in before.indexed_iter().zip(after) {
            let is_hidden = layer == 0 && at.1 == 1 && at.2 == 4 && [2, 0].contains(&at.3);
            let is_same_row = layer == 0 && (at.1, at.2) != (1, 4);
            assert!(
                !is_hidden || *after == 0.0,
                "layer {layer}, {at:?}: {after}"
            );
            assert!(!is_same_row || before == after, "layer {layer}, {at:?}");
        }
    }
    assert_ne!(logits(&one), logits(&whole));

    for (layer, head, cell, field) in [
        (2, 0, (0, 0), "layer"),
        (0, 3, (0, 0), "head"),
        (0, 0, (7, 0), "cells"),
        (0, 0, (0, 7), "cells"),
    ] {
        let refused = whole.with_hidden(layer, head, &[cell]);
        assert_eq!(refused.expect_err("beyond the model").field, field);
    }
}
