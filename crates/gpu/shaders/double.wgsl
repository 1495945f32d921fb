// Numbers of twice the precision: a high part and a low part, whose unevaluated sum is the number (Dekker 1971).

struct Double {
  high: vec4<f32>,
  low: vec4<f32>,
}

// a + b exactly (Knuth 1969).
fn exact_sum(a: vec4<f32>, b: vec4<f32>) -> Double {
  let sum = kept(a + b);
  let b_part = kept(sum - a);
  let a_part = kept(sum - b_part);
  return Double(sum, kept(a - a_part) + kept(b - b_part));
}

// The upper 12 of 24 digits; the lower ones are what is left.
fn upper(x: vec4<f32>) -> vec4<f32> {
  return bitcast<vec4<f32>>(bitcast<vec4<u32>>(x) & vec4<u32>(0xfffff000u));
}

// a·b exactly, but for what is too small for 32 bit.
fn exact_product(a: vec4<f32>, b: vec4<f32>) -> Double {
  let product = kept(a * b);
  let a_upper = upper(a);
  let b_upper = upper(b);
  let a_lower = kept(a - a_upper);
  let b_lower = kept(b - b_upper);
  let first = kept(kept(a_upper * b_upper) - product);
  let second = kept(first + kept(a_upper * b_lower));
  let third = kept(second + kept(a_lower * b_upper));
  return Double(product, third + kept(a_lower * b_lower));
}

fn add(a: Double, b: Double) -> Double {
  let sum = exact_sum(a.high, b.high);
  return exact_sum(sum.high, kept(sum.low + kept(a.low + b.low)));
}

fn multiply(a: Double, b: Double) -> Double {
  let product = exact_product(a.high, b.high);
  let rest = kept(kept(a.high * b.low) + kept(a.low * b.high));
  return exact_sum(product.high, kept(product.low + rest));
}
