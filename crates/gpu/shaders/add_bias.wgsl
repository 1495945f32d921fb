// A bias that was given, in place: c[i, j] + b[i, j]. A bias can be thousands where the scores are small, so the result has a low part.

@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c_high: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> c_low: array<vec4<f32>>;

@compute @workgroup_size(8, 8)
fn add_bias(@builtin(global_invocation_id) id: vec3<u32>) {
  let column = id.x * 4u;
  if id.y >= p.rows || column >= p.columns { return; }
  if (p.flags & CAUSAL_COLUMNS) != 0u && column > p.first_row + id.y { return; }
  let at = origin(id.z);
  let index = at.c + id.y * p.c_stride + id.x;
  var score = Double(c_high[index], vec4<f32>(0.0));
  if (p.flags & A_LOW) != 0u { score.low = c_low[index]; }
  let bias = b[at.b + id.y * p.b_stride + id.x];
  let biased = add(score, Double(bias, vec4<f32>(0.0)));
  c_high[index] = biased.high;
  c_low[index] = biased.low;
}
