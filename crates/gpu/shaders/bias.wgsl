// ALiBi (Press et al. 2022, §3), in place: c[i, j] − penalty·|place of i − place of j|, with a penalty for each head.
//
// A penalty can be thousands where the scores that it is taken off are small, and 32 bit would lose what they differ by: so
// the result has a low part, whether the scores have one or not.

// penalties[0].x: vectors from one batch entry's places to the next; then [heads] penalties, and for each entry the places of its keys
// and of its queries, each list padded to whole vectors.
@group(0) @binding(1) var<storage, read> penalties: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c_high: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> c_low: array<vec4<f32>>;

@compute @workgroup_size(8, 8)
fn bias(@builtin(global_invocation_id) id: vec3<u32>) {
  let column = id.x * 4u;
  let query = p.first_row + id.y;
  if id.y >= p.rows || column >= p.columns { return; }
  if (p.flags & CAUSAL_COLUMNS) != 0u && column > query { return; }
  let index = origin(id.z).c + id.y * p.c_stride + id.x;
  var score = Double(c_high[index], vec4<f32>(0.0));
  if (p.flags & A_LOW) != 0u { score.low = c_low[index]; }
  let slice = p.first_slice + id.z;
  let places = 1u + (p.heads + 3u) / 4u + (slice / p.heads) * u32(penalties[0].x);
  let queries = places + (p.columns + 3u) / 4u;
  let place = penalties[queries + query / 4u][query % 4u];
  let distance = abs(penalties[places + id.x] - vec4<f32>(place));
  let head = slice % p.heads;
  let biased = add(score, exact_product(vec4<f32>(-penalties[1u + head / 4u][head % 4u]), distance));
  c_high[index] = biased.high;
  c_low[index] = biased.low;
}
