//! Chooses a text colour that is readable on a background.

use super::oklab::linear_from_byte;

/// Colour of a value written inside a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Black, for pale cells.
    Black,
    /// White, for deep cells.
    White,
}

impl Ink {
    /// The ink with the larger contrast on `background` (sRGB bytes).
    ///
    /// One of the two always reaches a WCAG ratio of at least √21 ≈ 4.58, hence 4.5 (level AA) everywhere.
    pub fn on(background: [u8; 3]) -> Self {
        let black = contrast_ratio([0, 0, 0], background);
        let white = contrast_ratio([255, 255, 255], background);
        if black >= white {
            Self::Black
        } else {
            Self::White
        }
    }

    /// The ink as sRGB bytes.
    pub const fn rgb(self) -> [u8; 3] {
        match self {
            Self::Black => [0, 0, 0],
            Self::White => [255, 255, 255],
        }
    }
}

/// WCAG 2.2 contrast ratio of two sRGB colours, 1 (same luminance) to 21 (black on white).
///
/// `(L₁ + 0.05) / (L₂ + 0.05)` with the larger relative luminance `L` on top.
pub fn contrast_ratio(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// WCAG relative luminance, 0 (black) to 1 (white).
fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = rgb.map(linear_from_byte);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_ratios() {
        assert!((contrast_ratio([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        assert!(
            (contrast_ratio([0x76; 3], [255; 3]) - 4.54).abs() < 0.01,
            "#767676 on white, from WCAG"
        );
    }

    #[test]
    fn every_grey_and_many_colours_can_be_written_on() {
        for step in 0..4096_u32 {
            let rgb = [
                (step >> 8) as u8 * 17,
                (step >> 4 & 15) as u8 * 17,
                (step & 15) as u8 * 17,
            ];
            assert!(contrast_ratio(Ink::on(rgb).rgb(), rgb) >= 4.5, "{rgb:?}");
        }
    }
}
