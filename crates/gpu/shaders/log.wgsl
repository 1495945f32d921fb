// The natural logarithm, the same series as crates/kernels/src/log.rs: WGSL allows its own log an error of many units in the last place.
//
// x = m·2^e with ½·√2 ≤ m ≤ √2: ln x = ln m + e·ln 2, ln 2 in two parts (Cody & Waite 1980), ln(1 + f) = f − f²/2 + f³·P(f) (Moshier's Cephes,
// `logf`). Relative error below 2·10⁻⁷ for positive normal numbers.

const HALF_ROOT: u32 = 0x3f3504f3u; // the bits of ½·√2

fn log_exact(x: vec4<f32>) -> vec4<f32> {
  let bits = bitcast<vec4<i32>>(x);
  let exponent = (bits - vec4<i32>(bitcast<i32>(HALF_ROOT))) >> vec4<u32>(23u);
  let f = bitcast<vec4<f32>>(bits - (exponent << vec4<u32>(23u))) - 1.0;
  let e = vec4<f32>(exponent);
  let square = f * f;
  var series = f * 7.0376836e-2 - 1.151461e-1;
  series = series * f + 1.1676999e-1;
  series = series * f - 1.2420141e-1;
  series = series * f + 1.4249323e-1;
  series = series * f - 1.6668058e-1;
  series = series * f + 2.0000715e-1;
  series = series * f - 2.4999994e-1;
  series = series * f + 3.333333e-1;
  let small = series * f * square + e * -2.1219444e-4;
  return f + (small - square * 0.5) + e * 0.6933594;
}
