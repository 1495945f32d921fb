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
    /// Queries and keys are rotated pair by pair after their projection.
    Rotary(Rotation),
    /// `strength · slope · |i − j|` is subtracted from the scaled score of query `i` and key `j`, with a slope for each head.
    /// Press et al. 2022, §3, is causal and has `i − j`; keys to the right are treated alike.
    Alibi {
        /// Multiplies every slope: 1 is the paper's, 0 takes nothing off, below 0 favours what is far. At most
        /// [`MOST_STRENGTH`] either way.
        strength: f32,
        /// The slopes.
        slopes: Slopes,
    },
}

/// Slopes of ALiBi, one for each head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Slopes {
    /// [`alibi_slope`]: the paper's, for other counts than powers of two its authors' code.
    #[default]
    Paper,
    /// `2^(−8·(g + 1)/heads)` for every number of heads; the same where it is a power of two.
    Power,
}

impl Slopes {
    /// The slope of `head`.
    pub fn of(self, head: usize, heads: usize) -> f64 {
        match self {
            Self::Paper => alibi_slope(head, heads),
            Self::Power => geometric_slope(head, heads),
        }
    }
}

impl Position {
    /// Rotary positions as in the paper.
    pub const ROTARY: Self = Self::Rotary(Rotation::PAPER);
    /// ALiBi as in the paper.
    pub const ALIBI: Self = Self::Alibi {
        strength: 1.0,
        slopes: Slopes::Paper,
    };

    /// The name in the public API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Sinusoidal => "sinusoidal",
            Self::Rotary(_) => "rotary",
            Self::Alibi { .. } => "alibi",
        }
    }

    /// How queries and keys are rotated, if they are.
    pub const fn rotation(self) -> Option<Rotation> {
        match self {
            Self::Rotary(rotation) => Some(rotation),
            _ => None,
        }
    }

    /// Whether distance takes something off the scores.
    pub const fn has_penalty(self) -> bool {
        matches!(self, Self::Alibi { .. })
    }

    /// ALiBi penalty of `head` per position of distance, in 64 bit; 0 without ALiBi.
    pub fn penalty(self, head: usize, heads: usize) -> f64 {
        match self {
            Self::Alibi { strength, slopes } => f64::from(strength) * slopes.of(head, heads),
            _ => 0.0,
        }
    }

    pub(crate) fn check(self, d_k: usize) -> Result<(), Error> {
        match self {
            Self::Rotary(rotation) => rotation.check(d_k),
            Self::Alibi { strength, .. } => check_strength(strength),
            Self::None | Self::Sinusoidal => Ok(()),
        }
    }
}

fn check_strength(strength: f32) -> Result<(), Error> {
    check_finite("alibi_strength", [&strength])?;
    if strength.abs() <= MOST_STRENGTH {
        return Ok(());
    }
    let rule = format!("must lie between -{MOST_STRENGTH} and {MOST_STRENGTH}");
    let code = Code::UnknownOption;
    Err(Error::new(code, "alibi_strength", strength, rule))
}

/// One entry of the encoding, in 64 bit.
///
/// `PE[pos, 2i] = sin(pos / 10000^(2i/d_model))`, `PE[pos, 2i+1] = cos(pos / 10000^(2i/d_model))`
/// (Vaswani et al. 2017, §3.5). An odd `d_model` ends on a sine.
pub fn sinusoid(pos: i64, column: usize, d_model: usize) -> f64 {
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
    let places: Vec<i64> = (0..n as i64).collect();
    sinusoidal_encoding_at(&places, d_model)
}

/// [`sinusoidal_encoding`] of rows that stand at `places`.
pub fn sinusoidal_encoding_at(places: &[i64], d_model: usize) -> Array2<f32> {
    Array2::from_shape_fn((places.len(), d_model), |(row, column)| {
        sinusoid(places[row], column, d_model) as f32
    })
}

/// The angle in radians by which columns `2·pair` and `2·pair + 1` of a row at `pos` are rotated: `pos / 10000^(2·pair/d_k)`
/// (Su et al. 2021, eq. 15 and 34). `pair` lies below `d_k / 2`; an odd last column is left alone.
///
/// `(x, y)` becomes `(x·cos − y·sin, x·sin + y·cos)`. The product of a rotated query and a rotated key depends on their
/// distance alone, and lengths stay as they are.
pub fn rotation(pos: i64, pair: usize, d_k: usize) -> f64 {
    Rotation::PAPER.angle(pos, pair, d_k)
}

/// Which columns of queries and keys are rotated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pairs {
    /// Columns `2c` and `2c + 1` (Su et al. 2021, eq. 34).
    #[default]
    Neighbours,
    /// Columns `c` and `c + r/2` of `r` rotated ones, as most published models have them.
    Halves,
}

/// Which columns of queries and keys are rotated, and how far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    /// The columns of a pair.
    pub pairs: Pairs,
    /// Base of the geometric series of wavelengths, above 0; 10,000 in the paper.
    pub base: f32,
    /// Leading columns of a head that are rotated (Black et al. 2022, §2.1.1), at most `d_k`; all of them without. They are
    /// rotated as if the head had no others.
    pub columns: Option<usize>,
}

impl Rotation {
    /// That of the paper, see [`rotation`].
    pub const PAPER: Self = Self {
        pairs: Pairs::Neighbours,
        base: 10_000.0,
        columns: None,
    };

    /// Leading columns of a head that take part.
    const fn width(self, d_k: usize) -> usize {
        match self.columns {
            Some(columns) if columns < d_k => columns,
            _ => d_k,
        }
    }

    /// Number of pairs of a head; an odd last column belongs to none.
    pub const fn pair_count(self, d_k: usize) -> usize {
        self.width(d_k) / 2
    }

    /// The two columns of a pair.
    pub const fn columns_of(self, pair: usize, d_k: usize) -> [usize; 2] {
        match self.pairs {
            Pairs::Neighbours => [2 * pair, 2 * pair + 1],
            Pairs::Halves => [pair, pair + self.pair_count(d_k)],
        }
    }

    /// The pair of a column, and whether it is the second of it; `None` for a column that is not rotated.
    pub const fn pair_of(self, column: usize, d_k: usize) -> Option<(usize, bool)> {
        let pairs = self.pair_count(d_k);
        if column >= 2 * pairs {
            return None;
        }
        Some(match self.pairs {
            Pairs::Neighbours => (column / 2, !column.is_multiple_of(2)),
            Pairs::Halves => (column % pairs, column >= pairs),
        })
    }

    /// The angle in radians of a pair of a row at `pos`: `pos / base^(2·pair/r)` with `r` rotated columns, `d_k` where all are.
    pub fn angle(self, pos: i64, pair: usize, d_k: usize) -> f64 {
        let base = f64::from(self.base);
        pos as f64 / libm::pow(base, (2 * pair) as f64 / self.width(d_k) as f64)
    }

    fn check(self, d_k: usize) -> Result<(), Error> {
        check_finite("base", [&self.base])?;
        if self.base <= 0.0 {
            let rule = "the base of rotary positions must be above 0";
            return Err(Error::new(Code::UnknownOption, "base", self.base, rule));
        }
        match self.columns {
            Some(columns) if columns > d_k => {
                let rule = format!("at most all d_k = {d_k} columns of a head can be rotated");
                Err(Error::new(
                    Code::ShapeMismatch,
                    "rotary_columns",
                    columns,
                    rule,
                ))
            }
            _ => Ok(()),
        }
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
