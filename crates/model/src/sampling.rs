//! Going on with a sequence: the next word is drawn from what the model predicts, again and again.
//!
//! At the last place `P(w) = e^((l_w − max l)/T) / Σ_v e^((l_v − max l)/T)` with the logits `l` and a temperature `T` (Ackley et al. 1985,
//! eq. 5): below 1 the likely is likelier, at 0 the likeliest is taken, above 1 the unlikely gets its turn.

use super::{Model, Words};
use attention::text::random::{StreamKind, Uniform};
use attention::{Code, Error};

/// A word and how likely it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// Its number.
    pub word: usize,
    /// Its probability: of one that was drawn at a temperature of 1, as in the model itself.
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
        let mut sampler = Sampler::new(temperature, None, seed)?;
        let mut words = words.to_vec();
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            let drawn = sampler.draw(&self.last_logits(&words)?);
            all.push(drawn);
            words.push(drawn.word);
        }
        Ok(all)
    }

    fn check_sampling(&self, words: &[usize], temperature: f64) -> Result<(), Error> {
        if !self.config().causal {
            let rule = "only a causal model goes on with a sequence";
            return Err(Error::new(Code::NotApplicable, "mask", "none", rule));
        }
        check_temperature(temperature)?;
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

/// Draws next words from logits, one after the other: the same temperature, seed and logits give the same words on every machine.
pub struct Sampler {
    temperature: f64,
    top: Option<usize>,
    chances: Uniform,
}

impl Sampler {
    /// At a temperature of 0 the likeliest word is taken, one of several by chance. With `top` only so many of the likeliest are drawn from
    /// (Fan et al. 2018, §5.1).
    ///
    /// # Errors
    /// [`Code::UnknownOption`] for a temperature below 0 or one that is no number, and for a `top` of 0.
    pub fn new(temperature: f64, top: Option<usize>, seed: u32) -> Result<Self, Error> {
        check_temperature(temperature)?;
        if top == Some(0) {
            let rule = "must be a whole number of at least 1";
            return Err(Error::new(Code::UnknownOption, "top", 0, rule));
        }
        Ok(Self {
            temperature,
            top,
            chances: Uniform::new(seed, StreamKind::Sampling, 0),
        })
    }

    /// The next word, from logits `[vocabulary]` that are finite. Word 0 where there are none.
    pub fn draw(&mut self, logits: &[f32]) -> Drawn {
        let chance = f64::from(self.chances.next().unwrap_or(0.0) + 1.0) / 2.0;
        let word = match self.top.filter(|top| *top < logits.len()) {
            None => draw(logits, self.temperature, chance),
            Some(top) => {
                let mut words = largest(logits, top);
                // In the order of all words, so that the largest `top` draws what none does.
                words.sort_unstable();
                let of_words: Vec<f32> = words.iter().map(|word| logits[*word]).collect();
                words[draw(&of_words, self.temperature, chance)]
            }
        };
        let share = shares(logits, 1.0).get(word).copied().unwrap_or(0.0);
        Drawn { word, share }
    }
}

/// The `count` likeliest words of logits `[vocabulary]` with their probabilities at a temperature, the likeliest first; of equally likely ones
/// the first in the vocabulary.
///
/// # Errors
/// [`Code::UnknownOption`] for a temperature below 0 or one that is no number.
pub fn likeliest(logits: &[f32], temperature: f64, count: usize) -> Result<Vec<Drawn>, Error> {
    check_temperature(temperature)?;
    let shares = shares(logits, temperature);
    let words = largest(logits, count).into_iter();
    let with_share = |word| Drawn {
        word,
        share: shares[word],
    };
    Ok(words.map(with_share).collect())
}

/// The places of the `count` largest logits, the largest first, of equal ones the first.
fn largest(logits: &[f32], count: usize) -> Vec<usize> {
    let order = |a: &usize, b: &usize| logits[*b].total_cmp(&logits[*a]).then(a.cmp(b));
    let mut words: Vec<usize> = (0..logits.len()).collect();
    if count > 0 && count < words.len() {
        words.select_nth_unstable_by(count - 1, order);
    }
    words.truncate(count);
    words.sort_unstable_by(order);
    words
}

fn check_temperature(temperature: f64) -> Result<(), Error> {
    if temperature.is_finite() && temperature >= 0.0 {
        return Ok(());
    }
    let (code, rule) = (Code::UnknownOption, "must be a finite number of at least 0");
    Err(Error::new(code, "temperature", temperature, rule))
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
    fn the_likeliest_are_in_order() {
        let logits = [1.0, 3.0, -2.0, 3.0, 2.0];
        let words = |count, temperature| -> Vec<usize> {
            let found = likeliest(&logits, temperature, count).expect("a temperature");
            found.iter().map(|drawn| drawn.word).collect()
        };
        assert_eq!(words(3, 1.0), [1, 3, 4]);
        assert_eq!(words(9, 0.0), [1, 3, 4, 0, 2]);
        assert_eq!(words(0, 1.0), []);
        let shares: Vec<f64> = likeliest(&logits, 0.0, 3)
            .expect("0")
            .iter()
            .map(|own| own.share)
            .collect();
        assert_eq!(shares, [0.5, 0.5, 0.0]);
        assert_eq!(
            likeliest(&logits, -1.0, 1).expect_err("below 0").field,
            "temperature"
        );
        assert_eq!(likeliest(&[], 1.0, 4), Ok(vec![]));
    }

    #[test]
    fn only_the_top_words_are_drawn() {
        let logits = [1.0, 1.5, -2.0, 1.2, 0.9];
        let drawn = |top, temperature, seed| -> Vec<usize> {
            let mut sampler = Sampler::new(temperature, top, seed).expect("valid");
            (0..200).map(|_| sampler.draw(&logits).word).collect()
        };
        let of_two = drawn(Some(2), 1.0, 3);
        assert!(of_two.iter().all(|word| [1, 3].contains(word)));
        assert!(of_two.contains(&1) && of_two.contains(&3));
        assert_eq!(drawn(Some(5), 1.0, 3), drawn(None, 1.0, 3));
        assert_ne!(drawn(None, 1.0, 3), drawn(None, 1.0, 4));
        assert!(drawn(None, 0.0, 3).iter().all(|word| *word == 1));
        assert!(drawn(Some(1), 2.0, 3).iter().all(|word| *word == 1));
        assert_eq!(
            Sampler::new(1.0, Some(0), 1).err().map(|error| error.field),
            Some("top".to_owned())
        );
    }

    /// The same on every machine: logarithms and exponentials are the library's.
    #[test]
    fn words_are_drawn_bit_for_bit() {
        let logits: Vec<f32> = (0..97).map(|at| (at * at % 89) as f32 / 20.0).collect();
        let mut sampler = Sampler::new(0.7, Some(40), 11).expect("valid");
        let drawn: Vec<Drawn> = (0..6).map(|_| sampler.draw(&logits)).collect();
        let words: Vec<usize> = drawn.iter().map(|drawn| drawn.word).collect();
        assert_eq!(words, WORDS);
        assert_eq!(drawn[0].share.to_bits(), SHARE);
    }

    const WORDS: [usize; 6] = [8, 46, 23, 68, 55, 76];
    const SHARE: u64 = 4_578_863_386_695_237_865;

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
