//! Numbers that count what is done with them, and tensors that count what is looked at.

use std::cell::Cell;
use std::ops::{Add, Div, Mul, Sub};

thread_local! {
    static MULTIPLY_ADDS: Cell<u64> = const { Cell::new(0) };
    static ELEMENTWISE: Cell<u64> = const { Cell::new(0) };
}

/// Multiply-adds and other operations since the last question.
pub(super) fn counted() -> (u64, u64) {
    (MULTIPLY_ADDS.take(), ELEMENTWISE.take())
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number(pub f64);

fn elementwise(value: f64) -> Number {
    ELEMENTWISE.set(ELEMENTWISE.get() + 1);
    Number(value)
}

impl Add for Number {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        elementwise(self.0 + other.0)
    }
}

impl Sub for Number {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        elementwise(self.0 - other.0)
    }
}

impl Mul for Number {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        elementwise(self.0 * other.0)
    }
}

impl Div for Number {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        elementwise(self.0 / other.0)
    }
}

impl Number {
    pub(super) fn larger(self, other: Self) -> Self {
        elementwise(self.0.max(other.0))
    }

    pub(super) fn exp(self) -> Self {
        elementwise(self.0.exp())
    }

    pub(super) fn sqrt(self) -> Self {
        elementwise(self.0.sqrt())
    }

    pub(super) fn tanh(self) -> Self {
        elementwise(self.0.tanh())
    }

    /// `self + a·b`.
    pub(super) fn plus_product(self, a: Self, b: Self) -> Self {
        MULTIPLY_ADDS.set(MULTIPLY_ADDS.get() + 1);
        Self(self.0 + a.0 * b.0)
    }
}

/// Four axes of numbers.
pub(super) struct Tensor {
    pub shape: [usize; 4],
    numbers: Vec<f64>,
    is_read: Vec<Cell<bool>>,
    is_written: Vec<bool>,
}

impl Tensor {
    pub(super) fn new(shape: [usize; 4], number: impl Fn([usize; 4]) -> f64) -> Self {
        let numbers: Vec<_> = ndarray::indices(shape)
            .into_iter()
            .map(|(a, b, c, d)| number([a, b, c, d]))
            .collect();
        Self {
            shape,
            is_read: vec![Cell::new(false); numbers.len()],
            is_written: vec![false; numbers.len()],
            numbers,
        }
    }

    fn index(&self, at: [usize; 4]) -> usize {
        at.iter().zip(self.shape).fold(0, |index, (at, length)| {
            assert!(*at < length, "{at:?} in {length:?}");
            index * length + at
        })
    }

    pub(super) fn at(&self, at: [usize; 4]) -> Number {
        let index = self.index(at);
        self.is_read[index].set(true);
        Number(self.numbers[index])
    }

    pub(super) fn set(&mut self, at: [usize; 4], number: Number) {
        let index = self.index(at);
        assert!(!self.is_written[index], "written twice");
        self.is_written[index] = true;
        self.numbers[index] = number.0;
    }

    /// Numbers that were read since the last question, each counted once.
    pub(super) fn reads(&self) -> u64 {
        self.is_read.iter().filter(|cell| cell.take()).count() as u64
    }

    pub(super) fn writes(&self) -> u64 {
        self.is_written.iter().filter(|cell| **cell).count() as u64
    }

    pub(super) fn forget_reads(&self) {
        self.is_read.iter().for_each(|cell| cell.set(false));
    }

    pub(super) fn read_whole(&self) {
        self.is_read.iter().for_each(|cell| cell.set(true));
    }

    /// Every number in order, which counts for nothing.
    pub(super) fn numbers(&self) -> &[f64] {
        &self.numbers
    }
}
