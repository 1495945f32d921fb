// Matrix products in twice the precision, for scores too large for 32 bit: of the products a·b and a·bᵀ only those
// that lead to such scores are made again here. Low parts are taken where the flags say that there are any.

@group(0) @binding(1) var<storage, read> a_high: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> a_low: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> b_high: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> b_low: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> c_high: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> c_low: array<vec4<f32>>;

fn a_at(index: u32) -> Double {
  var value = Double(a_high[index], vec4<f32>(0.0));
  if (p.flags & A_LOW) != 0u { value.low = a_low[index]; }
  return value;
}

fn b_at(index: u32) -> Double {
  var value = Double(b_high[index], vec4<f32>(0.0));
  if (p.flags & B_LOW) != 0u { value.low = b_low[index]; }
  return value;
}

fn times_factor(sum: Double) -> Double {
  return multiply(sum, Double(vec4<f32>(p.factor), vec4<f32>(0.0)));
}

fn store(index: u32, value: Double) {
  c_high[index] = value.high;
  c_low[index] = value.low;
}

// An invocation makes four neighbouring numbers of one row: c = factor·a·b + bias.
@compute @workgroup_size(8, 8)
fn wide_product(@builtin(global_invocation_id) id: vec3<u32>) {
  if id.y >= p.rows || id.x >= (p.columns + 3u) / 4u { return; }
  let start = origin(id.z);
  var sum = Double(vec4<f32>(0.0), vec4<f32>(0.0));
  for (var k = 0u; k < p.inner; k++) {
    let four = a_at(start.a + id.y * p.a_stride + k / 4u);
    let one = Double(vec4<f32>(four.high[k % 4u]), vec4<f32>(four.low[k % 4u]));
    sum = add(sum, multiply(one, b_at(start.b + k * p.b_stride + id.x)));
  }
  sum = times_factor(sum);
  if (p.flags & BIAS) != 0u {
    sum = add(sum, Double(bias[start.bias + id.x], vec4<f32>(0.0)));
  }
  store(start.c + id.y * p.c_stride + id.x, sum);
}

// Σ over the four lanes, in every lane.
fn across(value: Double) -> Double {
  let pairs = add(value, Double(value.high.yxwz, value.low.yxwz));
  return add(pairs, Double(pairs.high.zwxy, pairs.low.zwxy));
}

// An invocation makes four neighbouring numbers of one row: c = factor·a·bᵀ.
@compute @workgroup_size(8, 8)
fn wide_product_transposed(@builtin(global_invocation_id) id: vec3<u32>) {
  let column = id.x * 4u;
  if id.y >= p.rows || column >= p.columns { return; }
  let start = origin(id.z);
  var result = Double(vec4<f32>(0.0), vec4<f32>(0.0));
  for (var lane = 0u; lane < min(4u, p.columns - column); lane++) {
    var sum = Double(vec4<f32>(0.0), vec4<f32>(0.0));
    for (var k = 0u; k < (p.inner + 3u) / 4u; k++) {
      let b_four = b_at(start.b + (column + lane) * p.b_stride + k);
      sum = add(sum, multiply(a_at(start.a + id.y * p.a_stride + k), b_four));
    }
    let total = times_factor(across(sum));
    result.high[lane] = total.high.x;
    result.low[lane] = total.low.x;
  }
  store(start.c + id.y * p.c_stride + id.x, result);
}
