// Adam (Kingma and Ba 2015, algorithm 1), with decay apart from it (Loshchilov and Hutter 2019, algorithm 2):
// m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², w ← keep·w − pace·m/(√v/root + ε).

@group(0) @binding(1) var<storage, read> g: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> m: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> new_w: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> new_m: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> new_v: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> beyond: array<u32>;

@compute @workgroup_size(64)
fn adam(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let gradient = p.clip * g[index];
  let first = p.first_keep * m[index] + p.first_rest * gradient;
  let second = p.second_keep * v[index] + p.second_rest * gradient * gradient;
  let moved = p.keep * w[index] - p.pace * first / (sqrt(second) / p.root + p.epsilon);
  let number = select(vec4<f32>(0.0), moved, within(index));
  new_w[index] = number;
  new_m[index] = first;
  new_v[index] = second;
  if is_beyond(number) { beyond[0] = 1u; }
}
