//! The width of a picture that is saved, as it is typed and as it is used.

use crate::scene::svg::{PER_MM, Unit};

/// The width at first.
const WIDTH_MM: f64 = 170.0;

/// The narrowest and the widest picture.
pub const fn limits(unit: Unit) -> (f64, f64) {
    match unit {
        Unit::Px => (160.0, 4800.0),
        Unit::Mm => (42.0, 1270.0),
    }
}

/// The width that is used where `typed` stands, in the same unit.
pub fn used_width(typed: f64, unit: Unit) -> f64 {
    let (least, most) = limits(unit);
    match unit {
        _ if typed.is_finite() => typed.clamp(least, most),
        Unit::Mm => WIDTH_MM,
        Unit::Px => (WIDTH_MM * PER_MM).round(),
    }
}

/// A width in CSS pixels.
pub fn in_pixels(width: f64, unit: Unit) -> f64 {
    match unit {
        Unit::Px => width,
        Unit::Mm => width * PER_MM,
    }
}

/// A width in CSS pixels as it is written in a unit.
pub fn written_width(width: f64, unit: Unit) -> f64 {
    let (least, most) = limits(unit);
    let width = match unit {
        Unit::Px => width,
        Unit::Mm => width / PER_MM,
    };
    width.round().clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_typed_a_width_in_its_limits_is_used() {
        for (typed, unit, used) in [
            (5.0, Unit::Mm, 42.0),
            (90.0, Unit::Mm, 90.0),
            (f64::NAN, Unit::Mm, 170.0),
            (f64::NAN, Unit::Px, 643.0),
            (9999.0, Unit::Px, 4800.0),
        ] {
            assert_eq!(used_width(typed, unit), used, "{typed} {unit:?}");
        }
    }

    #[test]
    fn another_unit_writes_the_same_width() {
        let width = in_pixels(170.0, Unit::Mm);
        assert_eq!(written_width(width, Unit::Px), 643.0);
        assert_eq!(written_width(643.0, Unit::Mm), 170.0);
    }
}
