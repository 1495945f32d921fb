//! Valid messages, and thousands of hostile ones.

use std::borrow::Cow;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::js_tree::JsTree;
use crate::state::external_settings::{self, SettingInput};
use crate::state::{Cell, State, Theme};

fn message(entries: &[(&'static str, JsTree)]) -> JsTree {
    let own = [
        ("source", JsTree::text(SOURCE)),
        ("v", JsTree::Number(1.0)),
        ("id", JsTree::Number(7.0)),
    ];
    let entries = own.into_iter().chain(entries.iter().cloned());
    JsTree::Record(
        entries
            .map(|(name, data)| (Cow::Borrowed(name), data))
            .collect(),
    )
}

fn command(entries: &[(&'static str, JsTree)]) -> Result<Command, (&'static str, String)> {
    let read = read(&message(entries)).expect("a message of ours");
    read.map(|message| {
        assert_eq!(message.id, Some(Id::Number(7.0)));
        message.command
    })
    .map_err(|refusal| {
        assert!(!refusal.message.is_empty());
        (refusal.code, refusal.field)
    })
}

fn named(name: &str) -> (&'static str, JsTree) {
    ("type", JsTree::text(name))
}

#[test]
fn what_can_be_asked_for_is_read() {
    let settings = JsTree::record([
        ("heads", JsTree::Number(4.0)),
        ("temperature", JsTree::Number(0.5)),
        ("scaled", JsTree::Flag(false)),
        (
            "mask",
            JsTree::List(vec![JsTree::text("causal"), JsTree::text("local")]),
        ),
        ("source", JsTree::Absent),
        ("text", JsTree::text("a & b = c")),
    ]);
    let given = |key: &str, value: Option<&str>| SettingInput {
        key: key.to_owned(),
        value: value.map(str::to_owned),
    };
    let expected = vec![
        given("heads", Some("4")),
        given("temperature", Some("0.5")),
        given("scaled", Some("0")),
        given("mask", Some("causal,local")),
        given("source", None),
        given("text", Some("a & b = c")),
    ];
    assert_eq!(
        command(&[named("set"), ("settings", settings)]),
        Ok(Command::Set(expected))
    );
    let fragment = JsTree::text("v=1&heads=2");
    assert_eq!(
        command(&[named("set"), ("fragment", fragment)]),
        Ok(Command::Restore("v=1&heads=2".to_owned()))
    );
    let cell = JsTree::record([("query", JsTree::index(7)), ("key", JsTree::index(1))]);
    let expected = Cell {
        query: 7,
        key: Some(1),
    };
    assert_eq!(
        command(&[named("select"), ("cell", cell)]),
        Ok(Command::Select(Some(expected)))
    );
    assert_eq!(command(&[named("select")]), Ok(Command::Select(None)));
    assert_eq!(command(&[named("get")]), Ok(Command::Get));
    assert_eq!(command(&[named("hello")]), Ok(Command::Hello));
    assert_eq!(
        command(&[named("theme"), ("theme", JsTree::text("dark"))]),
        Ok(Command::Theme(Some(Theme::Dark)))
    );
    assert_eq!(
        command(&[named("theme"), ("theme", JsTree::text("auto"))]),
        Ok(Command::Theme(None))
    );
}

/// A message, and the code and field that it is refused with.
type Refused<'a> = (&'a [(&'static str, JsTree)], &'a str, &'a str);

#[test]
fn what_cannot_be_is_refused_by_code_and_field() {
    let one = |name, data| JsTree::record([(name, data)]);
    let settings = |data| [named("set"), ("settings", data)];
    let cell = |data| [named("select"), ("cell", data)];
    let refused: [Refused<'_>; 16] = [
        (&[], "missing_field", "type"),
        (&[named("delete")], "unknown_type", "type"),
        (&[("type", JsTree::Number(1.0))], "unknown_type", "type"),
        (&[named("set")], "missing_field", "settings"),
        (&settings(JsTree::text("heads=4")), "wrong_type", "settings"),
        (
            &settings(JsTree::TooLarge("a text that is too long")),
            "too_large",
            "settings",
        ),
        (
            &settings(one("heads", JsTree::Number(f64::NAN))),
            "not_finite",
            "heads",
        ),
        (
            &settings(one("heads", JsTree::record([]))),
            "wrong_type",
            "heads",
        ),
        (
            &settings(one("text", JsTree::TooLarge("a text that is too long"))),
            "too_large",
            "text",
        ),
        (
            &settings(one("origins", JsTree::text("https://a.example"))),
            "not_allowed",
            "origins",
        ),
        (
            &[
                named("set"),
                ("settings", JsTree::record([])),
                ("fragment", JsTree::text("")),
            ],
            "not_applicable",
            "fragment",
        ),
        (
            &[named("set"), ("fragment", JsTree::Other("a date"))],
            "wrong_type",
            "fragment",
        ),
        (&cell(JsTree::text("8,2")), "wrong_type", "cell"),
        (
            &cell(one("key", JsTree::index(1))),
            "missing_field",
            "query",
        ),
        (
            &cell(one("query", JsTree::Number(0.5))),
            "out_of_range",
            "query",
        ),
        (
            &[named("theme"), ("theme", JsTree::text("pink"))],
            "unknown_option",
            "theme",
        ),
    ];
    for (entries, code, field) in refused {
        assert_eq!(
            command(entries),
            Err((code, field.to_owned())),
            "{entries:?}"
        );
    }
}

#[test]
fn other_versions_are_refused_and_other_messages_are_none_of_our_business() {
    let with = |version: JsTree| {
        JsTree::record([
            ("source", JsTree::text(SOURCE)),
            ("v", version),
            ("type", JsTree::text("get")),
        ])
    };
    let code = |data: &JsTree| read(data).expect("ours").map_err(|refusal| refusal.code);
    assert!(code(&with(JsTree::Number(1.0))).is_ok());
    for version in [
        JsTree::Number(2.0),
        JsTree::Number(f64::NAN),
        JsTree::text("1"),
        JsTree::Other("a date"),
    ] {
        assert_eq!(code(&with(version)), Err("unknown_version"));
    }
    assert_eq!(code(&with(JsTree::Absent)), Err("missing_field"));
    assert_eq!(
        code(&JsTree::TooLarge("a text that is too long")),
        Err("too_large")
    );
    for other in [
        JsTree::Absent,
        JsTree::text(SOURCE),
        JsTree::record([("source", JsTree::text("somebody else"))]),
        JsTree::record([("type", JsTree::text("get"))]),
        JsTree::List(vec![JsTree::text(SOURCE)]),
    ] {
        assert_eq!(read(&other), None);
    }
}

#[test]
fn settings_come_back_as_they_are_said() {
    let written =
        "heads=6&mask=causal,local&temperature=0.5&scaled=0&source=deux+mots&cell=2,1&paint=+1.2";
    let (state, _) = external_settings::apply_written(&State::default(), written);
    let settings = Snapshot::from_state(&state).data();
    let answer = message(&[named("set"), ("settings", settings.get("settings").clone())]);
    let Some(Ok(Message {
        command: Command::Set(settings),
        ..
    })) = read(&answer)
    else {
        panic!("settings are taken as they are given")
    };
    assert_eq!(
        external_settings::apply(&State::default(), &settings),
        (state, vec![])
    );
}

/// 10,000 messages that nobody would write, each with some part of one that somebody would.
#[test]
fn hostile_messages_are_refused_or_mean_something_possible() {
    let mut random = ChaCha8Rng::seed_from_u64(2026);
    let mut state = State::default();
    let mut counts = [0; 3];
    for _ in 0..10_000 {
        let data = hostile(&mut random);
        let command = match read(&data) {
            None => {
                counts[0] += 1;
                continue;
            }
            Some(Err(refusal)) => {
                assert!(!refusal.code.is_empty() && !refusal.message.is_empty());
                let answer = Outgoing::Refused(&refusal).data();
                assert_eq!(*answer.get("type"), JsTree::text("refused"));
                counts[1] += 1;
                continue;
            }
            Some(Ok(Message { command, .. })) => command,
        };
        counts[2] += 1;
        let (after, notes) = match command {
            Command::Set(settings) => external_settings::apply(&state, &settings),
            Command::Restore(fragment) => {
                let (restored, notes) = crate::state::url::parse(&fragment);
                (external_settings::laid_out_as(restored, &state), notes)
            }
            _ => continue,
        };
        assert_eq!(after.check_all(), Ok(()), "{data:?}");
        let answer = Outgoing::Reply(None, &notes).data();
        assert!(matches!(answer.get("refused"), JsTree::List(list) if list.len() == notes.len()));
        assert_eq!(after.origins, state.origins);
        state = after;
    }
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

fn pick<'a, T>(random: &mut ChaCha8Rng, of: &'a [T]) -> &'a T {
    &of[random.next_u32() as usize % of.len()]
}

fn hostile(random: &mut ChaCha8Rng) -> JsTree {
    const TYPES: [&str; 6] = ["hello", "get", "set", "set", "select", "theme"];
    const NAMES: [&str; 10] = [
        "source",
        "v",
        "type",
        "id",
        "settings",
        "fragment",
        "cell",
        "theme",
        "__proto__",
        "toString",
    ];
    let mut entries = vec![];
    for name in NAMES {
        let usual = match name {
            "source" => JsTree::text(SOURCE),
            "v" => JsTree::Number(1.0),
            "type" => JsTree::text(pick::<&str>(random, &TYPES)),
            _ => JsTree::Absent,
        };
        let data = match random.next_u32() % 12 {
            0 => odd(random, 3),
            1 | 2 => match name {
                "settings" => settings_of(random),
                "fragment" => JsTree::Text(text(random)),
                _ => usual,
            },
            _ if name == "settings" && random.next_u32().is_multiple_of(3) => settings_of(random),
            _ => usual,
        };
        entries.push((Cow::Borrowed(name), data));
    }
    JsTree::Record(entries)
}

fn settings_of(random: &mut ChaCha8Rng) -> JsTree {
    let entries = (0..random.next_u32() % 6).map(|_| {
        let field = pick(random, &crate::state::Field::ALL).key();
        let key = match random.next_u32() % 8 {
            0 => text(random),
            _ => field.to_owned(),
        };
        (Cow::Owned(key), odd(random, 1))
    });
    JsTree::Record(entries.collect())
}

fn odd(random: &mut ChaCha8Rng, depth: u32) -> JsTree {
    const NUMBERS: [f64; 12] = [
        0.0,
        1.0,
        -1.0,
        3.0,
        0.5,
        1e300,
        -1e300,
        f64::NAN,
        f64::INFINITY,
        f64::MIN_POSITIVE,
        4_294_967_296.0,
        -0.0,
    ];
    match random.next_u32() % 9 {
        0 => JsTree::Absent,
        1 => JsTree::Flag(random.next_u32().is_multiple_of(2)),
        2 | 3 => JsTree::Number(*pick(random, &NUMBERS)),
        4 => JsTree::Text(text(random)),
        5 => JsTree::TooLarge("a text that is too long"),
        6 if depth > 0 => JsTree::List(
            (0..random.next_u32() % 4)
                .map(|_| odd(random, depth - 1))
                .collect(),
        ),
        7 if depth > 0 => {
            let entries = (0..random.next_u32() % 4)
                .map(|_| (Cow::Owned(text(random)), odd(random, depth - 1)));
            JsTree::Record(entries.collect())
        }
        _ => JsTree::Other("a date"),
    }
}

fn text(random: &mut ChaCha8Rng) -> String {
    const PIECES: [&str; 16] = [
        "causal",
        "none",
        "1",
        "&",
        "=",
        "%",
        "%ff",
        ",",
        "heads=2",
        "v=1",
        "\u{0}",
        "猫",
        "\u{202e}",
        "-1",
        "constructor",
        "https://a.example",
    ];
    (0..random.next_u32() % 7)
        .map(|_| *pick(random, &PIECES))
        .collect()
}
