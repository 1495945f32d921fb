// exp and tanh, the same series as crates/kernels/src/exp.rs: WGSL allows its own exp an error of many units in the last place.
//
// e^x = 2^n · e^r with x = n·ln 2 + r: ln 2 in two parts (Cody & Waite 1980), Taylor's series on |r| ≤ ln 2 / 2,
// 2^n by its exponent bits. Relative error below 2·10⁻⁷ for −87 ≤ x ≤ 88; 0 below that range, e^88 above it.

const EXP_UNDERFLOW: f32 = -87.0;
const EXP_OVERFLOW: f32 = 88.0;
const LOG2_E: f32 = 1.44269504;
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.12194440e-4;
const EXPONENT: f32 = 12582912.0 + 127.0; // 1.5·2²³, and the bias of an f32's exponent

fn exp_exact(x: vec4<f32>) -> vec4<f32> {
  let bounded = min(max(x, vec4<f32>(EXP_UNDERFLOW)), vec4<f32>(EXP_OVERFLOW));
  let n = floor(bounded * LOG2_E + 0.5);
  let r = (bounded - n * LN2_HIGH) - n * LN2_LOW;
  var series = r * (1.0 / 5040.0) + (1.0 / 720.0);
  series = series * r + (1.0 / 120.0);
  series = series * r + (1.0 / 24.0);
  series = series * r + (1.0 / 6.0);
  series = series * r + 0.5;
  series = series * r + 1.0;
  series = series * r + 1.0;
  // A sum with 1.5·2²³ has n in its last bits: shifted, they are the exponent of 2^n.
  let power = bitcast<vec4<f32>>(bitcast<vec4<u32>>(n + EXPONENT) << vec4<u32>(23u));
  return select(series * power, vec4<f32>(0.0), x < vec4<f32>(EXP_UNDERFLOW));
}

// tanh(x) = (1 − t) / (1 + t) with t = e^(−2|x|), and the sign of x. Absolute error below 2·10⁻⁷.
fn tanh_exact(x: vec4<f32>) -> vec4<f32> {
  let t = exp_exact(abs(x) * -2.0);
  let size = (vec4<f32>(1.0) - t) / (vec4<f32>(1.0) + t);
  return select(size, -size, x < vec4<f32>(0.0));
}
