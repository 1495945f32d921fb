//! Files through the whole import: bytes to tensors to imported data, or an error and nothing else.

use app::i18n::Language;
use app::import::{
    AxisTransform, ImportResult, Role, TensorAssignment, Why, begins_setting, open, part,
    read_setting, refusal, write_setting,
};
use app::state::imported::{AxisLabels, ImportedData, ImportedKind, ImportedTensors, Refusal};
use app::state::{Action, Field, State, Value, reduce, request_builder, url};
use formats::{self, Kind as Format, Labels, Limits, Tensor};
use ndarray::Array3;
use proptest::prelude::*;

fn tensor(name: &str, shape: &[usize]) -> Tensor {
    let count = shape.iter().product::<usize>();
    let data = (0..count).map(|at| ((at * 37 % 101) as f32 - 50.0) / 64.0);
    Tensor::new(name, shape.to_vec(), data.collect())
}

fn weights(name: &str, shape: &[usize]) -> Tensor {
    let mut made = tensor(name, shape);
    let columns = shape[shape.len() - 1];
    for row in made.data.chunks_exact_mut(columns) {
        row.iter_mut()
            .for_each(|weight| *weight = weight.abs() + 0.1);
        let sum: f32 = row.iter().sum();
        row.iter_mut().for_each(|weight| *weight /= sum);
    }
    made
}

fn guessed(tensors: &[Tensor]) -> Result<ImportResult, Refusal> {
    open(tensors, &TensorAssignment::guess(tensors), "file")
}

fn opened(tensors: &[Tensor]) -> (ImportedTensors, Vec<(Role, Vec<AxisTransform>)>) {
    let opened = guessed(tensors).expect("it can be read");
    let parts = opened.parts.into_iter().map(|part| (part.role, part.how));
    (opened.imported.contents().clone(), parts.collect())
}

#[test]
fn finished_weights_are_known_by_name_or_by_their_sums() {
    for (name, shape) in [
        ("attention", &[3, 5, 7][..]),
        ("arr_0", &[3, 5, 7]),
        ("attn", &[1, 3, 5, 7]),
    ] {
        let (contents, parts) = opened(&[weights(name, shape)]);
        assert!(
            matches!(contents, ImportedTensors::Matrix(ref weights) if weights.dim() == (3, 5, 7))
        );
        let batch = if shape.len() == 4 {
            vec![AxisTransform::Batch]
        } else {
            vec![]
        };
        assert_eq!(parts, [(Role::Weights, batch)]);
    }
    let (contents, _) = opened(&[weights("arr_0", &[5, 7])]);
    assert!(matches!(contents, ImportedTensors::Matrix(ref weights) if weights.dim() == (1, 5, 7)));
}

#[test]
fn a_stack_of_layers_is_shown_one_by_one() {
    for shape in [&[6, 3, 5, 7][..], &[6, 1, 3, 5, 7], &[2, 3, 3, 5, 7]] {
        let stack = [weights("attn", shape)];
        let mut reading = TensorAssignment::guess(&stack);
        assert_eq!(
            (reading.kind, reading.entries(&stack)),
            (ImportedKind::Matrix, 6)
        );
        // A number beyond the last layer is the last.
        for (entry, at) in [(0, 0), (4, 4), (6, 5)] {
            reading.entry = entry;
            let opened = open(&stack, &reading, "file").expect("a layer");
            let ImportedTensors::Matrix(layer) = opened.imported.contents() else {
                panic!("{shape:?} are weights")
            };
            assert_eq!(layer.dim(), (3, 5, 7));
            let own = &stack[0].data[at * 105..][..105];
            assert_eq!(layer.iter().copied().collect::<Vec<_>>(), own);
            assert_eq!(opened.parts[0].how, [AxisTransform::Entry { at, of: 6 }]);
        }
    }
}

#[test]
fn queries_keys_and_values_are_those_of_one_text_of_a_batch() {
    let batch = ["q", "k", "v"].map(|name| tensor(name, &[3, 2, 5, 4]));
    let mut reading = TensorAssignment::guess(&batch);
    assert_eq!(
        (reading.kind, reading.entries(&batch)),
        (ImportedKind::Heads, 3)
    );
    reading.entry = 1;
    let opened = open(&batch, &reading, "file").expect("the second text");
    let ImportedTensors::Heads { v, .. } = opened.imported.contents() else {
        panic!("heads")
    };
    assert_eq!(v.iter().copied().collect::<Vec<_>>(), batch[2].data[40..80]);
    // Without entries there is nothing to choose.
    assert_eq!(reading.entries(&[tensor("q", &[0, 2, 5, 4])]), 0);
}

#[test]
fn a_batch_of_weights_is_refused_in_words() {
    let layer = ["w_q", "w_k", "w_v"].map(|name| tensor(name, &[6, 2, 8, 8]));
    let refused = guessed(&layer).expect_err("six layers");
    assert!(matches!(refused, Refusal::Batch { entries: 6, .. }));
    let said = refusal(Language::En, &refused);
    assert!(
        said.contains("a batch of 6") && said.contains("array[0]"),
        "{said}"
    );
}

#[test]
fn a_refusal_names_the_tensor_of_the_file_and_its_axis_in_words() {
    let said = |language, tensors: &[Tensor], reading: &TensorAssignment| {
        let refused = open(tensors, reading, "file").expect_err("it does not fit");
        refusal(language, &refused)
    };
    let long = [weights("big2048", &[1, 2048, 3])];
    let reading = TensorAssignment::guess(&long);
    assert_eq!(
        said(Language::En, &long, &reading),
        "“big2048” has length 2048 along the queries axis; this page shows at most 1024."
    );
    assert_eq!(
        said(Language::Zh, &long, &reading),
        "“big2048”沿“查询”轴的长度是 2048，本页最多显示 1024。"
    );
    let apart = [
        tensor("my_queries", &[2, 5, 4]),
        tensor("my_keys", &[2, 6, 4]),
        tensor("my_values", &[2, 7, 4]),
    ];
    let reading = TensorAssignment::guess(&apart).turned_to(ImportedKind::Heads, &apart);
    assert_eq!(
        said(Language::En, &apart, &reading),
        "“my_values” has the shape [2, 7, 4]; to fit the others it must be [2, 6, 4] (key/value heads × keys × d_v)."
    );
    // Three in one have no names of their own.
    let mut fused = [tensor("attn.in_proj_weight", &[12, 36])];
    fused[0].data[40] = f32::NAN;
    let reading = TensorAssignment::guess(&fused);
    let said = said(Language::En, &fused, &reading);
    assert!(
        said.starts_with("“attn.in_proj_weight” has a value at"),
        "{said}"
    );
}

#[test]
fn queries_keys_and_values_in_every_usual_shape() {
    type Case = ([&'static [usize]; 3], [usize; 3], Vec<AxisTransform>);
    let shapes: [Case; 4] = [
        ([&[6, 5, 4], &[2, 7, 4], &[2, 7, 3]], [6, 2, 3], vec![]),
        (
            [&[1, 6, 5, 4], &[1, 2, 7, 4], &[1, 2, 7, 3]],
            [6, 2, 3],
            vec![AxisTransform::Batch],
        ),
        (
            [&[5, 6, 4], &[7, 6, 4], &[7, 6, 3]],
            [6, 6, 3],
            vec![AxisTransform::RowsFirst],
        ),
        ([&[5, 4], &[7, 4], &[7, 3]], [1, 1, 3], vec![]),
    ];
    for (shapes, [heads, kv_heads, d_v], how) in shapes {
        let names = ["q", "k", "v"];
        let tensors: Vec<Tensor> = (0..3).map(|at| tensor(names[at], shapes[at])).collect();
        let (contents, parts) = opened(&tensors);
        let ImportedTensors::Heads { q, k, v } = contents else {
            panic!("{shapes:?} are heads")
        };
        assert_eq!(q.dim(), (heads, 5, 4), "{shapes:?}");
        assert_eq!(
            (k.dim(), v.dim()),
            ((kv_heads, 7, 4), (kv_heads, 7, d_v)),
            "{shapes:?}"
        );
        assert_eq!(parts[0], (Role::Q, how));
    }
    let empty = ["q", "k", "v"].map(|name| tensor(name, &[usize::from(name == "q"), 5, 4]));
    let refused = guessed(&empty).expect_err("keys without a head");
    assert!(matches!(refused, Refusal::Empty { .. }), "{refused}");
    let turned = [
        tensor("q", &[2, 5, 4]),
        tensor("k", &[2, 4, 7]),
        tensor("v", &[2, 7, 4]),
    ];
    let (_, parts) = opened(&turned);
    assert_eq!(parts[1], (Role::K, vec![AxisTransform::Turned]));
}

#[test]
fn heads_side_by_side_are_taken_apart_in_order() {
    let tensors = ["q", "k", "v"].map(|name| tensor(name, &[5, 12]));
    let mut reading = TensorAssignment::guess(&tensors);
    reading.heads = 3;
    let opened = open(&tensors, &reading, "").expect("three heads of four");
    let ImportedTensors::Heads { q, k, .. } = opened.imported.contents() else {
        panic!("heads are heads")
    };
    assert_eq!((q.dim(), k.dim()), ((3, 5, 4), (3, 5, 4)));
    assert_eq!(q[[1, 2, 3]], tensors[0].data[2 * 12 + 4 + 3]);
    reading.heads = 5;
    let refused = open(&tensors, &reading, "").expect_err("five do not divide twelve");
    assert!(matches!(
        refused,
        Refusal::Heads {
            heads: 5,
            width: 12,
            ..
        }
    ));
}

#[test]
fn weights_of_libraries_are_turned_and_taken_apart() {
    let prefix = |name: &str| format!("model.layers.0.self_attn.{name}");
    let torch = [
        tensor(&prefix("q_proj.weight"), &[12, 8]),
        tensor(&prefix("k_proj.weight"), &[6, 8]),
        tensor(&prefix("v_proj.weight"), &[6, 8]),
        tensor(&prefix("o_proj.weight"), &[8, 12]),
        tensor(&prefix("q_proj.bias"), &[12]),
    ];
    let mut reading = TensorAssignment::guess(&torch);
    reading.heads = 4;
    let opened = open(&torch, &reading, "").expect("a layer");
    let ImportedTensors::Layer {
        weights,
        heads,
        kv_heads,
        ..
    } = opened.imported.contents()
    else {
        panic!("a layer is a layer")
    };
    assert_eq!((*heads, *kv_heads), (4, 2));
    assert_eq!(weights.query.w.dim(), (8, 12));
    assert_eq!(weights.query.w[[3, 5]], torch[0].data[5 * 8 + 3]);
    assert_eq!(weights.output.as_ref().map(|o| o.w.dim()), Some((12, 8)));
    assert!(weights.query.b.is_some() && weights.key.b.is_none());

    let lens = [
        tensor("W_Q", &[3, 8, 4]),
        tensor("W_K", &[3, 8, 4]),
        tensor("W_V", &[3, 8, 4]),
        tensor("W_O", &[3, 4, 8]),
    ];
    let (contents, parts) = self::opened(&lens);
    let ImportedTensors::Layer {
        weights, heads: 3, ..
    } = contents
    else {
        panic!("three heads")
    };
    assert_eq!(weights.query.w[[2, 4 + 1]], lens[0].data[8 * 4 + 2 * 4 + 1]);
    assert_eq!(parts[0], (Role::WQ, vec![AxisTransform::Joined(3)]));

    let gpt = [
        tensor("h.0.attn.c_attn.weight", &[8, 24]),
        tensor("h.0.attn.c_attn.bias", &[24]),
    ];
    let (contents, parts) = self::opened(&gpt);
    let ImportedTensors::Layer { weights, .. } = contents else {
        panic!("one matrix holds three")
    };
    assert_eq!(weights.value.w[[1, 2]], gpt[0].data[24 + 16 + 2]);
    assert_eq!(
        weights.key.b.as_ref().map(|b| b[3]),
        Some(gpt[1].data[8 + 3])
    );
    assert_eq!(parts[0], (Role::Fused, vec![AxisTransform::Thirds]));
}

#[test]
fn labels_of_a_table_name_rows_and_columns() {
    let mut table = weights("table", &[2, 3]);
    let names = |names: &[&str]| Labels {
        title: String::new(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    };
    table.labels = vec![names(&["it", "<b>"]), names(&["a", "b", "c"])];
    let opened = guessed(&[table]).expect("finished weights");
    assert_eq!(opened.imported.names().rows, ["it", "<b>"]);
    assert_eq!(opened.imported.names().columns, ["a", "b", "c"]);
}

#[test]
fn another_kind_takes_the_tensors_that_are_there() {
    let tensors = [
        tensor("one", &[2, 5, 4]),
        tensor("two", &[2, 5, 4]),
        tensor("x", &[2, 5, 4]),
    ];
    let reading = TensorAssignment::guess(&tensors).turned_to(ImportedKind::Heads, &tensors);
    assert_eq!(reading.kind, ImportedKind::Heads);
    let roles: Vec<_> = [Role::Q, Role::K, Role::V]
        .map(|role| reading.plays(role))
        .into();
    assert_eq!(roles, [Some(0), Some(1), Some(2)]);
    assert!(open(&tensors, &reading, "").is_ok());
}

#[test]
fn a_setting_file_restores_everything() {
    let q = Array3::from_shape_fn((4, 40, 16), |(h, n, d)| {
        ((h * 7 + n * 3 + d) % 11) as f32 / 9.0
    });
    let contents = ImportedTensors::Heads {
        q: q.clone(),
        k: q.clone(),
        v: q,
    };
    let imported =
        ImportedData::new(contents, AxisLabels::default(), "mine.npz").expect("in order");
    let bring = Action::Set(Field::Data, Value::Data(imported.clone()));
    let (state, _) = reduce(State::default(), bring);
    let (state, _) = reduce(state, Action::Include(Field::Masks, "causal", true));
    let file = write_setting(&url::to_fragment(&state), &imported);
    let read = read_setting(&file, "saved.json").expect("it was written here");
    assert_eq!(
        (&read.imported, read.imported.contents()),
        (&imported, imported.contents())
    );
    app::state::imported::cache::insert(&read.imported);
    assert_eq!(url::parse(&read.fragment), (state, vec![]));
    for cut in 0..file.len().min(300) {
        assert_eq!(read_setting(&file[..cut], ""), None);
    }
    assert!(begins_setting(b" {\n  \"attention_playground\" : \"v=1\","));
    for (begin, is_setting) in [(4_096, true), (24, true), (20, false)] {
        let begin = &file[..begin.min(file.len())];
        assert_eq!(begins_setting(begin), is_setting);
    }
    for other in [
        "{\"q\": [[1]]}",
        "\"attention_playground\"",
        "PK\u{3}\u{4}",
        "",
    ] {
        assert!(!begins_setting(other.as_bytes()), "{other}");
    }
    assert_eq!(
        read_setting(b"{\"attention_playground\": \"v=1\"}", ""),
        None
    );
}

#[test]
fn what_every_format_holds_is_the_same_numbers() {
    let tensors = [
        tensor("q", &[2, 5, 4]),
        tensor("k", &[2, 7, 4]),
        tensor("v", &[2, 7, 3]),
    ];
    let wanted = guessed(&tensors).expect("heads").imported;
    for format in [Format::Json, Format::Npz, Format::Safetensors] {
        let bytes = formats::write(format, &tensors);
        let read = formats::read("file", &bytes, &Limits::default()).expect("it was written here");
        assert_eq!(
            guessed(&read).expect("heads").imported,
            wanted,
            "{format:?}"
        );
    }
    for format in [Format::Csv, Format::Npy] {
        let files = tensors.iter().map(|tensor| {
            let bytes = formats::write(format, std::slice::from_ref(tensor));
            let name = format!("{}.{}", tensor.name, format.extension());
            formats::read(&name, &bytes, &Limits::default()).expect("it was written here")
        });
        let read: Vec<Tensor> = files.flatten().collect();
        assert_eq!(
            guessed(&read).expect("heads").imported,
            wanted,
            "{format:?}"
        );
    }
}

/// Bytes through the whole door, as the page does it. Whatever comes of it can be shown, or can be said.
fn through(
    name: &str,
    bytes: &[u8],
    heads: usize,
    kind: Option<ImportedKind>,
) -> Option<ImportedData> {
    if let Some(setting) = read_setting(bytes, name) {
        let (state, _) = url::parse(&setting.fragment);
        assert_eq!(state.check_all(), Ok(()));
        return Some(setting.imported);
    }
    let tensors = formats::read(name, bytes, &Limits::default()).ok()?;
    let mut reading = TensorAssignment::guess(&tensors);
    if let Some(kind) = kind {
        reading = reading.turned_to(kind, &tensors);
        reading.heads = heads;
    }
    match open(&tensors, &reading, name) {
        Ok(opened) => {
            for own in &opened.parts {
                assert!(
                    !part(Language::Zh, own, &tensors).contains(['{', '}']) || has_brace(&tensors)
                );
            }
            Some(opened.imported)
        }
        Err(cause) => {
            assert!(!refusal(Language::En, &cause).is_empty());
            None
        }
    }
}

fn has_brace(tensors: &[Tensor]) -> bool {
    tensors
        .iter()
        .any(|tensor| tensor.name.contains(['{', '}']))
}

fn shown(imported: &ImportedData) {
    let bring = Action::Set(Field::Data, Value::Data(imported.clone()));
    let (state, _) = reduce(State::default(), bring);
    assert_eq!(state.check_all(), Ok(()));
    assert!(imported.is_finished() || request_builder::request(&state).is_ok());
    let (back, _) = reduce(state, Action::Set(Field::Data, Value::Absent));
    assert_eq!(back, State::default());
}

#[test]
fn what_is_missing_is_named_by_its_letter() {
    let layer = ["w_q", "w_k", "w_v"].map(|name| tensor(name, &[6, 4]));
    for (kind, role, letter) in [
        (ImportedKind::Layer, Role::WQ, "W_Q"),
        (ImportedKind::Layer, Role::WV, "W_V"),
        (ImportedKind::Heads, Role::K, "K"),
        (ImportedKind::Embeddings, Role::Queries, "X"),
    ] {
        let mut reading = TensorAssignment::guess(&layer).turned_to(kind, &layer);
        reading.assign(role, None);
        let cause = open(&layer, &reading, "file").expect_err("a tensor is missing");
        assert_eq!(cause, Refusal::Missing { letter });
        let said = refusal(Language::En, &cause);
        assert!(said.starts_with(&format!("{letter} is missing")), "{said}");
    }
}

/// Some files that are right, for others to be made of.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let heads = [
        tensor("q", &[2, 5, 4]),
        tensor("k", &[2, 5, 4]),
        tensor("v", &[2, 5, 4]),
    ];
    let layer = [
        tensor("w_q", &[6, 4]),
        tensor("w_k", &[6, 4]),
        tensor("w_v", &[6, 4]),
        tensor("x", &[5, 6]),
    ];
    let matrix = [weights("attention", &[2, 5, 5])];
    let mut files = Vec::new();
    for tensors in [&heads[..], &layer, &matrix] {
        for format in Format::ALL {
            let name = format!("a.{}", format.extension());
            files.push((name, formats::write(format, tensors)));
        }
    }
    let imported = guessed(&heads).expect("heads").imported;
    files.push((
        "setting.json".to_owned(),
        write_setting("v=1&heads=2", &imported),
    ));
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Right files with bytes changed, cut, doubled: a refusal or numbers, never a panic.
    #[test]
    fn damaged_files_are_refused_or_right(
        seed in 0..16usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
        heads in 0..9usize,
        kind in proptest::option::of(proptest::sample::select(&ImportedKind::ALL[..])),
    ) {
        let (name, mut bytes) = seeds().swap_remove(seed);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Some(imported) = through(&name, &bytes, heads, kind) {
            shown(&imported);
        }
    }

    /// Tensors of any shape under any name, cast for any role.
    #[test]
    fn any_tensors_are_refused_or_right(
        shapes in proptest::collection::vec((proptest::sample::select(&Role::ALL[..]), proptest::collection::vec(0..5usize, 0..5)), 1..7),
        kind in proptest::sample::select(&ImportedKind::ALL[..]),
        heads in 0..9usize,
        is_rows_first in any::<bool>(),
    ) {
        let tensors: Vec<Tensor> = shapes.iter().map(|(role, shape)| tensor(role.name(), shape)).collect();
        let roles = shapes.iter().enumerate().map(|(at, (role, _))| (*role, at)).collect();
        let reading = TensorAssignment { kind, why: Why::Chosen, roles, heads, is_rows_first, is_transposed: !is_rows_first, entry: heads };
        if let Ok(opened) = open(&tensors, &reading, "") {
            shown(&opened.imported);
        }
        let _ = guessed(&tensors).map(|opened| shown(&opened.imported));
    }
}
