//! A training run gives the same bits on every build: natively, in wasm with `simd128`, in wasm without it, and in browsers
//! (`tests/browser/training-bits.mjs`).

use model::task::Task;
use model::{
    Init, Model, ModelConfig, ModelPositions, Norm, Optimizer, OptimizerOptions, Training,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// FNV-1a with 64 bits over the numbers' bytes.
fn fingerprint(numbers: &[f32]) -> u64 {
    let bytes = numbers.iter().flat_map(|x| x.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn training_gives_the_same_bits_everywhere() {
    let task = Task::named("brackets").expect("a task");
    let config = ModelConfig {
        norm: Norm::Layer,
        mlp: 24,
        biases: true,
        final_norm: true,
        kv_heads: 2,
        positions: ModelPositions::Rotary { base: 10_000.0 },
        ..ModelConfig::new(task.words().len(), task.length(), 32, 2, 4)
    };
    let mut model = Model::random(config, Init::Xavier, 7).expect("valid");
    let options = OptimizerOptions {
        rate: 3e-3,
        weight_decay: 0.01,
        warmup: 5,
        clip: Some(1.0),
        ..OptimizerOptions::default()
    };
    let mut optimizer = Optimizer::new(options, &model).expect("valid");
    let mut training = Training::new(task, 8, 7, &model).expect("valid");
    for _ in 0..20 {
        training.step(&mut model, &mut optimizer).expect("finite");
    }
    assert_eq!(
        format!("{:x}", fingerprint(model.numbers())),
        "5349984559b18b76"
    );
}
