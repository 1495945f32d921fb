//! The list of a setting's tensors is what its request holds and what its run returns, shape by shape.

use crate::common::place::Place;
use app::export::tensors::{
    Entry, MOST_BYTES, Name, bytes, file_name, fits, for_state, labelled, made, named, whole_name,
};
use app::state::imported::{AxisLabels, ImportedData, ImportedTensors};
use app::state::{State, request_builder, steps, url};
use attention::{CallOptions, Layer, LayerOptions, Linear, Outputs, Request, Trace, Weights};
use formats::{Kind, Limits, read, write};

/// Settings with different lengths along every axis.
const SETTINGS: [&str; 8] = [
    "text=the+cat+saw+the+dog&heads=6&kv_heads=2&d_k=3&d_model=10&weights=random",
    "text=the+cat+saw&source=a+small+red+dog+ran&mask=causal,padding&valid=4&heads=2",
    "text=the+cat&source=a+dog+ran&linformer=1&projected=5&scoring=additive&weights=random",
    "text=one+two+three&positions=rotary&d_k=4&mask=local&hiding=after",
    "text=one+two+three&positions=alibi&d_model=8&temperature=0.5",
    "text=one&source=one+two&positions=sinusoidal&hiding=written&mask=causal",
    "text=one+two+three&source=four+five&positions=rotary_halves&align=last&d_k=5",
    "text=",
];

fn state(fragment: &str) -> State {
    let (state, notes) = url::parse(&format!("v=1&{fragment}"));
    assert!(notes.is_empty(), "{notes:?}");
    state
}

/// Shape and numbers of a result, without its batch.
fn result(trace: &Trace<f32>, name: Name) -> Option<(Vec<usize>, Vec<f32>)> {
    let four = |of: &Option<ndarray::Array4<f32>>| {
        let of = of.as_ref()?;
        Some((of.shape()[1..].to_vec(), of.iter().copied().collect()))
    };
    match name {
        Name::Q => four(&trace.q),
        Name::K => four(&trace.k),
        Name::V => four(&trace.v),
        Name::Scores => four(&trace.scores),
        Name::Weights => four(&trace.weights),
        Name::Context => four(&trace.context),
        Name::Output => {
            let of = trace.output.as_ref()?;
            Some((of.shape()[1..].to_vec(), of.iter().copied().collect()))
        }
        _ => None,
    }
}

/// Every tensor of a setting with its numbers.
fn all(state: &State) -> Vec<(Entry, Vec<f32>)> {
    let entries = for_state(state, &steps::config(state));
    let wanted = entries.iter().filter_map(|entry| entry.name.want());
    let want = wanted.fold(Outputs::NOTHING, Outputs::with);
    let request = request_builder::request_for(state, want).expect("a state through the door");
    let trace = Place::Cpu.compute(&request).trace;
    let filled = |entry: Entry| {
        let data = match entry.name.want() {
            None => made(state, &request, entry.name).expect("it goes in"),
            Some(_) => {
                let (shape, data) = result(&trace, entry.name).expect("it was wanted");
                assert_eq!(shape, entry.shape(), "{}", entry.name.name());
                data
            }
        };
        (entry, data)
    };
    entries.into_iter().map(filled).collect()
}

#[test]
fn every_tensor_is_as_large_as_its_axes_say() {
    for fragment in SETTINGS {
        for (entry, data) in all(&state(fragment)) {
            let name = entry.name.name();
            assert_eq!(data.len() as u64, entry.elements(), "{fragment}: {name}");
        }
    }
}

#[test]
fn a_setting_lists_what_its_mechanism_has() {
    let names = |fragment| -> Vec<_> {
        let state = state(fragment);
        let entries = for_state(&state, &steps::config(&state));
        entries.iter().map(|entry| entry.name.name()).collect()
    };
    let inputs = |fragment| -> Vec<_> {
        let results = ["q", "k", "v", "scores", "weights", "context", "output"];
        let (inputs, rest): (Vec<_>, Vec<_>) = names(fragment)
            .into_iter()
            .partition(|name| !results.contains(name));
        assert_eq!(rest, results);
        inputs
    };
    let always = ["w_q", "w_k", "w_v", "w_o"];
    let of_hand = ["w_q", "b_q", "w_k", "w_v", "w_o"];
    assert_eq!(
        inputs(SETTINGS[0]),
        [&["x", "positions"], &always[..]].concat()
    );
    assert_eq!(
        inputs(SETTINGS[1]),
        [&["x", "x_kv", "positions"], &of_hand[..], &["mask"]].concat()
    );
    assert_eq!(
        inputs(SETTINGS[2]),
        [
            "x",
            "x_kv",
            "positions",
            "w_q",
            "w_k",
            "w_v",
            "w_a",
            "w_o",
            "e",
            "f",
            "seed"
        ]
    );
    assert_eq!(
        inputs(SETTINGS[3]),
        [
            &["x"],
            &of_hand[..],
            &["mask", "mask_after_softmax", "rotary"]
        ]
        .concat()
    );
    let of_softmax = ["temperature", "alibi"];
    assert_eq!(
        inputs(SETTINGS[4]),
        [&["x"], &of_hand[..], &of_softmax].concat()
    );
    let written = [
        &["x", "x_kv", "positions"],
        &of_hand[..],
        &["mask", "masked_score"],
    ];
    assert_eq!(inputs(SETTINGS[5]), written.concat());
    let moved = [
        &["x", "x_kv"],
        &of_hand[..],
        &["rotary_halves", "query_start"],
    ];
    assert_eq!(inputs(SETTINGS[6]), moved.concat());
}

#[test]
fn lengths_have_one_letter_each() {
    let letters = |fragment| {
        let state = state(fragment);
        let entries = for_state(&state, &steps::config(&state)).into_iter();
        let line = |entry: Entry| format!("{} {}", entry.name.name(), entry.letters.join(" × "));
        entries.map(line).collect::<Vec<_>>().join("; ")
    };
    let own = letters(SETTINGS[0]);
    for part in [
        "x n × d_model",
        "positions n × d_model",
        "w_q d_model × h·d_k",
        "k g × n × d_k",
        "scores h × n × n",
    ] {
        assert!(own.contains(part), "{part}: {own}");
    }
    let other = letters(SETTINGS[2]);
    for part in [
        "x_kv m × d_model",
        "positions max(n, m) × d_model",
        "e k × m",
        "k g × m × d_k",
        "weights h × n × k",
    ] {
        assert!(other.contains(part), "{part}: {other}");
    }
}

#[test]
fn all_tensors_of_a_setting_come_back_from_one_file() {
    for fragment in SETTINGS {
        let state = state(fragment);
        let tensors: Vec<_> = all(&state)
            .into_iter()
            .map(|(entry, data)| labelled(&state, &entry, data))
            .collect();
        for kind in Kind::ALL {
            let taken = if kind.holds_many() {
                &tensors[..]
            } else {
                &tensors[..1]
            };
            let back = read("x", &write(kind, taken), &Limits::default()).expect("it is ours");
            for (back, tensor) in back.iter().zip(taken) {
                assert_eq!(
                    (&back.shape, &back.data),
                    (&tensor.shape, &tensor.data),
                    "{kind:?}"
                );
            }
            assert_eq!(back.len(), taken.len());
        }
    }
}

#[test]
fn places_along_an_axis_are_named_where_they_have_names() {
    let state = state(SETTINGS[1]);
    for (entry, data) in all(&state) {
        let tensor = labelled(&state, &entry, data);
        let lengths: Vec<_> = tensor
            .labels
            .iter()
            .map(|labels| labels.names.len())
            .collect();
        assert_eq!(lengths, tensor.shape);
        if entry.name == Name::Weights {
            let titles: Vec<_> = tensor
                .labels
                .iter()
                .map(|labels| &labels.title[..])
                .collect();
            assert_eq!(titles, ["head", "query", "key"]);
            assert_eq!(tensor.labels[0].names, ["1", "2"]);
            assert_eq!(tensor.labels[1].names, ["the", "cat", "saw"]);
            assert_eq!(tensor.labels[2].names, ["a", "small", "red", "dog", "ran"]);
        }
        if entry.name == Name::Positions {
            let rows = &tensor.labels[0];
            let names = [
                "1 the / a",
                "2 cat / small",
                "3 saw / red",
                "4 – / dog",
                "5 – / ran",
            ];
            assert_eq!(
                (&*rows.title, &rows.names[..]),
                ("position", &names.map(str::to_owned)[..])
            );
        }
    }
}

#[test]
fn the_name_of_a_file_says_its_tensor() {
    for name in Name::ALL {
        let file = file_name(name, Kind::Npy);
        let stem = file.strip_suffix(".npy").expect("its ending");
        assert_eq!(named(stem), Some(name));
        assert_eq!(named(&format!("{stem} (12)")), Some(name));
        assert_eq!(named(name.name()), Some(name));
    }
    assert_eq!(file_name(Name::WQ, Kind::Csv), "attention-w_q.csv");
    assert_eq!(whole_name(Kind::Npz), "attention.npz");
    assert_eq!(named("attention"), None);
    assert_eq!(named("something"), None);
}

#[test]
fn what_fits_can_be_read_again() {
    let entry = |length| Entry {
        name: Name::Scores,
        axes: vec![("n", length)],
        letters: vec!["n"],
    };
    let most = MOST_BYTES as usize / 4;
    assert!(!fits(Kind::Npy, [&entry(most)]));
    assert!(!fits(Kind::Csv, [&entry(most / 2)]));
    let large = entry(most - (32 << 10));
    assert!(fits(Kind::Npz, [&large]));
    assert_eq!(bytes(Kind::Npz, [&large]), 4 * large.elements());
    let tensor = formats::Tensor::new("x", large.shape(), vec![0.5; large.shape()[0]]);
    for kind in [Kind::Npy, Kind::Npz, Kind::Safetensors] {
        let file = write(kind, std::slice::from_ref(&tensor));
        assert_eq!(
            read("x", &file, &Limits::default()).map(|tensors| tensors.len()),
            Ok(1)
        );
    }
}

/// Everything that the page computes with is in its files: read from there, it gives the weights that are there too.
#[test]
fn weights_computed_from_the_tensors_of_hand_built_heads_are_theirs() {
    for fragment in [
        "text=she+saw+the+dog+again&heads=8",
        SETTINGS[1],
        SETTINGS[4],
    ] {
        let state = state(fragment);
        let tensors = all(&state);
        let find = |name| {
            let found = tensors.iter().find(|(entry, _)| entry.name == name);
            found.map(|(entry, data)| (entry.shape(), data.clone()))
        };
        let matrix = |name| {
            let (shape, data) = find(name).expect("it is listed");
            ndarray::Array2::from_shape_vec((shape[0], shape[1]), data).expect("as many")
        };
        let linear = |w, b| Linear {
            w: matrix(w),
            b: find(b).map(|(_, data)| data.into()),
        };
        let weights = Weights {
            query: linear(Name::WQ, Name::BQ),
            key: linear(Name::WK, Name::BK),
            value: linear(Name::WV, Name::BV),
            output: Some(linear(Name::WO, Name::BO)),
            additive: None,
        };
        let layer = Layer::new(weights, layer_options(&state)).expect("a layer");
        let own = request_builder::request(&state).expect("a state through the door");
        let call = CallOptions {
            want: Outputs::ALL,
            ..own.call().clone()
        };
        let rows = |name| matrix(name).insert_axis(ndarray::Axis(0));
        let source = find(Name::XKeysValues).map(|_| rows(Name::XKeysValues));
        let again = Request::new(layer.into(), rows(Name::X), source, call).expect("it fits");
        let again = Place::Cpu.compute(&again).trace;
        for name in [Name::Q, Name::Weights, Name::Output] {
            let (_, wanted) = find(name).expect("it is listed");
            let (_, found) = result(&again, name).expect("it was wanted");
            assert_eq!(found, wanted, "{fragment}: {}", name.name());
        }
    }
}

fn layer_options(state: &State) -> LayerOptions {
    let own = request_builder::request(state).expect("a state through the door");
    let config = own.config();
    LayerOptions {
        heads: config.sizes.heads,
        kv_heads: Some(config.sizes.kv_heads),
        scoring: config.scoring,
        scale: Some(config.scale),
        position: config.position,
    }
}

#[test]
fn biases_of_a_layer_that_was_brought_are_taken_away_again() {
    let numbers = |from: usize, count: usize| (from..from + count).map(|at| at as f32 / 8.0);
    let linear = |from, rows, columns| Linear {
        w: ndarray::Array2::from_shape_vec(
            (rows, columns),
            numbers(from, rows * columns).collect(),
        )
        .expect("as many"),
        b: Some(numbers(from, columns).collect()),
    };
    let weights = Weights {
        query: linear(1, 5, 6),
        key: linear(2, 5, 3),
        value: linear(3, 5, 4),
        output: Some(linear(4, 8, 7)),
        additive: None,
    };
    let contents = ImportedTensors::Layer {
        weights,
        heads: 2,
        kv_heads: 1,
        inputs: None,
    };
    let state = State {
        imported: Some(
            ImportedData::new(contents, AxisLabels::default(), "layer.npz").expect("it fits"),
        ),
        ..state("text=one+two+three&heads=2&kv_heads=1&d_k=3&d_model=5")
    };
    let request = request_builder::request_for(&state, Outputs::NOTHING).expect("it was checked");
    let entries = for_state(&state, request.config());
    let biases: Vec<_> = entries
        .iter()
        .filter(|entry| entry.name.name().starts_with("b_"))
        .map(|entry| {
            (
                entry.name.name(),
                made(&state, &request, entry.name).expect("it goes in"),
            )
        })
        .collect();
    let wanted = [("b_q", 1, 6), ("b_k", 2, 3), ("b_v", 3, 4), ("b_o", 4, 7)];
    assert_eq!(
        biases,
        wanted.map(|(name, from, count)| (name, numbers(from, count).collect::<Vec<_>>()))
    );
    for entry in entries.iter().filter(|entry| entry.name.want().is_none()) {
        let data = made(&state, &request, entry.name).expect("it goes in");
        assert_eq!(data.len() as u64, entry.elements(), "{}", entry.name.name());
    }
}
