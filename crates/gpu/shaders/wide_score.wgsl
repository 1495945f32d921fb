// Additive scores in twice the precision; operands as in wide.wgsl, and w_a in place of the bias.

const LN2_HIGH: f32 = 0.693359375; // few enough digits that its multiples are exact
const LOG2_E: f32 = 1.44269504;
const EXPONENT: f32 = 12582912.0 + 127.0; // 1.5·2²³, and the bias of an f32's exponent

fn single(x: vec4<f32>) -> Double {
  return Double(x, vec4<f32>(0.0));
}

fn constant(high: f32, low: f32) -> Double {
  return Double(vec4<f32>(high), vec4<f32>(low));
}

// e^x for −60 ≤ x ≤ 0, as in exp.wgsl. Beyond x⁷/7! the terms are so small that 32 bit are enough for them.
fn exp_double(x: Double) -> Double {
  let n = floor(x.high * LOG2_E + 0.5);
  let rest = multiply(single(n), constant(2.1219444170128554e-4, -1.6465949697480609e-12));
  let r = add(add(x, single(n * -LN2_HIGH)), rest);
  let h = r.high;
  let tail = h * (1.0 / 40320.0 + h * (1.0 / 362880.0 + h * (1.0 / 3628800.0 + h * (1.0 / 39916800.0))));
  var sum = add(single(tail), constant(1.9841270113829523e-4, -2.725596874933456e-12));
  sum = add(multiply(sum, r), constant(1.3888889225199819e-3, -3.3631094437103215e-11));
  sum = add(multiply(sum, r), constant(8.333333767950535e-3, -4.34617203337595e-10));
  sum = add(multiply(sum, r), constant(4.16666679084301e-2, -1.2417634698280722e-9));
  sum = add(multiply(sum, r), constant(0.1666666716337204, -4.967053879312289e-9));
  sum = add(multiply(sum, r), constant(0.5, 0.0));
  sum = add(multiply(sum, r), constant(1.0, 0.0));
  sum = add(multiply(sum, r), constant(1.0, 0.0));
  let power = bitcast<vec4<f32>>(bitcast<vec4<u32>>(n + EXPONENT) << vec4<u32>(23u));
  return Double(sum.high * power, sum.low * power);
}

// tanh(x) = (1 − t) / (1 + t) with t = e^(−2|x|), and the sign of x. Beyond 30 it is 1, as far as anybody can tell.
fn tanh_double(x: Double) -> Double {
  let sign = select(vec4<f32>(1.0), vec4<f32>(-1.0), x.high < vec4<f32>(0.0));
  let is_far = abs(x.high) > vec4<f32>(30.0);
  let high = select(abs(x.high), vec4<f32>(30.0), is_far);
  let low = select(sign * x.low, vec4<f32>(0.0), is_far);
  let t = exp_double(Double(-2.0 * high, -2.0 * low));
  let above = add(constant(1.0, 0.0), Double(-t.high, -t.low));
  let below = add(constant(1.0, 0.0), t);
  let first = kept(above.high / below.high);
  let left = add(above, multiply(single(-first), below));
  let size = exact_sum(first, kept(left.high / below.high));
  return Double(sign * size.high, sign * size.low);
}

// An invocation makes four neighbouring scores of one row.
@compute @workgroup_size(8, 8)
fn wide_additive(@builtin(global_invocation_id) id: vec3<u32>) {
  let column = id.x * 4u;
  if id.y >= p.rows || column >= p.columns { return; }
  if (p.flags & CAUSAL_COLUMNS) != 0u && column > p.first_row + id.y { return; }
  let start = origin(id.z);
  var result = constant(0.0, 0.0);
  for (var lane = 0u; lane < min(4u, p.columns - column); lane++) {
    var sum = constant(0.0, 0.0);
    for (var d = 0u; d < (p.inner + 3u) / 4u; d++) {
      let query = a_at(start.a + id.y * p.a_stride + d);
      let key = b_at(start.b + (column + lane) * p.b_stride + d);
      sum = add(sum, multiply(single(bias[d]), tanh_double(add(query, key))));
    }
    let total = across(sum);
    result.high[lane] = total.high.x;
    result.low[lane] = total.low.x;
  }
  store(start.c + id.y * p.c_stride + id.x, result);
}
