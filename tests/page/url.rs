//! Links: every possible state survives its link, and nothing that a link may hold does harm.

use app::state::imported::{AxisLabels, ImportedData, ImportedTensors, SavedSettings};
use app::state::{
    Action, Cell, Field, Hiding, MaskPart, Masks, Origins, Overrides, Painting, Panels, Part,
    Parts, PositionKind, ScoringKind, SettingError, State, StepKind, Value, overrides, reduce,
    request_builder, snapshot, url,
};
use app::state::{setting::ValueKind, settings::LONGEST_TEXT};
use engine::BackendChoice;
use ndarray::Array3;
use proptest::prelude::*;

/// Parses a fragment, and checks what must hold for any.
fn parse(fragment: &str) -> (State, Vec<url::LinkWarning>) {
    let (state, notes) = url::parse(fragment);
    assert_eq!(state.check_all(), Ok(()), "{fragment:.200}");
    assert!(notes.len() <= 12, "{} notes", notes.len());
    assert!(
        notes
            .iter()
            .all(|note| note.key.chars().count() <= 41 && note.value.chars().count() <= 41)
    );
    assert_eq!(
        url::parse(&url::to_fragment(&state)),
        (state.clone(), vec![]),
        "{fragment:.200}"
    );
    (state, notes)
}

fn with(field: Field, value: Value) -> State {
    let mut state = State::default();
    assert_eq!(state.set(field, value), Ok(()));
    state
}

fn rules(fragment: &str) -> Vec<SettingError> {
    parse(fragment)
        .1
        .into_iter()
        .map(|note| note.rule)
        .collect()
}

#[test]
fn the_default_has_the_shortest_link() {
    assert_eq!(url::to_fragment(&State::default()), "v=1");
    for nothing in ["", "#", "v=1", "#v=1", "&&", "#&"] {
        assert_eq!(parse(nothing), (State::default(), vec![]), "{nothing:?}");
    }
}

#[test]
fn links_are_short_and_readable() {
    let (state, _) = reduce(State::default(), Action::Preset("translation"));
    let (state, _) = reduce(
        state,
        Action::Set(Field::Masks, Value::Names(vec!["local"])),
    );
    let (state, _) = reduce(state, Action::Set(Field::Scaled, Value::Switch(false)));
    assert_eq!(
        url::to_fragment(&state),
        "v=1&text=J'adore+l'apprentissage+automatique&source=I+love+machine+learning&mask=local&scaled=0&head=3&cell=4"
    );
    let chinese = with(Field::Text, Value::Text("小猫 & 它。100%+".to_owned()));
    assert!(url::to_fragment(&chinese).starts_with("v=1&text=小猫+%26+它。100%25%2B"));
}

/// Links that have been in the world: each must mean for ever what it meant.
#[test]
fn links_of_before_mean_what_they_meant() {
    let kept = [
        ("v=1&mask=none&positions=1", State::default()),
        (
            "v=1&mask=causal&scaled=0&positions=0",
            State {
                masks: Masks::from_iter([MaskPart::Causal]),
                scaled: false,
                positions: PositionKind::None,
                ..State::default()
            },
        ),
        (
            "v=1&weights=random&seed=7&heads=6&kv_heads=3&mask=strided&stride=3&head=5&cell=2,3",
            State {
                masks: Masks::from_iter([MaskPart::Strided]),
                stride: 3,
                heads: 6,
                kv_heads: 3,
                head: 4,
                seed: 7,
                origin: app::state::Origin::Random,
                cell: Some(Cell {
                    query: 1,
                    key: Some(2),
                }),
                ..State::default()
            },
        ),
    ];
    for (link, state) in kept {
        assert_eq!(parse(link), (state, vec![]), "{link}");
    }
}

#[test]
fn every_mechanism_has_its_place_in_a_link() {
    let link = "v=1&mask=causal,local,first&first=2&paint=AAAA&hiding=after&scoring=additive\
        &positions=alibi&linformer=1&projected=9&temperature=0.5&step=mask&open=none\
        &against=mask%3Dcausal%26scaled%3D0";
    let (state, notes) = parse(link);
    assert_eq!((url::to_fragment(&state).as_str(), notes), (link, vec![]));
    assert_eq!(
        state.masks,
        Masks::from_iter([MaskPart::Causal, MaskPart::Local, MaskPart::First])
    );
    assert_eq!((state.first, state.paint.at(0, 0)), (2, Some(false)));
    assert_eq!(
        (state.hiding, state.scoring, state.positions),
        (
            Hiding::AfterSoftmax,
            ScoringKind::Additive,
            PositionKind::Alibi
        )
    );
    assert_eq!(
        (state.linformer, state.projected, state.temperature),
        (true, 9, 50)
    );
    assert_eq!(
        (state.step, state.panels, state.overrides.iter().count()),
        (StepKind::Mask, Panels::EMPTY, 2)
    );
}

/// Links of teachers and embeds, as they stand in other people's pages: the same must be shown and locked for ever.
#[test]
fn links_of_embeds_mean_what_they_meant() {
    let parts = |parts: &[Part]| parts.iter().copied().collect::<Parts>();
    let compact = State {
        embed: true,
        ..State::default()
    };
    let kept = [
        ("embed&v=1", compact.clone()),
        ("embed=1", compact.clone()),
        ("v=1&embed", compact.clone()),
        ("embed=0", State::default()),
        (
            "embed&v=1&mask=causal&theme=host&show=map,mask,window&lock=all&origins=https://course.example",
            State {
                masks: Masks::from_iter([MaskPart::Causal]),
                host_theme: true,
                show: Some(parts(&[Part::Map, Part::Mask, Part::Window])),
                lock: parts(&[Part::All]),
                origins: Origins::parse("https://course.example").expect("an origin"),
                ..compact.clone()
            },
        ),
        (
            "v=1&theme=dark&show=map&lock=heads,kv_heads,lang",
            State {
                theme: Some(app::state::Theme::Dark),
                show: Some(parts(&[Part::Map])),
                lock: parts(&[Part::Heads, Part::KvHeads, Part::Language]),
                ..State::default()
            },
        ),
        (
            "embed&v=1&show=all",
            State {
                show: Some(parts(&[Part::All])),
                ..compact
            },
        ),
    ];
    for (link, state) in kept {
        assert_eq!(parse(link), (state, vec![]), "{link}");
    }
}

#[test]
fn an_unknown_name_in_a_list_is_left_out_alone() {
    let (state, notes) = parse("mask=causal,xyz,local&open=cost,xyz&lock=xyz,heads&show=xyz,map");
    assert_eq!(state.masks.names(), ["causal", "local"]);
    assert_eq!(state.panels.names(), ["cost"]);
    assert_eq!(state.lock.names(), ["heads"]);
    assert_eq!(state.show.map(|shown| shown.names()), Some(vec!["map"]));
    let said: Vec<_> = notes
        .iter()
        .map(|note| (&*note.key, &*note.value))
        .collect();
    let expected = ["mask", "open", "show", "lock"].map(|key| (key, "xyz"));
    assert_eq!(said, expected);
    assert_eq!(parse("mask=none,causal").1[0].value, "none");
    // With no name that is known nothing is known of what was meant.
    assert_eq!(parse("open=xyz").0, State::default());
}

#[test]
fn an_embed_is_seen_at_the_beginning_of_its_link() {
    let (state, _) = parse("origins=HTTPS://b.example:443/&lock=heads&show=map&theme=host&embed=1");
    assert_eq!(
        url::to_fragment(&state),
        "embed&v=1&theme=host&show=map&lock=heads&origins=https://b.example"
    );
}

#[test]
fn what_cannot_be_shown_locked_or_let_in_is_named() {
    assert!(matches!(
        rules("show=nothing")[..],
        [SettingError::Names(_)]
    ));
    assert!(matches!(
        rules("lock=reading")[..],
        [SettingError::Names(_)]
    ));
    assert_eq!(rules("embed=yes"), [SettingError::Options(&["0", "1"])]);
    for wrong in [
        "*",
        "null",
        "javascript://x",
        "https://a/b",
        "https://a,",
        "",
    ] {
        assert_eq!(
            rules(&format!("origins={wrong}")),
            [SettingError::Origins],
            "{wrong}"
        );
    }
}

#[test]
fn numbers_with_decimals_are_read_as_people_write_them() {
    for (written, hundredths) in [
        ("0.5", 50),
        (".5", 50),
        ("2", 200),
        ("1.0", 100),
        ("+1.255", 126),
    ] {
        let (state, notes) = parse(&format!("temperature={}", written.replace('+', "%2B")));
        assert_eq!(
            (state.temperature, notes),
            (hundredths, vec![]),
            "{written}"
        );
    }
    for wrong in ["", ".", "1.", "1e2", "0,5", "NaN", "1.2.3"] {
        assert_eq!(
            rules(&format!("temperature={wrong}")),
            [SettingError::Decimal],
            "{wrong}"
        );
    }
    for far in ["0.04", "-1", "-0.5", "10.01", "99999999999999999999"] {
        let range = SettingError::DecimalRange { min: 5, max: 1000 };
        assert_eq!(rules(&format!("temperature={far}")), [range], "{far}");
    }
}

#[test]
fn what_browsers_encode_is_read_all_the_same() {
    let encoded = "#v=1&text=%E5%B0%8F%E7%8C%AB%20%e5%ae%83";
    assert_eq!(parse(encoded).0.text, "小猫 它");
    assert_eq!(parse("text=小猫+它").0, parse(encoded).0);
}

#[test]
fn defaults_follow_what_they_depend_on() {
    assert_eq!(parse("heads=6").0.kv_heads, 6);
    assert_eq!(parse("text=one+two").0.cell, None);
    assert_eq!(parse("cell=none").0.cell, None);
    assert_eq!(
        parse("cell=3,5").0.cell,
        Some(Cell {
            query: 2,
            key: Some(4)
        })
    );
    assert_eq!(parse("source=").0.second.as_deref(), Some(""));
    assert_eq!(parse("source=none").0.second.as_deref(), Some("none"));
    assert_eq!(
        parse("weights=random&heads=16&kv_heads=8&head=16").0.head,
        15
    );
}

#[test]
fn each_damaged_part_is_named_and_left_out() {
    let one = |fragment: &str| {
        let (state, notes) = parse(fragment);
        assert_eq!(state, State::default(), "{fragment}");
        assert_eq!(notes.len(), 1, "{fragment}: {notes:?}");
        let note = notes.into_iter().next().expect("one note");
        (note.key, note.value, note.rule)
    };
    let said = |key: &str, value: &str, rule| (key.to_owned(), value.to_owned(), rule);
    assert_eq!(
        one("d_k=0"),
        said("d_k", "0", SettingError::Range { min: 1, max: 128 })
    );
    assert_eq!(one("d_k=1e3"), said("d_k", "1e3", SettingError::Number));
    assert_eq!(one("d_k="), said("d_k", "", SettingError::Number));
    assert_eq!(one("d_k=NaN"), said("d_k", "NaN", SettingError::Number));
    assert_eq!(one("d_k=١٦"), said("d_k", "١٦", SettingError::Number));
    assert_eq!(
        one("seed=4294967296"),
        said(
            "seed",
            "4294967296",
            SettingError::Range {
                min: 0,
                max: u32::MAX
            }
        )
    );
    assert_eq!(
        one("seed=-1"),
        said(
            "seed",
            "-1",
            SettingError::Range {
                min: 0,
                max: u32::MAX
            }
        )
    );
    assert_eq!(
        one("heads=9"),
        said("heads", "9", SettingError::TeachingHeads { max: 8 })
    );
    assert_eq!(
        one("kv_heads=3"),
        said("kv_heads", "3", SettingError::Divisor { heads: 4 })
    );
    assert_eq!(
        one("head=5"),
        said("head", "5", SettingError::Range { min: 1, max: 4 })
    );
    assert_eq!(
        one("cell=12"),
        said(
            "cell",
            "12",
            SettingError::Cell {
                rows: 11,
                columns: 11
            }
        )
    );
    assert_eq!(one("cell=0"), said("cell", "0", SettingError::CellForm));
    assert_eq!(
        one("cell=1,2,3"),
        said("cell", "1,2,3", SettingError::CellForm)
    );
    assert_eq!(
        one("scaled=yes"),
        said("scaled", "yes", SettingError::Options(&["0", "1"]))
    );
    assert_eq!(
        one("theme=<script>"),
        said(
            "theme",
            "<script>",
            SettingError::Options(&["auto", "light", "dark", "host"])
        )
    );
    let masks = SettingError::Names(&["causal", "padding", "local", "strided", "first"]);
    assert_eq!(one("mask=xyz,"), said("mask", "xyz,", masks));
    assert_eq!(
        one("paint=*"),
        said("paint", "*", SettingError::PaintingForm)
    );
    assert_eq!(
        one("positions=2").2,
        SettingError::Options(&["none", "sinusoidal", "rotary", "rotary_halves", "alibi"])
    );
    assert_eq!(
        one("against=heads%3D17").2,
        SettingError::Range { min: 1, max: 16 }
    );
    assert_eq!(one("against=text%3Dx").2, SettingError::Unknown);
    assert_eq!(
        one("backend=gpu"),
        said(
            "backend",
            "gpu",
            SettingError::Options(&["auto", "cpu", "webgpu"])
        )
    );
    assert_eq!(one("text=%FF"), said("text", "%FF", SettingError::Encoding));
    assert_eq!(
        one("text=100%"),
        said("text", "100%", SettingError::Encoding)
    );
    assert_eq!(one("text=%+1"), said("text", "%+1", SettingError::Encoding));
    assert_eq!(
        one("__proto__=1"),
        said("__proto__", "1", SettingError::Unknown)
    );
    assert_eq!(
        one("v=2"),
        said("v", "2", SettingError::Version { known: 1 })
    );
    assert_eq!(one("v=one"), said("v", "one", SettingError::Number));
}

#[test]
fn a_link_may_say_where_to_compute() {
    for choice in BackendChoice::ALL {
        let state = with(Field::Backend, Value::Choice(choice.name()));
        assert_eq!(state.backend, choice);
        assert_eq!(parse(&url::to_fragment(&state)), (state, vec![]));
    }
    let webgpu = with(Field::Backend, Value::Choice("webgpu"));
    assert_eq!(url::to_fragment(&webgpu), "v=1&backend=webgpu");
    assert_eq!(parse("backend=auto").0, State::default());
}

#[test]
fn the_first_of_repeated_parts_is_taken() {
    let (state, notes) = parse("d_k=8&d_k=32&v=1&v=1");
    assert_eq!(state.d_k, 8);
    assert_eq!(
        notes
            .iter()
            .map(|note| note.rule.clone())
            .collect::<Vec<_>>(),
        [SettingError::Repeated, SettingError::Repeated]
    );
}

#[test]
fn giants_are_refused_and_notes_stay_few() {
    let long = format!("text={}", "x".repeat(LONGEST_TEXT + 1));
    assert_eq!(rules(&long), [SettingError::Long { max: 20_000 }]);
    assert_eq!(
        rules(&"x".repeat(3_000_000)),
        [SettingError::Large { max: 524_288 }]
    );
    let many = rules(&"q=1&".repeat(50_000));
    assert_eq!(
        (many.len(), many.last()),
        (12, Some(&SettingError::More(49_989)))
    );
    let longest = with(Field::Text, Value::Text("𠀀".repeat(LONGEST_TEXT)));
    let encoded: String = longest
        .text
        .bytes()
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    assert_eq!(parse(&format!("text={encoded}&source={encoded}")).1, []);
}

#[test]
fn cut_tokens_leave_the_text_whole() {
    let text = "word ".repeat(1_500);
    let state = with(Field::Text, Value::Text(text.clone()));
    assert_eq!(parse(&url::to_fragment(&state)).0.text, text);
    let sides = request_builder::tokens(&state);
    assert_eq!(
        (sides.queries.words.len(), sides.queries.cut()),
        (1024, 476)
    );
}

/// Any value that a field can have, and some that it cannot.
fn value(field: Field) -> BoxedStrategy<Value> {
    match field.kind() {
        ValueKind::Text => any::<String>().prop_map(Value::Text).boxed(),
        ValueKind::OptionalText => prop_oneof![
            Just(Value::Absent),
            any::<String>().prop_map(Value::Text),
            "[a-z ]{0,20}".prop_map(Value::Text)
        ]
        .boxed(),
        ValueKind::Number { min, max, .. } => prop_oneof![
            (min..=max).prop_map(Value::Number),
            any::<u32>().prop_map(Value::Number)
        ]
        .boxed(),
        ValueKind::Choice(names) => proptest::sample::select(names)
            .prop_map(Value::Choice)
            .boxed(),
        ValueKind::Centi { min, max, .. } => prop_oneof![
            (min..=max).prop_map(Value::Centi),
            any::<u32>().prop_map(Value::Centi)
        ]
        .boxed(),
        ValueKind::Names(names) => some(names).prop_map(Value::Names).boxed(),
        ValueKind::OptionalNames(names) => {
            prop_oneof![Just(Value::Absent), some(names).prop_map(Value::Names)].boxed()
        }
        ValueKind::Origins => origins().prop_map(Value::Origins).boxed(),
        ValueKind::Painting => painting().prop_map(Value::Painting).boxed(),
        ValueKind::Overrides => against().prop_map(Value::Overrides).boxed(),
        ValueKind::Data => {
            prop_oneof![Just(Value::Absent), imported().prop_map(Value::Data)].boxed()
        }
        ValueKind::SavedSettings => Just(Value::SavedSettings(SavedSettings::default())).boxed(),
        ValueKind::Switch => any::<bool>().prop_map(Value::Switch).boxed(),
        ValueKind::Cell => (0..30usize, proptest::option::of(0..30usize))
            .prop_map(|(query, key)| Value::Cell(Cell { query, key }))
            .boxed(),
    }
}

/// Finished weights, or queries, keys and values of other lengths.
fn imported() -> impl Strategy<Value = ImportedData> {
    (1..4usize, 1..5usize, 1..5usize, any::<bool>()).prop_map(|(heads, n, m, is_finished)| {
        let contents = match is_finished {
            true => ImportedTensors::Matrix(Array3::from_elem((heads, n, m), 1.0 / m as f32)),
            false => ImportedTensors::Heads {
                q: Array3::from_elem((heads, n, 3), 0.25),
                k: Array3::from_elem((1, m, 3), 0.5),
                v: Array3::zeros((1, m, 2)),
            },
        };
        ImportedData::new(contents, AxisLabels::default(), "").expect("in order")
    })
}

fn some(names: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    proptest::sample::subsequence(names, 0..=names.len())
}

fn origins() -> impl Strategy<Value = Origins> {
    let origin = "(http|HTTPS)://([a-z0-9-]{1,9}[.])?[a-zA-Z]{1,5}(:[1-9][0-9]{0,3})?";
    proptest::collection::vec(origin, 0..16).prop_map(|origins| {
        if origins.is_empty() {
            return Origins::default();
        }
        Origins::parse(&origins.join(",")).expect("origins")
    })
}

fn painting() -> impl Strategy<Value = Painting> {
    let cell = (0..1026usize, 0..1026usize, any::<bool>());
    let near = (0..12usize, 0..12usize, any::<bool>());
    proptest::collection::vec(prop_oneof![cell, near], 0..40).prop_map(|cells| {
        let mut painting = Painting::default();
        for (query, key, is_visible) in cells {
            painting.set(query, key, Some(is_visible));
        }
        painting
    })
}

fn against() -> impl Strategy<Value = Overrides> {
    let field = proptest::sample::select(overrides::mechanism().collect::<Vec<_>>());
    let setting = field.prop_flat_map(|field| value(field).prop_map(move |value| (field, value)));
    proptest::collection::vec(setting, 0..6).prop_map(|settings| {
        let mut against = Overrides::default();
        for (field, value) in settings {
            against.set(field, Some(value));
        }
        against
    })
}

fn action() -> impl Strategy<Value = Action> {
    let field = proptest::sample::select(&Field::ALL[..]);
    let written = prop_oneof!["-?[0-9]{0,12}", any::<String>()];
    prop_oneof![
        8 => field.clone().prop_flat_map(|field| value(field).prop_map(move |value| Action::Set(field, value))),
        2 => (field.clone(), written).prop_map(|(field, written)| Action::Enter(field, written)),
        1 => field.prop_map(Action::Reset),
        1 => (proptest::sample::select(&["causal", "local", "cost"][..]), any::<bool>())
            .prop_map(|(name, on)| Action::Include(if name == "cost" { Field::Panels } else { Field::Masks }, name, on)),
        2 => (0..15usize, 0..15usize, 0..1100usize, 0..15usize, any::<bool>())
            .prop_map(|(a, b, c, d, is_visible)| Action::Paint { from: (a, b), to: (c, d), is_visible }),
        1 => any::<bool>().prop_map(Action::Cross),
        1 => proptest::sample::select(&["animal", "translation", "rose", "none"][..]).prop_map(Action::Preset),
        1 => Just(Action::NewSeed),
        1 => (any::<i32>(), -3..3).prop_map(|(rows, columns)| Action::Move { rows, columns }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a person does, the state stays possible and survives its link and the way to the worker.
    #[test]
    fn every_state_survives_its_link(actions in proptest::collection::vec(action(), 0..25)) {
        let mut state = State::default();
        for action in actions {
            state = reduce(state, action).0;
            prop_assert_eq!(state.check_all(), Ok(()));
        }
        prop_assert_eq!(url::parse(&url::to_fragment(&state)), (state.clone(), vec![]));
        prop_assert_eq!(snapshot::restore(snapshot::settings(&state)), Ok(state));
    }

    #[test]
    fn any_text_at_all_is_read(fragment in any::<String>()) {
        parse(&fragment);
    }
}

/// A small reproducible source of numbers (Marsaglia's xorshift), so that a failure can be repeated by its number.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

const NASTY: [&str; 28] = [
    "",
    "-1",
    "0",
    "1",
    "3",
    "8",
    "16",
    "17",
    "129",
    "513",
    "4294967295",
    "99999999999999999999999999",
    "1e9",
    "NaN",
    "Infinity",
    "0x10",
    "１６",
    "%00",
    "%F0%9F%91%A9%E2%80%8D",
    "%ED%A0%80",
    "%C0%80",
    "%%%",
    "%4",
    "<img src=x onerror=alert(1)>",
    "a\u{202E}b\u{0}\r\n",
    "none",
    "1,1",
    "random",
];

fn hostile(numbers: &mut Numbers) -> String {
    let mut fragment = String::new();
    for _ in 0..numbers.below(8) {
        let field = Field::ALL[numbers.below(Field::ALL.len())];
        let key = if numbers.below(6) == 0 {
            NASTY[numbers.below(NASTY.len())]
        } else {
            field.key()
        };
        let joint = ["=", "=", "=", "=", "", "==", "&", "=&"][numbers.below(8)];
        let between = ["&", "&", "&", "&&", ";", "#", "?"][numbers.below(7)];
        let value = match (numbers.below(3), field.kind()) {
            (
                0,
                ValueKind::Choice(names)
                | ValueKind::Names(names)
                | ValueKind::OptionalNames(names),
            ) => names[numbers.below(names.len())],
            _ => NASTY[numbers.below(NASTY.len())],
        };
        fragment += &[key, joint, value, between].concat();
    }
    // Damage as a mail program does it: a piece is lost or doubled.
    let cut = numbers.below(fragment.len() + 1);
    let cut = (0..=cut)
        .rev()
        .find(|at| fragment.is_char_boundary(*at))
        .unwrap_or(0);
    match numbers.below(4) {
        0 => fragment[..cut].to_owned(),
        1 => fragment[cut..].repeat(2),
        _ => fragment,
    }
}

#[test]
fn thousands_of_hostile_links_do_no_harm() {
    for seed in 1..=8_000u64 {
        let fragment = hostile(&mut Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let (state, _) = parse(&fragment);
        if seed % 40 == 0 {
            let request = request_builder::request(&state);
            assert!(request.is_ok(), "{fragment:?}: {:?}", request.err());
        }
    }
}

#[test]
fn no_row_is_chosen_by_itself_in_a_step_that_lacks_it() {
    let (state, notes) = parse("linformer=1&step=short_k");
    assert_eq!(
        (state.step, state.cell, notes),
        (StepKind::ShortKeys, None, vec![])
    );
}

#[test]
fn every_preset_is_taken_without_a_notice() {
    use app::state::presets;
    for preset in presets::all() {
        let (state, notices) = reduce(State::default(), Action::Preset(preset.id));
        assert_eq!(notices, [], "{}", preset.id);
        assert_eq!(state.text, preset.text);
        assert_eq!(parse(&url::to_fragment(&state)), (state, vec![]));
    }
}
