//! Digits and letters to be copied, reversed, sorted, or continued.

use super::{Example, Generator, Task, list};
use attention::sort;
use attention::text::random::Choice;

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
const LETTERS: [&str; 24] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x",
];
/// Digits of an example.
const COUNT: usize = 8;

fn digits(choice: &mut Choice) -> Vec<usize> {
    (0..COUNT).map(|_| choice.below(DIGITS.len())).collect()
}

/// Digits, and the function that gives their targets.
struct InPlace(fn(&mut Vec<usize>));

impl Generator for InPlace {
    fn example(&self, choice: &mut Choice) -> Example {
        let words = digits(choice);
        let mut answer = words.clone();
        (self.0)(&mut answer);
        let targets = answer.into_iter().map(Some).collect();
        Example { words, targets }
    }
}

pub(super) fn reverse() -> Task {
    Task {
        name: "reverse",
        about: "eight digits the other way round",
        words: list(DIGITS),
        length: COUNT,
        generator: Box::new(InPlace(|digits| digits.reverse())),
    }
}

pub(super) fn sort() -> Task {
    Task {
        name: "sort",
        about: "eight digits from the smallest to the largest",
        words: list(DIGITS),
        length: COUNT,
        generator: Box::new(InPlace(|digits| sort::sort(digits, usize::cmp))),
    }
}

/// Digits, and blanks after them to copy them to.
struct Copy;

impl Generator for Copy {
    fn example(&self, choice: &mut Choice) -> Example {
        let digits = digits(choice);
        let blanks = [DIGITS.len(); COUNT];
        Example {
            words: digits.iter().copied().chain(blanks).collect(),
            targets: blanks
                .map(|_| None)
                .into_iter()
                .chain(digits.into_iter().map(Some))
                .collect(),
        }
    }
}

pub(super) fn copy() -> Task {
    Task {
        name: "copy",
        about: "eight digits once more, in the blanks after them",
        words: list(DIGITS.into_iter().chain(["_"])),
        length: 2 * COUNT,
        generator: Box::new(Copy),
    }
}

/// Different letters that repeat: from the first repetition on the next one is known. A model that is to see no answers is causal.
struct Repeat;

/// Letters of an example.
const LENGTH: usize = 24;
/// The shortest and the longest period.
const PERIODS: [usize; 2] = [5, 12];

impl Generator for Repeat {
    fn example(&self, choice: &mut Choice) -> Example {
        let [shortest, longest] = PERIODS;
        let period = shortest + choice.below(longest - shortest + 1);
        let mut letters: Vec<usize> = (0..LETTERS.len()).collect();
        choice.shuffle(&mut letters);
        let at = |place: usize| letters[place % period];
        Example {
            words: (0..LENGTH).map(at).collect(),
            targets: (0..LENGTH)
                .map(|place| (place >= period).then(|| at(place + 1)))
                .collect(),
        }
    }
}

pub(super) fn repeat() -> Task {
    Task {
        name: "repeat",
        about: "the next letter of a sequence that has begun to repeat itself; the model must be causal",
        words: list(LETTERS),
        length: LENGTH,
        generator: Box::new(Repeat),
    }
}
