// Plain gradient descent: w ← w − pace·g.

@group(0) @binding(1) var<storage, read> g: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> new_w: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> beyond: array<u32>;

@compute @workgroup_size(64)
fn descend(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let number = select(vec4<f32>(0.0), w[index] - p.pace * p.clip * g[index], within(index));
  new_w[index] = number;
  if is_beyond(number) { beyond[0] = 1u; }
}
