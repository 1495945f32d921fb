//! Models on the device against the same on the processor, mechanism by mechanism.

#[path = "../models/config.rs"]
mod config;
#[path = "../models/golden_file.rs"]
mod golden_file;
#[path = "../../crates/model/tests/infer/configs.rs"]
mod inferred;

use std::ops::Range;
use std::sync::Arc;

use engine::probe;
use formats::blocks::{BlockType, dequantize};
use gpu::{DeviceModel, Gpu, GpuError, Kernel, Pass, PassResults, Tier};
use model::infer::{Inference, WantedLogits};
use model::{
    Activation, Blocks, Examples, Init, Model, ModelConfig, ModelPositions, Norm, Optimizer,
    OptimizerKind, OptimizerOptions, StoredNumbers, Words,
};
use ndarray::{Array1, ArrayD};
use pollster::block_on;

use self::config::{all_mechanisms, examples, model};
use crate::common::compare::{assert_close, largest};
use crate::common::gpu::{on_gpu, on_own_gpu};

/// Does something with the device in both tiers.
fn on_both(act: impl Fn(&Gpu) + Send + Clone + 'static) {
    for tier in [Tier::Software, Tier::Hardware] {
        let act = act.clone();
        on_gpu(move |gpu| act(&gpu.clone().with_tier(tier)));
    }
}

fn array(numbers: &[f32]) -> ArrayD<f32> {
    Array1::from(numbers.to_vec()).into_dyn()
}

fn wide(numbers: &[f32]) -> ArrayD<f64> {
    array(numbers).mapv(f64::from)
}

/// What PyTorch in 64 bits made of the same numbers.
#[test]
fn goldens() {
    for name in [
        "attention_only",
        "bert",
        "gpt",
        "llama",
        "one_layer_sinusoidal",
    ] {
        on_both(move |gpu| check_golden(name, gpu));
    }
}

fn check_golden(name: &str, gpu: &Gpu) {
    let file = golden_file::file(name);
    let model = golden_file::model(&file);
    let examples = golden_file::examples(&file, &model);
    let device = uploaded(gpu, &model);
    let found = block_on(device.forward(&model, examples.words(), &all(model.config())));
    let found = found.expect("finite");
    let what = format!("{name}, {:?}", gpu.tier());
    let logits = golden_file::array(&file["logits"]);
    let flat = Array1::from_iter(logits.iter().copied()).into_dyn();
    assert_close(&what, &array(&found.logits), &flat, 1e-5);
    let layers = file["weights"].as_array().expect("layers");
    for (found, wanted) in found.weights.iter().zip(layers) {
        let wanted = golden_file::array(wanted);
        let flat = Array1::from_iter(wanted.iter().copied()).into_dyn();
        assert_close(&what, &array(found), &flat, 1e-5);
    }
    let found = block_on(device.gradients(&model, &examples)).expect("finite");
    let loss = golden_file::number(&file["loss"]);
    assert!((found.score.loss - loss).abs() <= 1e-5, "{what}");
    let numbers = block_on(device.read_gradients(&found)).expect("finite");
    for spec in model.tensors() {
        let wanted = golden_file::array(&file["gradients"][&spec.name]);
        let flat = Array1::from_iter(wanted.iter().copied()).into_dyn();
        let what = format!("{what}: gradient of {}", spec.name);
        let allowed = (1e-5 * largest(&wanted)).max(1e-6);
        assert_close(&what, &array(&numbers[spec.range.clone()]), &flat, allowed);
    }
}

/// Everything that a pass can bring back.
fn all(config: &ModelConfig) -> Pass {
    Pass {
        weights: (0..config.layers).collect(),
        logits: true,
        hidden: true,
    }
}

fn uploaded(gpu: &Gpu, model: &Model) -> DeviceModel {
    block_on(DeviceModel::upload(gpu, model)).expect("room for a small model")
}

fn check_forward(what: &str, gpu: &Gpu, model: &Model, words: &Words) {
    let device = uploaded(gpu, model);
    let found = block_on(device.forward(model, words, &all(model.config())));
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
    let wanted = model.forward(words).expect("finite");
    let pairs = [
        ("logits", &found.logits, wanted.logits()),
        ("hidden", &found.hidden, wanted.hidden()),
    ];
    for (field, found, wanted) in pairs {
        let allowed = 1e-5 * largest(&wide(wanted)).max(1.0);
        let what = format!("{what}, {:?}: {field}", gpu.tier());
        assert_close(&what, &array(found), &wide(wanted), allowed);
    }
    assert_eq!(found.weights.len(), model.config().layers);
    for (found, wanted) in found.weights.iter().zip(wanted.weights()) {
        let wanted = wanted.as_slice().expect("in order");
        let what = format!("{what}, {:?}: weights", gpu.tier());
        assert_close(&what, &array(found), &wide(wanted), 1e-5);
    }
}

/// The same against a pass that saves nothing, which models of checkpoints have alone.
fn check_inference(what: &str, gpu: &Gpu, [model, exact]: [&Model; 2], words: &Words) {
    let config = model.config();
    let how = Inference {
        weights: inferred::heads(config),
        hidden: vec![config.layers],
        logits: match config.logits {
            true => WantedLogits::All,
            false => WantedLogits::None,
        },
        ..Inference::default()
    };
    let wanted = exact.infer(words, &how).expect("finite");
    let found = block_on(uploaded(gpu, model).forward(model, words, &all(config)));
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
    let what = format!("{what}, {:?}", gpu.tier());
    for (found, wanted) in [
        (&found.logits, &wanted.logits),
        (&found.hidden, &wanted.hidden[0]),
    ] {
        let allowed = 1e-5 * largest(&wide(wanted)).max(1e-6);
        assert_close(&what, &array(found), &wide(wanted), allowed);
    }
    let (batch, plane) = (words.batch(), words.length() * words.length());
    for (at, wanted) in wanted.weights.iter().enumerate() {
        let (layer, head) = (at / config.heads, at % config.heads);
        let of_sequence =
            |b: usize| &found.weights[layer][(b * config.heads + head) * plane..][..plane];
        let found: Vec<f32> = (0..batch).flat_map(of_sequence).copied().collect();
        let wanted: Vec<f32> = wanted.iter().copied().collect();
        assert_close(&what, &array(&found), &wide(&wanted), 1e-5);
    }
}

fn check_gradients(what: &str, gpu: &Gpu, model: &Model, examples: &Examples) {
    let device = uploaded(gpu, model);
    let wanted = model.gradients(examples).expect("finite");
    let found = block_on(device.gradients(model, examples));
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
    let what = format!("{what}, {:?}", gpu.tier());
    let score = block_on(device.score(model, examples)).expect("as its gradients");
    assert_eq!(score, found.score, "{what}");
    assert!((score.loss - wanted.score.loss).abs() < 1e-5, "{what}");
    assert_eq!(score.accuracy, wanted.score.accuracy, "{what}");
    let error = (found.norm - wanted.norm).abs();
    assert!(error <= 1e-5 * wanted.norm, "{what}: {error}");
    let numbers = block_on(device.read_gradients(&found)).expect("finite");
    for spec in model.tensors() {
        let wanted = wide(&wanted.numbers[spec.range.clone()]);
        let allowed = (1e-5 * largest(&wanted)).max(1e-6);
        let what = format!("{what}: gradient of {}", spec.name);
        assert_close(
            &what,
            &array(&numbers[spec.range.clone()]),
            &wanted,
            allowed,
        );
    }
}

fn options() -> Vec<OptimizerOptions> {
    let adam = OptimizerOptions {
        rate: 0.01,
        weight_decay: 0.1,
        warmup: 2,
        // Gradients that are nothing but rounding, as those of biases of keys, would become steps of full length.
        epsilon: 1e-3,
        ..OptimizerOptions::default()
    };
    let clipped = OptimizerOptions {
        clip: Some(0.1),
        ..adam
    };
    let plain = OptimizerOptions {
        kind: OptimizerKind::Sgd,
        rate: 0.1,
        ..OptimizerOptions::default()
    };
    vec![adam, clipped, plain]
}

/// Three steps on either side, the last two from where the first has left the optimizer.
fn check_steps(
    what: &str,
    gpu: &Gpu,
    model: &Model,
    examples: &Examples,
    options: OptimizerOptions,
) {
    let (mut own, mut optimizer) = (
        model.clone(),
        Optimizer::new(options, model).expect("valid"),
    );
    optimizer.step(&mut own, examples).expect("finite");
    let (start, mut on_device) = (own.clone(), optimizer.clone());
    let mut device = uploaded(gpu, &start);
    device.take_moments(&on_device);
    for step in 0..2 {
        let wanted = optimizer.step(&mut own, examples).expect("finite");
        let found = block_on(device.step(&start, &mut on_device, examples)).expect("finite");
        let what = format!("{what}, {:?}: step {step}", gpu.tier());
        assert!(
            (found.score.loss - wanted.score.loss).abs() < 1e-5,
            "{what}"
        );
        assert!(
            (found.norm - wanted.norm).abs() <= 2e-5 * wanted.norm,
            "{what}"
        );
        assert_eq!(found.rate, wanted.rate, "{what}");
    }
    let (numbers, moments) = block_on(device.learned()).expect("on the device");
    let what = format!("{what}, {:?}", gpu.tier());
    assert_close(&what, &array(&numbers), &wide(own.numbers()), 2e-5);
    for (found, wanted) in moments.iter().flatten().zip(optimizer.moments()) {
        let allowed = 1e-5 * largest(&wide(wanted)).max(1e-3);
        assert_close(&what, &array(found), &wide(wanted), allowed);
    }
    assert_eq!(moments.is_some(), options.kind == OptimizerKind::AdamW);
}

#[test]
fn every_mechanism_of_a_model_forward() {
    on_both(|gpu| {
        for (what, config) in all_mechanisms() {
            let model = model(config, 5);
            check_forward(what, gpu, &model, examples(&config).words());
        }
    });
}

#[test]
fn every_mechanism_of_a_model_backward() {
    on_both(|gpu| {
        for (what, config) in all_mechanisms() {
            let model = model(config, 5);
            check_gradients(what, gpu, &model, &examples(&config));
        }
    });
}

#[test]
fn steps_of_every_optimizer() {
    on_both(|gpu| {
        for (what, config) in all_mechanisms().into_iter().step_by(5) {
            for options in options() {
                check_steps(what, gpu, &model(config, 5), &examples(&config), options);
            }
        }
    });
}

#[test]
fn what_checkpoints_have_besides() {
    on_both(|gpu| {
        for (what, config) in inferred::all() {
            let (model, words) = (inferred::model(config), inferred::words(&config, 2, 7));
            check_inference(what, gpu, [&model, &model], &words);
        }
    });
}

/// The same model with other numbers in the tensors of a name.
fn multiplied(model: &Model, end: &str, by: f32) -> Model {
    let mut numbers = model.numbers().to_vec();
    for spec in model
        .tensors()
        .iter()
        .filter(|spec| spec.name.ends_with(end))
    {
        numbers[spec.range.clone()]
            .iter_mut()
            .for_each(|number| *number *= by);
    }
    model.with_numbers(&numbers).expect("finite")
}

/// Where every hidden number is 0, ReLU passes nothing on.
#[test]
fn relu_has_no_slope_at_0() {
    on_both(|gpu| {
        let config = ModelConfig {
            mlp: 9,
            activation: Activation::Relu,
            ..ModelConfig::new(11, 7, 5, 1, 5)
        };
        let flat = multiplied(&model(config, 5), "w_up", 0.0);
        check_gradients("flat", gpu, &flat, &examples(&config));
    });
}

#[test]
fn of_equal_logits_the_first_counts() {
    on_both(|gpu| {
        let config = ModelConfig::new(11, 7, 5, 1, 5);
        let even = multiplied(&model(config, 5), "unembedding", 0.0);
        check_gradients("even", gpu, &even, &examples(&config));
    });
}

/// The numbers of a model as a checkpoint gives them: linear maps column by column.
#[derive(Debug)]
struct Columns(Model);

impl StoredNumbers for Columns {
    fn lines(&self, tensor: usize, which: Range<usize>, out: &mut [f32]) {
        let spec = &self.0.tensors()[tensor];
        let numbers = &self.0.numbers()[spec.range.clone()];
        let is_table = ["tokens", "positions", "token_types"].contains(&spec.name.as_str());
        let (width, by_columns) = match spec.shape[..] {
            [rows, _] if !is_table => (rows, true),
            [_, columns] => (columns, false),
            _ => (numbers.len(), false),
        };
        let lines = numbers.len() / width;
        for (line, out) in which.zip(out.chunks_exact_mut(width)) {
            for (at, out) in out.iter_mut().enumerate() {
                let place = if by_columns {
                    at * lines + line
                } else {
                    line * width + at
                };
                *out = numbers[place];
            }
        }
    }
}

#[test]
fn numbers_that_are_stored_by_columns_are_the_same_model() {
    on_both(|gpu| {
        for (what, config) in inferred::all() {
            let (model, words) = (inferred::model(config), inferred::words(&config, 2, 7));
            let stored = Model::stored(config, Arc::new(Columns(model.clone())));
            let stored = stored.expect("a valid config");
            check_inference(what, gpu, [&stored, &model], &words);
        }
    });
}

/// As on the processor; its loss is there.
#[test]
fn a_model_of_a_checkpoint_learns_nothing() {
    on_both(|gpu| {
        let config = inferred::all()[0].1;
        let model = inferred::model(config);
        let examples = examples(&config);
        let stored = Model::stored(config, Arc::new(Columns(model.clone())));
        let stored = stored.expect("a valid config");
        let wanted = stored.gradients(&examples).expect_err("refused");
        let device = uploaded(gpu, &stored);
        let refused = block_on(device.gradients(&stored, &examples)).err();
        assert_eq!(refused, Some(GpuError::Refused(wanted)));
        let wanted = model.score(&examples).expect("finite").loss;
        let on_processor = stored.score(&examples).expect("finite");
        let on_device = block_on(device.score(&stored, &examples)).expect("finite");
        for score in [on_processor, on_device] {
            assert!((score.loss - wanted).abs() <= 1e-5, "{score:?}, {wanted}");
        }
    });
}

/// What is wanted is the same without the rest, and the steps that only the rest is made of are left out.
#[test]
fn a_part_of_a_pass_takes_fewer_steps() {
    on_own_gpu(|gpu| {
        let config = ModelConfig {
            norm: Norm::Layer,
            final_norm: true,
            mlp: 9,
            ..ModelConfig::new(11, 7, 5, 3, 5)
        };
        let (model, examples) = (model(config, 5), examples(&config));
        let device = uploaded(&gpu, &model);
        let pass = |wanted: &Pass| {
            let before = gpu.counts().dispatches;
            let found = block_on(device.forward(&model, examples.words(), wanted));
            (found.expect("finite"), gpu.counts().dispatches - before)
        };
        let (whole, most) = pass(&all(&config));
        let of = |weights, logits, hidden| Pass {
            weights,
            logits,
            hidden,
        };
        let (first, fewest) = pass(&of(vec![0], false, false));
        assert_eq!(first.weights, whole.weights[..1]);
        let (last, fewer) = pass(&of(vec![2], false, false));
        assert_eq!(last.weights, whole.weights[2..]);
        let (hidden, without_logits) = pass(&of(vec![], false, true));
        assert_eq!(hidden.hidden, whole.hidden);
        let (logits, all) = pass(&of(vec![], true, false));
        assert_eq!(logits.logits, whole.logits);
        assert!(fewest < fewer && fewer < without_logits && without_logits < all);
        assert_eq!(all, most);
        let (nothing, none) = pass(&Pass::default());
        assert_eq!((nothing, none), (PassResults::default(), 0));
    });
}

/// A model of which one tensor is stored in blocks: the table of words, or what logits are made with.
#[derive(Debug)]
struct InBlocks {
    of: Model,
    kind: BlockType,
    tensor: usize,
    bytes: Vec<u8>,
}

impl InBlocks {
    fn new(of: &Model, kind: BlockType, tensor: usize) -> Self {
        let [lines, width] = [of.config().vocabulary, of.config().d_model];
        let bytes = lines * width / kind.length() * kind.bytes();
        let mut bytes: Vec<u8> = (0..bytes)
            .map(|at| (at * at % 251 + at / 7) as u8)
            .collect();
        // Scales from subnormal to small numbers, all of them finite.
        let scales: &[usize] = match kind {
            BlockType::Q2_K => &[81, 83],
            BlockType::Q3_K => &[109],
            BlockType::Q6_K => &[209],
            BlockType::F32 => &[3],
            BlockType::Q4_1 | BlockType::Q5_1 | BlockType::Q4_K | BlockType::Q5_K => &[1, 3],
            _ => &[1],
        };
        for block in bytes.chunks_exact_mut(kind.bytes()) {
            scales
                .iter()
                .for_each(|at| block[*at] &= if kind.length() == 1 { 0xbf } else { 7 });
        }
        Self {
            of: of.clone(),
            kind,
            tensor,
            bytes,
        }
    }

    fn line_bytes(&self) -> usize {
        self.of.config().d_model / self.kind.length() * self.kind.bytes()
    }
}

impl StoredNumbers for InBlocks {
    fn lines(&self, tensor: usize, which: Range<usize>, out: &mut [f32]) {
        if tensor != self.tensor {
            return Columns(self.of.clone()).lines(tensor, which, out);
        }
        let line = self.line_bytes();
        let bytes = &self.bytes[which.start * line..which.end * line];
        dequantize(self.kind, bytes, out).expect("whole blocks");
    }

    fn blocks(&self, tensor: usize) -> Option<Blocks> {
        (tensor == self.tensor).then_some(Blocks {
            id: self.kind.id(),
            length: self.kind.length(),
            bytes: self.kind.bytes(),
        })
    }

    fn line_bytes(&self, _: usize, which: Range<usize>, out: &mut Vec<u8>) {
        let line = InBlocks::line_bytes(self);
        out.extend_from_slice(&self.bytes[which.start * line..which.end * line]);
    }
}

#[test]
fn blocks_of_every_type_are_widened_on_the_device() {
    for tied in [false, true] {
        on_both(move |gpu| {
            let config = ModelConfig {
                norm: Norm::Rms,
                final_norm: true,
                tied,
                ..ModelConfig::new(37, 9, 256, 1, 2)
            };
            let plain = Model::random(config, Init::Xavier, 5).expect("a valid config");
            let words = inferred::words(&config, 2, 7);
            let tables = plain.tables();
            let slot = tables.unembedding.unwrap_or(tables.tokens);
            for kind in BlockType::ALL {
                let stored = InBlocks::new(&plain, kind, slot.tensor);
                let stored = Model::stored(config, Arc::new(stored)).expect("a valid config");
                let what = format!("{}, tied {tied}", kind.name());
                check_inference(&what, gpu, [&stored, &stored], &words);
            }
        });
    }
}

/// Several submissions, products of more than one workgroup, rows of more than 64 vectors, and words that stand in many rows.
#[test]
fn a_model_that_takes_several_submissions() {
    let config = ModelConfig {
        causal: true,
        norm: Norm::Layer,
        mlp: 260,
        activation: Activation::Silu,
        biases: true,
        d_k: 20,
        kv_heads: 2,
        ..ModelConfig::new(301, 70, 84, 2, 4)
    };
    let word = |b: usize, i: usize| (b * 67 + i * i) % 131;
    let rows = |shift: usize| -> Vec<Vec<usize>> {
        let row = |b| (0..67).map(|i| word(b + shift, i)).collect();
        (0..9).map(row).collect()
    };
    let words = Words::new(&config, &rows(0)).expect("words of the model");
    let targets: Vec<Vec<Option<usize>>> = rows(1)
        .into_iter()
        .map(|row| row.into_iter().map(Some).collect())
        .collect();
    let examples = Examples::new(&config, words, &targets).expect("as many targets");
    let model = Model::random(config, Init::Xavier, 4).expect("a valid config");
    on_both(move |gpu| {
        check_forward("long", gpu, &model, examples.words());
        let before = gpu.counts().submissions;
        check_gradients("long", gpu, &model, &examples);
        let submissions = gpu.counts().submissions - before;
        // One to upload, one for the score, one for the gradients and one to read them where nothing is split.
        let least = if gpu.tier() == Tier::Software { 5 } else { 4 };
        assert!(submissions >= least, "{submissions} submissions");
    });
}

#[test]
fn cells_that_a_head_does_not_see() {
    on_both(|gpu| {
        let config = ModelConfig {
            causal: true,
            positions: ModelPositions::Alibi,
            kv_heads: 1,
            d_k: 3,
            ..ModelConfig::new(11, 7, 5, 2, 3)
        };
        let model = model(config, 5);
        let examples = examples(&config);
        let hidden = model
            .with_hidden(1, 2, &[(3, 3), (3, 0), (3, 1), (3, 2), (4, 1)])
            .expect("cells of the model");
        check_forward("hidden", gpu, &hidden, examples.words());
        check_gradients("hidden", gpu, &hidden, &examples);
    });
}

#[test]
fn sequences_of_one_word_of_none_and_none_at_all() {
    on_both(|gpu| {
        let config = ModelConfig {
            norm: Norm::Rms,
            mlp: 7,
            ..ModelConfig::new(5, 3, 6, 2, 2)
        };
        let model = model(config, 5);
        for sequences in [vec![vec![3]], vec![vec![]; 2], vec![]] {
            let words = Words::new(&config, &sequences).expect("words of the model");
            check_forward("short", gpu, &model, &words);
        }
    });
}

#[test]
fn scores_that_32_bits_cannot_hold_are_refused() {
    on_both(|gpu| {
        let cases = [
            (1.0, None, false),
            (1e3, None, true),
            (1e20, None, true),
            (1e3, Some(1e-4), false),
            (1.0, Some(1e4), true),
        ];
        for (size, score_scale, is_refused) in cases {
            let config = ModelConfig {
                d_k: 3,
                score_scale,
                ..ModelConfig::new(11, 7, 5, 1, 3)
            };
            let words = examples(&config);
            let large = multiplied(&model(config, 5), "w_q", size);
            let device = uploaded(gpu, &large);
            let found = block_on(device.forward(&large, words.words(), &all(&config)));
            let refused = match &found {
                Err(GpuError::Refused(error)) => Some(error.field.as_str()),
                Err(other) => panic!("{other}"),
                Ok(_) => None,
            };
            let what = format!("{size}, {score_scale:?}");
            assert_eq!(refused, is_refused.then_some("scores"), "{what}");
            let found = block_on(device.gradients(&large, &words));
            assert_eq!(found.is_err(), is_refused, "{what}");
        }
    });
}

/// Numbers go to the device a piece at a time; this embedding takes two, and its rows have padding.
#[test]
fn a_tensor_of_several_pieces_lies_on_the_device_whole() {
    on_gpu(|gpu| {
        let model = model(ModelConfig::new(250_001, 5, 5, 1, 1), 5);
        let mut device = uploaded(gpu, &model);
        let (numbers, _) = block_on(device.learned()).expect("on the device");
        let wanted = wide(model.numbers());
        assert_close("two pieces", &array(&numbers), &wanted, 0.0);
    });
}

#[test]
fn a_tensor_that_the_device_does_not_take_is_named_by_its_size() {
    on_gpu(|gpu| {
        let model = model(ModelConfig::new(11, 7, 5, 1, 5), 5);
        let small = gpu.clone().with_largest_tensor(64);
        let error = block_on(DeviceModel::upload(&small, &model)).err();
        let wanted = "a tensor needs 352 bytes in one piece, the device allows 64";
        assert_eq!(error, Some(GpuError::TooLarge(wanted.to_owned())));
    });
}

/// A step whose numbers leave the range changes nothing.
#[test]
fn a_step_out_of_range_is_none() {
    on_both(|gpu| {
        let config = ModelConfig::new(11, 7, 5, 1, 5);
        let (model, examples) = (model(config, 5), examples(&config));
        for kind in [OptimizerKind::Sgd, OptimizerKind::AdamW] {
            let options = OptimizerOptions {
                kind,
                rate: 3e38,
                ..OptimizerOptions::default()
            };
            let optimizer = Optimizer::new(options, &model).expect("valid");
            let mut device = uploaded(gpu, &model);
            device.take_moments(&optimizer);
            let mut own = optimizer.clone();
            let far = (0..40).find_map(|_| {
                let step = block_on(device.step(&model, &mut own, &examples));
                step.err()
            });
            assert!(matches!(far, Some(GpuError::Refused(_))), "{far:?}");
            let (numbers, _) = block_on(device.learned()).expect("on the device");
            assert!(numbers.iter().all(|number| number.is_finite()));
        }
    });
}

/// The step itself leaves the range, before anything is computed with what it made.
#[test]
fn a_step_of_plain_descent_out_of_range_is_none() {
    on_both(|gpu| {
        let config = ModelConfig {
            final_norm: true,
            norm: Norm::Layer,
            ..ModelConfig::new(11, 7, 5, 1, 5)
        };
        let quiet = model(config, 5);
        let mut numbers = quiet.numbers().to_vec();
        let loud = quiet
            .tensors()
            .iter()
            .filter(|spec| spec.name == "norm.scale");
        loud.for_each(|spec| numbers[spec.range.clone()].fill(1e3));
        let model = quiet.with_numbers(&numbers).expect("finite");
        let options = OptimizerOptions {
            kind: OptimizerKind::Sgd,
            rate: 3e38,
            ..OptimizerOptions::default()
        };
        let mut optimizer = Optimizer::new(options, &model).expect("valid");
        let mut device = uploaded(gpu, &model);
        let step = block_on(device.step(&model, &mut optimizer, &examples(&config)));
        assert!(matches!(step, Err(GpuError::Refused(_))), "{step:?}");
        let (left, _) = block_on(device.learned()).expect("on the device");
        assert_eq!(left, numbers);
    });
}

#[test]
fn the_check_of_models_has_work_for_every_kernel() {
    on_both(|gpu| {
        let verified = block_on(engine::VerifiedGpu::verify(gpu.clone(), None, || 0.0));
        let verified = verified.unwrap_or_else(|reason| panic!("{reason}"));
        let (config, _) = probe::model_configs()[0];
        let model = Model::random(config, Init::Xavier, 1).expect("a valid config");
        let device = block_on(verified.upload(&model));
        assert!(device.is_ok(), "{:?}", device.err());
        for kernel in Kernel::ALL {
            let is_checked = gpu.has_used(kernel) || !kernel.is_used(gpu.tier());
            assert!(is_checked, "{kernel:?} is not part of the check");
        }
    });
}
