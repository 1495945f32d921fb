//! Notes that say why the map stays as it is: they are shown where it does, and it does where they are shown.

use app::i18n::{Key, Language};
use app::state::{Field, State, request_builder, url};
use attention::analysis::Similarity;
use attention::complexity::Count;
use attention::plan::{Operation, Plan};
use attention::reference;
use attention::text::teaching::ROLES;
use ndarray::{Array2, Array3, Axis, s};

const PAGE: &str = include_str!("../../index.html");

fn state(link: &str) -> State {
    let (state, notes) = url::parse(link);
    assert_eq!(notes, [], "{link}");
    state
}

/// Whether the page shows the note of this name, by the condition in the markup.
fn is_shown(note: &str, link: &str) -> bool {
    let state = state(link);
    let (before, _) = PAGE
        .split_once(&format!(" data-t=\"{note}\""))
        .expect("the note");
    let (_, tag) = before.rsplit_once('<').expect("its tag");
    let Some((_, condition)) = tag.split_once(" data-when=\"") else {
        return true;
    };
    let condition = condition.trim_end_matches(|c| c != '"');
    let mut parts = condition.trim_end_matches('"').split("&amp;");
    parts.all(|part| {
        let (key, value) = part.split_once('=').expect("a field and its value");
        let field = Field::from_key(key).expect("a field");
        state.get(field).to_param() == value
    })
}

/// The maps of all heads.
fn maps(link: &str) -> Array3<f64> {
    let request = request_builder::request(&state(link)).expect("a possible state");
    let weights = reference::compute(&request).weights.expect("weights");
    weights.slice(s![0, .., .., ..]).to_owned()
}

/// The map of a head, counted from 1.
fn map(link: &str, head: usize) -> Array2<f64> {
    maps(link).slice(s![head - 1, .., ..]).to_owned()
}

/// How much the weight of a cell changes at most.
fn change(one: &str, other: &str, head: usize) -> f64 {
    let apart = map(one, head) - map(other, head);
    apart.iter().fold(0.0, |most, own| own.abs().max(most))
}

#[test]
fn head_1_stays_where_heads_are_added_and_where_keys_are_shared() {
    for link in [
        "",
        "weights=random",
        "weights=random&seed=7&linformer=1",
        "weights=random&scoring=additive&positions=rotary",
        "positions=none",
    ] {
        let heads = |heads: usize| format!("{link}&heads={heads}");
        for note in ["heads-note", "kv-heads-note"] {
            assert!(is_shown(note, link), "{note}: {link}");
        }
        assert_eq!(change(&heads(2), &heads(8), 1), 0.0, "{link}");
        let shared = |kv_heads: usize| format!("{link}&heads=4&kv_heads={kv_heads}");
        assert_eq!(change(&shared(4), &shared(1), 1), 0.0, "{link}");
    }
    // The exception that the note names.
    assert!(change("positions=alibi&heads=2", "positions=alibi&heads=8", 1) > 0.1);
}

/// Sentences that hand-built heads read.
const TEXTS: [&str; 4] = [
    "The+animal+didn't+cross+the+street+because+it+was+too+tired",
    "Mary+kicked+the+ball+because+she+was+angry",
    "小猫没有过街，因为它太累了。",
    "The+black+cat+saw+it&source=the+big+dog+saw+the+cat",
];

/// How much the weight of a cell changes at most in each of eight heads.
fn changes(one: &str, other: &str) -> Vec<f64> {
    let apart = maps(&format!("heads=8&{one}")) - maps(&format!("heads=8&{other}"));
    let heads = apart.axis_iter(Axis(0));
    heads
        .map(|head| head.iter().fold(0.0, |most, own| own.abs().max(most)))
        .collect()
}

/// The same from one size to another, over [`TEXTS`] and with what is set besides.
fn changes_of_size(sizes: [&str; 2], besides: &[&str]) -> Vec<f64> {
    let mut most = vec![0.0_f64; 8];
    for (text, set) in TEXTS
        .iter()
        .flat_map(|text| besides.iter().map(move |set| (text, set)))
    {
        let [one, other] = sizes.map(|size| format!("text={text}&{set}&{size}"));
        for (most, change) in most.iter_mut().zip(changes(&one, &other)) {
            *most = most.max(change);
        }
    }
    most
}

/// Heads, counted from 1, that change more than `least`.
fn changed(changes: &[f64], least: f64) -> Vec<usize> {
    (1..=8).filter(|head| changes[head - 1] > least).collect()
}

/// Whether a text has the number in every language.
fn names(key: Key, number: usize) -> bool {
    let mut texts = Language::ALL.map(|language| key.text(language)).into_iter();
    texts.all(|text| text.contains(&number.to_string()))
}

#[test]
fn hand_built_heads_keep_their_maps_from_a_size_on_while_scores_are_divided() {
    let besides = [
        "temperature=1",
        "temperature=2",
        "mask=causal",
        "mask=padding&valid=4&hiding=after",
        "seed=5",
    ];
    assert!(names(Key::DKNoteScaled, 16));
    for more in ["d_k=17", "d_k=23", "d_k=32", "d_k=64", "d_k=128"] {
        let changes = changes_of_size(["d_k=16", more], &besides);
        // Codes of words grow longer still.
        assert_eq!(changed(&changes, 1e-3), [3], "{more}");
        assert_eq!(changed(&changes, 0.25), [0; 0], "{more}");
    }
    let below = changes_of_size(["d_k=16", "d_k=4"], &besides[..1]);
    assert_eq!(changed(&below, 0.5), [2, 3, 5, 8], "some have no room");
}

#[test]
fn the_note_on_keeping_maps_is_shown_only_where_they_stay() {
    const NOTE: &str = "d-k-note-scaled";
    assert!(is_shown(NOTE, "") && !is_shown("d-k-note-unscaled", ""));
    let others = [
        "weights=random",
        "positions=rotary",
        "linformer=1",
        "scaled=0",
    ];
    for link in others {
        assert!(!is_shown(NOTE, link), "{link}");
        let changes = changes(&format!("{link}&d_k=16"), &format!("{link}&d_k=128"));
        assert_ne!(changed(&changes, 0.1), [0; 0], "{link}");
    }
    // The exception that the note names: a head with the keys of another one.
    let shared = changes("kv_heads=2&d_k=16", "kv_heads=2&d_k=128");
    assert_ne!(changed(&shared, 0.25), [0; 0]);
}

#[test]
fn the_map_of_head_1_stays_at_every_size_and_undivided_its_row_saturates() {
    let sizes = ["d_k=1", "d_k=2", "d_k=64", "d_k=128"];
    for link in sizes {
        assert!(change("", link, 1) < 1e-3, "{link}");
    }
    // Undivided, the largest weight of “it” grows with the size.
    let undivided = |link: &str| format!("scaled=0&{link}");
    assert!(is_shown("d-k-note-unscaled", "scaled=0"));
    let largest = sizes.map(|link| {
        let row = map(&undivided(link), 1).row(7).to_owned();
        row.into_iter().fold(0.0, f64::max)
    });
    assert!(
        largest.is_sorted() && largest[0] < 0.9 && largest[3] > 0.99,
        "{largest:?}"
    );
}

#[test]
fn doubling_a_wide_embedding_changes_hand_built_heads_hardly_and_random_ones_altogether() {
    let besides = [
        "linformer=0",
        "linformer=1",
        "mask=local&window=2",
        "positions=rotary",
        "scoring=additive",
        "kv_heads=2",
    ];
    assert!(is_shown("d-model-note", "") && is_shown("d-model-note", "linformer=1"));
    assert!(names(Key::DModelNote, 64) && names(Key::DModelNote, 16));
    for wider in ["d_model=128", "d_model=512"] {
        let changes = changes_of_size(["d_model=64", wider], &besides);
        assert_eq!(changed(&changes, 0.01), [0; 0], "{wider}: {changes:?}");
    }
    let narrow = changes_of_size(["d_model=64", "d_model=16"], &besides[..1]);
    assert_eq!(changed(&narrow, 0.1), [2, 3, 5, 8], "places and words blur");
    assert!(!is_shown("d-model-note", "weights=random"));
    assert!(change("weights=random", "weights=random&d_model=512", 1) > 0.01);
}

#[test]
fn hand_built_heads_go_by_classes_of_words_and_not_by_what_a_sentence_says() {
    assert!(is_shown("weights-teaching-note", ""));
    for (one, other) in [("tired", "wide"), ("累", "宽")] {
        for text in TEXTS.iter().filter(|text| text.contains(one)) {
            let other = text.replace(one, other);
            let changes = changes(&format!("text={text}"), &format!("text={other}"));
            assert_eq!(changed(&changes, 0.02), [0; 0], "{other}");
        }
    }
}

#[test]
fn hand_built_heads_of_a_group_grow_alike_and_random_ones_need_not() {
    let alike = |link: &str| {
        let request = request_builder::request(&state(link)).expect("a possible state");
        let weights = reference::compute(&request).weights.expect("weights");
        let weights: Vec<f32> = weights.iter().map(|weight| *weight as f32).collect();
        let keys = request.sizes().keys;
        let found = Similarity::from_weights(&weights, 8, keys);
        let pairs = [(0, 1), (2, 3), (4, 5), (6, 7)];
        let pairs = pairs.map(|(one, other)| found.between(one, other).expect("weights"));
        pairs.iter().sum::<f64>() / 4.0
    };
    for text in TEXTS {
        let link = |kv_heads: usize| format!("heads=8&text={text}&kv_heads={kv_heads}");
        let [own, shared] = [8, 4].map(|kv_heads| alike(&link(kv_heads)));
        assert!(shared > own + 0.1, "{text}: {own}, {shared}");
    }
    let random = |kv_heads: usize| alike(&format!("weights=random&heads=8&kv_heads={kv_heads}"));
    assert!((random(4) - random(8)).abs() < 0.1);
}

#[test]
fn a_local_window_as_wide_as_the_stride_less_1_reaches_every_key_in_two_layers() {
    const N: usize = 29;
    for language in Language::ALL {
        let said = Key::HelpStride.text(language);
        assert!(said.contains("s − 1"), "{said}");
    }
    let reach = |link: &str| {
        let mask = request_builder::mask(&state(link), N);
        let sees = |query: usize, key: usize| request_builder::is_visible(&mask, query, key);
        let in_two = |query: usize, key: usize| (0..N).any(|at| sees(query, at) && sees(at, key));
        let all = (0..N).flat_map(|query| (0..N).map(move |key| (query, key)));
        all.filter(|(query, key)| in_two(*query, *key)).count()
    };
    for stride in 2..=9 {
        let link =
            |window: usize, mask: &str| format!("mask={mask}&stride={stride}&window={window}");
        assert_eq!(reach(&link(stride - 1, "local,strided")), N * N, "{stride}");
        let earlier = N * (N + 1) / 2;
        assert_eq!(
            reach(&link(stride - 1, "causal,local,strided")),
            earlier,
            "{stride}"
        );
    }
    assert!(reach("mask=local,strided&stride=4&window=1") < N * N * 9 / 10);
}

#[test]
fn the_temperature_that_would_stand_for_128_components_is_beyond_its_slider() {
    let (_, notes) = url::parse("temperature=10");
    assert_eq!(notes, []);
    let (_, notes) = url::parse("temperature=11.3");
    assert_eq!(notes.len(), 1);
}

#[test]
fn heads_that_go_by_words_alone_stay_without_positions() {
    const NOTE: &str = "positions-note-none";
    assert!(is_shown(NOTE, "positions=none"));
    for (head, role) in (1..).zip(ROLES) {
        let change = change("heads=8", "heads=8&positions=none", head);
        let is_moved = if role.needs_positions() {
            change > 0.5
        } else {
            change < 1e-3
        };
        assert!(is_moved, "head {head}: {change}");
    }
    let others = [
        "",
        "positions=rotary",
        "positions=none&weights=random",
        "positions=none&scoring=additive",
    ];
    assert!(others.iter().all(|link| !is_shown(NOTE, link)));
    assert!(change("weights=random", "weights=random&positions=none", 1) > 0.01);
}

#[test]
fn a_cell_of_the_softmax_takes_what_the_note_below_the_costs_says() {
    let operations = |link: &str| {
        let request = request_builder::request(&state(link)).expect("a possible state");
        let (plan, cells) = (Plan::full(request.config()), 8 * 11 * 11);
        let mut steps = plan.steps().iter();
        let softmax = steps.find(|step| step.operation == Operation::Softmax);
        Count::from_cost(&softmax.expect("a softmax").cost).other() / cells
    };
    assert_eq!(["heads=8", "heads=8&temperature=2"].map(operations), [5, 6]);
    for (language, one, other) in [
        (
            Language::En,
            "five for each cell",
            "a sixth for a temperature",
        ),
        (Language::Zh, "每个格子五次", "温度不为 1 时再加一次"),
    ] {
        let note = Key::CostStepsNote.text(language);
        assert!(note.contains(one) && note.contains(other), "{note}");
    }
}
