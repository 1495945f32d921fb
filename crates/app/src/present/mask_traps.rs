//! What surprises in a mask that a rule in words or paint makes, with its numbers.

wasm_chunks::chunk!("input");

use super::mask_summary::{sentences, window};
use super::run::Run;
use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language, text};
use crate::state::MaskPart;
use crate::state::request_builder::query_start;
use masks::Axes;
use masks::rule::{Align, Rule, parse};

/// The visible cells that a part of the mask means to hide.
struct Leak<'a> {
    query: &'a str,
    key: &'a str,
    /// The largest weight among them, which that query gives that key.
    weight: String,
    cells: usize,
}

/// Visible keys that come after their query although a part of the mask is causal, or stand in another document; how far a
/// window of the rule reaches; padding in front. Weights are those of `head`. Empty where there is nothing to say.
pub fn said(run: &Run, head: usize, language: Language) -> String {
    let rule = parse(&run.state.rule).ok();
    let parts = rule.as_ref().map_or_else(Vec::new, parts);
    let axes = Axes::of_map(run.queries.len(), run.keys.len());
    let own = run.state.masks.contains(MaskPart::Causal);
    let start = own.then(|| query_start(&run.state, (axes.n, axes.m)));
    let start = start.or_else(|| parts.iter().find_map(|part| causal_start(part, &axes)));
    let later = |query: usize, key: usize| start.is_some_and(|at| key as i64 > query as i64 + at);
    let lengths = parts.iter().find_map(|part| documents(part));
    let of_place = lengths.map(|lengths| documents_of_places(lengths, axes.n.max(axes.m)));
    let elsewhere =
        |query: usize, key: usize| (of_place.as_ref()).is_some_and(|own| own[query] != own[key]);
    let all = [
        leak(run, head, later).map(|own| match own.cells {
            1 => text::mask_future_one(language, &own.query, &own.key, &own.weight),
            cells => text::mask_future(language, &own.query, &own.key, &own.weight, &cells),
        }),
        leak(run, head, elsewhere).map(|own| match own.cells {
            1 => text::mask_foreign_one(language, &own.query, &own.key, &own.weight),
            cells => text::mask_foreign(language, &own.query, &own.key, &own.weight, &cells),
        }),
        parts
            .iter()
            .find_map(|part| reach(part, start.is_some(), language)),
        parts
            .iter()
            .find_map(|part| padding_in_front(part, language)),
    ];
    let join = |one: String, other: String| sentences(language, &one, &other);
    all.into_iter().flatten().reduce(join).unwrap_or_default()
}

/// What a rule joins, without what it excludes.
fn parts(rule: &Rule) -> Vec<&Rule> {
    match rule {
        Rule::And(rules) | Rule::Or(rules) => rules.iter().flat_map(parts).collect(),
        Rule::Not(_) => Vec::new(),
        part => vec![part],
    }
}

/// Where the first query stands by a causal part, as a word or as the comparison that says the same; `None` for other parts.
fn causal_start(part: &Rule, axes: &Axes) -> Option<i64> {
    let starts = [Align::Start, Align::End].map(|align| axes.start(align));
    match part {
        Rule::Causal(align) => Some(axes.start(*align)),
        Rule::Compare { .. } => {
            let cells = part.cells(axes).ok()?;
            let shows_as = |start: &i64| {
                let mut all = cells.indexed_iter();
                all.all(|((.., query, key), seen)| *seen == (key as i64 <= query as i64 + start))
            };
            starts.into_iter().find(shows_as)
        }
        _ => None,
    }
}

fn documents(part: &Rule) -> Option<&[u32]> {
    match part {
        Rule::Documents { lengths } => Some(lengths),
        _ => None,
    }
}

/// The number of the document that each of so many places lies in; places behind the last have one of their own.
fn documents_of_places(lengths: &[u32], count: usize) -> Vec<usize> {
    let each = lengths.iter().enumerate();
    let places = each.flat_map(|(at, length)| std::iter::repeat_n(at, *length as usize));
    places
        .chain(std::iter::repeat(lengths.len()))
        .take(count)
        .collect()
}

/// The visible cells that `is_meant_hidden`; `None` where there are none.
fn leak(
    run: &Run,
    head: usize,
    is_meant_hidden: impl Fn(usize, usize) -> bool,
) -> Option<Leak<'_>> {
    let (mut most, mut cells): (Option<(usize, usize, f32)>, usize) = (None, 0);
    for query in 0..run.queries.len() {
        for (key, weight) in run.row(head, query).iter().copied().enumerate() {
            if run.seen.masked.is_hidden(query, key) || !is_meant_hidden(query, key) {
                continue;
            }
            cells += 1;
            if most.is_none_or(|(.., largest)| weight > largest) {
                most = Some((query, key, weight));
            }
        }
    }
    most.map(|(query, key, weight)| Leak {
        query: run.query(query),
        key: run.key(key),
        weight: CellStyle::WEIGHT.write(weight),
        cells,
    })
}

/// How far a window reaches; nothing ahead where the mask is causal.
fn reach(part: &Rule, is_causal: bool, language: Language) -> Option<String> {
    let Rule::Window { before, after, .. } = part else {
        return None;
    };
    let after = if is_causal { 0 } else { *after };
    Some(window(language, (*before).into(), after.into()))
}

fn padding_in_front(part: &Rule, language: Language) -> Option<String> {
    let Rule::PaddingLeft { padded } = part else {
        return None;
    };
    match padded {
        0 => None,
        1 => Some(Key::MaskPaddingFrontOne.text(language).to_owned()),
        _ => Some(text::mask_padding_front(
            language,
            padded,
            &(u64::from(*padded) + 1),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::mask_effect::MaskEffect;
    use crate::present::run::tests::reply;

    /// Of a map on which cell (i, j) has the weight (4 i + j) / 100, with these cells painted visible.
    fn traps_in(language: Language, link: &str, painted: &[(usize, usize)]) -> String {
        let (mut state, mut reply) = reply(&format!("text=a+b+c+d&heads=1&{link}"));
        for (query, key) in painted {
            state.paint.set(*query, *key, Some(true));
        }
        let cells = 0..reply.weights.len();
        reply.weights = cells.map(|cell| cell as f32 / 100.0).collect();
        let run = Run::new(state, reply, None).expect("as many weights as cells");
        MaskEffect::new(&run, 0, language).traps
    }

    fn traps(link: &str, painted: &[(usize, usize)]) -> String {
        traps_in(Language::En, link, painted)
    }

    #[test]
    fn a_query_that_sees_its_future_is_named_with_its_weight() {
        assert_eq!(traps("mask=causal", &[]), "");
        let one = "“a” sees its future, “d”, at .03.";
        assert_eq!(traps("mask=causal", &[(0, 3)]), one);
        assert_eq!(traps("mask=causal", &[(0, 3), (3, 0)]), one);
        let two = "“b” sees its future, “d”, at .07; there are 2 such cells.";
        assert_eq!(traps("mask=causal", &[(0, 3), (1, 3)]), two);
        let joined = "“c” sees its future, “d”, at .11; there are 2 such cells.";
        assert_eq!(
            traps("rule=causal+or+(q+%3E+0+and+k+%3D%3D+3)", &[]),
            joined
        );
        assert_eq!(traps("rule=q+%3E=+k", &[(0, 3)]), one);
        assert_eq!(
            traps("rule=prefix+2", &[(0, 3)]),
            "",
            "it is not meant to be causal"
        );
        assert_eq!(traps("rule=not+causal", &[]), "");
    }

    #[test]
    fn the_future_begins_where_the_mask_is_aligned() {
        let link = "source=v+w+x+y+z&rule=causal+end";
        assert_eq!(traps(link, &[]), "");
        let said = "“d” sees its future, “z”, at .19; there are 4 such cells.";
        assert_eq!(
            traps(
                "source=v+w+x+y+z&mask=causal&rule=causal+end",
                &[(0, 1), (1, 2), (2, 3), (3, 4)]
            ),
            said
        );
        assert_eq!(
            traps("source=v+w+x+y+z&mask=causal&align=last", &[(0, 1)]),
            ""
        );
    }

    #[test]
    fn a_query_that_sees_another_document_is_named_with_its_weight() {
        assert_eq!(traps("rule=documents+2,+2", &[]), "");
        let one = "“d” sees “a” of another document, at .12.";
        assert_eq!(traps("rule=documents+2,+2", &[(3, 0)]), one);
        let all = "“c” sees its future, “d”, at .11; there are 2 such cells. \
                   “d” sees “b” of another document, at .13; there are 4 such cells.";
        assert_eq!(traps("rule=causal+or+documents+2,+2", &[]), all);
    }

    #[test]
    fn a_window_is_counted_with_the_query_itself() {
        let both = "The window: 2 before and 2 after, 5 with itself.";
        assert_eq!(traps("mask=local&window=2", &[]), both);
        assert_eq!(traps("rule=window+2", &[]), both);
        let back = "The window: 2 before, 3 with itself.";
        for link in [
            "mask=local,causal&window=2",
            "mask=causal&rule=window+2",
            "rule=causal+and+window+2",
            "rule=sliding_window+3",
            "rule=window+2,+0",
        ] {
            assert_eq!(traps(link, &[]), back, "{link}");
        }
        assert_eq!(traps("rule=not+window+2", &[]), "");
    }

    #[test]
    fn padding_in_front_moves_the_first_real_word() {
        let said = "2 keys of padding stand in front, and places count them: the first real word is at place 3.";
        assert_eq!(traps("rule=padding+left+2", &[]), said);
        let one = "1 key of padding stands in front, and places count it: the first real word is at place 2.";
        assert_eq!(traps("rule=padding+left+1", &[]), one);
        assert_eq!(traps("rule=padding+2", &[]), "");
    }

    #[test]
    fn every_sentence_is_whole_in_every_language() {
        let link = "rule=documents+2,+2+or+causal+or+padding+left+2+or+window+1";
        for language in Language::ALL {
            let said = traps_in(language, link, &[]);
            assert!(
                said.ends_with(['.', '。']) && !said.contains(['{', '}']),
                "{said}"
            );
        }
    }
}
