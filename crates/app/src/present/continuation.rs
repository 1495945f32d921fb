//! Text that a model of the training lab generates after its input.

wasm_chunks::chunk!("models");

use super::percent::percent;
use super::training_lab::TrainingLab;

/// A sampled character.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnCharacter {
    /// The character.
    pub text: String,
    /// Its probability in the model, at a temperature of 1, in per cent.
    pub share: String,
    /// Likelihood class: 0 below a tenth, 1 below a half, 2 otherwise.
    pub likelihood: u8,
}

impl TrainingLab {
    /// `count` characters generated after the input; `None` for a task that generates none.
    pub fn continuation(&self, count: usize) -> Option<Vec<DrawnCharacter>> {
        let run = self.run();
        if !run.goes_on() {
            return None;
        }
        let known = run.words();
        let words = &self.reading().words;
        let drawn = run.go_on(self.step(), words, count, self.temperature);
        let character = |drawn: &model::Drawn| DrawnCharacter {
            text: known.get(drawn.word).cloned().unwrap_or_default(),
            share: percent(drawn.share),
            likelihood: match drawn.share {
                few if few < 0.1 => 0,
                some if some < 0.5 => 1,
                _ => 2,
            },
        };
        Some(drawn.unwrap_or_default().iter().map(character).collect())
    }
}
