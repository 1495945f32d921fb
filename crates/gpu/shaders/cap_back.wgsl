// The gradient of `cap.wgsl` in place, from what it made: d ← d ∘ (1 − (y/limit)²). What y is where d is 0 does not matter.

@group(0) @binding(1) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> d: array<vec4<f32>>;

@compute @workgroup_size(64)
fn cap_back(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let tanh = y[index] / p.limit;
  d[index] = d[index] * (1.0 - tanh * tanh);
}
