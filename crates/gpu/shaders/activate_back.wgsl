// The gradient of `activate.wgsl`: dup = dhidden ∘ f′(up), or with a gate dup = dhidden ∘ f(gate), dgate = dhidden ∘ up ∘ f′(gate).

@group(0) @binding(1) var<storage, read> up: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> gate: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> dhidden: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> dup: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> dgate: array<vec4<f32>>;

@compute @workgroup_size(64)
fn activate_back(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let given = dhidden[index];
  if (p.first != 0u) {
    dup[index] = given * value(gate[index]);
    dgate[index] = given * up[index] * derivative(gate[index]);
  } else {
    dup[index] = given * derivative(up[index]);
  }
}
