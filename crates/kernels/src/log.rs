//! The natural logarithm on vectors, with the same results on every machine.

use crate::simd::F32x4;

/// ln 2 in two parts, the first with enough trailing zeros that `e·LN2_HIGH` is exact (Cody & Waite 1980).
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;
/// `ln(1 + f) = f − f²/2 + f³·P(f)` for ½·√2 ≤ 1 + f ≤ √2: P's coefficients, highest first (Moshier's Cephes, `logf`).
const POLYNOMIAL: [f32; 9] = [
    7.037_683_6e-2,
    -1.151_461e-1,
    1.167_699_9e-1,
    -1.242_014_1e-1,
    1.424_932_3e-1,
    -1.666_805_8e-1,
    2.000_071_5e-1,
    -2.499_999_4e-1,
    3.333_333e-1,
];

/// `ln x` in each lane, for positive normal numbers: relative error below 2·10⁻⁷. NaN stays NaN.
#[inline(always)]
pub(crate) fn log_lanes(x: F32x4) -> F32x4 {
    let (m, e) = x.split_power();
    let f = m.sub(F32x4::splat(1.0));
    let square = f.mul(f);
    // Written out: a compiler that saves space would make a loop of it.
    let [c8, c7, c6, c5, c4, c3, c2, c1, c0] = POLYNOMIAL;
    let then = |sum: F32x4, c: f32| sum.mul(f).add(F32x4::splat(c));
    let high = then(then(then(then(F32x4::splat(c8), c7), c6), c5), c4);
    let series = then(then(then(then(high, c3), c2), c1), c0);
    let small = series.mul(f).mul(square).add(e.mul(F32x4::splat(LN2_LOW)));
    let low = small.sub(square.mul(F32x4::splat(0.5)));
    f.add(low).add(e.mul(F32x4::splat(LN2_HIGH)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(x: f32) -> f32 {
        log_lanes(F32x4::splat(x)).to_array()[2]
    }

    #[test]
    fn log_keeps_its_promise() {
        let mut worst: f64 = 0.0;
        for step in 0..200_000 {
            let x = f32::from_bits(0x0080_0000 + step * 5_000);
            let exact = f64::from(x).ln();
            worst = worst.max((f64::from(log(x)) - exact).abs() / exact.abs().max(1e-30));
        }
        assert!(worst < 2e-7, "{worst}");
        assert_eq!(log(1.0).to_bits(), 0.0_f32.to_bits());
    }
}
