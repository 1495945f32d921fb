//! First numbers of a model.

use super::TensorSpec;
use attention::check_finite;
use attention::text::random::{StreamKind, Uniform};
use attention::{Code, Error};

/// How the first numbers are drawn. Scales of norms and divisors of angles begin with 1, their shifts and all biases with 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Init {
    /// Uniform in `±√(6/(rows + columns))` (Glorot and Bengio 2010, eq. 16). Vectors of words and places are uniform with a
    /// variance of 1 over `d_model`, since they are looked up and not multiplied.
    Xavier,
    /// Normal with mean 0 and this deviation.
    Normal {
        /// The standard deviation.
        std: f32,
    },
}

impl Init {
    /// Refuses a deviation that is not finite or below 0.
    ///
    /// # Errors
    /// [`Code::NotFinite`], [`Code::UnknownOption`].
    pub fn check(self) -> Result<(), Error> {
        let Self::Normal { std } = self else {
            return Ok(());
        };
        check_finite("std", [&std])?;
        if std >= 0.0 {
            return Ok(());
        }
        let rule = "must be at least 0";
        Err(Error::new(Code::UnknownOption, "std", std, rule))
    }

    /// Numbers of all tensors. Each tensor has a random stream of its own.
    pub(super) fn numbers(self, specs: &[TensorSpec], seed: u32) -> Vec<f32> {
        let tensors = specs.iter().enumerate();
        tensors
            .flat_map(|(stream, spec)| self.tensor(spec, seed, stream as u64))
            .collect()
    }

    fn tensor(self, spec: &TensorSpec, seed: u32, stream: u64) -> Vec<f32> {
        let length = spec.range.len();
        let [rows, columns] = match spec.shape[..] {
            [rows, columns] => [rows, columns],
            _ => return vec![f32::from(u8::from(begins_with_1(&spec.name))); length],
        };
        let numbers = Uniform::new(seed, StreamKind::Model, stream);
        match self {
            Self::Xavier => {
                let is_looked_up =
                    matches!(spec.name.as_str(), "tokens" | "positions" | "token_types");
                let limit = if is_looked_up {
                    (3.0 / columns as f32).sqrt()
                } else {
                    (6.0 / (rows + columns) as f32).sqrt()
                };
                numbers.take(length).map(|x| x * limit).collect()
            }
            Self::Normal { std } => Normal(numbers).take(length).map(|x| x * std).collect(),
        }
    }
}

/// Factors of norms change nothing at first, and neither do divisors of angles.
fn begins_with_1(name: &str) -> bool {
    name.ends_with("scale") || name == "rotary_divisors"
}

/// Standard normal numbers (Box and Muller 1958). The library's functions are the same on every machine.
struct Normal(Uniform);

impl Iterator for Normal {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let [radius, angle] = [self.0.next()?, self.0.next()?].map(f64::from);
        // Above 0, so that the logarithm is finite; at most 1.
        let share = (1.0 - radius) / 2.0;
        let radius = (-2.0 * libm::log(share)).sqrt();
        Some((radius * libm::cos(std::f64::consts::PI * angle)) as f32)
    }
}
