//! How finished weights were rounded before they were saved, as their bits and decimals show: types and printers are known by them
//! wherever the numbers come from.

/// The least and the most decimals that count as printed: people type fewer, and more tell 32-bit numbers apart.
const PRINTED: std::ops::RangeInclusive<i32> = 3..=6;

/// How far the sum of a row may be from 1 where nothing was rounded but to 32 bits.
pub const EXACT_ROW: f64 = 1e-3;

/// How far the sum of a row of `weights` may be from 1, with that many columns: [`EXACT_ROW`] and what their rounding allows.
pub fn row_tolerance<'a>(weights: impl Iterator<Item = &'a f32> + Clone, columns: usize) -> f64 {
    EXACT_ROW + Rounding::of(weights).of_row(columns)
}

/// How far a weight may be from the one that was computed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rounding {
    /// Of its size.
    relative: f64,
    /// Whatever its size.
    absolute: f64,
}

impl Rounding {
    /// The coarsest rounding that all weights have in common.
    fn of<'a>(weights: impl Iterator<Item = &'a f32> + Clone) -> Self {
        let all = |is: &dyn Fn(f32) -> bool| weights.clone().all(|weight| is(*weight));
        let (mut relative, mut absolute) = (0.0, 0.0);
        // bfloat16 keeps 8 bits of a number, 16-bit floats 11 of those from 2⁻¹⁴ on.
        if all(&|weight| keeps(weight, 8)) {
            relative = 0.5_f64.powi(8);
        } else if all(&|weight| keeps(weight, 11) || is_small_half(weight)) {
            relative = 0.5_f64.powi(11);
        }
        let has_decimals = |decimals: i32| all(&|weight| is_written(weight, decimals));
        if !has_decimals(PRINTED.start() - 1)
            && let Some(decimals) = PRINTED.clone().find(|decimals| has_decimals(*decimals))
        {
            absolute = 0.5 / 10_f64.powi(decimals);
        }
        Self { relative, absolute }
    }

    /// How far the sum of a row of weights that sum to 1 may be from that.
    fn of_row(self, columns: usize) -> f64 {
        self.relative + self.absolute * columns as f64
    }
}

/// Whether a number has at most so many bits, without the zeros behind them.
fn keeps(number: f32, bits: u32) -> bool {
    number.to_bits().trailing_zeros() >= f32::MANTISSA_DIGITS - bits
}

/// Whether a number below 2⁻¹⁴ is a multiple of the smallest of 16 bits.
fn is_small_half(number: f32) -> bool {
    number.abs() < 6.1e-5 && (f64::from(number) * 2_f64.powi(24)).fract() == 0.0
}

/// Whether a number is the nearest to one with so many decimals.
fn is_written(number: f32, decimals: i32) -> bool {
    let scale = 10_f64.powi(decimals);
    ((f64::from(number) * scale).round() / scale) as f32 == number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(weights: &[f32]) -> Rounding {
        Rounding::of(weights.iter())
    }

    #[test]
    fn types_and_printers_are_known_by_their_numbers() {
        let plain = Rounding {
            relative: 0.0,
            absolute: 0.0,
        };
        assert_eq!(of(&[0.7, 0.3]), plain);
        assert_eq!(of(&[0.1234567, 0.8765433]), plain);
        // Rounded to bfloat16 and to 16 bits, as PyTorch gives them.
        let brain = [0.699_218_75, 0.300_781_25];
        assert_eq!(of(&brain).relative, 1.0 / 256.0);
        let half = [0.700_195_3, 0.300_048_83, 5.960_464_5e-8];
        assert_eq!(of(&half).relative, 1.0 / 2048.0);
        assert_eq!(
            of(&[0.7015, 0.3]),
            Rounding {
                relative: 0.0,
                absolute: 0.5e-4
            }
        );
        assert!((of(&[0.7015, 0.3]).of_row(64) - 3.2e-3).abs() < 1e-9);
    }
}
