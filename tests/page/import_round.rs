//! Files that the page writes can be imported again: *Save all* in every format, into a fresh page.

use crate::common::place::Place;
use app::export::tensors::{Name, TensorFile, for_state};
use app::import::{FileSetting, Line, TensorAssignment, Why, lines, open};
use app::state::imported::ImportedKind;
use app::state::{Action, Field, MaskPart, State, presets, reduce, request_builder, steps, url};
use attention::Outputs;
use formats::{Kind as Format, Limits, Tensor, read, write};

fn state(fragment: &str) -> State {
    let (state, notes) = url::parse(&format!("v=1&{fragment}"));
    assert!(notes.is_empty(), "{notes:?}");
    state
}

/// The numbers of a tensor that a run of `state` gives, for every head.
fn computed(state: &State, names: &[Name]) -> Vec<Vec<f32>> {
    let wanted = names.iter().filter_map(|name| name.want());
    let want = wanted.fold(Outputs::NOTHING, Outputs::with);
    let request = request_builder::request_for(state, want).expect("a state through the door");
    let trace = Place::Cpu.compute(&request).trace;
    let numbers = |name: &Name| {
        let four = match name {
            Name::Q => &trace.q,
            Name::K => &trace.k,
            Name::V => &trace.v,
            Name::Scores => &trace.scores,
            Name::Weights => &trace.weights,
            Name::Context => &trace.context,
            _ => return trace.output.iter().flatten().copied().collect(),
        };
        four.iter().flatten().copied().collect()
    };
    names.iter().map(numbers).collect()
}

/// *Save all* of a state.
fn saved(state: &State) -> Vec<Tensor> {
    let entries = for_state(state, &steps::config(state));
    let file = TensorFile::new(state, &entries, None, Format::Npz).expect("there are some");
    let numbers = computed(state, &file.results());
    file.tensors(numbers).expect("they are those of the state")
}

/// The state of a fresh page with these tensors, and what its dialog lists.
fn imported(tensors: &[Tensor]) -> (State, Vec<Line>, Why) {
    let reading = TensorAssignment::guess(tensors);
    let result = open(tensors, &reading, "attention.npz");
    let lines = lines(tensors, &reading, &result);
    let opened = result.expect("the page has written it");
    let settings = opened.settings.iter().flat_map(FileSetting::values);
    let taken = Action::Import(opened.imported, settings.collect());
    let (state, notices) = reduce(State::default(), taken);
    assert_eq!(notices, []);
    (state, lines, reading.why)
}

const WHOLE: [&str; 17] = [
    "text=the+cat+sat+on+the+mat&heads=2&weights=random&mask=causal&positions=none",
    "text=the+cat+sat+on+the+mat&heads=3&weights=random&d_k=5&d_model=24&positions=sinusoidal&seed=8",
    "text=the+cat+sat+on+the+mat&heads=4&positions=none",
    "text=the+cat+sat+on+the+mat&heads=4&mask=causal,padding&valid=4&pad_rows=1",
    "text=a+b+c+d+e&heads=6&kv_heads=2&weights=random&mask=local&window=1&positions=sinusoidal",
    "text=a+b+c&source=d+e+f+g+h&heads=2&weights=random&mask=padding&valid=3&positions=none",
    "text=a+b+c+d&heads=3&weights=random&scoring=additive&d_model=12&mask=causal",
    "text=a+b+c+d+e&heads=2&weights=random&d_k=5&positions=rotary&temperature=0.5",
    "text=a+b+c&source=d+e+f+g+h&heads=2&weights=random&d_k=5&positions=rotary_halves&align=last&mask=causal",
    "text=a+b+c+d+e&source=f+g+h&heads=2&weights=random&align=last&mask=causal",
    "text=a+b+c&source=d+e+f+g+h&heads=2&weights=random&align=last&positions=alibi",
    "text=a+b+c+d+e&heads=6&weights=random&positions=alibi&mask=causal&scaled=0&temperature=2.15",
    "text=a+b+c+d+e&weights=random&positions=none&mask=causal&hiding=written",
    "text=a+b+c+d+e&weights=random&positions=none&mask=causal,padding&valid=3&hiding=after",
    "text=a+b+c+d+e&weights=random&positions=none&mask=local&window=1&hiding=added",
    "text=a+b+c+d+e&weights=random&linformer=1&projected=2&seed=7",
    "text=a+b+c&source=d+e+f+g+h&weights=random&positions=rotary&d_k=4&linformer=1&projected=3",
];

/// A layer that a model has learned, with what is put upon it.
fn learned(more: &str) -> String {
    let preset = presets::by_id("learned").expect("an example");
    let text = preset.text.replace(' ', "+");
    format!("text={text}&{}{more}", preset.settings)
}

#[test]
fn all_tensors_give_the_same_heads_mask_and_weights() {
    let learned = ["", "&mask=causal"].map(learned);
    for fragment in WHOLE.into_iter().chain(learned.iter().map(String::as_str)) {
        let before = state(fragment);
        let tensors = saved(&before);
        for format in [Format::Npz, Format::Safetensors, Format::Json] {
            let bytes = write(format, &tensors);
            let tensors =
                read("attention", &bytes, &Limits::default()).expect("it was written here");
            let (after, ..) = imported(&tensors);
            assert_eq!(
                after.imported.as_ref().map(|own| own.kind()),
                Some(ImportedKind::Layer)
            );
            let sizes = |state: &State| {
                (
                    state.heads,
                    state.kv_heads,
                    state.d_k,
                    request_builder::lengths(state),
                )
            };
            assert_eq!(sizes(&after), sizes(&before), "{fragment}");
            let [own, other] =
                [&before, &after].map(|state| computed(state, &[Name::Weights, Name::Output]));
            for (own, other) in own.iter().zip(&other) {
                assert_eq!(own.len(), other.len(), "{fragment}");
                let largest = own.iter().fold(1.0_f32, |most, own| most.max(own.abs()));
                let mut pairs = own.iter().zip(other);
                assert!(
                    pairs.all(|(own, other)| (own - other).abs() <= 2e-5 * largest),
                    "{fragment} {format:?}"
                );
            }
        }
    }
}

/// The inputs of a run suffice; the results in the file are for other readers.
#[test]
fn only_results_are_not_used() {
    let before = state(
        "text=a+b+c&weights=random&temperature=0.5&positions=rotary&d_k=4&linformer=1&projected=2",
    );
    let tensors = saved(&before);
    let (_, lines, reason) = imported(&tensors);
    assert_eq!(reason, Why::Saved);
    let unused = lines.iter().filter_map(|line| match line {
        Line::Unused { tensor, .. } => Some(tensors[*tensor].name.as_str()),
        _ => None,
    });
    let unused: Vec<&str> = unused.collect();
    let results = ["q", "k", "v", "scores", "weights", "context", "output"];
    assert_eq!(unused, [&["e", "f"][..], &results].concat());
}

#[test]
fn locked_settings_stay_as_they_are_beside_numbers_of_a_file() {
    let tensors = saved(&state(
        "text=a+b+c&weights=random&mask=causal&temperature=0.5",
    ));
    let reading = TensorAssignment::guess(&tensors);
    let opened = open(&tensors, &reading, "attention.npz").expect("the page has written it");
    let settings = opened.settings.iter().flat_map(FileSetting::values);
    let taken = Action::Import(opened.imported, settings.collect());
    let (after, notices) = reduce(state("lock=temperature"), taken);
    assert!(after.imported.is_some() && after.masks.contains(MaskPart::Causal));
    assert_eq!(after.temperature, 100);
    let fields: Vec<Field> = notices.iter().map(|notice| notice.field).collect();
    assert_eq!(fields, [Field::Temperature]);
}

/// A file of anybody may have tensors of these names with other numbers.
#[test]
fn settings_that_are_not_those_of_the_page_are_not_used() {
    let before = state("text=a+b+c&weights=random&positions=alibi&scaled=0&temperature=0.5");
    let mut tensors = saved(&before);
    for tensor in &mut tensors {
        match tensor.name.as_str() {
            "alibi" => tensor.data[0] += 0.25,
            "scale" => tensor.data[0] = 3.0,
            "temperature" => tensor.data[0] = 1e9,
            _ => {}
        }
    }
    let (after, lines, _) = imported(&tensors);
    assert_eq!((after.temperature, after.scaled), (100, true));
    let is_setting = |line: &Line| matches!(line, Line::Setting { .. });
    assert!(!lines.iter().any(is_setting), "{lines:?}");
}

#[test]
fn one_map_saved_alone_comes_back_with_its_words() {
    let before = state("text=the+cat+sat&heads=2&weights=random");
    let weights = saved(&before).into_iter().find(|own| own.name == "weights");
    let weights = [weights.expect("there are some")];
    for format in [Format::Csv, Format::Json] {
        let bytes = write(format, &weights);
        let tensors =
            read("attention-weights", &bytes, &Limits::default()).expect("it was written here");
        let (after, ..) = imported(&tensors);
        let words = request_builder::tokens(&after).queries.words;
        assert_eq!(words, ["the", "cat", "sat"], "{format:?}");
    }
}
