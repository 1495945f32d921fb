//! Byte pair encoding: symbols next to each other become one, the best pair first.
//!
//! Sennrich, Haddow and Birch, *Neural Machine Translation of Rare Words with Subword Units* (2016), algorithm 1, on one word at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What two symbols next to each other become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Joined {
    /// The smallest is joined first, and of equal ones the leftmost.
    pub(crate) order: u32,
    /// The token of the joined symbol.
    pub(crate) id: u32,
}

/// A piece of a word: `length` bytes, and the token that they are, if they are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// Where it begins in the word, in bytes.
    pub(crate) start: usize,
    /// How many bytes it has.
    pub(crate) length: usize,
    /// Its token.
    pub(crate) id: Option<u32>,
}

/// A symbol between its neighbours, by their places in the list.
struct Link {
    symbol: Symbol,
    before: Option<usize>,
    after: Option<usize>,
}

/// A pair that may be joined: its order, its left symbol's place, the length of both as they are now, and the token that they become.
type Candidate = Reverse<(u32, usize, usize, u32)>;

/// Joins neighbours as long as `join` gives a token for two of them.
///
/// `join` is asked for the left and the right one. `n` symbols take `O(n log n)` steps.
pub(crate) fn merge(
    symbols: Vec<Symbol>,
    join: impl Fn(&Symbol, &Symbol) -> Option<Joined>,
) -> Vec<Symbol> {
    let mut word = Word {
        links: links(symbols),
        queue: BinaryHeap::new(),
        join,
    };
    for left in 0..word.links.len() {
        word.offer(Some(left));
    }
    while let Some(Reverse((_, left, length, id))) = word.queue.pop() {
        word.apply(left, length, id);
    }
    let whole = word.links.into_iter().map(|link| link.symbol);
    whole.filter(|symbol| symbol.length > 0).collect()
}

fn links(symbols: Vec<Symbol>) -> Vec<Link> {
    let count = symbols.len();
    let link = |(place, symbol): (usize, Symbol)| Link {
        symbol,
        before: place.checked_sub(1),
        after: Some(place + 1).filter(|&after| after < count),
    };
    symbols.into_iter().enumerate().map(link).collect()
}

struct Word<J> {
    links: Vec<Link>,
    queue: BinaryHeap<Candidate>,
    join: J,
}

impl<J: Fn(&Symbol, &Symbol) -> Option<Joined>> Word<J> {
    /// Puts the pair that begins at `left` into the queue, if it can be joined.
    fn offer(&mut self, left: Option<usize>) {
        let Some(left) = left else { return };
        let Some(right) = self.links[left].after else {
            return;
        };
        let (a, b) = (&self.links[left].symbol, &self.links[right].symbol);
        if let Some(joined) = (self.join)(a, b) {
            let length = a.length + b.length;
            let candidate = (joined.order, left, length, joined.id);
            self.queue.push(Reverse(candidate));
        }
    }

    /// Joins the pair that begins at `left`, unless one of the two has become part of another symbol since.
    fn apply(&mut self, left: usize, length: usize, id: u32) {
        let Some(right) = self.links[left].after else {
            return;
        };
        let (a, b) = (self.links[left].symbol, self.links[right].symbol);
        if a.length + b.length != length {
            return;
        }
        let after = self.links[right].after;
        self.links[right].symbol.length = 0;
        // So that what was offered of it is passed over.
        self.links[right].after = None;
        self.links[left].symbol.length = length;
        self.links[left].symbol.id = Some(id);
        self.links[left].after = after;
        if let Some(after) = after {
            self.links[after].before = Some(left);
        }
        self.offer(self.links[left].before);
        self.offer(Some(left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word of letters, joined where two of them stand in `pairs`, the first pair first.
    fn parts(word: &str, pairs: &[&str]) -> Vec<String> {
        let symbol = |(start, _)| Symbol {
            start,
            length: 1,
            id: None,
        };
        let join = |left: &Symbol, right: &Symbol| {
            let both = &word[left.start..right.start + right.length];
            let order = pairs.iter().position(|pair| *pair == both)?;
            let order = u32::try_from(order / 2).ok()?;
            Some(Joined { order, id: order })
        };
        let symbols = word.char_indices().map(symbol).collect();
        let joined = merge(symbols, join);
        let text = |symbol: &Symbol| word[symbol.start..symbol.start + symbol.length].to_owned();
        joined.iter().map(text).collect()
    }

    #[test]
    fn words_of_no_and_one_letter() {
        assert!(parts("", &["ab"]).is_empty());
        assert_eq!(parts("a", &["ab"]), ["a"]);
    }

    /// Two pairs each have the same order here.
    #[test]
    fn best_first_then_leftmost() {
        assert_eq!(parts("abc", &["bc", "-", "ab"]), ["a", "bc"]);
        assert_eq!(parts("abc", &["bc", "ab"]), ["ab", "c"]);
        assert_eq!(parts("aaaaa", &["aa", "-", "aaaa"]), ["aaaa", "a"]);
    }

    #[test]
    fn what_has_grown_since_is_passed_over() {
        let pairs = ["ab", "-", "abc", "-", "bc", "-", "cd"];
        assert_eq!(parts("abcd", &pairs), ["abc", "d"]);
    }
}
