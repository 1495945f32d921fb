//! Expressions of Python, as far as they are read.

use std::ops::Range;

/// An expression and its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expression {
    pub(super) node: Node,
    pub(super) at: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Whole(u64),
    Real(f64),
    Quoted(String),
    /// A variable, and `True`, `False` and `None`.
    Name(String),
    Attribute(Box<Expression>, String),
    Call(Box<Expression>, Vec<Argument>),
    /// `[…]` behind an expression, each `None` or `:`.
    Subscript(Box<Expression>, Vec<Index>),
    /// A tuple or a list.
    Sequence(Vec<Expression>),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// A function of no name; its place is all of it.
    Lambda,
    /// `and`, `or`, `not` and chains of comparisons, which tensors do not have.
    Logic,
}

/// An argument of a call; `name` is empty where it is given by its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) value: Expression,
}

/// A part of a subscript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    /// `None`: a new axis.
    New,
    /// `:` or `...`: an axis as it is, or all that are left.
    All,
}
