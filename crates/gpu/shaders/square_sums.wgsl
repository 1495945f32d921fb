// Σ x² of 1024 vectors of four each; a workgroup has one of the sums.

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;

const EACH = 16u;

@compute @workgroup_size(LANES)
fn square_sums(
  @builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let line = line_of(block, groups);
  let first = line * LANES * EACH + lane;
  if line * LANES * EACH >= p.count { return; }
  var squares = vec4<f32>(0.0);
  for (var i = 0u; i < EACH; i++) {
    let at = first + i * LANES;
    if at < p.count { squares += x[at] * x[at]; }
  }
  let sum = total(shared_sum(lane, squares));
  if lane == 0u { sums[p.first + line] = sum; }
}
