//! Sets of named enum values.

use std::marker::PhantomData;

/// A thing with a name in links, which a [`Set`] can hold.
pub trait Named: Copy + 'static {
    /// Every one, in the order of links; at most 64.
    const EVERY: &'static [Self];

    /// The name in links.
    fn name(self) -> &'static str;

    /// Index in [`EVERY`](Self::EVERY).
    fn place(self) -> usize;
}

/// Some of a few named things; which were put in first makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Set<T> {
    bits: u64,
    of: PhantomData<T>,
}

impl<T> Set<T> {
    /// None of them.
    pub const EMPTY: Self = Self {
        bits: 0,
        of: PhantomData,
    };

    /// Whether it holds nothing.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Named> Set<T> {
    /// Whether it holds `one`.
    pub fn contains(self, one: T) -> bool {
        self.bits >> one.place() & 1 == 1
    }

    /// The same with `one` in it, or without.
    #[must_use]
    pub fn with(self, one: T, on: bool) -> Self {
        let bit = 1_u64 << one.place();
        let bits = if on {
            self.bits | bit
        } else {
            self.bits & !bit
        };
        Self { bits, ..self }
    }

    /// Everything in it, in the order of links.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::EVERY
            .iter()
            .copied()
            .filter(move |one| self.contains(*one))
    }

    /// The names of everything in it, in the order of links.
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(T::name).collect()
    }

    /// The set of things with these names; other names are passed over.
    pub fn of_names(names: &[&str]) -> Self {
        T::EVERY
            .iter()
            .copied()
            .filter(|one| names.contains(&one.name()))
            .collect()
    }
}

impl<T: Named> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        all.into_iter()
            .fold(Self::EMPTY, |set, one| set.with(one, true))
    }
}
