//! A request is the same with the cache as without, and what a change does not touch is not made anew.

use ndarray::{Array2, Array3};

use super::*;
use crate::state::imported::{AxisLabels, ImportedTensors, Inputs};
use crate::state::request_builder::lengths;
use crate::state::setting::ValueKind;
use crate::state::{
    Cell, Field, ImportedData, MaskPart, Masks, Origin, Painting, PositionKind, ScoringKind, Value,
};
use attention::text::{Sizes, xavier};

/// Settings that a layer depends on.
const OF_LAYER: [Field; 9] = [
    Field::Data,
    Field::Origin,
    Field::Seed,
    Field::DModel,
    Field::DK,
    Field::Heads,
    Field::KvHeads,
    Field::Scoring,
    Field::Scaled,
];

/// Settings that embeddings depend on.
const OF_ROWS: [Field; 6] = [
    Field::Data,
    Field::Text,
    Field::Second,
    Field::Origin,
    Field::Seed,
    Field::DModel,
];

fn random() -> State {
    State {
        origin: Origin::Random,
        positions: PositionKind::None,
        d_model: 12,
        d_k: 5,
        heads: 6,
        kv_heads: 1,
        ..State::default()
    }
}

fn painting() -> Painting {
    let mut painting = Painting::default();
    painting.set(1, 2, Some(false));
    painting.set(3, 0, Some(true));
    painting
}

/// States in which every part of a request occurs.
fn bases() -> Vec<State> {
    let additive = State {
        scoring: ScoringKind::Additive,
        positions: PositionKind::Rotary,
        ..random()
    };
    let linformer = State {
        linformer: true,
        positions: PositionKind::Alibi,
        ..random()
    };
    let painted = State {
        masks: Masks::from_iter([MaskPart::Causal, MaskPart::Local]),
        paint: painting(),
        second: Some("ten green bottles".to_owned()),
        ..State::default()
    };
    vec![State::default(), random(), additive, linformer, painted]
}

fn imported(contents: ImportedTensors) -> ImportedData {
    ImportedData::new(contents, AxisLabels::default(), "").expect("in order")
}

fn imports() -> Vec<ImportedData> {
    let sizes = Sizes {
        d_model: 7,
        d_k: 3,
        heads: 4,
        kv_heads: 2,
    };
    let inputs = |n| Inputs {
        queries: Array2::from_elem((n, 7), 0.5),
        keys_values: None,
    };
    let layer = |inputs| ImportedTensors::Layer {
        weights: xavier::weights(sizes, 3),
        heads: 4,
        kv_heads: 2,
        inputs,
    };
    let rows = |heads| Array3::from_elem((heads, 5, 3), 0.25);
    let heads = ImportedTensors::Heads {
        q: rows(4),
        k: rows(2),
        v: rows(2),
    };
    [
        layer(None),
        layer(Some(inputs(5))),
        ImportedTensors::Embeddings(inputs(6)),
        heads,
    ]
    .map(imported)
    .into()
}

/// Values of a field, possible or not.
fn values(state: &State, field: Field) -> Vec<Value> {
    let some = |values: &[u32]| -> Vec<Value> {
        values.iter().map(|value| field.of_amount(*value)).collect()
    };
    match field.kind() {
        ValueKind::Text | ValueKind::OptionalText => ["", "ten green bottles", "we saw it there"]
            .map(|text| Value::Text(text.to_owned()))
            .into(),
        ValueKind::Number { .. } => {
            let stops = state.stops(field);
            some(&stops[..stops.len().min(9)])
                .into_iter()
                .chain(some(&[7]))
                .collect()
        }
        ValueKind::Centi { stops, .. } => some(stops),
        ValueKind::Choice(names) => names.iter().map(|name| Value::Choice(name)).collect(),
        ValueKind::Names(names) | ValueKind::OptionalNames(names) => (0..=names.len())
            .map(|most| Value::Names(names[..most].to_vec()))
            .collect(),
        ValueKind::Switch => vec![Value::Switch(false), Value::Switch(true)],
        ValueKind::Cell => [Some(1), None]
            .map(|key| Value::Cell(Cell { query: 1, key }))
            .into(),
        ValueKind::Painting => vec![
            Value::Painting(Painting::default()),
            Value::Painting(painting()),
        ],
        ValueKind::Data => imports().into_iter().map(Value::Data).collect(),
        ValueKind::Overrides | ValueKind::Origins | ValueKind::SavedSettings => Vec::new(),
    }
}

/// Every state that differs from `base` in one setting, with that setting.
fn changed(base: &State) -> Vec<(Field, State)> {
    let mut all = Vec::new();
    for field in Field::ALL {
        for value in values(base, field) {
            let mut state = base.clone();
            if state.set(field, value).is_ok() && state != *base {
                all.push((field, state));
            }
        }
    }
    all
}

#[test]
fn every_request_is_the_same_with_the_cache_as_without() {
    let mut cache = RequestCache::default();
    for base in bases() {
        let of_base = cache.request(&base).expect("possible");
        let all = changed(&base);
        let is_changed = |field: &Field| all.iter().any(|(other, _)| other == field);
        let unchanged = Field::ALL.into_iter().filter(|field| !is_changed(field));
        assert!(unchanged.count() <= 5, "nearly every setting is tried");
        for (field, state) in all {
            let fresh = RequestCache::default().request(&state);
            assert_eq!(cache.request(&state), fresh, "{field:?} of {state:?}");
            assert_eq!(cache.request(&base).as_ref(), Ok(&of_base), "{field:?}");
        }
    }
}

#[test]
fn a_layer_and_rows_stay_while_nothing_changes_that_they_depend_on() {
    for base in bases() {
        let mut seen = Vec::new();
        let possible = changed(&base).into_iter();
        let has_layer =
            |state: &State| LayerKey::new(state).and_then(|key| key.layer(None)).is_ok();
        for (field, state) in possible.filter(|(_, state)| has_layer(state)) {
            let mut cache = RequestCache::default();
            let of = |cache: &mut RequestCache, state: &State| {
                let layer = cache.layer(state).expect("possible");
                (layer, cache.rows(state).expect("possible"))
            };
            let (layer, rows) = of(&mut cache, &base);
            let (other_layer, other_rows) = of(&mut cache, &state);
            let is_same = (
                Arc::ptr_eq(&layer, &other_layer),
                Arc::ptr_eq(&rows, &other_rows),
            );
            // Their kind of position stands in a layer, and without Linformer's columns there is one more.
            let may_change_layer =
                OF_LAYER.contains(&field) || matches!(field, Field::Positions | Field::Linformer);
            assert!(is_same.0 || may_change_layer, "{field:?}");
            assert!(is_same.1 || OF_ROWS.contains(&field), "{field:?}");
            seen.extend((!is_same.0).then_some((field, "layer")));
            seen.extend((!is_same.1).then_some((field, "rows")));
        }
        if base == random() {
            let of_layer = OF_LAYER.map(|field| (field, "layer"));
            let of_rows = OF_ROWS.map(|field| (field, "rows"));
            let all = of_layer.iter().chain(&of_rows);
            assert!(all.clone().all(|one| seen.contains(one)), "{seen:?}");
        }
    }
}

#[test]
fn a_layer_with_another_scale_has_the_weights_of_the_first() {
    let mut cache = RequestCache::default();
    let scaled = cache.layer(&random()).expect("possible");
    let state = State {
        scaled: false,
        ..random()
    };
    let other = cache.layer(&state).expect("possible");
    assert_ne!(*scaled, *other);
    assert_eq!(scaled.weights(), other.weights());
}

#[test]
fn both_settings_of_a_comparison_keep_their_layers_while_one_of_their_settings_moves() {
    let mut cache = RequestCache::default();
    let sides = [random(), State { d_k: 9, ..random() }];
    let layers = |cache: &mut RequestCache, temperature| {
        sides.clone().map(|side| {
            let state = State {
                temperature,
                ..side
            };
            cache.request(&state).expect("possible");
            cache.layer(&state).expect("possible")
        })
    };
    let first = layers(&mut cache, 100);
    for temperature in 101..120 {
        let later = layers(&mut cache, temperature);
        assert!(first.iter().zip(&later).all(|(a, b)| Arc::ptr_eq(a, b)));
    }
    // While A's heads are changed, B keeps its layer.
    for heads in 1..6 {
        let a = State {
            heads,
            kv_heads: heads,
            ..random()
        };
        cache.request(&a).expect("possible");
        let b = cache.layer(&sides[1]).expect("possible");
        assert!(Arc::ptr_eq(&b, &first[1]), "{heads}");
    }
}

#[test]
fn painted_cells_and_linformers_matrices_come_from_the_cache() {
    let mut cache = RequestCache::default();
    for base in bases() {
        let colder = State {
            temperature: 50,
            ..base.clone()
        };
        let lengths = lengths(&base);
        let (mask, key) = (
            MaskKey::new(&base, lengths),
            LinformerKey::new(&base, lengths.1),
        );
        // Others than would be made, so that it shows which are used.
        let other = key.map(|key| LinformerKey { seed: 1, ..key }.matrices());
        cache.masks.insert(mask.clone(), Mask::Causal, 1);
        for (key, other) in key.into_iter().zip(&other) {
            cache.linformers.insert(key, other.clone(), 1);
        }
        let request = cache.request(&colder).expect("possible");
        assert_eq!(request.call().linformer, other);
        assert_eq!(mask.has_cells(), !base.paint.is_empty());
        assert_eq!(
            request.call().mask == Mask::Causal,
            mask.has_cells(),
            "{base:?}"
        );
    }
}
