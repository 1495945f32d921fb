//! Positions: added to the inputs, rotated into queries and keys, or subtracted from the scores.

use ndarray::Array2;

use crate::error::check_finite;
use crate::{Code, Error};

/// The largest strength of ALiBi, on either side of 0.
pub const MOST_STRENGTH: f32 = 1e6;

/// How the order of the rows enters.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Position {
    /// Not at all: rows may change places.
    #[default]
    None,
    /// [`sinusoidal_encoding`] is added to queries' and keys' inputs.
    Sinusoidal,
    /// Queries and keys are rotated pair by pair by [`rotation`] after their projection (Su et al. 2021, eq. 34).
    Rotary,
    /// [`Rotary`](Self::Rotary) as published models have it: pairs are columns `i` and `i + d_k/2`, angles are powers of `base`.
    RotaryHalves {
        /// Base of the geometric series of wavelengths, above 0; 10,000 in the paper.
        base: f32,
        /// Leading columns of a head that are rotated (Black et al. 2022, §2.1.1), at most `d_k`; all of them without. They are
        /// rotated as if the head had no others.
        columns: Option<usize>,
    },
    /// `strength · slope · |i − j|` is subtracted from the scaled score of query `i` and key `j`, with a slope for each head
    /// ([`alibi_slope`]). Press et al. 2022, §3, is causal and has `i − j`; keys to the right are treated alike.
    Alibi {
        /// Multiplies every slope: 1 is the paper's, 0 takes nothing off, below 0 favours what is far. At most
        /// [`MOST_STRENGTH`] either way.
        strength: f32,
    },
    /// [`Alibi`](Self::Alibi) with the slopes `2^(−8·(g + 1)/heads)` for every number of heads; the same where it is a power of two.
    AlibiGeometric,
}

impl Position {
    /// The name in the public API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Sinusoidal => "sinusoidal",
            Self::Rotary | Self::RotaryHalves { .. } => "rotary",
            Self::Alibi { .. } | Self::AlibiGeometric => "alibi",
        }
    }

    /// How queries and keys are rotated, if they are.
    pub fn rotation(self) -> Option<Rotation> {
        match self {
            Self::Rotary => Some(Rotation::PAPER),
            Self::RotaryHalves { base, columns } => Some(Rotation {
                in_halves: true,
                base: f64::from(base),
                rotated: columns,
            }),
            _ => None,
        }
    }

    /// Whether distance takes something off the scores.
    pub const fn has_penalty(self) -> bool {
        matches!(self, Self::Alibi { .. } | Self::AlibiGeometric)
    }

    /// ALiBi penalty of `head` per position of distance, in 64 bit; 0 without ALiBi.
    pub fn penalty(self, head: usize, heads: usize) -> f64 {
        match self {
            Self::Alibi { strength } => f64::from(strength) * alibi_slope(head, heads),
            Self::AlibiGeometric => geometric_slope(head, heads),
            _ => 0.0,
        }
    }

    pub(crate) fn check(self) -> Result<(), Error> {
        let Self::Alibi { strength } = self else {
            return Ok(());
        };
        check_finite("alibi_strength", [&strength])?;
        if strength.abs() <= MOST_STRENGTH {
            return Ok(());
        }
        let rule = format!("must lie between -{MOST_STRENGTH} and {MOST_STRENGTH}");
        let code = Code::UnknownOption;
        Err(Error::new(code, "alibi_strength", strength, rule))
    }
}

/// One entry of the encoding, in 64 bit.
///
/// `PE[pos, 2i] = sin(pos / 10000^(2i/d_model))`, `PE[pos, 2i+1] = cos(pos / 10000^(2i/d_model))`
/// (Vaswani et al. 2017, §3.5). An odd `d_model` ends on a sine.
pub fn sinusoid(pos: usize, column: usize, d_model: usize) -> f64 {
    let angle = rotation(pos, column / 2, d_model);
    if column.is_multiple_of(2) {
        libm::sin(angle)
    } else {
        libm::cos(angle)
    }
}

/// The encoding of positions `0..n`, shape `[n, d_model]`, rounded once to 32 bit.
///
/// Computed without the platform's own mathematics library, so that every machine gets the same bits.
pub fn sinusoidal_encoding(n: usize, d_model: usize) -> Array2<f32> {
    Array2::from_shape_fn((n, d_model), |(pos, column)| {
        sinusoid(pos, column, d_model) as f32
    })
}

/// The angle in radians by which columns `2·pair` and `2·pair + 1` of row `pos` are rotated: `pos / 10000^(2·pair/d_k)`
/// (Su et al. 2021, eq. 15 and 34). `pair` lies below `d_k / 2`; an odd last column is left alone.
///
/// `(x, y)` becomes `(x·cos − y·sin, x·sin + y·cos)`. The product of a rotated query and a rotated key depends on their
/// distance alone, and lengths stay as they are.
pub fn rotation(pos: usize, pair: usize, d_k: usize) -> f64 {
    Rotation::PAPER.angle(pos, pair, d_k)
}

/// Which columns of queries and keys are rotated, and how far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    in_halves: bool,
    base: f64,
    rotated: Option<usize>,
}

impl Rotation {
    /// That of the paper, see [`rotation`].
    pub const PAPER: Self = Self {
        in_halves: false,
        base: 10_000.0,
        rotated: None,
    };

    /// Leading columns of a head that take part.
    const fn width(self, d_k: usize) -> usize {
        match self.rotated {
            Some(columns) if columns < d_k => columns,
            _ => d_k,
        }
    }

    /// Number of pairs of a head; an odd last column belongs to none.
    pub const fn pairs(self, d_k: usize) -> usize {
        self.width(d_k) / 2
    }

    /// The two columns of a pair: neighbours, or one in each half.
    pub const fn columns(self, pair: usize, d_k: usize) -> [usize; 2] {
        if self.in_halves {
            [pair, pair + self.pairs(d_k)]
        } else {
            [2 * pair, 2 * pair + 1]
        }
    }

    /// The angle in radians of a pair of row `pos`: `pos / base^(2·pair/r)` with `r` rotated columns, `d_k` where all are.
    pub fn angle(self, pos: usize, pair: usize, d_k: usize) -> f64 {
        pos as f64 / libm::pow(self.base, (2 * pair) as f64 / self.width(d_k) as f64)
    }
}

/// ALiBi's slope of a head (Press et al. 2022, §3): `2^(−8·(head + 1)/heads)` where `heads` is a power of two.
///
/// Other counts are filled up as in the authors' published code: the slopes of the power of two below, then every other
/// slope of the power of two above. Between 0 and 1; the first head's is the steepest of a power of two.
pub fn alibi_slope(head: usize, heads: usize) -> f64 {
    let below = 1 << heads.max(1).ilog2();
    if head < below {
        geometric_slope(head, below)
    } else {
        geometric_slope(2 * (head - below), 2 * below)
    }
}

/// `2^(−8·(head + 1)/heads)`.
fn geometric_slope(head: usize, heads: usize) -> f64 {
    libm::exp2(-8.0 * (head + 1) as f64 / heads as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slopes(heads: usize) -> Vec<f64> {
        (0..heads).map(|head| alibi_slope(head, heads)).collect()
    }

    #[test]
    fn slopes_of_powers_of_two_are_those_of_the_paper() {
        let wanted: Vec<_> = (1..=8).map(|power| 0.5f64.powi(power)).collect();
        assert_eq!(slopes(8), wanted);
        assert_eq!(slopes(1), [1.0 / 256.0]);
        assert_eq!(slopes(2), [1.0 / 16.0, 1.0 / 256.0]);
        // §3: "for models that have 16 heads, we interpolate": 2^-0.5, 2^-1, 2^-1.5, …, 2^-8.
        assert!((slopes(16)[0] - 0.5f64.sqrt()).abs() < 1e-15);
        assert_eq!(slopes(16)[15], 1.0 / 256.0);
    }

    /// Printed by `get_slopes` of the authors' repository.
    #[test]
    fn slopes_of_other_counts_are_the_authors() {
        let wanted: [&[f64]; 3] = [
            &[0.0625, 0.003_906_25, 0.25],
            &[0.25, 0.0625, 0.015_625, 0.003_906_25, 0.5, 0.125],
            &[
                0.5,
                0.25,
                0.125,
                0.0625,
                0.031_25,
                0.015_625,
                0.007_812_5,
                0.003_906_25,
                std::f64::consts::FRAC_1_SQRT_2,
                0.353_553_390_593_273_8,
                0.176_776_695_296_636_9,
                0.088_388_347_648_318_45,
            ],
        ];
        for wanted in wanted {
            for (found, wanted) in slopes(wanted.len()).iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-15, "{found} for {wanted}");
            }
        }
    }
}
