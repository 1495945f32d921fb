// sum = Σ_rows x; a workgroup has one vector of four columns.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> sum: array<vec4<f32>>;

@compute @workgroup_size(LANES)
fn sum_rows(
  @builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let vector = line_of(block, groups);
  if vector >= p.stride { return; }
  var own = vec4<f32>(0.0);
  for (var row = lane; row < p.rows; row += LANES) {
    own += x[row * p.stride + vector];
  }
  let all = shared_sum(lane, own);
  if lane == 0u { sum[vector] = all; }
}
