//! Models for the tests.

use model::{
    Activation, Init, Local, LocalLayers, Model, ModelConfig, ModelPositions, Norm, NormPlace,
    Words,
};
use ndarray::{ArrayD, IxDyn};

/// Every mechanism in one config or another, in pairwise different odd sizes.
pub(crate) fn all() -> Vec<(&'static str, ModelConfig)> {
    let plain = ModelConfig {
        d_k: 3,
        ..ModelConfig::new(11, 9, 5, 2, 3)
    };
    let normed = ModelConfig {
        norm: Norm::Layer,
        mlp: 13,
        biases: true,
        final_norm: true,
        ..plain
    };
    let rotary = ModelConfig {
        positions: ModelPositions::Rotary { base: 70.0 },
        norm: Norm::Rms,
        d_k: 6,
        gated: true,
        activation: Activation::Silu,
        biases: false,
        causal: true,
        ..normed
    };
    vec![
        ("attention alone", plain),
        (
            "no residual path",
            ModelConfig {
                residual: false,
                ..plain
            },
        ),
        (
            "learned positions, tied, causal",
            ModelConfig {
                causal: true,
                tied: true,
                first_position: 2,
                ..normed
            },
        ),
        (
            "norms after, tied, a head for masked words",
            ModelConfig {
                norm_place: NormPlace::After,
                final_norm: false,
                masked_head: true,
                tied: true,
                ..normed
            },
        ),
        (
            "norms after, kinds of words, no logits",
            ModelConfig {
                norm_place: NormPlace::After,
                embedding_norm: true,
                token_types: 2,
                final_norm: false,
                logits: false,
                ..normed
            },
        ),
        (
            "alibi, causal, in sequence",
            ModelConfig {
                positions: ModelPositions::Alibi,
                causal: true,
                ..normed
            },
        ),
        (
            "alibi",
            ModelConfig {
                positions: ModelPositions::Alibi,
                ..plain
            },
        ),
        (
            "sinusoidal, causal",
            ModelConfig {
                positions: ModelPositions::Sinusoidal,
                causal: true,
                ..plain
            },
        ),
        (
            "rotary, shared keys, divided angles",
            ModelConfig {
                kv_heads: 1,
                rotary_divisors: true,
                qkv_biases: true,
                ..rotary
            },
        ),
        (
            "parallel, some columns rotated",
            ModelConfig {
                parallel: true,
                rotary_columns: Some(4),
                ..rotary
            },
        ),
        (
            "norms on both sides and of queries and keys, caps, windows",
            ModelConfig {
                layers: 3,
                norm_place: NormPlace::Both,
                qk_norm: true,
                embedding_scale: 1.7,
                score_scale: Some(0.9),
                score_cap: Some(1.1),
                logit_cap: Some(1.3),
                tied: true,
                local: Some(Local {
                    layers: LocalLayers::AllButEvery(2),
                    window: 2,
                    rotary_base: Some(7.0),
                }),
                ..rotary
            },
        ),
        (
            "a window to both sides, caps and distances",
            ModelConfig {
                positions: ModelPositions::Alibi,
                score_cap: Some(2.0),
                local: Some(Local {
                    layers: LocalLayers::From(1),
                    window: 1,
                    rotary_base: None,
                }),
                ..plain
            },
        ),
    ]
}

/// A model with numbers in all tensors, divisors above 0.
pub(crate) fn model(config: ModelConfig) -> Model {
    let random = Model::random(config, Init::Normal { std: 0.3 }, 5).expect("a valid config");
    let specs = random.tensors().to_vec();
    let tensor = |name: &str| {
        let spec = specs.iter().find(|spec| spec.name == name)?;
        let own = random.numbers()[spec.range.clone()].iter().enumerate();
        let wave = |at: usize| (at as f32 * 1.7).sin() * 0.3;
        let numbers = own.map(|(at, x)| match (name, spec.shape.len()) {
            ("rotary_divisors", _) => 1.3 + wave(at),
            (_, 1) => x + wave(at),
            _ => *x,
        });
        ArrayD::from_shape_vec(IxDyn(&spec.shape), numbers.collect()).ok()
    };
    Model::from_tensors(config, tensor).expect("its own tensors")
}

/// `batch` sequences of `length` words.
pub(crate) fn words(config: &ModelConfig, batch: usize, length: usize) -> Words {
    let word = |at: usize| (at * at * 3 + at / 2 + 1) % config.vocabulary;
    let sequence = |b: usize| (0..length).map(|i| word(i + 4 * b)).collect();
    let sequences: Vec<Vec<usize>> = (0..batch).map(sequence).collect();
    Words::new(config, &sequences).expect("words of the model")
}

/// Every head of every layer.
pub(crate) fn heads(config: &ModelConfig) -> Vec<(usize, usize)> {
    let layers = 0..config.layers;
    let of_layer = |layer| (0..config.heads).map(move |head| (layer, head));
    layers.flat_map(of_layer).collect()
}
