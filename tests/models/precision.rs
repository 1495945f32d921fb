//! How far models in 32 bit are from the same in 64, whatever they are made of.

use std::sync::Arc;

use attention::{CallOptions, Mask, Request, reference as layer_reference};
use model::{
    Activation, Forward, Init, Model, ModelConfig, ModelPositions, Norm, NormPlace, Words,
};
use ndarray::{Array1, Array3, Array4};

use crate::compare::{assert_close, largest};

const MODELS: u32 = 96;

/// Numbers of an LCG (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: usize) -> usize {
        let product = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = product.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }
}

fn config(numbers: &mut Numbers) -> ModelConfig {
    let heads = 1 + numbers.below(4);
    let [words, length] = [5 + numbers.below(30), 2 + numbers.below(16)];
    let d_model = numbers.of(&[5, 8, 16, 32, 64]);
    ModelConfig {
        kv_heads: numbers.of(&[1, heads]),
        d_k: numbers.of(&[2, 5, 8, 16]),
        causal: numbers.coin(),
        positions: numbers.of(&[
            ModelPositions::None,
            ModelPositions::Learned,
            ModelPositions::Sinusoidal,
            ModelPositions::Rotary { base: 1e4 },
            ModelPositions::Alibi,
        ]),
        norm: numbers.of(&[Norm::None, Norm::Layer, Norm::Rms]),
        norm_place: numbers.of(&[NormPlace::Before, NormPlace::After]),
        final_norm: numbers.coin(),
        mlp: numbers.of(&[0, 17]),
        activation: numbers.of(&[Activation::Relu, Activation::Gelu, Activation::Silu]),
        gated: numbers.coin(),
        biases: numbers.coin(),
        tied: numbers.coin(),
        residual: numbers.below(4) > 0,
        scaled: numbers.below(4) > 0,
        ..ModelConfig::new(words, length, d_model, 1 + numbers.below(4), heads)
    }
}

/// Models of all kinds with what each makes of some words, drawn in one of several ways; those whose numbers leave the range of 32 bits are
/// passed over.
fn each(inits: &[Init], check: impl Fn(&str, &Model, &Words, &Forward)) {
    let mut seen = 0;
    for seed in 1..=MODELS {
        let mut numbers = Numbers(u64::from(seed) << 32);
        let config = config(&mut numbers);
        let model = Model::random(config, numbers.of(inits), seed).expect("a valid config");
        let mut word = |_| numbers.below(config.vocabulary);
        let sequences: Vec<Vec<usize>> = (0..2)
            .map(|_| (0..config.length).map(&mut word).collect())
            .collect();
        let words = Words::new(&config, &sequences).expect("words of the model");
        if let Ok(forward) = model.forward(&words) {
            check(
                &format!("seed {seed}: {config:?}"),
                &model,
                &words,
                &forward,
            );
            seen += 1;
        }
    }
    assert!(10 * seen > 9 * MODELS, "{seen} models make numbers");
}

fn flat(weights: &Array4<f32>) -> Array1<f32> {
    weights.iter().copied().collect()
}

/// As they are drawn, models of up to four layers are within 10⁻⁵ of 64 bits: weights, and logits where they are not beyond 1.
#[test]
fn models_as_they_are_drawn_are_within_the_promised_distance() {
    let inits = [Init::Xavier, Init::Normal { std: 0.02 }];
    each(&inits, |what, model, words, forward| {
        let numbers: Vec<f64> = model.numbers().iter().map(|x| f64::from(*x)).collect();
        let exact = model::reference::weights(model, &numbers, words);
        for (found, wanted) in forward.weights().zip(exact) {
            assert_close(what, &flat(found), &Array1::from(wanted), 1e-5);
        }
        let logits = model::reference::logits(model, &numbers, words);
        let wanted: Array1<f64> = logits.into_iter().flatten().flatten().collect();
        let found = Array1::from(forward.logits().to_vec());
        assert_close(what, &found, &wanted, 1e-5 * largest(&wanted).max(1.0));
    });
}

/// However large its numbers are, the weights of a layer are within 10⁻⁵ of 64 bits for the rows that enter it.
#[test]
fn weights_of_every_layer_are_within_the_promised_distance_for_its_rows() {
    let inits = [0.2, 0.5, 1.0].map(|std| Init::Normal { std });
    each(&inits, |what, model, words, forward| {
        let shape = (words.batch(), words.length(), model.config().d_model);
        for (at, (rows, found)) in forward.inputs().zip(forward.weights()).enumerate() {
            let rows = Array3::from_shape_vec(shape, rows.to_vec()).expect("their shape");
            let call = CallOptions {
                mask: if model.config().causal {
                    Mask::Causal
                } else {
                    Mask::Full
                },
                ..CallOptions::default()
            };
            let layer = Arc::new(model.layer(at).expect("a layer"));
            let request = Request::new(layer, rows, None, call).expect("a request");
            let exact = layer_reference::compute(&request).weights.expect("wanted");
            assert_close(&format!("layer {at}, {what}"), found, &exact, 1e-5);
        }
    });
}
