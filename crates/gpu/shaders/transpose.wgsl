// y [slices, columns, rows] of x [slices, rows, columns], rows of y padded to `other` vectors of four.

@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

@compute @workgroup_size(64)
fn transpose_slices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let column = index / p.other % p.columns;
  let slice = index / p.other / p.columns;
  let row = 4u * (index % p.other);
  var four = vec4<f32>(0.0);
  for (var lane = 0u; lane < min(4u, p.rows - row); lane++) {
    four[lane] = x[(slice * p.rows + row + lane) * p.stride * 4u + column];
  }
  y[index] = four;
}
