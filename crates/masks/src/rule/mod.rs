//! Rules: which keys a query sees, as text such as `causal and window 128` or `q_idx - kv_idx < 8`.
//!
//! # Words
//!
//! Letters may be capital. Numbers may stand in brackets, behind `=`, and with or without commas: `window 2, 0`, `window=(2, 0)`.
//!
//! | text | key `j` is visible to query `i` |
//! |---|---|
//! | `all`, `none` | always, never |
//! | `causal` | `j ≤ i` |
//! | `causal end`, `causal lower right` | `j ≤ i + m − n` |
//! | `window 2`, `local 2` | `\|i − j\| ≤ 2` |
//! | `window 2, 0`, `window 2 left` | `0 ≤ i − j ≤ 2`; `right` for the other side |
//! | `window 2, 0 end` | the same with `i + m − n` in place of `i` |
//! | `sliding_window 4` | `0 ≤ i − j < 4`: Hugging Face's count, which has the query's own key in it |
//! | `prefix 5` | `j < 5` or `j ≤ i` |
//! | `documents 3, 2, 4` | `i` and `j` lie in the same of three stretches of these lengths |
//! | `dilated 2`, `strided 2` | `(i − j) mod 2 = 0` |
//! | `first 4`, `sinks 4` | `j < 4` |
//! | `padding 5` | `j < 5`: five real keys, padding behind them |
//! | `padding left 3` | `j ≥ 3`: three keys of padding in front |
//! | `image 6×6 kernel 3` | neighbours in a picture ([`Rule::Image`]) |
//! | `global 0, 8` | `i` or `j` is one of these |
//!
//! # Conditions
//!
//! Comparisons of whole numbers over the names `b`, `h`, `q_idx` (`q`, `i`), `kv_idx` (`kv`, `k`, `j`), `n` and `m`, with `+ - * // %`, `abs`,
//! `min`, `max`, brackets, and chains such as `0 <= q - k < 3`. Operators bind as in Python: `&` and `|` before comparisons, which are therefore
//! refused between numbers. `lambda b, h, q_idx, kv_idx: …` and `def name(b, h, q_idx, kv_idx): return …` may stand in front; the four names
//! are then those that are given, in this order.
//!
//! # Together
//!
//! Words and conditions are joined by `not`, `and`, `or`, which bind in this order; `~` and `!`, `&`, `|` do the same and bind before comparisons.

mod cells;
mod condition;
mod display;
mod mask;
mod numbers;
mod operators;
mod parse;
mod problem;
mod words;

pub(crate) use display::Binding;

pub use condition::{Arithmetic, Comparison, Value, Variable};
pub use mask::{MOST_CELLS, MOST_STEPS, MaskError};
pub use parse::{MOST_CHARACTERS, MOST_DEPTH, MOST_PARTS, parse};
pub use problem::{Expected, Problem, RuleError};

/// Which query and key stand beside each other where `n` and `m` differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Align {
    /// The first query and the first key.
    #[default]
    Start,
    /// The last query and the last key: `i + m − n` takes the place of `i`.
    End,
}

/// Which keys a query sees: query `i`, key `j`, as in the [table](self).
///
/// `Display` writes a text that [`parse()`] reads as the same rule, within its limits of length and depth.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Every cell.
    All,
    /// No cell.
    None,
    /// `j ≤ i`.
    Causal(Align),
    /// `−after ≤ i − j ≤ before`.
    Window {
        /// How far back.
        before: u32,
        /// How far ahead.
        after: u32,
        /// What `i` is compared with.
        align: Align,
    },
    /// `j < keys or j ≤ i`: a prefix that all see, then causal (Raffel et al. 2020, prefix LM).
    Prefix {
        /// Length of the prefix.
        keys: u32,
    },
    /// `i` and `j` lie in the same stretch. The lengths sum to `n` and to `m`; [`Rule::mask`] refuses others.
    Documents {
        /// Lengths of the stretches, in order.
        lengths: Vec<u32>,
    },
    /// `(i − j) mod stride = 0`.
    Dilated {
        /// Distance between visible keys, at least 1.
        stride: u32,
    },
    /// `j < keys`, as of sinks that every query sees.
    First {
        /// How many keys.
        keys: u32,
    },
    /// `j < valid`: the rest is padding.
    Padding {
        /// How many keys are real.
        valid: u32,
    },
    /// `j ≥ padded`: padding in front.
    PaddingLeft {
        /// How many keys are padding.
        padded: u32,
    },
    /// Neighbourhood attention (Hassani et al. 2023): queries and keys are the same picture of `width × height` tokens, row by row. A query at
    /// `(x, y)` sees the `kernel` columns from `clamp(x − kernel.0 div 2, 0, width − kernel.0)` on, and rows alike. So the kernel is moved, not cut,
    /// at the border, and every row sees `kernel.0 · kernel.1` keys; an even kernel reaches one further back than ahead.
    /// `n = m = width · height`; [`Rule::mask`] refuses others.
    Image {
        /// Columns of the picture.
        width: u32,
        /// Rows of the picture.
        height: u32,
        /// Columns and rows of the kernel, from 1 to width and height.
        kernel: (u32, u32),
    },
    /// `i` or `j` is one of `positions` (Beltagy et al. 2020, global attention).
    Global {
        /// Positions, of queries and of keys.
        positions: Vec<u32>,
    },
    /// A comparison of two numbers; it hides the cell where either has no value ([`Value::at`]).
    Compare {
        /// What stands at the left.
        left: Value,
        /// How they are compared.
        comparison: Comparison,
        /// What stands at the right.
        right: Value,
    },
    /// Visible where all are. The parser makes lists of two or more.
    And(Vec<Rule>),
    /// Visible where one is. The parser makes lists of two or more.
    Or(Vec<Rule>),
    /// Visible where the other is not.
    Not(Box<Rule>),
}

impl Rule {
    /// How many parts the rule has: words, operators, names and numbers of lists.
    pub fn parts(&self) -> usize {
        match self {
            Self::Documents { lengths: list } | Self::Global { positions: list } => 1 + list.len(),
            Self::Compare { left, right, .. } => 1 + left.parts() + right.parts(),
            Self::And(rules) | Self::Or(rules) => 1 + rules.iter().map(Self::parts).sum::<usize>(),
            Self::Not(rule) => 1 + rule.parts(),
            _ => 1,
        }
    }

    /// Whether the rule names `variable`.
    pub fn names(&self, variable: Variable) -> bool {
        match self {
            Self::Compare { left, right, .. } => left.names(variable) || right.names(variable),
            Self::And(rules) | Self::Or(rules) => rules.iter().any(|rule| rule.names(variable)),
            Self::Not(rule) => rule.names(variable),
            _ => false,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
