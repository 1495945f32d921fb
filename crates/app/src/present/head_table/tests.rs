use super::*;
use crate::present::head_charts;
use crate::present::run::tests::computed;
use crate::present::similar_heads::SimilarHeads;
use crate::scene::colour::{Background, Lut};
use crate::state::ColourMap;
use attention::analysis::Visible;

#[test]
fn order_is_stable_and_what_has_no_value_stands_last() {
    let values = [Some(0.5), None, Some(2.0), Some(0.5), Some(-1.0), None];
    assert_eq!(order(&values, false), [4, 0, 3, 2, 1, 5]);
    assert_eq!(order(&values, true), [2, 0, 3, 4, 1, 5]);
    assert_eq!(order(&[], true), [0; 0]);
}

#[test]
fn readings_of_one_kind_stand_together() {
    let patterns = [
        Pattern::Place(-3),
        Pattern::Place(3),
        Pattern::Key(0),
        Pattern::Key(1023),
        Pattern::SameWord,
        Pattern::Induction,
        Pattern::Keys(vec![1]),
        Pattern::Span(-3, -1),
        Pattern::Span(1, 3),
        Pattern::Evenly,
        Pattern::Unclear,
        Pattern::NoChoice,
        Pattern::Nothing,
    ];
    assert!(patterns.is_sorted_by(|one, other| rank(one) < rank(other)));
}

#[test]
fn every_shown_column_has_a_value_and_no_other() {
    let tokens = ["a", "b", "c"].map(str::to_owned);
    let weights = [[0.5, 0.25, 0.25].repeat(3), [0.25, 0.25, 0.5].repeat(3)].concat();
    let stats = vec![HeadStats::default(); 2];
    for places in [Places::Same, Places::Other, Places::None] {
        let visible = Visible::new(3, 3, |_, _| true);
        let findings = Findings::new(&weights, &stats, visible, places, [&tokens, &tokens]);
        for column in Column::ALL {
            let is_given = matches!(column, Column::Diagonal | Column::OffDiagonal);
            let has_value = value(column, 1, &stats, &findings).is_some();
            let says = column.says_something(places);
            assert!(has_value == says || is_given, "{column:?} {places:?}");
            assert_eq!(value(column, 2, &stats, &findings), None);
        }
    }
}

/// A link with hand-built heads in eight.
const EIGHT: &str = "text=The+animal+didn't+cross+the+street+because+it+was+too+tired&heads=8";

fn table(link: &str) -> HeadTable {
    let run = computed(link);
    HeadTable::new(&run, run.state.head, SortOrder::default(), Language::En)
}

#[test]
fn every_measure_says_its_unit_and_range() {
    for (link, entropy, distance) in [
        (
            &format!("{EIGHT}&mask=causal") as &str,
            "0 … 2.40 nats",
            "0 … 10 tokens",
        ),
        // Three keys are seen at most.
        (
            "text=one+two+three+four&heads=8&mask=local&window=1",
            "0 … 1.10 nats",
            "0 … 3 tokens",
        ),
    ] {
        let ranges: Vec<_> = table(link)
            .columns
            .into_iter()
            .map(|column| column.range)
            .collect();
        let shares = "0 … 1";
        let wanted = [
            "",
            "",
            shares,
            shares,
            entropy,
            "0 … 100 %",
            shares,
            shares,
            shares,
            distance,
            shares,
        ];
        assert_eq!(ranges, wanted, "{link}");
    }
    for column in Column::ALL {
        let unit = match column {
            Column::Head | Column::Reading => continue,
            Column::Entropy => "In nats, ",
            Column::EntropyShare => "In per cent, 0 … 100",
            Column::Distance => "In tokens, 0 … n − 1",
            _ => "No unit, 0 … 1",
        };
        let meaning = column.meaning().text(Language::En);
        assert!(meaning.contains(unit), "{column:?}: {meaning}");
    }
}

#[test]
fn hand_built_heads_are_read_as_what_they_do_in_each_language() {
    let readings = |language: &str, link: &str| {
        let run = computed(link);
        let language = Language::from_tag(language).expect("a language");
        let table = HeadTable::new(&run, 0, SortOrder::default(), language);
        let readings: Vec<_> = table
            .rows
            .into_iter()
            .map(|row| row.cells[1].text.clone())
            .collect();
        readings
    };
    let wanted = [
        "spread evenly, except “it”",
        "previous token",
        "same word",
        "attention sink: the first token",
        "next token",
        "a few keys: “animal”, “street”",
        "looks at itself",
        "attention sink: the first token",
    ];
    assert_eq!(readings("en", EIGHT), wanted);
    // The next token is hidden.
    let masked = readings("en", &format!("{EIGHT}&mask=causal"));
    assert_eq!([&masked[0], &masked[4]], [wanted[0], wanted[6]]);
    let chinese = "text=小猫没有过街，因为它太累了。&heads=8";
    let wanted = [
        "均匀分散，“它” 除外",
        "前一个词元",
        "同一个词",
        "注意力汇点：第一个词元",
        "后一个词元",
        "少数几个键：“猫”、“街”",
        "看向自己",
        "注意力汇点：第一个词元",
    ];
    assert_eq!(readings("zh", chinese), wanted);
    // A number that is written over all keys makes them all alike.
    let written = readings(
        "en",
        &format!("{EIGHT}&mask=padding&valid=0&hiding=written"),
    );
    assert_eq!(written, ["spread evenly"; 8]);
}

#[test]
fn odd_texts_do_no_harm() {
    let lut = Lut::new(ColourMap::default(), Background::Light);
    for link in [
        "text=&heads=8",
        "text=alone&heads=8",
        "text=a&source=b+c+d&heads=8",
        "text=two+words&mask=padding&valid=0&heads=8",
        &format!("text={}&heads=16&weights=random", ["ha"; 70].join("+")),
    ] {
        let run = computed(link);
        let table = table(link);
        assert_eq!(table.rows.len(), run.heads(), "{link}");
        for cell in table.rows.iter().flat_map(|row| &row.cells) {
            let is_sound = !["NaN", "inf", "-0.000", "−0.000"]
                .iter()
                .any(|odd| cell.text.contains(odd));
            assert!(is_sound && cell.share.is_finite(), "{link}: {cell:?}");
        }
        for head in 0..run.heads() {
            let charts = [
                head_charts::entropy(&run, head),
                head_charts::itself(&run, head),
            ];
            for chart in charts.into_iter().flatten() {
                assert!(chart.values.iter().all(|value| value.is_finite()), "{link}");
                assert!(chart.top.is_finite(), "{link}");
            }
        }
        let similarity = &run.findings().similarity;
        let pairs = SimilarHeads::new(similarity, (run.heads(), 0), &lut, Language::En);
        assert!(
            pairs.cells.iter().all(|pair| !pair.value.contains("NaN")),
            "{link}"
        );
    }
}

#[test]
fn heads_of_every_layer_of_a_model_are_listed_by_the_names_of_their_thumbnails() {
    let run = computed(
        "weights=learned&seed=27&d_model=32&d_k=8&positions=none&layer=1&mask=causal&text=那只动物没有过马路，因为它太累了。",
    );
    let table = HeadTable::new(&run, 1, SortOrder::default(), Language::En);
    let names: Vec<&str> = table.rows.iter().map(|row| &*row.name).collect();
    assert_eq!(names.len(), 8);
    assert_eq!((names[0], names[5]), ("layer 1, head 1", "layer 2, head 2"));
    let chosen: Vec<usize> = table
        .rows
        .iter()
        .filter(|row| row.is_chosen)
        .map(|row| row.head)
        .collect();
    assert_eq!(chosen, [1]);
    let thumbnails = crate::present::thumbnails::thumbnails(&run);
    let mut named = 0;
    for own in thumbnails {
        let role = own.role(&run, Language::En);
        let row = &table.rows[own.at];
        if let Some(role) = role {
            assert!(row.cells[1].text.starts_with(&role), "{role}: {}", row.name);
            named += 1;
        }
        // The mask is of the layer that is looked at.
        let entropy = row.cells[4].value.expect("an entropy");
        let most = (run.queries.len() as f64).ln() * if own.layer == 1 { 1.0 } else { 0.8 };
        assert!(entropy > 0.0 && entropy < most, "{}: {entropy}", row.name);
    }
    assert!(named > 0);
}
