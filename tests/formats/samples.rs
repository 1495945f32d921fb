//! Files that NumPy and safetensors wrote; `samples/make.py` made them.

use std::fs;
use std::path::Path;

use formats::{FormatError, FormatRule, Limits, Tensor, read};

use super::element;

fn opened(file: &str) -> Result<Vec<Tensor>, FormatError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/samples");
    let bytes = fs::read(folder.join(file)).expect("it is kept");
    read(file, &bytes, &Limits::default())
}

fn one(file: &str) -> Tensor {
    let mut tensors = opened(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(tensors.len(), 1, "{file}");
    tensors.remove(0)
}

const HALVES: [f32; 6] = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5];
const WHOLE: [f32; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
const ODD: [f32; 6] = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0];

fn deep() -> Tensor {
    let data = (0..24).map(|at| at as f32 / 4.0).collect();
    Tensor::new("deep", vec![2, 3, 4], data)
}

#[test]
fn every_type_of_numpy_is_read() {
    let halves = ["f2", "f4", "f8", "fortran", "version-2", "version-3"];
    let whole = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"];
    let kinds = [(&halves[..], HALVES), (&whole, WHOLE), (&["bool"], ODD)];
    for (names, data) in kinds {
        for name in names {
            let tensor = one(&format!("{name}.npy"));
            assert_eq!(tensor, Tensor::new(*name, vec![2, 3], data.to_vec()));
        }
    }
    assert_eq!(one("negative.npy").data, [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0]);
}

#[test]
fn shapes_and_orders_of_numpy_are_read() {
    assert_eq!(one("deep.npy"), deep());
    let fortran = one("fortran-deep.npy");
    assert_eq!((fortran.shape, fortran.data), (deep().shape, deep().data));
    assert_eq!(one("number.npy"), Tensor::new("number", vec![], vec![1.5]));
    assert_eq!(
        one("nothing.npy"),
        Tensor::new("nothing", vec![0, 3], vec![])
    );
}

#[test]
fn what_is_no_number_of_ours_is_refused_by_its_type() {
    let refused = |file: &str| opened(file).expect_err(file);
    for (file, value) in [
        ("f2-big.npy", ">f2"),
        ("f4-big.npy", ">f4"),
        ("f8-big.npy", ">f8"),
        ("i4-big.npy", ">i4"),
    ] {
        let error = refused(file);
        assert_eq!(
            (error.rule, error.value.as_str()),
            (FormatRule::BigEndian, value),
            "{file}"
        );
    }
    for (file, value) in [
        ("object.npy", "|O"),
        ("structured.npy", "structured"),
        ("complex.npy", "<c8"),
        ("text.npy", "<U1"),
        ("long.npy", "<f16"),
        ("date.npy", "<M8[D]"),
    ] {
        let error = refused(file);
        assert_eq!(
            (error.rule, error.value.as_str()),
            (FormatRule::Dtype, value),
            "{file}"
        );
    }
    let complex = refused("complex.safetensors");
    assert_eq!(
        (complex.rule, complex.place),
        (FormatRule::Dtype, "complex".into())
    );
}

#[test]
fn what_is_not_finite_is_refused_by_name_and_place() {
    let refused = |file: &str| opened(file).expect_err(file);
    let places = [
        ("nan.npy", element("nan", &[1, 0]), FormatRule::NotFinite),
        ("nan.json", element("nan", &[0, 1]), FormatRule::NotFinite),
        (
            "beyond.npy",
            element("beyond", &[0]),
            FormatRule::BeyondRange,
        ),
    ];
    for (file, place, rule) in places {
        let error = refused(file);
        assert_eq!((&error.place, error.rule), (&place, rule), "{file}");
    }
}

#[test]
fn archives_of_numpy_are_read_stored_deflated_and_piped() {
    let halves = Tensor::new("q", vec![2, 3], HALVES.to_vec());
    let stored = opened("stored.npz").expect("np.savez wrote it");
    assert_eq!(
        stored,
        [halves.clone(), Tensor::new("k", vec![2, 3], WHOLE.to_vec())]
    );
    let compressed = opened("compressed.npz").expect("np.savez_compressed wrote it");
    let zeros = Tensor::new("zeros", vec![64, 64], vec![0.0; 4096]);
    assert_eq!(compressed, [halves.clone(), zeros]);
    assert_eq!(
        opened("piped.npz").expect("with sizes behind the data"),
        [halves]
    );
    let climbing = opened("climbing.npz").expect_err("it points out of the archive");
    assert_eq!(
        (climbing.rule, climbing.place),
        (FormatRule::UnsafeName, "../q.npy".into())
    );
}

#[test]
fn every_type_of_safetensors_is_read() {
    let tensors = opened("types.safetensors").expect("the library wrote it");
    let named = |name: &str| {
        let found = tensors.iter().find(|tensor| tensor.name == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(tensors.len(), 9);
    for name in ["half", "brain", "single", "double"] {
        assert_eq!(
            (&named(name).shape[..], &named(name).data[..]),
            (&[2, 3][..], &HALVES[..])
        );
    }
    assert_eq!(named("whole").data, WHOLE);
    assert_eq!(named("byte").data, WHOLE);
    assert_eq!(named("bool").data, ODD);
    assert_eq!(
        *named("nothing"),
        Tensor::new("nothing", vec![0, 3], vec![])
    );
    assert_eq!(*named("number"), Tensor::new("number", vec![], vec![1.5]));
}

#[test]
fn texts_of_python_are_read() {
    for name in ["spaces", "commas"] {
        let table = one(&format!("{name}.csv"));
        assert_eq!(table, Tensor::new(name, vec![2, 3], HALVES.to_vec()));
    }
    let nested = one("nested.json");
    assert_eq!((nested.shape, nested.data), (deep().shape, deep().data));
    let named = opened("named.json").expect("json.dump wrote it");
    let tensors = [("q", HALVES), ("k", WHOLE)];
    assert_eq!(
        named,
        tensors.map(|(name, data)| Tensor::new(name, vec![2, 3], data.to_vec()))
    );
}
