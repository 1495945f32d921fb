//! `exp` and `tanh` on vectors, with the same results on every machine.

use crate::simd::{F32x4, ROUNDING};

/// Below this the result is less than the smallest normal number and becomes 0.
const UNDERFLOW: f32 = -87.0;
const OVERFLOW: f32 = 88.0;
const LOG2_E: f32 = std::f32::consts::LOG2_E;
/// ln 2 in two parts, the first with enough trailing zeros that `n·LN2_HIGH` is exact (Cody & Waite 1980).
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;
/// Taylor's coefficients 1/k!, highest first; on |r| ≤ ln 2 / 2 the first one left out is below 2⁻²⁶ of the result.
const TAYLOR: [f32; 8] = [
    1.0 / 5040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// `e^x` in each lane, for `x ≤ 88`: `2^n · e^r` with `x = n·ln 2 + r`.
///
/// Relative error below 2·10⁻⁷ from −87 on; 0 below that.
#[inline(always)]
pub(crate) fn exp_lanes(x: F32x4) -> F32x4 {
    let bounded = x.max(F32x4::splat(UNDERFLOW));
    let rounding = F32x4::splat(ROUNDING);
    let rounded = bounded.mul(F32x4::splat(LOG2_E)).add(rounding);
    let n = rounded.sub(rounding);
    let r = bounded
        .sub(n.mul(F32x4::splat(LN2_HIGH)))
        .sub(n.mul(F32x4::splat(LN2_LOW)));
    // Written out: a compiler that saves space would make a loop of eight turns of it.
    let [c7, c6, c5, c4, c3, c2, c1, c0] = TAYLOR;
    let then = |sum: F32x4, c: f32| sum.mul(r).add(F32x4::splat(c));
    let high = then(then(then(F32x4::splat(c7), c6), c5), c4);
    let series = then(then(then(then(high, c3), c2), c1), c0);
    series
        .mul(rounded.exp2_of_rounded())
        .zero_below(x, UNDERFLOW)
}

/// `tanh(x) = (1 − t) / (1 + t)` with `t = e^(−2|x|)`, and the sign of `x`. Absolute error below 2·10⁻⁷.
#[inline(always)]
pub(crate) fn tanh_lanes(x: F32x4) -> F32x4 {
    let one = F32x4::splat(1.0);
    let t = exp_lanes(x.abs().mul(F32x4::splat(-2.0)));
    one.sub(t).div(one.add(t)).with_sign_of(x)
}

/// `e^x` of one number, by the same arithmetic as the vectors; `e^88` above 88.
pub fn exp(x: f32) -> f32 {
    let bounded = if x > OVERFLOW { OVERFLOW } else { x };
    exp_lanes(F32x4::splat(bounded)).to_array()[0]
}

/// `tanh(x)` of one number, by the same arithmetic as the vectors.
pub fn tanh(x: f32) -> f32 {
    tanh_lanes(F32x4::splat(x)).to_array()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_keeps_its_promise() {
        let mut worst: f64 = 0.0;
        for step in 0..175_000 {
            let x = -87.0 + step as f32 * 1e-3;
            let exact = f64::from(x).exp();
            worst = worst.max((f64::from(exp(x)) - exact).abs() / exact);
        }
        assert!(worst < 2e-7, "{worst}");
        assert_eq!(
            [exp(0.0), exp(-87.1), exp(-1e4), exp(f32::MIN)],
            [1.0, 0.0, 0.0, 0.0]
        );
        assert_eq!(exp(1e4), exp(88.0));
    }

    #[test]
    fn tanh_keeps_its_promise() {
        let worst = (-120_000..120_000)
            .map(|step| step as f32 * 1e-4)
            .map(|x| (f64::from(tanh(x)) - f64::from(x).tanh()).abs())
            .fold(0.0, f64::max);
        assert!(worst < 2e-7, "{worst}");
        assert_eq!([tanh(0.0), tanh(1e4), tanh(-1e4)], [0.0, 1.0, -1.0]);
    }
}
