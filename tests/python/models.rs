//! Programs of the training lab's models, run by PyTorch: what is opened has the page's weights and loss, and what is trained the page's
//! losses.

use std::fs;
use std::path::PathBuf;

use ::model::task::{Split, Task};
use ::model::{
    Activation, Init, Model, ModelConfig, ModelPositions, Norm, NormPlace, OptimizerOptions, Words,
};
use app::export::codegen::{Program, model};
use app::i18n::Language;
use app::present::model_export::{ExportedRun, ModelExport};
use app::present::training_lab::TrainingLab;
use engine::training_run::RECIPES;
use engine::variant::Variant;
use serde_json::Value;

use crate::interpreter::{self, flat};

/// How far weights and losses of an opened model may be from the page's.
const OPENED: f64 = 1e-5;
/// The same for the losses of the first steps of training, which the program says as well.
const TRAINED: f64 = 1e-5;
/// The same where first numbers or steps are far too large, so that rounding grows with them.
const TRAINED_LARGE: f64 = 1e-3;
const STEPS: usize = 20;
/// The same through all steps of a recipe.
const LEARNED: f64 = 1e-4;
/// A text to learn, with characters that a program has to write with care.
const TEXT: &str = "\"猫\" said the cat, \\ and 'cat' said the 猫: who of them is \"it\"?";

/// Output of a program.
struct Left(Value);

impl Left {
    fn number(&self, name: &str) -> f64 {
        self.0[name].as_f64().unwrap_or(f64::NAN)
    }

    fn printed(&self) -> &str {
        self.0["printed"].as_str().unwrap_or_default()
    }
}

/// Runs programs, each in a folder of its own with the model's file; none where there is no PyTorch.
fn run(
    name: &str,
    exports: &[ModelExport],
    write: fn(&ModelExport, Language) -> Program,
) -> Option<Vec<Left>> {
    let folder = interpreter::folder(name);
    let program = |(number, export): (usize, &ModelExport)| -> PathBuf {
        let folder = folder.join(number.to_string());
        fs::create_dir_all(&folder).expect("a folder");
        let language = [Language::En, Language::Zh][number % 2];
        let path = folder.join("program.py");
        fs::write(&path, write(export, language).text()).expect("a file");
        let file = folder.join(format!("{}.safetensors", export.name()));
        fs::write(file, export.file()).expect("a file");
        path
    };
    let paths: Vec<PathBuf> = exports.iter().enumerate().map(program).collect();
    let Some(interpreter) = interpreter::pytorch() else {
        interpreter::say("PROGRAMS OF MODELS WERE WRITTEN AND NOT RUN.");
        return None;
    };
    let lines = interpreter.lines("model.py", &paths);
    let said = lines.iter().zip(&paths).map(|(line, path)| {
        let said: Value = serde_json::from_str(line).expect("a line of JSON");
        assert!(said.get("error").is_none(), "{}: {said}", path.display());
        Left(said)
    });
    Some(said.collect())
}

/// A model of a recipe after some steps, with all that it learns from as far as `most` steps, and the one that does one thing in another
/// way.
fn exports(task: &str, variant: Option<Variant>, steps: usize, most: usize) -> Vec<ModelExport> {
    let recipe = RECIPES.into_iter().find(|recipe| recipe.task == task);
    let lab = match recipe {
        Some(recipe) => TrainingLab::new(recipe, 3, variant),
        None => TrainingLab::of_text(TEXT, 3, variant),
    };
    let mut lab = lab.expect("a task");
    for _ in 0..steps {
        lab.learn().expect("finite");
    }
    lab.look_at_newest();
    [ExportedRun::Own, ExportedRun::Other]
        .into_iter()
        .filter_map(|which| lab.export(which).expect("finite"))
        .map(|mut export| {
            export.examples.truncate(most);
            export
        })
        .collect()
}

/// Every task of the lab, and everything that is done in another way.
fn of_the_lab(steps: usize, most: usize) -> Vec<ModelExport> {
    let tasks = RECIPES.iter().map(|recipe| (recipe.task, None));
    let variants = Variant::ALL.map(|variant| ("reverse", Some(variant)));
    let all = tasks.chain(variants).chain([
        ("text", None),
        ("repeat", Some(Variant::NoResidual)),
        ("pronoun", Some(Variant::Unscaled)),
    ]);
    all.flat_map(|(task, variant)| {
        let mut exports = exports(task, variant, steps, most);
        // The run beside it is the same every time.
        if variant.is_some() {
            exports.remove(0);
        }
        exports
    })
    .collect()
}

/// A model of random numbers that reads examples of a task.
fn of_config(config: ModelConfig) -> ModelExport {
    let task = Task::named("brackets").expect("a task");
    let model = Model::random(config, Init::Normal { std: 0.3 }, 5).expect("valid");
    let held_out = task
        .examples(&config, 17, 1, Split::HeldOut)
        .expect("examples");
    let reads = held_out.words().all()[..config.length - 2].to_vec();
    ModelExport {
        task: "brackets",
        seed: 5,
        step: 0,
        variant: None,
        first: model.clone(),
        words: task.words().to_vec(),
        reads,
        row: 1,
        score: model.score(&held_out).expect("finite"),
        held_out,
        examples: Vec::new(),
        optimizer: OptimizerOptions::default(),
        losses: Vec::new(),
        model,
    }
}

/// Stacks that the lab does not make.
fn of_other_configs() -> Vec<ModelExport> {
    let task = Task::named("brackets").expect("a task");
    let [words, length] = [task.words().len(), task.length()];
    let usual = ModelConfig::new(words, length, 30, 2, 6);
    let gpt = ModelConfig {
        causal: true,
        norm: Norm::Layer,
        final_norm: true,
        mlp: 37,
        activation: Activation::GeluTanh,
        biases: true,
        tied: true,
        ..usual
    };
    let llama = ModelConfig {
        causal: true,
        norm: Norm::Rms,
        final_norm: true,
        positions: ModelPositions::Rotary { base: 500.0 },
        kv_heads: 2,
        d_k: 7,
        mlp: 19,
        activation: Activation::Silu,
        gated: true,
        epsilon: 1e-3,
        ..usual
    };
    let bert = ModelConfig {
        norm: Norm::Layer,
        norm_place: NormPlace::After,
        final_norm: true,
        positions: ModelPositions::Sinusoidal,
        mlp: 23,
        ..usual
    };
    let alibi = ModelConfig {
        positions: ModelPositions::Alibi,
        heads: 5,
        kv_heads: 5,
        d_k: 3,
        mlp: 11,
        activation: Activation::Relu,
        residual: false,
        ..usual
    };
    [gpt, llama, bert, alibi].map(of_config).into()
}

fn check_opened(export: &ModelExport, left: &Left) {
    let what = |part: &str| format!("{}: {part}", export.name());
    let config = export.model.config();
    let words = Words::new(config, std::slice::from_ref(&export.reads)).expect("known words");
    let forward = export.model.forward(&words).expect("finite");
    let page: Vec<f32> = forward.weights().flat_map(|a| a.iter().copied()).collect();
    let found = flat(&left.0["weights"]);
    assert_eq!(found.len(), page.len(), "{}", what("weights"));
    let far = found
        .iter()
        .zip(&page)
        .map(|(one, other)| (one - f64::from(*other)).abs());
    let far = far.fold(0.0, f64::max);
    assert!(far <= OPENED, "{}", what(&format!("weights {far}")));
    let loss = (left.number("loss") - export.score.loss).abs();
    assert!(loss <= OPENED, "{}", what(&format!("loss {loss}")));
    let right = (left.number("right") - export.score.accuracy).abs();
    assert!(right < 1e-12, "{}", what(&format!("right {right}")));
    let last = format!("A[{}][{}] =", config.layers - 1, config.heads - 1);
    assert!(left.printed().contains(&last), "{}", left.printed());
}

#[test]
fn pytorch_opens_every_model_with_its_weights_and_loss() {
    let exports: Vec<_> = of_the_lab(12, 0)
        .into_iter()
        .chain(of_other_configs())
        .collect();
    let Some(left) = run("models opened", &exports, model::opening) else {
        return;
    };
    assert_eq!(left.len(), exports.len());
    for (export, left) in exports.iter().zip(&left) {
        check_opened(export, left);
    }
    interpreter::say(&format!("{} models are opened by PyTorch", left.len()));
}

/// How far the losses of the first `steps` are apart.
fn apart(export: &ModelExport, left: &Left, steps: usize) -> f64 {
    let found = flat(&left.0["losses"]);
    assert_eq!(found.len(), export.examples.len(), "{}", export.name());
    let pairs = found.iter().zip(&export.losses).take(steps);
    pairs
        .map(|(one, other)| (one - other).abs())
        .fold(0.0, f64::max)
}

#[test]
fn pytorch_trains_every_model_along_the_page_s_losses() {
    let exports = of_the_lab(STEPS, STEPS);
    let Some(left) = run("models trained", &exports, model::training) else {
        return;
    };
    assert_eq!(left.len(), exports.len());
    for (export, left) in exports.iter().zip(&left) {
        let far = apart(export, left, STEPS);
        interpreter::say(&format!(
            "{}: {far:.1e} in {STEPS} steps",
            export.training_name()
        ));
        let allowed = match export.variant {
            Some(Variant::Large | Variant::FastRate) => TRAINED_LARGE,
            _ => TRAINED,
        };
        assert!(far <= allowed, "{}: {far}", export.training_name());
    }
}

#[test]
fn pytorch_learns_the_whole_task() {
    let mut exports = exports("pronoun", None, 150, 150);
    exports.extend(self::exports("repeat", None, 400, 400));
    let Some(left) = run("models learned", &exports, model::training) else {
        return;
    };
    for (export, left) in exports.iter().zip(&left) {
        let drift = apart(export, left, usize::MAX);
        let right = left.number("right");
        interpreter::say(&format!(
            "{}: {drift:.1e} in all steps, {right} right",
            export.training_name()
        ));
        assert!(drift <= LEARNED, "{}: {drift}", export.training_name());
        assert!(right > 0.95, "{}: {right}", export.training_name());
    }
}
