// y [batch, heads, rows, columns] of x [batch, rows, heads·columns], rows of y padded to `other` vectors of four; and back.

@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

@compute @workgroup_size(64)
fn split_heads(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let column = 4u * (index % p.other);
  let row = index / p.other % p.rows;
  let head = index / p.other / p.rows % p.heads;
  let entry = index / p.other / p.rows / p.heads;
  let start = (entry * p.rows + row) * p.stride * 4u + head * p.columns + column;
  var four = vec4<f32>(0.0);
  for (var lane = 0u; lane < min(4u, p.columns - column); lane++) {
    four[lane] = x[start + lane];
  }
  y[index] = four;
}

@compute @workgroup_size(64)
fn join_heads(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let first = 4u * (index % p.other);
  let row = index / p.other % p.rows;
  let entry = index / p.other / p.rows;
  var four = vec4<f32>(0.0);
  for (var lane = 0u; lane < min(4u, p.heads * p.columns - first); lane++) {
    let column = first + lane;
    let head = entry * p.heads + column / p.columns;
    four[lane] = x[(head * p.rows + row) * p.stride * 4u + column % p.columns];
  }
  y[index] = four;
}
