//! How numbers are written: real minus signs (U+2212), superscript powers of ten, no trailing noise.
//!
//! The decimal sign is a point in every language of the page.

/// Between a number and its unit: no line break, narrower than a word space.
const UNIT_SPACE: char = '\u{202f}';

/// How the values inside cells are written; one style for a whole map, so that columns of figures line up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellStyle {
    /// Digits after the point.
    pub decimals: usize,
    /// "0.62" when true, ".62" when false.
    pub leading_zero: bool,
}

impl CellStyle {
    /// Three decimals, for a value that stands alone.
    pub const THREE_DECIMALS: Self = Self {
        decimals: 3,
        leading_zero: true,
    };

    /// Two decimals after the point alone, for a weight beside a word.
    pub const WEIGHT: Self = Self {
        decimals: 2,
        leading_zero: false,
    };

    /// Styles from the fullest to the tersest.
    pub const ALL: [Self; 3] = [
        Self {
            decimals: 2,
            leading_zero: true,
        },
        Self::WEIGHT,
        Self {
            decimals: 1,
            leading_zero: false,
        },
    ];

    /// Characters that a weight (0…1) takes at most.
    pub const fn width(self) -> usize {
        self.decimals + 1 + self.leading_zero as usize
    }

    /// The fullest style whose weights fit into `characters`; `None` when not even ".6" does.
    pub fn fitting(characters: usize) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|style| style.width() <= characters)
    }

    /// `value` in this style: "0.62" or ".62".
    ///
    /// Zero has its digits as well, so that all numbers of a map look alike. Without a leading zero, values that round to 1 or
    /// more lose one digit after the point to keep the width.
    pub fn write(self, value: f32) -> String {
        if !value.is_finite() {
            return not_finite(value);
        }
        let text = unsigned_zero(format!("{value:.*}", self.decimals));
        if self.leading_zero {
            return with_minus(&text);
        }
        if text.trim_start_matches('-').starts_with("0.") {
            return with_minus(&text.replacen("0.", ".", 1));
        }
        with_minus(&format!("{value:.*}", self.decimals.saturating_sub(1)))
    }
}

/// `value` with six significant digits, for the inspector: "0.618034", "1.23457×10⁻⁸", "0".
///
/// Trailing zeros stay, so that the text keeps its width while the pointer moves.
pub fn exact(value: f32) -> String {
    with_digits(value, 6, -4)
}

/// `value` with four significant digits, for a list: "8.074", "−12.04", "1.235×10⁻⁸", "0".
pub fn four_digits(value: f32) -> String {
    with_digits(value, 4, -2)
}

/// `value` with so many significant digits; powers of ten below `least` are written as such.
fn with_digits(value: f32, digits: i32, least: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return not_finite(value);
    }
    let (mantissa, exponent) = significant(f64::from(value), digits as usize);
    if (least..=digits).contains(&exponent) {
        let decimals = (digits - 1 - exponent).max(0) as usize;
        with_minus(&format!("{value:.decimals$}"))
    } else {
        with_minus(&format!("{mantissa}×10{}", superscript(exponent)))
    }
}

/// `value` with at most three significant digits and no trailing zeros, for ticks: "0.25", "1", "10⁻⁴", "2×10⁻⁵".
pub fn short(value: f32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return not_finite(value);
    }
    let (mantissa, exponent) = significant(f64::from(value), 3);
    if (-2..=3).contains(&exponent) {
        return with_minus(trimmed(&format!(
            "{value:.*}",
            (2 - exponent).max(0) as usize
        )));
    }
    let power = format!("10{}", superscript(exponent));
    with_minus(&match trimmed(&mantissa) {
        "1" => power,
        "-1" => format!("-{power}"),
        mantissa => format!("{mantissa}×{power}"),
    })
}

/// `value` with a unit and an SI prefix, three significant digits: "12.3 MFLOP", "512 B", "4.10 kB".
///
/// Prefixes are powers of 1000, for bytes too. Whole numbers below 1000 are written without digits after the
/// point. Prefixes go from pico to exa; what lies beyond keeps the outermost one.
pub fn si(value: f64, unit: &str) -> String {
    const PREFIXES: [&str; 11] = ["p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
    const NONE: i32 = 4;
    let text =
        |number: String, prefix: &str| with_minus(&format!("{number}{UNIT_SPACE}{prefix}{unit}"));
    if !value.is_finite() {
        return text(not_finite(value as f32), "");
    }
    if value.abs() < 1000.0 && value == value.trunc() {
        return text(format!("{}", value as i64), "");
    }
    let (_, exponent) = significant(value, 3);
    let group = exponent
        .div_euclid(3)
        .clamp(-NONE, PREFIXES.len() as i32 - 1 - NONE);
    let decimals = (2 - (exponent - 3 * group)).max(0) as usize;
    let scaled = if group < 0 {
        value * 10_f64.powi(-3 * group)
    } else {
        value / 10_f64.powi(3 * group)
    };
    text(
        format!("{scaled:.decimals$}"),
        PREFIXES[(group + NONE) as usize],
    )
}

/// A number of bytes.
pub fn bytes(count: u64) -> String {
    si(count as f64, "B")
}

/// A duration in milliseconds with the unit that suits it: "420 µs", "12.3 ms", "1.20 s".
///
/// Clocks of browsers are coarse, some as coarse as a millisecond: what took none of their ticks is "<1 ms".
pub fn milliseconds(ms: f64) -> String {
    if ms == 0.0 {
        return format!("<1{UNIT_SPACE}ms");
    }
    si(ms / 1000.0, "s")
}

/// `exponent` in superscript figures: "⁻⁴".
fn superscript(exponent: i32) -> String {
    let figure = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => c
            .to_digit(10)
            .and_then(|digit| char::from_u32(0x2070 + digit))
            .unwrap_or(c),
    };
    exponent.to_string().chars().map(figure).collect()
}

/// Mantissa with `digits` significant digits and decimal exponent, after rounding.
fn significant(value: f64, digits: usize) -> (String, i32) {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

/// Without zeros at the end of the fraction, and without a bare point.
fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Without the sign of a number that was rounded to zero.
fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// With U+2212 for the hyphen that Rust writes.
fn with_minus(text: &str) -> String {
    text.replace('-', "−")
}

/// Symbols for what cannot happen in a weight but must not crash a page.
fn not_finite(value: f32) -> String {
    let symbol = if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "∞"
    } else {
        "−∞"
    };
    symbol.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_in_every_style() {
        let [full, terse, shortest] = CellStyle::ALL;
        let cases = [
            (0.618, "0.62", ".62", ".6"),
            (0.0, "0.00", ".00", ".0"),
            (0.001, "0.00", ".00", ".0"),
            (0.999, "1.00", "1.0", "1"),
            (1.0, "1.00", "1.0", "1"),
            (-0.25, "−0.25", "−.25", "−.2"),
            (-0.001, "0.00", ".00", ".0"),
        ];
        for (value, a, b, c) in cases {
            assert_eq!(
                [full.write(value), terse.write(value), shortest.write(value)],
                [a, b, c],
                "{value}"
            );
        }
    }

    #[test]
    fn weights_keep_to_the_width_of_their_style() {
        for style in CellStyle::ALL {
            for step in 0..=1000 {
                let text = style.write(step as f32 / 1000.0);
                assert!(text.chars().count() <= style.width(), "{style:?}: {text}");
            }
        }
        assert_eq!(CellStyle::fitting(3), Some(CellStyle::ALL[1]));
        assert_eq!(CellStyle::fitting(1), None);
    }

    #[test]
    fn exact_has_six_significant_digits() {
        let cases = [
            (0.618_034, "0.618034"),
            (1.0, "1.00000"),
            (0.999_999_94, "1.00000"),
            (-12.5, "−12.5000"),
            (1.234_567_8e-8, "1.23457×10⁻⁸"),
            (-3.0e12, "−3.00000×10¹²"),
            (0.0, "0"),
            (1_234_567.0, "1234567"),
        ];
        for (value, text) in cases {
            assert_eq!(exact(value), text);
        }
    }

    #[test]
    fn numbers_of_a_list_have_four_digits() {
        let cases = [
            (-12.044, "−12.04"),
            (8.0744, "8.074"),
            (-0.5, "−0.5000"),
            (0.012_346, "0.01235"),
            (-0.000_123_46, "−1.235×10⁻⁴"),
            (12_345.0, "12345"),
            (-1e9, "−1.000×10⁹"),
            (0.0, "0"),
        ];
        for (value, text) in cases {
            assert_eq!(four_digits(value), text);
        }
    }

    #[test]
    fn short_has_no_noise() {
        let cases = [
            (0.25, "0.25"),
            (0.2, "0.2"),
            (1.0, "1"),
            (0.001, "10⁻³"),
            (2e-5, "2×10⁻⁵"),
            (-1e-4, "−10⁻⁴"),
            (-0.5, "−0.5"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn units_and_prefixes() {
        let cases = [
            (12_345_678.0, "FLOP", "12.3\u{202f}MFLOP"),
            (512.0, "B", "512\u{202f}B"),
            (4096.0, "B", "4.10\u{202f}kB"),
            (999_999.0, "B", "1.00\u{202f}MB"),
            (0.0, "B", "0\u{202f}B"),
            (-1500.0, "B", "−1.50\u{202f}kB"),
            (3e21, "FLOP", "3000\u{202f}EFLOP"),
        ];
        for (value, unit, text) in cases {
            assert_eq!(si(value, unit), text);
        }
        assert_eq!(milliseconds(0.0), "<1\u{202f}ms");
        assert_eq!(milliseconds(0.42), "420\u{202f}µs");
        assert_eq!(milliseconds(12.34), "12.3\u{202f}ms");
        assert_eq!(milliseconds(1200.0), "1.20\u{202f}s");
    }

    #[test]
    fn what_is_not_finite_is_still_written() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for text in [
                exact(value),
                short(value),
                si(f64::from(value), "s"),
                CellStyle::ALL[0].write(value),
            ] {
                assert!(!text.is_empty());
            }
        }
    }
}
