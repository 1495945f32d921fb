// Activation functions and their derivatives, after `exp.wgsl`: kind 0 ReLU, 1 GELU x·Φ(x), 2 GELU by tanh, 3 SiLU.

const RELU = 0u;
const GELU = 1u;
const GELU_TANH = 2u;

// √(2/π), and the factor of the cube.
const GELU_SLOPE = 0.7978846;
const GELU_CUBE = 0.044715;

// The complementary error function for z ≥ 0, with a relative error below 1.2·10⁻⁷ (Press et al. 1992, §6.2).
fn erfc_of_positive(z: vec4<f32>) -> vec4<f32> {
  let t = 1.0 / (1.0 + 0.5 * z);
  var series = 0.17087277 * t - 0.82215223;
  series = series * t + 1.48851587;
  series = series * t - 1.13520398;
  series = series * t + 0.27886807;
  series = series * t - 0.18628806;
  series = series * t + 0.09678418;
  series = series * t + 0.37409196;
  series = series * t + 1.00002368;
  series = series * t - 1.26551223;
  return t * exp_exact(series - z * z);
}

// Φ(x), the share of a normal distribution below x.
fn normal_below(x: vec4<f32>) -> vec4<f32> {
  let half = 0.5 * erfc_of_positive(min(abs(x) * 0.70710678, vec4<f32>(16.0)));
  return select(1.0 - half, half, x < vec4<f32>(0.0));
}

fn gelu_argument(x: vec4<f32>) -> vec4<f32> {
  return GELU_SLOPE * (x + GELU_CUBE * x * x * x);
}

fn logistic(x: vec4<f32>) -> vec4<f32> {
  let t = exp_exact(-abs(x));
  return select(vec4<f32>(1.0), t, x < vec4<f32>(0.0)) / (1.0 + t);
}

fn value(x: vec4<f32>) -> vec4<f32> {
  switch p.kind {
    case RELU: { return max(x, vec4<f32>(0.0)); }
    case GELU: { return x * normal_below(x); }
    case GELU_TANH: { return 0.5 * x * (1.0 + tanh_exact(gelu_argument(x))); }
    default: { return x * logistic(x); }
  }
}

// 0 for ReLU at 0.
fn derivative(x: vec4<f32>) -> vec4<f32> {
  switch p.kind {
    case RELU: { return select(vec4<f32>(0.0), vec4<f32>(1.0), x > vec4<f32>(0.0)); }
    case GELU: { return normal_below(x) + x * 0.39894228 * exp_exact(-0.5 * x * x); }
    case GELU_TANH: {
      let t = tanh_exact(gelu_argument(x));
      let inner = GELU_SLOPE * (1.0 + 3.0 * GELU_CUBE * x * x);
      return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * inner;
    }
    default: {
      let s = logistic(x);
      return s * (1.0 + x * (1.0 - s));
    }
  }
}
