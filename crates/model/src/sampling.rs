//! Going on with a sequence: the next word is drawn from what the model predicts, again and again.
//!
//! At the last place `P(w) = e^((l_w − max l)/T) / Σ_v e^((l_v − max l)/T)` with the logits `l` and a temperature `T` (Ackley et al. 1985,
//! eq. 5): below 1 the likely is likelier, at 0 the likeliest is taken, above 1 the unlikely gets its turn.

use super::{Model, Words};
use attention::text::random::{StreamKind, Uniform};
use attention::{Code, Error};

/// A word that was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// Its number.
    pub word: usize,
    /// Its probability in the model itself, at a temperature of 1.
    pub share: f64,
}

impl Model {
    /// `count` words after `words`, of which as many of the last ones are read as the model takes. The same model, words, temperature and
    /// seed give the same ones on every machine; more of them begin with fewer.
    ///
    /// # Errors
    /// [`Code::NotApplicable`] for a model that is not causal, [`Code::UnknownOption`] for a temperature below 0 or one that is no number,
    /// [`Code::MissingField`] without words; otherwise as [`forward`](Self::forward).
    pub fn go_on(
        &self,
        words: &[usize],
        count: usize,
        temperature: f64,
        seed: u32,
    ) -> Result<Vec<Drawn>, Error> {
        self.check_sampling(words, temperature)?;
        let chances = Uniform::new(seed, StreamKind::Sampling, 0);
        let mut words = words.to_vec();
        let mut drawn = Vec::with_capacity(count);
        for chance in chances.take(count) {
            let logits = self.last_logits(&words)?;
            let word = draw(&logits, temperature, f64::from(chance + 1.0) / 2.0);
            let share = shares(&logits, 1.0).get(word).copied().unwrap_or(0.0);
            drawn.push(Drawn { word, share });
            words.push(word);
        }
        Ok(drawn)
    }

    fn check_sampling(&self, words: &[usize], temperature: f64) -> Result<(), Error> {
        if !self.config().causal {
            let rule = "only a causal model goes on with a sequence";
            return Err(Error::new(Code::NotApplicable, "mask", "none", rule));
        }
        if !temperature.is_finite() || temperature < 0.0 {
            let rule = "must be a finite number of at least 0";
            return Err(Error::new(
                Code::UnknownOption,
                "temperature",
                temperature,
                rule,
            ));
        }
        if words.is_empty() {
            return Err(Error::missing("tokens", "at least one word is needed"));
        }
        Ok(())
    }

    /// Logits after the last of `words`.
    fn last_logits(&self, words: &[usize]) -> Result<Vec<f32>, Error> {
        let read = &words[words.len().saturating_sub(self.config().length)..];
        let read = Words::new(self.config(), &[read.to_vec()])?;
        let forward = self.forward(&read)?;
        let row = forward
            .logits()
            .len()
            .saturating_sub(self.config().vocabulary);
        Ok(forward.logits()[row..].to_vec())
    }
}

/// The probabilities of all words; those of equal largest logits share all where the temperature is 0.
fn shares(logits: &[f32], temperature: f64) -> Vec<f64> {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let power = |logit: &f32| {
        let below = f64::from(*logit) - f64::from(largest);
        // At the largest it is 0 / 0 for a temperature of 0.
        if below == 0.0 {
            1.0
        } else {
            libm::exp(below / temperature)
        }
    };
    let powers: Vec<f64> = logits.iter().map(power).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// The word in whose stretch of all probabilities, one after the other, `chance` (0 ≤ chance < 1) lies.
fn draw(logits: &[f32], temperature: f64, chance: f64) -> usize {
    let shares = shares(logits, temperature);
    let mut passed = 0.0;
    let found = shares.iter().position(|share| {
        passed += share;
        chance < passed
    });
    // Rounding may leave the sum below the chance: the last word that is possible at all.
    let last = || shares.iter().rposition(|share| *share > 0.0);
    found.or_else(last).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_follow_the_temperature() {
        let logits = [0.0, libm::log(3.0) as f32];
        let close = |found: Vec<f64>, wanted: [f64; 2]| {
            let far = found
                .iter()
                .zip(wanted)
                .map(|(one, other)| (one - other).abs());
            assert!(far.fold(0.0, f64::max) < 1e-6, "{found:?} {wanted:?}");
        };
        close(shares(&logits, 1.0), [0.25, 0.75]);
        close(shares(&logits, 0.5), [0.1, 0.9]);
        close(shares(&logits, 0.0), [0.0, 1.0]);
        close(shares(&[2.0, 2.0], 0.0), [0.5, 0.5]);
    }

    #[test]
    fn a_chance_falls_into_the_stretch_of_its_word() {
        let logits = [0.0, libm::log(3.0) as f32, -200.0];
        for (chance, word) in [(0.0, 0), (0.24, 0), (0.26, 1), (0.9999999, 1)] {
            assert_eq!(draw(&logits, 1.0, chance), word, "{chance}");
        }
        assert_eq!(draw(&logits, 0.0, 0.0), 1);
        // Rounding can bring a chance up to the sum of all.
        assert_eq!(draw(&logits, 0.5, 1.0), 2);
    }
}
