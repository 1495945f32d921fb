//! Numbers that rotary angles are divided by.

use std::f64::consts::TAU;

use attention::{Code, Error};

/// How they are made.
#[derive(Clone, Copy)]
pub(crate) enum Divisors {
    /// One for all pairs, as if positions were divided (Chen et al. 2023).
    Linear(f64),
    /// Long wavelengths are stretched, short ones kept (Llama 3.1).
    Llama3 {
        /// Base of the rotary positions.
        base: f64,
        /// Divisor of wavelengths beyond `length/low`.
        factor: f64,
        /// See `factor`.
        low: f64,
        /// Wavelengths below `length/high` are kept.
        high: f64,
        /// Length that the model was trained on first.
        length: f64,
    },
}

impl Divisors {
    /// One for each pair of `columns` rotated columns.
    ///
    /// # Errors
    /// [`Code::UnknownOption`] where one is not a number above 0.
    pub(crate) fn numbers(self, columns: usize) -> Result<Vec<f32>, Error> {
        let exponent = |pair: usize| (2 * pair) as f64 / columns as f64;
        let divisors: Vec<f32> = (0..columns / 2)
            .map(|pair| self.of_pair(exponent(pair)) as f32)
            .collect();
        match divisors.iter().find(|x| !(x.is_finite() && **x > 0.0)) {
            None => Ok(divisors),
            Some(x) => {
                let rule = "must be finite numbers above 0: look at factor, low_freq_factor and high_freq_factor";
                Err(Error::new(Code::UnknownOption, "rotary_divisors", x, rule))
            }
        }
    }

    /// That of a pair whose wavelength is `2π·base^exponent`. Between both bounds the frequency is mixed of the kept and the divided one in
    /// proportion.
    fn of_pair(self, exponent: f64) -> f64 {
        let (base, factor, low, high, length) = match self {
            Self::Linear(factor) => return factor,
            Self::Llama3 {
                base,
                factor,
                low,
                high,
                length,
            } => (base, factor, low, high, length),
        };
        let wavelength = TAU * libm::pow(base, exponent);
        if wavelength > length / low {
            return factor;
        }
        if wavelength < length / high {
            return 1.0;
        }
        let share = (length / wavelength - low) / (high - low);
        1.0 / ((1.0 - share) / factor + share)
    }
}
