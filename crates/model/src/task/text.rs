//! The next character of the user's own text.

use super::{Example, Generator, Task};
use attention::sort::sort;
use attention::text::random::Choice;
use attention::{Code, Error};

/// Characters that are read at once; a text must have more.
pub const LENGTH: usize = 32;
/// Different characters of a text, each of which is a word of the model: its numbers, of which a run keeps those of every step, and the logits
/// of a step grow with them.
pub const MOST_CHARACTERS: usize = 1500;
/// A short text may have no piece that is held out, or none that is not.
const MOST_DRAWS: usize = 64;

struct Characters(Vec<usize>);

impl Generator for Characters {
    fn example(&self, choice: &mut Choice) -> Example {
        let first = choice.below(self.0.len() - LENGTH);
        let window = &self.0[first..][..LENGTH + 1];
        Example {
            words: window[..LENGTH].to_vec(),
            targets: window[1..].iter().copied().map(Some).collect(),
        }
    }

    fn most_draws(&self) -> usize {
        MOST_DRAWS
    }
}

pub(super) fn task(text: &str) -> Result<Task, Error> {
    let characters: Vec<char> = text.to_lowercase().chars().collect();
    if characters.len() <= LENGTH {
        let rule = format!("must have more than {LENGTH} characters");
        let length = format!("{} characters", characters.len());
        return Err(Error::new(Code::ShapeMismatch, "task.text", length, rule));
    }
    let mut known = characters.clone();
    sort(&mut known, char::cmp);
    known.dedup();
    if known.len() > MOST_CHARACTERS {
        let rule = format!("must have at most {MOST_CHARACTERS} different characters");
        return Err(Error::new(Code::TooLarge, "task.text", known.len(), rule));
    }
    let number = |c: &char| known.binary_search(c).unwrap_or_default();
    Ok(Task {
        name: "text",
        about: "the next character of a text; the model must be causal",
        words: known.iter().map(char::to_string).collect(),
        length: LENGTH,
        generator: Box::new(Characters(characters.iter().map(number).collect())),
    })
}
