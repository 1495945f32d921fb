//! The diverging map for signed numbers: zero is the ground, violet below, green above.
//!
//! Each arm is a straight line in OKLab from the ground's own colour, so equal steps of the number are equal steps
//! of lightness and of colour difference. Both ends are equally light and equally far from the ground, so that −1 and
//! +1 look equally strong, also in greyscale. Violet and green differ along the yellow–blue axis as well, which is the
//! one that deuteranopes and protanopes see, and neither is the hue of queries or keys.

use super::oklab::{Lab, lab_from_srgb8};
use super::{Background, NIGHT, PAPER};

/// Entry that stands for zero.
pub const ZERO: u8 = 128;
/// Entries on either side of [`ZERO`]; entry 0 repeats the lowest colour.
const ARM: f64 = 127.0;

/// Directions of the arms in the plane of OKLab's `a` and `b`, in degrees: hues of ColorBrewer's `PRGn`.
const BELOW: f64 = 316.0;
const ABOVE: f64 = 146.0;

/// Lightness at both ends, and their distance from the ground in the plane. Found by search: every colour is inside
/// the sRGB gamut.
const fn ends(ground: Background) -> (f64, f64) {
    match ground {
        Background::Light => (0.41, 0.120),
        Background::Dark => (0.81, 0.125),
    }
}

/// Both arms on one ground.
pub(super) struct Arms {
    ground: Lab,
    below: Lab,
    above: Lab,
}

impl Arms {
    /// The arms on `ground`.
    pub(super) fn new(ground: Background) -> Self {
        let own = lab_from_srgb8(match ground {
            Background::Light => PAPER,
            Background::Dark => NIGHT,
        });
        let (l, reach) = ends(ground);
        let end = |degrees: f64| Lab {
            l,
            a: own.a + reach * libm::cos(degrees.to_radians()),
            b: own.b + reach * libm::sin(degrees.to_radians()),
        };
        Self {
            ground: own,
            below: end(BELOW),
            above: end(ABOVE),
        }
    }

    /// The colour of `share`, −1 (lowest) to 1 (highest).
    pub(super) fn at(&self, share: f64) -> Lab {
        let end = if share < 0.0 { self.below } else { self.above };
        self.ground.mix(end, share.abs().min(1.0))
    }

    /// The colour of entry `step` of the table.
    pub(super) fn entry(&self, step: usize) -> Lab {
        self.at(((step as f64 - f64::from(ZERO)) / ARM).max(-1.0))
    }
}

/// The one colour of visible cells in a map that only says "visible" or "hidden": as far from the ground as text
/// that is not important.
pub(super) const fn visible(ground: Background) -> Lab {
    match ground {
        Background::Light => Lab {
            l: 0.78,
            a: -0.012,
            b: -0.022,
        },
        Background::Dark => Lab {
            l: 0.48,
            a: -0.012,
            b: -0.026,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::oklab::srgb_from_lab;
    use super::*;

    const GROUNDS: [Background; 2] = [Background::Light, Background::Dark];

    #[test]
    fn needs_no_clipping() {
        for ground in GROUNDS {
            let arms = Arms::new(ground);
            for step in -500..=500 {
                let rgb = srgb_from_lab(arms.at(f64::from(step) / 500.0));
                assert!(
                    rgb.iter().all(|x| (0.0..=1.0).contains(x)),
                    "{ground:?} {step}: {rgb:?}"
                );
            }
        }
    }

    #[test]
    fn steps_are_even_and_both_arms_alike() {
        for ground in GROUNDS {
            let arms = Arms::new(ground);
            let whole = arms.ground.distance(arms.above);
            for step in 0..100 {
                let (near, far) = (f64::from(step) / 100.0, f64::from(step + 1) / 100.0);
                for side in [-1.0, 1.0] {
                    let (one, other) = (arms.at(side * near), arms.at(side * far));
                    let length = one.distance(other) * 100.0 / whole;
                    assert!((length - 1.0).abs() < 1e-9, "{ground:?} {step}: {length}");
                }
                let (low, high) = (arms.at(-far), arms.at(far));
                assert!((low.l - high.l).abs() < 1e-12, "{ground:?} {step}");
            }
        }
    }
}
