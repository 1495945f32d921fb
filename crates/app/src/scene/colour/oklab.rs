//! Conversions between sRGB bytes, linear light and OKLab.
//!
//! Source: Björn Ottosson, "A perceptual color space for image processing", 2020; sRGB transfer curve from
//! IEC 61966-2-1. `libm` is used throughout because the standard library's `powf` and `cbrt` may differ in the
//! last digit between platforms.

/// A colour in OKLab: lightness `l` in 0…1, `a` from green to red, `b` from blue to yellow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lab {
    /// Lightness, 0 = black, 1 = white.
    pub l: f64,
    /// Green (negative) to red (positive).
    pub a: f64,
    /// Blue (negative) to yellow (positive).
    pub b: f64,
}

impl Lab {
    /// The colour `t` of the way from `self` to `other`, in a straight line.
    pub fn mix(self, other: Self, t: f64) -> Self {
        let blend = |from: f64, to: f64| from + (to - from) * t;
        Self {
            l: blend(self.l, other.l),
            a: blend(self.a, other.a),
            b: blend(self.b, other.b),
        }
    }

    /// Colour difference: the Euclidean distance in OKLab (white to black is 1).
    pub fn distance(self, other: Self) -> f64 {
        let (l, a, b) = (self.l - other.l, self.a - other.a, self.b - other.b);
        libm::sqrt(l * l + a * a + b * b)
    }
}

/// Linear light, 0…1, of an sRGB byte.
pub fn linear_from_byte(byte: u8) -> f64 {
    let x = f64::from(byte) / 255.0;
    if x <= 0.040_45 {
        x / 12.92
    } else {
        libm::pow((x + 0.055) / 1.055, 2.4)
    }
}

/// sRGB value, 0…1 for colours inside the gamut, of linear light.
fn encoded_from_linear(x: f64) -> f64 {
    if x <= 0.003_130_8 {
        12.92 * x
    } else {
        1.055 * libm::pow(x, 1.0 / 2.4) - 0.055
    }
}

/// OKLab colour of linear-light RGB.
pub fn lab_from_linear([r, g, b]: [f64; 3]) -> Lab {
    let l = libm::cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
    let m = libm::cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
    let s = libm::cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
    Lab {
        l: 0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
        a: 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
        b: 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
    }
}

/// sRGB values of an OKLab colour, not clipped: outside 0…1 the screen cannot show it.
pub fn srgb_from_lab(Lab { l, a, b }: Lab) -> [f64; 3] {
    let cube = |x: f64| x * x * x;
    let long = cube(l + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let medium = cube(l - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let short = cube(l - 0.089_484_177_5 * a - 1.291_485_548 * b);
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
    ]
    .map(encoded_from_linear)
}

/// OKLab colour of three sRGB bytes.
pub fn lab_from_srgb8(rgb: [u8; 3]) -> Lab {
    lab_from_linear(rgb.map(linear_from_byte))
}

/// Nearest sRGB bytes of an OKLab colour; channels outside the gamut are clipped.
pub fn srgb8_from_lab(lab: Lab) -> [u8; 3] {
    srgb_from_lab(lab).map(|x| (x * 255.0).round().clamp(0.0, 255.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_trip_through_oklab() {
        for rgb in [
            [0, 0, 0],
            [255, 255, 255],
            [1, 2, 3],
            [250, 17, 99],
            [8, 48, 107],
        ] {
            assert_eq!(srgb8_from_lab(lab_from_srgb8(rgb)), rgb);
        }
    }

    #[test]
    fn red_has_the_published_coordinates() {
        let red = lab_from_srgb8([255, 0, 0]);
        let published = Lab {
            l: 0.627_96,
            a: 0.224_86,
            b: 0.125_85,
        };
        assert!(red.distance(published) < 1e-4, "{red:?}");
    }
}
