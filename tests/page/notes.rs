//! Notes that say why the map stays as it is: they are shown where it does, and it does where they are shown.

use attention::reference;
use attention::text::teaching::ROLES;
use attention_playground::state::{Field, State, request_builder, url};
use ndarray::{Array2, s};

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

/// The map of a head, counted from 1.
fn map(link: &str, head: usize) -> Array2<f64> {
    let request = request_builder::request(&state(link)).expect("a possible state");
    let weights = reference::compute(&request).weights.expect("weights");
    weights.slice(s![0, head - 1, .., ..]).to_owned()
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

#[test]
fn hand_built_heads_keep_their_sharpness_while_scores_are_divided() {
    let sizes = ["d_k=2", "d_k=64", "d_k=128"];
    assert!(is_shown("d-k-note-scaled", "") && !is_shown("d-k-note-unscaled", ""));
    for link in sizes {
        assert!(change("", link, 1) < 1e-3, "{link}");
    }
    let random = |link: &str| format!("weights=random&{link}");
    assert!(!is_shown("d-k-note-scaled", &random("")));
    assert!(
        sizes
            .iter()
            .all(|link| change(&random(""), &random(link), 1) > 0.01)
    );
    // Undivided, the largest weight of “it” grows with the size.
    let undivided = |link: &str| format!("scaled=0&{link}");
    assert!(is_shown("d-k-note-unscaled", "scaled=0") && !is_shown("d-k-note-scaled", "scaled=0"));
    let largest = sizes.map(|link| {
        let row = map(&undivided(link), 1).row(7).to_owned();
        row.into_iter().fold(0.0, f64::max)
    });
    assert!(
        largest.is_sorted() && largest[0] < 0.9 && largest[2] > 0.99,
        "{largest:?}"
    );
}

#[test]
fn a_wider_embedding_changes_hand_built_heads_hardly_and_random_ones_altogether() {
    assert!(is_shown("d-model-note", ""));
    for head in 1..=8 {
        assert!(
            change("heads=8", "heads=8&d_model=512", head) < 1e-3,
            "head {head}"
        );
    }
    assert!(!is_shown("d-model-note", "weights=random"));
    assert!(change("weights=random", "weights=random&d_model=512", 1) > 0.01);
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
