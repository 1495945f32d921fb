//! Tests of reducing actions.

use super::*;
use crate::state::SettingError;
use crate::state::{Alignment, MapView, MaskPart, Masks, Origin, StepKind, steps};

fn after(actions: impl IntoIterator<Item = Action>) -> (State, Vec<Adjustment>) {
    actions.into_iter().fold(
        (State::default(), Vec::new()),
        |(state, mut notices), action| {
            let (state, new) = reduce(state, action);
            assert_eq!(state.check_all(), Ok(()));
            notices.extend(new);
            (state, notices)
        },
    )
}

fn number(field: Field, number: u32) -> Action {
    Action::Set(field, Value::Number(number))
}

#[test]
fn key_value_heads_stay_one_each_or_become_a_divisor() {
    let (state, notices) = after([number(Field::Heads, 6)]);
    assert_eq!((state.heads, state.kv_heads, notices), (6, 6, vec![]));
    let (state, notices) = after([number(Field::KvHeads, 2), number(Field::Heads, 5)]);
    assert_eq!((state.heads, state.kv_heads), (5, 1));
    assert_eq!(
        notices,
        [Adjustment {
            field: Field::KvHeads,
            asked: "2".to_owned(),
            became: Value::Number(1),
            rule: SettingError::Divisor { heads: 5 }
        }]
    );
}

#[test]
fn teaching_heads_are_eight_at_most() {
    let random = Action::Set(Field::Origin, Value::Choice("random"));
    let teaching = Action::Set(Field::Origin, Value::Choice("teaching"));
    let (state, notices) = after([
        random,
        number(Field::Heads, 12),
        number(Field::Head, 11),
        teaching,
    ]);
    assert_eq!(
        (state.origin, state.heads, state.kv_heads, state.head),
        (Origin::Teaching, 8, 8, 7)
    );
    let fields: Vec<Field> = notices.iter().map(|notice| notice.field).collect();
    assert_eq!(fields, [Field::Heads]);
    assert_eq!(notices[0].rule, SettingError::TeachingHeads { max: 8 });
}

#[test]
fn typed_numbers_become_possible_or_are_left() {
    for (written, d_model, rule) in [
        ("33", 33, None),
        (
            "99999999999999999999",
            512,
            Some(SettingError::Range { min: 4, max: 512 }),
        ),
        ("-7", 4, Some(SettingError::Range { min: 4, max: 512 })),
        ("1e3", 64, Some(SettingError::Number)),
        ("", 64, Some(SettingError::Number)),
    ] {
        let (state, notices) = after([Action::Enter(Field::DModel, written.to_owned())]);
        assert_eq!(state.d_model, d_model, "{written}");
        assert_eq!(
            notices.first().map(|notice| notice.rule.clone()),
            rule,
            "{written}"
        );
    }
    let (state, _) = after([Action::Enter(Field::KvHeads, "3".to_owned())]);
    assert_eq!(state.kv_heads, 2);
}

#[test]
fn a_preset_brings_its_texts_and_settings() {
    let (state, notices) = after([Action::Preset("translation")]);
    assert_eq!(state.second.as_deref(), Some("I love machine learning"));
    assert_eq!(
        (state.head, state.cell),
        (
            2,
            Some(Cell {
                query: 3,
                key: None
            })
        )
    );
    assert_eq!(notices, []);
    assert_eq!(
        after([Action::Preset("translation"), Action::Preset("animal")]).0,
        State::default()
    );
}

#[test]
fn what_a_preset_sets_leaves_with_it() {
    for preset in presets::all() {
        let (state, notices) = after([Action::Preset(preset.id), Action::Preset("animal")]);
        assert_eq!(
            (state, notices),
            (State::default(), vec![]),
            "{}",
            preset.id
        );
    }
    let of = |id| after([Action::Preset(id)]).0;
    let step = of("decoding-step");
    assert_eq!(
        (step.alignment, step.masks),
        (Alignment::Last, Masks::from_iter([MaskPart::Causal]))
    );
    assert_eq!(of("padding-left").rule, "padding left 3");
    assert_eq!(of("packed-documents").rule, "documents 4, 2");
    assert_eq!(of("image-neighbours").rule, "image 6×6 kernel 3");
}

#[test]
fn the_standard_settings_keep_language_theme_panels_and_what_is_locked() {
    let kept = "open=cost&lang=zh&theme=dark&lock=d_k&show=all&d_k=4";
    let (state, notes) = url::parse(&format!(
        "text=a+b&source=c&seed=7&mask=causal&colours=greys&backend=cpu&against=scaled%3D0&{kept}"
    ));
    assert_eq!(notes, []);
    let (state, notices) = reduce(state, Action::Standard(Language::En));
    assert_eq!((state, notices), (url::parse(kept).0, vec![]));
    for language in Language::ALL {
        let (state, _) = after([Action::Standard(language)]);
        let panels = State::default().panels;
        let standard = initial::standard(language).clone();
        assert_eq!(state, State { panels, ..standard });
        let (locked, _) = reduce(url::parse("lock=d_k").0, Action::Standard(language));
        assert_eq!(locked.origin, Origin::Teaching);
    }
}

#[test]
fn a_preset_leaves_nothing_of_another_setting_behind() {
    let looks = "colours=greys&open=cost&lang=zh&theme=dark&backend=cpu&code=jax";
    let link = format!("seed=7&d_k=8&mask=causal&heads=2&kv_heads=1&paint=AAAA&step=q&{looks}");
    let (state, notes) = url::parse(&format!("{link}&against=scaled%3D0"));
    assert_eq!(notes, []);
    let (state, notices) = reduce(state, Action::Preset("rose"));
    let (alone, _) = reduce(State::default(), Action::Preset("rose"));
    let (looks, _) = url::parse(&format!("{looks}&against=scaled%3D0"));
    let mut expected = alone;
    for field in Field::ALL.into_iter().filter(|field| !field.is_of_preset()) {
        expected.copy(field, &looks);
    }
    assert_eq!((state, notices), (expected, vec![]));
}

#[test]
fn the_cell_moves_to_the_edges_and_goes_with_its_text() {
    let to = |rows, columns| Action::Move { rows, columns };
    assert_eq!(
        after([to(-1, 0)]).0.cell,
        Some(Cell {
            query: 6,
            key: None
        })
    );
    assert_eq!(
        after([to(0, 1), to(i32::MAX, i32::MAX)]).0.cell,
        Some(Cell {
            query: 10,
            key: Some(10)
        })
    );
    assert_eq!(
        after([to(i32::MIN, i32::MIN)]).0.cell,
        Some(Cell {
            query: 0,
            key: Some(0)
        })
    );
    let (state, notices) = after([Action::Set(Field::Text, Value::Text("one two".to_owned()))]);
    assert_eq!((state.cell, notices), (None, vec![]));
    let (state, _) = after([
        Action::Set(Field::Text, Value::Text(String::new())),
        to(1, 1),
    ]);
    assert_eq!(state.cell, None);
}

#[test]
fn curves_are_shown_until_a_step_is_chosen() {
    let link = "step=q&d_k=2&cell=2,2";
    let view = |view: MapView| Action::Set(Field::View, Value::Choice(view.name()));
    let (state, notices) = reduce(url::parse(link).0, view(MapView::Curves));
    assert_eq!((steps::shown(&state), notices), (StepKind::Weights, vec![]));
    // The column was one of the queries, not a key.
    let row = Cell {
        query: 1,
        key: None,
    };
    assert_eq!(state.cell, Some(row));
    let (back, _) = reduce(state.clone(), view(MapView::Map));
    assert_eq!(steps::shown(&back), StepKind::Queries);
    let (other, _) = reduce(state, Action::Enter(Field::Step, "weights".to_owned()));
    assert_eq!((other.view, other.step), (MapView::Map, StepKind::Weights));
}

#[test]
fn long_texts_are_cut() {
    let long = "x".repeat(LONGEST_TEXT + 3);
    let (state, notices) = after([Action::Set(Field::Text, Value::Text(long))]);
    assert_eq!(state.text.len(), LONGEST_TEXT);
    assert!(notices[0].asked.chars().count() < 60);
}

#[test]
fn cross_attention_begins_with_a_pair_or_with_a_copy_of_what_was_written() {
    let texts = |state: &State| (state.text.clone(), state.second.clone());
    let pair =
        |id| presets::by_id(id).map(|pair| (pair.text.to_owned(), pair.source.map(str::to_owned)));
    let (state, notices) = after([Action::Cross(true)]);
    assert_eq!(
        (Some(texts(&state)), notices),
        (pair("translation"), vec![])
    );
    let (state, _) = after([Action::Preset("chinese-it"), Action::Cross(true)]);
    assert_eq!(Some(texts(&state)), pair("chinese-translation"));
    let own = Action::Set(Field::Text, Value::Text("my own words".to_owned()));
    let (state, _) = after([own, Action::Cross(true)]);
    assert_eq!(state.second.as_ref(), Some(&state.text));
    let (state, _) = reduce(state, Action::Cross(false));
    assert_eq!((state.text.as_str(), state.second), ("my own words", None));
}

#[test]
fn resets_and_new_seeds() {
    let changes = [
        number(Field::DK, 3),
        Action::Include(Field::Masks, "causal", true),
        Action::NewSeed,
    ];
    let (state, _) = after(changes.clone());
    assert_eq!(
        (state.d_k, state.masks, state.seed),
        (3, Masks::from_iter([MaskPart::Causal]), 995)
    );
    let resets = [Field::DK, Field::Masks, Field::Seed].map(Action::Reset);
    assert_eq!(after(changes.into_iter().chain(resets)).0, State::default());
    let mut seeds: Vec<u32> = std::iter::successors(Some(7), |seed| Some(next_seed(*seed)))
        .take(10_000)
        .collect();
    seeds.sort_unstable();
    assert_eq!(seeds, (0..10_000).collect::<Vec<_>>());
}

#[test]
fn other_heads_are_looked_at_from_the_first() {
    let hand_built = Action::Set(Field::Origin, Value::Choice(Origin::Teaching.name()));
    for (link, head) in [
        ("weights=learned&head=3", 0),
        ("weights=learned&head=3&lock=small", 2),
        ("weights=random&head=3", 2),
    ] {
        let (state, notices) = reduce(url::parse(link).0, hand_built.clone());
        assert_eq!((state.head, notices), (head, vec![]), "{link}");
    }
}
