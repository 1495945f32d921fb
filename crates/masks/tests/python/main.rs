//! Programs with masks, run by Python: each must leave weights that are even over the keys that the mask shows, once the scores are taken out of them.
//!
//! `PYTHON` names a Python with NumPy and JAX, `PYTORCH_PYTHON` one with PyTorch; `./dev test python` sets both. Without them programs are written and
//! not run, unless `REQUIRE_PYTHON` is set. `MASKS_PYTHON` names one with any of the other libraries, for
//! `MASKS_PYTHON=… cargo test -p masks --test python -- --ignored --nocapture`.

mod cases;

use std::fs;
use std::io::{Write as _, stderr};
use std::path::Path;
use std::process::Command;

use cases::{Case, cases, joined};
use masks::dialect::{Library, Note, program};
use serde_json::{Value, json};

/// How far weights may be from even ones; outputs may be ten times as far from weights times values.
const APART: f64 = 1e-6;

fn named(variable: &str) -> Option<String> {
    std::env::var(variable)
        .ok()
        .filter(|value| !value.is_empty())
}

/// Past the test harness, which keeps what a passing test prints to itself.
fn say(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

/// One line for each program, in one start of the interpreter.
fn run(python: &str, name: &str, tasks: &[Value]) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("masks");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.jsonl"));
    let text: String = tasks.iter().map(|task| format!("{task}\n")).collect();
    fs::write(&file, text).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/programs.py");
    let ran = Command::new(python)
        // Compiled modules would stand in the checkout.
        .arg("-B")
        .arg(script)
        .arg(file)
        .env("KERAS_BACKEND", "jax")
        .env("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
        .output()
        .unwrap_or_else(|error| panic!("{python}: {error}"));
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{errors}");
    let lines = String::from_utf8_lossy(&ran.stdout);
    let lines = lines.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

/// Programs for the libraries, in the order of libraries and cases; those without a call are left out.
fn tasks<'a>(libraries: &[Library], cases: &'a [Case]) -> Vec<(Library, &'a Case, Value)> {
    let mut tasks = Vec::new();
    for library in libraries {
        for case in cases {
            let axes = case.axes;
            let program = program(case.source(), &axes, *library).expect("a case that fits");
            assert_eq!(
                program.code.is_none(),
                program.notes.contains(&Note::NoCall)
            );
            let Some(code) = program.code else { continue };
            let task = json!({
                "library": format!("{library:?}"), "code": code,
                "batch": axes.batch, "heads": axes.heads, "n": axes.n, "m": axes.m,
            });
            tasks.push((*library, case, task));
        }
    }
    tasks
}

fn check(library: Library, case: &Case, said: &Value, code: &Value) {
    let what = || {
        format!(
            "{library}, {}\n{}",
            case.name,
            code.as_str().unwrap_or_default()
        )
    };
    assert_eq!(said.get("error"), None, "{}", what());
    let found = said["weights"].as_array().expect("weights");
    let wanted = case.even_weights();
    assert_eq!(found.len(), wanted.len(), "{}", what());
    for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        let found = found.as_f64().expect("a number");
        assert!(
            (found - wanted).abs() <= APART,
            "weight {at}: {found} for {wanted}: {}",
            what()
        );
    }
    let apart = said["apart"].as_f64().expect("a number");
    assert!(apart <= 10.0 * APART, "output by {apart}: {}", what());
}

fn run_all(python: Option<String>, name: &str, libraries: &[Library], cases: &[Case]) {
    let tasks = tasks(libraries, cases);
    let Some(python) = python else {
        return say(&format!(
            "{} PROGRAMS WITH MASKS FOR {name} WERE WRITTEN AND NOT RUN.",
            tasks.len()
        ));
    };
    let only: Vec<_> = tasks.iter().map(|(.., task)| task.clone()).collect();
    let lines = run(&python, name, &only);
    assert_eq!(lines.len(), tasks.len(), "{name} runs every program");
    for library in libraries {
        let own = tasks
            .iter()
            .zip(&lines)
            .filter(|((own, ..), _)| own == library);
        let (absent, ran): (Vec<_>, Vec<_>) =
            own.partition(|(_, said)| said.get("absent").is_some());
        for ((library, case, task), said) in &ran {
            check(*library, case, said, &task["code"]);
        }
        say(&format!(
            "{library}: {} programs with masks leave even weights; {} not run, for want of the library or of a newer one",
            ran.len(),
            absent.len()
        ));
    }
}

/// The Python with NumPy and JAX. Fails where there has to be one.
fn python() -> Option<String> {
    let python = named("PYTHON");
    assert!(
        python.is_some() || named("REQUIRE_PYTHON").is_none_or(|value| value == "0"),
        "REQUIRE_PYTHON is set, and PYTHON names none: './dev test python' does"
    );
    python
}

#[test]
fn numpy_leaves_even_weights() {
    let cases: Vec<_> = cases().into_iter().chain(joined(300)).collect();
    run_all(python(), "numpy", &[Library::NumPy], &cases);
}

/// JAX compiles for half a second for each: a third of the cases, in which is each kind of call.
#[test]
fn jax_leaves_even_weights() {
    let cases: Vec<_> = cases().into_iter().skip(1).step_by(3).collect();
    run_all(python(), "jax", &[Library::Jax], &cases);
}

#[test]
fn pytorch_leaves_even_weights() {
    let libraries = [
        Library::TorchSdpa,
        Library::TorchMultihead,
        Library::FlexAttention,
    ];
    run_all(named("PYTORCH_PYTHON"), "torch", &libraries, &cases());
}

#[test]
#[ignore = "needs MASKS_PYTHON"]
fn other_libraries_leave_even_weights() {
    let python = named("MASKS_PYTHON").expect("MASKS_PYTHON");
    let libraries = [
        Library::Jax,
        Library::Transformers,
        Library::Keras,
        Library::Onnx,
        Library::Mlx,
    ];
    run_all(Some(python), "others", &libraries, &cases());
}
