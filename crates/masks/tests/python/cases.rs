//! Masks of every kind, over odd lengths.

use masks::Axes;
use masks::dialect::Source;
use masks::rule::{Rule, parse};
use ndarray::Array4;

/// A mask as a rule or as cells.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) axes: Axes,
    rule: Option<Rule>,
    cells: Array4<bool>,
}

impl Case {
    pub(super) fn source(&self) -> Source<'_> {
        match &self.rule {
            Some(rule) => Source::Rule(rule),
            None => Source::Cells(&self.cells),
        }
    }

    /// `[batch, heads, n, m]`: 1 / (visible keys) where a key is visible, rows without any 0.
    pub(super) fn even_weights(&self) -> Vec<f64> {
        let Axes { batch, heads, n, m } = self.axes;
        let cells = self.cells.broadcast((batch, heads, n, m)).expect("it fits");
        let even = |row: ndarray::ArrayView1<'_, bool>| {
            let visible = row.iter().filter(|seen| **seen).count().max(1);
            let weights = row
                .iter()
                .map(|seen| f64::from(u8::from(*seen)) / visible as f64);
            weights.collect::<Vec<_>>()
        };
        cells.rows().into_iter().flat_map(even).collect()
    }
}

const HEADS: Axes = Axes {
    batch: 2,
    heads: 3,
    n: 5,
    m: 7,
};

const RULES: [(&str, Axes); 31] = [
    ("all", Axes::of_map(3, 5)),
    ("none", Axes::of_map(3, 4)),
    (
        "causal",
        Axes {
            n: 5,
            m: 5,
            ..HEADS
        },
    ),
    ("causal", Axes::of_map(2, 5)),
    ("causal", Axes::of_map(5, 2)),
    ("causal end", Axes::of_map(2, 5)),
    ("causal end", Axes::of_map(5, 2)),
    ("causal end", Axes::of_map(1, 8)),
    ("q >= k", HEADS),
    (
        "window 2, 0",
        Axes {
            n: 6,
            m: 6,
            ..HEADS
        },
    ),
    ("window 1, 2", Axes::of_map(6, 7)),
    ("window 2", Axes::of_map(6, 6)),
    ("window 2, 0 end", Axes::of_map(3, 7)),
    ("window 1 end", Axes::of_map(7, 3)),
    ("window 1, 0", Axes::of_map(7, 4)),
    ("documents 3, 1, 2", HEADS_OF_SIX),
    ("causal and documents 3, 1, 2", Axes::of_map(6, 6)),
    ("image 3×4 kernel 2×3", Axes::of_map(12, 12)),
    (
        "image 3×3 kernel 3 and not image 3×3 kernel 1",
        Axes::of_map(9, 9),
    ),
    ("causal and padding left 3", Axes::of_map(5, 5)),
    ("padding 3", HEADS),
    ("prefix 2", Axes::of_map(5, 6)),
    ("dilated 3", Axes::of_map(4, 7)),
    ("window 1 or global 0, 4", Axes::of_map(7, 7)),
    ("first 1 or window 1 and not none", Axes::of_map(7, 6)),
    ("h % 2 == 0 and q >= kv or k == b", HEADS),
    (
        "h != 2",
        Axes {
            n: 5,
            m: 5,
            ..HEADS
        },
    ),
    ("b == 1 or k < 3", HEADS),
    ("abs(q - min(k, 3)) // 2 <= 1 or not (k % 3 == 1)", HEADS),
    ("max(3, q) - -k * 2 > 9 - (m - n)", Axes::of_map(6, 5)),
    ("6 // k == 3 or k == 0", Axes::of_map(3, 4)),
];

const HEADS_OF_SIX: Axes = Axes {
    n: 6,
    m: 6,
    ..HEADS
};

/// Parts of random rules, for six queries and keys.
const PARTS: [&str; 16] = [
    "causal",
    "window 1, 2",
    "window 1 end",
    "documents 3, 1, 2",
    "documents 2, 4",
    "image 3×2 kernel 2×1",
    "image 2×3 kernel 1×2",
    "dilated 2",
    "first 2",
    "padding left 1",
    "prefix 2",
    "global 1, 4",
    "all",
    "h % 2 == 0",
    "q * 2 - abs(k - 3) > min(q, k) // -2",
    "-(q - 3) % 4 < max(k, 2 - q) + b",
];

/// Rules of several parts, joined at random.
pub(super) fn joined(count: usize) -> Vec<Case> {
    let mut state = 7_u32;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % limit
    };
    let mut rule = || {
        let mut text = PARTS[below(PARTS.len())].to_owned();
        for _ in 0..1 + below(4) {
            let part = PARTS[below(PARTS.len())];
            text = match below(5) {
                0 => format!("{text} and {part}"),
                1 => format!("{text} or {part}"),
                2 => format!("not ({text}) and {part}"),
                3 => format!("({part} or not {part}) and ({text})"),
                _ => format!("({text}) or not {part}"),
            };
        }
        text
    };
    (0..count).map(|_| of_rule(&rule(), HEADS_OF_SIX)).collect()
}

fn of_rule(text: &str, axes: Axes) -> Case {
    let rule = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Case {
        name: format!("{text}, {axes:?}"),
        axes,
        cells: rule.cells(&axes).expect("it fits"),
        rule: Some(rule),
    }
}

/// Cells of no rule.
fn ragged(batch: usize, heads: usize) -> Case {
    let axes = HEADS;
    let shape = (batch, heads, axes.n, axes.m);
    let cells = Array4::from_shape_fn(shape, |(b, h, i, j)| (b + 2 * h + 3 * i + j * j) % 5 > 1);
    Case {
        name: format!("cells {shape:?}"),
        axes,
        rule: None,
        cells,
    }
}

pub(super) fn cases() -> Vec<Case> {
    let of_rules = RULES.iter().map(|(text, axes)| of_rule(text, *axes));
    let of_cells = [ragged(1, 1), ragged(1, 3), ragged(2, 1), ragged(2, 3)];
    of_rules.chain(of_cells).collect()
}
