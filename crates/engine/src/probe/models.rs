//! Small models, in which every kernel of models has something to do, against the same on the processor.

wasm_chunks::chunk!("gpu_models");

use std::ops::Range;
use std::sync::Arc;

use super::{Gap, Numbers, largest_difference, relative_gap};
use crate::{Failure, Reason};
use attention::{Error, Pairs};
use gpu::{DeviceModel, Gpu, Pass};
use model::infer::{Inference, WantedLogits};
use model::{
    Activation, Blocks, Examples, Init, Local, LocalLayers, Model, ModelConfig, ModelPositions,
    Norm, NormPlace, Optimizer, OptimizerKind, OptimizerOptions, Score, StoredNumbers, Words,
};

/// Computes both and compares every result.
///
/// # Errors
/// [`Reason::ProbeFailed`] with the worst difference, or the device's own error.
pub(crate) async fn check_models(gpu: &Gpu) -> Result<(), Reason> {
    let mut worst = Gap::NONE;
    for (config, kind) in configs() {
        worst = worst.or(gap(gpu, config, kind).await?);
    }
    worst.or(gap_in_blocks(gpu).await?).verdict()
}

/// A model whose logits are made with numbers in blocks of 32, `2⁻⁷·q` each; the type Q8_0 of ggml.
#[derive(Debug)]
struct InBlocks {
    tensor: usize,
}

impl InBlocks {
    const SCALE: f32 = 0.007_812_5;
    /// The scale in 16 bits.
    const SCALE_BYTES: [u8; 2] = [0, 0x20];

    fn q(line: usize, at: usize) -> i8 {
        ((line * 37 + at * 11) % 255) as u8 as i8
    }
}

impl StoredNumbers for InBlocks {
    fn lines(&self, tensor: usize, which: Range<usize>, out: &mut [f32]) {
        let width = out.len() / which.len().max(1);
        for (line, out) in which.zip(out.chunks_exact_mut(width.max(1))) {
            for (at, out) in out.iter_mut().enumerate() {
                *out = match tensor == self.tensor {
                    true => Self::SCALE * f32::from(Self::q(line, at)),
                    false => f32::from(Self::q(line, at)) / 1024.0,
                };
            }
        }
    }

    fn blocks(&self, tensor: usize) -> Option<Blocks> {
        (tensor == self.tensor).then_some(Blocks {
            id: 8,
            length: 32,
            bytes: 34,
        })
    }

    fn line_bytes(&self, _: usize, which: Range<usize>, out: &mut Vec<u8>) {
        for line in which {
            out.extend(Self::SCALE_BYTES);
            out.extend((0..32).map(|at| Self::q(line, at) as u8));
        }
    }
}

async fn gap_in_blocks(gpu: &Gpu) -> Result<Gap, Reason> {
    let config = ModelConfig::new(13, 6, 32, 1, 2);
    let tensors = config.tensors().map_err(invalid)?;
    let tensor = tensors.iter().position(|spec| spec.name == "unembedding");
    let tensor = tensor.unwrap_or_default();
    let model = Model::stored(config, Arc::new(InBlocks { tensor })).map_err(invalid)?;
    let words = Words::new(&config, &[vec![3, 12, 5, 0]]).map_err(invalid)?;
    let device = DeviceModel::upload(gpu, &model).await.map_err(reason)?;
    let pass = Pass {
        logits: true,
        ..Pass::default()
    };
    let found = device.forward(&model, &words, &pass).await;
    let how = Inference {
        logits: WantedLogits::All,
        ..Inference::default()
    };
    let exact = model.infer(&words, &how).map_err(invalid)?;
    Ok(relative(&found.map_err(reason)?.logits, &exact.logits))
}

fn invalid(error: Error) -> Reason {
    Reason::Rejected {
        detail: error.to_string(),
    }
}

/// All mechanisms of layers, in pairwise different sizes.
pub fn configs() -> [(ModelConfig, OptimizerKind); 2] {
    let bert = ModelConfig {
        norm: Norm::Layer,
        norm_place: NormPlace::After,
        embedding_norm: true,
        mlp: 9,
        biases: true,
        tied: true,
        masked_head: true,
        token_types: 2,
        first_position: 1,
        activation: Activation::Gelu,
        d_k: 5,
        ..ModelConfig::new(11, 7, 10, 1, 2)
    };
    let gemma = ModelConfig {
        causal: true,
        kv_heads: 1,
        positions: ModelPositions::Rotary { base: 100.0 },
        rotary_pairs: Pairs::Halves,
        norm: Norm::Rms,
        norm_place: NormPlace::Both,
        final_norm: true,
        qk_norm: true,
        mlp: 7,
        gated: true,
        activation: Activation::GeluTanh,
        score_cap: Some(2.0),
        logit_cap: Some(3.0),
        embedding_scale: 1.5,
        local: Some(Local {
            layers: LocalLayers::From(1),
            window: 1,
            rotary_base: None,
        }),
        d_k: 6,
        ..ModelConfig::new(13, 6, 9, 2, 3)
    };
    [(bert, OptimizerKind::AdamW), (gemma, OptimizerKind::Sgd)]
}

async fn gap(gpu: &Gpu, config: ModelConfig, kind: OptimizerKind) -> Result<Gap, Reason> {
    let model = Model::random(config, Init::Normal { std: 0.4 }, 3).map_err(invalid)?;
    let examples = examples(&config).map_err(invalid)?;
    let mut device = DeviceModel::upload(gpu, &model).await.map_err(reason)?;
    let pass = Pass {
        weights: (0..config.layers).collect(),
        logits: true,
        hidden: false,
    };
    let found = device.forward(&model, examples.words(), &pass).await;
    let found = found.map_err(reason)?;
    let exact = model.forward(examples.words()).map_err(invalid)?;
    let mut worst = relative(&found.logits, exact.logits());
    for (found, exact) in found.weights.iter().zip(exact.weights()) {
        let exact = wide(exact.as_slice().unwrap_or_default());
        worst = worst.or(Gap {
            difference: largest_difference(row(found), row(&exact)),
            ..Gap::NONE
        });
    }
    let (mut own, options) = (model.clone(), options(kind));
    let mut optimizer = Optimizer::new(options, &own).map_err(invalid)?;
    let mut on_device = optimizer.clone();
    device.take_moments(&on_device);
    let step = device.step(&model, &mut on_device, &examples).await;
    let step = step.map_err(reason)?;
    let exact = optimizer.step(&mut own, &examples).map_err(invalid)?;
    let measures = |score: Score, norm| [score.loss, norm].map(|measure: f64| measure as f32);
    let (found, exact) = (
        measures(step.score, step.norm),
        measures(exact.score, exact.norm),
    );
    let (numbers, _) = device.learned().await.map_err(reason)?;
    let moved = difference(&numbers, model.numbers());
    let exactly = difference(own.numbers(), model.numbers());
    let worst = worst.or(relative(&found, &exact));
    Ok(worst.or(relative(&moved, &exactly)))
}

fn relative(found: &[f32], exact: &[f32]) -> Gap {
    relative_gap(row(found), row(&wide(exact)))
}

/// Numbers in a row, whatever their shape.
fn row<T>(numbers: &[T]) -> Numbers<'_, T> {
    Some((&[], numbers))
}

fn reason(fault: gpu::GpuError) -> Reason {
    Failure::from(fault).into_reason()
}

/// Gradients that are nothing but rounding must not become steps of full length.
fn options(kind: OptimizerKind) -> OptimizerOptions {
    OptimizerOptions {
        kind,
        rate: 0.1,
        epsilon: 0.1,
        weight_decay: 0.1,
        clip: Some(0.5),
        ..OptimizerOptions::default()
    }
}

fn examples(config: &ModelConfig) -> Result<Examples, Error> {
    let word = |b: usize, i: usize| (3 * b + 5 * i + b * i) % config.vocabulary;
    let tokens: Vec<Vec<usize>> = (0..2)
        .map(|b| (0..5).map(|i| word(b, i)).collect())
        .collect();
    let targets: Vec<Vec<Option<usize>>> = (0..2)
        .map(|b| (0..5).map(|i| (i != b).then(|| word(i, b + 1))).collect())
        .collect();
    Examples::new(config, Words::new(config, &tokens)?, &targets)
}

fn difference(after: &[f32], before: &[f32]) -> Vec<f32> {
    let pairs = after.iter().zip(before);
    pairs.map(|(after, before)| after - before).collect()
}

fn wide(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().copied().map(f64::from).collect()
}
