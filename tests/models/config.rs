//! Configs and models for tests.

use model::{
    Activation, Examples, Init, Local, LocalLayers, Model, ModelConfig, ModelPositions, Norm,
    NormPlace, Words,
};
use ndarray::{Array1, IxDyn};

/// Every mechanism, in pairwise different odd sizes.
pub(crate) fn all_mechanisms() -> Vec<(&'static str, ModelConfig)> {
    let plain = ModelConfig {
        d_k: 3,
        ..ModelConfig::new(11, 7, 5, 2, 3)
    };
    let normed = ModelConfig {
        norm: Norm::Layer,
        mlp: 9,
        biases: true,
        final_norm: true,
        ..plain
    };
    let mut all = vec![
        ("attention alone", plain),
        ("one layer", ModelConfig { layers: 1, ..plain }),
        (
            "causal, tied",
            ModelConfig {
                causal: true,
                tied: true,
                ..plain
            },
        ),
        (
            "unscaled, no residual",
            ModelConfig {
                scaled: false,
                residual: false,
                ..plain
            },
        ),
        (
            "no positions, shared keys",
            ModelConfig {
                positions: ModelPositions::None,
                kv_heads: 1,
                ..plain
            },
        ),
        (
            "sinusoidal",
            ModelConfig {
                positions: ModelPositions::Sinusoidal,
                ..plain
            },
        ),
        (
            "rotary, odd d_k",
            ModelConfig {
                positions: ModelPositions::Rotary { base: 500.0 },
                causal: true,
                ..plain
            },
        ),
        (
            "rotary, even d_k",
            ModelConfig {
                positions: ModelPositions::Rotary { base: 1e4 },
                d_k: 4,
                ..plain
            },
        ),
        (
            "alibi",
            ModelConfig {
                positions: ModelPositions::Alibi,
                ..plain
            },
        ),
        ("norms before, GELU", normed),
        (
            "norms after, tanh GELU",
            ModelConfig {
                norm_place: NormPlace::After,
                activation: Activation::GeluTanh,
                ..normed
            },
        ),
        (
            "RMS, gated SiLU",
            ModelConfig {
                norm: Norm::Rms,
                activation: Activation::Silu,
                gated: true,
                biases: false,
                ..normed
            },
        ),
        (
            "gated GELU with biases",
            ModelConfig {
                gated: true,
                ..normed
            },
        ),
        (
            "MLP without norms, ReLU",
            ModelConfig {
                norm: Norm::None,
                activation: Activation::Relu,
                ..normed
            },
        ),
    ];
    all.extend(refined(plain, normed));
    all
}

/// What opened checkpoints have besides, as far as it learns.
fn refined(plain: ModelConfig, normed: ModelConfig) -> Vec<(&'static str, ModelConfig)> {
    let rotary = ModelConfig {
        positions: ModelPositions::Rotary { base: 100.0 },
        d_k: 6,
        ..normed
    };
    vec![
        (
            "parallel, some columns rotated",
            ModelConfig {
                parallel: true,
                rotary_columns: Some(4),
                causal: true,
                ..rotary
            },
        ),
        (
            "parallel without norms",
            ModelConfig {
                parallel: true,
                norm: Norm::None,
                ..normed
            },
        ),
        (
            "norms of queries and keys and on both sides",
            ModelConfig {
                norm: Norm::Rms,
                norm_place: NormPlace::Both,
                qk_norm: true,
                kv_heads: 1,
                embedding_scale: 1.7,
                biases: false,
                ..rotary
            },
        ),
        (
            "soft caps and a scale of its own",
            ModelConfig {
                norm_place: NormPlace::Both,
                score_scale: Some(0.9),
                score_cap: Some(1.1),
                logit_cap: Some(1.3),
                ..normed
            },
        ),
        (
            "a soft cap below the penalties of distance",
            ModelConfig {
                positions: ModelPositions::Alibi,
                score_cap: Some(1.1),
                causal: true,
                ..plain
            },
        ),
        (
            "a window and a base in every other layer",
            ModelConfig {
                causal: true,
                layers: 3,
                local: Some(Local {
                    layers: LocalLayers::AllButEvery(2),
                    window: 1,
                    rotary_base: Some(7.0),
                }),
                ..rotary
            },
        ),
        (
            "a window to both sides from the second layer on",
            ModelConfig {
                local: Some(Local {
                    layers: LocalLayers::From(1),
                    window: 2,
                    rotary_base: None,
                }),
                ..plain
            },
        ),
        (
            "kinds of words, a norm after the embedding, places from the third on",
            ModelConfig {
                token_types: 2,
                embedding_norm: true,
                first_position: 2,
                norm_place: NormPlace::After,
                ..normed
            },
        ),
        (
            "a head for masked words",
            ModelConfig {
                masked_head: true,
                norm_place: NormPlace::After,
                final_norm: false,
                ..normed
            },
        ),
        (
            "biases of queries, keys and values alone",
            ModelConfig {
                biases: false,
                qkv_biases: true,
                gated: true,
                ..rotary
            },
        ),
    ]
}

/// A model with numbers in all tensors, biases and norms too.
pub(crate) fn model(config: ModelConfig, seed: u32) -> Model {
    let random = Model::random(config, Init::Normal { std: 0.5 }, seed).expect("a valid config");
    let specs = random.tensors().to_vec();
    Model::from_tensors(config, |name| {
        let spec = specs.iter().find(|spec| spec.name == name)?;
        let numbers = Array1::from(random.numbers()[spec.range.clone()].to_vec());
        let moved = match spec.shape.len() {
            1 => {
                numbers
                    + Array1::from_iter(
                        (0..spec.range.len()).map(|at| (at as f32 * 1.7).sin() * 0.3),
                    )
            }
            _ => numbers,
        };
        Some(
            moved
                .into_shape_with_order(IxDyn(&spec.shape))
                .expect("its own shape"),
        )
    })
    .expect("its own tensors")
}

/// Three sequences of five words, with targets at every other place.
pub(crate) fn examples(config: &ModelConfig) -> Examples {
    let word = |b: usize, i: usize| (b * 5 + i * 3 + b * i) % config.vocabulary;
    let tokens: Vec<Vec<usize>> = (0..3)
        .map(|b| (0..5).map(|i| word(b, i)).collect())
        .collect();
    let targets: Vec<Vec<Option<usize>>> = (0..3)
        .map(|b| {
            (0..5)
                .map(|i| ((b + i) % 2 == 0).then(|| word(i, b + 1)))
                .collect()
        })
        .collect();
    let words = Words::new(config, &tokens).expect("words of the model");
    Examples::new(config, words, &targets).expect("as many targets")
}
