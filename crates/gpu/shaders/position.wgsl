// X + PE for every batch entry: x, sum [batch, rows, width], encoding [rows, width], width in vectors of four.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> encoding: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> sum: array<vec4<f32>>;

@compute @workgroup_size(64)
fn add_positions(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  sum[index] = x[index] + encoding[index % (p.rows * p.width)];
}
