//! The sort used throughout: lists are short, and every monomorphised copy of the standard library's is 4 kB to download.

use std::cmp::Ordering;
use std::mem;

/// The places `0 .. count` in the order of `compare`, equal ones as they stand.
pub fn argsort(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// Puts `values` into the order of `compare`, equal ones as they stand.
pub fn sort<T>(values: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let places = argsort(values.len(), &mut |one, other| {
        compare(&values[one], &values[other])
    });
    let mut left: Vec<Option<T>> = mem::take(values).into_iter().map(Some).collect();
    values.extend(places.into_iter().filter_map(|place| left[place].take()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_keeps_equal_ones_in_their_order() {
        let mut words = vec!["three", "at", "a", "is", "seven", ""];
        sort(&mut words, |one, other| one.len().cmp(&other.len()));
        assert_eq!(words, ["", "a", "at", "is", "three", "seven"]);
        assert_eq!(argsort(4, &mut |one, other| other.cmp(&one)), [3, 2, 1, 0]);
        sort(&mut Vec::<u8>::new(), Ord::cmp);
    }
}
