//! Matching brackets: at each closing one, the letter that stands after the opening one that it closes.

use super::{Example, Generator, Task, list};
use attention::text::random::Choice;

const LETTERS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const OPENING: usize = LETTERS.len();
const CLOSING: usize = OPENING + 1;
/// Pairs of an example.
const PAIRS: usize = 5;

struct Brackets;

impl Generator for Brackets {
    fn example(&self, choice: &mut Choice) -> Example {
        let (mut words, mut targets) = (Vec::new(), Vec::new());
        let mut open = Vec::new();
        let mut left = PAIRS;
        while left > 0 || !open.is_empty() {
            let opens = open.is_empty() || (left > 0 && choice.below(2) == 0);
            if opens {
                let letter = choice.below(LETTERS.len());
                words.extend([OPENING, letter]);
                targets.extend([None, None]);
                open.push(letter);
                left -= 1;
            } else {
                words.push(CLOSING);
                targets.push(open.pop());
            }
        }
        Example { words, targets }
    }
}

pub(super) fn task() -> Task {
    Task {
        name: "brackets",
        about: "at each closing bracket, the letter after the one that it closes",
        words: list(LETTERS.into_iter().chain(["(", ")"])),
        length: 3 * PAIRS,
        generator: Box::new(Brackets),
    }
}
