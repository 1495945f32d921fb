//! Imported data: the settings that they fix, their links, and the results computed from them.

use crate::common::cases::numbers;
use app::i18n::Language;
use app::present::imported_text::labelling;
use app::state::imported::url::PendingLink;
use app::state::imported::{
    AxisLabels, ImportedData, ImportedTensors, Inputs, Refusal, SavedSettings, cache, serialize,
    warnings,
};
use app::state::{Action, Field, Part, PositionKind, SettingError, State, Value, reduce, url};
use app::state::{request_builder, snapshot, steps};
use attention::{CallOptions, HeadInputs, LayerOptions, Linear, Outputs, Request, Weights};
use engine::{BackendChoice, RunResult, run};
use ndarray::{Array2, Array3, Axis};

fn heads(n: usize, m: usize) -> ImportedTensors {
    ImportedTensors::Heads {
        q: numbers((6, n, 5), 1),
        k: numbers((2, m, 5), 2),
        v: numbers((2, m, 3), 3),
    }
}

fn matrix(n: usize, m: usize) -> ImportedTensors {
    let mut weights: Array3<f32> = numbers((3, n, m), 4).mapv(f32::abs);
    for mut row in weights.rows_mut() {
        let sum = row.sum();
        row.mapv_inplace(|weight| weight / sum);
    }
    ImportedTensors::Matrix(weights)
}

fn inputs(n: usize, m: Option<usize>) -> Inputs {
    Inputs {
        queries: numbers((n, 7), 5),
        keys_values: m.map(|m| numbers((m, 7), 6)),
    }
}

fn weights(has_output: bool) -> Weights {
    let linear = |rows, columns, seed| Linear {
        w: numbers((rows, columns), seed),
        b: Some(numbers(columns, seed + 1)),
    };
    Weights {
        query: linear(7, 4 * 5, 10),
        key: linear(7, 2 * 5, 20),
        value: linear(7, 2 * 3, 30),
        output: has_output.then(|| linear(4 * 3, 9, 40)),
        additive: None,
    }
}

fn layer(inputs: Option<Inputs>, has_output: bool) -> ImportedTensors {
    ImportedTensors::Layer {
        weights: weights(has_output),
        heads: 4,
        kv_heads: 2,
        inputs,
    }
}

fn imported(contents: ImportedTensors) -> ImportedData {
    ImportedData::new(contents, AxisLabels::default(), "numbers.npz").expect("these are in order")
}

fn every() -> Vec<ImportedData> {
    let all = [
        heads(11, 11),
        heads(4, 9),
        matrix(5, 5),
        matrix(5, 8),
        ImportedTensors::Embeddings(inputs(6, None)),
        ImportedTensors::Embeddings(inputs(6, Some(8))),
        layer(None, true),
        layer(Some(inputs(6, None)), false),
        layer(Some(inputs(6, Some(3))), true),
    ];
    all.into_iter().map(imported).collect()
}

fn bring(imported: &ImportedData) -> Action {
    Action::Set(Field::Data, Value::Data(imported.clone()))
}

fn with(imported: &ImportedData) -> State {
    let (state, notices) = reduce(State::default(), bring(imported));
    assert_eq!(notices, [], "{imported:?}");
    assert_eq!(state.check_all(), Ok(()), "{imported:?}");
    state
}

#[test]
fn an_example_leaves_locked_numbers_as_they_are_and_the_state_possible() {
    for own in every() {
        let mut state = State::default();
        state
            .set(Field::Data, Value::Data(own.clone()))
            .expect("numbers");
        state.lock = [Part::Data, Part::Weights].into_iter().collect();
        for preset in ["rose", "translation", "animal", "learned"] {
            let (after, _) = reduce(state.clone(), Action::Preset(preset));
            assert_eq!(after.check_all(), Ok(()), "{preset}, {own:?}");
            assert_eq!(after.imported, state.imported, "{preset}");
        }
    }
}

#[test]
fn pieces_between_spaces_name_rows_and_a_wrong_number_is_said() {
    let said = |text: &str| {
        let (mut state, language) = (with(&imported(matrix(4, 4))), Language::En);
        state.text = text.to_owned();
        let words = request_builder::tokens(&state).queries.words;
        (words.join(" "), labelling(language, &state))
    };
    let pieces = "[CLS] the cat [SEP]";
    assert_eq!(said(pieces), (pieces.to_owned(), String::new()));
    assert_eq!(
        said("one two, three").0,
        "one two , three",
        "words come first"
    );
    let (words, sentence) = said("one two");
    assert_eq!(words, "1 2 3 4");
    assert_eq!(
        sentence,
        "Type 4 words to label the rows; the sentence has 2."
    );
}

#[test]
fn the_sentence_comes_back_exactly() {
    let before = [
        "v=1",
        "v=1&text=one+two+three&source=four&weights=random&seed=7&heads=6&kv_heads=2&d_k=9&d_model=24&head=6&step=k&cell=2",
        "v=1&mask=causal,local&paint=0.1.1&linformer=1&temperature=0.5&positions=rotary&hiding=written&scoring=additive&against=scaled%3D0",
        "v=1&heads=8&kv_heads=4&cell=3,4&open=compare,cost",
    ];
    for link in before {
        let (state, _) = url::parse(link);
        for one in every() {
            let bring = bring(&one);
            let (there, _) = reduce(state.clone(), bring.clone());
            assert_eq!(there.check_all(), Ok(()), "{link} {one:?}");
            let (again, _) = reduce(there.clone(), bring);
            assert_eq!(again.saved, there.saved, "imported twice, {link}");
            cache::insert(&one);
            let (there, notes) = url::parse(&url::to_fragment(&there));
            assert_eq!(notes, [], "{link} {one:?}");
            let (back, notices) = reduce(there, Action::Set(Field::Data, Value::Absent));
            assert_eq!(notices, [], "{link} {one:?}");
            assert_eq!(back, state, "{link} {one:?}");
        }
    }
}

#[test]
fn what_is_not_known_of_before_is_the_default_where_it_must_be() {
    // As wide as no embedding of the page may be.
    let narrow = imported(ImportedTensors::Heads {
        q: numbers((1, 2, 3), 7),
        k: numbers((1, 2, 3), 8),
        v: numbers((1, 2, 1), 9),
    });
    for one in every().into_iter().chain([narrow]) {
        let forgotten = Action::Set(
            Field::SavedSettings,
            Value::SavedSettings(SavedSettings::default()),
        );
        let (there, _) = reduce(with(&one), forgotten);
        let other = every().into_iter().map(|other| bring(&other));
        for next in other.chain([Action::Set(Field::Data, Value::Absent)]) {
            let (after, _) = reduce(there.clone(), next);
            assert_eq!(after.check_all(), Ok(()), "{one:?} to {after:?}");
        }
        let (back, _) = reduce(there, Action::Set(Field::Data, Value::Absent));
        assert_eq!(back.text, State::default().text);
        let fragment = url::to_fragment(&back);
        assert_eq!(url::parse(&fragment), (back, vec![]), "{one:?}");
    }
}

#[test]
fn what_is_given_can_be_set_to_nothing_else() {
    for one in every() {
        let state = with(&one);
        if one.is_cross() == Some(false) {
            let second = Value::Text("another side".to_owned());
            assert_eq!(
                state.clone().set(Field::Second, second),
                Err(SettingError::Given)
            );
        }
        for field in Field::ALL {
            let Some(given) = state.given(field) else {
                continue;
            };
            assert_eq!(state.get(field), given, "{field:?} {one:?}");
            let others = [Value::Number(9), Value::Centi(30), Value::Switch(true)];
            let others = others.into_iter().chain([
                Value::Choice("teaching"),
                Value::Text("more".to_owned()),
                Value::Names(vec!["causal"]),
            ]);
            for other in others.filter(|other| *other != given) {
                let (after, _) = reduce(state.clone(), Action::Set(field, other));
                assert_eq!(after.get(field), given, "{field:?} {one:?}");
                assert_eq!(after.check_all(), Ok(()));
            }
            let default = State::default().get(field);
            if default != given {
                assert_eq!(state.clone().set(field, default), Err(SettingError::Given));
            }
        }
    }
}

#[test]
fn small_numbers_travel_in_the_link_to_the_last_bit() {
    for one in every() {
        let state = with(&one);
        assert!(one.is_inline(), "{one:?}");
        let fragment = url::to_fragment(&state);
        let (read, notes) = url::parse(&fragment);
        assert_eq!(notes, []);
        let back = read.imported.as_ref().expect("the link holds them");
        assert_eq!(back.contents(), one.contents());
        assert_eq!((back.hash(), &read), (one.hash(), &state));
        assert_eq!(url::to_fragment(&read), fragment);
    }
}

#[test]
fn large_numbers_are_named_and_asked_for() {
    let large = imported(matrix(60, 61));
    let fragment = url::to_fragment(&with(&large));
    assert!(fragment.len() < 200, "{fragment}");
    let (state, notes) = url::parse(&fragment);
    assert_eq!(state.imported, None);
    let missing = notes.iter().find_map(|note| match &note.rule {
        SettingError::DataMissing(missing) => Some(missing.clone()),
        _ => None,
    });
    let missing = missing.expect("the link says what is missing");
    assert_eq!(missing.hash, large.hash());
    let pending = PendingLink::new(&fragment, &notes).expect("it waits for them");
    assert!(pending.waits_for(&large) && !pending.waits_for(&imported(matrix(3, 4))));
    assert_eq!(PendingLink::new(&fragment, &[]), None);
    assert_eq!(
        (missing.kind, missing.shape.as_str()),
        ("matrix", "3 × 60 × 61")
    );
    assert_eq!(missing.file, "numbers.npz");
    cache::insert(&large);
    assert_eq!(url::parse(&fragment), (with(&large), vec![]));
}

#[test]
fn the_shelf_keeps_what_was_looked_for_last() {
    let all: Vec<ImportedData> = (0..6).map(|at| imported(matrix(40 + at, 50))).collect();
    all[..cache::ROOM].iter().for_each(cache::insert);
    assert!(cache::find(all[0].hash()).is_some());
    cache::insert(&all[4]);
    let there: Vec<bool> = all
        .iter()
        .map(|one| cache::find(one.hash()).is_some())
        .collect();
    assert_eq!(there, [true, false, true, true, true, false]);
}

#[test]
fn packed_numbers_come_back_and_damaged_ones_do_not() {
    let names = AxisLabels {
        rows: ["the", "<b>", "猫", "sat", "on"].map(str::to_owned).into(),
        columns: Vec::new(),
    };
    let one = ImportedData::new(matrix(5, 5), names.clone(), "a.json").expect("these are in order");
    assert_eq!(one.names(), &names);
    for one in every().iter().chain([&one]) {
        let packed = one.packed();
        let back = serialize::unpack(&packed, "").expect("it was packed here");
        assert_eq!(
            (back.contents(), back.names()),
            (one.contents(), one.names())
        );
        for cut in [0, 1, 4, 5, 9, packed.len() / 2, packed.len() - 1] {
            assert!(
                serialize::unpack(&packed[..cut], "").is_err(),
                "cut at {cut}"
            );
        }
        let longer = [&packed[..], &[0]].concat();
        assert_eq!(serialize::unpack(&longer, ""), Err(Refusal::Packed));
    }
}

fn ran(state: &State) -> RunResult {
    let request = request_builder::request(state).expect("it can be computed");
    let config = steps::config(state);
    assert_eq!(request.config(), &config, "{:?}", state.imported);
    let shapes = steps::for_state(state)
        .into_iter()
        .map(|step| steps::shape(state, step));
    assert!(
        shapes
            .into_iter()
            .all(|(rows, columns)| rows > 0 && columns > 0)
    );
    run(request, BackendChoice::Cpu).expect("it was computed")
}

/// The same without any state: what a caller of the public interface gets for these numbers.
fn oracle(contents: &ImportedTensors) -> RunResult {
    let call = CallOptions {
        want: Outputs::ALL,
        ..CallOptions::default()
    };
    let options = |heads, kv_heads| LayerOptions {
        heads,
        kv_heads: Some(kv_heads),
        ..LayerOptions::default()
    };
    let batch = |rows: &Array2<f32>| rows.clone().insert_axis(Axis(0));
    let request = match contents {
        ImportedTensors::Heads { q, k, v } => {
            let (q, k, v) = (q.clone(), k.clone(), v.clone());
            let shared = options(q.dim().0, k.dim().0);
            let (additive, output) = (None, None);
            Request::from_heads(
                HeadInputs {
                    q,
                    k,
                    v,
                    additive,
                    output,
                },
                shared,
                call,
            )
        }
        ImportedTensors::Layer {
            weights,
            heads,
            kv_heads,
            inputs: Some(inputs),
        } => {
            let layer = attention::Layer::new(weights.clone(), options(*heads, *kv_heads));
            let source = inputs.keys_values.as_ref().map(batch);
            Request::new(
                layer.expect("a layer").into(),
                batch(&inputs.queries),
                source,
                call,
            )
        }
        _ => panic!("no numbers alone say what to compute"),
    };
    run(request.expect("in order"), BackendChoice::Cpu).expect("it was computed")
}

#[test]
fn what_is_computed_is_what_a_caller_gets_for_the_same_numbers() {
    for one in every() {
        let is_whole = match one.contents() {
            ImportedTensors::Heads { .. } => true,
            ImportedTensors::Layer { inputs, .. } => inputs.is_some(),
            _ => false,
        };
        if is_whole {
            let (mine, theirs) = (ran(&with(&one)), oracle(one.contents()));
            assert_eq!(mine.trace.weights, theirs.trace.weights, "{one:?}");
            assert_eq!(mine.stats, theirs.stats, "{one:?}");
        } else if !one.is_finished() {
            ran(&with(&one));
        }
    }
}

#[test]
fn every_mechanism_goes_on_working_with_them() {
    let links = [
        "mask=causal&hiding=after",
        "mask=local&window=2&hiding=written&temperature=2",
        "positions=rotary",
        "positions=alibi&scaled=0",
        "scoring=additive",
        "linformer=1&projected=3",
    ];
    for one in every().iter().filter(|one| !one.is_finished()) {
        let fragment = url::to_fragment(&with(one));
        for link in links {
            let (state, notes) = url::parse(&format!("{fragment}&{link}"));
            assert_eq!(notes, [], "{link} {one:?}");
            let outcome = ran(&state);
            let (n, _) = request_builder::lengths(&state);
            let wanted = [1, state.heads, n, request_builder::shape(&state).1];
            assert_eq!(
                outcome.trace.weights.expect("wanted").shape(),
                wanted,
                "{link} {one:?}"
            );
        }
    }
}

#[test]
fn a_finished_matrix_has_weights_and_nothing_else() {
    let one = imported(matrix(5, 5));
    let mut state = with(&one);
    assert_eq!(steps::for_state(&state).len(), 1);
    assert!(request_builder::request(&state).is_err());
    let weights = request_builder::finished(&state).expect("it was brought");
    let outcome = RunResult::of_weights(weights.clone());
    assert_eq!(outcome.trace.weights, Some(weights));
    assert_eq!(outcome.stats.map(|stats| stats[0].len()), Some(3));
    assert_eq!(
        state.set(Field::Step, Value::Choice("q")),
        Err(SettingError::Given)
    );
    assert_eq!(state.set(Field::Head, Value::Number(3)), Ok(()));
}

#[test]
fn rows_are_called_as_was_said_or_after_the_sentence_or_by_number() {
    let words = |state: &State| {
        let sides = request_builder::tokens(state);
        [sides.queries.words.clone(), sides.keys().words.clone()].map(|words| words.join(" "))
    };
    let eleven = with(&imported(heads(11, 11)));
    assert!(words(&eleven)[0].starts_with("The animal didn't"));
    let five = with(&imported(matrix(5, 5)));
    assert_eq!(words(&five), ["1 2 3 4 5", "1 2 3 4 5"]);
    let rows: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
    let columns: Vec<String> = (0..8).map(|at| format!("k{at}")).collect();
    let names = AxisLabels { rows, columns };
    let named = ImportedData::new(matrix(5, 8), names, "").expect("in order");
    let state = with(&named);
    assert_eq!(words(&state), ["a b c d e", "k0 k1 k2 k3 k4 k5 k6 k7"]);
    assert_eq!(state.second.as_deref(), Some(""));
}

#[test]
fn wrong_shapes_and_numbers_are_refused_by_name() {
    let refused = |contents| ImportedData::new(contents, AxisLabels::default(), "").err();
    let mut nan: Array3<f32> = numbers((2, 3, 4), 9);
    nan[[1, 2, 0]] = f32::NAN;
    let not_finite = Refusal::NotFinite {
        tensor: "weights".to_owned(),
        at: vec![2, 3, 1],
    };
    assert_eq!(refused(ImportedTensors::Matrix(nan)), Some(not_finite));
    let long = ImportedTensors::Matrix(Array3::zeros((1, 1025, 2)));
    assert!(matches!(
        refused(long),
        Some(Refusal::TooLong {
            axis: "n",
            most: 1024,
            ..
        })
    ));
    let empty = ImportedTensors::Matrix(Array3::zeros((0, 3, 2)));
    assert!(matches!(refused(empty), Some(Refusal::Empty { .. })));
    let many = ImportedTensors::Matrix(Array3::zeros((17, 1024, 1024)));
    assert!(matches!(refused(many), Some(Refusal::TooMany { .. })));
    let ImportedTensors::Heads { q, k, .. } = heads(4, 9) else {
        panic!("heads are heads")
    };
    let v = numbers((2, 8, 3), 1);
    let shape = refused(ImportedTensors::Heads {
        q: q.clone(),
        k: k.clone(),
        v,
    });
    assert!(matches!(shape, Some(Refusal::Shape { ref tensor, .. }) if tensor == "v"));
    let v: Array3<f32> = numbers((5, 9, 3), 1);
    let heads = refused(ImportedTensors::Heads {
        q,
        k: numbers((5, 9, 5), 2),
        v,
    });
    assert_eq!(
        heads,
        Some(Refusal::KvHeads {
            heads: 6,
            kv_heads: 5
        })
    );
}

#[test]
fn rows_that_do_not_sum_to_one_are_told() {
    let mut weights = match matrix(4, 3) {
        ImportedTensors::Matrix(weights) => weights,
        _ => panic!("a matrix is a matrix"),
    };
    assert_eq!(
        warnings::remarks(&ImportedTensors::Matrix(weights.clone())),
        []
    );
    weights[[0, 1, 0]] = -0.5;
    weights.slice_mut(ndarray::s![2, 3, ..]).fill(0.0);
    let said = warnings::remarks(&ImportedTensors::Matrix(weights));
    assert!(matches!(said[0], warnings::Remark::Sums { rows: 1, .. }));
    assert_eq!(
        said[1..],
        [
            warnings::Remark::Negative { cells: 1 },
            warnings::Remark::Empty { rows: 1 }
        ]
    );
}

/// Rounding by a number type or a print is no error of the softmax.
#[test]
fn sums_are_judged_at_the_rounding_of_the_numbers() {
    let softmax: Vec<f32> = (0..64)
        .map(|at| ((at * 37 % 64) as f32 / 16.0).exp())
        .collect();
    let total: f32 = softmax.iter().sum();
    let rounded = |round: &dyn Fn(f32) -> f32| {
        let row: Vec<f32> = softmax.iter().map(|one| round(one / total)).collect();
        let sum: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
        let weights = ndarray::Array3::from_shape_vec((1, 1, 64), row).expect("a row");
        (sum, warnings::remarks(&ImportedTensors::Matrix(weights)))
    };
    let to_brain = |one: f32| f32::from_bits((one.to_bits() + 0x8000) & 0xffff_0000);
    let to_four = |one: f32| (one * 1e4).round() / 1e4;
    for round in [&to_brain as &dyn Fn(f32) -> f32, &to_four] {
        let (sum, said) = rounded(round);
        assert!(
            (sum - 1.0).abs() > 1e-5 && said.is_empty(),
            "{sum}: {said:?}"
        );
    }
    // All of them cut down to bfloat16 are beyond its rounding to the nearest.
    let cut = |one: f32| f32::from_bits((one * 0.99).to_bits() & 0xffff_0000);
    let (sum, said) = rounded(&cut);
    assert!(
        matches!(said[0], warnings::Remark::Sums { rows: 1, .. }),
        "{sum}"
    );
    let typed = ndarray::array![[[0.7015, 0.3], [0.4, 0.6]]];
    let said = warnings::remarks(&ImportedTensors::Matrix(typed));
    assert!(
        matches!(said[0], warnings::Remark::Sums { rows: 1, worst } if (worst - 1.0015).abs() < 1e-6)
    );
}

#[test]
fn a_file_of_a_name_that_turns_lines_around_is_shown_plainly() {
    let one = ImportedData::new(
        matrix(60, 61),
        AxisLabels::default(),
        "\u{202e}gpj\u{0}.exe",
    )
    .expect("in order");
    assert_eq!(one.file(), "gpj.exe");
    assert_eq!(with(&one).positions, PositionKind::None);
}

#[test]
fn the_worker_is_told_of_large_numbers_by_their_hash_and_of_small_ones_whole() {
    for (rows, is_named) in [(5, false), (900, true)] {
        let imported =
            ImportedData::new(heads(rows, 7), AxisLabels::default(), "").expect("in order");
        let mut state = State::default();
        assert_eq!(
            state.set(Field::Data, Value::Data(imported.clone())),
            Ok(())
        );
        assert_eq!(state.set(Field::Temperature, Value::Centi(50)), Ok(()));
        let settings = snapshot::settings(&state);
        let keys: Vec<Field> = settings.iter().map(|(field, _)| *field).collect();
        assert_eq!(
            keys,
            [Field::Data, Field::Temperature],
            "what they fix is not said again"
        );
        let restored = snapshot::restore(settings.clone());
        let is_missing = matches!(restored, Err(SettingError::DataMissing(_)));
        assert_eq!(is_missing, is_named);
        cache::insert(&imported);
        assert_eq!(snapshot::restore(settings), Ok(state));
    }
}
