//! Tests of the sentences about heads.

use super::*;

fn reading(pattern: Pattern) -> PatternMatch {
    PatternMatch {
        pattern,
        share: 0.8349,
        rows: 10,
        of: 11,
        rival: Some((Pattern::Place(-2), 0.05)),
        sinks: None,
        exceptions: Vec::new(),
    }
}

fn said(pattern: Pattern, places: Places) -> String {
    let tokens: Vec<String> = (b'a'..b'h').map(|c| char::from(c).to_string()).collect();
    let scene = Scene {
        queries: &tokens,
        keys: &tokens,
        places,
    };
    label(Language::En, &reading(pattern), scene)
}

#[test]
fn places_are_neighbours_only_in_self_attention() {
    let same = [-2, -1, 0, 1, 3].map(|shift| said(Pattern::Place(shift), Places::Same));
    let expected = [
        "2 tokens back",
        "previous token",
        "looks at itself",
        "next token",
        "3 tokens ahead",
    ];
    assert_eq!(same, expected);
    for shift in -3..=3 {
        let other = said(Pattern::Place(shift), Places::Other);
        assert!(
            !other.contains("token") && !other.contains("itself"),
            "{other}"
        );
    }
    assert_eq!(
        said(Pattern::Place(-1), Places::Other),
        "query i → key i − 1"
    );
}

#[test]
fn keys_are_named_in_their_order_and_not_all_of_many() {
    assert_eq!(
        said(Pattern::Keys(vec![4, 1]), Places::Same),
        "a few keys: “b”, “e”"
    );
    assert_eq!(
        said(Pattern::Keys(vec![0, 1, 2, 3, 4, 5]), Places::Same),
        "attention sink: the first 6 tokens"
    );
    assert_eq!(
        said(Pattern::Keys(vec![0, 1, 2, 3, 4, 6]), Places::Same),
        "a few keys: “a”, “b”, “c”, “d”, …"
    );
    assert_eq!(
        said(Pattern::Key(0), Places::Other),
        "attention sink: the first token"
    );
    assert_eq!(
        said(Pattern::Keys(vec![1, 0]), Places::Same),
        "attention sink: the first 2 tokens"
    );
    assert_eq!(said(Pattern::Key(3), Places::None), "one key: “d”");
    assert_eq!(
        said(Pattern::Key(0), Places::None),
        "one key: “a”",
        "a mixture is no token"
    );
    assert_eq!(
        said(Pattern::Span(-1, 1), Places::Same),
        "nearby keys: i − 1 to i + 1"
    );
}

#[test]
fn words_that_occur_again_are_told_apart_by_their_places() {
    let tokens = ["the", "the", "cat", "the"].map(str::to_owned);
    let said = named(Language::En, &[0, 2, 3], &tokens);
    assert_eq!(said, "“the” (1), “cat”, “the” (4)");
}

#[test]
fn a_reason_has_its_number_its_rows_and_its_rule() {
    let scene = Scene {
        queries: &[],
        keys: &[],
        places: Places::Same,
    };
    assert_eq!(
        why(Language::En, &reading(Pattern::Place(-1)), scene),
        "0.83 of the weight, on average over 10 of 11 rows. Rule: at least 0.50, and twice as much as any other \
         pattern where the two mean different keys. Next comes: 2 tokens back, 0.05."
    );
    let word = why(Language::En, &reading(Pattern::SameWord), scene);
    assert!(
        word.contains("1.50 times what the token itself or"),
        "{word}"
    );
    let between = Scene {
        places: Places::Other,
        ..scene
    };
    let word = why(Language::En, &reading(Pattern::SameWord), between);
    assert!(!word.contains("itself"), "{word}");
    let unclear = why(Language::En, &reading(Pattern::Unclear), scene);
    assert!(
        unclear.ends_with("Strongest: 2 tokens back, 0.05."),
        "{unclear}"
    );
}

#[test]
fn what_rests_on_a_sink_is_said_beside_what_a_head_does() {
    let tokens = ["one", "two", "three"].map(str::to_owned);
    let scene = Scene {
        queries: &tokens,
        keys: &tokens,
        places: Places::Same,
    };
    let of = |pattern, keys: &[usize]| PatternMatch {
        sinks: Some(Sinks {
            keys: keys.to_vec(),
            share: 0.614,
        }),
        ..reading(pattern)
    };
    let label = |reading| label(Language::En, &reading, scene);
    assert_eq!(
        label(of(Pattern::Induction, &[0])),
        "induction: after the same word; 61\u{202f}% rests on the first token"
    );
    assert_eq!(
        label(of(Pattern::Place(-1), &[0, 1])),
        "previous token; 61\u{202f}% rests on the first 2 tokens"
    );
    assert_eq!(
        label(of(Pattern::Unclear, &[2])),
        "no clear pattern; 61\u{202f}% rests on “three”"
    );
    let why = |reading| why(Language::En, &reading, scene);
    assert!(why(of(Pattern::SameWord, &[2])).ends_with(
        "The weight here is what rows have beside their attention sink, “three”; those with less than 0.10 of theirs left rest, \
         and do not count."
    ));
    let told = Key::WhySink.text(Language::En);
    assert!(why(reading(Pattern::Key(0))).ends_with(told));
    assert!(why(of(Pattern::Unclear, &[0])).ends_with(told));
    assert!(!why(reading(Pattern::Key(1))).contains("sink"));
}

#[test]
fn every_reading_can_be_said_in_every_language() {
    let patterns = [
        Pattern::Nothing,
        Pattern::NoChoice,
        Pattern::Evenly,
        Pattern::Place(2),
        Pattern::Key(1),
        Pattern::SameWord,
        Pattern::Induction,
        Pattern::Keys(vec![9]),
        Pattern::Span(0, 1),
        Pattern::Unclear,
    ];
    let scene = Scene {
        queries: &[],
        keys: &[],
        places: Places::Other,
    };
    for language in Language::ALL {
        for pattern in patterns.clone() {
            let reading = PatternMatch {
                exceptions: vec![0, 99],
                ..reading(pattern)
            };
            for said in [
                label(language, &reading, scene),
                why(language, &reading, scene),
            ] {
                assert!(!said.is_empty() && !said.contains(['{', '}']), "{said}");
            }
        }
    }
}
