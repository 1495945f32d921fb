//! Arrays as libraries print them. `samples/prints.py` and `samples/prints.R` printed the files;
//! the texts here were printed by NumPy 2.4.6, PyTorch 2.15.0, JAX 0.10.2, MLX 0.32.4, TensorFlow
//! 2.21.0, pandas 3.1.1 and R 4.2.2.

use std::fs;
use std::path::Path;

use formats::{Contents, FormatRule, Limits, Source, Tensor, open, read};

#[track_caller]
fn opened(text: &str) -> Contents {
    let contents = open("t.txt", text.as_bytes(), &Limits::default());
    contents.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn one(text: &str) -> Tensor {
    let mut tensors = opened(text).tensors;
    assert_eq!(tensors.len(), 1, "{text}");
    tensors.remove(0)
}

#[track_caller]
fn reads(text: &str, shape: &[usize], data: &[f32]) {
    let tensor = one(text);
    assert_eq!(
        (&tensor.shape[..], &tensor.data[..]),
        (shape, data),
        "{text}"
    );
}

fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/samples");
    fs::read_to_string(folder.join(name)).expect("it is kept")
}

fn names(tensor: &Tensor, axis: usize) -> Vec<&str> {
    let labels = tensor.labels.get(axis);
    labels.map_or(Vec::new(), |labels| {
        labels.names.iter().map(String::as_str).collect()
    })
}

const MAP: &[f32] = &[0.7, 0.3, 0.4, 0.6];

#[test]
fn a_matrix_is_read_as_each_library_prints_it() {
    for text in [
        // NumPy: print, repr, and repr of another class.
        "[[0.7 0.3]\n [0.4 0.6]]",
        "array([[0.7, 0.3],\n       [0.4, 0.6]], dtype=float32)",
        "matrix([[0.7, 0.3],\n        [0.4, 0.6]], dtype=float32)",
        "[[ 0.7  0.3]\n [ 0.4  0.6]]",
        "[[np.float32(0.7), np.float32(0.3)], [np.float32(0.4), np.float32(0.6)]]",
        "masked_array(\n  data=[[0.7, 0.3],\n        [0.4, 0.6]],\n  mask=False,\n  fill_value=1e+20,\n  dtype=float32)",
        // PyTorch, with whatever options.
        "tensor([[0.7000, 0.3000],\n        [0.4000, 0.6000]])",
        "tensor([[0.7000, 0.3000],\n        [0.4000, 0.6000]], device='cuda:0', dtype=torch.float64,\n       grad_fn=<SoftmaxBackward0>)",
        "Parameter containing:\ntensor([[0.7000, 0.3000],\n        [0.4000, 0.6000]], requires_grad=True)",
        "tensor(1.00000e-03 *\n       [[700.0000, 300.0000],\n        [400.0000, 600.0000]])",
        // JAX and MLX.
        "Array([[0.7, 0.3],\n       [0.4, 0.6]], dtype=float32)",
        "array([[0.7, 0.3],\n       [0.4, 0.6]], dtype=float32)",
        // TensorFlow: print, repr, and a variable.
        "tf.Tensor(\n[[0.7 0.3]\n [0.4 0.6]], shape=(2, 2), dtype=float32)",
        "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[0.7, 0.3],\n       [0.4, 0.6]], dtype=float32)>",
        "<tf.Variable 'Variable:0' shape=(2, 2) dtype=float32, numpy=\narray([[0.7, 0.3],\n       [0.4, 0.6]], dtype=float32)>",
        // Python, typed or printed.
        "[[0.7, 0.3],\n [0.4, 0.6],]",
        "((0.7, 0.3), (0.4, 0.6))",
        "[(.7, .3), (.4, .6)]",
        "w = np.array([[0.7, 0.3], [0.4, 0.6]], np.float32)",
        ">>> w\narray([[0.7, 0.3],\n       [0.4, 0.6]])",
        "In [2]: w\nOut[2]: \ntensor([[0.7000, 0.3000],\n        [0.4000, 0.6000]])",
        "Out[2]: \narray([[0.7, 0.3],\n       [0.4, 0.6]])",
        // R.
        "     [,1] [,2]\n[1,]  0.7  0.3\n[2,]  0.4  0.6",
        "     [,1] [,2]\n[1,]  0,7  0,3\n[2,]  0,4  0,6",
    ] {
        reads(text, &[2, 2], MAP);
        reads(&format!("\n{text}\n\n"), &[2, 2], MAP);
    }
}

#[test]
fn numbers_are_read_in_every_way_that_they_are_printed() {
    let small = &[7e-7, 3e-7, 4e-7, 6e-7];
    for text in [
        "[[7.e-07 3.e-07]\n [4.e-07 6.e-07]]",
        "tensor([[7.0000e-07, 3.0000e-07],\n        [4.0000e-07, 6.0000e-07]])",
        "array([[7e-07, 3e-07],\n       [4e-07, 6e-07]], dtype=float32)",
        "      [,1]  [,2]\n[1,] 7e-07 3e-07\n[2,] 4e-07 6e-07",
    ] {
        reads(text, &[2, 2], small);
    }
    let truth = &[1.0, 0.0, 0.0, 1.0];
    for text in [
        "[[ True False]\n [False  True]]",
        "tensor([[ True, False],\n        [False,  True]])",
        "[[np.True_, np.False_], [np.False_, np.True_]]",
        "      [,1]  [,2]\n[1,]  TRUE FALSE\n[2,] FALSE  TRUE",
    ] {
        reads(text, &[2, 2], truth);
    }
    reads(
        "array([[0, 1],\n       [2, -3]])",
        &[2, 2],
        &[0.0, 1.0, 2.0, -3.0],
    );
    reads("tensor([0.7000, 0.3000])", &[2], &[0.7, 0.3]);
    reads("[0.7 0.3]", &[2], &[0.7, 0.3]);
    reads("[1] 0.7 0.3", &[2], &[0.7, 0.3]);
}

#[test]
fn long_rows_and_slices_are_read_as_they_are_printed() {
    let value = |at: usize| (at % 7) as f32 + at as f32 / 64.0;
    let deep: Vec<f32> = (0..24).map(|at| at as f32 / 4.0).collect();
    for name in [
        "numpy-wrapped",
        "numpy-wrapped-repr",
        "torch-wrapped",
        "r-wrapped",
        "r-names",
    ] {
        let tensor = one(&sample(&format!("{name}.txt")));
        assert_eq!(tensor.shape, [2, 24], "{name}");
        // PyTorch prints four decimals, R seven digits.
        let digits = if name == "torch-wrapped" {
            0.51e-4
        } else {
            1e-6
        };
        for (at, own) in tensor.data.iter().enumerate() {
            assert!((own - value(at)).abs() <= digits, "{name} {at}: {own}");
        }
    }
    for name in [
        "numpy-deep",
        "torch-deep",
        "tensorflow-deep",
        "tensorflow-deep-repr",
        "r-deep",
    ] {
        let tensor = one(&sample(&format!("{name}.txt")));
        assert_eq!(
            (tensor.shape, tensor.data),
            (vec![2, 3, 4], deep.clone()),
            "{name}"
        );
    }
    let named = one(&sample("r-names.txt"));
    assert_eq!(names(&named, 0), ["the cat", "sat"]);
    let columns = names(&named, 1);
    assert_eq!((columns.len(), columns[0], columns[23]), (24, "w1", "w24"));
    let pandas = one(&sample("pandas-wrapped.txt"));
    assert_eq!(pandas.shape, [2, 12]);
    assert_eq!(names(&pandas, 0), ["the cat", "sat"]);
    assert_eq!(names(&pandas, 1)[11], "11");
    assert_eq!(pandas.data[23], value(24 + 11));
    // R counts the first of the axes behind the matrix fastest: [1, 2] stands before [2, 1].
    let four = one(&sample("r-four.txt"));
    assert_eq!(four.shape, [2, 2, 2, 2]);
    assert_eq!(four.data[..8], [0.25, 0.75, 0.5, 1.0, 1.25, 1.75, 1.5, 2.0]);
    // MLX prints slices without a blank line and whole numbers without a point.
    let mlx = "array([[[0, 0.25],\n        [1, 1.25]],\n       [[2, 2.25],\n        [3, 3.25]]], dtype=float32)";
    reads(
        mlx,
        &[2, 2, 2],
        &[0.0, 0.25, 1.0, 1.25, 2.0, 2.25, 3.0, 3.25],
    );
}

#[test]
fn rows_and_columns_keep_the_names_that_are_printed() {
    let the: &[&str] = &["the", "cat"];
    for text in [
        "     the  cat\nthe  0.7  0.3\ncat  0.4  0.6",
        "    the cat\nthe 0.7 0.3\ncat 0.4 0.6",
        "\"the\" \"cat\"\n\"the\" 0.7 0.3\n\"cat\" 0.4 0.6",
        "\"the\"\t\"cat\"\n\"the\"\t0,7\t0,3\n\"cat\"\t0,4\t0,6",
        "\"\";\"the\";\"cat\"\n\"the\";0,7;0,3\n\"cat\";0,4;0,6",
        "k    the  cat\nq            \nthe  0.7  0.3\ncat  0.4  0.6",
        "     k\nq     the cat\n  the 0.7 0.3\n  cat 0.4 0.6",
        "     the  cat\nthe  0.7  0.3\ncat  0.4  0.6\n\n[2 rows x 2 columns]",
    ] {
        reads(text, &[2, 2], MAP);
        let tensor = one(text);
        assert_eq!(
            (names(&tensor, 0), names(&tensor, 1)),
            (the.to_vec(), the.to_vec()),
            "{text}"
        );
    }
    let spaced = one("         a b    c\nthe cat  0.7  0.3\nsat      0.4  0.6");
    assert_eq!(
        (names(&spaced, 0), names(&spaced, 1)),
        (vec!["the cat", "sat"], vec!["a b", "c"])
    );
    let counted = one("     0    1\n0  0.7  0.3\n1  0.4  0.6");
    assert_eq!(
        (counted.shape.clone(), names(&counted, 1)),
        (vec![2, 2], vec!["0", "1"])
    );
    let heads = one(
        ", , h1\n\n     c    d\na 0.25 0.75\nb 0.50 0.50\n\n, , h2\n\n     c    d\na 1.00 0.00\nb 0.75 0.25\n\n",
    );
    assert_eq!(heads.shape, [2, 2, 2]);
    assert_eq!(
        (names(&heads, 0), names(&heads, 1), names(&heads, 2)),
        (vec!["h1", "h2"], vec!["a", "b"], vec!["c", "d"])
    );
}

/// A query that sees no key.
#[test]
fn a_row_of_nan_is_kept_as_it_is_printed() {
    for text in [
        "[[nan nan]\n [0.4 0.6]]",
        "tensor([[   nan,    nan],\n        [0.4000, 0.6000]])",
        "     [,1] [,2]\n[1,]  NaN   NA\n[2,]  0.4  0.6",
        "     the  cat\nthe  NaN  NaN\ncat  0.4  0.6",
    ] {
        let data = one(text).data;
        assert!(data[0].is_nan() && data[1].is_nan(), "{text}");
        assert_eq!(data[2..], MAP[2..]);
    }
}

#[test]
fn several_arrays_keep_their_names() {
    let q = "tensor([[0.7000, 0.3000],\n        [0.4000, 0.6000]])";
    for text in [
        format!("q = {q}\nk = {q}"),
        format!("q: {q}\n\nk: {q}\n"),
        format!("{{'q': {q}, 'k': {q}}}"),
        format!("OrderedDict([('q', {q}), ('k', {q})])"),
        format!("OrderedDict({{'q': {q}, 'k': {q}}})"),
    ] {
        let tensors = opened(&text).tensors;
        let found: Vec<_> = tensors
            .iter()
            .map(|own| (own.name.as_str(), &own.data[..]))
            .collect();
        assert_eq!(found, [("q", MAP), ("k", MAP)], "{text}");
    }
    let unnamed = opened(&format!("{q}\n{q}")).tensors;
    assert_eq!(unnamed[0].name, "t");
    assert_eq!(unnamed[1].name, "t_2");
    // A list of arrays is an array of one axis more.
    let list = one(&format!("({q}, {q})"));
    assert_eq!((list.shape, list.data.len()), (vec![2, 2, 2], 8));
    let named = opened(&format!(
        "{{'attn': {q}, 'tokens': ['the', 'cat'], 'model': 'bert'}}"
    ));
    assert_eq!(names(&named.tensors[0], 1), ["the", "cat"]);
    assert_eq!(named.skipped, ["model"]);
}

#[test]
fn a_print_that_leaves_numbers_out_is_refused_as_that() {
    for name in ["numpy-cut", "torch-cut", "pandas-cut", "r-cut"] {
        let text = sample(&format!("{name}.txt"));
        let error = read("t.txt", text.as_bytes(), &Limits::default()).expect_err(name);
        assert_eq!(error.rule, FormatRule::Elided, "{name}");
    }
    let cut = "array([[0, 0, ..., 0],\n       ...,\n       [0, 0, ..., 0]], dtype=float32)";
    let error = read("t", cut.as_bytes(), &Limits::default()).expect_err("MLX leaves out too");
    assert_eq!(error.rule, FormatRule::Elided);
}

#[test]
fn what_is_no_number_in_a_print_is_refused_where_it_is() {
    for (text, rule, value) in [
        ("[[nan  1.]\n [0.  0.]]", FormatRule::NotFinite, "NaN"),
        ("tensor([[0.7000, inf]])", FormatRule::NotFinite, "inf"),
        (
            "     [,1] [,2]\n[1,]   NA  0.3",
            FormatRule::NotFinite,
            "NaN",
        ),
        ("[[-- 0.3]\n [0.4 0.6]]", FormatRule::NotNumber, "--"),
        ("[[1.+2.j 0.+0.j]]", FormatRule::NotNumber, "1.+2.j"),
        ("[[0.7 0.3]\n [0.4]]", FormatRule::Ragged(2), "1"),
        ("[[0.7 0.3]\n 0.4]", FormatRule::Uneven, ""),
        ("[[0.7,, 0.3 0.1]]", FormatRule::Malformed, ", 0.3 0.1]]"),
        ("[[0.7 0.3]", FormatRule::Malformed, ""),
        ("tensor([[0.7000, 0.3000]]", FormatRule::Truncated, ""),
        ("[[0.7 0.3]] and more", FormatRule::Trailing, "and more"),
        (
            "     [,1] [,2]\n[1,]  0.7  0.3\n[2,]  0.4",
            FormatRule::Ragged(2),
            "[2,]  0.4",
        ),
    ] {
        let error = read("t", text.as_bytes(), &Limits::default()).expect_err(text);
        assert_eq!((error.rule, error.value.as_str()), (rule, value), "{text}");
    }
}

#[test]
fn what_only_looks_like_a_print_is_what_it_was() {
    let tensor = one("[CLS],the\n0.7,0.3\n0.4,0.6\n");
    assert_eq!(
        (tensor.data.as_slice(), names(&tensor, 1)),
        (MAP, vec!["[CLS]", "the"])
    );
    for (text, source) in [
        ("[[0.7, 0.3], [0.4, 0.6]]", Source::Json),
        ("{\"q\": [[0.7, 0.3], [0.4, 0.6]]}", Source::Json),
        (" 0.7 0.3\n-0.4 0.6\n", Source::Table),
        ("0.7\t0.3\n0.4\t0.6\n", Source::Table),
        ("a b\n0.7 0.3\n0.4 0.6\n", Source::Table),
        ("the,f(x)[0]\n0.7,0.3\n0.4,0.6\n", Source::Table),
    ] {
        let contents = opened(text);
        assert_eq!(
            (contents.source, &contents.tensors[0].shape[..]),
            (source, &[2, 2][..]),
            "{text}"
        );
    }
}
