//! A real checkpoint, which is not in the repository: `smollm2.gguf` of the folder that `crates/checkpoint/tests/checkpoints/real.rs` describes.

use std::path::PathBuf;
use std::time::Instant;

use interpret::{Change, Interpreter, Likely};

use crate::common::heads;
use crate::support::open;

const TEXT: &str = "When Mary and John went to the store, John gave a drink to";

/// The second *John*, and *went*.
const CELL: (usize, usize) = (9, 4);

fn smollm2() -> Interpreter {
    let root = std::env::var("REAL_CHECKPOINTS").expect("REAL_CHECKPOINTS names a folder");
    let file = std::fs::read(PathBuf::from(root).join("smollm2.gguf")).expect("the file");
    let (model, tokenizer) = open(&[("smollm2.gguf".to_owned(), file)]);
    Interpreter::new(model, tokenizer)
}

fn timed<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{name}: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    result
}

fn answer(own: &mut Interpreter, place: usize) -> Likely {
    let change = Change::default();
    let next = timed("next", || own.next(TEXT, place, None, &change));
    next.expect("logits").likeliest.remove(0)
}

/// The four heads without which the answer loses most, and how much.
fn most_needed(own: &mut Interpreter, place: usize, answer: &Likely) -> Vec<((usize, usize), f64)> {
    let mut lost = |head| {
        let without = own.without(TEXT, place, answer.id, head);
        (head, without.expect("logits") - answer.share)
    };
    for layer in [0, 15, 29] {
        timed(&format!("without a head of layer {layer}"), || {
            lost((layer, 0))
        });
    }
    let mut all: Vec<_> = heads(own.model())
        .into_iter()
        .map(|head| {
            let without = own.without(TEXT, place, answer.id, head);
            (head, without.expect("logits") - answer.share)
        })
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all.truncate(4);
    all
}

#[test]
#[ignore = "needs a file of 98 MB: see the head of this file"]
fn mary_is_found_by_the_heads_that_complete_what_repeats() {
    let mut own = timed("open", smollm2);
    let reading = timed("read", || own.read(TEXT)).expect("a text");
    let names: Vec<&str> = reading.tokens.iter().map(|own| &own.name[..]).collect();
    println!("{names:?}");
    assert_eq!((names[CELL.0], names[CELL.1]), ("John", "went"));
    let (n, per_layer) = (names.len(), own.model().config().heads);
    let map = reading.map(17 * per_layer + 4).expect("maps");
    let weight = map[CELL.0 * n + CELL.1];
    assert!((weight - 0.82).abs() < 0.005, "{weight}");

    let repeats = timed("repeats", || own.repeats()).expect("causal");
    for (layer, head) in [(17, 4), (18, 6)] {
        let found = repeats[layer * per_layer + head];
        println!("layer {layer} head {head} completes {found}");
        assert!(found > 0.7, "{layer} {head}: {found}");
    }

    let answer = answer(&mut own, n - 1);
    assert_eq!((&answer.text[..], &answer.written[..]), ("␣Mary", " Mary"));
    assert!((answer.share - 0.92).abs() < 0.005, "{}", answer.share);
    let said = timed("lens", || own.lens(TEXT, n - 1)).expect("logits");
    assert_eq!(said[30].likeliest, answer);

    let needed = most_needed(&mut own, n - 1, &answer);
    println!("{needed:?}");
    let wanted = [
        ((1, 5), -0.27),
        ((1, 3), -0.21),
        ((29, 1), -0.20),
        ((0, 0), -0.15),
    ];
    for (found, wanted) in needed.iter().zip(wanted) {
        assert_eq!(found.0, wanted.0);
        assert!(
            (found.1 - wanted.1).abs() < 0.01,
            "{found:?} for {wanted:?}"
        );
    }
    let longer = format!("{TEXT}{}", answer.written);
    let longer = timed("read, one token more", || own.read(&longer)).expect("a text");
    assert_eq!(longer.tokens.len(), n + 1);
}
