//! The likeliest words, as the model is and with something changed in it.

use interpret::next::LIKELIEST;
use interpret::{Change, Interpreter, Next, PatchFrom};
use model::HiddenCells;
use model::infer::Inference;

use crate::common::{assert_close, heads, ids, largest, shares, with_logits};
use crate::support::checkpoint;

/// A word that is not among the likeliest as a rule.
const ASKED: usize = 7;

/// Holds what is said to the probabilities of all words.
fn check(what: &str, found: &Next, wanted: &[f64]) {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*b].total_cmp(&wanted[*a]));
    order.truncate(LIKELIEST);
    let words: Vec<usize> = found.likeliest.iter().map(|own| own.id).collect();
    assert_eq!(words, order, "{what}");
    let found_shares: Vec<f64> = found.likeliest.iter().map(|own| own.share).collect();
    let wanted_shares: Vec<f64> = order.iter().map(|word| wanted[*word]).collect();
    assert_close(what, &found_shares, &wanted_shares, 1e-12);
    assert_close(what, &[found.asked.expect(what)], &[wanted[ASKED]], 1e-12);
}

fn how(change: &Change) -> Inference {
    Inference {
        off: change.off.clone(),
        hide: change.hide.clone(),
        ..Inference::default()
    }
}

#[test]
fn words_at_every_place_are_those_of_the_logits() {
    for (name, text, mut own) in with_logits() {
        let ids = ids(name, text);
        for place in 0..ids.len() {
            let change = Change::default();
            let found = own.next(text, place, Some(ASKED), &change).expect(name);
            let wanted = shares(own.model(), &ids, place, &how(&change));
            check(name, &found, &wanted);
            let unasked = own.next(text, place, None, &change).expect(name);
            assert_eq!((unasked.asked, unasked.likeliest), (None, found.likeliest));
        }
        let beyond = own.model().config().vocabulary;
        let found = own.next(text, 0, Some(beyond), &Change::default());
        assert_eq!(found.expect(name).asked, Some(0.0), "{name}");
    }
}

/// One after the other, so that what is kept of a pass is used again; with the whole model in between.
#[test]
fn changes_are_those_of_passes_with_them() {
    let hidden = |layer, head, cells: &[(usize, usize)]| HiddenCells {
        layer,
        head,
        cells: cells.to_vec(),
    };
    let changes = [
        (vec![(1, 2)], vec![]),
        (vec![(0, 0), (1, 3)], vec![]),
        (vec![], vec![hidden(1, 1, &[(3, 0), (3, 1)])]),
        (vec![], vec![]),
        (
            vec![(0, 3)],
            vec![hidden(0, 2, &[(2, 1), (3, 3)]), hidden(1, 0, &[(3, 2)])],
        ),
        (vec![], vec![hidden(0, 0, &[])]),
    ];
    for (name, text, mut own) in with_logits() {
        let ids = ids(name, text);
        let whole = shares(own.model(), &ids, 3, &Inference::default());
        for (off, hide) in changes.clone() {
            let change = Change {
                off,
                hide,
                patch: None,
            };
            let found = own.next(text, 3, Some(ASKED), &change).expect(name);
            let wanted = shares(own.model(), &ids, 3, &how(&change));
            check(name, &found, &wanted);
            let cells: usize = change.hide.iter().map(|own| own.cells.len()).sum();
            assert_eq!(wanted != whole, cells + change.off.len() > 0, "{name}");
        }
    }
}

/// After a pass over another text, the changes belong to the new one.
#[test]
fn changes_follow_the_text() {
    for (name, text, mut own) in with_logits() {
        let words: Vec<&str> = text.split(' ').rev().collect();
        for text in [text, &words.join(" "), text] {
            let (ids, change) = (ids(name, text), off((1, 2)));
            let place = ids.len() - 1;
            let found = own.next(text, place, Some(ASKED), &change).expect(name);
            check(
                name,
                &found,
                &shares(own.model(), &ids, place, &how(&change)),
            );
        }
    }
}

fn off(head: (usize, usize)) -> Change {
    Change {
        off: vec![head],
        ..Change::default()
    }
}

#[test]
fn every_head_may_be_left_out() {
    for (name, text, mut own) in with_logits() {
        for head in heads(own.model()) {
            let found = own.without(text, 2, ASKED, head).expect(name);
            let next = own.next(text, 2, Some(ASKED), &off(head)).expect(name);
            assert_eq!(Some(found), next.asked, "{name}: {head:?}");
        }
    }
}

#[test]
fn a_text_goes_on_by_temperature_and_seed() {
    for (name, text, mut own) in with_logits() {
        let ids = ids(name, text);
        let wanted = shares(own.model(), &ids, ids.len() - 1, &Inference::default());
        let coldest = own.written(text, 0.0, 3).expect(name);
        assert_eq!(coldest.id, largest(&wanted), "{name}");
        let drawn = |own: &mut Interpreter, seed| own.written(text, 1.0, seed).expect(name);
        let words: Vec<_> = (0..20).map(|seed| drawn(&mut own, seed)).collect();
        for (seed, word) in words.iter().enumerate() {
            assert_eq!(*word, drawn(&mut own, seed as u32), "{name}");
            assert_close(name, &[word.share], &[wanted[word.id]], 1e-12);
        }
        let is_one = words.iter().all(|word| word.id == coldest.id);
        assert!(!is_one || wanted[coldest.id] > 0.9, "{name}");
    }
}

#[test]
fn words_are_spelled_and_written() {
    let (_, text, mut own) = with_logits().next().expect("Llama");
    let tokenizer = checkpoint("llama").1;
    let next = own
        .next(text, 2, None, &Change::default())
        .expect("a place");
    for likely in &next.likeliest {
        let id = likely.id as u32;
        let spelling = tokenizer.spelling(id);
        let wanted = spelling.map_or_else(|| format!("#{id}"), |own| own.text);
        assert_eq!(
            (&likely.text, &likely.written),
            (&wanted, &tokenizer.decode(&[id]))
        );
    }
}

/// What a head gives in the text itself changes nothing; another number of tokens is refused.
#[test]
fn a_head_may_come_from_another_text() {
    for (name, text, mut own) in with_logits() {
        let from = |text: &str| Change {
            patch: Some(PatchFrom {
                layer: 0,
                head: 0,
                text: text.to_owned(),
            }),
            ..Change::default()
        };
        let whole = own
            .next(text, 2, Some(ASKED), &Change::default())
            .expect(name);
        let same = own.next(text, 2, Some(ASKED), &from(text)).expect(name);
        assert_eq!(whole, same, "{name}");
        let longer = format!("{text} {text}");
        let refused = own.next(text, 2, None, &from(&longer)).expect_err(name);
        assert_eq!(refused.field, "patch", "{name}");
    }
}
