//! Python, where there is one.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, available_parallelism};

use app::export::codegen::{FILE, Program};
use ndarray::Array2;
use serde_json::Value;

/// Output of a program.
pub(crate) struct Left {
    said: Value,
    pub queries: Vec<String>,
    pub keys: Vec<String>,
    pub printed: String,
}

impl Left {
    fn new(line: &str) -> Self {
        let said: Value = serde_json::from_str(line).expect("a line of JSON");
        if let Some(error) = said.get("error") {
            panic!("{}: {error}", said["path"]);
        }
        let words = |key: &str| {
            let list = said[key].as_array().expect("a list of tokens");
            list.iter()
                .map(|word| word.as_str().expect("a token").to_owned())
                .collect()
        };
        Self {
            queries: words("queries"),
            keys: words("keys"),
            printed: said["printed"].as_str().expect("a text").to_owned(),
            said,
        }
    }

    /// `[heads, n, keys]`, row by row.
    pub(crate) fn weights(&self) -> Vec<f64> {
        flat(&self.said["weights"])
    }

    /// `[n, d_out]`.
    pub(crate) fn output(&self) -> Array2<f64> {
        let values = flat(&self.said["output"]);
        let rows = self.said["output"].as_array().map_or(0, Vec::len);
        Array2::from_shape_vec((rows, values.len() / rows.max(1)), values)
            .expect("rows of one length")
    }
}

pub(crate) fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(flat).collect(),
        number => vec![number.as_f64().expect("a number")],
    }
}

/// A Python that has what programs need.
pub(crate) struct Interpreter(String);

impl Interpreter {
    /// Runs programs in as many processes as there are cores, and returns what each program left, in their order.
    pub(crate) fn run(&self, paths: &[PathBuf]) -> Vec<Left> {
        let processes = available_parallelism().map_or(1, usize::from);
        let shares = paths.chunks(paths.len().div_ceil(processes).max(1));
        let lines: Vec<Vec<String>> = thread::scope(|scope| {
            let running: Vec<_> = shares
                .map(|share| scope.spawn(|| self.lines("run.py", share)))
                .collect();
            let ended = running.into_iter().map(|one| one.join());
            ended.map(|lines| lines.expect("it ran")).collect()
        });
        lines.iter().flatten().map(|line| Left::new(line)).collect()
    }

    /// The lines that a script of this folder says about files.
    pub(crate) fn lines(&self, script: &str, paths: &[PathBuf]) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python");
        let script = folder.join(script);
        let ran = Command::new(&self.0)
            // Compiled modules would stand in the checkout.
            .arg("-B")
            .arg(script)
            .args(paths)
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.0));
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        String::from_utf8_lossy(&ran.stdout)
            .lines()
            .map(str::to_owned)
            .collect()
    }
}

/// The Python with NumPy and JAX. Fails where there has to be one.
pub(crate) fn python() -> Option<Interpreter> {
    let python = named("PYTHON");
    assert!(
        python.is_some() || named("REQUIRE_PYTHON").is_none_or(|value| value == "0"),
        "REQUIRE_PYTHON is set, and PYTHON names none: './dev test python' does"
    );
    python.map(Interpreter)
}

/// The Python with PyTorch, which not every system can have.
pub(crate) fn pytorch() -> Option<Interpreter> {
    named("PYTORCH_PYTHON").map(Interpreter)
}

fn named(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A folder for the programs of a library.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("python")
        .join(name)
}

/// Writes a program, and what it reads beside it, into a folder of its own.
pub(crate) fn write(folder: &Path, program: &Program) -> PathBuf {
    fs::create_dir_all(folder).expect("a folder");
    let path = folder.join("attention.py");
    fs::write(&path, program.text()).expect("a file");
    if let Some(numbers) = program.npz() {
        fs::write(folder.join(FILE), numbers).expect("a file");
    }
    path
}

/// Past the test harness, which keeps what a passing test prints to itself.
pub(crate) fn say(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}
