// Additive scores (Bahdanau et al. 2015, §A.1.2): c[i, j] = Σ_d w_a[d]·tanh(q[i, d] + k[j, d]).
//
// q: a [slices, rows, inner], k: b [slices, columns, inner], w_a [inner].

@group(0) @binding(1) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> w_a: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> c: array<vec4<f32>>;

fn pair(query: u32, key: u32) -> f32 {
  var sum = vec4<f32>(0.0);
  for (var d = 0u; d < (p.inner + 3u) / 4u; d++) {
    sum += w_a[d] * tanh_exact(a[query + d] + b[key + d]);
  }
  return (sum.x + sum.y) + (sum.z + sum.w);
}

// An invocation makes four neighbouring scores of one row.
@compute @workgroup_size(8, 8)
fn additive(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = id.y;
  let column = id.x * 4u;
  if row >= p.rows || column >= p.columns { return; }
  if (p.flags & CAUSAL_COLUMNS) != 0u && column > p.first_row + row { return; }
  let start = origin(id.z);
  let query = start.a + row * p.a_stride;
  var scores = vec4<f32>(0.0);
  for (var lane = 0u; lane < min(4u, p.columns - column); lane++) {
    scores[lane] = pair(query, start.b + (column + lane) * p.b_stride);
  }
  c[start.c + row * p.c_stride + id.x] = scores;
}
