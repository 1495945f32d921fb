//! Both settings of a comparison.

use super::*;
use crate::state::{SettingError, request_builder, url};
use attention::analysis::Collector;
use attention::plan::WeightRow;
use attention::reference;

fn state(fragment: &str) -> State {
    let (state, notes) = url::parse(fragment);
    assert_eq!(notes, [], "{fragment}");
    state
}

fn done(state: &State, action: ComparisonAction) -> State {
    let (state, notices) = reduce(state.clone(), Action::Compare(action));
    assert_eq!((notices, state.check_all()), (vec![], Ok(())));
    state
}

fn edited(state: &State, field: Field, written: &str) -> State {
    let enter = Action::Enter(field, written.to_owned());
    done(state, ComparisonAction::Edit(Box::new(enter)))
}

#[test]
fn b_is_a_with_what_it_has_of_its_own() {
    let a = state("d_k=8&against=mask%3Dcausal%26scaled%3D0");
    let b = variant(&a);
    assert_eq!(b, state("d_k=8&mask=causal&scaled=0"));
    let fields: Vec<Field> = diff(&a, &b).iter().map(|both| both.field).collect();
    assert_eq!(fields, [Field::Masks, Field::Scaled]);
    assert_eq!(variant(&b), b);
}

#[test]
fn what_b_has_as_a_is_dropped_when_b_is_edited() {
    let a = State::default();
    let one = edited(&edited(&a, Field::DK, "32"), Field::Scaled, "0");
    assert_eq!(one.overrides.to_param(), "d_k=32&scaled=0");
    assert_eq!(
        edited(&one, Field::DK, "16").overrides.to_param(),
        "scaled=0"
    );
    assert_eq!(
        edited(&edited(&one, Field::DK, "16"), Field::Scaled, "1"),
        a
    );
}

#[test]
fn nothing_is_dropped_while_a_moves_past_b() {
    let a = edited(&State::default(), Field::DK, "32");
    let moved = |state, d_k| reduce(state, Action::Set(Field::DK, Value::Number(d_k))).0;
    let same = moved(a.clone(), 32);
    assert_eq!(diff(&same, &variant(&same)), []);
    assert_eq!(moved(same, 16), a);
    let many = state("weights=random&heads=2&against=heads%3D12%26kv_heads%3D6");
    assert_eq!((variant(&many).heads, variant(&many).kv_heads), (12, 6));
    let teaching = Action::Set(Field::Origin, Value::Choice("teaching"));
    let (few, notices) = reduce(many.clone(), teaching);
    assert_eq!((variant(&few).heads, notices), (8, vec![]));
    assert_eq!(few.overrides, many.overrides);
}

#[test]
fn heads_of_b_bring_their_keys_and_values_along() {
    let a = edited(&State::default(), Field::Heads, "6");
    assert_eq!(a.overrides.to_param(), "heads=6&kv_heads=6");
    assert_eq!((variant(&a).kv_heads, head_of(&variant(&a), 5)), (6, 5));
    let few = edited(&state("head=4"), Field::Heads, "2");
    assert_eq!(head_of(&variant(&few), few.head), 1);
}

#[test]
fn what_is_not_of_the_mechanism_stays_as_in_a() {
    let a = edited(&State::default(), Field::Scaled, "0");
    for (field, written) in [
        (Field::Text, "two words"),
        (Field::Seed, "7"),
        (Field::DModel, "8"),
    ] {
        assert_eq!(edited(&a, field, written), a, "{field:?}");
    }
}

#[test]
fn what_b_cannot_have_is_moved_and_told() {
    let enter = Action::Enter(Field::KvHeads, "3".to_owned());
    let action = Action::Compare(ComparisonAction::Edit(Box::new(enter)));
    let (after, notices) = reduce(State::default(), action);
    assert_eq!(after.overrides.to_param(), "kv_heads=2");
    assert_eq!(notices[0].rule, SettingError::Divisor { heads: 4 });
}

#[test]
fn swapped_twice_is_as_before_and_taken_is_alone() {
    let a = state("text=one+two+three&d_k=8&against=mask%3Dcausal%26d_k%3D64&open=compare");
    let swapped = done(&a, ComparisonAction::Swap);
    assert_eq!(
        (swapped.d_k, swapped.overrides.to_param()),
        (64, "d_k=8&mask=none".to_owned())
    );
    assert_eq!(done(&swapped, ComparisonAction::Swap), a);
    assert_eq!(done(&a, ComparisonAction::Take), variant(&a));
    assert_eq!(
        done(&a, ComparisonAction::Same).overrides,
        Overrides::default()
    );
}

#[test]
fn every_comparison_differs_in_what_it_is_named_after_and_is_known_again() {
    let texts = [
        "",
        "weights=random&heads=1&mask=local,padding&positions=alibi&linformer=1",
        "text=one+two&heads=8&kv_heads=2&head=5&scaled=0&scoring=additive&temperature=3",
    ];
    for (from, set_up) in texts
        .iter()
        .flat_map(|from| ComparisonPreset::ALL.map(|one| (from, one)))
    {
        let shown = done(
            &state(from),
            ComparisonAction::Preset(set_up, Box::new(state(from))),
        );
        let fields: Vec<Field> = diff(&shown, &variant(&shown))
            .iter()
            .map(|both| both.field)
            .collect();
        let wanted = match set_up {
            ComparisonPreset::Causal | ComparisonPreset::Local | ComparisonPreset::Strided => {
                Field::Masks
            }
            ComparisonPreset::Scaled => Field::Scaled,
            ComparisonPreset::Additive => Field::Scoring,
            ComparisonPreset::Linformer => Field::Linformer,
            ComparisonPreset::MultiQuery => Field::KvHeads,
            ComparisonPreset::Positions => Field::Positions,
        };
        assert_eq!(fields, [wanted], "{set_up:?} from {from}");
        assert_eq!(ComparisonPreset::shown(&shown), Some(set_up), "{from}");
        assert_eq!(
            done(
                &shown,
                ComparisonAction::Preset(set_up, Box::new(shown.clone()))
            ),
            shown
        );
        let link = url::to_fragment(&shown);
        assert_eq!(state(&link), shown);
    }
    assert_eq!(ComparisonPreset::shown(&State::default()), None);
}

/// Mean entropy of the chosen head, as a share of that of even weights.
fn spread(state: &State) -> f64 {
    let request = request_builder::request(state).expect("a possible state");
    let weights = reference::compute(&request).weights.expect("always");
    let mut collector = Collector::new(request.sizes());
    let weights = weights.index_axis(ndarray::Axis(0), 0);
    for (head, rows) in weights.outer_iter().enumerate() {
        for (query, row) in rows.outer_iter().enumerate() {
            let row: Vec<f32> = row.iter().map(|weight| *weight as f32).collect();
            let keys = row.len();
            collector.row(&WeightRow {
                batch: 0,
                head,
                query,
                weights: &row,
                support: 0..keys,
            });
        }
    }
    let stats = collector.finish().remove(0);
    stats[state.head].entropy_mean / (request.sizes().keys as f64).ln()
}

/// Each preset shows its effect at the opening sentence.
#[test]
fn comparisons_show_what_they_are_for() {
    let both = |set_up: ComparisonPreset| {
        let a = set_up.apply_to(&State::default());
        let b = variant(&a);
        (spread(&a), spread(&b))
    };
    let (scaled, raw) = both(ComparisonPreset::Scaled);
    assert!(scaled > 0.85 && raw < 0.3, "{scaled} {raw}");
    let (full, causal) = both(ComparisonPreset::Causal);
    assert!(causal < full, "{full} {causal}");
    let (with, without) = both(ComparisonPreset::Positions);
    assert!(with + 0.2 < without, "{with} {without}");
}

#[test]
fn a_computation_of_b_has_no_look() {
    let a = state("head=3&cell=2,2&lang=zh&step=scores&open=compare,steps&against=scaled%3D0");
    let looked = state("head=2&cell=1&colours=greys&open=compare&against=scaled%3D0");
    let computed = |a: &State| url::to_fragment(&compute_state(&variant(a)));
    assert_eq!(computed(&a), computed(&looked));
    assert_eq!(computed(&a), "v=1&scaled=0&cell=none&open=compare");
}
