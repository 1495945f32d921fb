// Rotary positions, in place: each pair (x, y) of a row becomes (x·cos − y·sin, x·sin + y·cos) (Su et al. 2021, eq. 34).
//
// x [slices, rows, width], turns [rows, width] with cos, sin, cos, sin in each vector of four.

@group(0) @binding(1) var<storage, read_write> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> turns: array<vec4<f32>>;

@compute @workgroup_size(64)
fn rotate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let four = x[index];
  let turn = turns[index % (p.rows * p.width)];
  x[index] = four * turn.xxzz + four.yxwz * turn.yyww * vec4<f32>(-1.0, 1.0, -1.0, 1.0);
}
