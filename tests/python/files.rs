//! Files written here are read by NumPy, by the safetensors library, and by Python's own readers.

use std::fs;

use formats::{Kind, Labels, Tensor, write};
use serde_json::{Value, json};

use crate::interpreter;

fn tensor(name: &str, shape: &[usize]) -> Tensor {
    let count = shape.iter().product::<usize>();
    // Any bits that are a finite number, both zeros and what is nearly zero among them.
    let bits = |at: usize| (at as u32).wrapping_mul(2_654_435_761) & 0xbf7f_ffff;
    let data = (0..count).map(|at| f32::from_bits(bits(at)));
    Tensor::new(name, shape.to_vec(), data.collect())
}

/// As `read.py` says it.
fn said(tensor: &Tensor) -> Value {
    let bits = tensor.data.iter().flat_map(|value| value.to_le_bytes());
    let bits: String = bits.map(|byte| format!("{byte:02x}")).collect();
    json!({ "name": tensor.name, "shape": tensor.shape, "bits": bits })
}

fn labelled() -> Tensor {
    let labels = |names: &[&str]| Labels {
        title: "query".to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    };
    Tensor {
        labels: vec![labels(&["the", "=1"]), labels(&["1", "a, \"b\"", ""])],
        ..tensor("t", &[2, 3])
    }
}

#[test]
fn python_reads_every_file_that_is_written() {
    let shapes: [&[usize]; 8] = [
        &[],
        &[1],
        &[7],
        &[0],
        &[3, 5],
        &[0, 5],
        &[2, 3, 5],
        &[2, 1, 3, 7],
    ];
    let folder = interpreter::folder("files");
    let (mut paths, mut wanted) = (Vec::new(), Vec::new());
    let mut add = |kind: Kind, number: usize, tensors: &[Tensor]| {
        let folder = folder.join(number.to_string());
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(format!("t.{}", kind.extension()));
        fs::write(&path, write(kind, tensors)).expect("a file");
        paths.push(path);
        wanted.push(tensors.iter().map(said).collect::<Vec<_>>());
    };
    for kind in Kind::ALL {
        for (number, shape) in shapes.iter().enumerate() {
            add(kind, number, &[tensor("t", shape)]);
        }
        if kind.holds_many() {
            let named = |(at, shape): (usize, &&[usize])| tensor(&format!("t{at} 词"), shape);
            let all: Vec<_> = shapes.iter().enumerate().map(named).collect();
            add(kind, shapes.len(), &all);
        }
    }
    add(Kind::Csv, shapes.len(), &[labelled()]);
    let Some(interpreter) = interpreter::python() else {
        return interpreter::say("FILES OF TENSORS WERE WRITTEN AND NOT READ BY PYTHON.");
    };
    let lines = interpreter.lines("read.py", &paths);
    assert_eq!(lines.len(), paths.len());
    for ((line, wanted), path) in lines.iter().zip(wanted).zip(&paths) {
        let mut found: Vec<Value> = serde_json::from_str(line).expect("a line of JSON");
        for tensor in &mut found {
            let dtype = tensor
                .as_object_mut()
                .and_then(|tensor| tensor.remove("dtype"));
            assert_eq!(dtype, Some(json!("float32")), "{}", path.display());
        }
        assert_eq!(found, wanted, "{}", path.display());
    }
}
