//! Whole numbers computed from the place of a cell.

use attention::CellIndex;

use crate::Axes;
use crate::axes::to_i64;

/// What a name in a condition stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variable {
    /// `b`, the batch entry.
    Batch,
    /// `h`, the query head.
    Head,
    /// `i`, the query.
    Query,
    /// `j`, the key.
    Key,
    /// `n`, how many queries there are.
    Queries,
    /// `m`, how many keys there are.
    Keys,
}

impl Variable {
    /// The letter that this package writes for it.
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Batch => "b",
            Self::Head => "h",
            Self::Query => "i",
            Self::Key => "j",
            Self::Queries => "n",
            Self::Keys => "m",
        }
    }

    fn at(self, cell: CellIndex, axes: &Axes) -> i64 {
        to_i64(match self {
            Self::Batch => cell.batch,
            Self::Head => cell.head,
            Self::Query => cell.query,
            Self::Key => cell.key,
            Self::Queries => axes.n,
            Self::Keys => axes.m,
        })
    }
}

/// A computation with two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `a + b`.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a // b`, rounded down as in Python.
    Divide,
    /// `a % b`, with the sign of `b` as in Python.
    Remainder,
    /// `min(a, b)`.
    Min,
    /// `max(a, b)`.
    Max,
}

impl Arithmetic {
    /// `None` where a quotient by 0 has no value; results beyond 64 bits are taken as the largest or smallest number of 64 bits.
    fn of(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Self::Add => a.saturating_add(b),
            Self::Subtract => a.saturating_sub(b),
            Self::Multiply => a.saturating_mul(b),
            Self::Divide if b == 0 => return None,
            Self::Remainder if b == 0 => return None,
            Self::Divide => floor_quotient(a, b),
            Self::Remainder => floor_remainder(a, b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        })
    }
}

fn floor_quotient(a: i64, b: i64) -> i64 {
    let quotient = a.saturating_div(b);
    let is_above = floor_remainder(a, b) != 0 && (a < 0) != (b < 0);
    quotient.saturating_sub(i64::from(is_above))
}

fn floor_remainder(a: i64, b: i64) -> i64 {
    // The remainder of the smallest number by −1 is 0, and does not fit the operator.
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) {
        remainder + b
    } else {
        remainder
    }
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
}

impl Comparison {
    /// The operator in Python.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::Equal => "==",
            Self::Unequal => "!=",
        }
    }

    pub(crate) fn of_symbol(symbol: &str) -> Option<Self> {
        let all = [
            Self::Less,
            Self::AtMost,
            Self::Greater,
            Self::AtLeast,
            Self::Equal,
            Self::Unequal,
        ];
        all.into_iter().find(|one| one.symbol() == symbol)
    }

    pub(crate) fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Greater => a > b,
            Self::AtLeast => a >= b,
            Self::Equal => a == b,
            Self::Unequal => a != b,
        }
    }
}

/// A whole number that depends on the cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number, of at most 32 bits beside its sign.
    Number(i64),
    /// A name.
    Variable(Variable),
    /// `-a`.
    Negative(Box<Value>),
    /// `abs(a)`.
    Absolute(Box<Value>),
    /// A computation with two numbers.
    Computed(Arithmetic, Box<Value>, Box<Value>),
}

impl Value {
    /// The number in `cell`; `None` where it is, or is computed from, a quotient or remainder by 0.
    pub fn at(&self, cell: CellIndex, axes: &Axes) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Variable(variable) => Some(variable.at(cell, axes)),
            Self::Negative(value) => value.at(cell, axes).map(i64::saturating_neg),
            Self::Absolute(value) => value.at(cell, axes).map(i64::saturating_abs),
            Self::Computed(arithmetic, a, b) => arithmetic.of(a.at(cell, axes)?, b.at(cell, axes)?),
        }
    }

    pub(super) fn parts(&self) -> usize {
        match self {
            Self::Number(_) | Self::Variable(_) => 1,
            Self::Negative(value) | Self::Absolute(value) => 1 + value.parts(),
            Self::Computed(_, a, b) => 1 + a.parts() + b.parts(),
        }
    }

    /// Whether the number is computed from `variable`.
    pub fn names(&self, variable: Variable) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Variable(own) => *own == variable,
            Self::Negative(value) | Self::Absolute(value) => value.names(variable),
            Self::Computed(_, a, b) => a.names(variable) || b.names(variable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_and_remainders_are_python_s() {
        let of = |a, b| (floor_quotient(a, b), floor_remainder(a, b));
        assert_eq!(of(7, 3), (2, 1));
        assert_eq!(of(-7, 3), (-3, 2));
        assert_eq!(of(7, -3), (-3, -2));
        assert_eq!(of(-7, -3), (2, -1));
        assert_eq!(of(-6, 3), (-2, 0));
        assert_eq!(of(i64::MIN, -1), (i64::MAX, 0));
    }

    #[test]
    fn a_quotient_by_zero_has_no_value() {
        assert_eq!(Arithmetic::Divide.of(1, 0), None);
        assert_eq!(Arithmetic::Remainder.of(1, 0), None);
        assert_eq!(Arithmetic::Multiply.of(i64::MAX, 2), Some(i64::MAX));
    }
}
