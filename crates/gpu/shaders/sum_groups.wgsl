// y[other + g] = Σ_j x[g·first + j] over blocks of `rows` vectors of four: the gradients of query heads that share keys, or of sequences that share
// positions.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

@compute @workgroup_size(64)
fn sum_groups(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let index = index_of(id, groups);
  if index >= p.count { return; }
  let block = index / p.rows * p.first;
  var sum = vec4<f32>(0.0);
  for (var member = 0u; member < p.first; member++) {
    sum += x[(block + member) * p.rows + index % p.rows];
  }
  y[p.other + index] = sum;
}
