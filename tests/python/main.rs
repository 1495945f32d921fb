//! Exported programs, run by Python: NumPy, PyTorch and JAX must find what the page finds.
//!
//! `./dev test python` says which Python it is. A plain `cargo test` without one writes the programs, and says that they
//! were not run.

mod cases;
mod files;
mod interpreter;
mod measures;
mod models;

#[path = "../common/mod.rs"]
mod common;

use app::export::codegen::{Program, program};
use app::i18n::Language;
use app::state::{Library, request_builder};
use attention::{Outputs, Request, reference};
use cases::{Case, cases};
use common::compare::{assert_close, largest};
use common::place::Place;
use interpreter::{Interpreter, Left};
use ndarray::{Array3, Axis};

/// How far a program's weights may be from the 64-bit reference and from the page's own 32-bit run.
const WEIGHTS: f64 = 1e-5;
/// The same for the output, relative to its largest number.
const OUTPUT: f64 = 1e-4;

fn written(case: &Case, library: Library) -> (Request, Program) {
    let request = request_builder::request(&case.state).expect("a state through the door");
    let language = if case.name.len().is_multiple_of(2) {
        Language::En
    } else {
        Language::Zh
    };
    let program = program(&case.state, &request, library, language).expect("there are tokens");
    (request, program)
}

fn check(case: &Case, request: &Request, left: &Left, library: &str) {
    let what = |part: &str| format!("{library}, {}: {part}", case.name);
    let truth = reference::compute(request);
    let weights = truth.weights.expect("always").index_axis_move(Axis(0), 0);
    let output = truth.output.expect("always").index_axis_move(Axis(0), 0);
    let everything =
        request_builder::request_for(&case.state, Outputs::ALL).expect("a state through the door");
    let run = Place::Cpu.compute(&everything).trace;
    let run_weights = run.weights.expect("wanted").index_axis_move(Axis(0), 0);
    let run_output = run.output.expect("wanted").index_axis_move(Axis(0), 0);
    let found = Array3::from_shape_vec(weights.raw_dim(), left.weights())
        .unwrap_or_else(|error| panic!("{}: {error}", what("weights")));
    assert_close(&what("weights"), &found, &weights, WEIGHTS);
    assert_close(
        &what("weights of the run"),
        &found,
        &run_weights.mapv(f64::from),
        WEIGHTS,
    );
    let tolerance = OUTPUT * largest(&output);
    assert_close(&what("output"), &left.output(), &output, tolerance);
    assert_close(
        &what("output of the run"),
        &left.output(),
        &run_output.mapv(f64::from),
        tolerance,
    );
    let sides = request_builder::tokens(&case.state);
    assert_eq!(left.queries, sides.queries.words, "{}", what("queries"));
    assert_eq!(left.keys, sides.keys().words, "{}", what("keys"));
    let head = case.state.head;
    assert!(
        left.printed.contains(&format!("A[{head}] =\n")) && left.printed.contains("\nO =\n"),
        "{}",
        what(&left.printed)
    );
}

fn run_all(library: Library, interpreter: Option<Interpreter>) {
    let name = library.name();
    let cases = cases();
    let folder = interpreter::folder(name);
    let mut paths = Vec::new();
    let mut requests = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let (request, program) = written(case, library);
        let folder = folder.join(number.to_string());
        paths.push(interpreter::write(&folder, &program));
        requests.push(request);
    }
    let Some(interpreter) = interpreter else {
        return interpreter::say(&format!(
            "{} PROGRAMS FOR {name} WERE WRITTEN AND NOT RUN.",
            cases.len()
        ));
    };
    let left = interpreter.run(&paths);
    assert_eq!(left.len(), cases.len(), "{name} runs every program");
    for ((case, request), left) in cases.iter().zip(&requests).zip(&left) {
        check(case, request, left, name);
    }
    interpreter::say(&format!(
        "{} programs for {name} find what the page finds",
        cases.len()
    ));
}

#[test]
fn numpy_finds_the_same_numbers() {
    run_all(Library::NumPy, interpreter::python());
}

#[test]
fn jax_finds_the_same_numbers() {
    run_all(Library::Jax, interpreter::python());
}

#[test]
fn pytorch_finds_the_same_numbers() {
    run_all(Library::PyTorch, interpreter::pytorch());
}
