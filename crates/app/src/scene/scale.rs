//! From a number to a position on the colour bar.
//!
//! Weights go from zero to a maximum; signed numbers lie on both sides of a zero in the middle.
//!
//! All heads of a run share one scale. Its upper end is a round number at or above their largest weight, or above that of the chosen head
//! alone: small changes of weights do not change the meaning of a colour, and thumbnails can be compared.

mod ticks;

pub use ticks::times;

use crate::i18n::number;
use crate::state::{ColourRange, ColourScale};

/// Doublings that a scale around even reaches to either side.
const DOUBLINGS: i32 = 3;

/// Decades that a log scale spans, not counting the part of a decade up to a top such as 0.5.
const DECADES: i32 = 4;

/// A scale with its ends: what turns a weight into a fraction and into an entry of a colour table.
///
/// - above even: `t = (w − even) / (top − even)`, where `even` is the weight that an even row over all keys has
/// - linear: `t = w / top`
/// - log: `t = (log₂ w − log₂ floor) / (log₂ top − log₂ floor)`
/// - even: `t = log₂ r / (2·log₂ top) + ½` of `r`, the weight as a multiple of an even row's, see
///   [`Grid::factor`](super::heatmap::Grid::factor)
/// - symmetric: `t = w / (2·top) + ½`
///
/// all limited to 0…1; not-a-number is drawn as 0, on a symmetric scale as the number zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    kind: ColourScale,
    is_symmetric: bool,
    top: f32,
    floor: f32,
    /// `t = (w or log₂ w) · gain + shift`.
    gain: f32,
    shift: f32,
}

/// One mark on the colour bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Place on the bar, 0 (low end) to 1 (high end).
    pub t: f32,
    /// The weight it stands for.
    pub value: f32,
    /// How the weight is written.
    pub label: String,
}

/// The weight that the colours of a map reach up to: the largest of `head`, or of all heads. `largest` is that of each
/// head, in order; 0 for a head that there is not. The range is the one [in force](ColourRange::in_force).
pub fn largest_in(range: ColourRange, largest: &[f32], head: usize) -> f32 {
    match range {
        ColourRange::Head => largest.get(head).copied().unwrap_or_default(),
        ColourRange::All | ColourRange::Auto => largest.iter().copied().fold(0.0, f32::max),
    }
}

impl Scale {
    /// A scale for weights up to `largest`, see [`largest_in`].
    ///
    /// The upper end is the next of … 0.05, 0.1, 0.2, 0.5, 1, 2 … at or above `largest`. A `largest` that is zero,
    /// negative or not finite gives the upper end 1. The floor of a log scale is a power of ten, at least four decades
    /// below the top rounded up to a power of ten.
    pub fn new(kind: ColourScale, largest: f32) -> Self {
        let (top, decade) = ceiling(largest);
        match kind {
            ColourScale::Above | ColourScale::Linear => Self {
                kind,
                is_symmetric: false,
                top,
                floor: 0.0,
                gain: 1.0 / top,
                shift: 0.0,
            },
            ColourScale::Log => {
                let floor = libm::pow(10.0, f64::from(decade - DECADES)) as f32;
                let gain = 1.0 / (log2(top) - log2(floor));
                Self {
                    kind,
                    is_symmetric: false,
                    top,
                    floor,
                    gain,
                    shift: -log2(floor) * gain,
                }
            }
            ColourScale::Even => {
                let top = (1 << DOUBLINGS) as f32;
                Self {
                    kind,
                    is_symmetric: false,
                    top,
                    floor: 1.0 / top,
                    gain: 0.5 / DOUBLINGS as f32,
                    shift: 0.5,
                }
            }
        }
    }

    /// The same for a map with so many keys: only a scale above even asks for them. Where no weight is above even, it begins at 0.
    #[must_use]
    pub fn over_keys(self, keys: usize) -> Self {
        let even = 1.0 / keys.max(1) as f32;
        if self.kind != ColourScale::Above || even * (1.0 + 1e-4) > self.top {
            return self;
        }
        let gain = 1.0 / (self.top - even);
        Self {
            floor: even,
            gain,
            shift: -even * gain,
            ..self
        }
    }

    /// A scale of its kind, over as many keys, for weights up to `largest`.
    #[must_use]
    pub fn up_to(&self, largest: f32) -> Self {
        let own = Self::new(self.kind, largest);
        match self.kind {
            ColourScale::Above if self.floor > 0.0 => {
                own.over_keys((1.0 / self.floor).round() as usize)
            }
            _ => own,
        }
    }

    /// A linear scale for signed numbers up to `largest` away from zero, which lies in its middle.
    ///
    /// Its ends, `−top` and `top`, are `largest` in two digits: numbers that are shown with three have the whole range of colours.
    /// Entries of the table are those of [`Lut::diverging`](super::colour::Lut::diverging).
    pub fn symmetric(largest: f32) -> Self {
        let top = in_two_digits(largest);
        Self {
            kind: ColourScale::Linear,
            is_symmetric: true,
            top,
            floor: -top,
            gain: 0.5 / top,
            shift: 0.5,
        }
    }

    /// Above even, linear, log or around even; a symmetric scale is linear.
    pub const fn kind(&self) -> ColourScale {
        self.kind
    }

    /// Whether zero lies in the middle.
    pub const fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// Whether its middle stands out: entries of the table are those of [`Lut::diverging`](super::colour::Lut::diverging).
    pub fn is_diverging(&self) -> bool {
        self.is_symmetric || self.kind == ColourScale::Even
    }

    /// Whether both spread the same kind of numbers alike, whatever their ends.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.is_symmetric) == (other.kind, other.is_symmetric)
    }

    /// Weight at the high end of the colours.
    pub const fn top(&self) -> f32 {
        self.top
    }

    /// Number at the low end of the colours: 0 on a linear scale for weights, the even weight on one above it, `−top` on a symmetric one.
    pub const fn floor(&self) -> f32 {
        self.floor
    }

    /// Place of `value` on the scale, 0…1.
    #[inline]
    pub fn fraction(&self, value: f32) -> f32 {
        let place = match self.kind {
            ColourScale::Above | ColourScale::Linear => value,
            ColourScale::Log | ColourScale::Even => log2(value),
        };
        let t = if self.is_symmetric {
            // Exactly 0 and 1 at the ends, whatever number they are.
            0.5 * (place / self.top) + 0.5
        } else {
            place * self.gain + self.shift
        };
        if self.is_symmetric && t.is_nan() {
            return 0.5;
        }
        // Not-a-number is not above zero either.
        if t > 0.0 { t.min(1.0) } else { 0.0 }
    }

    /// Entry of a colour table of 256 for `value`.
    #[inline]
    pub fn index(&self, value: f32) -> u8 {
        let t = self.fraction(value);
        if self.is_diverging() {
            // Entries 1 to 255, so that zero has one of its own and both sides are equally many.
            (t * 254.0 + 1.5) as u8
        } else {
            (t * 255.0 + 0.5) as u8
        }
    }

    /// The weight at place `t` (0…1) of the scale: the inverse of [`fraction`](Self::fraction).
    pub fn value(&self, t: f32) -> f32 {
        let t = t.clamp(0.0, 1.0);
        match self.kind {
            ColourScale::Above | ColourScale::Linear => self.floor + t * (self.top - self.floor),
            ColourScale::Log | ColourScale::Even => {
                let ratio = f64::from(self.top) / f64::from(self.floor);
                (f64::from(self.floor) * libm::pow(ratio, f64::from(t))) as f32
            }
        }
    }

    /// Round-valued ticks from the low to the high end, at most `most` but always both ends.
    ///
    /// On a log scale and on one above even the lowest label begins with "≤", because everything below has the same colour; around
    /// even the highest begins with "≥" as well.
    pub fn ticks(&self, most: usize) -> Vec<Tick> {
        let values = match self.kind {
            ColourScale::Linear if self.is_symmetric => ticks::symmetric_ticks(self.top, most),
            ColourScale::Linear => ticks::linear_ticks(self.top, most),
            ColourScale::Above => ticks::ticks_above(self.floor, self.top, most),
            ColourScale::Log => ticks::log_ticks(self.floor, self.top, most),
            ColourScale::Even => ticks::doublings(most),
        };
        let tick = |value: f32| Tick {
            t: self.fraction(value),
            value,
            label: if self.kind == ColourScale::Even {
                times(value)
            } else {
                number::short(value)
            },
        };
        let mut ticks: Vec<Tick> = values.into_iter().map(tick).collect();
        let is_open = match self.kind {
            ColourScale::Above => self.floor > 0.0,
            ColourScale::Linear => false,
            ColourScale::Log | ColourScale::Even => true,
        };
        if let Some(lowest) = ticks.first_mut().filter(|_| is_open) {
            lowest.label = format!("≤{}", lowest.label);
        }
        if let (ColourScale::Even, Some(highest)) = (self.kind, ticks.last_mut()) {
            highest.label = format!("≥{}", highest.label);
        }
        ticks
    }
}

/// The smallest of 1, 2, 5 · 10^e at or above `largest`, and the power of ten at or above it as its exponent.
fn ceiling(largest: f32) -> (f32, i32) {
    // Softmax in 32 bits may give 1.0000001; that is still 1.
    let goal = largest * (1.0 - 1e-5);
    if !(goal > f32::MIN_POSITIVE && goal < 1e30) {
        return (1.0, 0);
    }
    let exponent = libm::floor(libm::log10(f64::from(goal))) as i32;
    let steps = [(1.0, 0), (2.0, 1), (5.0, 1), (10.0, 1)];
    let round = |(factor, up): (f64, i32)| {
        (
            (factor * libm::pow(10.0, f64::from(exponent))) as f32,
            exponent + up,
        )
    };
    steps
        .map(round)
        .into_iter()
        .find(|&(top, _)| top >= goal)
        .unwrap_or((1.0, 0))
}

/// `largest` rounded up to two digits, 1 where it is zero, negative or not finite. What exceeds such a number by less than half a
/// per cent is drawn as it: 20.001 lies on ±20.
fn in_two_digits(largest: f32) -> f32 {
    let goal = f64::from(largest) * (1.0 - 5e-3);
    if !(goal > f64::from(f32::MIN_POSITIVE) && goal < 1e30) {
        return 1.0;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(goal)) - 1.0);
    (libm::ceil(goal / unit - 1e-9) * unit) as f32
}

/// Base-2 logarithm for colours: exponent plus a polynomial in the mantissa, within 10⁻⁴ of the true value.
///
/// A table of 256 colours over five decades has steps of 0.065, so the error is never seen; a map of 1024 × 1024
/// cells is coloured several times faster than with the exact function. Zero, negative numbers and not-a-number give a
/// very negative result.
#[inline]
fn log2(x: f32) -> f32 {
    if x.is_nan() || x < f32::MIN_POSITIVE {
        return -1e4;
    }
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000) - 1.0;
    // Chosen to be exact at m = 0 and m = 1, so that powers of two join without a step.
    let bend = m * (1.0 - m);
    exponent as f32
        + m
        + bend * (0.442_418_6 + m * (-0.269_578 + m * (0.150_533_2 - m * 0.044_873_955)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_logarithm_is_close_to_the_exact_one() {
        let worst = (1..40_000)
            .map(|step| 1e-7 * 1.000_5_f32.powi(step))
            .fold(0.0_f32, |worst, x| {
                worst.max((log2(x) - libm::log2f(x)).abs())
            });
        assert!(worst < 1e-4, "{worst}");
    }

    #[test]
    fn fast_logarithm_rises() {
        let mut last = log2(1e-6);
        for step in 1..20_000 {
            let next = log2(1e-6 * 1.000_7_f32.powi(step));
            assert!(next > last, "step {step}");
            last = next;
        }
    }

    #[test]
    fn colours_reach_up_to_the_chosen_head_or_to_all() {
        let largest = [0.3, 0.9, 0.04];
        let top = |range, head| largest_in(range, &largest, head);
        assert_eq!([0, 1, 2].map(|head| top(ColourRange::All, head)), [0.9; 3]);
        assert_eq!([0, 1, 2].map(|head| top(ColourRange::Head, head)), largest);
        assert_eq!(top(ColourRange::Head, 3), 0.0);
        assert_eq!(largest_in(ColourRange::All, &[], 0), 0.0);
    }

    #[test]
    fn signed_ranges_fit_their_numbers() {
        let cases = [
            (20.0, 20.0),
            (20.05, 20.0),
            (5.0, 5.0),
            (20.2, 21.0),
            (0.123, 0.13),
            (9.97, 10.0),
            (1234.0, 1300.0),
        ];
        for (largest, top) in cases {
            assert_eq!(Scale::symmetric(largest).top(), top, "{largest}");
        }
        for odd in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(Scale::symmetric(odd).top(), 1.0, "{odd}");
        }
    }

    #[test]
    fn signed_ticks_are_round_but_for_the_ends() {
        let labels = |largest, most| -> Vec<String> {
            let ticks = Scale::symmetric(largest).ticks(most).into_iter();
            ticks.map(|tick| tick.label).collect()
        };
        assert_eq!(labels(21.0, 5), ["−21", "−10", "0", "10", "21"]);
        assert_eq!(labels(5.0, 3), ["−5", "0", "5"]);
        assert_eq!(labels(3.0, 7), ["−3", "−2", "−1", "0", "1", "2", "3"]);
    }

    #[test]
    fn ceilings_are_round() {
        let cases = [
            (1.0, 1.0),
            (0.51, 1.0),
            (0.5, 0.5),
            (0.2, 0.2),
            (0.201, 0.5),
            (0.07, 0.1),
            (0.001, 0.001),
            (3.1, 5.0),
        ];
        for (largest, top) in cases {
            assert_eq!(ceiling(largest).0, top, "{largest}");
        }
        assert_eq!(ceiling(1.000_000_1).0, 1.0);
        for odd in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(ceiling(odd).0, 1.0, "{odd}");
        }
    }
}
