//! Tests of the captions of hand-built heads against their weights.

use super::*;
use crate::present::reading::{Look, look};
use crate::present::run::tests::computed;
use crate::state::presets;
use attention::analysis::EVEN;

const ANGRY: &str = "text=Mary+kicked+the+ball+because+she+was+angry&heads=8&";

/// English caption of a head of a link; the head counts from 1.
fn said(link: &str, head: usize) -> String {
    let run = computed(link);
    caption(&run, head - 1, Language::En).expect("a hand-built head")
}

fn angry(settings: &str, head: usize) -> String {
    said(&format!("{ANGRY}{settings}"), head)
}

#[test]
fn a_role_is_said_where_the_weights_show_it() {
    let statements = ROLES.map(|role| statement(role, false).text(Language::En).to_owned());
    let text = "text=The+big+animal+saw+the+street+because+it+was+tired&heads=8";
    let found = [1, 2, 3, 4, 5, 6, 7, 8].map(|head| said(text, head));
    assert_eq!(found, statements);
}

#[test]
fn the_next_token_that_a_mask_hides_is_not_looked_at() {
    assert_eq!(
        angry("mask=causal", 5),
        "looks at itself (built for: next token)"
    );
}

#[test]
fn a_mixture_is_no_token() {
    for head in 1..=8 {
        let found = angry("linformer=1", head);
        assert!(
            found.ends_with("; but columns are mixtures of tokens here)"),
            "{found}"
        );
    }
    assert!(angry("linformer=1", 4).starts_with("one key: “"));
}

#[test]
fn a_head_without_room_is_not_said_to_do_its_work() {
    assert_eq!(
        angry("d_k=1&d_model=4", 2),
        "spread evenly (built for: previous token)"
    );
}

#[test]
fn a_high_temperature_leaves_no_role() {
    assert_eq!(
        angry("temperature=10", 2),
        "no clear pattern (built for: previous token)"
    );
}

#[test]
fn rotary_positions_spoil_what_is_compared() {
    let found = angry("positions=rotary", 8);
    assert!(
        found.ends_with("(built for: modifier → noun; needs sinusoidal positions)"),
        "{found}"
    );
    for head in [3, 6] {
        let run = computed(&format!("{ANGRY}positions=rotary"));
        let found = angry("positions=rotary", head);
        let why = Key::RoleWhyRotary.text(Language::En);
        assert_eq!(!run.shows_role(head - 1), found.contains(why), "{found}");
    }
}

#[test]
fn what_is_said_holds_for_the_rows_that_a_role_is_not_made_for() {
    let run = computed(&format!("{ANGRY}head=8"));
    assert!(matches!(look(&run, 7, 3), Look::At(0, weight) if weight > 0.5));
    let found = angry("", 8);
    assert_eq!(found, Key::RoleModifierToNoun.text(Language::En));
    assert!(found.ends_with("other words rest on the first token."));
}

#[test]
fn between_two_texts_no_token_is_before_another() {
    let found = angry("source=Mary+saw+the+ball+and+she+was+tired", 2);
    assert_eq!(
        found,
        "query i → key i − 1 (built for: previous token; needs one text)"
    );
}

#[test]
fn a_long_text_says_that_places_repeat() {
    let words: Vec<String> = (0..238).map(|at| format!("w{at}")).collect();
    let link = format!("heads=8&text={}", words.join("+"));
    let run = computed(&link);
    for head in [2, 4, 5, 7] {
        let found = said(&link, head);
        let repeats = found.contains("nearly the same");
        assert_eq!(repeats, run.shows_role(head - 1), "{found}");
        assert!(repeats || found.contains("(built for: "), "{found}");
    }
    assert!(said(&link, 2).contains("nearly the same"));
}

#[test]
fn a_head_that_shares_keys_says_whose() {
    assert!(
        angry("kv_heads=2", 2)
            .ends_with("(built for: previous token; but it shares the keys of head 1)")
    );
}

#[test]
fn without_repeated_words_a_head_is_not_said_to_link_them() {
    assert_eq!(
        said("text=the+cat+sat+down", 3),
        "looks at itself (built for: same word)"
    );
    assert_eq!(
        said("text=the+cat+sat+down", 1),
        "spread evenly (built for: pronoun → noun)"
    );
}

#[test]
fn only_hand_built_heads_have_a_role() {
    let random = computed("weights=random");
    assert_eq!(caption(&random, 0, Language::En), None);
    assert_eq!(short(&random, 0, Language::En), None);
    assert_eq!(built(&State::default(), 4), None, "no such head");
}

#[test]
fn every_preset_opens_on_a_head_that_does_its_work_and_a_row_that_shows_it() {
    for preset in presets::all() {
        let mut link = format!("text={}&{}", preset.text, preset.settings);
        if let Some(source) = preset.source {
            link = format!("{link}&source={source}");
        }
        let run = computed(&link.replace(' ', "+"));
        let row = run.state.cell.expect("a row").query;
        assert!(
            run.shows_role(run.state.head) || run.learned().is_some(),
            "{}",
            preset.id
        );
        let keys = run.keys.len() as f32;
        assert!(
            matches!(look(&run, run.state.head, row), Look::At(_, weight) | Look::Tied(_, weight) if weight * keys > 2.5),
            "{}: {:.2?}",
            preset.id,
            run.row(run.state.head, row)
        );
    }
}

#[test]
fn words_alone_look_at_themselves_in_one_text_and_spread_evenly_between_two() {
    let (own, pair) = (
        "heads=3&text=the+cat+sat+on+the+mat",
        "&source=le+chat+noir",
    );
    let plain = |link: &str| said(link, 3);
    assert!(plain(own).ends_with("; a word without a counterpart looks at itself."));
    assert!(
        plain(&format!("{own}{pair}")).ends_with("; words without a counterpart spread evenly.")
    );
    assert_eq!(
        plain(&format!("{own}&mask=local&window=2")),
        "looks at itself (built for: same word)"
    );
    let causal = computed(&format!("{own}&mask=causal"));
    let found = caption(&causal, 2, Language::Zh).expect("a hand-built head");
    assert!(
        found.ends_with("看向自己。例外：6 行中有 1 行。"),
        "{found}"
    );
}

#[test]
fn a_head_that_does_its_work_where_it_can_is_not_said_to_be_built_for_another() {
    let few =
        "heads=3&text=The+big+animal+saw+the+street+because+it+was+tired&mask=padding&valid=4";
    assert_eq!(said(few, 3), "same word");
}

/// Whether what is said of a head is untrue of a row, read off its weights and words alone.
fn is_exception(run: &Run, head: usize, role: Role, query: usize) -> bool {
    const NOUNS: [&str; 9] = [
        "animal", "street", "mary", "ball", "dog", "cat", "mat", "猫", "街",
    ];
    const PRONOUNS: [&str; 3] = ["it", "she", "它"];
    const MODIFIERS: [&str; 5] = ["the", "big", "black", "le", "小"];
    let is_pair = run.state.second.is_some();
    let lower = |word: &str| word.to_lowercase();
    // Both characters of a word stand for it.
    let meaning = |word: &str| match word {
        "有" => "没".to_owned(),
        "为" => "因".to_owned(),
        _ => lower(word),
    };
    let is_in = |list: &[&str], word: &str| list.contains(&lower(word).as_str());
    let is_noun = |key: usize| is_in(&NOUNS, run.key(key));
    let (word, row) = (run.query(query), run.row(head, query));
    let most = row.iter().copied().fold(0.0, f32::max);
    let near: Vec<usize> = (0..row.len())
        .filter(|key| row[*key] > 0.99 * most)
        .collect();
    let at = |wanted: usize| most > 0.0 && near == [wanted];
    let sees = |key: usize| !run.seen.masked.is_hidden(query, key);
    let is_even = || {
        let entropy: f64 = row
            .iter()
            .filter(|own| **own > 0.0)
            .map(|own| -f64::from(*own) * f64::from(*own).ln())
            .sum();
        let seen = (0..row.len()).filter(|key| sees(*key)).count();
        seen == 1 || seen > 1 && entropy >= EVEN * (seen as f64).ln()
    };
    let on_nouns = || most > 0.0 && near.iter().all(|key| is_noun(*key));
    let alike = |key: &usize| meaning(run.key(*key)) == meaning(word) && (*key != query || is_pair);
    let others: Vec<usize> = (0..row.len()).filter(alike).collect();
    match role {
        Role::Previous => query > 0 && !at(query - 1),
        Role::Next => query + 1 < run.queries.len() && !at(query + 1),
        Role::First => !at(0),
        Role::Itself => !at(query),
        Role::Nouns => !on_nouns(),
        Role::PronounToNoun if is_in(&PRONOUNS, word) => !on_nouns(),
        Role::PronounToNoun => !is_even(),
        Role::ModifierToNoun if is_in(&MODIFIERS, word) => {
            !(query..row.len()).find(|key| is_noun(*key)).is_some_and(at)
        }
        Role::ModifierToNoun => !at(0),
        Role::SameWord if word.chars().all(|sign| "，。,".contains(sign)) => !is_even(),
        Role::SameWord if others.is_empty() && is_pair => !is_even(),
        Role::SameWord if others.is_empty() => !at(query),
        Role::SameWord => {
            let all: f32 = others.iter().map(|key| row[*key]).sum();
            let own = if is_pair { 0.0 } else { row[query] };
            most <= 0.0
                || all < own / 2.0
                || near
                    .iter()
                    .any(|key| !others.contains(key) && *key != query)
        }
    }
}

/// Number of rows that the caption lists as exceptions; `None` if the caption does not state the
/// role.
fn exceptions(run: &Run, head: usize) -> Option<usize> {
    let found = caption(run, head, Language::En).expect("a hand-built head");
    let role = statement(ROLES[head], run.state.second.is_some()).text(Language::En);
    let rest = found.strip_prefix(role)?;
    let count = rest.strip_prefix(" Exceptions: ").map(|rest| {
        let (count, rest) = rest.split_once(' ').expect("a number");
        assert_eq!(rest, format!("of {} rows.", run.queries.len()));
        count.parse().expect("a number")
    });
    Some(count.unwrap_or_default())
}

const TEXTS: [&str; 7] = [
    "The+animal+didn't+cross+the+street+because+it+was+too+tired",
    "Mary+kicked+the+ball+because+she+was+angry",
    "the+cat+sat+on+the+mat",
    "The+big+animal+and+the+dog+saw+the+animal+,+and+it+saw+the+dog",
    "小猫没有过街，因为它太累了。",
    "Mary+kicked+the+ball&source=Mary+saw+the+ball+and+she+was+tired",
    "the+black+cat+saw+it&source=the+big+dog+saw+the+cat",
];

#[test]
fn what_is_said_is_true_of_every_row_but_those_that_it_counts() {
    let masks = [
        "causal",
        "causal&hiding=written",
        "padding&valid=4",
        "padding&valid=4&pad_rows=1",
        "padding&valid=4&pad_rows=1&hiding=written",
        "local&window=1",
        "local&window=2",
        "local,first&window=1&first=1",
        "causal,local&window=2",
        "local,strided&window=1&stride=3",
    ];
    let mut settings = vec![
        String::new(),
        "d_k=4".to_owned(),
        "temperature=2".to_owned(),
    ];
    for mask in masks {
        let positions = ["sinusoidal", "none", "rotary", "alibi"];
        settings.extend(positions.map(|own| format!("positions={own}&mask={mask}")));
    }
    let (mut plain, mut partly) = (0, 0);
    for (text, set) in TEXTS
        .iter()
        .flat_map(|text| settings.iter().map(move |set| (text, set)))
    {
        let run = computed(&format!("heads=8&text={text}&{set}"));
        for (head, role) in ROLES.into_iter().enumerate() {
            let Some(said) = exceptions(&run, head) else {
                continue;
            };
            let rows = 0..run.queries.len();
            let untrue: Vec<usize> = rows
                .filter(|row| is_exception(&run, head, role, *row))
                .collect();
            assert_eq!(said, untrue.len(), "{role:?} {untrue:?}: text={text}&{set}");
            plain += usize::from(said == 0);
            partly += usize::from(said > 0);
        }
    }
    assert!(plain > 400 && partly > 200, "{plain}, {partly}");
}
