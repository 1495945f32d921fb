//! From the page's settings to what is computed: every combination of mechanisms is possible, and masks are what they say.

use app::state::{
    Action, Cell, Field, Hiding, MaskPart, Masks, Panel, Panels, PositionKind, ScoringKind, State,
    StepKind, Value, reduce, request_builder, steps, url,
};
use attention::{Mask, Position, Request, Scoring, reference};

fn request(state: &State) -> Request {
    request_builder::request(state).unwrap_or_else(|error| panic!("{state:?}: {error}"))
}

fn small() -> State {
    State {
        text: "one small cat, one".to_owned(),
        cell: None,
        d_model: 9,
        d_k: 3,
        heads: 4,
        kv_heads: 2,
        ..State::default()
    }
}

/// Which keys each query sees, one row a string.
fn picture(state: &State) -> Vec<String> {
    let (rows, columns) = request_builder::lengths(state);
    let mask = request_builder::mask(state, columns);
    let cell = |query, key| {
        if request_builder::is_visible(&mask, query, key) {
            '1'
        } else {
            '.'
        }
    };
    (0..rows)
        .map(|query| (0..columns).map(|key| cell(query, key)).collect())
        .collect()
}

fn masked(parts: &[MaskPart]) -> State {
    State {
        masks: parts.iter().copied().collect(),
        valid: 4,
        window: 0,
        stride: 3,
        first: 1,
        ..small()
    }
}

#[test]
fn masks_hide_together_and_local_strided_and_first_show_together() {
    use MaskPart::{Causal, First, Local, Padding, Strided};
    let seen = |parts: &[MaskPart]| picture(&masked(parts));
    assert_eq!(seen(&[]), ["11111"; 5]);
    assert_eq!(seen(&[First]), ["11111"; 5]);
    assert_eq!(seen(&[Padding]), ["1111."; 5]);
    assert_eq!(
        seen(&[Causal, First]),
        ["1....", "11...", "111..", "1111.", "11111"]
    );
    assert_eq!(
        seen(&[Local, First]),
        ["1....", "11...", "1.1..", "1..1.", "1...1"]
    );
    assert_eq!(
        seen(&[Local, Strided]),
        ["1..1.", ".1..1", "..1..", "1..1.", ".1..1"]
    );
    assert_eq!(
        seen(&[Causal, Padding, Local, Strided, First]),
        ["1....", "11...", "1.1..", "1..1.", "11..."]
    );
}

#[test]
fn padding_hides_rows_too_where_queries_are_the_same_tokens() {
    let padded = State {
        pad_rows: true,
        ..masked(&[MaskPart::Padding])
    };
    assert_eq!(
        picture(&padded),
        ["1111.", "1111.", "1111.", "1111.", "....."]
    );
    let trace = reference::compute(&request(&padded));
    let weights = trace.weights.as_ref().expect("weights are wanted");
    let last = weights.slice(ndarray::s![0, .., 4, ..]);
    assert!(last.iter().all(|weight| *weight == 0.0));
    // Queries of another text end elsewhere; without padding there is nothing to hide.
    let cross = State {
        second: Some("a b c d e f".to_owned()),
        ..padded.clone()
    };
    assert_eq!(picture(&cross), ["1111.."; 5]);
    let open = State {
        masks: Masks::EMPTY,
        ..padded.clone()
    };
    assert_eq!(picture(&open), ["11111"; 5]);
    let long = State {
        valid: 1000,
        ..padded
    };
    assert_eq!(picture(&long), ["11111"; 5]);
    request(&long);
}

#[test]
fn paint_lies_over_every_rule() {
    let stroke = |state, from, to, is_visible| {
        let action = Action::Paint {
            from,
            to,
            is_visible,
        };
        reduce(state, action).0
    };
    let state = stroke(masked(&[MaskPart::Local]), (0, 0), (0, 4), true);
    let state = stroke(state, (2, 2), (2, 2), false);
    assert_eq!(
        picture(&state),
        ["11111", ".1...", ".....", "...1.", "....1"]
    );
    let config = request(&state).config().to_owned();
    assert_eq!(
        request_builder::mask(&state, 5).empty_rows(&config.sizes),
        1
    );
}

#[test]
fn a_valid_length_beyond_the_text_hides_nothing_and_is_no_error() {
    let long = State {
        valid: 1000,
        first: 64,
        ..masked(&[MaskPart::Padding, MaskPart::Local, MaskPart::First])
    };
    assert_eq!(picture(&long), ["11111"; 5]);
    request(&long);
}

/// Every state that the mechanisms make.
fn every_mechanism() -> Vec<State> {
    let mut states = vec![];
    for scoring in ScoringKind::ALL {
        for positions in PositionKind::ALL {
            for hiding in Hiding::ALL {
                for linformer in [false, true] {
                    for masks in [Masks::EMPTY, Masks::from_iter([MaskPart::Causal])] {
                        states.push(State {
                            scoring,
                            positions,
                            hiding,
                            linformer,
                            masks,
                            scaled: false,
                            temperature: 50,
                            projected: 7,
                            ..small()
                        });
                    }
                }
            }
        }
    }
    states
}

#[test]
fn every_combination_of_mechanisms_can_be_computed() {
    for state in every_mechanism() {
        let request = request(&state);
        let config = request.config();
        let (rows, columns) = request_builder::shape(&state);
        assert_eq!((config.sizes.n, config.sizes.keys), (rows, columns));
        assert_eq!(&steps::config(&state), config, "{state:?}");
        assert_eq!(config.linformer, state.linformer);
        let has_mask = !state.linformer && !state.masks.is_empty();
        let is_added = state.hiding == Hiding::Added;
        assert_eq!(config.masked, has_mask && !is_added);
        assert_eq!(config.bias_matrices, (has_mask && is_added).then_some(1));
        assert_eq!(config.temperature, 0.5);
        let is_additive = state.scoring == ScoringKind::Additive;
        assert_eq!(config.scoring == Scoring::Additive, is_additive);
        let alibi = matches!(config.position, Position::Alibi { .. });
        assert_eq!(
            alibi,
            state.positions == PositionKind::Alibi && !state.linformer
        );
        let trace = reference::compute(&request);
        assert!(
            trace
                .weights
                .iter()
                .flatten()
                .all(|weight| weight.is_finite()),
            "{state:?}"
        );
    }
}

#[test]
fn linformer_has_no_mask_and_keeps_it_for_later() {
    let state = State {
        linformer: true,
        ..masked(&[MaskPart::Causal])
    };
    assert_eq!(request_builder::mask(&state, 4), Mask::Full);
    let (state, _) = reduce(state, Action::Set(Field::Linformer, Value::Switch(false)));
    assert_eq!(request_builder::mask(&state, 5), Mask::Causal);
}

#[test]
fn more_is_computed_only_where_it_is_looked_at() {
    let closed = State {
        panels: Panels::EMPTY,
        ..small()
    };
    assert!(!request_builder::needs_parts(&closed));
    let looked = [
        State {
            step: StepKind::Scores,
            ..closed.clone()
        },
        State {
            panels: Panels::EMPTY.with(Panel::Streaming, true),
            ..closed.clone()
        },
        State {
            cell: Some(Cell {
                query: 1,
                key: Some(2),
            }),
            ..closed.clone()
        },
    ];
    for state in looked {
        assert!(request_builder::needs_parts(&state), "{state:?}");
        assert!(!request_builder::same_computation(&closed, &state));
        assert!(
            request_builder::same_computation(&state, &closed),
            "less is wanted"
        );
        let other_head = State {
            head: 1,
            ..state.clone()
        };
        assert!(
            !request_builder::same_computation(&state, &other_head),
            "parts are of one head"
        );
    }
    let other_head = State {
        head: 1,
        ..closed.clone()
    };
    assert!(request_builder::same_computation(&closed, &other_head));
}

#[test]
fn where_numbers_are_computed_and_how_they_look_makes_no_others() {
    let of = |link: &str| url::parse(link).0;
    let (one, cpu, dark, other) = (
        of("text=a+b"),
        of("text=a+b&backend=cpu"),
        of("text=a+b&theme=dark"),
        of("text=a+b&seed=5&weights=random"),
    );
    assert!(!request_builder::same_computation(&one, &cpu));
    assert!(request_builder::same_anywhere(&one, &cpu));
    assert!(!request_builder::same_anywhere(&cpu, &other));
    assert!(one.looks_as(&cpu) && one.looks_as(&other));
    assert!(!one.looks_as(&dark) && !one.looks_as(&of("text=a+b&heads=2&head=2")));
}
