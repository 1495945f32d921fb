//! Numbers of blocks. All types stand beside their definition's own program in the tests of `formats`.

use kernels::widen;

/// The value by the definition: (−1)^s · 2^(e − 25) · (1024 + f), and 2⁻²⁴ · f where e is 0.
#[test]
fn every_half_is_what_its_fields_say() {
    for bits in 0..=u16::MAX {
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
        let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
        let value = widen::half(bits);
        assert_eq!(value.is_sign_negative(), sign < 0.0, "{bits:#x}");
        match exponent {
            31 if fraction == 0.0 => assert_eq!(f64::from(value), sign * f64::INFINITY),
            31 => {
                let wanted =
                    u32::from(bits >> 15) << 31 | 0x7fc0_0000 | u32::from(bits & 1023) << 13;
                assert_eq!(value.to_bits(), wanted, "{bits:#x}");
            }
            _ => {
                let whole = if exponent == 0 { 0.0 } else { 1024.0 };
                let right = sign * (whole + fraction) * 2f64.powi(exponent.max(1) - 25);
                assert_eq!(f64::from(value), right, "{bits:#x}");
            }
        }
    }
}

#[test]
fn only_whole_blocks_are_widened() {
    let mut out = [7.0; 64];
    widen::q8_0(&[0; 33], &mut out);
    assert_eq!(out, [7.0; 64]);
    widen::q8_0(&[0; 67], &mut out);
    assert_eq!((&out[..32], &out[32..]), (&[0.0; 32][..], &[7.0; 32][..]));
    widen::f16(&[0, 0x3c, 0, 0xc0, 1], &mut out[..3]);
    assert_eq!(out[..3], [1.0, -2.0, 0.0]);
}
