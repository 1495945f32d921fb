//! Random texts and rules.

use attention::{CellIndex, Mask};
use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{Align, Arithmetic, Comparison, Rule, Value, Variable, parse};
use crate::Axes;

const AXES: [Axes; 4] = [
    Axes {
        batch: 2,
        heads: 3,
        n: 5,
        m: 7,
    },
    Axes::of_map(7, 4),
    Axes::of_map(1, 3),
    Axes::of_map(6, 6),
];

/// Every cell of `axes`.
fn cells(axes: Axes) -> impl Iterator<Item = CellIndex> {
    let all = (0..axes.batch).flat_map(move |batch| (0..axes.heads).map(move |head| (batch, head)));
    all.flat_map(move |(batch, head)| {
        let queries = 0..axes.n;
        queries.flat_map(move |query| {
            (0..axes.m).map(move |key| CellIndex {
                batch,
                head,
                query,
                key,
            })
        })
    })
}

fn align() -> impl Strategy<Value = Align> {
    prop_oneof![Just(Align::Start), Just(Align::End)]
}

fn variable() -> impl Strategy<Value = Variable> {
    use Variable::{Batch, Head, Key, Keys, Queries, Query};
    proptest::sample::select(vec![Batch, Head, Query, Key, Queries, Keys])
}

fn arithmetic() -> impl Strategy<Value = Arithmetic> {
    use Arithmetic::{Add, Divide, Max, Min, Multiply, Remainder, Subtract};
    proptest::sample::select(vec![Add, Subtract, Multiply, Divide, Remainder, Min, Max])
}

fn comparison() -> impl Strategy<Value = Comparison> {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    proptest::sample::select(vec![Less, AtMost, Greater, AtLeast, Equal, Unequal])
}

fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![-9_i64..9, Just(i64::from(u32::MAX))];
    let leaf = prop_oneof![
        number.prop_map(Value::Number),
        variable().prop_map(Value::Variable)
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            (arithmetic(), inner.clone(), inner.clone()).prop_map(|(op, a, b)| Value::Computed(
                op,
                Box::new(a),
                Box::new(b)
            )),
            inner
                .clone()
                .prop_map(|value| Value::Absolute(Box::new(value))),
            // A number with its sign is one number.
            inner.prop_map(|value| match value {
                Value::Number(number) => Value::Number(-number),
                value => Value::Negative(Box::new(value)),
            }),
        ]
    })
}

fn leaf() -> impl Strategy<Value = Rule> {
    let picture = (1..5_u32, 1..5_u32).prop_flat_map(|(width, height)| {
        (1..=width, 1..=height).prop_map(move |kernel| Rule::Image {
            width,
            height,
            kernel,
        })
    });
    prop_oneof![
        Just(Rule::All),
        Just(Rule::None),
        align().prop_map(Rule::Causal),
        (0..4_u32, 0..4_u32, align()).prop_map(|(before, after, align)| Rule::Window {
            before,
            after,
            align
        }),
        (0..9_u32).prop_map(|keys| Rule::Prefix { keys }),
        vec(0..4_u32, 1..4).prop_map(|lengths| Rule::Documents { lengths }),
        (1..5_u32).prop_map(|stride| Rule::Dilated { stride }),
        (0..9_u32).prop_map(|keys| Rule::First { keys }),
        (0..9_u32).prop_map(|valid| Rule::Padding { valid }),
        (0..9_u32).prop_map(|padded| Rule::PaddingLeft { padded }),
        picture,
        vec(0..9_u32, 1..4).prop_map(|positions| Rule::Global { positions }),
        (value(), comparison(), value()).prop_map(|(left, comparison, right)| Rule::Compare {
            left,
            comparison,
            right
        }),
    ]
}

pub(crate) fn rules() -> impl Strategy<Value = Rule> {
    leaf().prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Rule::And),
            vec(inner.clone(), 2..4).prop_map(Rule::Or),
            inner.prop_map(|rule| Rule::Not(Box::new(rule))),
        ]
    })
}

/// Pieces of texts that are nearly rules.
const PIECES: [&str; 52] = [
    "causal",
    "end",
    "lower",
    "right",
    "left",
    "window",
    "documents",
    "image",
    "kernel",
    "padding",
    "global",
    "first",
    "all",
    "none",
    "prefix",
    "dilated",
    "sliding_window",
    "and",
    "or",
    "not",
    "lambda",
    "def",
    "return",
    "b",
    "h",
    "q_idx",
    "kv_idx",
    "n",
    "m",
    "abs",
    "min",
    "max",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "==",
    "<",
    ">=",
    "+",
    "-",
    "*",
    "//",
    "%",
    "&",
    "|",
    "~",
    "0",
    "4294967295",
];

/// Whatever the text is, nothing panics; and what is a rule can be used, and comes back from its own text.
fn take(text: &str) {
    let Ok(rule) = parse(text) else { return };
    let written = rule.to_string();
    assert_eq!(parse(&written).as_ref(), Ok(&rule), "{text:?}, {written:?}");
    for axes in AXES {
        let _ = rule.mask(&axes);
        assert!(
            cells(axes)
                .filter(|cell| rule.visible(*cell, &axes))
                .count()
                <= 2 * 3 * 5 * 7
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn no_text_does_harm(text in "\\PC{0,40}") {
        take(&text);
    }

    #[test]
    fn no_text_of_known_words_does_harm(pieces in vec(proptest::sample::select(&PIECES[..]), 0..14)) {
        take(&pieces.join(" "));
    }

    #[test]
    fn rules_are_read_from_their_own_text(rule in rules()) {
        let written = rule.to_string();
        prop_assert_eq!(parse(&written), Ok(rule), "{}", written);
    }

    #[test]
    fn masks_show_the_cells_of_their_rule(rule in rules()) {
        for axes in AXES {
            let Ok(mask) = rule.mask(&axes) else { continue };
            check_mask(&rule, &mask, axes);
        }
    }
}

fn check_mask(rule: &Rule, mask: &Mask, axes: Axes) {
    for cell in cells(axes) {
        let (found, wanted) = (mask.visible(cell), rule.visible(cell, &axes));
        assert_eq!(found, wanted, "{rule}, {mask:?}, {cell:?}");
    }
}
