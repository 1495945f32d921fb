//! IEEE 754 binary16.

/// The number with these bits, exactly. NaN keeps its sign and its bits, the quiet one set.
pub(crate) fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    let magnitude = match exponent {
        // A subnormal is a whole number of 2⁻²⁴.
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        31 if fraction == 0 => f32::INFINITY.to_bits(),
        31 => f32::NAN.to_bits() | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

#[cfg(test)]
mod tests {
    use super::half;

    /// The value by the definition: (−1)^s · 2^(e − 25) · (1024 + f), and 2⁻²⁴ · f where e is 0.
    #[test]
    fn every_half_is_what_its_fields_say() {
        for bits in 0..=u16::MAX {
            let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
            let value = half(bits);
            assert_eq!(value.is_sign_negative(), sign < 0.0, "{bits:#x}");
            match exponent {
                31 if fraction == 0.0 => assert_eq!(f64::from(value), sign * f64::INFINITY),
                31 => assert!(value.is_nan(), "{bits:#x}"),
                _ => {
                    let whole = if exponent == 0 { 0.0 } else { 1024.0 };
                    let right = sign * libm::ldexp(whole + fraction, exponent.max(1) - 25);
                    assert_eq!(f64::from(value), right, "{bits:#x}");
                }
            }
        }
    }
}
