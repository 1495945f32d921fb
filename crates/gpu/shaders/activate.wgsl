// hidden = f(up), or f(gate) ∘ up where there is a gate (`first` is 1).

@group(0) @binding(1) var<storage, read> up: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> gate: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> hidden: array<vec4<f32>>;

@compute @workgroup_size(64)
fn activate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  if (p.first != 0u) {
    hidden[index] = value(gate[index]) * up[index];
  } else {
    hidden[index] = value(up[index]);
  }
}
